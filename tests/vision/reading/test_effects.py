"""Which doubt matters, and how sure the score is: known cases, and trying every combination as a second opinion."""

from __future__ import annotations

import random
import time
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fields import Field
from engine.game import Options, game, game_names
from vision.effects import ordered_by_effect, score_sureness
from vision.reading import Candidate, Guess

RED_TOWER = {"kind": "tower", "colour": "red"}
WHITE_TOWER = {**RED_TOWER, "claimed_by": "white"}
BLUE_DOME = {"kind": "dome", "colour": "blue"}

# White's tower on A1 has two customers, A3 and C1, and one competitor, far away on F6.
SMALL: dict[str, Any] = {
    "game": "alien-city",
    "structures": [
        {"at": "A1", **WHITE_TOWER},
        {"at": "A3", **BLUE_DOME},
        {"at": "C1", **BLUE_DOME},
        {"at": "F6", **RED_TOWER},
        {"at": "H10", **BLUE_DOME},
    ],
}


def guess(*options: tuple[dict[str, Any] | None, float]) -> Guess:
    return Guess(tuple(Candidate(value, p) for value, p in options))


def sure(document: dict[str, Any], p: float = 1.0) -> dict[str, Guess]:
    return {entry["at"]: guess(({k: v for k, v in entry.items() if k != "at"}, p)) for entry in document["structures"]}


def totals(document: dict[str, Any]) -> dict[str, int]:
    rules = game(document["game"])
    return dict(rules.score(rules.load(Field(document))).totals)


# --- order ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("customer_missing", "competitor_misread", "expected"),
    [
        (0.2, 0.05, ("C1", "F6", "H10")),  # a half of the points with 20 %, or all of them with 5 %
        (0.2, 0.15, ("F6", "C1", "H10")),  # or with 15 %
    ],
)
def test_what_may_cost_most_comes_first(
    customer_missing: float, competitor_misread: float, expected: tuple[str, ...]
) -> None:
    guesses = sure(SMALL) | {
        "H10": guess((BLUE_DOME, 0.5), (None, 0.5)),  # the least sure, but far from every claimed tower
        "C1": guess((BLUE_DOME, 1 - customer_missing), (None, customer_missing)),
        "F6": guess((RED_TOWER, 1 - competitor_misread), (BLUE_DOME, competitor_misread)),
    }
    assert ordered_by_effect("alien-city", SMALL, guesses, ["H10", "C1", "F6"]) == expected


def test_equal_effects_are_told_by_confidence() -> None:
    guesses = sure(SMALL) | {
        "H10": guess((BLUE_DOME, 0.7), ({"kind": "dome", "colour": "green"}, 0.3)),
        "H1": guess((None, 0.6), (BLUE_DOME, 0.4)),
        "tile:A1": guess(({"colour": "red", "rank": 1, "icon": "A1"}, 0.4), ({"colour": "red", "rank": 2}, 0.3)),
    }
    assert ordered_by_effect("alien-city", SMALL, guesses, ["H10", "H1", "tile:A1"]) == ("tile:A1", "H1", "H10")


def test_what_makes_no_position_is_no_effect() -> None:
    guesses = sure(SMALL) | {
        "C1": guess((BLUE_DOME, 0.9), (None, 0.1)),
        "A3": guess((BLUE_DOME, 0.4), ({"kind": "tower", "colour": "black"}, 0.6)),  # there are no black towers
    }
    assert ordered_by_effect("alien-city", SMALL, guesses, ["A3", "C1"]) == ("C1", "A3")
    broken = dict(SMALL, structures=[*SMALL["structures"], {"at": "Z9", **BLUE_DOME}])
    assert ordered_by_effect("alien-city", broken, guesses, ["C1", "A3"]) == ("A3", "C1")  # by confidence alone


