"""Training from nothing, all the way in small: photos, five networks, cards, confidences and the report."""

from __future__ import annotations

import csv
import hashlib
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (the extra [train]; make test-train)")

from engine.errors import Unsupported  # noqa: E402
from engine.game import game_names  # noqa: E402
from vision import networks  # noqa: E402
from vision.training import full, photo_sets, run  # noqa: E402
from vision.training.recipe import Plan, quick_recipe  # noqa: E402

pytestmark = pytest.mark.train

NETWORKS = ("locator", "aligner", *(f"board-{game}" for game in game_names()))


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """Where ``--full --quick`` has run once. The shipped networks are in use again afterwards."""
    folder = tmp_path_factory.mktemp("work")
    assert full.main(["--work", str(folder), "--quick"]) == 0
    yield folder
    networks.use_models(Path(str(files("vision") / "models")))


@pytest.fixture(scope="module")
def cards(work):
    return json.loads((work / "quick" / "models" / "cards.json").read_text())


def test_every_network_has_its_file_and_a_whole_card(work, cards):
    assert set(cards) == set(NETWORKS)
    for name, card in cards.items():
        content = (work / "quick" / "models" / card["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == card["sha256"]
        assert card["bytes"] == len(content)
        assert card["licence"] == "MIT"
        assert (card["seed"], card["epochs"], card["epochs_run"], card["best_epoch"]) == (1, 1, 1, 1)
        assert card["torch"].startswith("2.")
        assert card["validation"], name
        assert not set(card["profiles"]) & set(card["validation_profiles"])
    assert sum(card["bytes"] for card in cards.values()) < 8_000_000


def test_cards_name_the_photos_that_were_learnt_from(cards):
    games = [entry["game"] for entry in cards["locator"]["data"]]
    assert sorted(games) == sorted(game_names())
    (only,) = cards["board-sprawl"]["data"]
    wanted = {"folder": "train/sprawl", "photos": 12, "game": "sprawl", "seed": 301, "backend": "fast"}
    assert only == {**wanted, "size": "400x300", "mixed": True}


def test_confidences_were_fitted(cards):
    for game in game_names():
        card = cards[f"board-{game}"]
        assert set(card["doubtful_below"]) == {"cell", "tile"}
        assert all(0.5 <= value <= 4.0 for value in card["temperatures"].values())


def test_the_networks_can_be_loaded_and_answer(work):
    networks.use_models(work / "quick" / "models")
    answers = networks.network("locator")(np.zeros((2, 320, 320, 3), np.uint8))
    assert set(answers) == {"masks", "corners"}
    assert len(answers["masks"]) == 2
    assert np.isfinite(answers["masks"]).all()


def test_a_changed_network_file_is_refused(work, tmp_path):
    for file in (work / "quick" / "models").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    content = bytearray((tmp_path / "locator.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "locator.onnx").write_bytes(content)
    networks.use_models(tmp_path)
    with pytest.raises(Unsupported, match=r'"locator.onnx" is damaged or foreign'):
        networks.network("locator")


def test_the_report_tells_data_networks_and_readings(work):
    folder = work / "quick" / "report"
    text = (folder / "report.md").read_text()
    assert "| quick/train/alien-city | learning | 12 | 101 | fast | training profiles |" in text
    assert "| locator | 36 | 1 | 1 of 1 | 1 |" in text
    assert "boards without a mistake" in text
    assert "nan" not in text
    whole = json.loads((folder / "report.json").read_text())
    assert set(whole["reader"]) == {f"val-{game}" for game in game_names()}
    assert len(whole["epochs"]["aligner"]) == 1
    rows = list(csv.DictReader((folder / "val-sprawl.csv").open()))
    assert [row["photo"] for row in rows] == [f"sprawl-0000{number}.jpg" for number in range(4)]


def test_a_second_call_leaves_photos_and_weights_alone(work, cards, monkeypatch, capsys):
    """Only what costs little is done again: exporting and reading."""
    monkeypatch.setattr(run, "fit", _counting := _Counting(run.fit))
    monkeypatch.setattr(full, "_finish", lambda *_: None)
    assert full.main(["--work", str(work), "--quick"]) == 0
    assert "All 12 photos are in" in capsys.readouterr().out
    assert [outcome.epochs for outcome in _counting.outcomes] == [1] * 5
    for name in NETWORKS:
        assert len((work / "quick" / "checkpoints" / f"{name}.jsonl").read_text().splitlines()) == 1
    again = json.loads((work / "quick" / "models" / "cards.json").read_text())
    assert [again[name]["sha256"] for name in NETWORKS] == [cards[name]["sha256"] for name in NETWORKS]


class _Counting:
    """Remembers how each training ended."""

    def __init__(self, real):
        self.real, self.outcomes = real, []

    def __call__(self, *arguments):
        self.outcomes.append(self.real(*arguments))
        return self.outcomes[-1]


def test_ctrl_c_while_training_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(full, "_render", lambda *_: 0)
    monkeypatch.setattr(full, "_train", stopped)
    assert full.train_all(quick_recipe(), full.Places(tmp_path, tmp_path / "models")) == 130
    assert "run the same command again" in capsys.readouterr().err


def test_ctrl_c_while_rendering_ends_everything(tmp_path, monkeypatch):
    monkeypatch.setattr(photo_sets, "fill_folder", lambda *_: photo_sets.INTERRUPTED)
    assert full.train_all(quick_recipe(), full.Places(tmp_path, tmp_path / "models")) == 130
    assert not (tmp_path / "models").exists()


def test_the_test_photos_are_judged_where_they_are_there(tmp_path):
    places = full.Places(tmp_path, tmp_path / "models")
    validation = [tmp_path / "val" / "sprawl"]
    assert full._to_judge(places, validation) == validation
    (tmp_path / "test" / "sprawl-fast").mkdir(parents=True)
    (tmp_path / "test" / "sprawl-fast" / "sprawl-00000.json").write_text("{}")
    assert full._to_judge(places, validation) == [tmp_path / "test" / "sprawl-fast"]


def test_training_by_hand_tells_problems_in_a_sentence(tmp_path, capsys):
    where = ["--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"), "--only", "aligner"]
    assert run.main(["--photos", str(tmp_path), "--validation", str(tmp_path), *where]) == 2
    assert "training: there are fewer photos to learn from than one batch has (8)" in capsys.readouterr().err


def test_the_first_weights_depend_on_the_seed_alone(tmp_path, monkeypatch):
    """Not on what was trained or drawn before."""
    found = []

    class Seen(Exception):
        pass

    def look(net, *_):
        found.append(float(next(net.parameters()).detach().sum()))
        raise Seen

    monkeypatch.setattr(run, "fit", look)
    for seed in (1, 1, 2):
        torch.rand(3)
        with pytest.raises(Seen):
            run.train_network("aligner", run.Photos([], [], []), Plan(seed=seed), tmp_path, tmp_path)
    assert found[0] == found[1] != found[2]


def test_every_core_has_something_to_do(monkeypatch):
    for cores, expected in ((1, (1, 1)), (2, (1, 1)), (8, (4, 4))):
        monkeypatch.setattr(full.os, "cpu_count", lambda cores=cores: cores)
        plan = full._for_this_machine(Plan())
        assert (plan.workers, plan.threads) == expected
