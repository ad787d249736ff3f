"""Learning a set end to end: painted boards with two colours swapped, read by a network that knows the usual ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.profiles import load_profile
from cityscan.cli import main
from engine.errors import Unreadable, UsageError
from vision.adapt import store, training
from vision.adapt.judging import Score
from vision.adapt.training import Report, learn_set
from vision.evaluate import evaluate_photo
from vision.reader import ReadRequest

pytestmark = pytest.mark.usefixtures("installed")

USUAL = {".": (190, 190, 190), "B": (40, 70, 200), "G": (40, 160, 70), "R": (200, 40, 40), "Y": (230, 200, 40)}


@pytest.fixture(autouse=True)
def _few_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "MOST_CUTS", 6)


def learnt(photo: Path, **how: int) -> Report:
    return learn_set(photo.parent, "my-set", **how)


def wrong(photo: Path, profile: str | None) -> int:
    truth = json.loads(photo.with_suffix(".json").read_text())
    return evaluate_photo(photo, truth, ReadRequest(profile=profile)).lots_wrong


def test_two_photos_of_swapped_colours_are_enough(paint, tmp_path: Path) -> None:
    for number in range(2):
        photo = paint(f"photo-{number}", number)
    (outcome,) = learnt(photo).outcomes
    assert (outcome.game, outcome.photos, outcome.before.boards) == ("city-blocks", 2, 2)
    assert outcome.before.wrong > 100
    assert outcome.before.faultless == 0
    assert outcome.after.wrong <= 4
    assert outcome.kept
    new = paint("photo-9", 9)
    assert wrong(new, None) > 50
    assert wrong(new, "my-set") <= 2
    # The card tells everything, and what was learnt without each photo.
    card = store.card_in_use("my-set", "city-blocks")
    assert card is not None
    assert card["validation"]["cells_wrong_before"] == outcome.before.wrong
    assert card["validation"]["cells_wrong"] == outcome.after.wrong == sum(photo["wrong"] for photo in card["data"])
    assert {entry["photo"] for entry in card["data"]} == {"photo-0.png", "photo-1.png"}
    assert (card["seed"], card["base"]) == (1, "b" * 64)
    assert str(tmp_path) not in json.dumps(card)


def test_calibrating_with_positions_learns_their_looks(paint) -> None:
    photos = [paint(f"photo-{number}", number) for number in range(2)]
    assert main(["calibrate", "set", "my-set", *map(str, photos), "--jobs", "1"]) == 0
    blue = load_profile("my-set").blokus.piece_colours["blue"]  # type: ignore[union-attr]
    assert blue[0] > blue[2], "the blue of this set is red"
    new = paint("photo-9", 9)
    assert wrong(new, None) > 50
    assert wrong(new, "my-set") <= 2


def test_one_photo_is_judged_by_parts_of_its_board(paint) -> None:
    (outcome,) = learnt(paint("only", 1)).outcomes
    assert outcome.before.boards == 1
    assert outcome.after.wrong < 0.1 * outcome.before.wrong
    assert outcome.kept
    assert wrong(paint("new", 8), "my-set") <= 5


def test_a_set_that_is_read_well_changes_nothing(paint) -> None:
    for number in range(2):
        photo = paint(f"photo-{number}", number, USUAL)
    (outcome,) = learnt(photo).outcomes
    assert outcome.before == outcome.after == Score(2, 2, 800, 0)
    # Surer answers may be kept, other ones may not.
    assert wrong(photo, "my-set" if outcome.kept else None) == 0


def test_what_is_worse_is_not_kept(paint, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        photo = paint(f"photo-{number}", number)
    learn = training.learn

    def spoiling(*arguments, **more):
        found = learn(*arguments, **more)
        unseen = {group: addition.times(-1.0) for group, addition in found.unseen.items()}
        return training.Learnt(found.addition, unseen, 1.0, 1.0, found.loss_before, found.loss_before)

    monkeypatch.setattr(training, "learn", spoiling)
    (outcome,) = learnt(photo).outcomes
    assert outcome.after.wrong > outcome.before.wrong
    assert not outcome.kept
    assert store.card_in_use("my-set", "city-blocks") is None


def test_an_earlier_one_gives_way_only_to_one_that_is_not_worse(paint) -> None:
    first = learnt(paint("a", 1)).outcomes[0]
    assert first.earlier is None
    photo = paint("b", 2)
    second = learnt(photo).outcomes[0]
    assert second.earlier is not None
    old, new = second.earlier  # on the new photo alone
    assert old.boards == new.boards == 1
    assert second.kept
    # The same photos again: held against what was made of them when they were held out.
    again = learnt(photo).outcomes[0]
    assert again.earlier == (second.after, second.after)
    assert again.kept


def test_an_earlier_one_that_was_better_stays(paint) -> None:
    photo = paint("a", 1)
    learnt(photo)
    folder = store.user_models() / "my-set"
    cards = json.loads((folder / "cards.json").read_text())
    cards["board-city-blocks"]["data"] = []  # it does not know the photo, says its card, and yet it is perfect there
    (folder / "cards.json").write_text(json.dumps(cards))
    content = (folder / "board-city-blocks.npz").read_bytes()
    assert paint("a", 1, grid=["R" * 20] * 10 + ["." * 20] * 10) == photo  # too few kinds to learn much from
    (outcome,) = learnt(photo).outcomes
    assert outcome.earlier is not None
    assert not outcome.kept
    assert (folder / "board-city-blocks.npz").read_bytes() == content


def test_the_same_seed_gives_the_same_file(paint) -> None:
    for number in range(2):
        photo = paint(f"photo-{number}", number)
    files = []
    for seed in (3, 3, 4):
        (outcome,) = learnt(photo, seed=seed).outcomes
        card = store.card_in_use("my-set", "city-blocks")
        assert card is not None
        files.append((card["sha256"], outcome.after))
    assert files[0] == files[1]
    assert files[0][0] != files[2][0]


def test_photos_that_teach_nothing_are_named_and_stop_no_other(paint) -> None:
    photo = paint("good", 1)
    paint("no-corners", 2, corners=None)
    paint("three-corners", 3, corners=[[1, 2], [3, 4], [5, 6]])
    paint("bad-grid", 4, grid=["X" * 20] * 20, colours=USUAL | {"X": (1, 2, 3)})
    paint("other-game", 5, game="chess")
    broken = paint("broken", 6)
    broken.write_bytes(b"no picture")
    nobody = paint("nobody", 7)
    nobody.with_suffix(".json").write_text('{"game": null}')
    copy = photo.with_name("copy.png")
    copy.write_bytes(photo.read_bytes())
    copy.with_suffix(".json").write_bytes(photo.with_suffix(".json").read_bytes())
    report = learnt(photo)
    assert report.outcomes[0].photos == 1  # the copy is not a second one
    problems = {entry.photo.stem: entry.problem for entry in report.left_out}
    assert set(problems) == {"no-corners", "three-corners", "bad-grid", "other-game", "broken"}
    assert "cityscan label --read" in problems["no-corners"]
    assert all(problem.endswith(".") for problem in problems.values())


@pytest.mark.parametrize("name", ["blokus-grey", "Not a name", "../up"])
def test_names_that_no_own_set_can_have(paint, name: str) -> None:
    with pytest.raises(UsageError):
        learn_set(paint("a", 1).parent, name)


def test_folders_without_anything_to_learn_from(paint, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="not a folder"):
        learn_set(tmp_path / "nowhere", "my-set")
    with pytest.raises(Unreadable, match="has its position beside it"):
        learn_set(tmp_path, "my-set")
    photo = paint("no-corners", 2, corners=None)
    with pytest.raises(Unreadable, match=r"no-corners\.png: the state does not say where the board is"):
        learnt(photo)


def test_progress_counts_three_steps_a_photo(paint) -> None:
    for number in range(2):
        photo = paint(f"photo-{number}", number)
    steps = []
    learn_set(photo.parent, "my-set", advance=lambda: steps.append(1))
    assert len(steps) == 6


def test_neither_torch_nor_onnx_is_needed() -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['onnx'] = None; import vision.adapt.training, cityscan.training"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
