"""Roads and distances."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME
from engine.alien_city.board import BOARD, ground, lot_set
from engine.alien_city.city import City
from engine.alien_city.playing import built_lots
from engine.alien_city.roads import Roads

FORBIDDEN = "B1 C1 D1 E1 F1 B2 B3 B4 B5 B6 B7 D6 D7 E4 F4 F5 F6 H3 H6"


def distance(state, start, end):
    near = City(state).nearest(state.structure_at[start], 1 << BOARD.number[end])
    return near and near.distance


def test_the_stated_lots_and_no_others_are_forbidden(midgame):
    roads = Roads(BOARD, built_lots(midgame))
    assert set(BOARD.names(roads.vacant & ~roads.buildable)) == set(FORBIDDEN.split())


def test_the_final_board_is_not_full(final):
    """1.0 says that no vacant lot can be built on; four can, but the pieces are gone."""
    roads = Roads(BOARD, built_lots(final))
    assert set(BOARD.names(roads.buildable)) == {"F2", "D5", "F7", "C10"}


@pytest.mark.parametrize(
    ("start", "end", "lots"),
    [
        ("E5", "E3", 1),  # both face E4
        ("E3", "F3", 2),  # side by side, two lots by road
        ("E3", "E6", 4),
        ("H5", "H4", 22),  # side by side, and all around the town
        ("G4", "H4", 2),  # 2.2 traces a route of 22 lots here, but G3 and H3 are vacant
    ],
)
def test_distances_of_the_worked_example(midgame, start, end, lots):
    assert distance(midgame, start, end) == lots
    assert distance(midgame, end, start) == lots


def test_side_by_side_is_no_distance(position):
    assert distance(position("A1:r B1:r"), "A1", "B1") == 2  # A2 B2
    assert distance(position("A1:r B1:r B2:r"), "A1", "B1") == 6  # A2 A3 B3 C3 C2 C1


def test_no_road_no_distance(position):
    assert distance(position("A1:r B2:r A3:r"), "A1", "A3") is not None
    walled_in = position("A1:r B1:r A2:r D4:r")
    assert distance(walled_in, "A1", "D4") is None


@given(built=st.sets(st.integers(0, 23)), size=st.sampled_from([(4, 6), (6, 4)]))
@settings(max_examples=300)
def test_all_lots_at_once_agree_with_one_search_a_lot(built, size, plain):
    roads = Roads(ground(*size), lot_set(built))
    as_pairs = {(n % size[0], n // size[0]) for n in built}
    assert roads.sound == plain.roads_hold(as_pairs, size)
    expected = {lot for lot in plain.all_lots(size) if plain.passes_road(lot, as_pairs, size)}
    assert {(n % size[0], n // size[0]) for n in range(24) if roads.buildable >> n & 1} == expected


@given(built=st.sets(st.integers(0, 23), max_size=12), data=st.data())
@settings(max_examples=300)
def test_subsets_of_a_sound_board_are_sound(built, data):
    """The lemma that makes [road] independent of the order (docs/legality.md)."""
    if Roads(ground(4, 6), lot_set(built)).sound:
        subset = data.draw(st.sets(st.sampled_from(sorted(built)))) if built else set()
        assert Roads(ground(4, 6), lot_set(subset)).sound


@given(seed=st.integers(0, 10**6), scramble=st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_road_on_a_sheet_is_a_shortest_road(seed, scramble, plain, arbitrary):
    state = arbitrary.scrambled(seed) if scramble else arbitrary.random_position(seed)
    built = {plain.place(structure.at) for structure in state.structures}
    for item in GAME.score(state).items:
        if item.kind == "tower" and item.details["competitor"]:
            road = [plain.place(lot) for lot in item.details["road"]]
            ends = plain.place(item.details["at"]), plain.place(item.details["competitor"])
            assert not built & set(road)
            way = [ends[0], *road, ends[1]]
            assert all(after in plain.beside(before) for before, after in pairwise(way))
            assert len(road) == item.details["distance"] == plain.distances(ends[0], built)[ends[1]]
