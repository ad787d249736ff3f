"""``--jobs``: several processes answer as one does."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine.game import game, game_names
from vision import evaluate, reader
from vision.reading import NoBoard, Reading


def without_times(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in answer.items() if key != "milliseconds"} for answer in answers]


@pytest.mark.parametrize("command", ["score", "read", "check"])
def test_processes_make_no_difference(run, games, tmp_path, command) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"game": "alien-city", "structures": [{"at": "Z9"}]}')  # its error has a path: two arguments
    inputs = [games["sprawl"][-1], broken, games["alien-city"][-1], tmp_path / "missing.png", games["city-blocks"][0]]
    alone = run(command, *inputs, "--json")
    together = run(command, *inputs, "--json", "--jobs", 2)
    assert without_times(together.answers) == without_times(alone.answers)
    assert [answer["ok"] for answer in together.answers] == [True, False, True, False, True]
    assert together.code == alone.code == 3
    assert together.err == ""


def test_people_get_headings_in_order_too(run, games) -> None:
    inputs = [games[name][0] for name in game_names()] * 2
    alone, together = run("score", *inputs), run("score", *inputs, "--jobs", 2)
    assert together.out == alone.out
    assert [line.split()[0] for line in together.out.splitlines() if ".json ─" in line] == [str(i) for i in inputs]


def test_standard_input_among_several(run, games, monkeypatch) -> None:
    class Stdin:
        buffer = io.BytesIO(games["sprawl"][0].read_bytes())

    monkeypatch.setattr("sys.stdin", Stdin)
    result = run("score", "-", games["sprawl"][0], "--json", "--jobs", 2)
    assert result.code == 0
    first, second = without_times(result.answers)
    assert first == {**second, "input": "-"}


@pytest.mark.parametrize("command", ["score", "evaluate", "label", "synth"])
def test_no_process_is_no_number(run, command) -> None:
    result = run(command, "x", "--jobs", "0")
    assert result.code == 2


# --- evaluate ----------------------------------------------------------------------------------
@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Four photos: a good label, one without corners, one that is no JSON, one that is no position."""
    state = game("sprawl").dump(list(game("sprawl").random_game(random.Random(1)))[-1])
    texts = {
        "a-good": json.dumps({**state, "corners": [[10, 10], [90, 10], [90, 90], [10, 90]]}),
        "b-bare": json.dumps(state),
        "c-cut": json.dumps(state)[:-5],
        "d-odd": json.dumps({**state, "cells": [{"at": "A1", "stack": ["mauve9"]}]}),
    }
    for name, text in texts.items():
        Image.new("RGB", (100, 100), "white").save(tmp_path / f"{name}.png")
        (tmp_path / f"{name}.json").write_text(text)
    return tmp_path


def test_one_broken_label_does_not_stop_evaluate(run, labelled, monkeypatch) -> None:
    truth = json.loads((labelled / "b-bare.json").read_text())

    def read(*_: object) -> Reading:
        return Reading("sprawl", truth, np.array([[10, 10], [90, 10], [90, 90], [10, 90.0]]), {}, ())

    monkeypatch.setattr(reader, "readable_games", lambda: ("sprawl",))
    monkeypatch.setattr(evaluate, "read_photo", read)
    result = run("evaluate", labelled, "--jobs", 1, "--json")
    assert result.code == 3
    lines = result.err.splitlines()
    assert [Path(line.split(":")[0]).name for line in lines] == ["c-cut.png", "d-odd.png"]
    assert "not JSON" in lines[0]
    assert "cells[0].stack[0]" in lines[1]
    assert result.answer["exact scores"]["value"] == 1.0
    assert result.answer["board found"]["value"] == 1.0  # also that without corners to compare with
    assert result.answer["corner error, median, lots"]["value"] == 0.0
    csv = labelled / "out.csv"
    assert run("evaluate", labelled, "--jobs", 1, "--csv", csv).out.startswith("2 photos")
    assert len(csv.read_text().splitlines()) == 3


def test_photos_without_a_board_stay_part_of_the_report(run, labelled, monkeypatch) -> None:
    def read(*_: object) -> None:
        raise NoBoard("no board.")

    monkeypatch.setattr(reader, "readable_games", lambda: ("sprawl",))
    monkeypatch.setattr(evaluate, "read_photo", read)
    for name in ("c-cut", "d-odd"):
        (labelled / f"{name}.json").unlink()
    (labelled / "a-good.png").write_bytes(b"no picture")
    result = run("evaluate", labelled, "--jobs", 1, "--json")
    assert result.code == 0
    assert result.answer["board found"]["value"] == 0.0
    assert result.err.splitlines() == [
        "a-good.png: not read (unreadable), counted as wrong",
        "b-bare.png: not read (no-board), counted as wrong",
    ]
    told = run("evaluate", labelled, "--jobs", 1).out
    assert "corner error, median, lots: nothing to count" in told
    assert "nan" not in told
