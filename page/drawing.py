"""Boards as pixels: the pieces, and marks over them, on a flat drawing or lying in a photo.

Positions are in cells from the board's north-west corner: the first cell reaches from (0, 0) to (1, 1). A placement
says where such a point is in the picture, so the same code draws a board from above and one in perspective.
Everything is drawn at twice the size and reduced at the end, because Pillow draws hard edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from page.boards.base import BoardKind, Cell
from page.boards.paint import Layer
from page.share_fonts import drawable, font

Array = npt.NDArray[np.float64]
Point = tuple[float, float]

OVERSAMPLING: Final = 2
INK: Final = "#2b2a28"
FIELD: Final = "#f6f1e4"
LINES: Final = "#b9ae97"
LABELS: Final = "#6c6557"
WHITE: Final = "#ffffff"
# Room around a flat board for its labels, in cells of a board of ten.
_LABEL_ROOM: Final = 0.055
_HALF_WIDTH: Final = {1: 0.20, 2: 0.32, 3: 0.44}
_QUARTERS: Final = {"north": 0, "east": 1, "south": 2, "west": 3}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where points (x, y, height; all in cells) are in the picture, in pixels of its final size."""

    project: Callable[[Array], Array]

    def at(self, x: float, y: float, height: float = 0.0) -> Point:
        point = self.project(np.array([[x, y, height]]))[0]
        return float(point[0]), float(point[1])

    def cell_size(self, x: float, y: float) -> float:
        """How many pixels a cell has there."""
        corners = self.project(np.array([[x - 0.5, y, 0], [x + 0.5, y, 0], [x, y - 0.5, 0], [x, y + 0.5, 0.0]]))
        across, down = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[2])
        return float(np.sqrt(across * down))


def flat(left: float, top: float, cell: float) -> Placement:
    """A board from straight above with its north-west corner there; heights do not show."""
    return Placement(lambda points: points[:, :2] * cell + np.array([left, top]))


class Canvas:
    """A picture to draw on, in the coordinates of one board. ``finished`` gives the picture."""

    def __init__(self, ground: Image.Image, placement: Placement) -> None:
        self.placement = placement
        self._size = ground.size
        large = (ground.width * OVERSAMPLING, ground.height * OVERSAMPLING)
        self._image = ground.convert("RGB").resize(large, Image.Resampling.BICUBIC)
        # In this mode colours with transparency are blended with what is there.
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def finished(self) -> Image.Image:
        return self._image.resize(self._size, Image.Resampling.BOX)

    # --- shapes in cells ----------------------------------------------------------------------
    def polygon(
        self,
        points: Sequence[Point],
        fill: str | None,
        outline: str | None = None,
        width: float = 0.03,
        height: float = 0.0,
    ) -> None:
        """A filled shape; ``width`` is that of its outline in cells."""
        pixels = self._pixels(points, height)
        if fill:
            self._draw.polygon(pixels, fill=fill)
        if outline:
            self._stroke([*pixels, pixels[0]], outline, self._width(points, width))

    def circle(self, centre: Point, radius: float, fill: str | None, outline: str | None = None, width: float = 0.03,
               height: float = 0.0) -> None:  # fmt: skip
        turns = [2 * math.pi * step / 40 for step in range(40)]
        points = [(centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in turns]
        self.polygon(points, fill, outline, width, height)

    def line(self, points: Sequence[Point], colour: str, width: float, casing: str | None = None,
             height: float = 0.0) -> None:  # fmt: skip
        """A line through points, with a rim in another colour so that it shows on any ground."""
        pixels = self._pixels(points, height)
        thick = self._width(points, width)
        if casing:
            self._stroke(pixels, casing, thick + 2 * max(1.5 * OVERSAMPLING, thick * 0.35))
        self._stroke(pixels, colour, thick)

    def spatial_line(self, points: Sequence[tuple[float, float, float]], colour: str, width: float) -> None:
        """A line through points of different heights."""
        pixels = [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in self.placement.project(np.array(points, float))]
        self._stroke(pixels, colour, self._width([(x, y) for x, y, _ in points], width))

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        ink: str,
        bold: bool = True,
        height: float = 0.0,
        anchor: str = "mm",
        casing: str | None = None,
    ) -> None:
        """Upright text; ``size`` is in cells where the text stands."""
        x, y = self.placement.at(*at, height)
        pixels = size * self.placement.cell_size(*at)
        self._draw.text(
            (x * OVERSAMPLING, y * OVERSAMPLING),
            drawable(text),
            fill=ink,
            font=font(round(pixels * OVERSAMPLING), bold),
            anchor=anchor,
            stroke_width=round(0.09 * pixels * OVERSAMPLING) if casing else 0,
            stroke_fill=casing,
        )

    def badge(self, at: Point, text: str, fill: str, ink: str, size: float = 0.34, height: float = 0.0,
              least: float = 0.0) -> None:  # fmt: skip
        """A short text on a round label, at least ``least`` pixels high, standing upright over a point."""
        x, y = (value * OVERSAMPLING for value in self.placement.at(*at, height))
        pixels = round(OVERSAMPLING * max(least, size * self.placement.cell_size(*at)))
        chosen = font(pixels, True)
        text = drawable(text)
        half_height = 0.68 * pixels
        half_width = max(half_height, chosen.getlength(text) / 2 + 0.34 * pixels)
        box = (x - half_width, y - half_height, x + half_width, y + half_height)
        rim = max(2, round(0.09 * pixels))
        self._draw.rounded_rectangle(box, half_height, fill=fill, outline=ink, width=rim)
        self._draw.text((x, y), text, fill=ink, font=chosen, anchor="mm")

    # --- pixels -------------------------------------------------------------------------------
    def _pixels(self, points: Sequence[Point], height: float = 0.0) -> list[Point]:
        spatial = np.array([(x, y, height) for x, y in points], dtype=np.float64)
        return [(float(x), float(y)) for x, y in self.placement.project(spatial) * OVERSAMPLING]

    def _width(self, points: Sequence[Point], cells: float) -> float:
        x = sum(point[0] for point in points) / len(points)
        y = sum(point[1] for point in points) / len(points)
        return max(1.0, cells * self.placement.cell_size(x, y) * OVERSAMPLING)

    def _stroke(self, pixels: Sequence[Point], colour: str, width: float) -> None:
        thick = max(1, round(width))
        self._draw.line(pixels, fill=colour, width=thick, joint="curve")
        radius = thick / 2
        for x, y in (pixels[0], pixels[-1]):  # round ends
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