def test_a_new_colour_on_the_board_is_an_effect() -> None:
    document = {"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "A1", "stack": ["red1"]}]}
    guesses = {
        "A1": guess(({"stack": ["red1"]}, 0.9), ({"stack": ["blue1"]}, 0.1)),
        "C3": guess((None, 0.6), ({"stack": ["red1"]}, 0.4)),
        "D4": guess((None, 0.5), ({"stack": ["red1", "mauve2"]}, 0.5)),  # no such piece
    }
    assert ordered_by_effect("sprawl", document, guesses, ["D4", "C3", "A1"]) == ("A1", "C3", "D4")


# --- sureness -------------------------------------------------------------------------------


def sureness(changes: dict[str, Guess], **how: Any) -> float:
    return score_sureness("alien-city", SMALL, sure(SMALL) | changes, **how)


@pytest.mark.parametrize(
    ("place", "options", "expected"),
    [
        # nothing else it may be
        ("C1", [(BLUE_DOME, 1.0)], 1.0),
        # a customer that may not be there
        ("C1", [(BLUE_DOME, 0.9), (None, 0.1)], 0.9),
        # a customer of another colour is one all the same
        ("C1", [(BLUE_DOME, 0.6), ({"kind": "dome", "colour": "green"}, 0.3), (None, 0.1)], 0.9),
        # far from every claimed tower
        ("H10", [(BLUE_DOME, 0.5), (None, 0.5)], 1.0),
        # what is not told is counted as a mistake
        ("H10", [(BLUE_DOME, 0.75)], 0.75),
        # and so is what is too unlikely to be tried
        ("H10", [(BLUE_DOME, 0.9995), (None, 0.0005)], 0.9995),
        # what makes no position cannot be there: 0.5 of the possible 0.8
        ("C1", [(BLUE_DOME, 0.5), (None, 0.3), ({"kind": "tower", "colour": "black"}, 0.2)], 0.625),
        # tiles give no points here
        ("tile:A1", [({"colour": "red", "rank": 1, "icon": "A1"}, 0.3)], 1.0),
    ],
)
def test_sureness_of_one_doubt(place: str, options: list[tuple[Any, float]], expected: float) -> None:
    assert sureness({place: guess(*options)}) == pytest.approx(expected)


def test_options_decide_what_counts() -> None:
    rules = game("alien-city")
    doubt = {"tile:A1": guess(({"colour": "red", "rank": 2, "icon": None}, 0.7), ({"colour": "red", "rank": 4}, 0.3))}
    bonus = Options(variants=("location-bonus",))
    assert sureness(doubt, finish=lambda state: rules.with_options(state, bonus)) == pytest.approx(0.7)
    assert sureness(doubt) == 1.0


def test_more_doubt_never_makes_the_score_surer() -> None:
    before = 1.0
    for p in (0.99, 0.9, 0.7, 0.5):
        now = sureness({"C1": guess((BLUE_DOME, p), (None, 1 - p)), "A3": guess((BLUE_DOME, 0.9), (None, 0.1))})
        assert now < before
        before = now


def by_enumeration(document: dict[str, Any], guesses: dict[str, Guess]) -> float:
    """The probability that the totals are the same, over all combinations of all candidates."""
    rules = game(document["game"])
    read = rules.load(Field(document))
    same = 0.0
    for candidates in product(*(g.candidates for g in guesses.values())):
        state = read
        for place, candidate in zip(guesses, candidates, strict=True):
            state = rules.put(state, place, candidate.value)
        if rules.totals(state) == rules.totals(read):
            same += prod(candidate.p for candidate in candidates)
    return same


def test_against_all_combinations() -> None:
    guesses = sure(SMALL) | {
        "C1": guess((BLUE_DOME, 0.96), (None, 0.03), ({"kind": "dome", "colour": "green"}, 0.01)),
        "H10": guess((BLUE_DOME, 0.8), (None, 0.2)),
        "F6": guess((RED_TOWER, 0.97), (BLUE_DOME, 0.03)),
        "A1": guess((WHITE_TOWER, 0.98), (RED_TOWER, 0.015), ({**RED_TOWER, "claimed_by": "black"}, 0.005)),
    }
    exact = by_enumeration(SMALL, guesses)
    # Two mistakes that cancel each other are not seen, so the product is never far above and a little below.
    assert score_sureness("alien-city", SMALL, guesses) == pytest.approx(exact, abs=0.002)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), doubts=st.lists(st.floats(0.0, 0.05), min_size=4, max_size=4))
