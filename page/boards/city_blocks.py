"""City Blocks on the page: 20 x 20 squares of four colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.city_blocks.board import COLOURS, COLUMNS, CORNERS, SIZE, square_name, square_number
from engine.city_blocks.state import EMPTY, UNKNOWN, CityBlocks
from engine.colours import COLOUR_OF, LETTER_OF
from engine.sheet import Item, Move
from page.boards.base import BoardKind, Brush, Cell, Heat, Mark, Option, Palette, Question, Section, Value, rings
from page.boards.paint import Layer, layer, unknown

# The 20 pieces of a colour cover 88 squares; the single makes 89.
SQUARES_OF_A_COLOUR: Final = 89
_ANY_COLOUR: Final = "unknown"


class CityBlocksBoard(BoardKind[CityBlocks]):
    """20 x 20 squares; A1 is the north-west corner."""

    name = "city-blocks"

    # --- drawing ----------------------------------------------------------------------------
    def size(self, state: CityBlocks) -> tuple[int, int]:
        return SIZE, SIZE

    def cells(self, state: CityBlocks) -> list[Cell]:
        return [self._cell(state, square) for square in range(SIZE * SIZE)]

    def _cell(self, state: CityBlocks, square: int) -> Cell:
        name = square_name(square)
        value = self.value(state, name)
        corner = None
        if square in CORNERS and value is None and (colour := state.corner_colours[CORNERS.index(square)]):
            corner = {"text": LETTER_OF[colour].lower(), "at": [50, 62]}
        return Cell(
            name, square % SIZE, square // SIZE, f"{name}: {self.words(value)}", self.layers(value), False, corner
        )

    def row_labels(self, state: CityBlocks) -> list[str]:
        return [str(row) for row in range(1, SIZE + 1)]

    def words(self, value: Value) -> str:
        if value is None:
            return "empty"
        return "unknown colour" if value["colour"] == _ANY_COLOUR else str(value["colour"])

    def layers(self, value: Value) -> list[Layer]:
        if value is None:
            return []
        return [unknown() if value["colour"] == _ANY_COLOUR else layer("block", value["colour"])]

    # --- editing ----------------------------------------------------------------------------
    def palette(self, state: CityBlocks) -> Palette:
        counts = Counter("".join(state.grid))
        options = [Option("empty", "empty", ".")]
        for colour in COLOURS:
            left = SQUARES_OF_A_COLOUR - counts[LETTER_OF[colour]]
            options.append(Option(colour, colour, LETTER_OF[colour], None, left))
        options.append(Option(_ANY_COLOUR, "unknown colour", UNKNOWN))
        brushes = {o.id: Brush(o.label, self.layers(None if o.id == "empty" else {"colour": o.id})) for o in options}
        over = [
            f"{counts[LETTER_OF[colour]]} squares are {colour}; its pieces cover {SQUARES_OF_A_COLOUR}."
            for colour in COLOURS
            if counts[LETTER_OF[colour]] > SQUARES_OF_A_COLOUR
        ]
        return Palette([Section("Square (the numbers count squares)", options, puts=True)], brushes, over=over)

    def paint(self, state: CityBlocks, at: str, brush: str) -> CityBlocks:
        return self.put(state, at, None if brush == "empty" else {"colour": brush})

    def value(self, state: CityBlocks, place: str) -> Value:
        symbol = state.symbol(square_number(place))
        if symbol == EMPTY:
            return None
        return {"colour": COLOUR_OF[symbol] if symbol != UNKNOWN else _ANY_COLOUR}

    def turned(self, state: CityBlocks) -> CityBlocks:
        return state.turned()

    # --- explaining -------------------------------------------------------------------------
    def marks(self, item: Item) -> list[Mark]:
        if item.kind == "area":
            return rings(item.details["squares"], "area", "", "largest area")
        return [Mark(at, "edge", "", f"free edge to the {side}", side) for at, side in item.details["edges"]]

    def legend(self, item: Item) -> str:
        return "Ringed: the largest area." if item.kind == "area" else "Thick red: the edges that face an empty square."

    def heat(self, moves: Sequence[Move]) -> dict[str, dict[str, Heat]]:
        counts: dict[str, Counter[str]] = {}
        for move in moves:
            colour = move.action["colour"]
            for name in (colour, f"{colour} {move.action['piece']}"):
                counts.setdefault(name, Counter()).update(move.action["squares"])
        return {name: _shares(count) for name, count in sorted(counts.items(), key=lambda pair: len(pair[0].split()))}

    def left(self, left: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [
            {
                "colour": colour,
                "squares": str(facts["squares"]),
                "pieces": " ".join(facts["pieces"]) or "none",
                "perhaps": " ".join(facts["maybe"]),
            }
            for colour, facts in left.items()
        ]

    def owners(self, state: CityBlocks) -> list[str]:
        return list(COLOURS)

    def questions(self, state: CityBlocks) -> list[Question]:
        text = "Did everybody pass in the last round? That ends the game even where pieces would still fit."
        return [Question("all_passed", text, {"No, or nobody knows": None, "Yes, all passed": True})]


def _shares(count: Counter[str]) -> dict[str, Heat]:
    most = max(count.values())
    return {at: Heat(n / most, "", f"in {n} placements") for at, n in count.items()}


assert len(COLUMNS) == SIZE
KIND: Final = CityBlocksBoard()
