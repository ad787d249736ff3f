"""Layouts: half legal by the engine's word, half anything, all of them readable positions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from calibration.profiles import load_profile, profile_names
from engine.documents import position_from_document
from vision.synth.layouts import NEGATIVES, legal_layout, negative_layout, sample_layout

GAMES = ("alien-city", "city-blocks", "sprawl")


@pytest.fixture(scope="module")
def drawn():
    """Layouts of every game over all of its profiles: game -> (profile, layout)."""
    found = {}
    for game in GAMES:
        profiles = [load_profile(name) for name in profile_names(game)]
        rng = np.random.default_rng(11)
        chosen = [profiles[i % len(profiles)] for i in range(240)]
        found[game] = [(profile, sample_layout(rng, game, profile)) for profile in chosen]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_half_is_legal_and_the_rest_is_not_bound_to_be(drawn, game):
    kinds = Counter(layout.kind for _, layout in drawn[game])
    legal = kinds["legal"] + kinds["blokus"]
    assert 0.4 <= legal / 240 <= 0.58
    assert min(kinds["arbitrary"], kinds["empty"], kinds["full"]) >= 3
    assert sum(kinds[kind] for kind in NEGATIVES) <= 15


@pytest.mark.parametrize("game", GAMES)
def test_every_state_is_a_position(drawn, game):
    for _, layout in drawn[game]:
        if layout.state is not None:
            assert position_from_document(layout.state).game.name == game


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_finds_legal_layouts_legal(drawn, game):
    legal = [layout for _, layout in drawn[game] if layout.kind == "legal"]
    for layout in legal[:60]:
        position = position_from_document(layout.state)
        assert position.game.check(position.state).violations == ()


@pytest.mark.parametrize("game", GAMES)
def test_arbitrary_layouts_are_mostly_illegal(drawn, game):
    """Otherwise a reader could learn the rules instead of looking."""
    found = [layout.state for _, layout in drawn[game] if layout.kind in ("arbitrary", "full")][:25]
    positions = [position_from_document(state) for state in found]
    broken = [bool(position.game.check(position.state).violations) for position in positions]
    assert np.mean(broken) > 0.6


def test_caps_are_colours_of_the_set(drawn):
    seen = set()
    for profile, layout in drawn["alien-city"]:
        if layout.state is None:
            continue
        caps = {s["claimed_by"] for s in layout.state["structures"] if "claimed_by" in s}
        assert caps <= set(profile.pyramids.plastic)
        if layout.kind == "legal":
            assert caps <= set(profile.pyramids.caps)
            assert len(caps) <= 2
        seen |= caps
    assert len(seen) >= 4


def test_editions_and_ranks_are_those_of_the_tiles(drawn):
    for profile, layout in drawn["alien-city"]:
        if layout.state is not None:
            assert layout.state["edition"] in profile.editions
            if not profile.tiles.ranks:
                assert all(tile["rank"] is None for tile in layout.state["tiles"])


def test_sprawl_lies_on_a_board_of_the_profile(drawn):
    players, parts = set(), 0
    for profile, layout in drawn["sprawl"]:
        if layout.state is None:
            continue
        state = layout.state
        boards = {(board.columns, board.rows) for board in profile.chess}
        assert (state["columns"], state["rows"]) in boards
        assert set(state["colours"]) <= set(profile.pyramids.plastic)
        assert len(state["colours"]) <= 8
        players.add(len(state["colours"]))
        rows = {int(cell["at"][1:]) for cell in state["cells"]}
        parts += state["columns"] == 8 and bool(rows) and max(rows) - min(rows) < 6
    assert max(players) >= 6
    assert parts > 5  # games on a part of a chess board


def test_nothing_visible_is_hidden_for_good(drawn):
    """No larger pyramid stands on a smaller one: nobody could see what is under it."""
    for _, layout in drawn["sprawl"]:
        for cell in (layout.state or {"cells": []})["cells"]:
            sizes = [int(piece[-1]) for piece in cell.get("stack", ())]
            assert sizes == sorted(sizes, reverse=True)


def test_mixed_stacks_occur(drawn):
    states = [layout.state for _, layout in drawn["sprawl"] if layout.kind == "arbitrary"]
    stacks = [cell["stack"] for state in states for cell in state["cells"] if "stack" in cell]
    assert any(len({piece[:-1] for piece in stack}) > 1 for stack in stacks)


def test_block_corners_are_told_only_where_the_board_shows_them(drawn):
    for profile, layout in drawn["city-blocks"]:
        if layout.state is None:
            continue
        marked = profile.blokus.corner_marks != "none"
        assert ("corner_colours" in layout.state) == marked
        if marked:
            assert tuple(layout.state["corner_colours"]) == profile.blokus.corners
        if profile.blokus.centre == "printed":
            assert sorted(layout.state["grid"][row][column] for row in (9, 10) for column in (9, 10)) == list("BGRY")


def test_empty_and_full_boards_are_that(drawn):
    for _, layout in drawn["alien-city"]:
        if layout.kind == "empty":
            assert layout.state["structures"] == []
        if layout.kind == "full":
            assert len(layout.state["structures"]) >= 68


def test_the_same_seed_draws_the_same_layout():
    profile = load_profile(profile_names("sprawl")[0])
    one, other = (sample_layout(np.random.default_rng(4), "sprawl", profile) for _ in range(2))
    assert one == other


def test_negatives_without_a_board_have_no_state():
    profile = load_profile(profile_names("alien-city")[0])
    rng = np.random.default_rng(0)
    assert negative_layout(rng, "alien-city", profile, "no-board").state is None
    assert negative_layout(rng, "alien-city", profile, "other-game").state is None
    assert negative_layout(rng, "alien-city", profile, "part").state is not None
    assert not legal_layout(rng, "alien-city", profile).is_negative


def test_two_percent_are_negatives():
    """Counted by the draw that decides, without building thousands of games: the first number of the stream."""
    profile = load_profile(profile_names("city-blocks")[0])
    seeds = [seed for seed in range(3000) if np.random.default_rng(seed).random() < 0.02]
    assert 40 <= len(seeds) <= 80
    assert all(sample_layout(np.random.default_rng(seed), "city-blocks", profile).is_negative for seed in seeds)
    others = [seed for seed in range(40) if seed not in seeds]
    assert not any(sample_layout(np.random.default_rng(seed), "city-blocks", profile).is_negative for seed in others)
