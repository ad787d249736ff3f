"""Tops of boards: chess boards of many makes, printed fields of squares, and Blokus boards. North is up."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.sets import BlokusSet, ChessBoard, Rgb
from vision.synth.art.digits import sign
from vision.synth.art.draw import Mask, coverage, fill, ink, star
from vision.synth.art.surface import ground, surface_material, worn
from vision.synth.scene import Material, Picture

Lines = npt.NDArray[np.int64]

CHESS_PIXELS: Final = 1024  # the longer side
BLOKUS_PIXELS: Final = 1200
_PASTELS: Final[tuple[Rgb, ...]] = (
    (0.96, 0.84, 0.80),
    (0.82, 0.90, 0.95),
    (0.86, 0.93, 0.82),
    (0.96, 0.93, 0.78),
    (0.90, 0.85, 0.94),
)


def chess_board(board: ChessBoard, rng: np.random.Generator) -> Picture:
    """The whole top of the board, border included."""
    wide_mm = board.columns * board.square_mm + 2 * board.border_mm
    high_mm = board.rows * board.square_mm + 2 * board.border_mm
    per_mm = CHESS_PIXELS / max(wide_mm, high_mm)
    shape = (round(high_mm * per_mm), round(wide_mm * per_mm))
    border, side = board.border_mm * per_mm, board.square_mm * per_mm
    lines_x = np.round(border + side * np.arange(board.columns + 1)).astype(int)
    lines_y = np.round(border + side * np.arange(board.rows + 1)).astype(int)
    canvas = _sheet(board.material, border_colour(board), shape, rng)
    _squares(canvas, board, lines_x, lines_y, rng)
    _lines(canvas, board, lines_x, lines_y, per_mm)
    if board.notation != "none" and border > 8:
        _notation(canvas, board, lines_x, lines_y, border)
    if board.emblem and border > 8:
        _emblem(canvas, border, board)
    if board.material in ("paper", "card"):
        _folds(canvas, rng)
    return worn(canvas, board.wear, rng, edge=0.25)


def chess_material(board: ChessBoard, top: Picture) -> Material:
    """The board's top as a surface."""
    return surface_material(board.material, board.gloss, top, board.light)


def border_colour(board: ChessBoard) -> Rgb:
    """The colour around the squares, also where the profile leaves it open."""
    if board.border_colour is not None:
        return board.border_colour
    return board.light if board.material in ("vinyl", "paper", "card") else board.dark


def _sheet(material: str, colour: Rgb, shape: tuple[int, int], rng: np.random.Generator) -> Picture:
    """The board's material in one colour."""
    kind = material if material in ("wood", "marble", "glass") else "plain"
    return ground(kind, colour, shape, rng, scale=1.2)


def _squares(canvas: Picture, board: ChessBoard, lines_x: Lines, lines_y: Lines, rng: np.random.Generator) -> None:
    """Every square cut from another place of the material, as real ones are."""
    for row in range(board.rows):
        for column in range(board.columns):
            # The south-west square (A1) of a checkered board is dark; the picture's rows count from the north.
            is_dark = (column + board.rows - 1 - row) % 2 == 0 and board.pattern == "checkered"
            area = canvas[lines_y[row] : lines_y[row + 1], lines_x[column] : lines_x[column + 1]]
            colour = board.dark if is_dark else board.light
            if board.pattern == "pastel":
                colour = _PASTELS[(column * 2 + row) % len(_PASTELS)]
            area[:] = _sheet(board.material, colour, area.shape[:2], rng)


def _lines(canvas: Picture, board: ChessBoard, lines_x: Lines, lines_y: Lines, per_mm: float) -> None:
    if board.line_mm <= 0:
        return
    thick = max(1, round(board.line_mm * per_mm))
    inner = board.pattern in ("lines", "pastel")
    high, wide = slice(lines_y[0], lines_y[-1] + thick), slice(lines_x[0], lines_x[-1] + thick)
    for x in lines_x if inner else lines_x[[0, -1]]:
        fill(canvas, (high, slice(x, x + thick)), board.dark, 0.92)
    for y in lines_y if inner else lines_y[[0, -1]]:
        fill(canvas, (slice(y, y + thick), wide), board.dark, 0.92)
    if board.pattern == "dots":
        for x in lines_x[1:-1]:
            for y in lines_y[1:-1]:
                colour = tuple(255 * c for c in board.dark)
                cv2.circle(canvas, (int(x), int(y)), thick * 2, colour, -1, cv2.LINE_AA)


def _notation(canvas: Picture, board: ChessBoard, lines_x: Lines, lines_y: Lines, border: float) -> None:
    """Letters below (and above), numbers at the left (and right)."""
    height = max(5, round(border * 0.42))
    colour = contrast_to(border_colour(board), board)
    far = board.notation == "letters-all-sides"
    for column in range(min(board.columns, 8)):
        mask = sign("grotesk", "ABCDEFGH"[column], height)
        x = (lines_x[column] + lines_x[column + 1]) / 2
        _centred(canvas, mask, x, canvas.shape[0] - border / 2, colour)
        if far:
            _centred(canvas, np.ascontiguousarray(mask[::-1, ::-1]), x, border / 2, colour)
    for row in range(min(board.rows, 9)):
        mask = sign("grotesk", str(row + 1), height)
        y = (lines_y[board.rows - row] + lines_y[board.rows - row - 1]) / 2
        _centred(canvas, mask, border / 2, y, colour)
        if far:
            _centred(canvas, np.ascontiguousarray(mask[::-1, ::-1]), canvas.shape[1] - border / 2, y, colour)


