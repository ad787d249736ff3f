"""The part of a board that is in play, and the colours that are."""

from __future__ import annotations

import pytest

from engine.errors import UsageError
from engine.game import Options
from engine.sprawl import GAME

PART = """sprawl

5 .   .   .   .   .
4 .   R1  .   B2> .
3 .   .   .   .   .
2 .   B3  .   .   .
1 .   .   .   .   .
"""


@pytest.mark.parametrize(
    ("size", "squares"),
    [
        ((3, 3), {"A3", "C3", "A1"}),  # one place holds all three pieces
        ((5, 5), {"B4", "D4", "B2"}),  # the whole board
        ((4, 3), {"B4", "D4", "B2"}),  # two places: the board stays
        ((2, 2), {"B4", "D4", "B2"}),  # none: the board stays
    ],
)
def test_the_board_is_cropped_where_exactly_one_place_fits(size: tuple[int, int], squares: set[str]) -> None:
    state = GAME.with_options(GAME.parse_diagram(PART), Options(board=size))
    assert {square.name for square in state.at} == squares
    assert (state.columns, state.rows) == ((3, 3) if size == (3, 3) else (5, 5))


def test_a_larger_board_than_there_is_is_refused() -> None:
    with pytest.raises(UsageError, match="larger than the board of 5 x 5"):
        GAME.with_options(GAME.parse_diagram(PART), Options(board=(6, 5)))


def test_colours_without_a_piece_take_part() -> None:
    state = GAME.with_options(GAME.parse_diagram(PART), Options(colours=("green", "blue", "red"), players=3))
    assert state.colours == ("green", "blue", "red")
    assert GAME.score(state).totals["green"] == 30


def test_colours_on_the_board_cannot_be_left_out() -> None:
    with pytest.raises(UsageError, match="leaves out blue"):
        GAME.with_options(GAME.parse_diagram(PART), Options(colours=("red", "green")))
