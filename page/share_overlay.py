"""What is drawn over a board to explain its score: roads, points, areas, edges, attacks.

The same marks lie over a drawn board and over a photo. On a photo every piece that was read is outlined too, so that
people see what was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.sheet import Item, Score
from page.boards.base import BoardKind, Cell
from page.boards.paint import FILL, ink
from page.drawing import INK, WHITE, Canvas, Point

# Heights in cells of what stands on a lot, for the outlines on photos (a large pyramid on its lot; a coin).
TOWER_HEIGHT: Final = 1.75
DOME_HEIGHT: Final = 0.14
BLOCK_HEIGHT: Final = 0.22
_PYRAMID_HALF: Final = 0.47
LOST: Final = "#d81b60"
_SIDES: Final = {
    "north": ((0.0, 0.0), (1.0, 0.0)),
    "east": ((1.0, 0.0), (1.0, 1.0)),
    "south": ((0.0, 1.0), (1.0, 1.0)),
    "west": ((0.0, 0.0), (0.0, 1.0)),
}
_STEP: Final = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


def draw_overlay(canvas: Canvas, kind: BoardKind[Any], state: Any, score: Score, on_photo: bool) -> None:
    """The marks of the whole score sheet."""
    cells = {cell.at: cell for cell in kind.cells(state)}
    if on_photo:
        _OUTLINES[kind.name](canvas, cells)
    _MARKS[kind.name](canvas, cells, score.items, on_photo)


def rim(colour: str) -> str:
    """What a line in this colour is cased with: dark around pale colours, white around dark ones."""
    return INK if ink(colour) == "#111111" else WHITE


# --- Alien City ---------------------------------------------------------------------------------
def _alien_city_outlines(canvas: Canvas, cells: Mapping[str, Cell]) -> None:
    # From the north on, so that the outlines of nearer pieces lie over those of farther ones.
    for cell in sorted(cells.values(), key=lambda cell: cell.y):
        for layer in cell.layers:
            if layer["shape"] == "tower":
                _pyramid(canvas, cell, layer["fill"])
            elif layer["shape"] == "dome":
                canvas.circle(_middle(cell), 0.37, None, WHITE, 0.07, DOME_HEIGHT)
                canvas.circle(_middle(cell), 0.37, None, layer["fill"], 0.04, DOME_HEIGHT)


def _pyramid(canvas: Canvas, cell: Cell, colour: str) -> None:
    x, y = _middle(cell)
    tip = (x, y, TOWER_HEIGHT)
    feet = [(x + dx * _PYRAMID_HALF, y + dy * _PYRAMID_HALF, 0.0) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for line_colour, width in ((WHITE, 0.07), (colour, 0.04)):
        canvas.spatial_line([*feet, feet[0]], line_colour, width)
        for foot in feet:
            canvas.spatial_line([foot, tip], line_colour, width)


def _alien_city_marks(canvas: Canvas, cells: Mapping[str, Cell], items: Iterable[Item], on_photo: bool) -> None:
    towers = [item for item in items if item.kind == "tower"]
    for number, item in enumerate(towers):
        _draw_road(canvas, cells, item, _lane(number, len(towers)))
    for item in items:
        if item.kind == "bonus" and item.owner:
            _draw_bonus(canvas, cells, item)
    points: dict[str, int] = {}
    owners: dict[str, str] = {}
    for item in items:
        if item.kind in ("tower", "location") and item.owner:
            points[item.details["at"]] = points.get(item.details["at"], 0) + item.points
            owners[item.details["at"]] = item.owner
    for at, number in points.items():
        x, y = _middle(cells[at])
        place, height = ((x, y), 0.55) if on_photo else ((x - 0.2, y - 0.3), 0.0)
        canvas.badge(place, str(number), FILL[owners[at]], ink(owners[at]), 0.36, height, least=15)


def _lane(number: int, lanes: int) -> float:
    """How far a road is drawn beside the middle of its lots, so that roads in the same lots stay apart."""
    return (number - (lanes - 1) / 2) * 0.1


def _draw_road(canvas: Canvas, cells: Mapping[str, Cell], item: Item, lane: float) -> None:
    stops = [item.details["at"], *item.details["road"], item.details["competitor"]]
    if item.owner is None or item.details["competitor"] is None:
        return
    points = [(x + lane, y + lane) for x, y in (_middle(cells[at]) for at in stops)]
    # The road begins and ends at the sides of the two towers, not under them.
    points = [_between(points[0], points[1], 0.45), *points[1:-1], _between(points[-1], points[-2], 0.45)]
    colour = item.owner
    canvas.line(points, FILL[colour], 0.07, rim(colour))
    canvas.circle(points[-1], 0.09, FILL[colour], rim(colour), 0.03)


def _draw_bonus(canvas: Canvas, cells: Mapping[str, Cell], item: Item) -> None:
    x, y = _middle(cells[item.details["at"]])
    assert item.owner is not None
    canvas.badge((x, y + 0.32), f"+{item.points}", FILL[item.owner], ink(item.owner), 0.28, least=13)


# --- City Blocks --------------------------------------------------------------------------------
def _city_blocks_outlines(canvas: Canvas, cells: Mapping[str, Cell]) -> None:
    for cell in cells.values():
        for layer in cell.layers:
            box = [(cell.x + 0.1, cell.y + 0.1), (cell.x + 0.9, cell.y + 0.1), (cell.x + 0.9, cell.y + 0.9)]
            canvas.polygon([*box, (cell.x + 0.1, cell.y + 0.9)], None, layer["fill"], 0.09, BLOCK_HEIGHT)


def _city_blocks_marks(canvas: Canvas, cells: Mapping[str, Cell], items: Iterable[Item], on_photo: bool) -> None:
    height = BLOCK_HEIGHT if on_photo else 0.0
    for item in items:
        if item.kind == "edges" and item.owner:
            for at, side in item.details["edges"]:
                (x1, y1), (x2, y2) = _side(cells[at], side, 0.06)
                canvas.line([(x1, y1), (x2, y2)], WHITE, 0.1, INK, height)
    for item in items:
        if item.kind == "area" and item.owner and item.points:
            _draw_area(canvas, [cells[at] for at in item.details["squares"]], item, height)


def _draw_area(canvas: Canvas, area: list[Cell], item: Item, height: float) -> None:
    """The outline of a colour's largest area, and its size in the middle of it."""
    inside = {(cell.x, cell.y) for cell in area}
    assert item.owner is not None
    for cell in area:
        for side, (dx, dy) in _STEP.items():
            if (cell.x + dx, cell.y + dy) not in inside:
                canvas.line(_side(cell, side, 0.0), INK, 0.13, None, height)
    middle = (sum(cell.x for cell in area) / len(area), sum(cell.y for cell in area) / len(area))
    nearest = min(area, key=lambda cell: (cell.x - middle[0]) ** 2 + (cell.y - middle[1]) ** 2)
    canvas.badge(_middle(nearest), str(item.points), FILL[item.owner], ink(item.owner), 0.95, height, least=15)


