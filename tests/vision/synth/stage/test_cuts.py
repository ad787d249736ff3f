"""Cutting a colour's squares into pieces."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.city_blocks.board import COLOURS, SIZE, neighbours
from engine.city_blocks.pieces import pieces
from engine.game import game
from vision.synth.stages.cuts import cut_into_pieces


def _mask(rows: list[str]) -> int:
    return sum(1 << (r * SIZE + c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")


def _is_connected(mask: int) -> bool:
    grown = mask & -mask
    while more := neighbours(grown) & mask:
        grown |= more
    return grown == mask


def _name(mask: int) -> str:
    """The piece that these squares are."""
    return next(name for name, piece in pieces().items() if mask in piece.placements(mask))


# squares, whether singles are allowed, names of the only possible pieces (None: several cuts)
CUTS: list[tuple[list[str], bool, list[str] | None]] = [
    ([], False, []),
    (["#####"], False, None),  # I5, or I2 + I3
    (["##", ".", "..#", "..#", "..##"], False, ["I2", "L4"]),  # apart from each other
    (["#"], True, ["I1"]),
    ([".#", "###", ".#"], False, ["X5"]),
]


@pytest.mark.parametrize(("rows", "single", "names"), CUTS)
def test_small_boards(rows: list[str], single: bool, names: list[str] | None) -> None:
    mask = _mask(rows)
    cut = cut_into_pieces(mask, np.random.default_rng(0), with_single=single)
    assert sum(cut) == mask
    if names is not None:
        assert sorted(_name(part) for part in cut) == names


@settings(deadline=None)
@given(st.integers(0, (1 << 64) - 1), st.integers(0, 1000))
def test_any_squares_are_cut_into_connected_pieces_of_at_most_five(bits: int, seed: int) -> None:
    mask = sum(1 << (n // 8 * SIZE + n % 8) for n in range(64) if bits >> n & 1)
    cut = cut_into_pieces(mask, np.random.default_rng(seed), with_single=True)
    together = 0
    for part in cut:
        assert part & together == 0
        assert 1 <= part.bit_count() <= 5
        assert _is_connected(part)
        together |= part
    assert together == mask


def test_legal_boards_are_cut_into_different_pieces() -> None:
    found = wanted = 0
    for seed in range(3):
        state = list(game("city-blocks").random_game(random.Random(seed)))[-1]
        for colour in COLOURS:
            cut = cut_into_pieces(state.played(colour, plain=False), np.random.default_rng(seed), with_single=False)
            names = [_name(part) for part in cut]
            wanted += 1
            found += len(set(names)) == len(names) and "I1" not in names
    # The search has a limit, so a rare board may get a cut with a piece twice.
    assert found >= wanted - 1


def test_the_same_die_cuts_the_same_way() -> None:
    mask = _mask(["########", "########", "########"])
    first, second = (cut_into_pieces(mask, np.random.default_rng(4), with_single=False) for _ in range(2))
    assert first == second
