"""Lots, tiles and neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.alien_city.board import BOARD, bits, ground, lot_set
from engine.alien_city.state import lots_of_tile, tile_name, turned_lot


def test_the_board_has_80_lots_on_20_tiles():
    assert (len(BOARD.lots), len(BOARD.tiles)) == (80, 20)
    assert (BOARD.lots[0], BOARD.lots[7], BOARD.lots[8], BOARD.lots[-1]) == ("A1", "H1", "A2", "H10")


@pytest.mark.parametrize(
    ("lot", "tile", "turned", "neighbours"),
    [
        ("A1", "A1", "H10", {"A2", "B1"}),  # a corner
        ("H10", "G9", "A1", {"G10", "H9"}),  # the opposite corner
        ("H5", "G5", "A6", {"H4", "H6", "G5"}),  # an edge: no step from column H to A
        ("D6", "C5", "E5", {"D5", "D7", "C6", "E6"}),  # inside
        ("A10", "A9", "H1", {"A9", "B10"}),  # two digits in the row
    ],
)
def test_lots(lot, tile, turned, neighbours):
    assert tile_name(lot) == tile
    assert turned_lot(lot) == turned
    assert set(BOARD.names(BOARD.neighbour_sets[BOARD.number[lot]])) == neighbours


def test_the_lots_of_a_tile_are_given_south_west_first_and_north_east_last():
    assert lots_of_tile("C9") == ("C9", "D9", "C10", "D10")


@given(lots=st.sets(st.integers(0, 23)))
def test_sets_of_lots(lots):
    assert set(bits(lot_set(lots))) == lots


@given(lots=st.sets(st.integers(0, 23)), size=st.sampled_from([(4, 6), (6, 4)]))
def test_bottlenecks_are_the_lots_whose_loss_splits_their_surroundings(lots, size, plain):
    board = ground(*size)

    def pieces(of):
        seen, number = set(), 0
        for lot in of:
            if lot in seen:
                continue
            number += 1
            front = [lot]
            while front:
                here = front.pop()
                if here in of and here not in seen:
                    seen.add(here)
                    column, row = here % size[0], here // size[0]
                    front += [c + r * size[0] for c, r in plain.beside((column, row), size)]
        return number

    # Without an isolated lot there is a piece less; only a split makes more.
    expected = {lot for lot in lots if pieces(lots - {lot}) > pieces(lots)}
    assert set(bits(board.bottlenecks(lot_set(lots)))) == expected
