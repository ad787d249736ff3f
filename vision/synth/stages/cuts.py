"""Cutting the squares of one colour into pieces that could have been laid there.

A state knows squares only. Which pieces they are is looked for by exact cover with every piece at most once; where that
fails (an illegal board, or a search that takes too long) the squares are cut into any connected groups of at most five.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.city_blocks.board import neighbours, squares_in
from engine.city_blocks.cover import Answer, Placement, Problem, search
from engine.city_blocks.pieces import LARGEST_PIECE, SINGLE, pieces

# A cut is found within a few dozen steps on nearly every legal board; beyond that any cut will do.
MOST_NODES: Final = 400


def cut_into_pieces(mask: int, rng: np.random.Generator, *, with_single: bool) -> list[int]:
    """The squares as sets that make up the whole, each a polyomino of at most five squares."""
    if not mask:
        return []
    placements = [
        Placement(name, placement)
        for name, piece in pieces().items()
        if with_single or name != SINGLE
        for placement in piece.placements(mask)
    ]
    rng.shuffle(placements)
    found = search(Problem(mask, tuple(placements)), MOST_NODES, math.inf)
    if found.answer is Answer.YES:
        return [placement.mask for placement in found.chosen]
    return list(_any_cut(mask, rng))


def _any_cut(mask: int, rng: np.random.Generator) -> Iterator[int]:
    """Groups grown square by square, always where fewest squares are left around, so that few remain alone."""
    while mask:
        grown = 1 << _loneliest(mask, mask, rng)
        while grown.bit_count() < LARGEST_PIECE and (around := neighbours(grown) & mask):
            grown |= 1 << _loneliest(around, mask & ~grown, rng)
        mask &= ~grown
        yield grown


def _loneliest(candidates: int, left: int, rng: np.random.Generator) -> int:
    """One of the candidates with the fewest neighbours among the squares that are left."""
    counted = [((neighbours(1 << square) & left).bit_count(), square) for square in squares_in(candidates)]
    fewest = min(count for count, _ in counted)
    lonely = [square for count, square in counted if count == fewest]
    return lonely[int(rng.integers(len(lonely)))]
