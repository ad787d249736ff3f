"""What finding a board needs to agree on between training and reading: sizes, margins, and the small pictures."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

# The locator sees the whole photo in a square of this many pixels and answers on a grid of a quarter of it.
LOCATOR_SIDE = 320
LOCATOR_STRIDE = 4

# The aligner sees the board, roughly rectified, with this much of a side around it.
ALIGNER_SIDE = 256
ALIGNER_MARGIN = 0.15

# Boards that Sprawl is played on, columns x rows.
SPRAWL_SIZES = ((5, 6), (6, 5), (6, 6), (8, 8))
# What the aligner is asked beside the corners: which game (or none), which side is long, which board size.
ALIGNER_ANSWERS = {"game": 4, "lying": 2, "size": len(SPRAWL_SIZES)}
# Its maps of corners are this much coarser than its picture.
ALIGNER_STRIDE = 4

UNIT_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)


def letterbox(pixels: Picture, side: int = LOCATOR_SIDE) -> tuple[Picture, float]:
    """The photo in the top left of a grey square, and the square's pixels for each of the photo's."""
    height, width = pixels.shape[:2]
    scale = side / max(width, height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    square = np.full((side, side, 3), 114, np.uint8)
    square[: size[1], : size[0]] = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return square, scale


def to_unit(quad: Array) -> Array:
    """The homography that brings the corners of a quad to the unit square."""
    found = cv2.getPerspectiveTransform(quad.astype(np.float32), UNIT_CORNERS.astype(np.float32))
    return np.asarray(found, dtype=np.float64)


def apply(homography: Array, points: Array) -> Array:
    """Points (N, 2) through a homography."""
    mapped = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def area(quad: Array) -> float:
    """The area of a quad that does not cross itself."""
    x, y = quad.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def aligner_view(pixels: Picture, quad: Array) -> Picture:
    """What the aligner sees of a quad: the unit square in the middle, the margin around it."""
    inner = ALIGNER_SIDE / (1 + 2 * ALIGNER_MARGIN)
    edge = ALIGNER_SIDE * ALIGNER_MARGIN / (1 + 2 * ALIGNER_MARGIN)
    place = np.array([[inner, 0, edge - 0.5], [0, inner, edge - 0.5], [0, 0, 1.0]])
    shrink = _pre_reduction(quad, inner)
    source = pixels
    if shrink < 1:
        source = np.asarray(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    homography = place @ to_unit(quad) @ np.diag([1 / shrink, 1 / shrink, 1.0])
    warped = cv2.warpPerspective(
        source, homography, (ALIGNER_SIDE, ALIGNER_SIDE), borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114)
    )
    return np.asarray(warped, dtype=np.uint8)


def aligner_grid() -> Array:
    """The places of the aligner's map pixels, row by row, in units of the board: (0, 0) is its first corner."""
    number = ALIGNER_SIDE // ALIGNER_STRIDE
    centres = (np.arange(number) + 0.5) / number * (1 + 2 * ALIGNER_MARGIN) - ALIGNER_MARGIN
    across, down = np.meshgrid(centres, centres)
    return np.stack([across.ravel(), down.ravel()], axis=1)


def _pre_reduction(quad: Array, wanted: float) -> float:
    """How much to shrink the photo first, so that fine textures do not alias."""
    side = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())
    return min(1.0, 1.3 * wanted / max(side, 1.0))
