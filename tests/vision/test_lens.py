"""Straight photos of bent lenses, and the way between their pixels and the photo's own."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image

from calibration.lens import Camera, Lens, save_lens
from vision.lens import Straightening
from vision.photo import Photo, load_photo

BARREL = Lens("Acme One", 4 / 3, 0.75, -0.12, 0.03, focal_35mm=27.0)
CUSHION = Lens("Acme One", 4 / 3, 0.75, 0.08, -0.02, focal_35mm=27.0)
FLAT = Lens("Acme One", 4 / 3, 0.75, 0.0, 0.0, focal_35mm=27.0)


def lines(lens: Lens, width: int = 800, height: int = 600) -> np.ndarray:
    """A photo through the lens of a wall with a straight white line every 0.1 focal lengths."""
    size = (width, height)
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    grid = np.stack([across, down], axis=-1).reshape(-1, 2).astype(float)
    rays = (Straightening(lens, size, 1.0).straighten(grid) - np.array([(width - 1) / 2, (height - 1) / 2])) / 0.1
    bright = np.clip(1 - np.abs(rays - np.round(rays)) * 12, 0, 1).max(axis=1)
    return np.repeat((255 * bright).reshape(height, width, 1), 3, axis=2).astype(np.uint8)


def through(lens: Lens | None, pixels: np.ndarray) -> Photo:
    height, width = pixels.shape[:2]
    return Photo(pixels, (2 * width, 2 * height), 27.0, Camera("Acme", "Acme One", 27.0), lens)


@pytest.mark.parametrize("lens", [BARREL, CUSHION, FLAT])
def test_straight_lines_are_straight_in_the_straightened_photo(lens: Lens) -> None:
    straight = through(lens, lines(lens)).straightened()
    height, width = straight.pixels.shape[:2]
    assert straight.focal_px is not None
    # Where a lens without bend would show the lines: bright there, dark half-way between them.
    for offset, limit in ((2.0, 180), (2.5, 60)):
        x = (width - 1) / 2 + offset * 0.1 * straight.focal_px
        column = cv2.remap(
            straight.pixels[..., 0],
            np.full((height, 1), x, np.float32),
            np.arange(height, dtype=np.float32)[:, None],
            cv2.INTER_LINEAR,
        )[60:-60, 0]
        rows = (np.arange(height)[60:-60] - (height - 1) / 2) / straight.focal_px / 0.1
        between = column[np.abs(rows - np.round(rows)) > 0.3]
        assert (between > limit).all() if offset == 2.0 else (between < limit).all()


@given(
    k1=st.floats(-0.15, 0.15),
    k2=st.floats(-0.03, 0.03),
    across=st.floats(0, 1),
    down=st.floats(0, 1),
    upright=st.booleans(),
)
def test_every_pixel_comes_back(k1: float, k2: float, across: float, down: float, upright: bool) -> None:
    size = (600, 800) if upright else (800, 600)
    straightening = Straightening.of(Lens("a", 4 / 3, 0.75, k1, k2), size)
    point = np.array([[across * (size[0] - 1), down * (size[1] - 1)]])
    straight = straightening.straighten(point)
    assert straightening.bend(straight) == pytest.approx(point, abs=1e-6)
    # Nothing of the photo is lost.
    assert (straight > -0.01).all()
    assert (straight < np.array(size) - 0.99).all()


@pytest.mark.parametrize("lens", [BARREL, CUSHION])
def test_points_follow_what_is_seen(lens: Lens) -> None:
    """A dot in the photo is found at the mapped place of the straightened one, and mapped back to the full photo."""
    pixels = np.zeros((600, 800, 3), np.uint8)
    at = np.array([[120.0, 90.0]])
    cv2.circle(pixels, (120, 90), 6, (255, 255, 255), -1)
    photo = through(lens, pixels)
    straight = photo.straightened()
    weight = straight.pixels[..., 0].astype(float)
    down, across = np.mgrid[0:600, 0:800]
    seen = np.array([[(across * weight).sum(), (down * weight).sum()]]) / weight.sum()
    full = (at + 0.5) * 2 - 0.5
    assert photo.to_full(at) == pytest.approx(full)
    assert np.abs(seen - at).max() > 1  # the lens did move it
    assert straight.from_full(full) == pytest.approx(seen, abs=0.3)
    assert straight.to_full(seen) == pytest.approx(full, abs=0.6)


def test_without_a_lens_nothing_changes() -> None:
    photo = through(None, np.zeros((60, 80, 3), np.uint8))
    assert photo.straightened() is photo
    points = np.array([[0.0, 0.0], [79.0, 59.0]])
    assert photo.to_full(points).tolist() == [[0.5, 0.5], [158.5, 118.5]]
    assert photo.from_full(photo.to_full(points)) == pytest.approx(points)


def test_straightening_twice_is_straightening_once() -> None:
    straight = through(BARREL, lines(BARREL)).straightened()
    assert straight.straightened() is straight


def test_the_measured_focal_length_counts_more_than_the_camera_s_word() -> None:
    photo = through(FLAT, np.zeros((60, 80, 3), np.uint8))
    assert photo.focal_px == pytest.approx(60)
    assert through(None, photo.pixels).focal_px == pytest.approx(27 / 43.267 * 100, rel=1e-4)
    assert photo.straightened().focal_px == pytest.approx(60)


@pytest.fixture
def kept_lens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lens:
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path))
    save_lens(BARREL)
    return BARREL


TAGS = [
    # Make, model, focal length; whether the lens is found.
    (("Acme", "Acme One", 27), True),
    (("Acme\0", " Acme One \0\0", 27), True),  # filled up, as some cameras do
    (("Acme", "Acme One", 13), False),
    (("Acme", "Acme Two", 27), False),
    ((None, None, None), False),
]


@pytest.mark.parametrize(("tags", "found"), TAGS)
def test_photos_are_loaded_with_their_lens(tags: tuple[str, str, int], found: bool, kept_lens: Lens) -> None:
    exif = Image.Exif()
    for tag, value in zip((ExifTags.Base.Make, ExifTags.Base.Model), tags, strict=False):
        if value is not None:
            exif[tag] = value
    if tags[2] is not None:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = tags[2]
    file = io.BytesIO()
    Image.new("RGB", (80, 60)).save(file, "JPEG", exif=exif)
    photo = load_photo(file.getvalue())
    assert photo.lens == (kept_lens if found else None)
    assert photo.straightening is None  # the pixels stay as they are until somebody asks
