"""City Blocks behind the interface that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from engine.city_blocks import checking, comparing, moves, notation, play, scoring
from engine.city_blocks.board import CENTRE_MASK, COLUMNS, SIZE, is_square_name, square_number
from engine.city_blocks.state import EMPTY, PLAYERS, UNKNOWN, CityBlocks, grid_of
from engine.colours import COLOUR_OF, LETTER_OF
from engine.errors import InvalidState, UsageError
from engine.fields import Field
from engine.game import Game, Options, Record, refuse_options
from engine.sheet import Comparison, Drawing, Glyph, Move, Score, Verdict


class CityBlocksGame(Game[CityBlocks]):
    """The rules of City Blocks; plain Blokus boards are accepted and scored the same way."""

    name: ClassVar = notation.NAME
    title: ClassVar = "City Blocks"
    rules: ClassVar = {
        "inventory": "Every colour's squares, its centre single aside, can be cut into different pieces of its set.",
        "corner-first": "A colour with any piece on the board covers its own corner square with one of them.",
        "centre": "The four centre squares hold four different singles; otherwise it is a plain Blokus board.",
        "moved": "Pieces stay where they were played.",
    }

    def load(self, document: Field) -> CityBlocks:
        return notation.load(document)

    def dump(self, state: CityBlocks) -> dict[str, Any]:
        return notation.dump(state)

    def parse_diagram(self, text: str) -> CityBlocks:
        return notation.parse_diagram(text)

    def diagram(self, state: CityBlocks) -> str:
        return notation.diagram(state)

    def empty(self) -> CityBlocks:
        """The four singles lie in the centre, nobody knows in which order."""
        return CityBlocks(grid_of({}, unknown=CENTRE_MASK))

    def with_options(self, state: CityBlocks, options: Options) -> CityBlocks:
        refuse_options(options, self, "edition", "variants", "board", "colours")
        if options.players is None:
            return state
        if options.players not in PLAYERS:
            raise UsageError(f"City Blocks is for 2, 3 or 4 players, not {options.players}.")
        return replace(state, players=options.players)

    def put(self, state: CityBlocks, place: str, value: Mapping[str, Any] | None) -> CityBlocks:
        """Any colour that is none, such as "unknown", is an occupied square of unknown colour."""
        if not is_square_name(place):
            raise InvalidState(place, "is not a square.")
        letter = EMPTY if value is None else LETTER_OF.get(value.get("colour", ""), UNKNOWN)
        row, column = divmod(square_number(place), SIZE)
        changed = state.grid[row][:column] + letter + state.grid[row][column + 1 :]
        return replace(state, grid=(*state.grid[:row], changed, *state.grid[row + 1 :]))

    def turns(self, state: CityBlocks) -> tuple[CityBlocks, ...]:
        found = [state]
        for _ in range(3):
            found.append(found[-1].turned())
        return tuple(found)

    def drawing(self, state: CityBlocks) -> Drawing:
        rows = tuple(tuple(_glyph(symbol) for symbol in row) for row in state.grid)
        return Drawing(rows, tuple(str(number) for number in range(1, SIZE + 1)), tuple(COLUMNS))

    def check(self, state: CityBlocks, record: Record[CityBlocks] | None = None) -> Verdict:
        return checking.check(state)

    def score(self, state: CityBlocks, record: Record[CityBlocks] | None = None) -> Score:
        return scoring.score(state)

    def totals(self, state: CityBlocks) -> Mapping[str, int]:
        return scoring.totals(state)

    def moves(self, state: CityBlocks) -> tuple[Move, ...]:
        return moves.moves(state)

    def compare(self, before: CityBlocks, after: CityBlocks) -> Comparison:
        return comparing.compare(before, after)

    def random_game(self, rng: random.Random) -> Iterator[CityBlocks]:
        return play.random_game(rng)


def _glyph(symbol: str) -> Glyph:
    if symbol == EMPTY:
        return Glyph(" ·")
    colour = COLOUR_OF.get(symbol)
    return Glyph(f" {symbol}", colour, colour)
