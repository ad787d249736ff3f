"""Sprawl: stacks and lying pyramids on a board of squares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.profiles import ChessBoard, Profile, PyramidSet
from engine.sprawl.board import Branch, Cell, Square, Tower
from engine.sprawl.state import State
from vision.synth.art import boards as board_art
from vision.synth.art.surface import surface_material
from vision.synth.geometry import TOUCH_MM, standing
from vision.synth.meshes import flats, pyramids
from vision.synth.scene import Array, Part
from vision.synth.stages import faces
from vision.synth.stages.common import (
    BLACK,
    Stage,
    lying_pyramid_pose,
    mixed,
    patch_points,
    pyramid_part,
    size_of,
    square_corners,
)
from vision.synth.stages.settle import Footprints, rectangles, settle

# Degrees counter-clockwise from the east.
TURN_OF: Final[Mapping[str, float]] = {"east": 0.0, "north": 90.0, "west": 180.0, "south": 270.0}
SQUARE_POINTS: Final = 5
SHEET_CELLS: Final = 14
# Paper and vinyl come rolled or folded; a corner seldom lies quite flat.
CURL_MM: Final[Mapping[str, float]] = {"paper": 3.0, "vinyl": 1.5}


def sprawl_stage(state: State, profile: Profile, rng: np.random.Generator) -> Stage:
    """Board and pyramids, with a patch for each square; without table and clutter."""
    board = choose_board(profile, state.columns, state.rows, rng)
    ground = _Ground.of(board, rng)
    parts = [_board_part(board, ground, rng), *_piece_parts(state, board, ground, profile.pyramids, rng)]
    patches = _patches(board, ground)
    corners = square_corners(board.columns * board.square_mm / 2, board.rows * board.square_mm / 2)
    corners[:, 2] = ground.heights(corners[:, :2])
    return Stage(tuple(parts), corners, patches, dict.fromkeys(patches, "board"), ground.size)


def choose_board(profile: Profile, columns: int, rows: int, rng: np.random.Generator) -> ChessBoard:
    """One of the profile's boards with that many squares, or the same make with as many as needed."""
    fitting = [board for board in profile.chess if (board.columns, board.rows) == (columns, rows)]
    chosen = fitting or list(profile.chess)
    board = chosen[int(rng.integers(len(chosen)))]
    return replace(board, columns=columns, rows=rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The upper side of a board: flat, or a sheet whose corners curl up by ``lift`` (NE, NW, SW, SE)."""

    size: tuple[float, float]
    lift: tuple[float, float, float, float]

    @classmethod
    def of(cls, board: ChessBoard, rng: np.random.Generator) -> _Ground:
        width = board.columns * board.square_mm + 2 * board.border_mm
        depth = board.rows * board.square_mm + 2 * board.border_mm
        most = CURL_MM.get(board.material, 0.0)
        lift = most * rng.uniform(0.0, 1.0, 4) ** 2
        return cls((width, depth), (float(lift[0]), float(lift[1]), float(lift[2]), float(lift[3])))

    @property
    def is_flat(self) -> bool:
        return max(self.lift) < TOUCH_MM

    def height(self, x: Array, y: Array) -> Array:
        """How far the sheet has come off the table at a place."""
        outwards = np.abs(x) / (self.size[0] / 2) * np.abs(y) / (self.size[1] / 2)
        share = np.clip((outwards - 0.55) / 0.45, 0.0, 1.0) ** 2
        north_east, north_west, south_west, south_east = self.lift
        return share * np.where(y > 0, np.where(x > 0, north_east, north_west), np.where(x > 0, south_east, south_west))

    def heights(self, places: Array) -> Array:
        """Heights of (N, 2) places on the sheet as its mesh has them, between the points of its grid."""
        if self.is_flat:
            return np.zeros(len(places))
        cell = np.array(self.size) / SHEET_CELLS
        spot = np.clip((places + np.array(self.size) / 2) / cell, 0.0, SHEET_CELLS - 1e-9)
        low, part = np.floor(spot), spot - np.floor(spot)
        found = np.zeros(len(places))
        for right in (0, 1):
            for up in (0, 1):
                corner = (low + np.array([right, up])) * cell - np.array(self.size) / 2
                weight = np.abs(1 - right - part[:, 0]) * np.abs(1 - up - part[:, 1])
                found += weight * self.height(corner[:, 0], corner[:, 1])
        return found


def _board_part(board: ChessBoard, ground: _Ground, rng: np.random.Generator) -> Part:
    picture = faces.chess_top(board, rng)
    top = board_art.chess_material(board, picture)
    edge = mixed(board_art.border_colour(board), BLACK, 0.15)
    side = surface_material(board.material, board.gloss, None, edge)
    if ground.is_flat:
        mesh = flats.board(*ground.size, board.thickness_mm)
    else:
        mesh = flats.sheet(*ground.size, board.thickness_mm, ground.height, SHEET_CELLS)
    return Part("board", mesh, (top, side), np.eye(4))


# --- pieces -----------------------------------------------------------------------------------


def _piece_parts(
    state: State, board: ChessBoard, ground: _Ground, pyramid_set: PyramidSet | None, rng: np.random.Generator
) -> list[Part]:
    if not state.cells:
        return []
    laid = _put_down(state, board, rng)
    lifts = _lift_under(laid, ground)
    parts: list[Part] = []
    for number, (square, cell) in enumerate(state.cells):
        x, y, turn = float(laid.centre[number, 0]), float(laid.centre[number, 1]), float(laid.turn[number])
        z = float(lifts[number]) + TOUCH_MM
        if isinstance(cell, Branch):
            size = size_of(pyramid_set, cell.piece.size)
            pose = lying_pyramid_pose(size, x, y, z, turn)
            parts.append(pyramid_part(f"piece:{square.name}:0", pyramid_set, cell.piece.colour, size, pose))
        else:
            parts += _stack_parts(square, cell, pyramid_set, (x, y, z, turn), rng)
    return parts


def _stack_parts(
    square: Square,
    tower: Tower,
    pyramid_set: PyramidSet | None,
    place: tuple[float, float, float, float],
    rng: np.random.Generator,
) -> list[Part]:
    x, y, z, turn = place
    sizes = [size_of(pyramid_set, piece.size) for piece in tower.pieces]
    turns = [turn, *(turn + np.clip(rng.normal(0.0, 2.0, len(sizes) - 1), -5.0, 5.0))]
    heights = pyramids.stack_heights(sizes, turns)
    return [
        pyramid_part(
            f"piece:{square.name}:{level}", pyramid_set, piece.colour, size, standing(x, y, z + height, float(angle))
        )
        for level, (piece, size, height, angle) in enumerate(zip(tower.pieces, sizes, heights, turns, strict=True))
    ]


def _put_down(state: State, board: ChessBoard, rng: np.random.Generator) -> Footprints:
    """Where players set their pieces down: somewhere in the square, lying ones more or less in their direction."""
    count, side = len(state.cells), board.square_mm
    middle = np.array([(board.columns - 1) / 2, (board.rows - 1) / 2])
    home = (np.array([square for square, _ in state.cells], dtype=np.float64) - middle) * side
    outline = np.array([_outline(cell) for _, cell in state.cells])
    straight = np.array([TURN_OF[cell.points] if isinstance(cell, Branch) else 0.0 for _, cell in state.cells])
    lying = np.array([isinstance(cell, Branch) for _, cell in state.cells])
    askew = np.where(lying, rng.normal(0.0, 6.0, count), rng.normal(0.0, 8.0, count))
    anyhow = np.where(~lying & (rng.uniform(size=count) < 0.35), rng.uniform(0.0, 360.0, count), 0.0)
    # What has little room in its square is put down with more care.
    play = np.clip((side / 2 - outline.max(axis=(1, 2))) * 0.45, 0.5, side * 0.12)[:, None]
    prints = Footprints(
        centre=home + np.clip(rng.normal(0.0, 1.0, (count, 2)), -1.8, 1.8) * play,
        turn=straight + np.clip(askew, -20.0, 20.0) + anyhow,
        outline=outline,
        radius=np.zeros(count),
    )
    return settle(prints, home, straight, leash=side * 0.35)


def _outline(cell: Cell) -> Array:
    """What a cell's pieces cover, seen from above: a square, or the shadow of a lying pyramid."""
    if isinstance(cell, Branch):
        return pyramids.lying_outline(pyramids.SIZE_OF_PIPS[cell.piece.size])
    widest = max(pyramids.SIZE_OF_PIPS[piece.size].base_mm for piece in cell.pieces)
    square: Array = rectangles(np.full((1, 2), widest / 2))[0]
    return square


def _lift_under(laid: Footprints, ground: _Ground) -> Array:
    """The highest point of the board under each footprint's corners."""
    corners = laid.placed_outlines()
    lifts = ground.heights(corners.reshape(-1, 2)).reshape(corners.shape[:2])
    highest: Array = lifts.max(axis=1)
    return highest


# --- patches ----------------------------------------------------------------------------------


def _patches(board: ChessBoard, ground: _Ground) -> dict[str, Array]:
    side = board.square_mm
    own = patch_points((-side / 2, -side / 2, side / 2, side / 2), SQUARE_POINTS) * 0.85
    patches: dict[str, Array] = {}
    for column in range(board.columns):
        for row in range(board.rows):
            middle = ((column - (board.columns - 1) / 2) * side, (row - (board.rows - 1) / 2) * side, 0.0)
            points = own + middle
            points[:, 2] = ground.heights(points[:, :2])
            patches[f"square:{Square(column, row).name}"] = points
    return patches
