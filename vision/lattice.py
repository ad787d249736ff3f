"""Corners to a fraction of a cell: every cell says where it really lies, and one homography must explain them all.

Seams, ribs and squares all over the board take part, so a hidden corner costs nothing, and cells that are wrong
about their place (under a tower, in a reflection) are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding import Array, apply

# Cells that disagree with the others by more than this share of a cell do not count.
AGREES_WITHIN = 0.08
# With fewer cells than this in agreement nothing is moved.
LEAST_SHARE = 0.4
# A lattice looks the same one cell further: what would move a corner by more than this is not believed.
MOST_MOVED = 0.75
# Where the board is not where it was cut, a part of its cells may still tell where the lattice is. That can be tried.
MOST_TRIED = 4.0
LEAST_TRIED = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The corners in line with the cells, how far off the worst one was (in cells), and how many cells agree.

    Where they are too far off to be believed, the corners stay as they were.
    """

    corners: Array
    moved: float
    agreeing: float
    # Where the cells that agree would have the corners, if that is too far away to be believed unread.
    further: Array | None = None


def in_line(corners: Array, cells: tuple[int, int], shift: Array) -> Lattice:
    """Corners moved to where the cells say; ``shift`` is (2, rows, columns), in cells, as the network answers."""
    columns, rows = cells
    across, down = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    cut = np.stack([across.ravel(), down.ravel()], axis=1)
    true = cut + shift[:, :rows, :columns].reshape(2, -1).T
    # OpenCV's random choices start from the same seed in every call.
    found, agree = cv2.findHomography(cut, true, cv2.RANSAC, AGREES_WITHIN, maxIters=500)
    agreeing = 0.0 if found is None else float(agree.mean())
    if agreeing < LEAST_TRIED:
        return Lattice(corners, float("inf"), agreeing)
    outline = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float64)
    placed = apply(np.asarray(found, dtype=np.float64), outline)
    moved = float(np.linalg.norm(placed - outline, axis=1).max())
    to_photo = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
    in_photo = apply(np.asarray(to_photo, dtype=np.float64), placed)
    if moved <= MOST_MOVED and agreeing >= LEAST_SHARE:
        return Lattice(in_photo, moved, agreeing)
    return Lattice(corners, moved, agreeing, further=in_photo if moved <= MOST_TRIED else None)
