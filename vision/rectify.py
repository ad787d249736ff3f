"""The board from straight above, once for each height: a tip is in its lot on the plane of its own height."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pose import View

Picture = npt.NDArray[np.uint8]

# Reducing a photo by more than this at once would alias: take it from a smaller copy instead.
MOST_REDUCTION = 1.6


def rectify(
    pixels: Picture,
    view: View,
    cells: tuple[int, int],
    cell_px: int,
    heights: tuple[float, ...],
    margin_px: int = 0,
    frame: tuple[int, int] | None = None,
) -> Picture:
    """The board's planes at ``heights`` (in the view's unit), ``cell_px`` pixels a cell, stacked as channels.

    ``frame`` is the size of the picture in cells where it is to be larger than the board, which then lies in its
    north-west; a margin comes around that. Returns (height, width, 3 * len(heights)).
    """
    columns, rows = cells
    wide, high = frame or cells
    size = (wide * cell_px + 2 * margin_px, high * cell_px + 2 * margin_px)
    across, down = view.size[0] / (columns * cell_px), view.size[1] / (rows * cell_px)
    # The centre of the picture's first pixel lies half a pixel inside of its edge.
    to_view = np.array([[across, 0, (0.5 - margin_px) * across], [0, down, (0.5 - margin_px) * down], [0, 0, 1.0]])
    source, shrink = _reduced(pixels, view, cells, cell_px)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    planes = [
        cv2.warpPerspective(
            source, shrink @ view.plane(height) @ to_view, size, flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        for height in heights
    ]
    return np.concatenate([np.asarray(plane, dtype=np.uint8) for plane in planes], axis=2)


def _reduced(
    pixels: Picture, view: View, cells: tuple[int, int], cell_px: int
) -> tuple[Picture, npt.NDArray[np.float64]]:
    """The photo at about the size that is needed, and the matrix from its pixels to the smaller one's."""
    corners = view.project(
        np.array([[0, 0, 0], [view.size[0], 0, 0], [view.size[0], view.size[1], 0], [0, view.size[1], 0]], float)
    )
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    wanted = cell_px * np.array([cells[0], cells[1], cells[0], cells[1]])
    reduction = float((sides / wanted).mean())
    if reduction <= MOST_REDUCTION:
        return pixels, np.eye(3)
    factor = 1.0 / reduction
    height, width = pixels.shape[:2]
    small = cv2.resize(
        pixels, (max(1, round(width * factor)), max(1, round(height * factor))), interpolation=cv2.INTER_AREA
    )
    across, down = small.shape[1] / width, small.shape[0] / height
    # Pixel centres: x' + 1/2 = (x + 1/2) * factor.
    shrink = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
    return np.asarray(small, dtype=np.uint8), shrink
