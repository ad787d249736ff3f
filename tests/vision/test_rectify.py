"""Rectified boards show each cell where it belongs, at every height and scale."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.pose import view_of
from vision.rectify import rectify

CELLS = (8, 10)
BOARD = (203.2, 254.0)


def photo_of_chessboard(scale: float) -> tuple[np.ndarray, np.ndarray]:
    """A slanted photo of a board whose cells have grey values by their place, and the corners in it."""
    values = (np.arange(80).reshape(10, 8) * 3 + 10).astype(np.uint8)
    flat = np.repeat(np.repeat(values, 40, axis=0), 40, axis=1)
    flat = np.stack([flat, 255 - flat, flat // 2], axis=2)
    corners = np.array([[120, 80], [520, 60], [600, 480], [60, 430]], float) * scale
    # Pixel centres again: the outer edge of a picture lies half a pixel outside of its first centre.
    source = np.array([[-0.5, -0.5], [319.5, -0.5], [319.5, 399.5], [-0.5, 399.5]])
    homography, _ = cv2.findHomography(source, corners)
    photo = cv2.warpPerspective(flat, homography, (round(640 * scale), round(520 * scale)))
    return photo, corners


@pytest.mark.parametrize("scale", [1.0, 2.0, 5.0])
def test_cells_come_out_in_place(scale: float) -> None:
    photo, corners = photo_of_chessboard(scale)
    view = view_of(corners, BOARD, (photo.shape[1], photo.shape[0]), None)
    board = rectify(photo, view, CELLS, 32, (0.0,), margin_px=16)
    assert board.shape == (10 * 32 + 32, 8 * 32 + 32, 3)
    for row in range(10):
        for column in range(8):
            cell = board[16 + row * 32 + 8 : 16 + row * 32 + 24, 16 + column * 32 + 8 : 16 + column * 32 + 24, 0]
            assert abs(int(np.median(cell)) - ((row * 8 + column) * 3 + 10)) <= 2


def test_a_tip_stands_in_its_lot_on_its_own_plane() -> None:
    photo, corners = photo_of_chessboard(2.0)
    photo[:] = 40
    view = view_of(corners, BOARD, (photo.shape[1], photo.shape[0]), None)
    tip = np.array([[3.5 * 25.4, 6.5 * 25.4, 44.5]])
    x, y = view.project(tip)[0]
    cv2.circle(photo, (round(x), round(y)), 5, (255, 255, 255), -1)
    planes = rectify(photo, view, CELLS, 32, (0.0, 44.5))
    on_ground, on_top = (np.argwhere(planes[:, :, 3 * k] > 200).mean(axis=0) / 32 for k in (0, 1))
    assert on_top == pytest.approx([6.5, 3.5], abs=0.06)
    assert np.abs(on_ground - [6.5, 3.5]).max() > 0.2
