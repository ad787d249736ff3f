"""Bad input: one sentence with the path of the field, the right exit code, no traceback."""

from __future__ import annotations

import json

import pytest

TILE = {"at": "A1", "colour": "red", "rank": 1, "icon": "A1"}
DOME = {"at": "C3", "kind": "dome", "colour": "red"}


def alien(**fields: object) -> dict[str, object]:
    return {"game": "alien-city", "structures": [], **fields}


@pytest.mark.parametrize(
    ("state", "path"),
    [
        ([], ""),  # not an object
        ({}, ""),  # no game
        ({"game": 5}, "game"),
        (alien(edition="3.0"), "edition"),
        (alien(structures={}), "structures"),  # wrong type
        (alien(structures=[5]), "structures[0]"),
        (alien(structures=[dict(DOME, colour="mauve")]), "structures[0].colour"),  # unknown colour
        (alien(structures=[dict(DOME, kind="tower", colour="black")]), "structures[0].colour"),  # no such tower
        (alien(structures=[DOME, dict(DOME, colour="blue")]), "structures[1].at"),  # two structures on a lot
        (alien(structures=[dict(DOME, claimed_by="white")]), "structures[0].claimed_by"),  # a claim on a dome
        (alien(structures=[dict(DOME, at="I3")]), "structures[0].at"),  # outside the board
        (alien(structures=[dict(DOME, at="C11")]), "structures[0].at"),
        (alien(structures=[{"at": "C3", "kind": "dome"}]), "structures[0]"),  # a field is missing
        (alien(tiles=[TILE] * 21), "tiles"),  # 21 tiles
        (alien(tiles=[TILE, TILE]), "tiles[1].at"),
        (alien(tiles=[dict(TILE, rank=6)]), "tiles[0].rank"),
        (alien(tiles=[dict(TILE, rank=True)]), "tiles[0].rank"),
        (alien(tiles=[dict(TILE, icon="C1")]), "tiles[0].icon"),  # not on this tile
        (alien(tiles=[dict(TILE, at="B1")]), "tiles[0].at"),  # not a tile's place
        (alien(variants="location-bonus"), "variants"),
        (alien(variants=["counting-coup"]), "variants[0]"),  # another game's
        (alien(extras={"last_claim": "Z9"}), "extras.last_claim"),
        ({"game": "city-blocks"}, ""),
        ({"game": "city-blocks", "grid": ["." * 20] * 19}, "grid"),
        ({"game": "city-blocks", "grid": ["." * 20] * 19 + ["." * 19]}, "grid[19]"),
        ({"game": "city-blocks", "grid": ["." * 20] * 19 + ["X" * 20]}, "grid[19]"),
        ({"game": "city-blocks", "players": 5, "grid": ["." * 20] * 20}, "players"),
        ({"game": "city-blocks", "grid": ["." * 20] * 20, "pairs": [["blue", "blue"]]}, "pairs"),
        ({"game": "sprawl", "columns": 6, "rows": 0, "cells": []}, "rows"),
        ({"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "A1"}]}, "cells[0]"),
        ({"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "G1", "stack": ["red1"]}]}, "cells[0].at"),
        ({"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "A1", "stack": ["red4"]}]}, "cells[0].stack[0]"),
        (
            {"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "A1", "lying": "red1", "points": "up"}]},
            "cells[0].points",
        ),
    ],
)
def test_invalid_states_name_the_field(run, tmp_path, state, path) -> None:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    result = run("score", file, "--json")
    assert result.code == 3
    error = result.answer["error"]
    assert error["kind"] == "invalid-state"
    assert error["message"].startswith(path)
    assert "\n" not in error["message"]
    for_people = run("score", file)
    assert for_people.code == 3
    assert for_people.out == ""
    assert "Traceback" not in for_people.err


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("empty.json", b"", "unreadable"),
        ("binary.json", bytes(range(256)), "unreadable"),
        ("deep.json", b"[" * 100_000, "invalid-state"),
        ("nan.json", b'{"game": "alien-city", "tiles": NaN}', "invalid-state"),
        ("twice.json", b'{"game": "alien-city", "game": "sprawl"}', "invalid-state"),
        ("empty.ppn", b"", "unreadable"),
        ("words.ppn", b"once upon a time", "invalid-state"),
        ("words.txt", b"once upon a time", "invalid-state"),
        ("photo.jpg", b"\xff\xd8\xff", "unreadable"),
        ("table.xlsx", b"PK", "unsupported"),
    ],
)
def test_bad_files(run, tmp_path, name, content, kind) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    result = run("check", file, "--json")
    assert result.code == 3
    assert result.answer["error"]["kind"] == kind


def test_missing_files_of_every_kind(run, tmp_path) -> None:
    for name in ("a.json", "a.ppn", "a.txt", "a.jpg"):
        result = run("score", tmp_path / name, "--json")
        assert result.code == 3
        assert result.answer["error"]["kind"] == "unreadable"


@pytest.mark.parametrize(
    "arguments",
    [
        [],  # no command
        ["sing"],  # no such command
        ["score"],  # no input
        ["moves", "a.json", "b.json"],  # one at a time
        ["score", "a.json", "--game", "chess"],
        ["score", "a.json", "--board", "6by6"],
        ["score", "a.json", "--colours", "red,mauve"],
        ["check", "a.json", "b.json", "--before", "c.json"],
        ["score", "a.json", "--vari", "x"],  # no abbreviations: they would change meaning with new options
    ],
)
def test_wrong_usage_returns_two(run, arguments) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err


def test_options_that_the_game_does_not_have(run, games) -> None:
    for options in (["--edition", "9"], ["--variant", "overload"], ["--players", "7"], ["--game", "sprawl"]):
        result = run("score", games["alien-city"][0], *options, "--json")
        assert result.code in (2, 3)
        assert result.answer["ok"] is False
    assert run("check", games["alien-city"][0], "--before", games["sprawl"][0], "--json").code == 3
