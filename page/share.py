"""The result to hand on: a picture without any metadata, and a sheet that prints well."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from engine.game import Game
from engine.game import game as game_named
from engine.sheet import Score
from page.boards import board_kind
from page.boards.base import BoardKind
from page.drawing import Canvas, Placement, board_canvas
from page.share_layout import PAPER, composed
from page.share_overlay import draw_overlay
from page.share_sheet import sheet_html
from vision.pose import view_of

__all__ = ["board_with_score", "photo_with_score", "result_picture", "sheet_html"]

Pixels = npt.NDArray[np.uint8]
Corners = npt.NDArray[np.float64] | Sequence[Sequence[float]]

# Part of the board's size that is shown around it, so that towers which lean out of it are in the picture.
AROUND: Final = 0.1
# A photo that is wider than this for its height gets the whole width, others leave room for the panel beside them.
WIDE: Final = 1.15
FULL_WIDTH: Final = 1120
BESIDE_WIDTH: Final = 720
MOST_HIGH: Final = 1100
LEAST_CORNER_PIXELS: Final = 8.0


def result_picture(
    photo: Pixels | None,
    corners: Corners | None,
    game: Game[Any] | str,
    state: Any,
    score: Score,
    names: Mapping[str, str],
    focal: float | None = None,
) -> bytes:
    """The result as PNG, 1200 pixels wide: the photo with what was counted drawn over it, or a drawn board; totals,
    names and winner. ``corners`` (north-west, north-east, south-east, south-west) are in pixels of ``photo``."""
    rules = game_named(game) if isinstance(game, str) else game
    kind = board_kind(rules.name)
    board = None
    if photo is not None and corners is not None and _usable(corners, photo):
        board = photo_with_score(photo, corners, kind, state, score, focal)
    if board is None:
        board = board_with_score(kind, state, score)
    buffer = io.BytesIO()
    composed(board, rules, rules.dump(state), score, names).save(buffer, "PNG", optimize=False, compress_level=6)
    return buffer.getvalue()


def board_with_score(kind: BoardKind[Any], state: Any, score: Score, width: int = BESIDE_WIDTH) -> Image.Image:
    """The board drawn from above with the marks of its score."""
    canvas = board_canvas(kind, state, width, PAPER)
    draw_overlay(canvas, kind, state, score, on_photo=False)
    return canvas.finished()


def photo_with_score(
    photo: Pixels, corners: Corners, kind: BoardKind[Any], state: Any, score: Score, focal: float | None = None
) -> Image.Image:
    """The part of a photo that shows the board, with the marks of its score."""
    height, width = photo.shape[:2]
    columns, rows = kind.size(state)
    view = view_of(np.asarray(corners, dtype=np.float64), (float(columns), float(rows)), (width, height), focal)
    left, top, right, bottom = _frame(view.project, (columns, rows), (width, height))
    most = FULL_WIDTH if right - left > WIDE * (bottom - top) else BESIDE_WIDTH
    scale = min(most / (right - left), MOST_HIGH / (bottom - top))
    size = max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))
    part = Image.fromarray(photo).convert("RGB").resize(size, Image.Resampling.LANCZOS, (left, top, right, bottom))
    # Pixel centres: a photo's pixel n reaches from n - 1/2 to n + 1/2.
    canvas = Canvas(part, Placement(lambda points: (view.project(points) + 0.5 - np.array([left, top])) * scale))
    draw_overlay(canvas, kind, state, score, on_photo=True)
    return canvas.finished()


def _usable(corners: Corners, photo: Pixels) -> bool:
    """Whether the corners span a convex board of some size; somebody may have dragged them anywhere."""
    points = np.asarray(corners, dtype=np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all() or min(photo.shape[:2]) < 2:
        return False
    sides = np.roll(points, -1, axis=0) - points
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool((turns > 0).all() and np.linalg.norm(sides, axis=1).min() >= LEAST_CORNER_PIXELS)


def _frame(project: Any, cells: tuple[int, int], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """What is shown of a photo: the board with room around it, within the photo."""
    columns, rows = cells
    ground = np.array([[0, 0, 0], [columns, 0, 0], [columns, rows, 0], [0, rows, 0]], dtype=np.float64)
    points = project(ground)
    room = AROUND * (points.max(axis=0) - points.min(axis=0)).max()
    left, top = np.maximum(points.min(axis=0) - room, 0)
    right, bottom = np.minimum(points.max(axis=0) + room, np.array(size) - 1.0)
    if right - left < 2 or bottom - top < 2:  # a board that lies outside of the photo
        return 0.0, 0.0, float(size[0]), float(size[1])
    return float(left), float(top), float(right), float(bottom)
