"""What a person states over a photo: which part of the board is in play, and which colours are."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import UsageError
from engine.sprawl.board import Square
from engine.sprawl.state import State, colours_of


def with_colours(state: State, colours: tuple[str, ...]) -> State:
    """The state with these colours in play, also those without a piece on the board."""
    if not colours:
        return state
    missing = [colour for colour in colours_of(cell for _, cell in state.cells) if colour not in colours]
    if missing:
        raise UsageError(f"--colours leaves out {', '.join(missing)}, which lies on the board.")
    return replace(state, colours=colours)


def with_board(state: State, size: tuple[int, int] | None) -> State:
    """The part of the board in play, where exactly one place of that size holds all pieces; else the whole board."""
    if size is None:
        return state
    columns, rows = size
    if columns > state.columns or rows > state.rows:
        raise UsageError(
            f"--board {columns}x{rows} is larger than the board of {state.columns} x {state.rows} squares."
        )
    places = [
        (left, bottom)
        for left in range(state.columns - columns + 1)
        for bottom in range(state.rows - rows + 1)
        if all(0 <= s.column - left < columns and 0 <= s.row - bottom < rows for s, _ in state.cells)
    ]
    if len(places) != 1:
        return state
    left, bottom = places[0]
    cells = tuple((Square(s.column - left, s.row - bottom), cell) for s, cell in state.cells)
    return replace(state, columns=columns, rows=rows, cells=cells)
