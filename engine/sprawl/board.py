"""Squares, directions, pyramids, towers and branch points: small values with a text form each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from engine.colours import COLOUR_OF, COLOURS, LETTER_OF

SIZES: Final = (1, 2, 3)
DIRECTIONS: Final = ("north", "east", "south", "west")
STEP: Final = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE: Final = {"north": "south", "east": "west", "south": "north", "west": "east"}
ARROW_OF: Final = {"north": "^", "east": ">", "south": "v", "west": "<"}
DIRECTION_OF: Final = {arrow: direction for direction, arrow in ARROW_OF.items()}

# A stack that holds more than three pyramids breaks the rules, but may be read from a photo.
MOST_IN_STACK: Final = 5

_SQUARE = re.compile(r"([A-Z])([1-9][0-9]?)")
_PIECE = re.compile(r"([a-z]+)([1-3])")
_CELL = re.compile(r"(?:[A-Z][1-3]+)+")
_RUN = re.compile(r"([A-Z])([1-3]+)")


class Square(NamedTuple):
    """A square by its column from the left and its row from the bottom, both counted from 0."""

    column: int
    row: int

    @classmethod
    def parse(cls, name: str) -> Square | None:
        """The square called ``name`` (such as C2), or None where that is no name of a square."""
        match = _SQUARE.fullmatch(name)
        return cls(ord(match[1]) - ord("A"), int(match[2]) - 1) if match else None

    @property
    def name(self) -> str:
        return f"{column_name(self.column)}{self.row + 1}"

    def towards(self, direction: str, distance: int = 1) -> Square:
        right, up = STEP[direction]
        return Square(self.column + right * distance, self.row + up * distance)


def column_name(column: int) -> str:
    """The letter of a column."""
    return chr(ord("A") + column)


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """One pyramid. Its size is the number of its pips and its points."""

    colour: str
    size: int

    @classmethod
    def parse(cls, name: str) -> Piece | None:
        """The piece called ``name`` (such as red3), or None where there is no such piece."""
        match = _PIECE.fullmatch(name)
        return cls(match[1], int(match[2])) if match and match[1] in COLOURS else None

    @property
    def name(self) -> str:
        return f"{self.colour}{self.size}"


@dataclass(frozen=True)
class Tower:
    """An upright stack, bottom first. The piece on top says who controls it."""

    pieces: tuple[Piece, ...]

    @property
    def controller(self) -> str:
        return self.pieces[-1].colour

    @property
    def height(self) -> int:
        return len(self.pieces)

    @cached_property
    def sizes(self) -> frozenset[int]:
        return frozenset(piece.size for piece in self.pieces)

    @cached_property
    def colours(self) -> frozenset[str]:
        return frozenset(piece.colour for piece in self.pieces)

    @property
    def pips(self) -> int:
        return sum(piece.size for piece in self.pieces)

    def capped_with(self, piece: Piece) -> Tower:
        return Tower((*self.pieces, piece))

    @property
    def token(self) -> str:
        """The tower in a diagram: R321, or R3B2 where colours change."""
        text, colour = "", None
        for piece in self.pieces:
            text += (LETTER_OF[piece.colour] if piece.colour != colour else "") + str(piece.size)
            colour = piece.colour
        return text


@dataclass(frozen=True, slots=True)
class Branch:
    """A lying piece, the "branch point" of the rules, and where its tip points."""

    piece: Piece
    points: str

    @property
    def token(self) -> str:
        """The branch point in a diagram: R2> is a red 2 that points east."""
        return f"{LETTER_OF[self.piece.colour]}{self.piece.size}{ARROW_OF[self.points]}"


Cell = Tower | Branch


def parse_token(token: str) -> Cell | None:
    """The cell that a diagram's token stands for, or None where it stands for nothing."""
    points = DIRECTION_OF.get(token[-1:])
    stack = token[:-1] if points else token
    if not _CELL.fullmatch(stack):
        return None
    runs = _RUN.findall(stack)
    if any(letter not in COLOUR_OF for letter, _ in runs):
        return None
    pieces = tuple(Piece(COLOUR_OF[letter], int(size)) for letter, sizes in runs for size in sizes)
    if points is None:
        return Tower(pieces)
    return Branch(pieces[0], points) if len(pieces) == 1 else None
