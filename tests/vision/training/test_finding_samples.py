"""Training pictures for finding boards: what they show and what is asked about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.finding import LOCATOR_SIDE
from vision.training import finding_samples
from vision.training.examples import Example
from vision.training.finding_samples import NO_BOARD, aligner_sample, locator_sample

CORNERS = [[100.0, 80.0], [300.0, 80.0], [300.0, 330.0], [100.0, 330.0]]


@pytest.fixture
def example(tmp_path: Path) -> Example:
    """A white board, of which the north is red, on a dark table."""
    pixels = np.full((400, 400, 3), 30, np.uint8)
    pixels[80:330, 100:300] = 255
    pixels[80:200, 100:300] = (0, 0, 200)
    cv2.imwrite(str(tmp_path / "photo.png"), pixels)
    return Example(tmp_path / "photo.png", {"game": "alien-city", "corners": CORNERS})


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photos as they are: no other tables, colours or light."""
    for chance in ("ANOTHER_TABLE", "AN_EMPTY_TABLE", "OTHER_COLOURS", "TWO_BOARDS", "A_PART"):
        monkeypatch.setattr(finding_samples, chance, 0.0)
    monkeypatch.setattr(finding_samples, "vary", lambda picture, _: picture)


def boards_marked(labels: dict[str, Any]) -> int:
    number, _ = cv2.connectedComponents((labels["masks"] > 0).astype(np.uint8))
    return number - 1


@pytest.mark.parametrize(("chance", "boards"), [(0.0, 1), (1.0, 2)])
def test_masks_cover_the_boards(example: Example, monkeypatch: pytest.MonkeyPatch, chance: float, boards: int) -> None:
    monkeypatch.setattr(finding_samples, "TWO_BOARDS", chance)
    for seed in range(5):
        picture, labels = locator_sample(example, np.random.default_rng(seed))
        assert picture.shape == (LOCATOR_SIDE, LOCATOR_SIDE, 3)
        assert boards_marked(labels) == boards
        bright = cv2.resize(picture.max(axis=2), labels["masks"].shape[::-1], interpolation=cv2.INTER_AREA) > 150
        assert (bright == (labels["masks"] > 0)).mean() > 0.97


def test_a_part_of_a_board_is_no_board(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(aligner_sample(example, np.random.default_rng(s))[1]["game"] != NO_BOARD for s in range(5))
    monkeypatch.setattr(finding_samples, "A_PART", 1.0)
    for seed in range(5):
        picture, labels = aligner_sample(example, np.random.default_rng(seed))
        assert labels["game"] == NO_BOARD
        inside = picture[60:196, 60:196].max(axis=2)
        assert (inside > 150).mean() > 0.95  # well inside of the board


def test_what_looks_like_a_board_is_mostly_looked_at_as_one(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_samples, "ON_A_DECOY", 1.0)
    negative = Example(example.path, {"game": None, "decoy": CORNERS})
    for seed in range(5):
        picture, labels = aligner_sample(negative, np.random.default_rng(seed))
        assert labels["game"] == NO_BOARD
        assert (picture[60:196, 60:196].max(axis=2) > 150).mean() > 0.9
