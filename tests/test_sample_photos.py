"""The sample photos: small enough for the repository, with a truth that is right."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from engine.documents import load_position, position_from_document
from vision.photo import load_photo

FOLDER = Path(__file__).parents[1] / "sample_photos"
PHOTOS = sorted(FOLDER.glob("*.jpg"))
SAMPLES = tomllib.loads((FOLDER / "samples.toml").read_text(encoding="utf-8"))


def truth_of(photo: Path) -> dict:
    return json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))


def test_every_listed_sample_is_there_and_no_other() -> None:
    assert {photo.stem for photo in PHOTOS} == set(SAMPLES)
    assert len(PHOTOS) >= 14


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_size_and_corners(photo: Path) -> None:
    assert photo.stat().st_size <= 1_000_000
    loaded = load_photo(photo)
    width, height = loaded.full_size
    assert 1.9e6 <= width * height <= 3.1e6
    truth = truth_of(photo)
    corners = np.array(truth["corners"])
    assert corners.min() >= 0
    assert (corners <= [width - 1, height - 1]).all()
    assert (truth["camera"]["width"], truth["camera"]["height"]) == (width, height)
    # North is up: no other edge that the board allows to be north has its middle higher.
    middles = (corners + np.roll(corners, -1, axis=0))[:, 1] / 2
    square = truth["game"] == "city-blocks" or truth.get("columns", 8) == truth.get("rows", 10)
    assert middles[0] <= (middles.min() if square else middles[2]) + 1e-6


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_the_truth_is_the_listed_position(photo: Path) -> None:
    wanted = load_position(FOLDER / "positions" / SAMPLES[photo.stem]["position"])
    shown = position_from_document(truth_of(photo))
    assert shown.state in wanted.game.turns(wanted.state)
    assert shown.game.score(shown.state).totals == wanted.game.score(wanted.state).totals


@pytest.mark.parametrize(
    ("name", "totals"),
    [
        ("alien-city-2.2-final", {"white": 89, "black": 66}),
        ("alien-city-1.0-final", {"red": 89, "blue": 66}),
        ("alien-city-fr-final", {"white": 89, "black": 66}),
    ],
)
def test_the_worked_example(name: str, totals: dict[str, int]) -> None:
    position = position_from_document(truth_of(FOLDER / f"{name}.jpg"))
    assert position.game.score(position.state).totals == totals


def test_all_games_editions_and_board_sizes_are_shown() -> None:
    truths = [truth_of(photo) for photo in PHOTOS]
    assert {truth.get("edition") for truth in truths if truth["game"] == "alien-city"} >= {"1.0", "2.2", "fr"}
    assert {truth["players"] for truth in truths if truth["game"] == "city-blocks"} >= {2, 4}
    sizes = {(truth["columns"], truth["rows"]) for truth in truths if truth["game"] == "sprawl"}
    assert sizes >= {(5, 6), (6, 6), (8, 8)}