# --- a drawn board ------------------------------------------------------------------------------
def board_size(kind: BoardKind[Any], state: Any, width: int) -> tuple[int, int, float, Point]:
    """Size of a drawn board with labels, ``width`` pixels wide; the size of its cells and where the first one is."""
    columns, rows = kind.size(state)
    room = max(16.0, _LABEL_ROOM * width)
    cell = (width - room - 6) / columns
    return width, round(rows * cell + room + 6), cell, (room, 6.0)


def board_canvas(kind: BoardKind[Any], state: Any, width: int, ground: str = WHITE) -> Canvas:
    """A canvas with the board and its pieces drawn on it."""
    wide, high, cell, (left, top) = board_size(kind, state, width)
    canvas = Canvas(Image.new("RGB", (wide, high), ground), flat(left, top, cell))
    draw_ground(canvas, kind, state)
    draw_labels(canvas, kind, state)
    for entry in kind.cells(state):
        draw_cell(canvas, entry)
    return canvas


def board_picture(kind: BoardKind[Any], state: Any, width: int) -> Image.Image:
    """The board with its pieces, from straight above."""
    return board_canvas(kind, state, width).finished()


def draw_ground(canvas: Canvas, kind: BoardKind[Any], state: Any) -> None:
    columns, rows = kind.size(state)
    canvas.polygon(_box(0, 0, columns, rows), FIELD)
    for block in kind.blocks(state):
        canvas.polygon(_box(block.x, block.y, block.width, block.height), block.fill)
    for x in range(columns + 1):
        canvas.line([(x, 0), (x, rows)], LINES, 0.015)
    for y in range(rows + 1):
        canvas.line([(0, y), (columns, y)], LINES, 0.015)
    for block in kind.blocks(state):
        canvas.polygon(_box(block.x, block.y, block.width, block.height), None, "#8d8269", 0.035)
    canvas.polygon(_box(0, 0, columns, rows), None, "#8d8269", 0.045)


