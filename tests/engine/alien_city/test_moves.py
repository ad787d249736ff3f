"""Legal placements and random games."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME, Tile
from engine.alien_city.pieces import CAPS, STOCK


def listed(state):
    return {(m.action["at"], m.action["kind"], m.action["colour"]) for m in GAME.moves(state)}


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 38), strict=st.booleans())
@settings(max_examples=40, deadline=None)
def test_moves_agree_with_one_search_a_lot(seed, plies, strict, plain, arbitrary):
    state = arbitrary.random_position(seed, plies)
    state = replace(state, variants=("strict-displaced",) if strict else ())
    assert listed(state) == plain.moves(json.loads(json.dumps(GAME.dump(state))))


def test_moves_agree_on_boards_without_any_rule(plain, arbitrary):
    for seed in range(60):
        state = arbitrary.scrambled(seed)
        assert listed(state) == plain.moves(json.loads(json.dumps(GAME.dump(state))))


@pytest.mark.parametrize(
    ("placement", "legal"),
    [
        (("A9", "dome", "blue"), False),  # 2.2: the icon waits, other lots of the tile can be built
        (("D5", "tower", "red"), True),  # the icon's neighbours on the tile are forbidden by the road, so it is free
        (("E4", "tower", "red"), False),  # 2.2 calls it buildable, but it is E3's only road
        (("F6", "tower", "red"), False),  # it would cut the road
        (("G3", "dome", "green"), True),
        (("G3", "tower", "red"), True),  # the third structure of its tile
        (("G6", "tower", "green"), True),  # 2.2: two blue structures stand there
        (("G6", "dome", "green"), False),  # but only a tower of another colour
        (("G6", "dome", "blue"), True),
        (("A10", "tower", "red"), False),  # the first two there are blue
        (("C7", "tower", "red"), True),  # black tiles take any tower
        (("C7", "dome", "red"), False),
        (("A6", "dome", "blue"), False),  # blue lots are left
    ],
)
def test_the_examples_of_the_worked_game(midgame, placement, legal):
    assert (placement in listed(midgame)) == legal


def test_a_move_says_what_it_is(position):
    move = GAME.moves(position())[0]
    assert move.to_json() == {"at": "A1", "kind": "tower", "colour": "red"}
    assert move.text == "red tower on A1"


def test_unseen_tiles_make_moves_uncertain(position):
    state = position("", {"A1": "?? ?", "C1": "?? ?"})
    moves = {(m.action["at"], m.action["kind"], m.action["colour"]): m for m in GAME.moves(state)}
    assert moves["A1", "dome", "red"].action["certain"] is False  # the tile is red or blue
    assert "certain" not in moves["A3", "dome", "red"].action
    assert ("A1", "dome", "green") not in moves  # five green tiles were seen
    assert not [m for m in moves.values() if m.action["at"] == "A4" and "dome" in m.text and "red" not in m.text]


def test_pieces_that_are_gone_are_not_offered(final, position):
    assert not GAME.moves(final)
    five = position("A1:R A3:R A5:R A7:R A9:R")
    assert "red" not in {m.action["colour"] for m in GAME.moves(five) if m.action["kind"] == "tower"}


def test_nothing_passes_once_the_road_is_broken(position):
    assert not GAME.moves(position("G10:k H9:k"))


@pytest.mark.parametrize("seed", range(25))
def test_random_games_follow_the_set_and_the_turns(seed):
    positions = list(GAME.random_game(random.Random(seed)))
    first, last = positions[0], positions[-1]
    assert not first.structures
    assert Counter(tile.colour for tile in first.tiles) == Counter(dict.fromkeys(("red", "blue", "green", "black"), 5))
    assert len({(tile.colour, tile.rank) for tile in first.tiles}) == 20
    assert not GAME.moves(last)
    for before, after in pairwise(positions):
        new = [s for s in after.structures if s.at not in before.structure_at]
        assert len(new) == 1
        assert (new[0].at, *new[0].piece) in listed(before)
        assert claims_of(after) - claims_of(before) in (0, 1)
    used = Counter(structure.piece for structure in last.structures)
    assert all(used[piece] <= number for piece, number in STOCK.items())
    claimed = Counter(s.claimed_by for s in last.structures if s.claimed_by)
    assert set(claimed) <= set(CAPS[last.edition])
    assert all(number <= 3 for number in claimed.values())


def claims_of(state):
    return sum(bool(structure.claimed_by) for structure in state.structures)


def test_random_games_are_varied_and_repeatable():
    def ends(seeds):
        return [list(GAME.random_game(random.Random(seed)))[-1] for seed in seeds]

    assert ends(range(3)) == ends(range(3))
    some = ends(range(30))
    assert {state.edition for state in some} == {"1.0", "2.2", "fr"}
    assert len({claims_of(state) for state in some}) > 3
    foreign = [s for state in some for s in state.structures if _away_from_home(state, s)]
    assert foreign  # displaced domes do occur


def _away_from_home(state, structure):
    tile: Tile = state.tile_under(structure.at)
    return structure.kind == "dome" and tile.colour != structure.colour
