"""Corners that cannot be a board's are told apart, and those of rendered boards are never doubted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labels.corners import corner_problems, corners_of
from vision.pose import USUAL_FOCAL

NW, NE, SE, SW = [40.0, 20.0], [150.0, 30.0], [160.0, 130.0], [30.0, 120.0]
WIDE = (200, 160)


def kinds(corners: list[list[float]], size: tuple[int, int] = WIDE, cells: tuple[int, int] = (6, 6)) -> list[str]:
    return [kind for kind, _ in corner_problems(np.array(corners, dtype=np.float64), size, cells)]


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        ([NW, NE, SE, SW], []),
        ([NW, SW, SE, NE], ["corners-anticlockwise"]),  # mirrored
        ([NW, NE, SW, SE], ["corners-order"]),  # read like a book: the lines cross
        ([NW, SE, NE, SW], ["corners-order"]),
        ([NW, NE, [70.0, 60.0], SW], ["corners-not-convex"]),  # one inside the others
        ([NW, NE, NE, SW], ["corners-invalid"]),  # one point twice
        ([NW, NE, [260.0, 130.0], SW], ["corners-outside"]),
        ([[-1.0, 20.0], NE, SE, SW], []),  # a little outside is how people crop
        ([[x * 2, y * 2] for x, y in (NW, NE, SE, SW)], ["corners-outside"]),  # the photo was halved
        ([SW, NW, NE, SE], ["corners-turned"]),  # a square board may be named from any side, but it is worth a look
        ([SE, SW, NW, NE], ["corners-turned"]),
    ],
)
def test_what_is_wrong(corners: list[list[float]], expected: list[str]) -> None:
    assert kinds(corners) == expected


def test_corners_of_a_photo_that_was_turned_upright() -> None:
    lying = [[30.0, 20.0], [140.0, 20.0], [140.0, 190.0], [30.0, 190.0]]  # inside of 160 x 200
    assert kinds(lying) == ["size-mismatch"]
    ((_, told),) = corner_problems(np.array(lying), WIDE, (6, 6))
    assert "160 x 200" in told


def test_an_oblong_board_that_begins_in_the_wrong_corner() -> None:
    tall = [[50.0, 20.0], [130.0, 20.0], [130.0, 120.0], [50.0, 120.0]]
    assert kinds(tall, cells=(8, 10)) == []
    assert kinds(tall[1:] + tall[:1], cells=(8, 10)) == ["corners-order"]
    assert kinds(tall[2:] + tall[:2], cells=(8, 10)) == ["corners-turned"]


@pytest.mark.parametrize(
    "value",
    [
        "corners",
        [],
        [NW, NE, SE],
        [NW, NE, SE, SW, NW],
        [NW, NE, SE, [1, "2"]],
        [NW, NE, SE, [1]],
        [NW, NE, SE, [1, True]],
        [NW, NE, SE, [1, float("nan")]],
        [NW, NE, SE, {"x": 1, "y": 2}],
    ],
)
def test_what_is_no_corners(value: object) -> None:
    assert corners_of(value) is None


def test_whole_numbers_are_fine() -> None:
    found = corners_of([[1, 2], [3, 4], [5, 6], [7, 8]])
    assert found is not None
    assert found.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]


VIEWS = {"turn": st.floats(-40, 40), "lean": st.floats(-180, 180), "focal": st.floats(0.55, 1.3)}


@given(tilt=st.floats(0, 40), cells=st.sampled_from([(8, 10), (5, 6), (6, 6), (20, 20)]), **VIEWS)
def test_boards_as_cameras_see_them_are_never_called_wrong(
    tilt: float, turn: float, lean: float, focal: float, cells: tuple[int, int]
) -> None:
    """Up to forty degrees off the vertical and with any usual lens, though the lens is not told."""
    corners = photographed(cells, tilt, turn, lean, focal)
    found = {kind for kind, _ in corner_problems(corners, PHOTO, cells)}
    assert found <= {"corners-turned"}


@given(tilt=st.floats(0, 15), cells=st.sampled_from([(8, 10), (5, 6)]), **VIEWS)
def test_oblong_boards_from_above_that_begin_in_the_wrong_corner_are_found(
    tilt: float, turn: float, lean: float, focal: float, cells: tuple[int, int]
) -> None:
    corners = np.roll(photographed(cells, tilt, turn, lean, focal), 1, axis=0)
    assert [kind for kind, _ in corner_problems(corners, PHOTO, cells)] == ["corners-order"]


PHOTO = (1600, 1200)


def photographed(cells: tuple[int, int], tilt: float, turn: float, lean: float, focal: float) -> np.ndarray:
    """The corners of a board that lies turned under a camera which looks down, leaning one way."""
    columns, rows = cells
    board = np.array([[-columns, -rows, 0], [columns, -rows, 0], [columns, rows, 0], [-columns, rows, 0]]) / 2
    turned = board @ _about("z", turn).T @ _about("z", lean).T @ _about("x", tilt).T @ _about("z", -lean).T
    seen = turned + np.array([0, 0, 2.6 * max(cells) * focal / USUAL_FOCAL])
    return np.asarray(seen[:, :2] / seen[:, 2:] * focal * PHOTO[0] + (np.array(PHOTO) - 1) / 2)


def _about(axis: str, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    if axis == "z":
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
