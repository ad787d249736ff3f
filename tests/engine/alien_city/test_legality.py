"""Greedy building against search over all orders, on boards small enough for it (docs/legality.md)."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME
from engine.alien_city.board import ground
from engine.alien_city.legality import Tiles, build_all, judge
from engine.alien_city.pieces import GUILDS, PIECES
from engine.alien_city.placement import ANY_COLOUR
from engine.alien_city.roads import Roads

SIZES = [(4, 4), (4, 6), (6, 4), (2, 6), (6, 2)]


def draw_problem(rng, most=7):
    """A random small board with a road-sound set of structures, biased towards what rules are about."""
    size = rng.choice(SIZES)
    board = ground(*size)
    colours = {tile: rng.choice(GUILDS) for tile in board.tiles}
    icons = {tile: rng.choice(board.lots_of_tile[tile]) for tile in board.tiles}
    structures, built = {}, 0
    for _ in range(rng.randint(1, most)):
        lots = [n for n in range(board.size) if Roads(board, built).buildable >> n & 1]
        if not lots:
            break
        # Crowd the structures on few tiles: that is where first-two, icons and displaced domes meet.
        lot = min(rng.sample(lots, min(3, len(lots))))
        home = colours[board.tile_of[lot]]
        kind, colour = rng.choice(PIECES)
        if rng.random() < 0.6:
            colour, kind = home, "dome" if home == "black" else kind
        structures[lot] = (kind, colour)
        built |= 1 << lot
    return board, colours, icons, structures, rng.random() < 0.4


def as_pair(board, lot):
    return lot % board.columns, lot // board.columns


def plain_board(plain, board, colours, icons, strict):
    return plain.Board(
        (board.columns, board.rows),
        {as_pair(board, tile): colour for tile, colour in colours.items()},
        {as_pair(board, tile): as_pair(board, icon) for tile, icon in icons.items()},
        strict,
    )


def exactly(board, colours, icons, strict):
    return Tiles(board, {tile: frozenset({colour}) for tile, colour in colours.items()}, icons, strict)


@pytest.mark.parametrize("block", range(10))
def test_greedy_building_decides_what_search_over_all_orders_decides(block, plain):
    outcomes = set()
    for seed in range(block * 200, block * 200 + 200):
        board, colours, icons, structures, strict = draw_problem(random.Random(seed))
        building = build_all(exactly(board, colours, icons, strict).plan(), structures)
        pairs = {as_pair(board, lot): piece for lot, piece in structures.items()}
        possible, reached = plain_board(plain, board, colours, icons, strict).placeable(pairs)
        assert building.complete == possible, seed
        # What greedy building leaves is the one set that no order can place any of.
        assert {as_pair(board, lot) for lot in building.order} == reached, seed
        outcomes.add(possible)
    assert outcomes == {True, False}  # the boards are a fair sample


def test_the_order_of_trying_does_not_matter():
    for seed in range(150):
        rng = random.Random(seed)
        board, colours, icons, structures, strict = draw_problem(rng)
        plan = exactly(board, colours, icons, strict).plan()
        held = set(build_all(plan, structures).held)
        for _ in range(4):
            shuffled = dict(rng.sample(sorted(structures.items()), len(structures)))
            assert set(build_all(plan, shuffled).held) == held


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 38))
@settings(max_examples=60, deadline=None)
def test_every_position_of_a_random_game_is_legal_with_a_witness_that_replays(seed, plies, plain, arbitrary):
    state = arbitrary.random_position(seed, plies)
    verdict = GAME.check(state)
    assert not verdict.violations
    board = plain.board_of(json.loads(json.dumps(GAME.dump(state))))
    built = set()
    for lot in verdict.witness:
        assert board.allows(plain.place(lot), state.structure_at[lot].piece, built)
        built.add(plain.place(lot))
    assert built == {plain.place(structure.at) for structure in state.structures}


def judge_all_values(board, colours, icons, structures, strict):
    """The held structures for every value of what was not seen (None in ``colours`` or ``icons``)."""
    tiles = list(board.tiles)
    colour_sets = [[colours[tile]] if colours[tile] else GUILDS for tile in tiles]
    icon_sets = [[icons[tile]] if icons[tile] is not None else board.lots_of_tile[tile] for tile in tiles]
    for some_colours in itertools.product(*colour_sets):
        for some_icons in itertools.product(*icon_sets):
            chosen = dict(zip(tiles, some_colours, strict=True)), dict(zip(tiles, some_icons, strict=True))
            yield set(build_all(exactly(board, *chosen, strict).plan(), structures).held)


@pytest.mark.parametrize("block", range(6))
def test_unseen_tiles_are_judged_as_all_their_values_together(block):
    """A certain violation holds for every value, and a board is cleared if and only if some value clears it."""
    kinds = set()
    for seed in range(block * 25, block * 25 + 25):
        rng = random.Random(seed)
        board, colours, icons, structures, strict = draw_problem(rng, most=6)
        hidden = rng.sample(board.tiles, 2)
        # One tile without its icon, sometimes without its colour too, and one without its colour.
        colourless = hidden if seed % 2 else hidden[1:]
        seen_colours = {t: None if t in colourless else c for t, c in colours.items()}
        seen_icons = {t: None if t == hidden[0] else i for t, i in icons.items()}
        possible = {t: frozenset({c}) if c else ANY_COLOUR for t, c in seen_colours.items()}
        judgement = judge(Tiles(board, possible, seen_icons, strict), structures)
        outcomes = list(judge_all_values(board, seen_colours, seen_icons, structures, strict))
        assert judgement.decided
        assert (judgement.order is not None) == (set() in outcomes), seed
        assert bool(judgement.certain) == (set() not in outcomes), seed
        if not judgement.joint:
            assert set(judgement.certain) <= set.intersection(*outcomes), seed
        # Nothing that some value forbids goes without a word.
        assert set.union(*outcomes) <= {*judgement.certain, *judgement.doubtful}, seed
        kinds.add((bool(judgement.certain), judgement.joint, bool(judgement.doubtful)))
    assert len(kinds) > 2


def test_the_witness_of_an_unseen_board_holds_for_the_colours_it_names(plain):
    for seed in range(60):
        rng = random.Random(seed)
        board, colours, icons, structures, strict = draw_problem(rng)
        judgement = judge(Tiles(board, dict.fromkeys(board.tiles, ANY_COLOUR), icons, strict), structures)
        if judgement.order is None:
            continue
        chosen = plain_board(plain, board, {**colours, **judgement.colouring}, icons, strict)
        built = set()
        for lot in judgement.order:
            assert chosen.allows(as_pair(board, lot), structures[lot], built)
            built.add(as_pair(board, lot))
