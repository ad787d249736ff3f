"""Training pictures for the networks that find boards."""

from __future__ import annotations

import cv2
import numpy as np

from vision.boards import GAMES
from vision.finding import (
    LOCATOR_SIDE,
    LOCATOR_STRIDE,
    SPRAWL_SIZES,
    UNIT_CORNERS,
    Array,
    Picture,
    aligner_view,
    apply,
    to_unit,
)
from vision.photo import Photo
from vision.training.examples import Example
from vision.training.samples import vary
from vision.training.tables import on_another_table, table

# Photos for finding are read small: the nets see at most 320 pixels a side.
LOCATOR_WORKING_SIDE = 480
ALIGNER_WORKING_SIDE = 800
NO_BOARD = len(GAMES)
# How often a board lies on a drawn table, a negative is nothing but one, and colours are turned to others.
ANOTHER_TABLE = 0.5
AN_EMPTY_TABLE = 0.25
OTHER_COLOURS = 0.15
# How often two boards lie side by side, an outline holds only a part of a board, and one lies on something that only
# looks like a board.
TWO_BOARDS = 0.06
A_PART = 0.06
ON_A_DECOY = 0.75


def locator_sample(example: Example, rng: np.random.Generator) -> tuple[Picture, dict[str, Array]]:
    """A small photo, randomly turned, mirrored, zoomed and shifted, with the board's mask and corners."""
    photo = example.photo(LOCATOR_WORKING_SIDE)
    pixels = _somewhere_else(photo, example, rng)
    boards = [] if example.game is None else [photo.from_full(example.corners)]
    if rng.random() < TWO_BOARDS:
        pixels, boards = _beside_itself(pixels, boards)
    matrix = _random_view(rng, pixels.shape[1], pixels.shape[0])
    small = cv2.warpAffine(
        pixels, matrix, (LOCATOR_SIDE, LOCATOR_SIDE), flags=cv2.INTER_AREA, borderValue=(114, 114, 114)
    )
    side = LOCATOR_SIDE // LOCATOR_STRIDE
    mask = np.zeros((side, side), np.uint8)
    heat = np.zeros((side, side), np.float64)
    for corners in boards:
        placed = np.concatenate([corners, np.ones((4, 1))], axis=1) @ matrix.T
        on_grid = (placed + 0.5) / LOCATOR_STRIDE - 0.5
        cv2.fillConvexPoly(mask, np.round(on_grid * 16).astype(np.int32), 1 + GAMES.index(str(example.game)), shift=4)
        heat = np.maximum(heat, _heat(on_grid, side))
    return vary(np.asarray(small, np.uint8), rng), {"masks": mask.astype(np.int64), "corners": heat}


def aligner_sample(example: Example, rng: np.random.Generator) -> tuple[Picture, dict[str, Array]]:
    """A roughly rectified board and how far its corners are off; on negatives any quad, which is no board."""
    photo = example.photo(ALIGNER_WORKING_SIDE)
    pixels = _somewhere_else(photo, example, rng)
    labels = {
        "offsets": np.zeros(8),
        "game": np.array(NO_BOARD),
        "lying": np.array(-1),
        "size": np.array(-1),
    }
    if example.game is None:
        quad = _no_board(example, photo, rng)
    elif rng.random() < A_PART:
        quad = _part_of(photo.from_full(example.corners), rng)
    else:
        roll = int(rng.integers(4))
        true = np.roll(photo.from_full(example.corners), -roll, axis=0)
        amount = _side(true) * rng.choice([0.004, 0.015, 0.04, 0.08], p=[0.2, 0.3, 0.35, 0.15])
        quad = true + rng.normal(0, amount, (4, 2)) + rng.normal(0, amount / 2, (1, 2))
        labels["offsets"] = (apply(to_unit(quad), true) - UNIT_CORNERS).ravel()
        labels["game"] = np.array(GAMES.index(example.game))
        if example.game == "alien-city":
            labels["lying"] = np.array(roll % 2)
        elif example.game == "sprawl":
            size = int(example.truth["columns"]), int(example.truth["rows"])
            size = size[::-1] if roll % 2 else size
            labels["size"] = np.array(SPRAWL_SIZES.index(size) if size in SPRAWL_SIZES else -1)
    return vary(aligner_view(pixels, quad), rng), labels


