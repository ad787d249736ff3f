"""``cityscan train`` and ``--profile``: options, sentences, exit codes. What is learnt is tested with vision.adapt."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from vision.adapt import training
from vision.adapt.judging import Score
from vision.adapt.photos import LeftOut
from vision.adapt.training import Outcome, Report
from vision.training import full

FACTS = {"square": {"strength": 3.0, "trust": 1.0, "held_out_loss_before": 0.5, "held_out_loss": 0.1}}


def outcome(photos: int = 3, file: Path | None = Path("/data/models/my-set/board-city-blocks.npz"), **more) -> Outcome:
    boards = max(photos, 1)
    facts = {
        "before": Score(boards, 0, 400 * boards, 120),
        "after": Score(boards, boards - 1, 400 * boards, 4),
        "earlier": None,
        "questions": FACTS,
        "seconds": 12.34,
    }
    return Outcome("city-blocks", photos, file=file, **(facts | more))


@pytest.fixture
def learns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Learning gives this report; returns what it was called with."""
    calls = []

    def give(*outcomes: Outcome, left_out: tuple[LeftOut, ...] = ()):
        def learn_set(folder, profile, seed, jobs, advance):
            calls.append((folder, profile, seed, jobs))
            advance()
            return Report(profile, outcomes, left_out)

        monkeypatch.setattr(training, "learn_set", learn_set)
        monkeypatch.setattr("vision.reader.readable_games", lambda: ("city-blocks",))
        monkeypatch.setattr("vision.adapt.photos.labelled_in", lambda _: ([], []))
        return calls

    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    return give


def test_people_are_told_before_and_after(run, learns, tmp_path) -> None:
    calls = learns(outcome())
    result = run("train", "--photos", tmp_path, "--profile", "my-set", "--seed", 7, "--jobs", 2)
    assert calls == [(tmp_path, "my-set", 7, 2)]
    assert result.code == 0
    assert result.out.splitlines() == [
        "city-blocks: 3 photos, each photo judged without having been learnt from, in 12 s",
        "  cells wrong: 120 of 1200 before, 4 after",
        "  boards without a mistake: 0 of 3 before, 2 after",
        "  kept in /data/models/my-set/board-city-blocks.npz; used with --profile my-set",
    ]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        # one photo cannot be held out
        (outcome(photos=1), "1 photo, parts of its board judged"),
        # not kept: worse, or nothing learnt at all
        (outcome(file=None), "nothing is changed: reading did not get better"),
        (outcome(file=None, questions={}), "nothing is changed: there was nothing to learn"),
        # an earlier one
        (outcome(earlier=(Score(2, 1, 800, 9), Score(2, 2, 800, 0))), "on 2 photos: 9 cells wrong then, 0 now"),
    ],
)
def test_people_are_told_why(run, learns, tmp_path, found: Outcome, words: str) -> None:
    learns(found)
    result = run("train", "--photos", tmp_path, "--profile", "my-set")
    assert words in result.out
    assert result.code == 0


def test_json_tells_everything(run, learns, tmp_path) -> None:
    learns(
        outcome(earlier=(Score(1, 1, 400, 0), Score(1, 1, 400, 0))),
        left_out=(LeftOut(tmp_path / "bad.jpg", "no corners."),),
    )
    result = run("train", "--photos", tmp_path, "--profile", "my-set", "--json")
    report = json.loads(result.out)
    (game,) = report["games"]
    assert game["before"] == {"boards": 3, "faultless": 0, "cells": 1200, "wrong": 120}
    assert game["after"]["wrong"] == 4
    assert game["earlier"][0]["faultless"] == 1
    assert game["kept"] is True
    assert game["questions"] == FACTS
    assert report["left_out"] == [{"photo": str(tmp_path / "bad.jpg"), "problem": "no corners."}]
    assert result.code == 3  # a photo was left out
    assert "bad.jpg: left out: no corners." in result.err


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (["--profile", "my-set"], "say which photos and which set", 2),
        (["--photos", "."], "say which photos and which set", 2),
        (["--photos", ".", "--profile", "my-set", "--seed", "-1"], "must not be negative", 2),
        (["--photos", ".", "--profile", "my-set", "--jobs", "0"], "not a number of processes", 2),
    ],
)
def test_wrong_usage(run, arguments: list[str], words: str, code: int) -> None:
    result = run("train", *arguments)
    assert result.code == code
    assert words in result.err
    assert "Traceback" not in result.err


def test_a_version_without_networks_says_so(run, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("vision.reader.readable_games", lambda: ())
    result = run("train", "--photos", tmp_path, "--profile", "my-set")
    assert result.code == 3
    assert result.err == "cityscan: nothing can be learnt with this version: no networks are installed.\n"


def test_full_goes_to_the_training_of_networks(run, monkeypatch) -> None:
    seen: list[argparse.Namespace] = []

    def fake(options: argparse.Namespace) -> int:
        seen.append(options)
        return 5

    monkeypatch.setattr(full, "run", fake)
    assert run("train", "--full", "--quick").code == 5
    assert seen[0].quick


@pytest.mark.parametrize("command", ["score", "read", "check", "evaluate"])
def test_reading_commands_take_a_profile(run, command: str) -> None:
    assert "--profile NAME" in run(command, "--help").out


def test_evaluating_with_no_such_set_is_refused_once(run, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("vision.reader.readable_games", lambda: ("city-blocks",))
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    result = run("evaluate", tmp_path, "--profile", "no-such-set")
    assert result.code == 3
    assert result.err.startswith('cityscan: there is no set "no-such-set"; possible are alien-2004,')
