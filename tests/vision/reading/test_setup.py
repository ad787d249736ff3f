"""The board before the game: it settles what the reader only guessed, and another board is still refused."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import UsageError
from engine.game import game
from vision.setup import fill_from_setup

RULES = game("alien-city")


@pytest.fixture(scope="module")
def boards() -> tuple[Any, Any]:
    """A position half-way, and the board before it."""
    positions = list(RULES.random_game(random.Random(5)))
    return positions[len(positions) // 2], positions[0]


def with_rank(state: Any, at: str, rank: int | None) -> Any:
    tiles = tuple(replace(tile, rank=rank) if tile.at == at else tile for tile in state.tiles)
    return replace(state, tiles=tiles)


def tile(state: Any, at: str) -> Any:
    return state.tile_under(at)


def other_rank(state: Any, at: str) -> int:
    return 1 if tile(state, at).rank != 1 else 2


@pytest.mark.parametrize("turned", [False, True])
def test_a_wrong_guess_gives_way_to_the_set_up(boards: tuple[Any, Any], turned: bool) -> None:
    now, setup = boards
    guessed = with_rank(now, "C3", other_rank(now, "C3"))
    seen = setup.turned() if turned else setup
    filled = fill_from_setup(RULES, guessed, seen, ["A1", "tile:C3"])
    assert tile(filled.state, "C3") == tile(setup, "C3")
    assert filled.settled == {"tile:C3"}


def test_a_right_guess_is_settled_too(boards: tuple[Any, Any]) -> None:
    now, setup = boards
    assert fill_from_setup(RULES, now, setup, ["tile:C3"]).settled == {"tile:C3"}


def test_two_doubts_settle_nothing(boards: tuple[Any, Any]) -> None:
    """Neither photo is sure: the place stays doubtful."""
    now, setup = boards
    guessed = with_rank(now, "C3", other_rank(now, "C3"))
    assert fill_from_setup(RULES, guessed, setup, ["tile:C3"], ["tile:C3"]).settled == frozenset()


def test_what_nobody_saw_stays_doubtful(boards: tuple[Any, Any]) -> None:
    now, setup = (RULES.put(state, "tile:C3", None) for state in boards)
    assert fill_from_setup(RULES, now, setup, ["tile:C3"]).settled == frozenset()


def test_another_board_is_refused(boards: tuple[Any, Any]) -> None:
    """What was seen for certain contradicts it."""
    now, setup = boards
    wrong = with_rank(now, "C3", other_rank(now, "C3"))
    with pytest.raises(UsageError, match="another board"):
        fill_from_setup(RULES, wrong, setup, ["tile:A1"])
