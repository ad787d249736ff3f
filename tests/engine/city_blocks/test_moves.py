"""Moves against a list made square by square, and the stock that they come from."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.city_blocks import GAME, CityBlocks
from engine.city_blocks.board import square_number
from engine.city_blocks.pieces import pieces

Draw = Callable[..., CityBlocks]


def moves_of(state: CityBlocks, colour: str) -> list[tuple[str, frozenset[str], bool]]:
    found = [move.to_json() for move in GAME.moves(state)]
    return [
        (one["piece"], frozenset(one["squares"]), one.get("certain", True)) for one in found if one["colour"] == colour
    ]


def nearly_full(*holes: str, **fields: object) -> CityBlocks:
    """A board of unknown pieces with some empty squares; every colour has begun."""
    rows = [["?"] * 20 for _ in range(20)]
    for (row, column), symbol in {(0, 0): "B", (0, 19): "G", (19, 19): "R", (19, 0): "Y"}.items():
        rows[row][column] = symbol
    for (row, column), symbol in {(9, 9): "B", (9, 10): "G", (10, 9): "Y", (10, 10): "R"}.items():
        rows[row][column] = symbol
    for name in holes:
        square = square_number(name)
        rows[square // 20][square % 20] = "."
    return CityBlocks(tuple("".join(row) for row in rows), **fields)  # type: ignore[arg-type]


def test_pieces_fit_into_the_holes_and_nowhere_else() -> None:
    found = moves_of(nearly_full("E5", "F5", "E6", "M12"), "blue")
    assert sorted((piece, sorted(squares)) for piece, squares, _ in found) == [
        ("I2", ["E5", "E6"]),
        ("I2", ["E5", "F5"]),
        ("V3", ["E5", "E6", "F5"]),
    ]


def test_every_move_of_random_games_is_a_piece_on_empty_squares(games: list[list[CityBlocks]]) -> None:
    rng = random.Random(1)
    for game in games[:4]:
        state = game[-1]
        found = [move.to_json() for move in GAME.moves(state)]
        keys = {(one["piece"], one["colour"], frozenset(one["squares"])) for one in found}
        assert len(keys) == len(found)
        for one in rng.sample(found, min(40, len(found))):
            squares = [square_number(name) for name in one["squares"]]
            assert all(state.symbol(square) == "." for square in squares)
            mask = sum(1 << square for square in squares)
            assert mask in set(pieces()[one["piece"]].placements(mask))


def test_the_next_position_of_a_random_game_is_among_the_moves(games: list[list[CityBlocks]]) -> None:
    for game in games[:6]:
        for number in (0, 3, len(game) // 2, len(game) - 2):
            before, after = game[number], game[number + 1]
            placed = {(r * 20 + c) for r in range(20) for c in range(20) if before.grid[r][c] != after.grid[r][c]}
            found = {
                frozenset(square_number(name) for name in move.to_json()["squares"]) for move in GAME.moves(before)
            }
            assert frozenset(placed) in found


def test_the_first_piece_covers_the_own_corner(draw: Draw) -> None:
    state = draw(corner_colours=("green", "blue", "red", "yellow"))
    found = moves_of(state, "blue")
    assert found
    assert all("T1" in squares and certain for _, squares, certain in found)
    assert not any(piece == "X5" for piece, _, _ in found)  # it can cover no corner


def test_an_unknown_corner_leaves_first_pieces_uncertain(draw: Draw) -> None:
    found = moves_of(draw("GG"), "blue")
    covered = {corner for corner in ("A1", "T1", "T20", "A20") for _, squares, _ in found if corner in squares}
    assert covered == {"T1", "T20", "A20"}  # green is in A1
    assert not any(certain for _, _, certain in found)


def test_a_colour_whose_corner_is_taken_never_begins(draw: Draw) -> None:
    state = draw("GG", corner_colours=("blue", "green", None, None))
    assert moves_of(state, "blue") == []


@pytest.mark.parametrize(
    ("rows", "sure", "doubtful", "gone"),
    [
        (["BB", "B."], ["I2", "I5"], [], ["V3"]),
        (["BBBBB"], ["V3", "T5"], ["I2", "I3", "I5"], []),  # I5, or I2 and I3
    ],
)
def test_only_what_is_left_may_be_played(
    draw: Draw, rows: list[str], sure: list[str], doubtful: list[str], gone: list[str]
) -> None:
    found = {(piece, certain) for piece, _, certain in moves_of(draw(*rows), "blue")}
    assert {(piece, True) for piece in sure} | {(piece, False) for piece in doubtful} <= found
    assert not {piece for piece, _ in found} & set(gone)


def test_later_pieces_need_not_touch_anything(draw: Draw) -> None:
    found = moves_of(draw("BB"), "blue")
    assert ("X5", frozenset(["M5", "L6", "M6", "N6", "M7"]), True) in found
    # All placements of all 19 pieces that are left, on 400 - 2 - 4 squares.
    free = replace(draw("BB")).empty_squares
    assert len(found) == sum(len(list(p.placements(free))) for n, p in pieces().items() if n not in ("I1", "I2"))
