"""Training pictures, cut by the code that reads photos, with the errors that it makes: corners and focal length
are off as they are at reading time, and light and colours vary beyond what the photos already do."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards import VIEWS, BoardView
from vision.pose import view_of
from vision.rectify import rectify
from vision.training.examples import Array, Example
from vision.training.labels import Labels, labels_of, turned

Picture = npt.NDArray[np.uint8]

# Photos come at this size or larger; a cell has its pixels even where the board is small.
WORKING_SIDE = 1200


def board_sample(view: BoardView, example: Example, rng: np.random.Generator) -> tuple[Picture, Labels]:
    """A rectified board as the reader would cut it, seen from any side, and what it shows."""
    photo = example.photo(WORKING_SIDE)
    cells = board_size(example)
    quarters = int(rng.integers(4)) if cells[0] == cells[1] else 2 * int(rng.integers(2))
    corners = np.roll(example.corners / photo.scale, -quarters, axis=0)
    corners = corners + corner_error(rng, corners, cells)
    height, width = photo.pixels.shape[:2]
    focal = None
    if example.focal is not None and rng.random() < 0.6:
        focal = example.focal / photo.scale * float(np.exp(rng.normal(0, 0.03)))
    seen = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), focal)
    board = rectify(photo.pixels, seen, cells, view.cell_px, view.heights, view.margin_px, frame=view.cells)
    labels = turned(view.game, labels_of(example), quarters, cells)
    return vary(board, rng), labels


def board_size(example: Example) -> tuple[int, int]:
    """Columns and rows of the board on a photo."""
    if example.game == "sprawl":
        return int(example.truth["columns"]), int(example.truth["rows"])
    return VIEWS[str(example.game)].cells


def corner_error(rng: np.random.Generator, corners: Array, cells: tuple[int, int]) -> Array:
    """What the locator gets wrong: mostly a few hundredths of a cell, sometimes more, in part common to all corners."""
    across = np.linalg.norm(corners[1] - corners[0]) / cells[0]
    amount = across * rng.choice([0.02, 0.05, 0.1], p=[0.5, 0.35, 0.15])
    return np.asarray(rng.normal(0, amount, (4, 2)) + rng.normal(0, amount / 2, (1, 2)))


def vary(board: Picture, rng: np.random.Generator) -> Picture:
    """Other exposure, contrast, white balance, sharpness and noise; the same for all planes of a board."""
    planes = board.shape[2] // 3
    gain = np.exp(rng.normal(0, 0.18)) * np.exp(rng.normal(0, 0.05, 3))
    gamma = float(np.exp(rng.normal(0, 0.12)))
    steps = np.arange(256, dtype=np.float64) / 255
    curves = 255 * np.clip(steps[None] ** gamma * gain[:, None], 0, 1)
    table = np.tile(curves.astype(np.uint8), (planes, 1))
    varied = np.stack([cv2.LUT(board[:, :, c], table[c]) for c in range(board.shape[2])], axis=2)
    if rng.random() < 0.25:
        varied = _softened(np.asarray(varied, dtype=np.uint8), float(rng.uniform(0.45, 0.9)))
    if rng.random() < 0.25:
        noise = rng.normal(0, rng.uniform(2, 10), varied.shape[:2])[..., None]
        varied = np.clip(varied + noise, 0, 255).astype(np.uint8)
    return np.asarray(varied, dtype=np.uint8)


def _softened(board: Picture, factor: float) -> Picture:
    """As if the photo had had that much less detail."""
    size = (board.shape[1], board.shape[0])
    planes = []
    for first in range(0, board.shape[2], 3):  # OpenCV reduces at most four channels at once
        small = cv2.resize(board[:, :, first : first + 3], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        planes.append(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    return np.asarray(np.concatenate(planes, axis=2), dtype=np.uint8)
