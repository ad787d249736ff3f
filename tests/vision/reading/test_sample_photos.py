"""Every sample photo is read: its board and its game are found, and nearly all of what lies on it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.evaluate import evaluate_photo
from vision.labelled import labelled_files, read_truth
from vision.reader import GAMES, readable_games

SAMPLES = Path(__file__).resolve().parents[3] / "sample_photos"
PHOTOS = list(labelled_files(SAMPLES))
# Wide enough for another processor's last digits, far too narrow for a board that was misplaced by a cell.
MOST_OFF = 0.25
MOST_WRONG = 0.2

pytestmark = pytest.mark.skipif(readable_games() != GAMES, reason="the networks are not installed")


def test_there_are_samples_of_every_game() -> None:
    assert {read_truth(truth)["game"] for _, truth in PHOTOS} == set(GAMES)


@pytest.mark.parametrize(("photo", "truth"), PHOTOS, ids=[photo.stem for photo, _ in PHOTOS])
def test_sample_photos_are_read(photo: Path, truth: Path) -> None:
    expected = read_truth(truth)
    result = evaluate_photo(photo, expected)
    assert result.error == ""
    assert result.read_as == expected["game"]
    assert result.corner_error < MOST_OFF
    assert result.lots_wrong <= MOST_WRONG * result.lots
    assert result.exact_score or result.doubtful  # a wrong score is never shown without a doubt
