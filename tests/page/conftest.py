"""Photos of printed sheets for the tests of the page, by the printer and the camera of the calibration's own tests."""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration.set_sheet import AREA_MM, SHEETS
from calibration.sheets import lens_sheet, piece_sheet

PRINTER = Path(__file__).parents[1] / "calibration" / "conftest.py"
PER_MM = 5
PAINT = {"blue": (40, 60, 150), "green": (30, 130, 80), "red": (180, 30, 30), "yellow": (220, 180, 30)}


def jpeg(pixels: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=95)
    return file.getvalue()


@pytest.fixture(scope="session")
def printed() -> ModuleType:
    spec = importlib.util.spec_from_file_location("printed_sheets", PRINTER)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # dataclasses look it up by its name
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def piece_photo(printed: ModuleType) -> bytes:
    """The City Blocks sheet from straight above, with a piece of each colour on it."""
    page = printed.read_print(piece_sheet(SHEETS["city-blocks"], "a4")).paint(PER_MM)
    left, top = (page.shape[1] / PER_MM - AREA_MM[0]) / 2, (page.shape[0] / PER_MM - AREA_MM[1]) / 2
    for place in SHEETS["city-blocks"].places:
        if place.colour:
            x, y, half = (round(v * PER_MM) for v in (left + place.x, top + place.y, place.size / 2 + 2))
            cv2.rectangle(page, (x - half, y - half), (x + half, y + half), PAINT[place.colour], -1)
    return jpeg((page * 0.9).astype(np.uint8))


@pytest.fixture(scope="session")
def lens_photos(printed: ModuleType) -> list[bytes]:
    """Five photos of the lens sheet by one phone."""
    page = printed.read_print(lens_sheet("a4")).paint(6)
    poses = ((0, 0, 230), (30, 0, 280), (30, 90, 260), (30, 180, 280), (30, 270, 260))
    eyes = [printed.Eye(tilt=tilt, towards=side, roll=90, distance=far) for tilt, side, far in poses]
    return [printed.Phone().jpeg(eye.look_at(page, 6)) for eye in eyes]
