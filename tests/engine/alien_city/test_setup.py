"""A set-up supplies what towers hide, and is refused where it shows another board."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.alien_city import GAME, AlienCityState, Tile
from engine.errors import UsageError


def game(seed: int) -> tuple[AlienCityState, AlienCityState]:
    """The set-up and the end of a random game."""
    positions = list(GAME.random_game(random.Random(seed)))
    return positions[0], positions[-1]


def hidden(state: AlienCityState, every: int) -> AlienCityState:
    """The state with the icon of every tile and all of some tiles unseen."""
    tiles = [replace(tile, icon=None) if i % every else Tile(tile.at) for i, tile in enumerate(state.tiles)]
    return replace(state, tiles=tuple(tiles))


@pytest.mark.parametrize("every", [2, 3, 7])
@pytest.mark.parametrize("turned", [False, True])
def test_unseen_facts_are_filled_in_whichever_way_round(every: int, turned: bool) -> None:
    setup, end = game(5)
    filled = GAME.with_setup(hidden(end, every), setup.turned() if turned else setup)
    assert filled == end


def test_absent_tiles_are_filled_in_too() -> None:
    setup, end = game(6)
    assert GAME.with_setup(replace(end, tiles=end.tiles[:9]), setup) == end


def test_seen_facts_stay_where_the_setup_knows_nothing() -> None:
    _, end = game(7)
    assert GAME.with_setup(end, AlienCityState()) == end


def test_another_board_is_refused_by_its_first_difference() -> None:
    _, end = game(8)
    other, _ = game(9)
    with pytest.raises(UsageError, match=r"another board: the \w+ of tile [A-H]\d"):
        GAME.with_setup(end, other)
