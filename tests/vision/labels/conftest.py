"""Small labels made on the spot: plain pictures with a position and corners beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

SPRAWL = {
    "game": "sprawl",
    "columns": 6,
    "rows": 6,
    "colours": ["red"],
    "cells": [{"at": "C2", "stack": ["red3"]}, {"at": "D2", "lying": "red2", "points": "east"}],
}
ALIEN = {
    "game": "alien-city",
    "tiles": [{"at": "A1", "colour": "red", "rank": 1, "icon": "B1"}],
    "structures": [{"at": "A1", "kind": "dome", "colour": "red"}],
}
CORNERS = [[40.0, 30.0], [160.0, 30.0], [160.0, 150.0], [40.0, 150.0]]
TALL = [[50.0, 20.0], [130.0, 20.0], [130.0, 120.0], [50.0, 120.0]]

Make = Callable[..., Path]


@pytest.fixture
def states() -> dict[str, dict[str, Any]]:
    """A position of each kind of board with corners that fit pictures of 200 x 160."""
    return {"sprawl": {**SPRAWL, "corners": CORNERS}, "alien-city": {**ALIEN, "corners": TALL}}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a picture and a state of one name, and gives the picture's path; None leaves one of them out.

    ``shade`` makes pictures differ; equal shades are equal pictures.
    """

    def write(
        name: str, state: object = None, shade: int | None = 0, size: tuple[int, int] = (200, 160), **options: Any
    ) -> Path:
        photo = tmp_path / name
        photo.parent.mkdir(parents=True, exist_ok=True)
        if shade is not None:
            pixels = np.full((size[1], size[0], 3), shade, np.uint8)
            pixels[: size[1] // 2] += 20  # top and bottom differ, so that a turn shows
            Image.fromarray(pixels).save(photo, **options)
        if state is not None:
            text = state if isinstance(state, str) else json.dumps(state)
            photo.with_suffix(".json").write_text(text, encoding="utf-8")
        return photo

    return write
