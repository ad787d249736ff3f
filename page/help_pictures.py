"""Drawn examples: a corner of a board with marks on it, in the same signs as the page's own board."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

from page.boards import board_kind
from page.boards.base import Cell, Mark
from page.drawing import WHITE, Canvas, board_canvas, draw_layers

CELL_PIXELS: Final = 84
SMALL_CELL_PIXELS: Final = 52
# Left, top, right and bottom of the part that is shown, in cells from the north-west corner.
Window = tuple[int, int, int, int]

_BLUE: Final = "#0b57d0"
_RED: Final = "#d50000"
_COLOURS: Final = {
    "customer": "#6a1b9a",
    "competitor": _RED,
    "lost": _RED,
    "problem": _RED,
    "attacker": "#bf4400",
    "may": "#00695c",
}
_SIDES: Final = {
    "north": ((0.02, 0.02), (0.98, 0.02)),
    "east": ((0.98, 0.02), (0.98, 0.98)),
    "south": ((0.02, 0.98), (0.98, 0.98)),
    "west": ((0.02, 0.02), (0.02, 0.98)),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A drawn example with its explanation; ``alt`` says in words what the picture shows."""

    title: str
    text: str
    picture: bytes
    alt: str


def example(
    game: str, title: str, text: str, state: Any, marks: Sequence[Mark] = (), window: Window | None = None
) -> Example:
    """An example of a game's position, or of a part of it, with marks on it."""
    kind = board_kind(game)
    columns, rows = kind.size(state)
    shown = window or (0, 0, columns, rows)
    cells = {cell.at: cell for cell in kind.cells(state)}
    pixels = SMALL_CELL_PIXELS if columns > 10 else CELL_PIXELS
    canvas = board_canvas(kind, state, columns * pixels)
    for mark in marks:
        _draw_mark(canvas, cells[mark.at], mark)
    buffer = io.BytesIO()
    _cut(canvas, shown, (columns, rows)).save(buffer, "PNG")
    return Example(title, text, buffer.getvalue(), _in_words(cells.values(), marks, shown))


def _cut(canvas: Canvas, window: Window, cells: tuple[int, int]) -> Image.Image:
    """The picture of one part of a board; labels stay where the part reaches the board's own edge."""
    image = canvas.finished()
    left, top = canvas.placement.at(window[0], window[1])
    right, bottom = canvas.placement.at(window[2], window[3])
    rim = 4
    box = (
        0 if window[0] == 0 else round(left) - rim,
        0 if window[1] == 0 else round(top) - rim,
        image.width if window[2] == cells[0] else round(right) + rim,
        image.height if window[3] == cells[1] else round(bottom) + rim,
    )
    return image.crop(box)


def _draw_mark(canvas: Canvas, cell: Cell, mark: Mark) -> None:
    x, y = cell.x, cell.y
    colour = _COLOURS.get(mark.role, _BLUE)
    if mark.role == "edge":
        side = [(x + dx, y + dy) for dx, dy in _SIDES[mark.side]]
        canvas.line(side, _RED, 0.1, WHITE)
    elif mark.role == "road":
        canvas.circle((x + 0.5, y + 0.5), 0.27, WHITE, _BLUE, 0.06)
        canvas.text((x + 0.5, y + 0.5), mark.text, 0.34, _BLUE)
    elif mark.role == "may":
        canvas.circle((x + 0.5, y + 0.5), 0.36, "#e0f2f1", colour, 0.05)
        canvas.text((x + 0.5, y + 0.5), mark.text, 0.34 if len(mark.text) < 3 else 0.26, colour)
    else:
        ring = [(x + 0.05, y + 0.05), (x + 0.95, y + 0.05), (x + 0.95, y + 0.95), (x + 0.05, y + 0.95)]
        canvas.polygon(ring, None, WHITE, 0.15)
        canvas.polygon(ring, None, colour, 0.09)
        draw_layers(canvas, cell, ("cap",))  # caps reach to the edge of their lot
        if mark.text:
            canvas.badge((x + 0.2, y + 0.2), mark.text, colour, WHITE, 0.27)


def _in_words(cells: Iterable[Cell], marks: Sequence[Mark], window: Window) -> str:
    left, top, right, bottom = window
    shown = [cell for cell in cells if left <= cell.x < right and top <= cell.y < bottom]
    pieces = [cell.label for cell in shown if cell.layers]
    names = {cell.at for cell in shown}
    signs = [f"{mark.at} is marked: {mark.words}" for mark in marks if mark.at in names and mark.words]
    return "; ".join([*pieces, *dict.fromkeys(signs)]) + "."
