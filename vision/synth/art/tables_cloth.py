"""Soft tops: tablecloths, felt, mats, carpet, leather, and paper spread over a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.synth.art.draw import star
from vision.synth.art.noise import Field, fractal, grain, smooth, streaks
from vision.synth.art.print import headline, text_lines
from vision.synth.art.table_look import SHAPE, SIDE, TableLook, gradient, levels, look, random_tone, shaded
from vision.synth.art.wood import paint, varied
from vision.synth.scene import Picture, Rgb


def _weave(rng: np.random.Generator, threads: int) -> tuple[Field, Field]:
    """Plain weave: brightness of warp and weft threads, and which of the two lies on top (0 or 1)."""
    at = np.arange(SIDE, dtype=np.float32) * np.float32(threads / SIDE)
    wave = np.abs(np.sin(np.pi * at))
    odd = (np.floor(at).astype(int) % 2).astype(np.float32)
    top = np.abs(odd[:, None] - odd[None])
    relief = np.where(top > 0.5, wave[None] * (0.5 + 0.5 * wave[:, None]), wave[:, None] * (0.5 + 0.5 * wave[None]))
    # Threads of natural fibre are thick here and thin there.
    slub = streaks(rng, SHAPE, 120, max(1, SIDE // threads))
    slub += np.rot90(streaks(rng, SHAPE, 120, max(1, SIDE // threads)))
    return relief + np.float32(0.16) * slub, top


def _wrinkles(rng: np.random.Generator, strength: float) -> Field:
    """Soft folds of cloth as a factor of brightness: long waves, and the creases of its folding in the cupboard."""
    waves = smooth(rng, (1, int(rng.integers(2, 5))), SHAPE) + np.float32(0.5) * smooth(rng, (2, 5), SHAPE)
    factor = 1 + np.float32(0.35 * strength) * (waves if rng.random() < 0.5 else waves.T)
    for axis in range(2):
        if rng.random() < 0.5:
            offset = np.arange(SIDE, dtype=np.float32) - np.float32(rng.uniform(80, SIDE - 80))
            crease = np.exp(-np.abs(offset) / 5) * np.sign(offset) * np.float32(0.9 * strength)
            factor += crease[:, None] if axis else crease[None]
    return factor


def linen_cloth(rng: np.random.Generator) -> TableLook:
    """A plain woven tablecloth of any colour."""
    natural = rng.random() < 0.5
    tone = varied(rng, (0.88, 0.84, 0.76), 0.06) if natural else random_tone(rng, (0.05, 0.55), (0.25, 0.85))
    relief, _ = _weave(rng, int(rng.choice([160, 220, 280])))
    factor = (0.82 + 0.22 * relief) * _wrinkles(rng, float(rng.uniform(0, 0.2)))
    picture = shaded(_plain(tone), factor)
    return look(picture, "cloth", 0.9, float(rng.uniform(180, 400)), levels(relief), float(rng.uniform(0.1, 0.3)))


def _plain(tone: Rgb) -> Picture:
    picture = np.empty((SIDE, SIDE, 3), np.uint8)
    picture[:] = np.clip(np.asarray(tone) * 255, 0, 255).astype(np.uint8)
    return picture


def _dyed(
    rng: np.random.Generator, warp: Picture, weft: Picture, threads: int, wrinkles: float
) -> tuple[Picture, Field]:
    """Cloth from coloured threads: ``warp`` and ``weft`` are the colours along the edges (SIDE x 3)."""
    relief, top = _weave(rng, threads)
    mix = (0.5 + (top - np.float32(0.5)) * np.float32(0.5))[..., None]
    picture = (warp[None].astype(np.float32) * mix + weft[:, None].astype(np.float32) * (1 - mix)).astype(np.uint8)
    return shaded(picture, (0.84 + 0.2 * relief) * _wrinkles(rng, wrinkles)), relief


def checked_cloth(rng: np.random.Generator) -> TableLook:
    """Gingham or tartan: the same stripes in both directions, mixed where they cross."""
    light = varied(rng, (0.93, 0.92, 0.89), 0.03)
    colours = [random_tone(rng, (0.45, 0.9), (0.25, 0.8)) for _ in range(int(rng.integers(1, 3)))]
    repeats = int(rng.integers(4, 14))
    pattern = [light, colours[0]] if rng.random() < 0.6 else [light, colours[0], light, colours[-1]]
    index = (np.arange(SIDE) * repeats * len(pattern) // SIDE) % len(pattern)
    stripes = np.clip(np.asarray(pattern, np.float32)[index] * 255, 0, 255).astype(np.uint8)
    picture, relief = _dyed(rng, stripes, stripes, int(rng.choice([160, 220])), float(rng.uniform(0, 0.2)))
    return look(picture, "cloth", 0.9, float(rng.uniform(220, 420)), levels(relief), 0.15)


def striped_cloth(rng: np.random.Generator) -> TableLook:
    """Ticking and deck-chair stripes: broad and narrow bands in one direction."""
    ground = varied(rng, (0.90, 0.87, 0.80), 0.04)
    colours = [random_tone(rng, (0.3, 0.85), (0.2, 0.75)) for _ in range(2)]
    stripes = np.empty((SIDE, 3), np.float32)
    stripes[:] = ground
    period = SIDE // int(rng.integers(3, 9))
    for start in range(0, SIDE, period):
        stripes[start : start + period // 3] = colours[0]
        for extra in (0.45, 0.55, 0.82):
            low = start + round(extra * period)
            stripes[low : low + max(2, period // 24)] = colours[1]
    warp = np.clip(stripes[:SIDE] * 255, 0, 255).astype(np.uint8)
    weft = np.repeat(np.clip(np.asarray([ground]) * 255, 0, 255).astype(np.uint8), SIDE, 0)
    relief, top = _weave(rng, int(rng.choice([180, 240])))
    share = np.where(top > 0.5, 0.95, 0.72).astype(np.float32)[..., None]
    mixed = (warp[None] * share + weft[:, None] * (1 - share)).astype(np.uint8)
    picture = shaded(mixed, (0.84 + 0.2 * relief) * _wrinkles(rng, float(rng.uniform(0, 0.22))))
    return look(picture, "cloth", 0.9, float(rng.uniform(250, 450)), levels(relief), 0.2)


def felt(rng: np.random.Generator) -> TableLook:
    """Card-table baize, or the plain side of a mat."""
    tone = random_tone(rng, (0.3, 0.85), (0.14, 0.6)) if rng.random() < 0.6 else varied(rng, (0.08, 0.36, 0.22), 0.05)
    fluff = cv2.GaussianBlur(grain(rng, SHAPE), (0, 0), 1.2) * np.float32(2.4) + smooth(
        rng, (200, 200), SHAPE
    ) * np.float32(0.5)
    factor = 1 + np.float32(rng.uniform(0.06, 0.14)) * fluff + np.float32(0.05) * fractal(rng, (3, 3), SHAPE, 2)
    return look(shaded(_plain(tone), factor), "cloth", 0.97, float(rng.uniform(200, 450)), levels(fluff, -2, 2), 0.2)


def carpet(rng: np.random.Generator) -> TableLook:
    """The floor, for those who play there: loops in rows, mixed colours."""
    tone = random_tone(rng, (0.02, 0.35), (0.2, 0.7))
    cells = int(rng.integers(110, 200))
    at = np.arange(SIDE, dtype=np.float32) * np.float32(cells * np.pi / SIDE)
    loops = np.abs(np.sin(at))[:, None] * np.abs(np.sin(at))[None]
    tufts = smooth(rng, (cells, cells), SHAPE)
    field = 0.25 + 0.45 * loops + 0.22 * tufts + 0.07 * grain(rng, SHAPE)
    lut = gradient((tone[0] * 0.3, tone[1] * 0.3, tone[2] * 0.3), tone, varied(rng, tone, 0.25))
    picture = shaded(paint(field, lut), 1 + np.float32(0.1) * fractal(rng, (2, 2), SHAPE, 2))
    return look(picture, "cloth", 0.98, float(rng.uniform(350, 700)), levels(field), float(rng.uniform(0.8, 2)))


def playmat(rng: np.random.Generator) -> TableLook:
    """A printed neoprene mat: a landscape of soft colours, stars or a pattern, on a fine knit."""
    stops = [random_tone(rng, (0.1, 0.65), (0.08, 0.7)) for _ in range(int(rng.integers(3, 6)))]
    field = 0.5 + 0.55 * fractal(rng, (2, 2), SHAPE, int(rng.integers(4, 8)), float(rng.uniform(0.45, 0.62)))
    picture = paint(field, gradient(*stops))
    style = rng.integers(0, 4)
    if style == 0:
        _sprinkle(picture, rng)
    elif style == 1:
        _hexagons(picture, rng)
    knit = smooth(rng, (340, 340), SHAPE)
    picture = shaded(picture, 1 + np.float32(0.05) * knit)
    return look(
        picture, "cloth", float(rng.uniform(0.75, 0.95)), float(rng.uniform(350, 800)), levels(knit, -1, 1), 0.08
    )


def _sprinkle(picture: Picture, rng: np.random.Generator) -> None:
    """Stars, near and far."""
    for _ in range(rng.poisson(220)):
        x, y = rng.integers(10, SIDE - 10, 2)
        size, tone = float(rng.exponential(1.6)) + 0.7, int(rng.integers(150, 256))
        cv2.fillPoly(
            picture, [np.round((star(4, 0.4) * size + (x, y)) * 16).astype(np.int32)], (tone,) * 3, cv2.LINE_AA, 4
        )


def _hexagons(picture: Picture, rng: np.random.Generator) -> None:
    """The outlines of a hexagon grid, as on mats for other games."""
    columns = int(rng.choice([8, 12, 16]))
    width = SIDE / columns
    rows = 2 * round(SIDE / (width * 0.866 * 2))
    height = SIDE / rows
    tone = (int(rng.integers(0, 256)),) * 3
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            centre = ((column + (row % 2) / 2) * width, row * height)
            angles = np.radians(30 + 60 * np.arange(6))
            hexagon = np.stack([np.cos(angles) * width, np.sin(angles) * height / 0.866], 1) * 0.577 + centre
            cv2.polylines(picture, [np.round(hexagon * 16).astype(np.int32)], True, tone, 1, cv2.LINE_AA, 4)


def leatherette(rng: np.random.Generator) -> TableLook:
    """A desk pad or a card table of imitation leather: cells divided by fine creases."""
    tone = varied(rng, (0.28, 0.17, 0.11), 0.1) if rng.random() < 0.5 else random_tone(rng, (0.0, 0.4), (0.08, 0.5))
    cells = int(rng.integers(60, 120))
    creases = np.abs(smooth(rng, (cells, cells), SHAPE))
    creases = np.minimum(creases, np.abs(smooth(rng, (cells, cells), SHAPE)))
    relief = np.clip(creases * np.float32(5), 0, 1)
    factor = 0.72 + 0.3 * relief + np.float32(0.06) * fractal(rng, (3, 3), SHAPE, 3)
    picture = shaded(_plain(tone), factor)
    return look(picture, "plastic", float(rng.uniform(0.3, 0.6)), float(rng.uniform(150, 350)), levels(relief), 0.25)


def straw_mat(rng: np.random.Generator) -> TableLook:
    """Basketwork of rush or paper cord: over two, under two."""
    tone = varied(rng, (0.78, 0.65, 0.42), 0.08) if rng.random() < 0.7 else random_tone(rng, (0.05, 0.35), (0.3, 0.8))
    bands = 2 * int(rng.integers(18, 34))
    at = np.arange(SIDE, dtype=np.float32) * np.float32(bands / SIDE)
    cell, round_ = np.floor(at).astype(int), np.sin(np.pi * (at - np.floor(at)))
    lying = ((cell[:, None] // 2 + cell[None] // 2) % 2).astype(bool)
    relief = np.where(lying, round_[:, None], round_[None])
    fibre = np.where(lying, streaks(rng, SHAPE, 40, 2), streaks(rng, SHAPE, 40, 2).T)
    tones = rng.normal(0, 0.06, (bands, 2)).astype(np.float32)
    band_tone = np.where(lying, tones[cell, 0][:, None], tones[cell, 1][None])
    factor = 0.45 + 0.6 * relief**0.6 + np.float32(0.14) * fibre + band_tone
    return look(shaded(_plain(tone), factor), "cloth", 0.8, float(rng.uniform(250, 450)), levels(relief), 1.0)


def newspaper(rng: np.random.Generator) -> TableLook:
    """Old newspaper or packing paper spread to save the table."""
    paper = varied(rng, (0.80, 0.77, 0.70), 0.05)
    picture = shaded(
        _plain(paper), 1 + np.float32(0.025) * grain(rng, SHAPE) + np.float32(0.04) * fractal(rng, (3, 3), SHAPE, 3)
    )
    if rng.random() < 0.8:
        columns = int(rng.integers(3, 6))
        width = SIDE // columns
        for column in range(columns):
            _news_column(picture, column * width + 12, width - 24, rng)
    creases = _wrinkles(rng, float(rng.uniform(0.05, 0.2)))
    creases[SIDE // 2 : SIDE // 2 + 2] *= np.float32(0.85)
    return look(shaded(picture, creases), "paper", 0.95, float(rng.uniform(350, 560)))


def _news_column(picture: Picture, left: int, width: int, rng: np.random.Generator) -> None:
    """Headlines, text and pictures below one another."""
    y = int(rng.integers(8, 40))
    ink: Rgb = (0.14, 0.14, 0.15)
    while y < SIDE - 60:
        kind = rng.random()
        height = int(rng.integers(60, 220)) if kind > 0.12 else int(rng.integers(30, 50))
        height = min(height, SIDE - 12 - y)
        if kind < 0.12:
            headline(picture[:, : left + width], (left, y), min(height, 30), 9, ink, rng)
        elif kind < 0.32:
            patch = np.clip(128 + 90 * fractal(rng, (3, 3), (height, width), 4), 20, 235).astype(np.uint8)
            picture[y : y + height, left : left + width] = patch[..., None]
        else:
            text_lines(picture, (left, y, width, height), 8, ink, rng)
        y += height + int(rng.integers(6, 16))


MAKERS: Final[dict[str, Callable[[np.random.Generator], TableLook]]] = {
    "linen-cloth": linen_cloth,
    "checked-cloth": checked_cloth,
    "striped-cloth": striped_cloth,
    "felt": felt,
    "carpet": carpet,
    "playmat": playmat,
    "leatherette": leatherette,
    "straw-mat": straw_mat,
    "newspaper": newspaper,
}
