"""Views: the lens model is OpenCV's, and what is drawn stays within its promised bounds."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.synth.camera import (
    LEAST_SHARE,
    MOST_SHARE,
    MOST_TILT,
    overscan_for,
    project,
    project_pinhole,
    sample_camera,
    share_of_frame,
    tilt_of,
    undistort,
)

BOARDS = {"alien-city": (203, 254), "city-blocks": (400, 400), "small sprawl": (125, 150)}
SIZES = {"landscape": (1024, 768), "portrait": (768, 1024), "square": (880, 880), "wide": (1184, 664)}


def cameras(corners_of, board, size, count=60, seed=5):
    rng = np.random.default_rng(seed)
    corners = corners_of(*BOARDS[board])
    return corners, [sample_camera(rng, corners, SIZES[size]) for _ in range(count)]


def test_straight_down_a_millimetre_is_a_pixel(overhead):
    # x east is right, y north is up, and the origin is the middle between the four central pixels
    seen = project(overhead, np.array([[0, 0, 0], [100, 0, 0], [0, 50, 0], [0, 0, 250]]))
    assert seen == pytest.approx(np.array([[199.5, 149.5], [299.5, 149.5], [199.5, 99.5], [199.5, 149.5]]))


def test_a_point_nearer_to_the_eye_moves_outwards(overhead):
    low, high = project(overhead, np.array([[100, 0, 0], [100, 0, 44.5]]))
    assert high[0] - 199.5 == pytest.approx(100 * 500 / (500 - 44.5))
    assert low[0] < high[0]


def test_no_points_are_no_pixels(overhead):
    assert project(overhead, np.zeros((0, 3))).shape == (0, 2)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("board", BOARDS)
def test_views_keep_their_promises(corners_of, board, size):
    corners, views = cameras(corners_of, board, size)
    for view in views:
        seen = project(view, corners)
        assert (seen >= 0).all()
        assert (seen <= np.array([view.width, view.height]) - 1).all()
        assert LEAST_SHARE - 0.005 <= share_of_frame(view, corners) <= MOST_SHARE + 0.005
        assert 0 <= tilt_of(view) <= MOST_TILT + 1e-6
        assert view.position[2] > 0
        assert np.linalg.det(view.rotation) == pytest.approx(1.0)
        assert view.rotation @ view.rotation.T == pytest.approx(np.eye(3), abs=1e-9)
        assert 3.0 <= view.aperture_mm <= 5.0
        assert view.overscan >= 1.0


def test_projection_is_opencvs(corners_of):
    corners, views = cameras(corners_of, "alien-city", "landscape", 5)
    for view in views:
        turn, _ = cv2.Rodrigues(view.rotation)
        expected, _ = cv2.projectPoints(corners, turn, view.translation, view.matrix, view.distortion)
        assert project(view, corners) == pytest.approx(expected.reshape(-1, 2), abs=1e-9)


def test_views_vary(corners_of):
    corners, views = cameras(corners_of, "alien-city", "landscape", 300)
    seen = np.array([project(view, corners) for view in views])
    tilts = [tilt_of(view) for view in views]
    assert np.histogram(tilts, bins=7, range=(0, 35))[0].min() >= 20  # no gap between 0 and 35
    shares = [share_of_frame(view, corners) for view in views]
    assert min(shares) < 0.25
    assert max(shares) > 0.75
    north = seen[:, :2].mean(axis=1) - seen.mean(axis=1)
    headings = np.degrees(np.arctan2(north[:, 0], -north[:, 1])) % 360
    assert np.histogram(headings, bins=12, range=(0, 360))[0].min() >= 3  # from every side, also slantwise
    assert (seen.mean(axis=1) / (1024, 768)).std(axis=0).min() > 0.04  # off-centre
    to_the_edge = np.minimum(seen, (1023, 767) - seen).min(axis=(1, 2))
    assert (to_the_edge < 6).mean() > 0.05  # a corner that nearly touches
    bent = [abs(view.distortion[0]) for view in views]
    assert np.percentile(bent, [50, 97]) == pytest.approx([0.013, 0.07], rel=0.5)


def test_far_things_are_mostly_at_the_top(corners_of):
    """People lean over the table from their side: what is straight below the phone is low in the picture."""
    _, views = cameras(corners_of, "alien-city", "landscape", 200)
    below = np.array([view.rotation @ (0.0, 0.0, -1.0) for view in views])
    tilted = np.array([tilt_of(view) > 5 for view in views])
    assert 0.7 < (below[tilted, 1] > 0).mean() < 0.95  # y grows downwards
    assert (np.abs(below[tilted, 0]) > np.abs(below[tilted, 1])).mean() > 0.05  # but some hold it sideways


def test_most_views_hold_the_border_too(corners_of):
    """Of 120 views of a board with a broad border about 15 % may cut it; none cuts the field."""
    rng = np.random.default_rng(8)
    field, whole = corners_of(300, 300), corners_of(400, 400)
    views = [sample_camera(rng, field, (1024, 768), around=whole) for _ in range(120)]
    for view in views:
        assert (project(view, field) >= 0).all()
        assert share_of_frame(view, field) >= LEAST_SHARE - 0.005
    cut = [((project(view, whole) < 0) | (project(view, whole) > (1023, 767))).any() for view in views]
    assert 0.02 < np.mean(cut) < 0.16


def test_the_same_seed_gives_the_same_view(corners_of):
    (_, first), (_, second) = (cameras(corners_of, "alien-city", "landscape", 3) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert (one.matrix == other.matrix).all()
        assert (one.translation == other.translation).all()
        assert one.focus_mm == other.focus_mm


def test_a_board_that_cannot_fill_enough_is_refused(corners_of):
    with pytest.raises(ValueError, match="fills at least 90%"):
        sample_camera(np.random.default_rng(0), corners_of(400, 20), (400, 400), shares=(0.9, 0.95))


@pytest.mark.parametrize(
    "distortion",
    [
        (0.0, 0.0, 0.0, 0.0, 0.0),  # a pinhole
        (-0.09, 0.01, 0.0005, -0.0005, 0.0),  # barrel: the pinhole picture must be larger
        (0.09, 0.0, 0.0, 0.0, 0.0),  # cushion: the photo shows less than the pinhole picture
    ],
)
def test_undistorting_undoes_the_lens(overhead, distortion):
    camera = replace(overhead, distortion=np.array(distortion))
    world = np.array([[x, y, 0.0] for x in (-190, -60, 0, 170) for y in (-140, 20, 145)], dtype=np.float64)
    pinhole = project_pinhole(camera, world)
    assert undistort(camera.matrix, camera.distortion, project(camera, world)) == pytest.approx(pinhole, abs=1e-6)


@pytest.mark.parametrize("k1", [-0.09, -0.02, 0.0, 0.05])
def test_the_overscan_holds_all_that_the_lens_needs(overhead, k1):
    distortion = np.array([k1, 0.0, 0.0, 0.0, 0.0])
    overscan = overscan_for(overhead.matrix, distortion, (400, 300))
    camera = replace(overhead, distortion=distortion, overscan=overscan)
    edges = np.array([[-0.5, -0.5], [399.5, -0.5], [399.5, 299.5], [-0.5, 299.5], [199.5, -0.5], [-0.5, 149.5]])
    shift = (np.array(camera.pinhole_size) - (400, 300)) / 2
    needed = undistort(camera.matrix, distortion, edges) + shift
    assert (needed >= -0.5).all()
    assert (needed <= np.array(camera.pinhole_size) - 0.5).all()
    assert overscan < 1.1  # and not much more than that
