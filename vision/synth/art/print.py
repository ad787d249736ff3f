"""Writing that nobody reads: lines of print and of handwriting, seen from an arm's length."""

from __future__ import annotations

import cv2
import numpy as np

from vision.synth.art.digits import sign
from vision.synth.art.draw import ink
from vision.synth.scene import Picture, Rgb

Area = tuple[int, int, int, int]  # left, top, width, height


def text_lines(picture: Picture, area: Area, pitch: int, colour: Rgb, rng: np.random.Generator) -> None:
    """Fills the area with words of print in place: letters as strokes and bars, some taller than others."""
    left, top, width, height = area
    body, step = max(2, round(pitch * 0.5)), max(2, round(pitch * 0.28))
    lines, letters = max(1, (height - body) // pitch + 1), max(1, width // step)
    written = rng.random((lines, letters)) > 0.17
    # Paragraphs end before the margin does.
    ends = np.where(rng.random(lines) < 0.85, letters, rng.integers(letters // 4, letters + 1, lines))
    written &= np.arange(letters) < ends[:, None]
    cells = np.zeros((lines, pitch, letters, step), np.uint8)
    stem, waist = max(1, step // 3), body // 3
    cells[:, waist:body, :, :stem] = 225
    cells[:, :waist, :, :stem] = (rng.random((lines, 1, letters, 1)) < 0.3) * np.uint8(225)
    right = (rng.random((lines, 1, letters, 1)) < 0.7) * np.uint8(200)
    cells[:, waist:body, :, step - stem - 1 : step - 1] = np.maximum(
        cells[:, waist:body, :, step - stem - 1 : step - 1], right
    )
    bar = rng.integers(waist, body, (lines, letters))
    thick = max(1, body // 6)
    for row in range(waist, body):
        hit = (bar <= row) & (row < bar + thick)
        cells[:, row, :, : step - 1] = np.where(hit[..., None], np.uint8(210), cells[:, row, :, : step - 1])
    cells *= written[:, None, :, None]
    mask = cells.reshape(lines * pitch, letters * step)[:height, :width]
    _blend(picture, mask, colour, left, top)


def headline(
    picture: Picture, place: tuple[int, int], height: int, letters: int, colour: Rgb, rng: np.random.Generator
) -> None:
    """A title in large letters from a point (left, top) on, in place; it says nothing."""
    font = str(rng.choice(["grotesk", "condensed", "roman", "didone", "slab", "rounded"]))
    x, y = place
    for position in range(letters):
        if position in (5, 9) and rng.random() < 0.6:
            x += height // 2
        mask = sign(font, str(rng.choice(list("ABCDEFGHJK"))), height)
        ink(picture, mask, colour, x, y)
        x += mask.shape[1] + max(1, height // 7)


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
    cover = np.asarray(mask[: area.shape[0], : area.shape[1]], np.float32) / np.float32(255)
    inked = np.empty_like(area)
    inked[:] = np.clip(np.asarray(colour) * 255, 0, 255).astype(np.uint8)
    area[:] = cv2.blendLinear(np.ascontiguousarray(area), inked, 1 - cover, cover)
