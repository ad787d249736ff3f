"""Sprawl positions as JSON, as a text diagram and as a drawing for a terminal.

    sprawl
    colours: red, blue
    variants: overload

    3 .    R321 .
    2 B2>  R2v  .
    1 .    R3B2 .
      A    B    C

A token is a tower, bottom first (``R321``; the letter stands again where the
colour changes), or a branch point with an arrow ``^ > v <``; ``.`` is an empty
square. The board's size is the number of tokens and lines. Without ``colours``
the colours are those of the pieces.
"""

from __future__ import annotations

from typing import Any

from engine.colours import COLOURS
from engine.diagram import DiagramText, extras_text, join_diagram, parse_extras, split_diagram
from engine.errors import InvalidState
from engine.fields import Field
from engine.sheet import Drawing, Glyph
from engine.sprawl.board import DIRECTIONS, MOST_IN_STACK, Branch, Cell, Piece, Square, Tower, column_name, parse_token
from engine.sprawl.state import (
    LEAST_SIDE,
    MOST_COUP,
    MOST_PLAYERS,
    MOST_SIDE,
    VARIANTS,
    State,
    colours_of,
)

NAME = "sprawl"
EMPTY_TOKEN = "."
HEADER_KEYS = ("colours", "variants", "extras")


# --- JSON -----------------------------------------------------------------------------------
def load(document: Field) -> State:
    """The state in a parsed JSON document."""
    columns = document.required("columns").integer(LEAST_SIDE, MOST_SIDE)
    rows = document.required("rows").integer(LEAST_SIDE, MOST_SIDE)
    cells = tuple(_load_cell(entry) for entry in document.required("cells").items(most=columns * rows))
    given = document.optional("colours")
    if given is None:
        colours = colours_of(cell for _, cell in cells)
    else:
        colours = tuple(entry.choice(COLOURS) for entry in given.items(most=MOST_PLAYERS))
    coup, names = _load_extras(document.optional("extras"))
    return State(columns, rows, colours, cells, _load_variants(document.optional("variants")), coup, names)


def _load_cell(entry: Field) -> tuple[Square, Cell]:
    at = entry.required("at")
    square = Square.parse(at.text())
    if square is None:
        raise at.wrong("must name a square such as \"C2\": a column's letter and a row's number.")
    return square, load_cell(entry)


def load_cell(entry: Field) -> Cell:
    """What stands or lies on a square, by its entry in the JSON object."""
    stack, lying, points = entry.optional("stack"), entry.optional("lying"), entry.optional("points")
    if (stack is None) == (lying is None):
        raise entry.wrong('needs either a "stack" or a "lying" piece.')
    if stack is not None:
        if points is not None:
            raise points.wrong('an upright stack points nowhere; remove "points" or give the piece as "lying".')
        return Tower(tuple(_load_piece(piece) for piece in stack.items(most=MOST_IN_STACK)))
    assert lying is not None
    return Branch(_load_piece(lying), entry.required("points").choice(DIRECTIONS))


def _load_piece(field: Field) -> Piece:
    piece = Piece.parse(field.text())
    if piece is None:
        raise field.wrong(f'must be a colour and a size such as "red3"; the colours are {", ".join(COLOURS)}.')
    return piece


def _load_variants(field: Field | None) -> tuple[str, ...]:
    return () if field is None else tuple(entry.choice(VARIANTS) for entry in field.items(most=len(VARIANTS)))


def _load_extras(field: Field | None) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]]:
    """Coup points and names. Extras of other games or later versions are passed over."""
    if field is None:
        return (), ()
    coup, names = field.optional("coup"), field.optional("names")
    return (
        () if coup is None else tuple((colour, points.integer(0, MOST_COUP)) for colour, points in coup.pairs()),
        () if names is None else tuple((colour, name.text()) for colour, name in names.pairs()),
    )


def dump(state: State) -> dict[str, Any]:
    """The JSON object of a state."""
    document: dict[str, Any] = {
        "game": NAME,
        "columns": state.columns,
        "rows": state.rows,
        "colours": list(state.colours),
        "cells": [_dump_cell(square, cell) for square, cell in state.cells],
    }
    if state.variants:
        document["variants"] = list(state.variants)
    if extras := dump_extras(state):
        document["extras"] = extras
    return document


def _dump_cell(square: Square, cell: Cell) -> dict[str, Any]:
    if isinstance(cell, Tower):
        return {"at": square.name, "stack": [piece.name for piece in cell.pieces]}
    return {"at": square.name, "lying": cell.piece.name, "points": cell.points}


