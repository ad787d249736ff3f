"""The pieces: every free polyomino of one to five squares, generated, with the names that players use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.city_blocks.board import SIZE, squares_in

Cells = frozenset[tuple[int, int]]

SINGLE: Final = "I1"
LARGEST_PIECE: Final = 5

# One drawing a letter; the generator finds the shapes, the drawings only say which letter is which.
_LETTERS: Final = {
    "I1": "#",
    "I2": "##",
    "I3": "###",
    "V3": "##/#.",
    "I4": "####",
    "L4": "###/#..",
    "O4": "##/##",
    "T4": "###/.#.",
    "Z4": "##./.##",
    "F5": ".##/##./.#.",
    "I5": "#####",
    "L5": "####/#...",
    "N5": "###./..##",
    "P5": "###/##.",
    "T5": "###/.#./.#.",
    "U5": "#.#/###",
    "V5": "###/#../#..",
    "W5": "##./.##/..#",
    "X5": ".#./###/.#.",
    "Y5": "####/.#..",
    "Z5": "##./.#./.##",
}


@dataclass(frozen=True, slots=True)
class Orientation:
    """A piece as it lies: its squares as offsets from its north-west corner, and where that corner may be."""

    offsets: tuple[int, ...]
    shape: int
    room: int

    def places(self, free: int) -> int:
        """The north-west corners of all places where every square of the piece is in ``free``."""
        found = self.room
        for offset in self.offsets:
            found &= free >> offset
        return found


@dataclass(frozen=True, slots=True)
class Piece:
    """A free polyomino: all its turns and both its sides are the same piece."""

    name: str
    size: int
    orientations: tuple[Orientation, ...]

    def placements(self, free: int) -> Iterator[int]:
        """Every set of squares in ``free`` that the piece can cover."""
        for orientation in self.orientations:
            for corner in squares_in(orientation.places(free)):
                yield orientation.shape << corner

    def placements_covering(self, square: int, free: int) -> Iterator[int]:
        """Those placements in ``free`` that cover one given square."""
        for placement in self.placements(free & _near(square)):
            if placement >> square & 1:
                yield placement

    def fits(self, free: int) -> bool:
        """Whether the piece fits anywhere in ``free``."""
        return any(orientation.places(free) for orientation in self.orientations)


def free_polyominoes(size: int) -> set[Cells]:
    """Every polyomino of that many squares, one for all its turns and mirror images."""
    shapes: set[Cells] = {frozenset({(0, 0)})}
    for _ in range(size - 1):
        shapes = {
            _canonical(shape | {cell})
            for shape in shapes
            for row, column in shape
            for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if cell not in shape
        }
    return shapes


@cache
def pieces() -> dict[str, Piece]:
    """All 21 pieces of a colour by name, small ones first; City Blocks plays the single in the centre."""
    letters = {_canonical(_parse(drawing)): name for name, drawing in _LETTERS.items()}
    shapes = [shape for size in range(1, LARGEST_PIECE + 1) for shape in free_polyominoes(size)]
    named = {letters[shape]: shape for shape in shapes}
    return {name: _piece(name, named[name]) for name in _LETTERS}


def orientations_of(cells: Cells) -> list[Cells]:
    """The different ways in which a shape can lie, each moved to the north-west corner."""
    found: set[Cells] = set()
    for _ in range(4):
        cells = frozenset((column, -row) for row, column in cells)
        found |= {_at_origin(cells), _at_origin(frozenset((row, -column) for row, column in cells))}
    return sorted(found, key=sorted)


@cache
def _near(square: int) -> int:
    """The squares that a piece over the given square can reach."""
    reach = range(1 - LARGEST_PIECE, LARGEST_PIECE)
    row, column = divmod(square, SIZE)
    cells = ((row + down, column + right) for down in reach for right in reach)
    return sum(1 << (r * SIZE + c) for r, c in cells if 0 <= r < SIZE and 0 <= c < SIZE)


def _piece(name: str, cells: Cells) -> Piece:
    return Piece(name, len(cells), tuple(_orientation(turned) for turned in orientations_of(cells)))


def _orientation(cells: Cells) -> Orientation:
    offsets = tuple(sorted(row * SIZE + column for row, column in cells))
    height = max(row for row, _ in cells) + 1
    width = max(column for _, column in cells) + 1
    corners = ((row, column) for row in range(SIZE - height + 1) for column in range(SIZE - width + 1))
    room = sum(1 << (row * SIZE + column) for row, column in corners)
    return Orientation(offsets, sum(1 << offset for offset in offsets), room)


def _canonical(cells: Cells) -> Cells:
    return orientations_of(cells)[0]


def _at_origin(cells: Cells) -> Cells:
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return frozenset((row - top, column - left) for row, column in cells)


def _parse(drawing: str) -> Cells:
    rows = drawing.split("/")
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")
