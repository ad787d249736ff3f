"""Sprawl on the page: pyramids in stacks or lying, on boards of any size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.colours import COLOURS, LETTER_OF
from engine.errors import InvalidState
from engine.sheet import Item, Move
from engine.sprawl.board import ARROW_OF, DIRECTIONS, MOST_IN_STACK, SIZES, Piece, Square, Tower
from engine.sprawl.moves import PER_SIZE
from engine.sprawl.state import COUNTING_COUP, MOST_COUP, State
from page.boards.base import BoardKind, Brush, Cell, Heat, Mark, Option, Palette, Question, Section, Value, rings
from page.boards.paint import Layer, layer

EMPTY: Final = "empty"
UPRIGHT: Final = "upright"
_ARROWS: Final = {"north": "↑", "east": "→", "south": "↓", "west": "←"}
_SIZE_NAMES: Final = {1: "small 1", 2: "medium 2", 3: "large 3"}


class SprawlBoard(BoardKind[State]):
    """Columns x rows of squares; A1 is the south-west one."""

    name = "sprawl"

    # --- drawing ----------------------------------------------------------------------------
    def size(self, state: State) -> tuple[int, int]:
        return state.columns, state.rows

    def cells(self, state: State) -> list[Cell]:
        return [self._cell(state, square) for square in state.squares()]

    def _cell(self, state: State, square: Square) -> Cell:
        value = self.value(state, square.name)
        y = state.rows - 1 - square.row
        return Cell(square.name, square.column, y, f"{square.name}: {self.words(value)}", self.layers(value))

    def row_labels(self, state: State) -> list[str]:
        return [str(row) for row in range(state.rows, 0, -1)]

    def words(self, value: Value) -> str:
        if value is None:
            return "empty"
        if "lying" in value:
            return f"{value['lying']} lying, points {value['points']}"
        return f"tower {' '.join(value['stack'])} (bottom first)"

    def layers(self, value: Value) -> list[Layer]:
        if value is None:
            return []
        if "lying" in value:
            piece = _piece(value["lying"])
            text = f"{LETTER_OF[piece.colour]}{piece.size}{_ARROWS[value['points']]}"
            return [layer("lying", piece.colour, size=piece.size, points=value["points"]), _strip(text)]
        pieces = tuple(_piece(name) for name in value["stack"])
        return [*(layer("level", p.colour, size=p.size) for p in pieces), _strip(Tower(pieces).token)]

    # --- editing ----------------------------------------------------------------------------
    def palette(self, state: State) -> Palette:
        colours = [*state.colours, *(colour for colour in COLOURS if colour not in state.colours)]
        used = {(p.colour, p.size): n for p, n in state.placed.items()}
        sizes = [Option(str(size), _SIZE_NAMES[size], str(size)) for size in SIZES]
        ways = [
            Option(UPRIGHT, "upright (adds to a tower)", "u"),
            *(Option(way, f"lying {_ARROWS[way]} {way}", ARROW_OF[way]) for way in DIRECTIONS),
        ]
        in_play = [
            Option(c, c, LETTER_OF[c], [layer("block", c)], rare=bool(state.colours) and c not in state.colours)
            for c in colours
        ]
        sections = [
            Section("Size", sizes, puts=True),
            Section("Colour", in_play),
            Section("How it lies", ways),
            Section("Or", [Option(EMPTY, "empty the square", ".", brush=True)]),
        ]
        brushes = {EMPTY: Brush("empty the square")}
        for size in SIZES:
            for colour in colours:
                for way in (UPRIGHT, *DIRECTIONS):
                    brushes[f"{size}|{colour}|{way}"] = self._brush(Piece(colour, size), way)
        over = [
            f"{n} {c}{size} are on the board; a set has {PER_SIZE}."
            for (c, size), n in sorted(used.items())
            if n > PER_SIZE
        ]
        return Palette(sections, brushes, combine=True, over=over)

    def _brush(self, piece: Piece, way: str) -> Brush:
        if way == UPRIGHT:
            return Brush(f"{piece.name} upright", [layer("level", piece.colour, size=piece.size)], over=True)
        return Brush(f"{piece.name} pointing {way}", self.layers({"lying": piece.name, "points": way}))

    def paint(self, state: State, at: str, brush: str) -> State:
        if brush == EMPTY:
            return self.put(state, at, None)
        size, colour, way = brush.split("|")
        name = f"{colour}{size}"
        if way != UPRIGHT:
            return self.put(state, at, {"lying": name, "points": way})
        there = self.value(state, at) or {}
        stack = [*there.get("stack", ()), name]
        if len(stack) > MOST_IN_STACK:
            raise InvalidState(
                at, f"a tower of more than {MOST_IN_STACK} pieces does not stand; empty the square first."
            )
        return self.put(state, at, {"stack": stack})

    def value(self, state: State, place: str) -> Value:
        square = Square.parse(place)
        cell = state.at.get(square) if square else None
        if cell is None:
            return None
        if isinstance(cell, Tower):
            return {"stack": [piece.name for piece in cell.pieces]}
        return {"lying": cell.piece.name, "points": cell.points}

    def turned(self, state: State) -> State:
        return state.turned()

    # --- explaining -------------------------------------------------------------------------
    def marks(self, item: Item) -> list[Mark]:
        facts = item.details
        live = rings(dict.fromkeys(entry["at"] for entry in facts["live"]), "own", "", "counts as live")
        back = rings(dict.fromkeys(entry["at"] for entry in facts["returned"]), "lost", "↩", "goes back")
        by = dict.fromkeys(at for entry in facts["returned"] for at in entry["neutralised_by"])
        return [*live, *back, *rings(by, "attacker", "A", "neutralises")]

    def legend(self, item: Item) -> str:
        return "Ringed: live pieces. ↩: pieces that go back to the stash. A: what neutralised them."

    def heat(self, moves: Sequence[Move]) -> dict[str, dict[str, Heat]]:
        found: dict[str, dict[str, Heat]] = {}
        for move in moves:
            action = move.action
            kind = str(action["action"])
            texts = found.setdefault(f"{action['piece']} {kind}", {})
            arrow = _ARROWS.get(str(action.get("points")), "")
            earlier = texts[action["at"]].text if action["at"] in texts else ""
            text = earlier + arrow if arrow not in earlier or not arrow else earlier
            texts[action["at"]] = Heat(1.0, text or "✓", f"{kind} {action['piece']} {text}".strip())
        return dict(sorted(found.items()))

    def left(self, left: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [
            {"colour": colour, **{_SIZE_NAMES[size]: str(sizes[str(size)]) for size in SIZES}}
            for colour, sizes in left.items()
        ]

    def owners(self, state: State) -> list[str]:
        return list(state.colours)

    def questions(self, state: State) -> list[Question]:
        if COUNTING_COUP not in state.variants:
            return []
        numbers = {str(points): points for points in range(MOST_COUP + 1)}
        text = "Counting Coup: points that the cards of {colour} subtract (ace to 10 one each, jack, queen, king two)."
        return [Question(f"coup.{c}", text.format(colour=c), numbers) for c in state.colours]


def _piece(name: str) -> Piece:
    piece = Piece.parse(name)
    if piece is None:
        raise InvalidState(name, "is not a piece.")
    return piece


def _strip(text: str) -> Layer:
    return {"shape": "strip", "text": text}


KIND: Final = SprawlBoard()
