"""Writing that nobody reads: lines of print and of handwriting, seen from an arm's length."""

from __future__ import annotations

import cv2
import numpy as np

from vision.synth.scene import Picture, Rgb

Area = tuple[int, int, int, int]  # left, top, width, height


def text_lines(picture: Picture, area: Area, pitch: int, colour: Rgb, rng: np.random.Generator) -> None:
    """Fills the area with words of print in place: dashes of words, broken into strokes like letters."""
    left, top, width, height = area
    mask = np.zeros((height, width), np.uint8)
    body = max(2, round(pitch * 0.5))
    for y in range(0, height - body, pitch):
        x = 0
        last = width if rng.random() < 0.85 else int(width * rng.uniform(0.3, 0.9))
        while x < last:
            word = min(int(rng.integers(2, 10) * body * 0.62), last - x)
            if word > 1:
                _word(mask[y : y + body, x : x + word], body, rng)
            x += word + max(2, round(body * 0.55))
    _blend(picture, mask, colour, left, top)


def _word(area: Picture, body: int, rng: np.random.Generator) -> None:
    """A word as letters' strokes: x-height blocks with gaps and some ascenders."""
    x = 0
    step = max(2, round(body * 0.55))
    while x < area.shape[1]:
        tall = rng.random() < 0.35
        area[0 if tall else body // 3 :, x : x + max(1, step // 3)] = 230
        if rng.random() < 0.8:
            row = int(rng.integers(body // 3, body))
            area[row : row + max(1, body // 6), x : x + step - 1] = 210
            area[body // 3 :, x + step - max(1, step // 3) - 1 : x + step - 1] = 190
        x += step


def handwriting(picture: Picture, area: Area, pitch: int, colour: Rgb, rng: np.random.Generator) -> None:
    """Fills the area with lines of a cursive scribble in place."""
    left, top, width, height = area
    mask = np.zeros((height, width), np.uint8)
    size = pitch * float(rng.uniform(0.28, 0.42))
    for base in range(pitch, height - 2, pitch):
        x = float(rng.uniform(0, pitch))
        while x < width * rng.uniform(0.55, 1.0):
            length = float(rng.uniform(2, 7)) * size
            count = max(8, int(length / size * 10))
            t = np.linspace(0, 1, count)
            loops = np.cumsum(rng.normal(0, 0.5, count)) * 0.25 + t * length / size * 4.2
            xs = x + t * length + size * 0.3 * np.cos(loops)
            tall = 1 + 1.1 * (rng.random(count) < 0.12)
            ys = base - size * 0.5 * (1 + np.sin(loops)) * tall
            points = np.round(np.stack([xs, ys], 1) * 16).astype(np.int32)
            cv2.polylines(mask, [points], False, 230, max(1, pitch // 18), cv2.LINE_AA, 4)
            x += length + size * float(rng.uniform(0.8, 1.6))
    _blend(picture, mask, colour, left, top)


def _blend(picture: Picture, mask: Picture, colour: Rgb, left: int, top: int) -> None:
    area = picture[top : top + mask.shape[0], left : left + mask.shape[1]]
    cover = mask[: area.shape[0], : area.shape[1], None].astype(np.float32) / 255
    area[:] = (area * (1 - cover) + np.asarray(colour, np.float32) * 255 * cover).astype(np.uint8)