def draw_labels(canvas: Canvas, kind: BoardKind[Any], state: Any) -> None:
    columns, rows = kind.size(state)
    # Labels have the same size on every board, whatever the size of its cells.
    size = 0.3 * max(columns, rows) / 10
    for x, text in enumerate(kind.column_labels(state)):
        canvas.text((x + 0.5, rows + 0.85 * size), text, size, LABELS, bold=False)
    for y, text in enumerate(kind.row_labels(state)):
        canvas.text((-0.35 * size, y + 0.5), text, size, LABELS, bold=False, anchor="rm")


def draw_cell(canvas: Canvas, cell: Cell) -> None:
    """A cell's pieces, its icon and the small text in its corner."""
    draw_layers(canvas, cell)
    if cell.icon:
        draw_star(canvas, (cell.x + 0.5, cell.y + 0.5), 0.2)
    if cell.corner and cell.corner["text"] != "?":  # nothing known is nothing to tell
        across, down = cell.corner["at"]
        # The page gives a baseline; here texts hang on their middle.
        canvas.text((cell.x + across / 100, cell.y + down / 100 - 0.06), cell.corner["text"], 0.24, LABELS)


def draw_layers(canvas: Canvas, cell: Cell, shapes: Container[str] | None = None) -> None:
    """A cell's pieces, or only those of certain shapes."""
    for layer in cell.layers:
        if shapes is None or layer["shape"] in shapes:
            _SHAPES[layer["shape"]](canvas, cell.x, cell.y, layer)


def draw_star(canvas: Canvas, centre: Point, radius: float) -> None:
    """The mark of a tile's icon lot."""
    turns = [math.pi * (step / 5 - 0.5) for step in range(10)]
    points = [
        (centre[0] + radius * (1, 0.45)[n % 2] * math.cos(turn), centre[1] + radius * (1, 0.45)[n % 2] * math.sin(turn))
        for n, turn in enumerate(turns)
    ]
    canvas.polygon(points, "#8d8269")


# --- pieces, in the proportions of the page's own symbols -----------------------------------------
def _tower(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    canvas.polygon([(x + 0.5, y + 0.06), (x + 0.94, y + 0.92), (x + 0.06, y + 0.92)], layer["fill"], INK)
    canvas.text((x + 0.5, y + 0.67), layer["text"], 0.44, layer["ink"])


def _cap(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    canvas.circle((x + 0.76, y + 0.24), 0.22, layer["fill"], INK)
    canvas.text((x + 0.76, y + 0.24), layer["text"], 0.3, layer["ink"])


def _dome(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    canvas.circle((x + 0.5, y + 0.5), 0.38, layer["fill"], INK)
    canvas.text((x + 0.5, y + 0.5), layer["text"], 0.46, layer["ink"])


def _block(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    canvas.polygon(_box(x + 0.04, y + 0.04, 0.92, 0.92), layer["fill"], INK)
    canvas.text((x + 0.5, y + 0.5), layer["text"], 0.56, layer["ink"])


def _level(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    half = _HALF_WIDTH[layer["size"]]
    west, east, north, south = x + 0.5 - half, x + 0.5 + half, y + 0.5 - half, y + 0.5 + half
    canvas.polygon(_box(west, north, 2 * half, 2 * half), layer["fill"], INK)
    for line in ([(west, north), (east, south)], [(east, north), (west, south)]):
        canvas.line(line, layer["ink"] + "66", 0.015)


def _lying(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    half = _HALF_WIDTH[layer["size"]]
    upright = [(0.0, -0.44), (half, 0.44), (-half, 0.44)]
    for _ in range(_QUARTERS[layer["points"]]):
        upright = [(-down, across) for across, down in upright]
    canvas.polygon([(x + 0.5 + across, y + 0.5 + down) for across, down in upright], layer["fill"], INK)


def _strip(canvas: Canvas, x: float, y: float, layer: Layer) -> None:
    canvas.badge((x + 0.5, y + 0.5), layer["text"], WHITE, INK, 0.25)


_SHAPES: Final[dict[str, Callable[[Canvas, float, float, Layer], None]]] = {
    "tower": _tower,
    "cap": _cap,
    "dome": _dome,
    "block": _block,
    "level": _level,
    "lying": _lying,
    "strip": _strip,
}


def _box(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
