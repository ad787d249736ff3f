"""Hollow pyramids of three sizes: upright, stacked, and lying on a side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from vision.synth.geometry import TOUCH_MM, MeshBuilder, circle, moved, rectangle, turned
from vision.synth.scene import Array, Mesh

# All sizes have the same slope, or they would not nest: a side grows by 1 mm for every 1.92 mm of height. That
# leaves the cut tips 2.2, 1.6 and 1.1 mm wide.
RISE: Final = 1.92
# The cavity ends where it has become this narrow.
CAVITY_TIP_MM: Final = 0.5

PIP_DIAMETER_MM: Final = 2.6
PIP_ABOVE_BASE_MM: Final = 3.6
PIP_SPACING_MM: Final = 5.0
PIP_SEGMENTS: Final = 8

BODY: Final = 0
PIPS: Final = 1


@dataclass(frozen=True, slots=True)
class PyramidSize:
    """One of the three sizes, measured outside."""

    name: str
    base_mm: float
    height_mm: float
    pips: int
    wall_mm: float = 1.5

    @property
    def tip_mm(self) -> float:
        """Width of the flat where the tip is cut off."""
        return self.base_mm - self.height_mm / RISE

    @property
    def cavity_mm(self) -> float:
        """Width of the opening below."""
        return self.base_mm - 2 * self.wall_mm * math.hypot(1.0, 0.5 / RISE)

    @property
    def cavity_height_mm(self) -> float:
        return (self.cavity_mm - CAVITY_TIP_MM) * RISE


LARGE: Final = PyramidSize("large", 25.4, 44.5, 3)
MEDIUM: Final = PyramidSize("medium", 19.8, 34.9, 2)
SMALL: Final = PyramidSize("small", 14.3, 25.4, 1)
SIZES: Final = {size.name: size for size in (SMALL, MEDIUM, LARGE)}
SIZE_OF_PIPS: Final = {size.pips: size for size in SIZES.values()}


def sized(pips: int, wall_mm: float) -> PyramidSize:
    """The size with that many pips, out of plastic of that thickness."""
    return replace(SIZE_OF_PIPS[pips], wall_mm=wall_mm)


# How far a side face leans inwards from the vertical.
LEAN_DEGREES: Final = math.degrees(math.atan(0.5 / RISE))


@cache
def pyramid(size: PyramidSize, *, with_pips: bool = True) -> Mesh:
    """A standing pyramid: a closed hollow shell of material 0, pips as thin discs of material 1 upon its faces."""
    builder = MeshBuilder()
    base = builder.points(rectangle(size.base_mm, size.base_mm, 0.0))
    tip = builder.points(rectangle(size.tip_mm, size.tip_mm, size.height_mm))
    opening = builder.points(rectangle(size.cavity_mm, size.cavity_mm, 0.0))
    ceiling = builder.points(rectangle(CAVITY_TIP_MM, CAVITY_TIP_MM, size.cavity_height_mm))
    builder.band(base, tip, BODY)
    builder.face(tip, BODY)
    # Seen from below the rim and the cavity turn the other way round.
    builder.band(opening, base, BODY)
    builder.band(ceiling, opening, BODY)
    builder.face(ceiling[::-1], BODY)
    if with_pips:
        for side in range(4):
            _add_pips(builder, size, turned(90.0 * side))
    return builder.mesh()


def _add_pips(builder: MeshBuilder, size: PyramidSize, side: Array) -> None:
    """A row of discs low on the face that looks to the east before it is turned to its side."""
    disc = circle(PIP_DIAMETER_MM / 2, TOUCH_MM, PIP_SEGMENTS)
    onto_face = side @ moved(size.base_mm / 2) @ turned(90.0 - LEAN_DEGREES, "y")
    for pip in range(size.pips):
        across = (pip - (size.pips - 1) / 2) * PIP_SPACING_MM
        # In the face's frame z looks out of it and -x runs up the slope.
        pose = onto_face @ moved(-PIP_ABOVE_BASE_MM, across)
        builder.face(builder.points(disc @ pose[:3, :3].T + pose[:3, 3]), PIPS)


def nesting_height(lower: PyramidSize, upper: PyramidSize, turn: float = 0.0) -> float:
    """How high the upper one's base comes to rest above the lower one's base.

    It slips down until its cavity is as wide as the pyramid below. Turned against it by some degrees it stops
    earlier, where the lower one's corners touch. Zero or less: it slips over the lower one altogether.
    """
    angle = math.radians((turn + 45.0) % 90.0 - 45.0)
    widest = upper.cavity_mm / (math.cos(angle) + abs(math.sin(angle)))
    return (lower.base_mm - widest) * RISE + TOUCH_MM


def stack_heights(sizes: Sequence[PyramidSize], turns: Sequence[float]) -> list[float]:
    """The heights of the bases of a stack, bottom first; what slips over everything stands on the ground."""
    heights: list[float] = []
    for number, size in enumerate(sizes):
        rests = [
            height + nesting_height(below, size, turns[number] - turns[i])
            for i, (below, height) in enumerate(zip(sizes, heights, strict=False))
        ]
        heights.append(max([0.0, *rests]))
    return heights


def lying_pose(size: PyramidSize) -> Array:
    """The pose that lays a pyramid on a side face, its tip to the east, the middle of its shadow at the origin."""
    laid = turned(90.0 + LEAN_DEGREES, "y")
    points = np.concatenate(
        [rectangle(size.base_mm, size.base_mm, 0.0), rectangle(size.tip_mm, size.tip_mm, size.height_mm)]
    )
    placed = points @ laid[:3, :3].T
    low, high = placed.min(axis=0), placed.max(axis=0)
    return moved(-(low[0] + high[0]) / 2, 0.0, -low[2]) @ laid


@cache
def lying_extent(size: PyramidSize) -> tuple[float, float, float]:
    """Length, width and height of a lying pyramid's bounding box."""
    pose = lying_pose(size)
    points = pyramid(size, with_pips=False).vertices @ pose[:3, :3].T
    length, width, height = points.max(axis=0) - points.min(axis=0)
    return float(length), float(width), float(height)


def lying_outline(size: PyramidSize) -> Array:
    """The corners (6, 2) of a lying pyramid's shadow, counter-clockwise, tip to the east.

    The base stands a little aslant, so the shadow keeps its full width for a while before it narrows to the tip.
    """
    length, width, _ = lying_extent(size)
    aslant = size.base_mm * math.sin(math.radians(LEAN_DEGREES))
    west, east, wide, narrow = -length / 2, length / 2, width / 2, size.tip_mm / 2
    lower = [(west, -wide), (west + aslant, -wide), (east, -narrow)]
    return np.array(lower + [(x, -y) for x, y in reversed(lower)])
