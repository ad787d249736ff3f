"""The page without a browser: Streamlit's own test driver, each test with its own folder for saved games."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from engine.game import game

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))


@pytest.fixture
def open_page() -> Callable[[], AppTest]:
    """A visitor who has just opened the page."""

    def opened() -> AppTest:
        return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()

    return opened


@pytest.fixture
def worked_example() -> bytes:
    """The finished game of Alien City that the documents score 89 to 66."""
    return (ROOT / "tests" / "engine" / "alien_city" / "worked-final.json").read_bytes()


@pytest.fixture
def photo_bytes() -> bytes:
    """A picture without a board."""
    noise = np.random.default_rng(5).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.fixture
def position_file() -> Callable[[str, int], bytes]:
    """The position after so many moves of a random game."""

    def made(name: str, number: int) -> bytes:
        positions: list[Any] = list(game(name).random_game(random.Random(5)))
        return json.dumps(game(name).dump(positions[number])).encode()

    return made
