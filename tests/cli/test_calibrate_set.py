"""``cityscan calibrate set`` with positions: the looks are learnt beside the colours, and the answer tells how well."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from calibration.profiles import load_profile
from vision.adapt import training
from vision.adapt.judging import Score
from vision.adapt.photos import Labelled, LeftOut, labelled_among
from vision.adapt.training import Outcome, Report

SAMPLES = Path(__file__).parents[2] / "sample_photos"
KEPT = Path("/data/models/my-set/board-sprawl.npz")


@pytest.fixture
def positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two photos with their positions beside them."""
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    for name in ("sprawl-5x6", "sprawl-6x6"):
        for suffix in (".jpg", ".json"):
            shutil.copy(SAMPLES / f"{name}{suffix}", tmp_path)
    return sorted(tmp_path.glob("*.jpg"))


@pytest.fixture
def learns(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Labelled], str, int]]:
    """Networks are there and learning succeeds; gives what it was called with."""
    calls: list[tuple[list[Labelled], str, int]] = []

    def learn_photos(
        photos: list[Labelled], left_out: list[LeftOut], profile: str, *, jobs: int, advance: Any
    ) -> Report:
        calls.append((photos, profile, jobs))
        advance()
        before, after = Score(2, 0, 66, 14), Score(2, 2, 66, 0)
        facts = Outcome("sprawl", len(photos), before, after, None, KEPT, {"top": {}}, 12.3)
        return Report(profile, (facts,), tuple(left_out))

    monkeypatch.setattr(training, "learn_photos", learn_photos)
    for module in ("vision.reader", "vision.adapt.photos"):
        monkeypatch.setattr(f"{module}.readable_games", lambda: ("sprawl",))
    return calls


def test_positions_give_colours_and_learnt_looks(run, positions, learns) -> None:
    result = run("calibrate", "set", "my-set", *positions, "--jobs", 1)
    assert result.code == 0
    ((photos, profile, jobs),) = learns
    assert [photo.example.path for photo in photos] == positions
    assert (profile, jobs) == ("my-set", 1)
    assert load_profile("my-set").games == ("sprawl",)
    assert result.out.splitlines()[-4:] == [
        "sprawl: 2 photos, each photo judged without having been learnt from, in 12 s",
        "  cells wrong: 14 of 66 before, 0 after",
        "  boards without a mistake: 0 of 2 before, 2 after",
        f"  kept in {KEPT}; used with --profile my-set",
    ]


def test_corners_of_the_command_line_are_learnt_with(run, positions, learns) -> None:
    photo = positions[0]
    truth = json.loads(photo.with_suffix(".json").read_text())
    corners = truth.pop("corners")
    photo.with_suffix(".json").write_text(json.dumps(truth))
    assert run("calibrate", "set", "my-set", photo, "--corners", *(f"{x},{y}" for x, y in corners)).code == 0
    assert learns[0][0][0].example.truth["corners"] == corners


def test_a_photo_that_fails_is_not_learnt_from(run, positions, learns) -> None:
    positions[0].with_suffix(".json").write_text("{")
    result = run("calibrate", "set", "my-set", *positions)
    assert result.code == 3
    assert [photo.example.path for photo in learns[0][0]] == positions[1:]


def test_without_networks_only_colours_are_measured(run, positions, learns, monkeypatch) -> None:
    monkeypatch.setattr("vision.reader.readable_games", lambda: ())
    result = run("calibrate", "set", "my-set", positions[0])
    assert result.code == 0
    assert "only colours were measured; no networks are installed" in result.out
    assert not learns


@pytest.mark.usefixtures("learns")
def test_other_corners_are_another_label(positions) -> None:
    """What was learnt before is told apart by the label, and corners are a part of it."""
    files = [(positions[0], positions[0].with_suffix(".json"))]
    (plain,), _ = labelled_among(files)
    (moved,), _ = labelled_among(files, [(1.0, 1.0), (99.0, 1.0), (99.0, 99.0), (1.0, 99.0)])
    assert plain.digest != moved.digest
    assert moved.example.truth["corners"][0] == [1.0, 1.0]