def test_small_doubts_add_up_as_in_all_combinations(seed: int, doubts: list[float]) -> None:
    """Single mistakes are exact; what two at once do is of the order of the product of their probabilities."""
    rng = random.Random(seed)
    rules = game("sprawl")
    state = list(rules.random_game(random.Random(seed % 5)))[12]
    document = rules.dump(state)
    cells = rng.sample(document["cells"], min(len(doubts), len(document["cells"])))
    guesses = {}
    for cell, doubt in zip(cells, doubts, strict=False):
        value = {key: v for key, v in cell.items() if key != "at"}
        other = rng.choice([None, {"stack": ["red1"]}, {"stack": ["red3"]}])
        guesses[cell["at"]] = guess((value, 1 - doubt), (other, doubt)) if other != value else guess((value, 1.0))
    untried = sum(c.p for g in guesses.values() for c in g.candidates[1:] if c.p < 0.001)
    room = sum(doubts) ** 2 / 2 + untried + 1e-9
    assert score_sureness("sprawl", document, guesses) == pytest.approx(by_enumeration(document, guesses), abs=room)


# --- every game -----------------------------------------------------------------------------

OTHERS: dict[str, list[dict[str, Any] | None]] = {
    "alien-city": [None, BLUE_DOME, RED_TOWER, WHITE_TOWER],
    "city-blocks": [None, {"colour": "red"}, {"colour": "blue"}, {"colour": "green"}],
    "sprawl": [None, {"stack": ["red1"]}, {"stack": ["blue3", "red2"]}, {"lying": "red2", "points": "north"}],
}


def doubtful_position(name: str, number: int) -> tuple[dict[str, Any], dict[str, Guess]]:
    """The end of a random game in which many places may hold something else."""
    rules = game(name)
    document = rules.dump(list(rules.random_game(random.Random(3)))[-1])
    columns = {"alien-city": "ABCDEFGH", "city-blocks": "ABCDEFGHIJKLMNOPQRST", "sprawl": "ABCDE"}[name]
    rows = {"alien-city": 10, "city-blocks": 20, "sprawl": 5}[name]
    places = [f"{column}{row}" for column in columns for row in range(1, rows + 1)]
    picked = (random.Random(1).sample(places, min(number, len(places))) * 2)[:number]
    # The first candidate stands for what was read, whatever that is.
    return document, {place: guess(*zip(OTHERS[name], (0.6, 0.2, 0.15, 0.05), strict=True)) for place in picked}


@pytest.mark.parametrize("name", game_names())
def test_forty_doubts_are_quickly_put_in_order(name: str) -> None:
    document, guesses = doubtful_position(name, 40)
    places = list(guesses)
    ordered_by_effect(name, document, guesses, places[:1])  # imports
    spent = []
    for _ in range(3):
        began = time.perf_counter()
        ordered = ordered_by_effect(name, document, guesses, places)
        spent.append(time.perf_counter() - began)
        assert sorted(ordered) == sorted(places)
    assert min(spent) < 0.5, "60 ms on an idle machine; far more means that something is not bounded"


@pytest.mark.parametrize("name", game_names())
def test_a_position_without_doubt_is_sure(name: str) -> None:
    rules = game(name)
    document = rules.dump(list(rules.random_game(random.Random(2)))[-1])
    assert score_sureness(name, document, {}) == 1.0
