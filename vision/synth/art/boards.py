"""Tops of boards: chess boards of many makes, printed fields of squares, and Blokus boards. North is up."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.sets import BlokusSet, ChessBoard, Rgb
from vision.synth.art.digits import sign
from vision.synth.art.draw import Canvas, Mask, arc, coverage, ink, star, to_picture
from vision.synth.art.noise import fractal, grain, smooth
from vision.synth.art.surface import surface_material, worn
from vision.synth.art.wood import varied, veneer
from vision.synth.scene import Material, Picture

CHESS_PIXELS: Final = 1024  # the longer side
BLOKUS_PIXELS: Final = 1200
_INK: Final[Rgb] = (0.12, 0.11, 0.1)
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
    canvas = _stuff(board.material, border_colour(board), shape, rng)
    _squares(canvas, board, lines_x, lines_y, rng)
    _lines(canvas, board, lines_x, lines_y, per_mm)
    if board.notation != "none" and border > 8:
        _notation(canvas, board, lines_x, lines_y, border)
    if board.emblem and border > 8:
        _emblem(canvas, border, board)
    if board.material in ("paper", "card"):
        _folds(canvas, rng)
    return to_picture(worn(canvas, board.wear, rng))


def chess_material(board: ChessBoard, top: Picture) -> Material:
    """The board's top as a surface."""
    return surface_material(board.material, board.gloss, top, board.light)


def border_colour(board: ChessBoard) -> Rgb:
    """The colour around the squares, also where the profile leaves it open."""
    if board.border_colour is not None:
        return board.border_colour
    return board.light if board.material in ("vinyl", "paper", "card") else board.dark


def _stuff(material: str, colour: Rgb, shape: tuple[int, int], rng: np.random.Generator) -> Canvas:
    """A sheet of the board's material in one colour."""
    if material == "wood":
        depth = float(rng.uniform(0.66, 0.8))
        dark = (colour[0] * depth, colour[1] * depth * 0.95, colour[2] * depth * 0.88)
        return veneer(rng, shape, varied(rng, colour, 0.03), dark, float(rng.uniform(0.8, 1.8)))
    canvas = np.empty((*shape, 3), np.float32)
    canvas[:] = np.asarray(varied(rng, colour, 0.012), np.float32)
    if material == "marble":
        veins = 1 - np.abs(fractal(rng, (4, 4), shape, 5, 0.6))
        strength = 0.35 if sum(colour) > 1.5 else -0.5
        canvas *= (1 - strength * np.clip(veins - 0.75, 0, 1) * 2.5 + 0.05 * smooth(rng, (3, 3), shape))[..., None]
    elif material == "glass":
        canvas *= (1 + 0.04 * smooth(rng, (2, 2), shape))[..., None]
    else:
        canvas *= (1 + 0.015 * grain(rng, shape) + 0.015 * smooth(rng, (6, 6), shape))[..., None]
    return canvas


def _squares(
    canvas: Canvas, board: ChessBoard, lines_x: np.ndarray, lines_y: np.ndarray, rng: np.random.Generator
) -> None:
    size = (int(lines_y[-1] - lines_y[0]), int(lines_x[-1] - lines_x[0]))
    sheets = [_stuff(board.material, colour, size, rng) for colour in (board.light, board.dark)]
    for row in range(board.rows):
        for column in range(board.columns):
            # The south-west square (A1) of a checkered board is dark; the picture's rows count from the north.
            is_dark = (column + board.rows - 1 - row) % 2 == 0 and board.pattern == "checkered"
            area = canvas[lines_y[row] : lines_y[row + 1], lines_x[column] : lines_x[column + 1]]
            area[:] = _cut(sheets[is_dark], area.shape[:2], board.material, rng)
            if board.pattern == "pastel":
                area *= np.asarray(_PASTELS[(column * 2 + row) % len(_PASTELS)], np.float32) / 0.95


def _cut(sheet: Canvas, size: tuple[int, int], material: str, rng: np.random.Generator) -> Canvas:
    """A piece of the sheet from anywhere: real squares of wood are cut from different places."""
    top = int(rng.integers(0, sheet.shape[0] - size[0] + 1))
    left = int(rng.integers(0, sheet.shape[1] - size[1] + 1))
    piece = sheet[top : top + size[0], left : left + size[1]]
    return piece * np.float32(1 + rng.normal(0, 0.035)) if material == "wood" else piece


def _lines(canvas: Canvas, board: ChessBoard, lines_x: np.ndarray, lines_y: np.ndarray, per_mm: float) -> None:
    width = board.line_mm
    if width <= 0:
        return
    thick = max(1, round(width * per_mm))
    mask = np.zeros(canvas.shape[:2], np.uint8)
    outer = ((int(lines_x[0]), int(lines_y[0])), (int(lines_x[-1]), int(lines_y[-1])))
    if board.pattern == "dots":
        for x in lines_x:
            for y in lines_y:
                cv2.circle(mask, (int(x), int(y)), thick * 2, 255, -1, cv2.LINE_AA)
    elif board.pattern != "checkered":
        for x in lines_x[1:-1]:
            cv2.line(mask, (int(x), outer[0][1]), (int(x), outer[1][1]), 255, thick)
        for y in lines_y[1:-1]:
            cv2.line(mask, (outer[0][0], int(y)), (outer[1][0], int(y)), 255, thick)
    cv2.rectangle(mask, outer[0], outer[1], 255, thick)
    ink(canvas, coverage(mask), board.dark, 0, 0, 0.92)


