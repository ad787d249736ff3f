"""The report counts what it says, on readings whose mistakes are known."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.errors import Unreadable
from engine.fields import Field
from engine.game import game
from vision import evaluate
from vision.evaluate import Result, calibration_error, evaluate_photo, figures, write_csv
from vision.labelled import labelled_photos
from vision.reading import Candidate, Guess, NoBoard, Reading

CORNERS = [[100.0, 100.0], [260.0, 100.0], [260.0, 300.0], [100.0, 300.0]]
LOTS = [f"{column}{row}" for column in "ABCDEFGH" for row in range(1, 11)]


@pytest.fixture
def truth() -> dict:
    rules = game("alien-city")
    state = rules.dump(list(rules.random_game(random.Random(3)))[-1])
    return {**state, "corners": CORNERS, "profile": "toy", "backend": "none"}


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    Image.new("RGB", (400, 400)).save(path)
    return path


def reading(state: dict, doubtful: tuple[str, ...] = (), shift: float = 0.0, p: float = 0.99) -> Reading:
    guesses = {lot: Guess((Candidate(None, p),)) for lot in LOTS}
    return Reading(state["game"], state, np.array(CORNERS) + shift, guesses, doubtful)


def judged(monkeypatch: pytest.MonkeyPatch, photo: Path, truth: dict, answer: Reading | Exception) -> Result:
    def read(*_: object) -> Reading:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(evaluate, "read_photo", read)
    return evaluate_photo(photo, truth)


def test_a_perfect_reading(monkeypatch, photo, truth) -> None:
    result = judged(monkeypatch, photo, truth, reading(truth))
    assert (result.lots, result.lots_wrong, result.tile_facts_wrong) == (80, 0, 0)
    assert result.tile_facts == 60
    assert result.found
    assert result.faultless
    assert result.exact_score
    assert result.clean


def test_the_other_turn_is_as_good(monkeypatch, photo, truth) -> None:
    rules = game("alien-city")
    turned = rules.dump(rules.turns(rules.load(Field(truth)))[1])
    other = replace(reading(turned), corners=np.roll(np.array(CORNERS), 2, axis=0))
    result = judged(monkeypatch, photo, truth, other)
    assert result.found
    assert result.faultless


def test_a_missed_tower_is_one_wrong_lot_and_silent_unless_doubtful(monkeypatch, photo, truth) -> None:
    claimed = next(s for s in truth["structures"] if "claimed_by" in s)
    missed = {**truth, "structures": [s for s in truth["structures"] if s is not claimed]}
    silent = judged(monkeypatch, photo, truth, reading(missed))
    assert silent.lots_wrong == 1
    assert not silent.faultless
    assert silent.silent_error == (not silent.exact_score)
    doubted = judged(monkeypatch, photo, truth, reading(missed, doubtful=(claimed["at"],)))
    assert doubted.wrong_and_doubtful == 1
    assert not doubted.silent_error


def test_corners_are_judged_in_lots(monkeypatch, photo, truth) -> None:
    # Lots are 20 pixels wide here; a shift of 3 pixels both ways is 0.21 of a lot.
    result = judged(monkeypatch, photo, truth, reading(truth, shift=3.0))
    assert result.corner_error == pytest.approx(3 * 2**0.5 / 20)
    assert not result.found
    assert result.faultless


def test_errors_other_games_and_negatives(monkeypatch, photo, truth) -> None:
    missing = judged(monkeypatch, photo, truth, NoBoard("none"))
    assert (missing.error, missing.found, missing.clean) == ("no-board", False, False)
    assert not missing.silent_error  # the user was told
    other = game("sprawl").dump(game("sprawl").empty())
    wrong_game = judged(monkeypatch, photo, truth, reading(other))
    assert not wrong_game.found
    assert wrong_game.silent_error
    nothing = {"game": None, "negative": "no-board"}
    assert judged(monkeypatch, photo, nothing, NoBoard("none")).error == "no-board"
    invented = judged(monkeypatch, photo, nothing, reading(truth))
    report = {row.name: row.value for row in figures([invented])}
    assert report["false boards"] == 1


def test_shares_come_with_their_intervals() -> None:
    base = Result("a.jpg", "sprawl", "", "", read_as="sprawl", corner_error=0.0, lots=36, exact_score=True)
    rows = {row.name: row for row in figures([base] * 99 + [replace(base, lots_wrong=2, exact_score=False)])}
    assert rows["exact scores"].value == 0.99
    # Wilson's interval for 99 of 100.
    assert (rows["exact scores"].low, rows["exact scores"].high) == (
        pytest.approx(0.9455, abs=1e-3),
        pytest.approx(0.9982, abs=1e-3),
    )
    assert rows["lots wrong"].value == pytest.approx(2 / 3600)
    assert rows["lots wrong"].low == 0.0
    assert rows["silent errors"].value == 0.01


def test_calibration_error() -> None:
    honest = Result("a", "sprawl", "", "", calibration=" ".join(["0.7500:1"] * 3 + ["0.7500:0"]))
    boastful = Result("b", "sprawl", "", "", calibration=" ".join(["0.9500:1", "0.9500:0"]))
    assert calibration_error([honest]) == pytest.approx(0.0)
    assert calibration_error([boastful]) == pytest.approx(0.45)


def test_photos_are_found_with_their_truth_and_results_written(tmp_path: Path, photo: Path) -> None:
    photo.with_suffix(".json").write_text(json.dumps({"game": None}))
    (tmp_path / "alone.json").write_text("{}")
    assert [path.name for path, _ in labelled_photos(tmp_path)] == ["photo.jpg"]
    write_csv([Result("photo.jpg", None, "toy", "fast", error="no-board")], tmp_path / "out.csv")
    with (tmp_path / "out.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["photo"], row["error"], row["corner_error"]) == ("photo.jpg", "no-board", "")


@pytest.mark.parametrize(
    "corners",
    [
        [[1, 2], [3, 4]],  # two points are no board
        [[1, 2, 3]] * 4,  # and three numbers are no point of a photo
        "none",
        [[10**400, 0], [9, 0], [9, 9], [0, 9]],  # a number that no float can hold
    ],
)
def test_corners_that_are_none_are_the_label_s_fault(monkeypatch, photo, truth, corners) -> None:
    with pytest.raises(Unreadable, match="four points"):
        judged(monkeypatch, photo, {**truth, "corners": corners}, reading(truth))


def test_a_table_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be written"):
        write_csv([], tmp_path / "nowhere" / "out.csv")


def test_colours_without_a_piece_on_the_board_are_not_asked_of_a_photo() -> None:
    truth = {"game": "sprawl", "colours": ["red", "blue", "green"], "cells": [{"at": "A1", "stack": ["red3"]}]}
    for read, expected in (
        (["red"], ["red", "blue", "green"]),  # what is seen, and what no photo shows
        (["yellow"], ["yellow", "blue", "green"]),  # a colour that was misread stays wrong
    ):
        reading = Reading("sprawl", {"game": "sprawl", "colours": read}, np.zeros((4, 2)), {}, ())
        assert evaluate._unseen_colours(reading, truth) == {"colours": expected}
