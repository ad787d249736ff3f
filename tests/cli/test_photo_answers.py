"""What the command says about a photo that was read: doubt, how sure the score is, times, stages as pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision import reader
from vision.effects import sureness_words
from vision.reading import Candidate, Guess, NoBoard, Reading

SAMPLES = Path(__file__).parents[2] / "sample_photos"
FIELDS = ("game", "edition", "tiles", "structures", "players", "grid", "columns", "rows", "colours", "cells")
SPENT = {"locate": 30.0, "classify": 60.0, "settle": 2.0}


def reading_of(sample: str, doubts: dict[str, list[tuple[Any, float]]]) -> Reading:
    """A sample photo's truth as its reading, with doubt in some places."""
    truth = json.loads((SAMPLES / f"{sample}.json").read_text())
    state = {key: truth[key] for key in FIELDS if key in truth}
    guesses = {place: Guess(tuple(Candidate(value, p) for value, p in told)) for place, told in doubts.items()}
    corners = np.array(truth["corners"], dtype=np.float64)
    return Reading(state["game"], state, corners, guesses, tuple(doubts), milliseconds=SPENT)


@pytest.fixture
def read_as(monkeypatch: pytest.MonkeyPatch):
    """A reader that answers what it is told to."""

    def put(answer: Reading | Exception) -> None:
        def read_photo(*_: object) -> Reading:
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(reader, "readable_games", lambda: reader.GAMES)
        monkeypatch.setattr(reader, "read_photo", read_photo)

    return put


FINAL = "alien-city-2.2-final"
WHITE_TOWER = {"kind": "tower", "colour": "red", "claimed_by": "white"}
UNCLAIMED = {"kind": "tower", "colour": "red"}


def test_the_score_of_a_photo_says_how_sure_it_is(run, read_as) -> None:
    read_as(reading_of(FINAL, {"C9": [(WHITE_TOWER, 0.9), (UNCLAIMED, 0.1)]}))
    answer = run("score", SAMPLES / f"{FINAL}.jpg", "--json").answer
    assert answer["reading"]["score_sureness"] == 0.9
    assert answer["reading"]["doubtful"] == ["C9"]
    assert set(answer["milliseconds"]) == {"decode", "locate", "classify", "settle", "total"}
    assert answer["milliseconds"]["total"] >= answer["milliseconds"]["decode"] > 0
    sheet = run("score", SAMPLES / f"{FINAL}.jpg").out
    assert "Please check 1 place, first where" in sheet
    assert "The score is right with about 90 % (1 place to look at: C9)." in sheet


def test_a_long_list_of_doubts_tells_how_many_are_left_out(run, read_as) -> None:
    lots = [f"{column}1" for column in "ABCDEFGH"] + [f"{column}2" for column in "ABCDEFGH"]
    read_as(reading_of(FINAL, {lot: [(None, 0.6), (UNCLAIMED, 0.4)] for lot in lots}))
    told = run("read", SAMPLES / f"{FINAL}.jpg").out
    assert "Please check 16 places" in told
    assert "D2: empty 60%" in told
    assert "E2: empty" not in told
    assert "and 4 more (all: --json)" in told


def test_other_commands_score_nothing_and_state_files_are_sure(run, read_as, games) -> None:
    read_as(reading_of(FINAL, {}))
    for command in ("read", "check"):
        assert "score_sureness" not in run(command, SAMPLES / f"{FINAL}.jpg", "--json").answer["reading"]
        assert "The score is right" not in run(command, SAMPLES / f"{FINAL}.jpg").out
    assert "The score is right" not in run("score", games["alien-city"][-1]).out
    assert "more than 99 %" in run("score", SAMPLES / f"{FINAL}.jpg").out


def test_the_score_is_judged_as_the_options_have_it(run, read_as) -> None:
    tile = next(t for t in json.loads((SAMPLES / f"{FINAL}.json").read_text())["tiles"] if t["at"] == "C9")
    seen = {key: tile[key] for key in ("colour", "rank", "icon")}
    read_as(reading_of(FINAL, {"tile:C9": [(seen, 0.7), ({**seen, "rank": 0}, 0.3)]}))
    photo = SAMPLES / f"{FINAL}.jpg"
    assert run("score", photo, "--json").answer["reading"]["score_sureness"] == 1.0
    with_bonus = run("score", photo, "--variant", "location-bonus", "--json").answer
    assert with_bonus["reading"]["score_sureness"] == 0.7


def test_a_part_of_the_board_keeps_the_names_of_the_whole_for_its_doubts(run, read_as) -> None:
    read = reading_of("sprawl-8x8", {})
    cells = [{"at": "B2", "stack": ["red1"]}, {"at": "G7", "stack": ["red2"]}, {"at": "C3", "stack": ["blue1"]}]
    state = {**read.state, "colours": ["red", "blue"], "cells": cells}
    guesses = {"G7": Guess((Candidate({"stack": ["red2"]}, 0.8), Candidate({"stack": ["red3"]}, 0.2)))}
    read_as(replace(read, state=state, guesses=guesses, doubtful=("G7",)))
    answer = run("score", SAMPLES / "sprawl-8x8.jpg", "--board", "6x6", "--json").answer
    assert answer["state"]["columns"] == 6
    assert answer["reading"]["score_sureness"] == 0.8


@pytest.mark.parametrize(
    ("sureness", "doubtful", "words"),
    [
        (0.97, ("E4",), "The score is right with about 97 % (1 place to look at: E4)."),
        (1.0, (), "The score is right with more than 99 %."),  # nobody is ever quite sure
        (0.9949, (), "The score is right with about 99 %."),
        (0.5, ("E4", "C3"), "The score is right with about 50 % (2 places to look at: E4, C3)."),
        (
            0.001,
            tuple("ABCDEFG"),
            "The score is right with less than 1 % (7 places to look at: A, B, C, D, E and 2 more).",
        ),
    ],
)
def test_sureness_in_words(sureness: float, doubtful: tuple[str, ...], words: str) -> None:
    assert sureness_words(sureness, doubtful) == words


@pytest.mark.parametrize("command", ["read", "score", "check"])
def test_debug_writes_the_stages_of_every_photo(run, read_as, games, tmp_path: Path, command: str) -> None:
    read_as(reading_of(FINAL, {}))
    photo = SAMPLES / f"{FINAL}.jpg"
    code = run(command, photo, games["sprawl"][0], "--debug", tmp_path / "stages").code
    assert code == 0
    (folder,) = (tmp_path / "stages").iterdir()  # the state file has no stages
    assert folder.name.endswith(photo.name)
    assert {"01-photo.jpg", "03-outline.jpg", "05-reading.jpg", "reading.json"} <= {p.name for p in folder.iterdir()}


def test_debug_shows_how_far_a_photo_without_a_board_came(run, read_as, tmp_path: Path) -> None:
    read_as(NoBoard("no board was found."))
    assert run("score", SAMPLES / f"{FINAL}.jpg", "--debug", tmp_path).code == 4
    (folder,) = tmp_path.iterdir()
    assert json.loads((folder / "reading.json").read_text())["error"]["kind"] == "no-board"
    assert (folder / "01-photo.jpg").stat().st_size > 10_000


def test_debug_into_a_file_is_refused_in_a_sentence(run, read_as, tmp_path: Path) -> None:
    read_as(reading_of(FINAL, {}))
    (tmp_path / "stages").write_text("a file")
    told = run("score", SAMPLES / f"{FINAL}.jpg", "--debug", tmp_path / "stages", "--json")
    assert told.code == 3
    assert "name another folder" in told.answer["error"]["message"]
