"""Poses from corners, checked against a camera whose pose is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.pose import USUAL_FOCAL, View, view_of

BOARD = (203.2, 254.0)
PHOTO = (1600, 1200)


def camera(tilt: float, turn: float, lean: float, focal: float, distance: float) -> View:
    """A camera above the board's middle, tilted by ``tilt`` degrees towards ``lean``, the board turned by ``turn``."""
    t, a, b = np.radians([tilt, turn, lean])
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    swing = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    tilted = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    down = np.diag([1.0, 1.0, -1.0])  # z up in the world is towards the camera
    rotation = swing @ tilted @ swing.T @ about_z @ down
    middle = np.array([BOARD[0] / 2, BOARD[1] / 2, 0])
    translation = np.array([0, 0, distance]) - rotation @ middle
    matrix = np.array([[focal, 0, (PHOTO[0] - 1) / 2], [0, focal, (PHOTO[1] - 1) / 2], [0, 0, 1]])
    ground = matrix @ np.stack([rotation[:, 0], rotation[:, 1], translation], axis=1)
    return View(ground, matrix @ rotation[:, 2], rotation, focal, BOARD)


def corners_of(view: View) -> np.ndarray:
    east, south = view.size
    return view.project(np.array([[0, 0, 0], [east, 0, 0], [east, south, 0], [0, south, 0]], float))


TIPS = np.array([[x, y, z] for x in (12.7, 100, 190) for y in (12.7, 120, 240) for z in (0.0, 4.0, 44.5, 60.0)])

views = st.builds(
    camera,
    tilt=st.floats(0, 35),
    turn=st.floats(0, 360),
    lean=st.floats(0, 360),
    focal=st.floats(900, 2400),
    distance=st.floats(350, 900),
)


@given(views)
@settings(max_examples=200, deadline=None)
def test_a_known_focal_length_gives_the_pose(truth: View) -> None:
    found = view_of(corners_of(truth), BOARD, PHOTO, truth.focal)
    assert np.abs(found.project(TIPS) - truth.project(TIPS)).max() < 0.05
    assert found.tilt == pytest.approx(truth.tilt, abs=0.05)


@pytest.mark.parametrize("lean", [0, 30, 45, 90, 200])
@pytest.mark.parametrize("tilt", [15, 25, 35])
def test_a_slanted_photo_tells_its_focal_length(tilt: float, lean: float) -> None:
    truth = camera(tilt, 20, lean, 1500, 450)
    found = view_of(corners_of(truth), BOARD, PHOTO, None)
    assert found.focal == pytest.approx(1500, rel=0.02)
    assert np.abs(found.project(TIPS) - truth.project(TIPS)).max() < 1


def test_a_frontal_photo_gets_the_usual_focal_length() -> None:
    found = view_of(corners_of(camera(0, 77, 0, 1500, 500)), BOARD, PHOTO, None)
    assert found.focal == USUAL_FOCAL * 1600


@given(views, st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_tips_stay_close_when_corners_are_a_little_off(truth: View, seed: int) -> None:
    lot = np.linalg.norm(np.diff(corners_of(truth)[:2], axis=0)) / 8
    noise = np.random.default_rng(seed).uniform(-0.04, 0.04, (4, 2)) * lot
    found = view_of(corners_of(truth) + noise, BOARD, PHOTO, truth.focal)
    assert np.abs(found.project(TIPS) - truth.project(TIPS)).max() < 0.4 * lot


def test_corners_are_exact_even_where_no_camera_fits() -> None:
    corners = np.array([[100.0, 90], [900, 60], [1000, 1000], [30, 800]])
    assert corners_of(view_of(corners, BOARD, PHOTO, 1200.0)) == pytest.approx(corners)


def test_planes_are_the_projection_at_their_height() -> None:
    view = camera(20, 10, 50, 1300, 500)
    plane = view.plane(44.5) @ np.array([100.0, 50.0, 1.0])
    assert plane[:2] / plane[2] == pytest.approx(view.project(np.array([[100.0, 50.0, 44.5]]))[0])
