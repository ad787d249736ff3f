"""What lies on the table: the grid and what is known about players and corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.city_blocks.board import CENTRE, CENTRE_MASK, COLOURS, SIZE
from engine.colours import COLOUR_OF, LETTER_OF
from engine.errors import InvalidState
from engine.strict_json import printable

EMPTY: Final = "."
UNKNOWN: Final = "?"
LETTERS: Final = tuple(LETTER_OF[colour] for colour in COLOURS)
SYMBOLS: Final = "".join(LETTERS) + EMPTY + UNKNOWN
PLAYERS: Final = (2, 3, 4)

Pairs = tuple[tuple[str, str], tuple[str, str]]
CornerColours = tuple[str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class CityBlocks:
    """A position of City Blocks (or of plain Blokus, when the centre says so).

    ``grid`` has 20 rows of 20 letters from the north edge. ``corner_colours``
    go clockwise from the north-west; None where a corner's colour is unknown.
    """

    grid: tuple[str, ...]
    players: int = 4
    pairs: Pairs | None = None
    neutral: str | None = None
    corner_colours: CornerColours = (None, None, None, None)
    names: tuple[tuple[str, str], ...] = ()
    # Whether everybody passed in the last round, which ends the game and which no photo shows.
    all_passed: bool = False

    def __post_init__(self) -> None:
        _check_grid(self.grid)
        if self.players not in PLAYERS:
            raise InvalidState("players", f"must be 2, 3 or 4, not {printable(self.players)}.")
        if self.pairs is not None and sorted(colour for pair in self.pairs for colour in pair) != sorted(COLOURS):
            raise InvalidState("pairs", f"must hold each of {', '.join(COLOURS)} once, two and two.")
        if self.neutral is not None and self.neutral not in COLOURS:
            raise InvalidState("neutral", f"must be one of {', '.join(COLOURS)}.")
        known = [colour for colour in self.corner_colours if colour is not None]
        if len(self.corner_colours) != 4 or not set(known) <= set(COLOURS):
            raise InvalidState("corner_colours", f"must hold four entries, each {', '.join(COLOURS)} or null.")
        if len(set(known)) != len(known):
            raise InvalidState("corner_colours", "a colour has one corner; here one stands twice.")

    def squares(self, colour: str) -> int:
        """The squares that show the colour, its centre single included."""
        return self._showing(LETTER_OF[colour])

    @property
    def empty_squares(self) -> int:
        return self._showing(EMPTY)

    @property
    def unknown_squares(self) -> int:
        """The squares that are occupied by nobody knows which colour."""
        return self._showing(UNKNOWN)

    @property
    def is_plain_blokus(self) -> bool:
        """Whether the centre cannot hold four different singles, whatever its unknown squares are."""
        centre = [self.symbol(square) for square in CENTRE]
        known = [symbol for symbol in centre if symbol != UNKNOWN]
        return EMPTY in known or len(set(known)) != len(known)

    @property
    def may_be_plain_blokus(self) -> bool:
        """Whether the centre leaves it open, or shows, that this is a plain Blokus board."""
        return self.is_plain_blokus or any(self.symbol(square) == UNKNOWN for square in CENTRE)

    def played(self, colour: str, *, plain: bool) -> int:
        """The squares that the colour's played pieces cover: on a City Blocks board without the centre single."""
        return self.squares(colour) if plain else self.squares(colour) & ~CENTRE_MASK

    def symbol(self, square: int) -> str:
        return self.grid[square // SIZE][square % SIZE]

    def turned(self) -> CityBlocks:
        """The same board seen after a quarter turn clockwise."""
        grid = tuple("".join(column) for column in zip(*reversed(self.grid), strict=True))
        north_west, north_east, south_east, south_west = self.corner_colours
        return replace(self, grid=grid, corner_colours=(south_west, north_west, north_east, south_east))

    def _showing(self, symbol: str) -> int:
        # The last square is the highest bit, so the text is read backwards as a binary number.
        text = "".join(self.grid)[::-1]
        return int("".join("1" if letter == symbol else "0" for letter in text), 2)


def grid_of(squares: Mapping[str, int], unknown: int = 0) -> tuple[str, ...]:
    """The grid with each colour on its squares."""
    symbols = [EMPTY] * (SIZE * SIZE)
    for symbol, mask in [*((LETTER_OF[colour], mask) for colour, mask in squares.items()), (UNKNOWN, unknown)]:
        while mask:
            lowest = mask & -mask
            symbols[lowest.bit_length() - 1] = symbol
            mask ^= lowest
    text = "".join(symbols)
    return tuple(text[start : start + SIZE] for start in range(0, SIZE * SIZE, SIZE))


def colour_at(state: CityBlocks, square: int) -> str | None:
    """The colour on a square; None where it is empty or unknown."""
    return COLOUR_OF.get(state.symbol(square))


def _check_grid(grid: tuple[str, ...]) -> None:
    if len(grid) != SIZE:
        raise InvalidState("grid", f"must have {SIZE} rows, not {len(grid)}.")
    for number, row in enumerate(grid):
        if len(row) != SIZE:
            raise InvalidState(f"grid[{number}]", f"must have {SIZE} letters, not {len(row)}.")
        for column, symbol in enumerate(row):
            if symbol not in SYMBOLS:
                raise InvalidState(
                    f"grid[{number}]", f'letter {column + 1} is "{printable(symbol)}"; use B, G, R, Y, "." or "?".'
                )
