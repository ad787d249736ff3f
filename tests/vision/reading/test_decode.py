"""Decoding: a network that is sure gives back the position; doubt is settled by what the set holds, never overruled."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from engine.fields import Field
from engine.game import game, game_names
from vision.boards import ALIEN_CITY, CAPS, GUILDS, KINDS, VIEWS
from vision.games import alien_city, city_blocks, sprawl
from vision.reading import Hints
from vision.training.examples import Example
from vision.training.labels import labels_of

DECODERS = {"alien-city": alien_city, "city-blocks": city_blocks, "sprawl": sprawl}


def sure_answers(state: dict, confidence: float = 0.999) -> dict[str, np.ndarray]:
    """What a network would say that sees everything; on what is not asked for it has no opinion."""
    view = VIEWS[state["game"]]
    answers = {}
    for name, grid in labels_of(Example(Path("photo.jpg"), state)).items():
        number = {**view.heads, **view.block_heads}[name]
        p = np.full((number, *grid.shape), 1.0 / number)
        for at in np.argwhere(grid >= 0):
            p[:, at[0], at[1]] = (1 - confidence) / (number - 1)
            p[(grid[tuple(at)], *at)] = confidence
        answers[name] = p
    return answers


def decoded(state: dict, answers: dict[str, np.ndarray]) -> dict:
    cells = (state["columns"], state["rows"]) if state["game"] == "sprawl" else VIEWS[state["game"]].cells
    read, _ = DECODERS[state["game"]].decode(answers, Hints(cells))
    return {"game": state["game"], **read}


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seed", range(6))
def test_sure_answers_give_the_position_back(name: str, seed: int) -> None:
    rules = game(name)
    positions = list(rules.random_game(random.Random(seed)))
    truth = rules.dump(positions[len(positions) * (seed + 1) // 7])
    read = rules.dump(rules.load(Field(decoded(truth, sure_answers(truth)))))
    for key in ("tiles", "structures", "grid", "cells"):
        if key in truth:
            assert sorted(map(json.dumps, read[key])) == sorted(map(json.dumps, truth[key]))


def alien_answers() -> dict[str, np.ndarray]:
    state = {"game": "alien-city", "tiles": [], "structures": []}
    return sure_answers(state)


def put(answers: dict[str, np.ndarray], row: int, column: int, kinds: list[float], colours: list[float]) -> None:
    answers["kind"][:, row, column] = kinds
    answers["colour"][:, row, column] = colours
    answers["cap"][:, row, column] = [0.999] + [0.001 / (len(CAPS) - 1)] * (len(CAPS) - 1)


def count(state: dict, kind: str, colour: str) -> int:
    return sum((s["kind"], s["colour"]) == (kind, colour) for s in state["structures"])


def test_the_stock_settles_doubt() -> None:
    answers = alien_answers()
    for column in range(4):  # all four green towers, clearly
        put(answers, 0, column, [0.001, 0.001, 0.998], [0.001, 0.001, 0.997, 0.001])
    put(answers, 5, 5, [0.001, 0.001, 0.998], [0.001, 0.46, 0.538, 0.001])  # green or blue?
    state, guesses = alien_city.decode(answers, Hints(ALIEN_CITY.cells))
    assert count(state, "tower", "green") == 4
    assert count(state, "tower", "blue") == 1
    assert guesses["F5"].confidence < 0.5  # settled, but still as doubtful as it was seen


def test_the_stock_never_overrules_what_was_clearly_seen() -> None:
    answers = alien_answers()
    for column in range(6):  # six green towers, two more than the set has
        put(answers, 0, column, [0.001, 0.001, 0.998], [0.001, 0.001, 0.997, 0.001])
    state, _ = alien_city.decode(answers, Hints(ALIEN_CITY.cells))
    assert count(state, "tower", "green") == 6


def test_two_cap_colours_explain_a_doubtful_third() -> None:
    answers = alien_answers()
    for column in range(5):
        put(answers, 0, column, [0.001, 0.001, 0.998], [0.34, 0.33, 0.32, 0.01])
    white, black, grey = (CAPS.index(name) for name in ("white", "black", "grey"))
    for column, cap in enumerate((white, white, black)):
        answers["cap"][:, 0, column] = 0.0005
        answers["cap"][cap, 0, column] = 0.99
    answers["cap"][:, 0, 3] = 0.001
    answers["cap"][grey, 0, 3], answers["cap"][white, 0, 3] = 0.6, 0.39
    state, _ = alien_city.decode(answers, Hints(ALIEN_CITY.cells))
    assert {s.get("claimed_by") for s in state["structures"]} == {"white", "black", None}


def test_an_icon_under_the_only_structure_of_a_tile_is_found() -> None:
    answers = alien_answers()
    put(answers, 1, 0, [0.001, 0.001, 0.998], [0.997, 0.001, 0.001, 0.001])  # a tower on A9
    answers["tile_icon"][:, 0, 0] = [0.001, 0.001, 0.001, 0.001, 0.996]  # hidden
    state, _ = alien_city.decode(answers, Hints(ALIEN_CITY.cells))
    assert next(tile for tile in state["tiles"] if tile["at"] == "A9")["icon"] == "A9"
    assert KINDS[2] == "tower"
    assert GUILDS[0] == "red"


def blocks(rows: dict[int, str]) -> dict:
    return {"game": "city-blocks", "grid": [rows.get(row, "." * 20) for row in range(20)]}


def test_a_doubtful_square_is_read_so_that_pieces_fit() -> None:
    # Two squares of blue apart from each other and a doubtful one between: dominoes are there once.
    truth = blocks({0: "BB.B" + "." * 16, 5: "......BB" + "." * 12})
    answers = sure_answers(truth)
    answers["square"][:, 0, 2] = [0.55, 0.45, 0.0, 0.0, 0.0, 0.0]
    read = decoded(truth, answers)
    assert read["grid"][0] == "BBBB" + "." * 16


def test_an_impossible_board_comes_out_as_it_lies() -> None:
    truth = blocks({0: "BB..BB..BB" + "." * 10, 9: "." * 9 + "BG" + "." * 9, 10: "." * 9 + "RY" + "." * 9})
    assert decoded(truth, sure_answers(truth))["grid"] == truth["grid"]


def test_a_stand_in_is_the_only_colour_that_can_have_the_piece_and_always_doubtful() -> None:
    # A scrap of three squares in a row. Green, red and yellow have played their straight three; blue has not.
    centre = {9: "." * 9 + "BG" + "." * 9, 10: "." * 9 + "RY" + "." * 9}
    truth = blocks({0: "GGG.RRR.YYY" + "." * 9, 4: "???" + "." * 17, **centre})
    read, guesses = city_blocks.decode(sure_answers(truth), Hints((20, 20)))
    assert read["grid"][4] == "BBB" + "." * 17
    assert guesses["B5"].chosen.value == {"colour": "blue"}
    assert guesses["B5"].confidence <= 0.5
    assert {"colour": "unknown"} in [candidate.value for candidate in guesses["B5"].candidates]
    # Here blue and yellow are possible, so the colour stays open.
    truth = blocks({0: "GGG.RRR" + "." * 13, 4: "???" + "." * 17, **centre})
    read, guesses = city_blocks.decode(sure_answers(truth), Hints((20, 20)))
    assert read["grid"][4] == "???" + "." * 17
    assert guesses["B5"].chosen.value == {"colour": "unknown"}
    assert guesses["B5"].confidence <= 0.5


def test_a_colour_that_seems_to_have_two_corners_has_none_that_is_known() -> None:
    truth = {**blocks({}), "corner_colours": ["blue", "yellow", "red", "green"]}
    answers = sure_answers(truth)
    assert decoded(truth, answers)["corner_colours"] == ["blue", "yellow", "red", "green"]
    answers["mark"][:, 0, -1] = answers["mark"][:, 0, 0]  # the north-east looks blue, too
    assert decoded(truth, answers)["corner_colours"] == [None, None, "red", "green"]


def test_prints_in_the_corners_are_no_pieces() -> None:
    centre = {9: "." * 9 + "BG" + "." * 9, 10: "." * 9 + "RY" + "." * 9}
    seen = blocks({0: "B" + "." * 18 + "Y", 19: "GG" + "." * 17 + "R", **centre})
    read = decoded(seen, sure_answers(seen))
    assert read["grid"][0] == "." * 20  # blue and yellow stand alone
    assert read["grid"][19] == "GG" + "." * 18  # green is a piece, red stands alone
    # Plain Blokus has pieces of one square: one such corner may be one, four cannot.
    one = blocks({0: "B" + "." * 19})
    assert decoded(one, sure_answers(one))["grid"] == one["grid"]
    four = blocks({0: "B" + "." * 18 + "Y", 19: "G" + "." * 18 + "R"})
    assert decoded(four, sure_answers(four))["grid"] == ["." * 20] * 20


def test_named_colours_help_where_plastic_looks_alike() -> None:
    truth = {"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "C3", "stack": ["clear2"]}]}
    answers = sure_answers(truth)
    answers["bottom"][:, 3, 2] = 0.0
    answers["bottom"][8, 3, 2], answers["bottom"][11, 3, 2] = 0.55, 0.45  # white rather than clear
    assert sprawl.decode(answers, Hints((6, 6)))[0]["cells"][0]["stack"] == ["white2"]
    assert sprawl.decode(answers, Hints((6, 6), ("clear", "red")))[0]["cells"][0]["stack"] == ["clear2"]
