"""The Blokus board with its ribs and frame, and polyomino pieces with bevelled squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from vision.synth.geometry import TOUCH_MM, UNIT_UV, MeshBuilder, rectangle
from vision.synth.scene import Mesh

SIDE_SQUARES: Final = 20

FLOOR: Final = 0
FRAME: Final = 1
RIBS: Final = 2

BODY: Final = 0
DISH: Final = 1

# A cell is (column, row) in squares, row growing to the north.
Cell = tuple[int, int]

_AROUND: Final = ((0, 0), (1, 0), (1, 1), (0, 1))  # a square's corners, counter-clockwise from the south-west


@dataclass(frozen=True, slots=True)
class BoardShape:
    """Measures of a board; its floor, where pieces rest, is z = 0."""

    square_mm: float
    border_mm: float
    thickness_mm: float
    rib_height_mm: float = 0.0
    rib_width_mm: float = 0.0

    @property
    def field_mm(self) -> float:
        return SIDE_SQUARES * self.square_mm

    @property
    def side_mm(self) -> float:
        return self.field_mm + 2 * self.border_mm


@cache
def board(shape: BoardShape) -> Mesh:
    """A tray with a frame as high as its ribs and a little more; without ribs (printed card) a flat board.

    Materials: floor with the texture of the whole board, frame (textured alike), ribs.
    """
    builder = MeshBuilder()
    raised = shape.rib_height_mm * 1.4 if shape.border_mm > 0 else 0.0
    bevel = min(0.8, shape.border_mm / 4, shape.thickness_mm / 4)

    def ring(side: float, z: float) -> list[int]:
        return builder.points(rectangle(side, side, z))

    bottom = ring(shape.side_mm, -shape.thickness_mm)
    outer = ring(shape.side_mm, raised - bevel)
    crest = ring(shape.side_mm - 2 * bevel, raised)
    inner_crest = ring(shape.field_mm + 2 * bevel, raised) if raised else ring(shape.field_mm, 0.0)
    floor = ring(shape.field_mm, 0.0) if raised else inner_crest
    builder.face(bottom[::-1], FRAME)
    builder.band(bottom, outer, FRAME)
    builder.band(outer, crest, FRAME)
    _textured_band(builder, crest, inner_crest, shape, bevel)
    if raised:
        builder.band(inner_crest, floor, FRAME)
    share = shape.field_mm / shape.side_mm
    builder.face(floor, FLOOR, (UNIT_UV - 0.5) * share + 0.5)
    if shape.rib_height_mm > 0:
        _add_ribs(builder, shape)
    return builder.mesh()


def _textured_band(builder: MeshBuilder, outer: list[int], inner: list[int], shape: BoardShape, bevel: float) -> None:
    """The flat top of the border, which carries the margin of the board's texture."""
    outer_uv = (UNIT_UV - 0.5) * (1 - 2 * bevel / shape.side_mm) + 0.5
    inside = shape.field_mm + (2 * bevel if shape.rib_height_mm else 0.0)
    inner_uv = (UNIT_UV - 0.5) * (inside / shape.side_mm) + 0.5
    for i in range(4):
        j = (i + 1) % 4
        corners = (outer[i], outer[j], inner[j], inner[i])
        builder.face(corners, FRAME, [outer_uv[i], outer_uv[j], inner_uv[j], inner_uv[i]])


def _add_ribs(builder: MeshBuilder, shape: BoardShape) -> None:
    """19 ribs each way, slightly tapered; those from west to east are a hair lower where they cross."""
    half, foot = shape.field_mm / 2, shape.rib_width_mm / 2
    crest = foot * 0.6
    for along in (0, 1):
        top = shape.rib_height_mm - along * TOUCH_MM / 2
        for number in range(1, SIDE_SQUARES):
            at = number * shape.square_mm - half
            west_to_east = [
                (-half, at - foot, 0),
                (half, at - foot, 0),
                (half, at - crest, top),
                (-half, at - crest, top),
            ]
            back = [(-half, at + crest, top), (half, at + crest, top), (half, at + foot, 0), (-half, at + foot, 0)]
            points = np.array(west_to_east + back)
            if along == 0:
                # A quarter turn makes a rib from south to north of it.
                points = points[:, [1, 0, 2]] * (-1, 1, 1)
            front = builder.points(points)
            builder.face(front[:4], RIBS)
            builder.face([front[3], front[2], front[5], front[4]], RIBS)
            builder.face(front[4:], RIBS)


