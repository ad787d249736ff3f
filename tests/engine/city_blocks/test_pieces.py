"""The pieces are generated: their numbers, names and placements are checked against counting by hand."""

from __future__ import annotations

import itertools

import pytest

from engine.city_blocks.board import mask_of, names_in, square_name, square_number
from engine.city_blocks.pieces import free_polyominoes, pieces


@pytest.mark.parametrize(
    ("size", "free", "fixed"),
    [(1, 1, 1), (2, 1, 2), (3, 2, 6), (4, 5, 19), (5, 12, 63)],  # the well-known numbers of polyominoes
)
def test_numbers_of_polyominoes(size: int, free: int, fixed: int) -> None:
    assert len(free_polyominoes(size)) == free
    assert sum(len(piece.orientations) for piece in pieces().values() if piece.size == size) == fixed


def test_a_set_has_twenty_pieces_of_88_squares_and_a_single() -> None:
    assert len(pieces()) == 21
    assert sum(piece.size for piece in pieces().values()) == 89
    assert {name for name in pieces() if name.endswith("5")} == {f"{letter}5" for letter in "FILNPTUVWXYZ"}


@pytest.mark.parametrize(
    ("squares", "name"),
    [
        ("A1 B1 B2 C2", "Z4"),
        ("B1 C1 A2 B2", "Z4"),  # the other side up
        ("B1 A2 B2 C2 B3", "X5"),
        ("B1 C1 A2 B2 B3", "F5"),
        ("A1 A2 A3 A4 B2", "Y5"),
        ("A1 A2 A3 B3 B4", "N5"),
        ("A1 B1 B2 C2 C3", "W5"),
        ("A1 B1 B2 B3 C3", "Z5"),
        ("A1 C1 A2 B2 C2", "U5"),
        ("S20 T20 T19 S19 T18", "P5"),  # at the edge of the board
    ],
)
def test_shapes_have_their_usual_names(squares: str, name: str) -> None:
    mask = mask_of(square_number(square) for square in squares.split())
    assert [other for other, piece in pieces().items() if mask in set(piece.placements(mask))] == [name]


def test_placements_are_all_connected_sets_of_the_region() -> None:
    region = [row * 20 + column for row in range(4, 8) for column in range(16, 20)]
    found = [mask for piece in pieces().values() for mask in piece.placements(mask_of(region))]
    expected = {
        mask_of(chosen) for size in range(1, 6) for chosen in itertools.combinations(region, size) if connected(chosen)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_placements_covering_a_square_are_those_that_contain_it() -> None:
    free = mask_of(row * 20 + column for row in range(6) for column in range(6))
    for piece in pieces().values():
        for square in (0, 2 * 20 + 3):
            covering = set(piece.placements_covering(square, free))
            assert covering == {mask for mask in piece.placements(free) if mask >> square & 1}


def test_nothing_reaches_round_the_edge_of_the_board() -> None:
    edges = mask_of([19, 20, 39, 40])  # T1 and A2 are neighbours in number only
    assert {names_in(mask) for mask in pieces()["I2"].placements(edges)} == {("T1", "T2"), ("A2", "A3")}


def test_square_names_round_trip() -> None:
    assert [square_number(square_name(square)) for square in range(400)] == list(range(400))
    assert (square_name(0), square_name(19), square_name(399)) == ("A1", "T1", "T20")


def connected(squares: tuple[int, ...]) -> bool:
    reached, todo = {squares[0]}, [squares[0]]
    while todo:
        row, column = divmod(todo.pop(), 20)
        for other in squares:
            if other not in reached and abs(other // 20 - row) + abs(other % 20 - column) == 1:
                reached.add(other)
                todo.append(other)
    return len(reached) == len(squares)
