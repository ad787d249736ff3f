"""Writing a photo as phones do (JPEG, EXIF, sometimes turned pixels), and files that are whole or not there."""

from __future__ import annotations

import io
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from PIL.ExifTags import IFD, Base

from calibration.lens import FILM_DIAGONAL_MM
from vision.synth.scene import Camera, Picture

MAKE: Final = "Cityscan"
MODEL: Final = "Cityscan Studio"

# How the stored pixels are turned so that a viewer, obeying the tag, turns them back.
_STORED: Final = {
    1: None,
    3: Image.Transpose.ROTATE_180,
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
}


@dataclass(frozen=True, slots=True)
class Exif:
    """What the file says about the photo. No focal length where the phone's app has dropped it."""

    orientation: int = 1
    focal_35mm: float | None = None
    present: bool = True


def focal_35mm(camera: Camera) -> float:
    """The focal length that would see as much on film."""
    return float(camera.matrix[0, 0] / math.hypot(camera.width, camera.height) * FILM_DIAGONAL_MM)


def sample_exif(rng: np.random.Generator, camera: Camera) -> Exif:
    """Five percent of the photos lost their EXIF (messengers), a tenth of the others the focal length; in a
    twentieth it is that of the whole sensor although the photo was cropped later. Three in ten are stored turned."""
    kept, dropped, cropped, factor = rng.random(), rng.random(), rng.random(), rng.uniform(1.2, 2.0)
    orientation = int(rng.choice([1, 6, 8, 3], p=[0.7, 0.15, 0.1, 0.05]))
    if kept < 0.05:
        return Exif(present=False)
    if dropped < 0.1:
        return Exif(orientation)
    return Exif(orientation, focal_35mm(camera) / (factor if cropped < 0.05 else 1.0))


def jpeg(photo: Picture, quality: int, exif: Exif) -> bytes:
    """The bytes of the file."""
    image = Image.fromarray(photo)
    turn = _STORED[exif.orientation]
    if turn is not None:
        image = image.transpose(turn)
    buffer = io.BytesIO()
    if exif.present:
        image.save(buffer, "JPEG", quality=quality, exif=_tags(exif))
    else:
        image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _tags(exif: Exif) -> Image.Exif:
    tags = Image.Exif()
    tags[Base.Make] = MAKE
    tags[Base.Model] = MODEL
    tags[Base.Orientation] = exif.orientation
    if exif.focal_35mm is not None:
        tags.get_ifd(IFD.Exif)[Base.FocalLengthIn35mmFilm] = round(exif.focal_35mm)
    return tags


PART_SUFFIX: Final = ".part"


def write_whole(path: Path, content: bytes) -> None:
    """Write under another name first, so that nobody ever sees half a file."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{PART_SUFFIX}")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def sweep(folder: Path) -> None:
    """Remove what interrupted writing left behind."""
    for leftover in folder.glob(f".*{PART_SUFFIX}"):
        leftover.unlink(missing_ok=True)
