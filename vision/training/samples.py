"""Training pictures, cut by the code that reads photos, with the errors that it makes: corners and focal length
are off as they are at reading time, and light and colours vary beyond what the photos already do."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards import BoardView
from vision.finding import apply
from vision.pose import view_of
from vision.rectify import rectify
from vision.synth.turning import field_size
from vision.training.examples import Array, Example
from vision.training.labels import labels_of, mirrored, turned

Picture = npt.NDArray[np.uint8]
# Right answers by question, and ``shift``, which is measured in cells.
Answers = dict[str, npt.NDArray[np.int64] | npt.NDArray[np.float32]]

# Photos come at this size or larger; a cell has its pixels even where the board is small.
WORKING_SIDE = 1200
MIRRORED = 0.35
USUAL_SQUARE_MM = 40.0


def board_sample(view: BoardView, example: Example, rng: np.random.Generator) -> tuple[Picture, Answers]:
    """A rectified board as the reader would cut it, seen from any side or in a mirror, and what it shows."""
    photo = example.photo(WORKING_SIDE)
    cells = board_size(example)
    pixels, true, labels = photo.pixels, photo.from_full(example.corners), labels_of(example)
    height, width = pixels.shape[:2]
    if rng.random() < MIRRORED:
        pixels, labels = np.ascontiguousarray(pixels[:, ::-1]), mirrored(view.game, labels, cells)
        true = (np.array([width - 1.0, 0.0]) + true * [-1, 1])[[1, 0, 3, 2]]
    quarters = int(rng.integers(4)) if cells[0] == cells[1] else 2 * int(rng.integers(2))
    true = np.roll(true, -quarters, axis=0)
    corners = true + corner_error(rng, true, cells)
    focal = None
    if example.focal is not None and rng.random() < 0.6:
        focal = example.focal / photo.scale * float(np.exp(rng.normal(0, 0.03)))
    seen = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), focal)
    board = rectify(pixels, seen, cells, view.cell_px, view.heights, view.margin_px, frame=view.cells)
    answers: Answers = dict(turned(view.game, labels, quarters, cells))
    answers["shift"] = shifts(corners, true, cells, view.cells)
    if view.scaled:
        answers["scale"] = _scales(example, cells, view.cells)
    return vary(board, rng), answers


def shifts(corners: Array, true: Array, cells: tuple[int, int], frame: tuple[int, int]) -> npt.NDArray[np.float32]:
    """How far, in cells, the middle of each cell lies from where it is cut with these corners; NaN beyond the board."""
    columns, rows = cells
    outline = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32)
    to_cut = cv2.getPerspectiveTransform(corners.astype(np.float32), outline)
    to_photo = cv2.getPerspectiveTransform(outline, true.astype(np.float32))
    across, down = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    middles = np.stack([across.ravel(), down.ravel()], axis=1)
    moved = apply(np.asarray(to_cut @ to_photo, dtype=np.float64), middles) - middles
    found = np.full((2, frame[1], frame[0]), np.nan, np.float32)
    found[:, :rows, :columns] = moved.T.reshape(2, rows, columns)
    return found


def _scales(example: Example, cells: tuple[int, int], frame: tuple[int, int]) -> npt.NDArray[np.float32]:
    """How large a square is, as a logarithm of the usual size, for every cell of the board; NaN beyond and unknown."""
    found = np.full((1, frame[1], frame[0]), np.nan, np.float32)
    corners = example.truth.get("world_corners")
    if corners is not None:
        side = np.linalg.norm(np.subtract(corners[1], corners[0])) / int(example.truth["columns"])
        found[:, : cells[1], : cells[0]] = np.log(side / USUAL_SQUARE_MM)
    return found


def board_size(example: Example) -> tuple[int, int]:
    """Columns and rows of the board on a photo."""
    return field_size(example.truth)


def corner_error(rng: np.random.Generator, corners: Array, cells: tuple[int, int]) -> Array:
    """What finding gets wrong: mostly a few hundredths of a cell, sometimes more, in part common to all corners."""
    across = np.linalg.norm(corners[1] - corners[0]) / cells[0]
    amount = across * rng.choice([0.02, 0.06, 0.15, 0.3], p=[0.45, 0.3, 0.18, 0.07])
    return np.asarray(rng.normal(0, amount, (4, 2)) + rng.normal(0, amount / 2, (1, 2)))


def vary(board: Picture, rng: np.random.Generator) -> Picture:
    """Other exposure, contrast, colours, light, sharpness and noise; the same for all planes of a board."""
    varied = _toned(board, rng)
    if rng.random() < 0.6:
        varied = _lit(varied, rng)
    if rng.random() < 0.3:
        varied = _softened(varied, float(rng.uniform(0.4, 0.9)))
    elif rng.random() < 0.2:
        varied = _compressed(varied, int(rng.integers(25, 80)))
    if rng.random() < 0.3:
        noise = rng.normal(0, rng.uniform(2, 12), varied.shape[:2]).astype(np.float32)[..., None]
        varied = np.clip(varied + noise, 0, 255).astype(np.uint8)
    return varied


def _toned(board: Picture, rng: np.random.Generator) -> Picture:
    """Another exposure, white balance, contrast and saturation."""
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.07, 3))
    gamma = float(np.exp(rng.normal(0, 0.15)))
    steps = np.arange(256, dtype=np.float64) / 255
    curves = (255 * np.clip(steps[:, None] ** gamma * gain, 0, 1)).astype(np.uint8)
    saturation = float(rng.uniform(0.65, 1.35)) if rng.random() < 0.5 else 1.0
    grey = np.array([[0.299, 0.587, 0.114]] * 3)
    matrix = (saturation * np.eye(3) + (1 - saturation) * grey).astype(np.float32)
    planes = []
    for plane in _planes(board):
        toned = cv2.LUT(plane, curves[None])
        planes.append(toned if saturation == 1.0 else cv2.transform(toned, matrix))
    return np.asarray(np.concatenate(planes, axis=2), dtype=np.uint8)


def _lit(board: Picture, rng: np.random.Generator) -> Picture:
    """Light that falls off over the board, the edge of a shadow, or a reflection."""
    height, width = board.shape[:2]
    coarse = np.exp(rng.normal(0, rng.uniform(0.05, 0.3), (4, 4))).astype(np.float32)
    light = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    kind = rng.random()
    if kind < 0.25:  # somebody's shadow
        angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3) * width
        along = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle) - place
        light = light * (1 - rng.uniform(0.15, 0.6) / (1 + np.exp(-along / rng.uniform(1, 25))))
    lit = board.astype(np.float32) * light[..., None]
    if 0.25 <= kind < 0.45:  # a lamp mirrored in gloss
        cx, cy = rng.uniform(0, width), rng.uniform(0, height)
        reach = np.array([width, height]) * rng.uniform(0.04, 0.25, 2)
        spot = np.exp(-(((x - cx) / reach[0]) ** 2) - ((y - cy) / reach[1]) ** 2)
        lit += (rng.uniform(30, 160) * spot)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def _softened(board: Picture, factor: float) -> Picture:
    """As if the photo had had that much less detail."""
    size = (board.shape[1], board.shape[0])
    planes = []
    for plane in _planes(board):
        small = cv2.resize(plane, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        planes.append(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    return np.asarray(np.concatenate(planes, axis=2), dtype=np.uint8)


def _compressed(board: Picture, quality: int) -> Picture:
    """With the blocks of a hard compression."""
    planes = []
    for plane in _planes(board):
        _, code = cv2.imencode(".jpg", plane, [cv2.IMWRITE_JPEG_QUALITY, quality])
        planes.append(np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR)))
    return np.asarray(np.concatenate(planes, axis=2), dtype=np.uint8)


def _planes(board: Picture) -> list[Picture]:
    """OpenCV takes at most four channels at once."""
    return [np.ascontiguousarray(board[:, :, first : first + 3]) for first in range(0, board.shape[2], 3)]
