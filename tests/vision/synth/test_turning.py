"""Turned boards: by hand, against the engine's own turns, and by what a camera sees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profiles import load_profile, profile_names
from engine.documents import position_from_document
from vision.synth.layouts import sample_layout
from vision.synth.turning import (
    Turner,
    possible_turns,
    turn_corners,
    turn_points,
    upright_turn,
)

ALIEN = {"game": "alien-city", "structures": []}
BLOCKS = {"game": "city-blocks", "grid": ["." * 20] * 20}
SQUARE = {"game": "sprawl", "columns": 6, "rows": 6, "colours": [], "cells": []}
OBLONG = {"game": "sprawl", "columns": 5, "rows": 6, "colours": [], "cells": []}


@pytest.mark.parametrize(
    ("state", "quarters", "name", "turned"),
    [
        (ALIEN, 2, "structure:A1", "structure:H10"),  # opposite corner
        (ALIEN, 2, "cap:C9", "cap:F2"),
        (ALIEN, 2, "tile:A1", "tile:G9"),  # a tile is named by its south-west lot, also when turned
        (ALIEN, 2, "icon:C3", "icon:E7"),
        (ALIEN, 2, "rank:E5", "rank:C5"),
        (ALIEN, 2, "table", "table"),  # no place in the name
        (ALIEN, 2, "clutter:A1", "clutter:A1"),  # not a place of the board
        (SQUARE, 1, "piece:F1:0", "piece:F6:0"),  # south-east comes to the north-east
        (SQUARE, 1, "piece:A1:2", "piece:F1:2"),
        (SQUARE, 3, "piece:A1:2", "piece:A6:2"),
        (OBLONG, 2, "square:B1", "square:D6"),
        (BLOCKS, 1, "square:T1", "square:A1"),  # rows count from the north: T1 is the north-east corner
        (BLOCKS, 1, "square:A1", "square:A20"),
        (BLOCKS, 2, "square:B3", "square:S18"),
        (BLOCKS, 1, "piece:blue:3", "piece:blue:3"),  # a number, not a place
    ],
)
def test_names_turn_with_the_board(state, quarters, name, turned):
    assert Turner.of(state, quarters).name(name) == turned


def test_an_alien_city_state_turns_with_icons_and_extras():
    state = {
        "game": "alien-city",
        "tiles": [{"at": "A1", "colour": "black", "rank": 4, "icon": "B1"}],
        "structures": [{"at": "C9", "kind": "tower", "colour": "red", "claimed_by": "white"}],
        "extras": {"last_claim": "C9"},
    }
    assert Turner.of(state, 2).state(state) == {
        "game": "alien-city",
        "tiles": [{"at": "G9", "colour": "black", "rank": 4, "icon": "G10"}],
        "structures": [{"at": "F2", "kind": "tower", "colour": "red", "claimed_by": "white"}],
        "extras": {"last_claim": "F2"},
    }


def test_lying_pieces_turn_their_tips():
    state = {**SQUARE, "cells": [{"at": "D2", "lying": "blue2", "points": "east"}]}
    assert Turner.of(state, 1).state(state)["cells"] == [{"at": "E4", "lying": "blue2", "points": "north"}]
    assert Turner.of(state, 3).state(state)["cells"] == [{"at": "B3", "lying": "blue2", "points": "south"}]


def test_grid_and_corner_colours_turn_together():
    grid = [list("." * 20) for _ in range(20)]
    grid[0][19] = "R"  # the north-east corner
    state = {
        "game": "city-blocks",
        "grid": ["".join(row) for row in grid],
        "corner_colours": ["blue", "red", "green", None],
    }
    turned = Turner.of(state, 1).state(state)
    assert turned["grid"][0][0] == "R"
    assert turned["corner_colours"] == ["red", "green", None, "blue"]


def test_an_oblong_board_does_not_turn_by_a_quarter():
    assert possible_turns(OBLONG) == (0, 2)
    assert possible_turns(ALIEN) == (0, 2)
    assert possible_turns(SQUARE) == possible_turns(BLOCKS) == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="cannot be turned"):
        Turner.of(OBLONG, 1)


@pytest.mark.parametrize("game", ["alien-city", "city-blocks", "sprawl"])
def test_the_engine_knows_every_turn(game):
    """Each turn is one of those that the engine accepts, all of them occur, and turning on leads back."""
    profile = load_profile(profile_names(game)[0])
    for seed in range(25):
        state = sample_layout(np.random.default_rng(seed), game, profile).state
        if state is None:
            continue
        position = position_from_document(state)
        engine_turns = [position.game.dump(turned) for turned in position.game.turns(position.state)]
        own = []
        for quarters in possible_turns(state):
            turned = Turner.of(state, quarters).state(state)
            own.append(position.game.dump(position_from_document(turned).state))
            back = Turner.of(turned, -quarters).state(turned)
            assert position_from_document(back).state == position.state
        assert all(turned in engine_turns for turned in own)
        assert all(turned in own for turned in engine_turns)


@given(
    quarters=st.integers(0, 3),
    column=st.integers(0, 5),
    row=st.integers(0, 5),
)
def test_names_and_points_turn_alike(quarters, column, row):
    """The middle of a square, turned as a point, is the middle of the square of the turned name."""

    def middle(name):
        return np.array([ord(name[0]) - ord("A") - 2.5, int(name[1:]) - 1 - 2.5, 0.0])

    name = f"{'ABCDEF'[column]}{row + 1}"
    turned = Turner.of(SQUARE, quarters).lot(name)
    assert turn_points(middle(name), quarters) == pytest.approx(middle(turned))


@pytest.mark.parametrize(
    ("corners", "turns", "expected"),
    [
        ([(0, 0), (9, 0), (9, 9), (0, 9)], (0, 1, 2, 3), 0),  # north is up already
        ([(0, 9), (0, 0), (9, 0), (9, 9)], (0, 1, 2, 3), 1),  # east is up: NE and SE are the top corners
        ([(9, 9), (0, 9), (0, 0), (9, 0)], (0, 1, 2, 3), 2),  # upside down
        ([(9, 0), (9, 9), (0, 9), (0, 0)], (0, 1, 2, 3), 3),  # west is up
        # Two turns, board lying on its side: north and south equally high, so the one further left is north.
        ([(0, 9), (0, 0), (9, 0), (9, 9)], (0, 2), 0),
        ([(9, 0), (9, 9), (0, 9), (0, 0)], (0, 2), 2),
        ([(5, 0), (9, 5), (5, 9), (0, 5)], (0, 1, 2, 3), 3),  # on its tip: NW and NE sides equally high, left one wins
    ],
)
def test_the_highest_edge_is_north(corners, turns, expected):
    assert upright_turn(np.array(corners, dtype=np.float64), turns) == expected


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_corners_are_renamed_not_moved(quarters):
    corners = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], dtype=np.float64)
    turned = turn_corners(corners, quarters)
    assert sorted(map(tuple, turned)) == sorted(map(tuple, corners))
    assert upright_turn(turned, (0, 1, 2, 3)) == (4 - quarters) % 4
