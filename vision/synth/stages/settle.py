"""Letting careless hands put pieces down without any two in the same place.

Each piece has a footprint (a rectangle or a disc) and a place where it was meant to stand. Footprints that overlap push
each other apart, as real pieces do; what is still too tight after that is straightened onto its meant place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.synth.scene import Array

ROUNDS: Final = 24
STRAIGHTENINGS: Final = 4
PLAY_MM: Final = 0.02
Pairs = npt.NDArray[np.int64]


@dataclass(slots=True, eq=False)
class Footprints:
    """Outlines seen from above, as parallel arrays. ``round`` ones are discs of radius ``half[:, 0]``."""

    centre: Array  # (N, 2)
    turn: Array  # (N,) degrees
    half: Array  # (N, 2) half sizes along the own axes
    round: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        count = len(self.centre)
        shapes = (self.centre.shape, self.turn.shape, self.half.shape, self.round.shape)
        if shapes != ((count, 2), (count,), (count, 2), (count,)):
            raise ValueError(f"footprints need (N, 2), (N,), (N, 2) and (N,) arrays, not {shapes}.")

    @property
    def reach(self) -> Array:
        """The radius of the circle around each footprint."""
        return np.where(self.round, self.half[:, 0], np.hypot(self.half[:, 0], self.half[:, 1]))


def near_pairs(prints: Footprints, slack: float) -> Pairs:
    """The pairs that could come to touch when they come nearer to each other by the slack."""
    first, second = np.triu_indices(len(prints.centre), 1)
    apart = np.linalg.norm(prints.centre[first] - prints.centre[second], axis=1)
    close = apart < prints.reach[first] + prints.reach[second] + slack
    return np.stack([first[close], second[close]], axis=1)


def gaps(prints: Footprints, pairs: Pairs) -> tuple[Array, Array]:
    """How far the two of each pair are apart (negative: they overlap), and the axis from the first to the second.

    The widest gap over the axes of both rectangles and the line between the centres; two rectangles overlap exactly
    when none of their axes shows a gap, with discs the answer errs on the safe side.
    """
    first, second = pairs[:, 0], pairs[:, 1]
    between = prints.centre[second] - prints.centre[first]
    length = np.linalg.norm(between, axis=1, keepdims=True)
    direct = np.where(length > 1e-9, between / np.maximum(length, 1e-9), (1.0, 0.0))
    east, north = _axes(prints.turn)
    axes = np.stack([east[first], north[first], east[second], north[second], direct])  # (5, P, 2)
    along = np.einsum("kpi,pi->kp", axes, between)
    axes = np.where(along[..., None] < 0, -axes, axes)
    found = np.abs(along) - _extent(prints, first, axes, east, north) - _extent(prints, second, axes, east, north)
    best = found.argmax(axis=0)
    every = np.arange(len(pairs))
    return found[best, every], axes[best, every]


def settle(prints: Footprints, home: Array, straight: Array, leash: float) -> Footprints:
    """The footprints moved so that no two overlap, as long as their homes leave room for that.

    ``home`` (N, 2) and ``straight`` (N,) are the places and turns at which everything fits; only pieces in too
    tight a corner are brought back to them. Nothing comes further than ``leash`` from home along either axis.
    """
    placed = Footprints(_leashed(prints.centre, home, leash), prints.turn.copy(), prints.half, prints.round)
    pairs = near_pairs(Footprints(home, prints.turn, prints.half, prints.round), 3 * leash)
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
    before = Footprints(placed.centre.copy(), placed.turn.copy(), placed.half, placed.round)
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


def _axes(turn: Array) -> tuple[Array, Array]:
    angle = np.radians(turn)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([cosine, sine], axis=1), np.stack([-sine, cosine], axis=1)


def _extent(prints: Footprints, chosen: npt.NDArray[np.int64], axes: Array, east: Array, north: Array) -> Array:
    """Half the width of the chosen footprints along each of their pair's axes."""
    half = prints.half[chosen]
    wide = np.abs(np.einsum("kpi,pi->kp", axes, east[chosen])) * half[:, 0]
    deep = np.abs(np.einsum("kpi,pi->kp", axes, north[chosen])) * half[:, 1]
    return np.where(prints.round[chosen], half[:, 0], wide + deep)
