"""Photos of printed sheets: the PDF itself is painted, and a camera with a known lens looks at it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import ExifTags, Image

Picture = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]

POINTS_PER_MM = 72 / 25.4


@dataclass(frozen=True)
class Print:
    """A printed page: its size in millimetres, and every filled rectangle as x, y, width, height (from the top left)
    and grey."""

    width: float
    height: float
    boxes: list[tuple[float, float, float, float, float]]
    words: list[str]

    def paint(self, per_mm: int = 6) -> Picture:
        page = np.full((round(self.height * per_mm), round(self.width * per_mm), 3), 255, np.uint8)
        for x, y, width, height, grey in self.boxes:
            left, top, right, bottom = (round(v * per_mm) for v in (x, y, x + width, y + height))
            page[top:bottom, left:right] = round(255 * grey)
        return page


def read_print(pdf: bytes) -> Print:
    """What a printer would draw, read from the file without the code that wrote it."""
    text = pdf.decode("cp1252")
    size = re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert size
    width, height = (float(v) / POINTS_PER_MM for v in size.groups())
    boxes = []
    for grey, *box in re.findall(r"^([\d.]+) g ([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+) re f$", text, re.MULTILINE):
        x, y, wide, high = (float(v) / POINTS_PER_MM for v in box)
        boxes.append((x, height - y - high, wide, high, float(grey)))
    words = [line.replace("\\(", "(").replace("\\)", ")") for line in re.findall(r"Td \((.*)\) Tj", text)]
    return Print(width, height, boxes, words)


@cache
def rays_of(size: tuple[int, int], focal: float, off_centre: tuple[float, float], bend: tuple[float, ...]) -> Array:
    """Where each pixel looks, as (x, y, 1). Slow, and the same for all photos of a camera."""
    width, height = size
    middle = ((width - 1) / 2 + off_centre[0], (height - 1) / 2 + off_centre[1])
    matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    rays = cv2.undistortPoints(grid, matrix, np.array(bend)).reshape(-1, 2)
    return np.column_stack([rays, np.ones(len(rays))])


@dataclass(frozen=True)
class Eye:
    """A camera: focal length and middle in pixels, distortion as in OpenCV, and where it stands."""

    size: tuple[int, int] = (1200, 900)
    focal: float = 900.0
    off_centre: tuple[float, float] = (0.0, 0.0)
    bend: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    tilt: float = 0.0  # degrees away from straight above
    towards: float = 0.0  # the side that it leans to
    roll: float = 0.0  # turned around its own axis
    distance: float = 330.0  # millimetres

    def _turn(self) -> Array:
        side, lean, roll = np.radians([self.towards, self.tilt, self.roll])
        about, _ = cv2.Rodrigues(np.array([np.cos(side), np.sin(side), 0]) * lean)
        spin, _ = cv2.Rodrigues(np.array([0, 0, roll]))
        return np.asarray(spin @ about)

    def look_at(self, page: Picture, per_mm: int, table: tuple[int, int, int] = (120, 100, 80)) -> Picture:
        """The photo of a page whose middle is straight ahead."""
        width, height = self.size
        rays, turn = rays_of(self.size, self.focal, self.off_centre, self.bend), self._turn()
        # The page's middle lies at (0, 0, distance) before the camera; its normal is the third column of the turn.
        depth = turn[2, 2] * self.distance / (rays @ turn[:, 2])
        hits = (rays * depth[:, None] - np.array([0, 0, self.distance])) @ turn
        where = hits[:, :2] * per_mm + np.array([page.shape[1] - 1, page.shape[0] - 1]) / 2
        across, down = where.T.reshape(2, height, width).astype(np.float32)
        return np.asarray(
            cv2.remap(page, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=table), np.uint8
        )


@dataclass(frozen=True)
class Phone:
    """Writes photos as a phone does."""

    make: str = "Acme"
    model: str = "Acme One"
    focal_35mm: int | None = 27
    zoom: float | None = None
    orientation: int = 1
    exif: bool = True
    folder: Path = field(default=Path())

    def save(self, pixels: Picture, name: str, **changes: object) -> Path:
        phone = replace(self, **changes)  # type: ignore[arg-type]
        path = phone.folder / name
        path.write_bytes(phone.jpeg(pixels))
        return path

    def jpeg(self, pixels: Picture) -> bytes:
        turn = {1: None, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}[self.orientation]
        image = Image.fromarray(pixels)
        image = image if turn is None else image.transpose(turn)
        tags = Image.Exif()
        if self.exif:
            tags[ExifTags.Base.Make], tags[ExifTags.Base.Model] = self.make, self.model
            tags[ExifTags.Base.Orientation] = self.orientation
            details = tags.get_ifd(ExifTags.IFD.Exif)
            if self.focal_35mm is not None:
                details[ExifTags.Base.FocalLengthIn35mmFilm] = self.focal_35mm
            if self.zoom is not None:
                details[ExifTags.Base.DigitalZoomRatio] = self.zoom
        file = io.BytesIO()
        image.save(file, "JPEG", quality=92, exif=tags)
        return file.getvalue()


@pytest.fixture(name="read_print", scope="session")
def _read_print() -> Callable[[bytes], Print]:
    return read_print


@pytest.fixture(scope="session")
def eye() -> type[Eye]:
    return Eye


@pytest.fixture
def phone(tmp_path: Path) -> Phone:
    """A phone that saves into the test's own folder."""
    return Phone(folder=tmp_path)


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees or changes what the person at this computer has measured."""
    folder = tmp_path / "data"
    monkeypatch.setenv("CITYSCAN_DATA", str(folder))
    return folder
