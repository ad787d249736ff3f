"""The whole way with the shipped networks, where they are installed: rendered photos of a set with other colours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.profiles import load_profile
from vision.adapt.training import learn_set
from vision.evaluate import evaluate_photo
from vision.reader import ReadRequest, readable_games
from vision.synth.dataset import make_frames, open_folder
from vision.synth.studio import Order
from vision.synth.swapping import swapped, write_swapped

ORDINARY = "blokus-grey"


def rendered(folder: Path, profile: str, seed: int, count: int) -> list[Path]:
    order = Order("city-blocks", seed, (profile,), negatives="none")
    open_folder(folder, order, count)
    assert all(done.problem is None for done in make_frames(folder, order, list(range(count)), 1, False))
    return sorted(folder.glob("*.jpg"))


def wrong(photos: list[Path], profile: str | None) -> int:
    """Cells that are read wrongly; all of a board that is not read."""
    results = [
        evaluate_photo(photo, json.loads(photo.with_suffix(".json").read_text()), ReadRequest(profile=profile))
        for photo in photos
    ]
    return sum(400 if result.error else result.lots_wrong for result in results)


def test_exchanging_twice_is_nothing() -> None:
    for name in (ORDINARY, "cream-classic", "stash-rainbow"):
        profile = load_profile(name)
        assert swapped(profile) != profile
        assert swapped(swapped(profile)) == profile


@pytest.mark.skipif("city-blocks" not in readable_games(), reason="its networks are not installed")
def test_two_rendered_photos_teach_exchanged_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    profile = str(write_swapped(load_profile(ORDINARY), tmp_path))
    rendered(tmp_path / "learn", profile, 11, 2)
    test = rendered(tmp_path / "test", profile, 12, 3)
    before = wrong(test, None)
    assert before > 50
    (outcome,) = learn_set(tmp_path / "learn", "my-set").outcomes
    assert outcome.kept
    assert outcome.after.wrong < outcome.before.wrong
    assert wrong(test, "my-set") < 0.3 * before
    assert wrong(test, None) == before
