"""Every kind of picture file comes in upright, with eight bits and the right size; every bad one with a sentence."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageCms

from engine.errors import Unreadable
from vision.photo import load_photo


def scene(width: int = 64, height: int = 48) -> Image.Image:
    """A red top-left quarter on grey: shows where up is."""
    pixels = np.full((height, width, 3), 128, np.uint8)
    pixels[: height // 2, : width // 2] = (220, 30, 30)
    return Image.fromarray(pixels)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def is_red(colour: np.ndarray) -> bool:
    return bool(colour[0] > 180 and colour[1] < 80 and colour[2] < 80)


@pytest.mark.parametrize(
    "content",
    [
        encoded(scene(), "JPEG", quality=95),
        encoded(scene(), "PNG"),
        encoded(scene(), "WEBP", quality=95),
        encoded(scene(), "HEIF", quality=95),
        encoded(scene().quantize(), "PNG"),  # palette
        encoded(scene().convert("RGBA"), "PNG"),
        encoded(scene().convert("CMYK"), "JPEG", quality=95),
    ],
    ids=["jpeg", "png", "webp", "heic", "palette", "alpha", "cmyk"],
)
def test_formats(content: bytes) -> None:
    photo = load_photo(content)
    assert photo.pixels.shape == (48, 64, 3)
    assert photo.pixels.dtype == np.uint8
    assert is_red(photo.pixels[10, 10])
    assert abs(int(photo.pixels[40, 50, 1]) - 128) < 6
    assert photo.scale == 1


def test_sixteen_bits_and_grey() -> None:
    ramp = np.linspace(0, 65535, 64 * 48).reshape(48, 64).astype(np.uint16)
    deep = load_photo(encoded(Image.fromarray(ramp), "PNG")).pixels
    assert deep.shape == (48, 64, 3)
    assert deep[0, 0, 0] == 0
    assert deep[-1, -1, 0] == 255
    assert abs(int(deep[24, 0, 0]) - 128) < 3
    assert load_photo(encoded(scene().convert("L"), "JPEG")).pixels.shape == (48, 64, 3)


def test_transparent_becomes_white() -> None:
    image = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    assert load_photo(encoded(image, "PNG")).pixels.min() == 255


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(orientation: int) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = scene().transpose(undo[orientation]) if orientation in undo else scene()
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    photo = load_photo(encoded(stored, "JPEG", quality=95, exif=exif))
    assert photo.pixels.shape == (48, 64, 3)
    assert photo.full_size == (64, 48)
    assert is_red(photo.pixels[10, 10])


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_large_photos_are_reduced_and_remember_their_size(kind: str) -> None:
    photo = load_photo(encoded(scene(4000, 3000), kind), working_side=1000)
    assert photo.full_size == (4000, 3000)
    assert photo.pixels.shape == (750, 1000, 3)
    assert photo.scale == 4
    assert is_red(photo.pixels[100, 100])


def test_focal_length_in_pixels() -> None:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 27
    photo = load_photo(encoded(scene(), "JPEG", exif=exif))
    assert photo.focal_px == pytest.approx(27 / 43.27 * 80, rel=1e-3)  # 64 x 48 pixels have a diagonal of 80
    assert load_photo(encoded(scene(), "JPEG")).focal_px is None
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 0  # "unknown" of some apps
    assert load_photo(encoded(scene(), "JPEG", exif=exif)).focal_px is None


def test_colour_profiles_are_converted() -> None:
    lab_like = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert is_red(load_photo(encoded(scene(), "JPEG", quality=95, icc_profile=lab_like)).pixels[10, 10])
    assert is_red(load_photo(encoded(scene(), "JPEG", quality=95, icc_profile=b"nonsense")).pixels[10, 10])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"this is a text", "not a picture"),
        (b"\xff\xd8\xff\xe0 not a JPEG", "picture"),
        (encoded(scene(640, 480), "JPEG")[:2000], "damaged or cut off"),
        (encoded(scene(640, 480), "PNG")[:600], "damaged or cut off"),
        (encoded(scene(), "GIF"), "JPEG, PNG, WebP or HEIC"),
        (encoded(Image.new("1", (20_000, 20_000)), "PNG"), "100 megapixels"),  # 400 megapixels in 50 kB
        (encoded(Image.new("1", (12_000, 9_000)), "PNG"), "100 megapixels"),  # below Pillow's own limit
    ],
)
def test_bad_pictures(content: bytes, words: str, recwarn: pytest.WarningsRecorder) -> None:
    with pytest.raises(Unreadable) as caught:
        load_photo(content)
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert not recwarn.list


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jpg", tmp_path):
        with pytest.raises(Unreadable):
            load_photo(path)


def test_the_smallest_picture() -> None:
    assert load_photo(encoded(scene(1, 1), "PNG")).pixels.shape == (1, 1, 3)