def _notation(canvas: Canvas, board: ChessBoard, lines_x: np.ndarray, lines_y: np.ndarray, border: float) -> None:
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


def _emblem(canvas: Canvas, border: float, board: ChessBoard) -> None:
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


def _centred(canvas: Canvas, mask: Mask, x: float, y: float, colour: Rgb) -> None:
    ink(canvas, mask, colour, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2), 0.9)


def _folds(canvas: Canvas, rng: np.random.Generator) -> None:
    """The creases of a board that was folded to fit its box."""
    for axis in range(int(rng.integers(0, 3))):
        at = canvas.shape[axis % 2] // 2 + int(rng.integers(-3, 4))
        strip = canvas[at : at + 2] if axis % 2 == 0 else canvas[:, at : at + 2]
        strip *= np.float32(rng.uniform(0.75, 0.92))


def blokus_board(blokus: BlokusSet, rng: np.random.Generator) -> Picture:
    """The whole top of a Blokus board, border included. Ribs of plastic boards are geometry, not print."""
    whole_mm = 20 * blokus.square_mm + 2 * blokus.border_mm
    per_mm = BLOKUS_PIXELS / whole_mm
    border, side = blokus.border_mm * per_mm, blokus.square_mm * per_mm
    shape = (BLOKUS_PIXELS, BLOKUS_PIXELS)
    material = "plastic" if blokus.make == "plastic-ribs" else "card"
    canvas = _stuff(material, blokus.border_colour, shape, rng)
    lines = np.round(border + side * np.arange(21)).astype(int)
    field = (slice(lines[0], lines[-1]), slice(lines[0], lines[-1]))
    canvas[field] = _stuff(material, blokus.board_colour, (lines[-1] - lines[0],) * 2, rng)
    if blokus.centre == "printed":
        for (row, column), colour in zip(((9, 9), (9, 10), (10, 10), (10, 9)), blokus.corners, strict=True):
            canvas[lines[row] : lines[row + 1], lines[column] : lines[column + 1]] *= _tint(blokus, colour, 0.95)
    _corner_marks(canvas, blokus, lines)
    if blokus.make == "printed-card":
        _blokus_lines(canvas, blokus, lines, per_mm)
        _folds(canvas, rng)
    return to_picture(worn(canvas, 0.12, rng))


def blokus_material(blokus: BlokusSet, top: Picture) -> Material:
    """The board's top as a surface."""
    material = "plastic" if blokus.make == "plastic-ribs" else "card"
    return surface_material(material, blokus.gloss, top, blokus.board_colour)


def _tint(blokus: BlokusSet, colour: str, strength: float) -> Canvas:
    """The factor that prints a piece's colour onto the board."""
    wanted = np.asarray(blokus.piece_colours[colour], np.float32)
    ground = np.maximum(np.asarray(blokus.board_colour, np.float32), np.float32(0.2))
    return np.asarray(1 - strength * (1 - wanted / ground), np.float32)


def _blokus_lines(canvas: Canvas, blokus: BlokusSet, lines: np.ndarray, per_mm: float) -> None:
    thick = max(1, round(blokus.rib_width_mm * per_mm))
    mask = np.zeros(canvas.shape[:2], np.uint8)
    low, high = int(lines[0]), int(lines[-1])
    for at in lines:
        cv2.line(mask, (int(at), low), (int(at), high), 255, thick)
        cv2.line(mask, (low, int(at)), (high, int(at)), 255, thick)
    ink(canvas, coverage(mask), blokus.rib_colour, 0, 0, 0.95)


def _corner_marks(canvas: Canvas, blokus: BlokusSet, lines: np.ndarray) -> None:
    """Each colour's mark in its corner square, or along the border around it."""
    if blokus.corner_marks == "none":
        return
    side = int(lines[1] - lines[0])
    for index, colour in enumerate(blokus.corners):
        south, east = index in (2, 3), index in (1, 2)
        top, left = int(lines[19] if south else lines[0]), int(lines[19] if east else lines[0])
        mask = np.zeros(canvas.shape[:2], np.uint8)
        if blokus.corner_marks == "square":
            mask[top : top + side, left : left + side] = 255
        elif blokus.corner_marks == "dot":
            disc = arc(left + side / 2, top + side / 2, side * 0.3, 0, 360)
            cv2.fillPoly(mask, [disc.astype(np.int32)], 255, cv2.LINE_AA)
        elif blokus.corner_marks == "wedge":
            x, y = left + side * east, top + side * south
            dx, dy = (-side if east else side), (-side if south else side)
            cv2.fillPoly(mask, [np.array([(x, y), (x + dx, y), (x, y + dy)])], 255, cv2.LINE_AA)
        else:
            _border_mark(mask, lines, south, east)
        ink(canvas, coverage(mask), blokus.piece_colours[colour], 0, 0, 0.92)


def _border_mark(mask: Picture, lines: np.ndarray, south: bool, east: bool) -> None:
    """An angle of colour in the border around the corner, five squares long."""
    low, high, reach = int(lines[0]), int(lines[-1]), int(lines[5] - lines[0])
    width = max(2, low // 2)
    x = high + width // 2 if east else low - width // 2 - 1
    y = high + width // 2 if south else low - width // 2 - 1
    cv2.line(mask, (x, y), (x - reach if east else x + reach, y), 255, width)
    cv2.line(mask, (x, y), (x, y - reach if south else y + reach), 255, width)
