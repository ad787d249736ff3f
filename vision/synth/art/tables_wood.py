"""Wooden tables: planks, veneer, parquet, slats and painted boards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from vision.synth.art.noise import Field, fractal, smooth
from vision.synth.art.table_look import SHAPE, SIDE, TableLook, as_picture, levels, look, random_tone, shaded
from vision.synth.art.wood import SPECIES, Species, grain_field, paint, palette, varied
from vision.synth.scene import Picture, Rgb


def _stain(rng: np.random.Generator, species: Species, amount: float = 0.12) -> Picture:
    """Colours for one table of the species: the same tree, another stain and varnish."""
    shade = float(np.clip(rng.normal(1.0, amount), 0.6, 1.06))
    light = varied(rng, species.light, 0.04)
    dark = varied(rng, species.dark, 0.05)
    if rng.random() < 0.25:
        light, dark = _greyed(light, float(rng.uniform(0.2, 0.8))), _greyed(dark, float(rng.uniform(0.2, 0.8)))
    return palette(light, dark, (shade, shade * rng.uniform(0.96, 1.02), shade * rng.uniform(0.88, 1.06)))


def _greyed(colour: Rgb, share: float) -> Rgb:
    """Old or fashionably limed wood."""
    grey = sum(colour) / 3
    red, green, blue = (c + (grey - c) * share for c in colour)
    return red, green, blue


def _plank_edges(rng: np.random.Generator, count: int) -> list[int]:
    """Where planks meet, from 0 to the full height, widths differing a little."""
    widths = rng.uniform(0.75, 1.25, count) if rng.random() < 0.5 else np.ones(count)
    return [0, *np.round(np.cumsum(widths) / widths.sum() * SIDE).astype(int).tolist()]


def _piece(base: Field, height: int, spread: float, rng: np.random.Generator) -> Field:
    """A full length of the base from anywhere in it, a little lighter or darker."""
    row, column = int(rng.integers(0, SIDE - height + 1)), int(rng.integers(0, SIDE))
    piece = np.roll(base[row : row + height], column, 1)
    if rng.random() < 0.5:
        piece = piece[::-1]
    return piece + np.float32(rng.normal(0, spread))


def _planked(
    rng: np.random.Generator, base: Field, count: int, gap: float, joints: bool, spread: float
) -> tuple[Field, Field]:
    """Planks along x cut from anywhere in the base; also a factor that darkens the gaps between them."""
    field = np.empty_like(base)
    factor = np.ones(SHAPE, np.float32)
    edges = _plank_edges(rng, count)
    for top, bottom in pairwise(edges):
        cuts = sorted(rng.integers(0, SIDE, int(rng.integers(1, 3))).tolist()) if joints else []
        pieces = [_piece(base, bottom - top, spread, rng) for _ in cuts or [0]]
        for number, (left, right) in enumerate(pairwise([0, *cuts, SIDE])):
            # What runs out at the right edge comes in again at the left one.
            field[top:bottom, left:right] = pieces[number % len(pieces)][:, left:right]
        if gap > 0:
            for cut in cuts:
                factor[top:bottom, cut : cut + 2] *= np.float32(1 - gap)
            factor[top : top + 1] *= np.float32(1 - gap)
            factor[top + 1 : top + 2] *= np.float32(1 - 0.5 * gap)
            factor[bottom - 1 : bottom] *= np.float32(1 - 0.35 * gap)
    return field, factor


def _turned(rng: np.random.Generator, *pictures: Picture) -> list[Picture]:
    """Half of the tables run the other way."""
    if rng.random() < 0.5:
        return [np.ascontiguousarray(np.swapaxes(p, 0, 1)) for p in pictures]
    return list(pictures)


def _planks(
    rng: np.random.Generator, species: Species, count: tuple[int, int], joints: bool, repeat: tuple[float, float]
) -> TableLook:
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.45, 0.9)))
    gap = float(rng.uniform(0.25, 0.75))
    field, factor = _planked(rng, base, int(rng.integers(*count)), gap, joints, float(rng.uniform(0.02, 0.09)))
    picture = shaded(paint(field, _stain(rng, species)), factor)
    bump = levels(factor - field * np.float32(0.15), 0, 1.1)
    picture, bump = _turned(rng, picture, bump)
    roughness = float(rng.uniform(0.22, 0.6))
    return look(picture, "wood", roughness, float(rng.uniform(*repeat)), bump, float(rng.uniform(0.1, 0.5)))


def oak_planks(rng: np.random.Generator) -> TableLook:
    """Planks glued or laid side by side, long ones or with butt joints."""
    return _planks(rng, SPECIES["oak"], (5, 10), bool(rng.random() < 0.5), (700, 1100))


def pine_boards(rng: np.random.Generator) -> TableLook:
    """Broad boards with strong rings and now and then a knot."""
    species = SPECIES["pine"]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.5, 0.9)))
    for _ in range(int(rng.integers(0, 6))):
        _knot(base, rng)
    field, factor = _planked(rng, base, int(rng.integers(4, 8)), float(rng.uniform(0.1, 0.5)), False, 0.04)
    picture = shaded(paint(field, _stain(rng, species)), factor)
    picture, bump = _turned(rng, picture, levels(factor - field * np.float32(0.1), 0, 1.1))
    return look(picture, "wood", float(rng.uniform(0.25, 0.6)), float(rng.uniform(600, 950)), bump, 0.25)


def _knot(field: Field, rng: np.random.Generator) -> None:
    """A branch's foot: a dark eye with rings that bend around it."""
    high, wide = int(rng.integers(14, 30)), int(rng.integers(20, 44))
    y0, x0 = int(rng.integers(high * 2, SIDE - high * 2)), int(rng.integers(wide * 2, SIDE - wide * 2))
    y, x = np.mgrid[-2 * high : 2 * high, -2 * wide : 2 * wide].astype(np.float32)
    far = np.hypot(y / high, x / wide)
    eye = np.clip(1.15 - far, 0, 1) * (0.75 + 0.25 * np.sin(far * 14))
    halo = np.exp(-(((far - 1.05) / 0.16) ** 2)) * 0.25
    area = field[y0 - 2 * high : y0 + 2 * high, x0 - 2 * wide : x0 + 2 * wide]
    area += (eye * np.float32(0.75) + halo).astype(np.float32)