def dump_extras(state: State) -> dict[str, Any]:
    """The state's extras as in JSON, empty where it has none."""
    extras = {"coup": dict(state.coup), "names": dict(state.names)}
    return {key: value for key, value in extras.items() if value}


# --- diagram --------------------------------------------------------------------------------
def diagram(state: State) -> str:
    """The text diagram of a state."""
    width = max([3, *(len(cell.token) for _, cell in state.cells)])
    label = len(str(state.rows))
    lines = []
    for row in range(state.rows - 1, -1, -1):
        tokens = (_token(state, Square(column, row)).ljust(width) for column in range(state.columns))
        lines.append(f"{row + 1:>{label}} {' '.join(tokens)}".rstrip())
    letters = (column_name(column).ljust(width) for column in range(state.columns))
    lines.append(f"{'':>{label}} {' '.join(letters)}".rstrip())
    header = {
        "colours": ", ".join(state.colours),
        "variants": ", ".join(state.variants),
        "extras": extras_text(dump_extras(state)),
    }
    return join_diagram(NAME, header, lines)


def _token(state: State, square: Square) -> str:
    return state.at[square].token if square in state.at else EMPTY_TOKEN


def parse_diagram(text: str) -> State:
    """The state in a text diagram."""
    parts = split_diagram(text, NAME, HEADER_KEYS)
    lines = [(number, line.split()) for number, line in parts.board]
    if lines and lines[-1][1] == [column_name(column) for column in range(len(lines[-1][1]))]:
        lines.pop()  # the letters under the columns
    if not lines:
        raise InvalidState("", 'a diagram needs its board: lines such as "2 . R3 ." from the top row down to row 1.')
    columns = len(lines[0][1]) - 1
    cells = tuple(cell for i, line in enumerate(lines) for cell in _parse_row(line, columns, len(lines) - i))
    header = _header_document(parts, columns, len(lines))
    try:
        return load(Field(header | {"cells": [_dump_cell(square, cell) for square, cell in cells]}))
    except InvalidState as error:
        raise InvalidState(_path_in_diagram(error.path, parts, cells), error.problem) from None


def _parse_row(line: tuple[int, list[str]], columns: int, row: int) -> list[tuple[Square, Cell]]:
    number, (label, *tokens) = line
    if label != str(row):
        raise InvalidState(
            f"line {number}", f'begins with "{label[:8]}"; this is row {row}, rows count from the bottom.'
        )
    if len(tokens) != columns:
        raise InvalidState(f"line {number}", f"has {len(tokens)} squares where the top row has {columns}.")
    cells = []
    for column, token in enumerate(tokens):
        cell = parse_token(token)
        if cell is None and token != EMPTY_TOKEN:
            raise InvalidState(
                f"line {number}", f'"{token[:12]}" is no square; write R321 for a tower, R2> for a branch, . for empty.'
            )
        if cell is not None:
            cells.append((Square(column, row - 1), cell))
    return cells


def _header_document(parts: DiagramText, columns: int, rows: int) -> dict[str, Any]:
    document: dict[str, Any] = {"columns": columns, "rows": rows}
    for key in ("colours", "variants"):
        value = parts.value(key)
        if value is not None:
            document[key] = [word for word in value.replace(",", " ").split() if word]
    if "extras" in parts.header:
        number, text = parts.header["extras"]
        document["extras"] = parse_extras(text, number)
    return document


def _path_in_diagram(path: str, parts: DiagramText, cells: tuple[tuple[Square, Cell], ...]) -> str:
    """Where the reader of a diagram finds the field that JSON calls ``path``."""
    key = path.split("[")[0].split(".")[0]
    if key in parts.header:
        return f"line {parts.header[key][0]}"
    if key == "cells":
        return cells[int(path[len("cells[") : path.index("]")])][0].name
    return path


# --- drawing --------------------------------------------------------------------------------
def drawing(state: State) -> Drawing:
    """The board for a terminal; a tower has the colour of the player who controls it."""
    rows = range(state.rows - 1, -1, -1)
    return Drawing(
        rows=tuple(tuple(_glyph(state, Square(column, row)) for column in range(state.columns)) for row in rows),
        row_labels=tuple(str(row + 1) for row in rows),
        column_labels=tuple(column_name(column) for column in range(state.columns)),
    )


def _glyph(state: State, square: Square) -> Glyph:
    cell = state.at.get(square)
    if cell is None:
        return Glyph(EMPTY_TOKEN)
    return Glyph(f" {cell.token} ", cell.controller if isinstance(cell, Tower) else cell.piece.colour)
