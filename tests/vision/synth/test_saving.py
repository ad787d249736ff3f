"""Files as phones write them, read back by the loader that readers use."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from vision.photo import load_photo
from vision.synth.camera import sample_camera
from vision.synth.saving import Exif, focal_35mm, jpeg, sample_exif, sweep, write_whole


@pytest.fixture(scope="module")
def photo():
    """Four flat quarters: red, green, blue, yellow from the top left, clockwise; wider than high."""
    picture = np.zeros((60, 100, 3), np.uint8)
    picture[:30, :50], picture[:30, 50:] = (200, 20, 20), (20, 200, 20)
    picture[30:, 50:], picture[30:, :50] = (20, 20, 200), (200, 200, 20)
    return picture


@pytest.mark.parametrize(
    ("orientation", "stored"),
    [
        (1, (100, 60)),  # as it is
        (3, (100, 60)),  # upside down
        (6, (60, 100)),  # on its side
        (8, (60, 100)),  # on its other side
    ],
)
def test_turned_pixels_are_read_upright(photo, tmp_path, orientation, stored):
    path = tmp_path / "photo.jpg"
    path.write_bytes(jpeg(photo, 95, Exif(orientation)))
    assert Image.open(path).size == stored
    read = load_photo(path).pixels
    assert read.shape == photo.shape
    for row, column in ((10, 20), (10, 80), (50, 80), (50, 20)):
        assert read[row, column] == pytest.approx(photo[row, column], abs=12)


def test_the_focal_length_is_that_of_the_camera(photo, corners_of):
    camera = sample_camera(np.random.default_rng(1), corners_of(200, 250), (1024, 768))
    equivalent = focal_35mm(camera)
    # On film of the same diagonal the same angle is seen.
    assert 43.27 / equivalent == pytest.approx(np.hypot(1024, 768) / camera.matrix[0, 0], rel=1e-3)
    read = load_photo(jpeg(photo, 90, Exif(1, equivalent)))
    assert read.focal_35mm == pytest.approx(equivalent, abs=0.51)
    assert load_photo(jpeg(photo, 90, Exif(1))).focal_35mm is None


def test_files_vary_as_phones_do(corners_of):
    rng = np.random.default_rng(3)
    camera = sample_camera(rng, corners_of(200, 250), (1024, 768))
    drawn = [sample_exif(rng, camera) for _ in range(600)]
    true = focal_35mm(camera)
    assert 0.02 < np.mean([not exif.present for exif in drawn]) < 0.09
    assert 0.2 < np.mean([exif.orientation != 1 for exif in drawn]) < 0.4
    told = [exif.focal_35mm for exif in drawn if exif.focal_35mm is not None]
    assert 0.75 < len(told) / 600 < 0.95
    assert 0.9 < np.mean([focal == true for focal in told]) < 1.0


def test_without_exif_there_is_none(photo, tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(jpeg(photo, 90, Exif(present=False)))
    assert len(Image.open(path).getexif()) == 0


def test_files_are_whole_or_not_there(tmp_path):
    write_whole(tmp_path / "a.json", b"{}")
    (tmp_path / ".b.jpg.123.part").write_bytes(b"half")
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