def _veneer_top(rng: np.random.Generator, species: Species, scale: tuple[float, float]) -> TableLook:
    """One sheet over the whole top, or a few book-matched ones without a visible gap."""
    field = grain_field(rng, SHAPE, species, float(rng.uniform(*scale)))
    if rng.random() < 0.35:
        field, _ = _planked(rng, field, int(rng.integers(2, 6)), 0.0, False, 0.02)
    picture, bump = _turned(rng, paint(field, _stain(rng, species, 0.15)), levels(field))
    return look(picture, "wood", float(rng.uniform(0.12, 0.55)), float(rng.uniform(500, 1000)), bump, 0.03)


def walnut_veneer(rng: np.random.Generator) -> TableLook:
    """Dark furniture: walnut, or cherry."""
    return _veneer_top(rng, SPECIES["walnut" if rng.random() < 0.65 else "cherry"], (0.5, 1.2))


def beech_veneer(rng: np.random.Generator) -> TableLook:
    """The light tables of schools and clubs: beech or maple, often a plastic print of it."""
    return _veneer_top(rng, SPECIES["beech" if rng.random() < 0.65 else "maple"], (0.5, 1.3))


def parquet(rng: np.random.Generator) -> TableLook:
    """Basket pattern: blocks of strips, every other block turned."""
    species = SPECIES[str(rng.choice(["oak", "oak", "walnut", "cherry", "beech"]))]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.4, 0.7)))
    blocks, strips = int(rng.choice([4, 6, 8])), int(rng.integers(1, 6))
    field, factor = _planked(rng, base, blocks * strips, float(rng.uniform(0.3, 0.7)), False, 0.07)
    turned, turned_factor = np.roll(field, SIDE // 3, 1).T, factor.T
    cell = np.arange(SIDE) * blocks // SIDE
    odd = ((cell[:, None] + cell[None]) % 2).astype(bool)
    shift = _block_tones(rng, blocks, 0.05)[cell[:, None], cell[None]]
    field = np.where(odd, turned, field) + shift
    edge = np.ones(SIDE, np.float32)
    edge[np.round(np.arange(blocks) * SIDE / blocks).astype(int)] = 0.55
    factor = np.where(odd, turned_factor, factor) * edge[:, None] * edge[None]
    picture = shaded(paint(field, _stain(rng, species)), factor)
    return look(picture, "wood", float(rng.uniform(0.2, 0.5)), float(rng.uniform(500, 1000)), levels(factor), 0.3)


def _block_tones(rng: np.random.Generator, blocks: int, spread: float) -> Field:
    return rng.normal(0, spread, (blocks, blocks)).astype(np.float32)


def herringbone(rng: np.random.Generator) -> TableLook:
    """Zigzag parquet: planks of n units, each laid against the side of the next."""
    species = SPECIES[str(rng.choice(["oak", "walnut", "teak", "beech"]))]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.4, 0.7)))
    length = int(rng.choice([3, 4, 5]))
    periods = int(rng.integers(2, 4))
    units = 2 * length * periods
    at = np.arange(SIDE, dtype=np.float32) * np.float32(units / SIDE)
    cell, inside = np.floor(at).astype(int), at - np.floor(at)
    place = (cell[None] - cell[:, None]) % (2 * length)
    lying = place < length
    tones = rng.normal(0, 0.08, (units, units)).astype(np.float32)
    row = np.where(lying, cell[:, None], (cell[:, None] - (2 * length - 1 - place)) % units)
    column = np.where(lying, (cell[None] - place) % units, cell[None])
    field = np.where(lying, base, np.roll(base, 311, 1).T) + tones[row, column]
    across = np.where(lying, inside[:, None], inside[None])
    along = np.where(lying, place + inside[None], 2 * length - 1 - place + inside[:, None])
    gap = (across < 0.03) | (along < 0.03)
    factor = np.where(gap, np.float32(rng.uniform(0.35, 0.7)), np.float32(1))
    picture = shaded(paint(field, _stain(rng, species)), factor)
    return look(picture, "wood", float(rng.uniform(0.2, 0.5)), float(rng.uniform(500, 900)), levels(factor), 0.3)


