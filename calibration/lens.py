"""A camera's lens as it was measured, kept in the user's data folder for photos of the same camera.

A lens is taken as round: its axis goes through the middle of the photo and it bends light alike in all directions.
Phones move the lens from photo to photo to steady it, so a measured axis would belong to no other photo; and a round
lens is the same however the phone was held, whether the file stores turned pixels or not.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt

from calibration.data_folder import data_folder, write_whole
from calibration.toml_reader import ProfileError, Range, read_toml
from calibration.toml_writer import to_toml

Array = npt.NDArray[np.float64]

# Focal lengths that are "35 mm equivalent" compare diagonals (CIPA DCG-001): that of 36 x 24 mm film.
FILM_DIAGONAL_MM: Final = math.hypot(36.0, 24.0)
# Phones write whole millimetres, and a little more or less by how near they focused.
SAME_FOCAL: Final = 0.04
# Where only the measured focal length can be compared with what a camera says of itself.
NEARLY_SAME_FOCAL: Final = 0.12
SAME_ASPECT: Final = 0.01
LEAST_SLOPE: Final = 0.1
SAME_ZOOM: Final = 0.02


@dataclass(frozen=True, slots=True)
class Camera:
    """What a photo's EXIF says about the camera that took it; None and empty where it says nothing."""

    make: str = ""
    model: str = ""
    focal_35mm: float | None = None
    zoom: float = 1.0

    @property
    def name(self) -> str:
        """Maker and model without saying the maker twice: Apple iPhone 15, Google Pixel 8."""
        repeated = self.make and self.model.lower().startswith(self.make.lower())
        return self.model if repeated else f"{self.make} {self.model}".strip()


@dataclass(frozen=True, slots=True)
class Lens:
    """One lens of one camera. ``focal`` is in units of the photo's longer side, so that it holds at any size; ``k1``
    and ``k2`` bend the light as in OpenCV: at r from the axis (in focal lengths) by 1 + k1 r^2 + k2 r^4."""

    camera: str
    aspect: Annotated[float, Range(1, 4)]  # longer side over shorter side
    focal: Annotated[float, Range(0.3, 10)]
    k1: Annotated[float, Range(-1, 1)]
    k2: Annotated[float, Range(-2, 2)]
    focal_35mm: Annotated[float, Range(1, 1000)] | None = None  # what the camera itself says
    zoom: Annotated[float, Range(0.1, 100)] = 1.0
    photos: int = 0
    error_px: float = 0.0  # how far corners of the sheet lie from where the lens puts them, root mean square

    @property
    def equivalent(self) -> float:
        """The measured focal length on 35 mm film."""
        return self.focal * FILM_DIAGONAL_MM / math.hypot(1.0, 1.0 / self.aspect)

    def bend(self, radius: Array) -> Array:
        """By how much the lens moves what a lens without distortion shows at ``radius`` (in focal lengths)."""
        return np.asarray(1 + self.k1 * radius**2 + self.k2 * radius**4)

    def slope(self, radius: Array) -> Array:
        """How fast the bent radius grows with the true one."""
        return np.asarray(1 + 3 * self.k1 * radius**2 + 5 * self.k2 * radius**4)

    @property
    def folds(self) -> bool:
        """Whether the numbers would show one thing in two places of a photo: no lens does, so they are no lens."""
        corner = math.hypot(1.0, 1.0 / self.aspect) / 2 / self.focal
        # Beyond the corner by as much as the bend may draw in.
        return bool(self.slope(np.linspace(0, 1.2 * corner, 50)).min() < LEAST_SLOPE)

    def fits(self, camera: Camera, size: tuple[int, int]) -> bool:
        """Whether a photo of that camera and size was taken through this lens."""
        if self.camera.lower() not in (camera.name.lower(), camera.model.lower()):
            return False
        if abs(aspect_of(size) / self.aspect - 1) > SAME_ASPECT or abs(camera.zoom / self.zoom - 1) > SAME_ZOOM:
            return False
        if camera.focal_35mm is None:
            return self.focal_35mm is None
        if self.focal_35mm is None:
            return abs(camera.focal_35mm / self.equivalent - 1) < NEARLY_SAME_FOCAL
        return abs(camera.focal_35mm / self.focal_35mm - 1) < SAME_FOCAL

    @property
    def file_name(self) -> str:
        """Its file: one a camera, focal length and shape of photo."""
        stem = re.sub(r"[^a-z0-9]+", "-", self.camera.lower()).strip("-") or "camera"
        focal = self.focal_35mm or self.equivalent
        return f"{stem[:60]}-{focal:.0f}mm-{round(100 * self.aspect)}.toml"


def aspect_of(size: tuple[int, int]) -> float:
    """Longer side over shorter side."""
    return max(size) / min(size)


def lens_folder() -> Path:
    """Where lenses are kept (the folder need not exist)."""
    return data_folder() / "lenses"


def save_lens(lens: Lens, folder: Path | None = None) -> Path:
    """Keep a lens; an earlier measurement of the same one is replaced."""
    path = (lens_folder() if folder is None else folder) / lens.file_name
    write_whole(path, to_toml(lens))
    return path


def lens_for(camera: Camera, size: tuple[int, int], folder: Path | None = None) -> Lens | None:
    """The lens that took a photo, if it was measured."""
    place = lens_folder() if folder is None else folder
    if not camera.model or not place.is_dir():
        return None  # most people never measure a lens: nothing more is looked at
    fitting = [lens for path in sorted(place.glob("*.toml")) if (lens := load_lens(path)).fits(camera, size)]
    # The sharpest measurement, where one was kept under two names.
    return min(fitting, key=lambda lens: lens.error_px, default=None)


def load_lens(path: Path) -> Lens:
    """The lens in a file."""
    try:
        lens = read_toml(Lens, path.read_text(encoding="utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(path.name, "", "this lens cannot be read; measure it again, or delete the file.") from error
    if lens.folds:
        raise ProfileError(path.name, "k1", "no lens bends so much; measure it again, or delete the file.")
    return lens
