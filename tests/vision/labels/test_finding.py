"""Missing corners are taken from a reading that agrees with the label, in the label's own order."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.documents import position_from_document
from engine.game import game
from vision.labels import finding
from vision.labels.check import check_label
from vision.labels.finding import find_corners
from vision.reading import NoBoard, Reading

SEEN = {
    "alien-city": [[50.0, 20.0], [130.0, 20.0], [130.0, 120.0], [50.0, 120.0]],
    "city-blocks": [[40.0, 30.0], [140.0, 30.0], [140.0, 130.0], [40.0, 130.0]],
    "sprawl": [[40.0, 30.0], [140.0, 30.0], [140.0, 130.0], [40.0, 130.0]],
}


def position(name: str, seed: int = 5) -> dict[str, Any]:
    positions = list(game(name).random_game(random.Random(seed)))
    return game(name).dump(positions[len(positions) // 2])


def reads(monkeypatch: pytest.MonkeyPatch, state: dict[str, Any] | Exception) -> list[Any]:
    asked: list[Any] = []

    def read(_: object, request: Any) -> Reading:
        asked.append(request)
        if isinstance(state, Exception):
            raise state
        return Reading(state["game"], state, np.array(SEEN[state["game"]]), {}, ())

    monkeypatch.setattr(finding, "read_photo", read)
    return asked


def looked_for(photo: Path) -> Any:
    return find_corners(check_label((photo, photo.with_suffix(".json"))))


@pytest.mark.parametrize("name", SEEN)
def test_the_corners_follow_the_labels_own_north(make, monkeypatch, name: str) -> None:
    """The reader sees the board from the usual side, the label names it from any: north must stay north."""
    rules = game(name)
    read = position(name)
    asked = reads(monkeypatch, read)
    turns = rules.turns(position_from_document(dict(read)).state)
    for number, turn in enumerate(turns):
        # Turned clockwise, what was the north-west corner is called north-east.
        photo = make(f"{number}.png", rules.dump(turn), shade=number)
        label = looked_for(photo)
        steps = number * (4 // len(turns))
        expected = np.roll(np.array(SEEN[name]), steps, axis=0)
        assert label.truth is not None
        assert np.array(label.truth["corners"]) == pytest.approx(expected)
        assert label.usable
        assert label.problems[0].kind == "corners-read"
        written = json.loads(photo.with_suffix(".json").read_text())
        assert {**written, "corners": None} == {**rules.dump(turn), "corners": None}
        assert written["corners"] == expected.tolist()
    assert {request.game for request in asked} == {name}


@pytest.mark.parametrize("name", SEEN)
def test_a_turned_board_lies_as_the_engine_turns_it(name: str) -> None:
    """What the test above rests on: a piece near the reader's north-west corner moves to the north-east."""
    rules = game(name)
    quarter = {
        "alien-city": ("A10", "H1"),  # half a turn: the long side stays north-south
        "city-blocks": ("A1", "T1"),
        "sprawl": ("A6", "F6"),
    }
    before, after = quarter[name]
    pieces = {
        "alien-city": {"structures": [{"at": before, "kind": "dome", "colour": "red"}]},
        "city-blocks": {"grid": ["B" + "." * 19] + ["." * 20] * 19},
        "sprawl": {"columns": 6, "rows": 6, "cells": [{"at": before, "stack": ["red1"]}]},
    }
    turned = rules.dump(rules.turns(position_from_document({"game": name, **pieces[name]}).state)[1])
    assert list(finding._places(turned)) == [after]


def test_a_few_mistakes_of_the_reader_are_forgiven_and_many_are_not(make, monkeypatch) -> None:
    truth = position("sprawl")
    reads(monkeypatch, {**truth, "cells": truth["cells"][1:]})
    assert len(truth["cells"]) >= 4
    assert looked_for(make("a.png", truth)).usable
    reads(monkeypatch, {**truth, "cells": []})
    photo = make("b.png", truth, shade=1)
    label = looked_for(photo)
    assert [problem.kind for problem in label.problems] == ["corners-missing"]
    assert "another position" in label.problems[0].message
    assert "corners" not in json.loads(photo.with_suffix(".json").read_text())


def test_no_board_is_the_reason_that_is_told(make, monkeypatch) -> None:
    reads(monkeypatch, NoBoard("no board was found; take the photo from above."))
    label = looked_for(make("a.png", position("alien-city")))
    assert [problem.kind for problem in label.problems] == ["corners-missing"]
    assert "take the photo from above" in label.problems[0].message


def test_labels_that_lack_nothing_or_too_much_are_left_alone(make, states, monkeypatch) -> None:
    asked = reads(monkeypatch, NoBoard("never asked"))
    whole = make("whole.png", states["sprawl"])
    before = whole.with_suffix(".json").read_bytes()
    assert looked_for(whole).usable
    broken = make("broken.jpg", position("sprawl"))
    broken.write_bytes(b"no picture")
    assert not looked_for(broken).usable
    looked_for(make("negative.png", {"game": None}))
    assert asked == []
    assert whole.with_suffix(".json").read_bytes() == before
