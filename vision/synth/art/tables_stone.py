"""Hard, even tops: laminate, stone, concrete, terrazzo, cork, lacquer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.synth.art.draw import arc
from vision.synth.art.noise import Field, fractal, grain, smooth
from vision.synth.art.table_look import SHAPE, SIDE, TableLook, as_picture, gradient, levels, look, random_tone, shaded
from vision.synth.art.wood import paint, varied
from vision.synth.scene import Picture, Rgb


def _flat(tone: Rgb, factor: Field) -> Picture:
    """One colour, lighter and darker."""
    return as_picture(cv2.merge([cv2.convertScaleAbs(factor, alpha=255 * c) for c in tone]))


def white_laminate(rng: np.random.Generator) -> TableLook:
    """The kitchen or office table: white to light grey, sometimes a soft tint, a fine print or orange peel."""
    tone = varied(rng, (0.93, 0.925, 0.91), 0.03) if rng.random() < 0.7 else random_tone(rng, (0.02, 0.09), (0.7, 0.95))
    fine = smooth(rng, (300, 300), SHAPE)
    factor = 1 + np.float32(rng.uniform(0, 0.02)) * fractal(rng, (2, 2), SHAPE, 2)
    factor += np.float32(rng.choice([0.0, 0.008, 0.03])) * fine
    _smudge(factor, rng)
    picture = _flat(tone, factor)
    return look(
        picture, "plastic", float(rng.uniform(0.12, 0.5)), float(rng.uniform(500, 900)), levels(fine, -1, 1), 0.02
    )


def _smudge(factor: Field, rng: np.random.Generator) -> None:
    """Finger marks, crumbs and the ring of a cup."""
    layer = np.zeros(SHAPE, np.uint8)
    for _ in range(rng.poisson(0.7)):
        centre, radius = rng.integers(120, SIDE - 120, 2), float(rng.uniform(45, 70))
        ring = arc(float(centre[0]), float(centre[1]), radius, float(rng.uniform(0, 90)), float(rng.uniform(220, 400)))
        cv2.polylines(
            layer, [ring.astype(np.int32)], False, int(rng.integers(30, 110)), int(rng.integers(2, 5)), cv2.LINE_AA
        )
    for _ in range(rng.poisson(14)):
        x, y = rng.integers(8, SIDE - 8, 2).tolist()
        cv2.circle(layer, (x, y), int(rng.integers(1, 3)), int(rng.integers(60, 220)), -1, cv2.LINE_AA)
    factor -= cv2.GaussianBlur(layer, (0, 0), 0.8).astype(np.float32) * np.float32(0.3 / 255)


def black_gloss(rng: np.random.Generator) -> TableLook:
    """Lacquer, glass or dark laminate: nearly black, shiny, with dust and fine scratches."""
    tone = random_tone(rng, (0.0, 0.3), (0.04, 0.16))
    factor = 1 + np.float32(0.06) * smooth(rng, (3, 3), SHAPE)
    layer = np.zeros(SHAPE, np.uint8)
    for _ in range(rng.poisson(22)):
        start, end = rng.integers(0, SIDE, 2), rng.integers(-90, 90, 2)
        cv2.line(layer, start.tolist(), (start + end).tolist(), int(rng.integers(8, 50)), 1, cv2.LINE_AA)
    factor += layer.astype(np.float32) * np.float32(1 / 110)
    dust = grain(rng, SHAPE)
    factor += np.clip(dust - np.float32(0.985), 0, 1) * np.float32(rng.uniform(20, 110))
    return look(_flat(tone, factor), "plastic", float(rng.uniform(0.05, 0.3)), float(rng.uniform(500, 900)))


def marble(rng: np.random.Generator) -> TableLook:
    """Veins that branch through clouds: white, cream, green or black marble."""
    schemes: tuple[tuple[Rgb, ...], ...] = (
        ((0.94, 0.94, 0.93), (0.84, 0.84, 0.85), (0.48, 0.49, 0.52)),
        ((0.92, 0.87, 0.78), (0.84, 0.74, 0.60), (0.58, 0.42, 0.28)),
        ((0.10, 0.11, 0.11), (0.17, 0.17, 0.18), (0.82, 0.80, 0.76)),
        ((0.16, 0.30, 0.24), (0.24, 0.42, 0.34), (0.78, 0.85, 0.80)),
        ((0.78, 0.66, 0.62), (0.70, 0.55, 0.50), (0.45, 0.28, 0.26)),
    )
    scheme = schemes[int(rng.choice(5, p=[0.4, 0.25, 0.15, 0.1, 0.1]))]
    clouds = fractal(rng, (3, 3), SHAPE, 4)
    # Different numbers of cells down and across give the veins a direction.
    veins = np.clip(1 - np.abs(fractal(rng, (int(rng.integers(1, 4)), 4), SHAPE, 6, 0.52)) * np.float32(6), 0, 1)
    thin = np.clip(1 - np.abs(fractal(rng, (3, 6), SHAPE, 4, 0.45)) * np.float32(16), 0, 1)
    field = 0.28 + 0.2 * clouds + veins**2 * np.clip(0.35 + 0.5 * clouds, 0, 0.6) + 0.16 * thin
    field += np.float32(0.02) * grain(rng, SHAPE)
    lut = gradient(*(varied(rng, c, 0.03) for c in scheme))
    return look(paint(field, lut), "stone", float(rng.uniform(0.06, 0.3)), float(rng.uniform(500, 1000)))


def granite(rng: np.random.Generator) -> TableLook:
    """Crystals of several minerals, mixed; or a plastic worktop that imitates them."""
    base = random_tone(rng, (0.0, 0.12), (0.25, 0.75))
    small, medium = smooth(rng, (256, 256), SHAPE), smooth(rng, (110, 110), SHAPE)
    field = 0.5 + 0.22 * small + 0.25 * medium + 0.1 * grain(rng, SHAPE) + 0.06 * fractal(rng, (3, 3), SHAPE, 2)
    dark, light = varied(rng, (0.12, 0.11, 0.11), 0.03), varied(rng, (0.88, 0.85, 0.82), 0.04)
    contrast = float(rng.uniform(0.35, 1.0))
    ends = [tuple(b + (e - b) * contrast for b, e in zip(base, end, strict=True)) for end in (dark, light)]
    lut = gradient(ends[0], base, base, ends[1])  # type: ignore[arg-type]
    return look(paint(field, lut), "stone", float(rng.uniform(0.08, 0.4)), float(rng.uniform(250, 500)))


def concrete(rng: np.random.Generator) -> TableLook:
    """Grey, cloudy, with pores, trowel marks and now and then a crack."""
    tone = varied(rng, (0.58, 0.57, 0.55), 0.15)
    factor = 1 + np.float32(rng.uniform(0.06, 0.16)) * fractal(rng, (3, 3), SHAPE, 6, 0.6)
    factor += np.float32(0.035) * grain(rng, SHAPE)
    sweep = smooth(rng, (40, 4), SHAPE)
    factor += np.float32(rng.uniform(0, 0.04)) * sweep
    pores = np.zeros(SHAPE, np.uint8)
    for x, y in rng.integers(6, SIDE - 6, (rng.poisson(110), 2)).tolist():
        cv2.circle(pores, (x, y), int(rng.integers(1, 4)), int(rng.integers(80, 255)), -1, cv2.LINE_AA)
    factor -= pores.astype(np.float32) * np.float32(0.4 / 255)
    if rng.random() < 0.4:
        crack = np.abs(fractal(rng, (2, 2), SHAPE, 5, 0.6))
        factor -= np.clip(np.float32(0.012) - crack, 0, 1) * np.float32(18)
    bump = levels(factor, 0.5, 1.3)
    return look(_flat(tone, factor), "stone", float(rng.uniform(0.45, 0.85)), float(rng.uniform(500, 1000)), bump, 0.4)


def terrazzo(rng: np.random.Generator) -> TableLook:
    """Chips of coloured stone in cement, ground flat."""
    cement = varied(rng, (0.86, 0.84, 0.80), 0.08) if rng.random() < 0.7 else varied(rng, (0.3, 0.3, 0.32), 0.08)
    chips = [random_tone(rng, (0.05, 0.55), (0.25, 0.95)) for _ in range(int(rng.integers(3, 6)))]
    picture = _flat(cement, 1 + np.float32(0.04) * grain(rng, SHAPE))
    count, largest = int(rng.integers(350, 900)), float(rng.uniform(10, 26))
    for k in range(count):
        corners = int(rng.integers(4, 8))
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
        size = largest * float(rng.beta(1.3, 3.0)) + 2.5
        shape = np.stack([np.cos(angles), np.sin(angles) * rng.uniform(0.5, 1)], 1) * size
        colour = tuple(255 * c for c in chips[k % len(chips)])
        centre = rng.uniform(0, SIDE, 2)
        # A chip that crosses an edge comes in again on the other side.
        for dx in (-SIDE, 0, SIDE) if not size < centre[0] < SIDE - size else (0,):
            for dy in (-SIDE, 0, SIDE) if not size < centre[1] < SIDE - size else (0,):
                cv2.fillPoly(picture, [np.round(shape + centre + (dx, dy)).astype(np.int32)], colour, cv2.LINE_AA)
    picture = shaded(picture, 1 + np.float32(0.05) * smooth(rng, (60, 60), SHAPE))
    return look(picture, "stone", float(rng.uniform(0.08, 0.4)), float(rng.uniform(300, 650)))


def cork(rng: np.random.Generator) -> TableLook:
    """Pressed granules, light and dark, with gaps in between."""
    tone = varied(rng, (0.74, 0.56, 0.36), 0.08)
    cells = int(rng.integers(70, 150))
    clumps = smooth(rng, (cells, cells), SHAPE)
    field = 0.5 + 0.32 * clumps + 0.2 * smooth(rng, (cells * 2, cells * 2), SHAPE) + 0.06 * grain(rng, SHAPE)
    field -= np.clip(np.float32(0.05) - np.abs(smooth(rng, (cells, cells), SHAPE)), 0, 1) * np.float32(4)
    dark = (tone[0] * 0.5, tone[1] * 0.42, tone[2] * 0.35)
    light = (min(tone[0] * 1.15, 1), min(tone[1] * 1.17, 1), min(tone[2] * 1.2, 1))
    picture = paint(field, gradient(dark, tone, tone, light))
    return look(picture, "wood", float(rng.uniform(0.7, 0.95)), float(rng.uniform(250, 500)), levels(field), 0.3)


MAKERS: Final[dict[str, Callable[[np.random.Generator], TableLook]]] = {
    "white-laminate": white_laminate,
    "black-gloss": black_gloss,
    "marble": marble,
    "granite": granite,
    "concrete": concrete,
    "terrazzo": terrazzo,
    "cork": cork,
}