def _somewhere_else(photo: Photo, example: Example, rng: np.random.Generator) -> Picture:
    """The photo as it is, or its board on another table, sometimes in colours that no board has."""
    pixels = photo.pixels
    draw = rng.random()
    if example.game is None and draw < AN_EMPTY_TABLE:
        pixels = table(rng, pixels.shape[1], pixels.shape[0])
    elif example.game is not None and draw < ANOTHER_TABLE:
        pixels = on_another_table(pixels, photo.from_full(example.corners), rng)
    if rng.random() < OTHER_COLOURS:
        turned = cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV)
        turned[..., 0] = (turned[..., 0].astype(np.int16) + int(rng.integers(180))) % 180
        pixels = np.asarray(cv2.cvtColor(turned, cv2.COLOR_HSV2RGB), dtype=np.uint8)
    return pixels


def _beside_itself(pixels: Picture, boards: list[Array]) -> tuple[Picture, list[Array]]:
    """The photo and its mirror image side by side, along its shorter side: two boards."""
    height, width = pixels.shape[:2]
    upright = height > width
    both = np.concatenate([pixels, pixels[:, ::-1] if upright else pixels[::-1]], axis=1 if upright else 0)
    far = np.array([2 * width - 1.0, 0.0]) if upright else np.array([0.0, 2 * height - 1.0])
    flip = np.array([-1, 1]) if upright else np.array([1, -1])
    return both, [*boards, *(far + corners * flip for corners in boards)]


def _no_board(example: Example, photo: Photo, rng: np.random.Generator) -> Array:
    """Any outline on a negative, mostly that of what might be taken for a board."""
    decoy = example.truth.get("decoy")
    if decoy is None or rng.random() > ON_A_DECOY:
        height, width = photo.pixels.shape[:2]
        return _any_quad(rng, width, height)
    quad = np.roll(photo.from_full(np.array(decoy, dtype=np.float64)), -int(rng.integers(4)), axis=0)
    return np.asarray(quad + rng.normal(0, rng.choice([0.004, 0.02, 0.06]) * _side(quad), (4, 2)))


def _part_of(corners: Array, rng: np.random.Generator) -> Array:
    """The outline of at most three quarters of a board: one side of it is moved far in, perhaps its neighbour, too."""
    inner = UNIT_CORNERS.copy()
    inner[:2, 1] += rng.uniform(0.25, 0.6)
    if rng.random() < 0.5:
        inner[[1, 2], 0] -= rng.uniform(0.0, 0.5)
    quad = apply(np.asarray(np.linalg.inv(to_unit(corners)), dtype=np.float64), inner)
    return np.roll(quad + rng.normal(0, 0.02 * _side(quad), (4, 2)), -int(rng.integers(4)), axis=0)


def _side(quad: Array) -> float:
    """The mean length of a quad's sides."""
    return float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())


def _random_view(rng: np.random.Generator, width: int, height: int) -> Array:
    """The photo, letterboxed as at reading time, then turned, mirrored, zoomed and shifted."""
    scale = LOCATOR_SIDE / max(width, height)
    matrix = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]])
    middle = np.array([[1, 0, -scale * width / 2], [0, 1, -scale * height / 2], [0, 0, 1.0]])
    angle = np.radians(90 * rng.integers(4) + rng.normal(0, 8))
    zoom = float(np.exp(rng.normal(0, 0.15)))
    cos, sin = zoom * np.cos(angle), zoom * np.sin(angle)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0, 1.0])
    shift = rng.normal(0, 0.04, 2) * LOCATOR_SIDE + LOCATOR_SIDE / 2
    back = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])
    return np.asarray((back @ turn @ mirror @ middle @ matrix)[:2])


def _heat(corners: Array, side: int, spread: float = 1.5) -> Array:
    """One at every corner, falling off around it."""
    y, x = np.mgrid[:side, :side]
    bumps = [np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * spread**2)) for cx, cy in corners]
    return np.asarray(np.max(bumps, axis=0))


def _any_quad(rng: np.random.Generator, width: int, height: int) -> Array:
    """A tilted rectangle somewhere in the photo."""
    reach = min(width, height) * rng.uniform(0.3, 0.95) / 2
    angle = rng.uniform(0, 2 * np.pi)
    ratio = rng.uniform(0.7, 1.0)
    box = np.array([[-1, -ratio], [1, -ratio], [1, ratio], [-1, ratio]]) * reach * 0.8
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    return np.asarray(box @ turn.T + middle + rng.normal(0, 0.04 * reach, (4, 2)))