@dataclass(frozen=True, slots=True)
class PieceShape:
    """Measures of a piece; z = 0 is the floor that it is seated on.

    ``gap_mm`` is the play at the outline. ``foot_mm`` is how high above the floor the body begins: a real piece has a
    notch over every rib that it crosses, which nobody sees because the ribs around it are as high.
    """

    square_mm: float
    thickness_mm: float
    gap_mm: float
    foot_mm: float
    bevel_mm: float
    dish_mm: float = 0.0  # depth of the sunken square in the middle of each unit


@cache
def piece(cells: tuple[Cell, ...], shape: PieceShape) -> Mesh:
    """One closed solid: neighbouring squares share the groove between them. The cells' (0, 0) corner is the origin."""
    builder = MeshBuilder()
    occupied = frozenset(cells)
    drop = min(shape.bevel_mm * 0.7, (shape.thickness_mm - shape.foot_mm) * 0.6)
    numbers: dict[tuple[float, float], tuple[int, int]] = {}

    def corner(cell: Cell, which: int) -> tuple[int, int]:
        """The points at a square's corner: at the rim below the bevel, and at the foot."""
        x, y = _corner_place(cell, which, occupied, shape)
        if (x, y) not in numbers:
            low, foot = builder.points([(x, y, shape.thickness_mm - drop), (x, y, shape.foot_mm)])
            numbers[x, y] = low, foot
        return numbers[x, y]

    for cell in cells:
        corners = [corner(cell, which) for which in range(4)]
        rim, feet = [low for low, _ in corners], [foot for _, foot in corners]
        builder.face(feet[::-1], BODY)
        _add_top(builder, cell, rim, shape)
        for side, (right, up) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if (cell[0] + right, cell[1] + up) not in occupied:
                after = (side + 1) % 4
                builder.face((feet[side], feet[after], rim[after], rim[side]), BODY)
    return builder.mesh()


def _corner_place(cell: Cell, which: int, occupied: frozenset[Cell], shape: PieceShape) -> tuple[float, float]:
    """Where a square's corner comes to lie when the outline is drawn in by the gap.

    All squares of the piece that meet in the corner and hang together there get the same place, so that the solid is
    closed: the corner moves away from each side on which a square is missing.
    """
    right, up = _AROUND[which]
    column, row = cell[0] + right, cell[1] + up  # the grid point
    across = (cell[0] + (1 if right else -1), cell[1]) in occupied
    above = (cell[0], cell[1] + (1 if up else -1)) in occupied
    opposite = (cell[0] + (1 if right else -1), cell[1] + (1 if up else -1)) in occupied
    inwards_x, inwards_y = (-1 if right else 1), (-1 if up else 1)
    if across and above:
        move = (0, 0) if opposite else (inwards_x, inwards_y)
    elif across:
        # Three squares around the point: it moves into the middle one of them, the neighbour across.
        move = (-inwards_x, inwards_y) if opposite else (0, inwards_y)
    elif above:
        move = (inwards_x, -inwards_y) if opposite else (inwards_x, 0)
    else:
        move = (inwards_x, inwards_y)
    return column * shape.square_mm + move[0] * shape.gap_mm, row * shape.square_mm + move[1] * shape.gap_mm


def _add_top(builder: MeshBuilder, cell: Cell, rim: list[int], shape: PieceShape) -> None:
    """Bevel, flat rim and sunken square of one unit; only the flat where the shape has none of them."""
    middle = (np.array(cell) + 0.5) * shape.square_mm

    def ring(side: float, z: float) -> list[int]:
        return builder.points(rectangle(side, side, z) + np.array([*middle, 0.0]))

    top = rim
    side = shape.square_mm - 2 * shape.gap_mm
    if shape.bevel_mm > 0:
        side -= 2 * shape.bevel_mm
        top = ring(side, shape.thickness_mm)
        builder.band(rim, top, BODY)
    if shape.dish_mm <= 0:
        builder.face(top, BODY, UNIT_UV)
        return
    lip = ring(side * 0.76, shape.thickness_mm)
    dish = ring(side * 0.76 - 2 * shape.dish_mm, shape.thickness_mm - shape.dish_mm)
    builder.band(top, lip, BODY)
    builder.band(lip, dish, DISH)
    builder.face(dish, DISH, UNIT_UV)