def _side(cell: Cell, side: str, inset: float) -> list[Point]:
    """One side of a cell, a little inside of it."""
    dx, dy = _STEP[side]
    return [(cell.x + x - dx * inset, cell.y + y - dy * inset) for x, y in _SIDES[side]]


# --- Sprawl -------------------------------------------------------------------------------------
def _sprawl_outlines(canvas: Canvas, cells: Mapping[str, Cell]) -> None:
    for cell in cells.values():
        pieces = [layer for layer in cell.layers if layer["shape"] in ("level", "lying")]
        if not pieces:
            continue
        box = [(cell.x + 0.06, cell.y + 0.06), (cell.x + 0.94, cell.y + 0.06), (cell.x + 0.94, cell.y + 0.94)]
        for colour, width in ((WHITE, 0.075), (pieces[-1]["fill"], 0.045)):
            canvas.polygon([*box, (cell.x + 0.06, cell.y + 0.94)], None, colour, width)


def _sprawl_marks(canvas: Canvas, cells: Mapping[str, Cell], items: Iterable[Item], on_photo: bool) -> None:
    returned = [entry for item in items if item.kind == "stash" for entry in item.details["returned"]]
    attacks = {(by, entry["tower"]) for entry in returned for by in entry["neutralised_by"]}
    for at in {entry["at"] for entry in returned}:
        _cross(canvas, cells[at])
    for attacker, tower in sorted(attacks):
        _arrow(canvas, _middle(cells[attacker]), _middle(cells[tower]))
    # Names go on top: on a photo at the foot of the square, on a drawing once more where crosses went over them.
    struck = {entry["at"] for entry in returned}
    for cell in cells.values():
        names = [layer["text"] for layer in cell.layers if layer["shape"] == "strip"]
        if names and on_photo:
            canvas.badge((cell.x + 0.5, cell.y + 0.9), names[0], WHITE, INK, 0.2, least=12)
        elif names and cell.at in struck:
            canvas.badge(_middle(cell), names[0], WHITE, INK, 0.25)


def _cross(canvas: Canvas, cell: Cell) -> None:
    """Strikes out a piece that goes back to its owner."""
    for line in ([(0.16, 0.16), (0.84, 0.84)], [(0.84, 0.16), (0.16, 0.84)]):
        canvas.line([(cell.x + x, cell.y + y) for x, y in line], LOST, 0.06, WHITE)


def _arrow(canvas: Canvas, start: Point, end: Point) -> None:
    """From the attacker's tip to the tower that it neutralises."""
    start, tip = _between(start, end, 0.3), _between(start, end, 0.62)
    canvas.line([start, tip], LOST, 0.09, WHITE)
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = max(1e-6, (dx * dx + dy * dy) ** 0.5)
    dx, dy = 0.17 * dx / length, 0.17 * dy / length
    head = [(tip[0] + dx, tip[1] + dy), (tip[0] - dy, tip[1] + dx), (tip[0] + dy, tip[1] - dx)]
    canvas.polygon(head, LOST, WHITE, 0.03)


def _middle(cell: Cell) -> Point:
    return cell.x + 0.5, cell.y + 0.5


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


_OUTLINES: Final[dict[str, Callable[[Canvas, Mapping[str, Cell]], None]]] = {
    "alien-city": _alien_city_outlines,
    "city-blocks": _city_blocks_outlines,
    "sprawl": _sprawl_outlines,
}
_MARKS: Final[dict[str, Callable[[Canvas, Mapping[str, Cell], Iterable[Item], bool], None]]] = {
    "alien-city": _alien_city_marks,
    "city-blocks": _city_blocks_marks,
    "sprawl": _sprawl_marks,
}
