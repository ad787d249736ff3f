"""Letting careless hands put pieces down without any two in the same place.

Each piece has a footprint (a convex outline or a disc) and a place where it was meant to stand. Footprints that
overlap push each other apart, as real pieces do; what is still too tight is straightened onto its meant place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.synth.scene import Array

ROUNDS: Final = 24
STRAIGHTENINGS: Final = 4
PLAY_MM: Final = 0.02
Pairs = npt.NDArray[np.int64]


# Outlines have this many corners: a lying pyramid's shadow is a hexagon; rectangles get two more on their sides.
CORNERS: Final = 6


@dataclass(slots=True, eq=False)
class Footprints:
    """Convex outlines seen from above, as parallel arrays; where ``radius`` is not 0 it is a disc instead."""

    centre: Array  # (N, 2)
    turn: Array  # (N,) degrees
    outline: Array  # (N, 6, 2) in the own frame, counter-clockwise, no two corners in the same place
    radius: Array  # (N,)

    def __post_init__(self) -> None:
        count = len(self.centre)
        shapes = (self.centre.shape, self.turn.shape, self.outline.shape, self.radius.shape)
        if shapes != ((count, 2), (count,), (count, CORNERS, 2), (count,)):
            raise ValueError(f"footprints need (N, 2), (N,), (N, {CORNERS}, 2) and (N,) arrays, not {shapes}.")

    @property
    def reach(self) -> Array:
        """The radius of the circle around each footprint."""
        return np.where(self.radius > 0, self.radius, np.linalg.norm(self.outline, axis=2).max(axis=1))

    def placed_outlines(self) -> Array:
        """The outlines where they lie, (N, 6, 2)."""
        angle = np.radians(self.turn)
        cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
        x, y = self.outline[..., 0], self.outline[..., 1]
        return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=2) + self.centre[:, None]


def rectangles(half: Array) -> Array:
    """The outlines of rectangles by their half sizes, (N, 2)."""
    unit = np.array([(-1, -1), (0, -1), (1, -1), (1, 1), (0, 1), (-1, 1)], dtype=np.float64)
    outlines: Array = half[:, None] * unit
    return outlines


def near_pairs(prints: Footprints, slack: float) -> Pairs:
    """The pairs that could come to touch when they come nearer to each other by the slack."""
    first, second = np.triu_indices(len(prints.centre), 1)
    apart = np.linalg.norm(prints.centre[first] - prints.centre[second], axis=1)
    close = apart < prints.reach[first] + prints.reach[second] + slack
    return np.stack([first[close], second[close]], axis=1)


def gaps(prints: Footprints, pairs: Pairs) -> tuple[Array, Array]:
    """How far the two of each pair are apart (negative: they overlap), and the axis from the first to the second.

    The widest gap over the normals of all sides and the line between the centres: two polygons overlap exactly when
    none of their sides shows a gap; with discs the answer errs on the safe side.
    """
    first, second = pairs[:, 0], pairs[:, 1]
    outlines = prints.placed_outlines()
    sides = np.roll(outlines, -1, axis=1) - outlines
    normals = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / np.linalg.norm(sides, axis=2, keepdims=True)
    between = prints.centre[second] - prints.centre[first]
    length = np.linalg.norm(between, axis=1, keepdims=True)
    direct = np.where(length > 1e-9, between / np.maximum(length, 1e-9), (1.0, 0.0))[:, None]
    axes = np.concatenate([normals[first], -normals[second], direct], axis=1)  # (P, 13, 2)
    least = -_farthest(prints, outlines, second, -axes)
    found = least - _farthest(prints, outlines, first, axes)
    best = found.argmax(axis=1)
    every = np.arange(len(pairs))
    return found[every, best], axes[every, best]


def _farthest(prints: Footprints, outlines: Array, chosen: Pairs, axes: Array) -> Array:
    """How far the chosen footprints reach along each of their axes, (P, K)."""
    corners: Array = np.matmul(axes, outlines[chosen].transpose(0, 2, 1)).max(axis=2)
    radius = prints.radius[chosen][:, None]
    disc = np.einsum("pki,pi->pk", axes, prints.centre[chosen]) + radius
    return np.where(radius > 0, disc, corners)


def settle(prints: Footprints, home: Array, straight: Array, leash: float) -> Footprints:
    """The footprints moved so that no two overlap, as long as their homes leave room for that.

    ``home`` (N, 2) and ``straight`` (N,) are the places and turns at which everything fits; only pieces in too
    tight a corner are brought back to them. Nothing comes further than ``leash`` from home along either axis.
    """
    placed = replace(prints, centre=_leashed(prints.centre, home, leash), turn=prints.turn.copy())
    pairs = near_pairs(replace(prints, centre=home), 3 * leash)
    if not len(pairs):
        return placed
    for _ in range(STRAIGHTENINGS):
        for _ in range(ROUNDS):
            gap, axis = gaps(placed, pairs)
            tight = gap < PLAY_MM
            if not tight.any():
                return placed
            push = np.where(tight, (PLAY_MM * 1.5 - gap) / 2, 0.0)[:, None] * axis
            np.add.at(placed.centre, pairs[:, 1], push)
            np.add.at(placed.centre, pairs[:, 0], -push)
            placed.centre = _leashed(placed.centre, home, leash)
        crowded = np.unique(pairs[gap < PLAY_MM])
        placed.turn[crowded] = straight[crowded]
        placed.centre[crowded] += (home[crowded] - placed.centre[crowded]) * 0.7
    before = replace(placed, centre=placed.centre.copy(), turn=placed.turn.copy())
    _send_home(placed, home, straight, pairs)
    # Where not even the homes have room for everything, the lesser crowd is the better one.
    return placed if _crowding(placed, pairs) <= _crowding(before, pairs) else before


def _leashed(centre: Array, home: Array, leash: float) -> Array:
    return np.clip(centre, home - leash, home + leash)


def _crowding(prints: Footprints, pairs: Pairs) -> float:
    """How much everything overlaps, all pairs together."""
    return float(np.maximum(0.0, -gaps(prints, pairs)[0]).sum())


def _send_home(placed: Footprints, home: Array, straight: Array, pairs: Pairs) -> None:
    """Puts what still overlaps, and whatever that then touches, exactly onto its meant place."""
    for _ in range(len(home)):
        gap, _ = gaps(placed, pairs)
        crowded = np.unique(pairs[gap < 0])
        if np.allclose(placed.centre[crowded], home[crowded]) and np.allclose(placed.turn[crowded], straight[crowded]):
            return
        placed.centre[crowded] = home[crowded]
        placed.turn[crowded] = straight[crowded]