def _emblem(canvas: Picture, border: float, board: ChessBoard) -> None:
    """A maker's mark in the middle of the southern border: a small star in a ring."""
    size = max(8, round(border * 0.6))
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), size // 2 - 1, 255, max(1, size // 12), cv2.LINE_AA)
    points = (star(4, 0.3) * size * 0.34 + size / 2).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA)
    colour = contrast_to(border_colour(board), board)
    _centred(canvas, coverage(mask), canvas.shape[1] / 2, canvas.shape[0] - border / 2, colour)


def contrast_to(ground: Rgb, board: ChessBoard) -> Rgb:
    """The board's own colour that reads best on the ground."""
    return max((board.light, board.dark), key=lambda c: abs(sum(c) - sum(ground)))


def _centred(canvas: Picture, mask: Mask, x: float, y: float, colour: Rgb) -> None:
    ink(canvas, mask, colour, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2), 0.9)


def _folds(canvas: Picture, rng: np.random.Generator) -> None:
    """The creases of a board that was folded to fit its box."""
    for axis in range(int(rng.integers(0, 3))):
        at = canvas.shape[axis % 2] // 2 + int(rng.integers(-3, 4))
        strip = canvas[at : at + 2] if axis % 2 == 0 else canvas[:, at : at + 2]
        strip[:] = strip * np.float32(rng.uniform(0.75, 0.92))


def blokus_board(blokus: BlokusSet, rng: np.random.Generator) -> Picture:
    """The whole top of a Blokus board, border included. Ribs of plastic boards are geometry, not print."""
    whole_mm = 20 * blokus.square_mm + 2 * blokus.border_mm
    per_mm = BLOKUS_PIXELS / whole_mm
    border, side = blokus.border_mm * per_mm, blokus.square_mm * per_mm
    shape = (BLOKUS_PIXELS, BLOKUS_PIXELS)
    material = _blokus_stuff(blokus)
    canvas = _sheet(material, blokus.border_colour, shape, rng)
    lines = np.round(border + side * np.arange(21)).astype(int)
    field = (slice(lines[0], lines[-1]), slice(lines[0], lines[-1]))
    canvas[field] = _sheet(material, blokus.board_colour, canvas[field].shape[:2], rng)
    if blokus.centre == "printed":
        for (row, column), colour in zip(((9, 9), (9, 10), (10, 10), (10, 9)), blokus.corners, strict=True):
            area = (slice(lines[row], lines[row + 1]), slice(lines[column], lines[column + 1]))
            fill(canvas, area, blokus.piece_colours[colour], 0.95)
    _corner_marks(canvas, blokus, lines)
    if blokus.make == "printed-card":
        _blokus_lines(canvas, blokus, lines, per_mm)
        _folds(canvas, rng)
    return worn(canvas, 0.12, rng, edge=0.25)


def _blokus_stuff(blokus: BlokusSet) -> str:
    """What the board is made of: a set with wooden pieces has a wooden board."""
    if blokus.make == "plastic-ribs":
        return "plastic"
    return "wood" if blokus.piece_material == "wood" else "card"


def blokus_material(blokus: BlokusSet, top: Picture) -> Material:
    """The board's top as a surface."""
    material = _blokus_stuff(blokus)
    return surface_material(material, blokus.gloss, top, blokus.board_colour)


def _blokus_lines(canvas: Picture, blokus: BlokusSet, lines: Lines, per_mm: float) -> None:
    thick = max(1, round(blokus.rib_width_mm * per_mm))
    whole = slice(lines[0] - thick // 2, lines[-1] + (thick + 1) // 2)
    for at in lines:
        across = slice(at - thick // 2, at + (thick + 1) // 2)
        fill(canvas, (across, whole), blokus.rib_colour, 0.95)
        fill(canvas, (whole, across), blokus.rib_colour, 0.95)


def _corner_marks(canvas: Picture, blokus: BlokusSet, lines: Lines) -> None:
    """Each colour's mark in its corner square, or along the border around it."""
    if blokus.corner_marks == "none":
        return
    for index, colour in enumerate(blokus.corners):
        south, east = index in (2, 3), index in (1, 2)
        if blokus.corner_marks == "border":
            _border_mark(canvas, lines, south, east, blokus.piece_colours[colour])
        else:
            mask = _corner_mask(blokus.corner_marks, int(lines[1] - lines[0]), south, east)
            top, left = int(lines[19] if south else lines[0]), int(lines[19] if east else lines[0])
            ink(canvas, mask, blokus.piece_colours[colour], left, top, 0.92)


def _corner_mask(mark: str, side: int, south: bool, east: bool) -> Mask:
    """The mark within its square: all of it, a dot, or the half towards the corner."""
    mask = np.zeros((side, side), np.uint8)
    if mark == "square":
        mask[:] = 255
    elif mark == "dot":
        cv2.circle(mask, (side // 2, side // 2), round(side * 0.3), 255, -1, cv2.LINE_AA)
    else:
        x, y = side * east, side * south
        cv2.fillPoly(mask, [np.array([(x, y), (side - x, y), (x, side - y)])], 255, cv2.LINE_AA)
    return coverage(mask)


def _border_mark(canvas: Picture, lines: Lines, south: bool, east: bool, colour: Rgb) -> None:
    """An angle of colour in the border around the corner, five squares long."""
    low, high, reach = int(lines[0]), int(lines[-1]), int(lines[5] - lines[0])
    width = max(2, low // 2)
    x = slice(high, high + width) if east else slice(low - width, low)
    y = slice(high, high + width) if south else slice(low - width, low)
    along_x = slice(high - reach, high + width) if east else slice(low - width, low + reach)
    along_y = slice(high - reach, high + width) if south else slice(low - width, low + reach)
    fill(canvas, (y, along_x), colour, 0.92)
    fill(canvas, (along_y, x), colour, 0.92)