def bamboo(rng: np.random.Generator) -> TableLook:
    """Narrow glued strips with the nodes of the cane across them."""
    species = SPECIES["bamboo"]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.4, 0.8)))
    count = int(rng.integers(22, 46))
    field, factor = _planked(rng, base, count, float(rng.uniform(0.05, 0.3)), True, 0.06)
    edges = np.linspace(0, SIDE, count + 1).astype(int)
    for top, bottom in pairwise(edges):
        for x in rng.integers(0, SIDE - 8, int(rng.integers(1, 4))):
            field[top:bottom, x : x + 5] += np.float32(0.22)
            field[top:bottom, x + 5 : x + 8] -= np.float32(0.1)
    picture = shaded(paint(field, _stain(rng, species)), factor)
    picture, bump = _turned(rng, picture, levels(factor - field * np.float32(0.1), 0, 1.1))
    return look(picture, "wood", float(rng.uniform(0.25, 0.55)), float(rng.uniform(450, 800)), bump, 0.1)


def teak_slats(rng: np.random.Generator) -> TableLook:
    """A garden table: slats with open gaps between them, bleached by the weather."""
    species = SPECIES["teak"]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.5, 0.9)))
    count = int(rng.integers(7, 14))
    field, factor = _planked(rng, base, count, 0.2, False, 0.08)
    edges = np.round(np.linspace(0, SIDE, count + 1)).astype(int)[:-1]
    gap = int(rng.integers(5, 12))
    for edge in edges:
        factor[edge : edge + gap] = 0.06
        factor[edge + gap : edge + gap + 3] *= np.float32(1.12)
    picture = paint(field, _stain(rng, species))
    grey = np.float32(rng.uniform(0, 0.7))
    weathered = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    picture = as_picture(cv2.addWeighted(picture, 1 - float(grey), weathered, float(grey), 12 * float(grey)))
    picture, bump = _turned(rng, shaded(picture, factor), levels(factor - field * np.float32(0.12), 0, 1.1))
    return look(picture, "wood", float(rng.uniform(0.5, 0.8)), float(rng.uniform(500, 850)), bump, 2.0)


def painted_wood(rng: np.random.Generator) -> TableLook:
    """Planks under old paint that has come off along the edges and the grain."""
    species = SPECIES[str(rng.choice(["pine", "oak"]))]
    base = grain_field(rng, SHAPE, species, float(rng.uniform(0.5, 0.9)))
    field, factor = _planked(rng, base, int(rng.integers(5, 9)), 0.6, False, 0.05)
    wood = paint(field, _stain(rng, species))
    tone = random_tone(rng, (0.03, 0.4), (0.45, 0.95))
    coat = paint(
        field * np.float32(0.25) + 0.3 + 0.08 * smooth(rng, (8, 3), SHAPE), palette(tone, varied(rng, tone, 0.12))
    )
    edge = cv2.GaussianBlur(1 - factor, (0, 0), 5) * np.float32(2.5)
    bare = fractal(rng, (20, 5), SHAPE, 5, 0.65) + edge + field * np.float32(0.7)
    share = np.clip((bare - np.float32(rng.uniform(0.75, 1.35))) * 6, 0, 1)
    picture = as_picture(cv2.blendLinear(coat, wood, 1 - share, share))
    picture, bump = _turned(rng, shaded(picture, factor), levels(factor - share * np.float32(0.15), 0, 1.1))
    return look(picture, "wood", float(rng.uniform(0.4, 0.75)), float(rng.uniform(600, 1000)), bump, 0.6)


MAKERS: Final[dict[str, Callable[[np.random.Generator], TableLook]]] = {
    "oak-planks": oak_planks,
    "pine-boards": pine_boards,
    "walnut-veneer": walnut_veneer,
    "beech-veneer": beech_veneer,
    "parquet": parquet,
    "herringbone": herringbone,
    "bamboo": bamboo,
    "teak-slats": teak_slats,
    "painted-wood": painted_wood,
}
