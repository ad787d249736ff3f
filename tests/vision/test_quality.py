"""Hints about photos: each fault is made, and found; a good photo has none."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.photo import Photo
from vision.pose import view_of
from vision.quality import could_be_corners, outline_hints, photo_hints, why_no_board, why_unreadable

Pixels = npt.NDArray[np.uint8]
CELLS = (8, 10)


def board(width: int = 1600, height: int = 1200) -> Pixels:
    """A chequered board on a plain table: sharp edges, middling light."""
    pixels = np.full((height, width, 3), 120, dtype=np.uint8)
    for row in range(10):
        for column in range(8):
            shade = 210 if (row + column) % 2 else 60
            y, x = 100 + row * 100, 400 + column * 100
            pixels[y : y + 100, x : x + 100] = shade
    return pixels


def kinds(pixels: Pixels) -> set[str]:
    height, width = pixels.shape[:2]
    return {hint.kind for hint in photo_hints(Photo(pixels, (width, height)))}


def test_a_good_photo_has_no_hints() -> None:
    assert kinds(board()) == set()


@pytest.mark.parametrize("sigma", [4.0, 8.0, 20.0])
def test_blur_is_found(sigma: float) -> None:
    assert "blurred" in kinds(np.asarray(cv2.GaussianBlur(board(), (0, 0), sigma), dtype=np.uint8))


def test_a_large_photo_is_not_blurred_for_being_large() -> None:
    large = cv2.resize(board(), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    assert kinds(np.asarray(large, dtype=np.uint8)) == set()


def test_darkness_is_found_and_not_taken_for_blur() -> None:
    assert kinds((board() * 0.2).astype(np.uint8)) == {"dark"}


def test_burnt_out_photos_are_found() -> None:
    assert "bright" in kinds(np.clip(board().astype(int) + 140, 0, 255).astype(np.uint8))


def outline_kinds(corners: list[list[float]], size: tuple[int, int] = (1600, 1200)) -> set[str]:
    photo = Photo(np.zeros((size[1], size[0], 3), dtype=np.uint8), size)
    return {hint.kind for hint in outline_hints(photo, np.array(corners, dtype=np.float64), CELLS)}


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        ([[400, 100], [1200, 100], [1200, 1100], [400, 1100]], set()),  # from straight above
        ([[400, -20], [1200, 100], [1200, 1100], [400, 1100]], {"cut-off"}),  # a corner outside
        ([[0, 100], [800, 100], [800, 1100], [0, 1100]], {"cut-off"}),  # a side on the edge of the photo
        ([[700, 500], [800, 500], [800, 625], [700, 625]], {"small"}),
    ],
)
def test_the_place_of_the_board_tells_its_faults(corners: list[list[float]], expected: set[str]) -> None:
    assert outline_kinds(corners) == expected


@pytest.mark.parametrize(("tilt", "slanted"), [(20, False), (50, False), (62, True), (72, True)])
def test_slanted_photos_are_found(tilt: float, slanted: bool) -> None:
    """The corners as a camera at that angle sees them."""
    angle = np.radians(tilt)
    focal, distance = 1200.0, 30.0
    corners = []
    for x, y in ((-4, -5), (4, -5), (4, 5), (-4, 5)):  # y to the south, the camera stands there
        depth = distance - y * np.sin(angle)
        corners.append([800 + focal * x / depth, 600 + focal * y * np.cos(angle) / depth])
    found = outline_kinds(corners)
    assert ("slanted" in found) == slanted
    view = view_of(np.array(corners), (8.0, 10.0), (1600, 1200), None)
    assert view.tilt == pytest.approx(tilt, abs=4)


def photo_of(pixels: Pixels) -> Photo:
    return Photo(pixels, (pixels.shape[1], pixels.shape[0]))


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (board(), "take the photo from above, with the whole board and some table around it."),  # nothing else to say
        (board()[:1, :1], "only 1 pixel;"),
        (board()[::20, ::20], "only 80 x 60 pixels"),
        (np.zeros_like(board()), "dark all over"),
        (np.full_like(board(), 255), "bright all over"),
        (np.full_like(board(), 128), "grey all over"),
        ((board() * 0.2).astype(np.uint8), "turn on more light"),
        (np.asarray(cv2.GaussianBlur(board(), (0, 0), 9.0)), "looks blurred"),
    ],
)
def test_why_no_board_was_found(pixels: Pixels, words: str) -> None:
    told = why_no_board(photo_of(np.ascontiguousarray(pixels)))
    assert told.startswith("no board was found; take the photo from above")
    assert words in told
    assert told.endswith(".")


@pytest.mark.parametrize(
    ("left", "told"),
    [(-100, True), (0, True), (60, False)],  # beyond the edge, on it, well inside
)
def test_a_suspected_board_at_the_edge_is_told(left: float, told: bool) -> None:
    quad = np.array([[left, 100], [700.0, 100], [700, 900], [left, 900]])
    assert ("reaches the edge" in why_no_board(photo_of(board()), [quad])) == told


def test_why_a_board_cannot_be_read() -> None:
    small = np.array([[700.0, 500], [800, 500], [800, 625], [700, 625]])
    large = np.array([[400.0, 100], [1200, 100], [1200, 1100], [400, 1100]])
    assert "go nearer" in why_unreadable(photo_of(board()), small, CELLS)
    assert "sharp and in even light" in why_unreadable(photo_of(board()), large, CELLS)
    assert "more light" in why_unreadable(photo_of((board() * 0.2).astype(np.uint8)), large, CELLS)


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        ([[400, 100], [1200, 100], [1200, 1100], [400, 1100]], True),
        ([[1200, 100], [1200, 1100], [400, 1100], [400, 100]], True),  # lying on its side
        ([[400, -50], [1200, 100], [1200, 1100], [400, 1100]], True),  # a corner a little outside
        ([[400, 1100], [1200, 1100], [1200, 100], [400, 100]], False),  # the wrong way round: a mirrored board
        ([[400, 100], [1200, 1100], [1200, 100], [400, 1100]], False),  # crossed
        ([[400, 100], [1200, 100], [500, 200], [400, 1100]], False),  # with a dent
        ([[400, 100], [800, 100], [1200, 100], [1600, 100]], False),  # in line
        ([[400, 100]] * 4, False),
        ([[0, 0], [1, 0], [1, 1], [0, 1]], False),  # a single pixel
        ([[400, 100], [90000, 100], [90000, 1100], [400, 1100]], False),  # far outside
        ([[float("nan"), 100], [1200, 100], [1200, 1100], [400, 1100]], False),
        ([[float("-inf"), 100], [1200, 100], [1200, 1100], [400, 1100]], False),
    ],
)
def test_points_that_can_be_corners(corners: list[list[float]], expected: bool) -> None:
    assert could_be_corners(np.array(corners, dtype=np.float64), photo_of(board())) == expected
