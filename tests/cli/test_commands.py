"""The commands on good input, for all three games."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.game import game, game_names

each_game = pytest.mark.parametrize("name", game_names())
WORKED = Path(__file__).parents[1] / "engine" / "alien_city" / "worked-final.json"


@each_game
def test_score_answers_as_the_format_says(run, games, name) -> None:
    result = run("score", games[name][-1], "--json")
    assert result.code == 0
    answer = result.answer
    assert answer["ok"] is True
    assert answer["state"] == json.loads(games[name][-1].read_text())
    assert answer["violations"] == []
    assert set(answer["score"]) >= {"totals", "winner", "items"}
    assert isinstance(answer["over"], bool)
    assert answer["milliseconds"]["total"] >= answer["milliseconds"]["decode"] >= 0
    assert "reading" not in answer


@each_game
def test_people_get_the_board_and_the_totals(run, games, name) -> None:
    totals = run("score", games[name][-1], "--json").answer["score"]["totals"]
    sheet = run("score", games[name][-1])
    assert sheet.code == 0
    assert "No rule is broken." in sheet.out
    for owner, points in totals.items():
        assert owner in sheet.out
        assert str(points) in sheet.out


@each_game
def test_moves_and_check_before(run, games, name) -> None:
    early, later, _ = games[name]
    assert run("moves", early, "--json").answer["moves"]
    between = run("check", later, "--before", early, "--json")
    assert between.code == 0
    assert between.answer["between"]
    assert all(step["legal"] and step["rule"] is None for step in between.answer["between"])
    backwards = run("check", early, "--before", later, "--json")
    assert backwards.code == 1  # pieces cannot leave the board


@each_game
def test_convert_there_and_back(run, games, name, tmp_path) -> None:
    diagram = tmp_path / "position.txt"
    diagram.write_text(run("convert", games[name][-1], "--to", "diagram").out)
    back = run("convert", diagram, "--to", "json")
    assert json.loads(back.out) == json.loads(games[name][-1].read_text())


def test_the_worked_example_in_all_editions(run) -> None:
    for edition in ("1.0", "2.2", "fr"):
        answer = run("score", WORKED, "--edition", edition, "--json").answer
        assert answer["state"]["edition"] == edition
        assert answer["score"]["totals"] == {"white": 89, "black": 66}
        assert answer["score"]["winner"] == "white"


def test_a_game_record_is_replayed(run, tmp_path) -> None:
    record = tmp_path / "game.ppn"
    record.write_text(run("convert", WORKED, "--to", "record").out)
    answer = run("score", record, "--json").answer
    assert answer["score"]["totals"] == {"white": 89, "black": 66}


def test_several_inputs_are_answered_in_order_and_a_bad_one_stops_nothing(run, games, tmp_path) -> None:
    missing = tmp_path / "missing.json"
    inputs = [games["sprawl"][0], missing, games["alien-city"][0]]
    result = run("score", *inputs, "--json")
    assert [answer["input"] for answer in result.answers] == [str(path) for path in inputs]
    assert [answer["ok"] for answer in result.answers] == [True, False, True]
    assert result.code == 3


def test_check_returns_one_only_for_certain_violations(run, games, tmp_path) -> None:
    state = json.loads(WORKED.read_text())
    state["structures"].append({"at": "E4", "kind": "dome", "colour": "green"})  # E3's only road
    illegal = tmp_path / "illegal.json"
    illegal.write_text(json.dumps(state))
    result = run("check", illegal, "--json")
    assert result.code == 1
    assert "road" in {violation["rule"] for violation in result.answer["violations"]}
    assert run("score", illegal).code == 0  # still scored, with the violations beside it
    assert run("check", WORKED, games["sprawl"][0]).code == 0


def test_setup_supplies_hidden_tiles(run, tmp_path) -> None:
    known = json.loads(WORKED.read_text())
    hidden = dict(known, tiles=[dict(tile, icon=None, colour=None) for tile in known["tiles"]])
    now, setup = tmp_path / "now.json", tmp_path / "setup.json"
    now.write_text(json.dumps(hidden))
    setup.write_text(json.dumps(dict(known, structures=[])))
    filled = run("read", now, "--setup", setup, "--json").answer["state"]
    assert filled["tiles"] == run("read", WORKED, "--json").answer["state"]["tiles"]


def test_names_are_shown_as_they_are(run, tmp_path) -> None:
    state = json.loads(WORKED.read_text())
    state["extras"] = {"names": {"white": "[bold]Ann[/bold]"}}
    path = tmp_path / "named.json"
    path.write_text(json.dumps(state))
    assert "[bold]Ann[/bold] (white)" in run("score", path).out


def test_board_and_colours_for_sprawl(run, tmp_path) -> None:
    state = {"game": "sprawl", "columns": 8, "rows": 8, "cells": [{"at": "C3", "stack": ["red3"]}]}
    corners = [{"at": "B2", "stack": ["blue1"]}, {"at": "G7", "stack": ["blue1"]}]
    path = tmp_path / "part.json"
    path.write_text(json.dumps(dict(state, cells=state["cells"] + corners)))
    cropped = run("read", path, "--board", "6x6", "--colours", "red,blue,green", "--json").answer["state"]
    assert (cropped["columns"], cropped["rows"]) == (6, 6)
    assert cropped["colours"] == ["red", "blue", "green"]
    assert {cell["at"] for cell in cropped["cells"]} == {"B2", "A1", "F6"}
    path.write_text(json.dumps(state))  # several places of that size hold the one piece: the board stays
    assert run("read", path, "--board", "6x6", "--json").answer["state"]["columns"] == 8


def test_the_board_from_before_may_have_been_seen_from_the_other_side(run, tmp_path) -> None:
    rules = game("alien-city")
    positions = list(rules.random_game(random.Random(3)))
    now, before = tmp_path / "now.json", tmp_path / "before.json"
    now.write_text(json.dumps(rules.dump(positions[15])))
    before.write_text(json.dumps(rules.dump(positions[14].turned())))
    answer = run("check", now, "--before", before, "--json").answer
    assert answer["between_violations"] == []
    assert answer["between"]
    assert all(step["legal"] for step in answer["between"])
