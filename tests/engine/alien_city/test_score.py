"""Scores: the worked example, every rule of the sheet, and an independent slow scorer."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME, AlienCityState, Structure
from engine.alien_city.state import lots_of_tile
from engine.game import Options


@pytest.mark.parametrize("edition", ["1.0", "2.2", "fr"])
def test_the_worked_example(final, edition):
    score = GAME.score(GAME.with_options(final, Options(edition=edition)))
    assert score.totals == {"white": 89, "black": 66}
    assert (score.winner, score.over) == ("white", True)
    towers = {
        item.details["at"]: (item.owner, len(item.details["customers"]), item.details["distance"], item.points)
        for item in score.items
    }
    assert towers == {
        "C9": ("white", 4, 4, 16),
        "F9": ("white", 7, 5, 35),
        "E3": ("white", 2, 19, 38),
        "G7": ("black", 6, 3, 18),
        "E5": ("black", 8, 3, 24),
        "H4": ("black", 2, 12, 24),
    }
    assert any("A5 and E5" in note and "tie" in note for note in score.notes)


@pytest.mark.parametrize(
    ("lot", "customers", "competitor"),
    [
        ("C9", "A8 C8 A9 A10", "A6"),  # as 2.2 lists them
        ("F9", "E7 G7 F8 D9 H9 D10 H10", "H5"),
        ("E3", "D4 E5", "C5"),
        ("G7", "G5 H5 E6 E7 F8 F9", "E5"),  # 1.0 adds a red dome of the tower's own colour
        ("E5", "E3 F3 D4 G4 C5 G5 C6 E6", "G7"),  # 2.2 names E7 and F8, which are 3 away, for C6 and G4
        ("H4", "G2 G3", "A4"),
    ],
)
def test_the_lots_of_the_worked_example(final, lot, customers, competitor):
    item = next(item for item in GAME.score(final).items if item.details["at"] == lot)
    assert item.details["customers"] == customers.split()
    assert item.details["competitor"] == competitor
    assert len(item.details["road"]) == item.details["distance"]
    assert lot in item.text


def points(state, kind):
    return {item.details["at"]: (item.owner, item.points) for item in GAME.score(state).items if item.kind == kind}


def test_domes_never_compete_and_same_colours_are_no_customers(position):
    state = position("A1:RW A5:R A3:r C1:b B3:k")
    # A3 faces A2 too but is red; the road to A5 is B1 B2 C2 C3 C4 B4 A4.
    item = GAME.score(state).items[0]
    assert item.details["customers"] == ["C1", "B3"]
    assert (item.details["competitor"], item.details["distance"], item.points) == ("A5", 7, 14)


def test_without_a_reachable_competitor_a_tower_scores_nothing(position):
    alone = position("A1:RW B1:b A2:b")
    walled_in = position("A1:RW A2:b B1:b A5:R")
    for state in (position("A1:RW B2:b"), alone, walled_in):
        score = GAME.score(state)
        assert score.totals["white"] == 0
        assert any("no road leads to another tower" in note for note in score.notes)
        assert score.items[0].details["competitor"] is None


@pytest.mark.parametrize(
    ("structures", "bonus"),
    [
        ("E1:G E3:RW", {"E1": ("white", 8)}),  # E2 between them
        ("E1:G E4:RW", {"E1": ("white", 6)}),
        ("E1:G E5:RW", {"E1": ("white", 4)}),
        ("E1:G E6:RW", {"E1": ("white", 2)}),
        ("E1:G E7:RW", {}),  # five away
        ("E1:GK E3:RW", {}),  # a claimed green tower gives none
        ("E1:G E3:R", {}),  # nobody owns the nearest
        ("E1:G E3:R E6:RW", {}),  # never the next one instead
        ("E1:G E3:r E4:RW", {"E1": ("white", 2)}),  # a dome is no tower, but it makes the road longer
        ("A1:G A3:RW", {"A1": ("white", 8)}),
    ],
)
def test_bonus(position, structures, bonus):
    assert points(position(structures), "bonus") == bonus


def test_red_and_blue_are_paid_separately(position):
    state = position("E2:G E4:RW C2:BW")
    items = [item for item in GAME.score(state).items if item.kind == "bonus"]
    assert [(item.details["colour"], item.details["nearest"], item.points) for item in items] == [
        ("red", ["E4"], 8),
        ("blue", ["C2"], 8),
    ]


@pytest.mark.parametrize(
    ("structures", "edition", "bonus"),
    [
        ("E3:G E1:RW E5:RW", "2.2", {"E3": ("white", 8)}),  # one owner of all: paid once
        ("E3:G E1:RW E5:RW", "1.0", {}),  # never in a tie
        ("E3:G E1:RW E5:RW", "fr", {}),
        ("E3:G E1:RW E5:RK", "2.2", {}),  # two owners
        ("E3:G E1:RW E5:R", "2.2", {}),  # one of them unclaimed
        ("E3:G E1:RW E5:RW G3:RK", "2.2", {}),  # three, two owners
    ],
)
def test_ties(position, structures, edition, bonus):
    state = position(structures, edition=edition)
    assert points(state, "bonus") == bonus
    assert any("tie" in note for note in GAME.score(state).notes)


def test_the_sheet_says_when_editions_differ(position):
    score = GAME.score(position("E3:G E1:RW E5:RW"))
    assert sum("would give" in note for note in score.notes) == 2
    assert any("paid once" in note for note in score.notes)
    others = score.to_json()["other_editions"]
    assert set(others) == {"1.0", "fr"}
    assert [score.totals["white"] - totals["white"] for totals in others.values()] == [8, 8]
    same = GAME.score(position("E3:G E1:RW"))
    assert not any("would give" in note for note in same.notes)


LOCATION = ("location-bonus",)


@pytest.mark.parametrize(
    ("structures", "tiles", "bonus"),
    [
        ("A3:RW", {}, {"A3": ("white", 1)}),  # the ace
        ("A1:RW", {}, {"A1": ("white", 0)}),  # the null is worth nothing
        ("A9:RW G7:BK", {}, {"A9": ("white", 4), "G7": ("black", 3)}),
        ("A9:RW G9:BK", {}, {}),  # equal ranks, two owners
        ("A9:RW G9:BW G7:RW", {}, {"G7": ("white", 3)}),  # equal ranks, one owner
        ("G9:RW H9:BK", {}, {}),  # on one tile
        ("A9:RW G9:B", {}, {"A9": ("white", 4)}),  # an unclaimed tower takes nothing away
        ("A9:RW G7:BK", {"A9": "R? B10"}, {"G7": ("black", 3)}),  # an unknown rank
    ],
)
def test_location_bonus(position, structures, tiles, bonus):
    state = position(structures, tiles, variants=LOCATION)
    assert points(state, "location") == bonus
    assert not points(replace(state, variants=()), "location")
    unknown = any("unknown" in note for note in GAME.score(state).notes)
    assert unknown == bool(tiles)


def test_a_claim_as_the_last_action_does_not_count(final):
    late = replace(final, last_claim="E3")
    score = GAME.score(late)
    assert "E3" not in {item.details["at"] for item in score.items if item.kind == "tower"}
    assert score.totals["white"] == 16 + 35
    # E3 is now an unclaimed green tower, and E5 the only red tower nearest to it.
    assert points(late, "bonus") == {"E3": ("black", 8)}
    assert any("E3 counts as unclaimed" in note for note in score.notes)
    assert not any("extras.last_claim" in note for note in score.notes)
    assert any("extras.last_claim" in note for note in GAME.score(final).notes)


def test_draws_and_players(position):
    assert GAME.score(position()).winner is None
    assert GAME.score(position()).totals == {"white": 0, "black": 0}
    assert GAME.score(position(edition="1.0")).totals == {"red": 0, "blue": 0}
    assert set(GAME.score(position("A1:RY A5:RL")).totals) == {"yellow", "clear"}


def test_whether_it_is_over_and_what_could_be_played(final, position):
    assert GAME.score(final).could_play == ()
    open_game = GAME.score(position("A1:r"))
    assert not open_game.over
    assert any(text.startswith("red dome on B1") for text in open_game.could_play)
    blind = GAME.score(replace(position("A1:r"), tiles=()))
    assert not blind.over
    assert any("?" in text for text in blind.could_play)
    cut = GAME.score(position("G10:k H9:k"))
    assert cut.over
    assert any("road is broken" in note for note in cut.notes)


def test_what_the_set_has_left(position):
    left = GAME.score(position("A1:r A3:R")).left["set"]
    assert (left["red dome"], left["red tower"], left["green tower"], left["black dome"]) == (5, 4, 4, 6)


def as_document(state):
    return json.loads(json.dumps(GAME.dump(state)))


def assert_same_totals(state, plain):
    totals = GAME.score(state).totals
    slow = plain.score(as_document(state))
    assert {player: totals[player] for player in slow} == slow
    assert not any(totals[player] for player in totals if player not in slow)


@pytest.mark.parametrize("block", range(10))
def test_the_slow_scorer_agrees_on_boards_without_any_rule(block, plain, arbitrary):
    for seed in range(block * 200, block * 200 + 200):
        assert_same_totals(arbitrary.scrambled(seed), plain)


@pytest.mark.parametrize("block", range(5))
def test_the_slow_scorer_agrees_on_all_positions_of_random_games(block, plain):
    for seed in range(block * 10, block * 10 + 10):
        rng = random.Random(seed)
        for state in GAME.random_game(rng):
            variants = LOCATION if rng.random() < 0.5 else ()
            last = rng.choice([None, *(s.at for s in state.structures)])
            assert_same_totals(replace(state, variants=variants, last_claim=last), plain)


@given(data=st.data())
@settings(deadline=None)
def test_the_slow_scorer_agrees_on_the_whole_domain(data, plain, arbitrary):
    assert_same_totals(data.draw(arbitrary.states()), plain)


def mirrored(state):
    """The board in a mirror: west and east change places."""

    def lot(name):
        return f"{'HGFEDCBA'['ABCDEFGH'.index(name[0])]}{name[1:]}"

    def tile(name):
        return lot(lots_of_tile(name)[1])

    return AlienCityState(
        tuple(replace(t, at=tile(t.at), icon=t.icon and lot(t.icon)) for t in state.tiles),
        tuple(Structure(lot(s.at), s.kind, s.colour, s.claimed_by) for s in state.structures),
        state.edition,
        state.variants,
        state.last_claim and lot(state.last_claim),
        state.names,
    )


@given(seed=st.integers(0, 10**6), scramble=st.booleans())
@settings(max_examples=80, deadline=None)
def test_turning_or_mirroring_a_board_changes_nothing(seed, scramble, arbitrary):
    state = arbitrary.scrambled(seed) if scramble else arbitrary.random_position(seed)
    score, rules = GAME.score(state), sorted(v.rule for v in GAME.check(state).violations)
    for other in (state.turned(), mirrored(state), mirrored(state).turned()):
        assert GAME.score(other).totals == score.totals
        assert sorted(item.points for item in GAME.score(other).items) == sorted(item.points for item in score.items)
        assert sorted({v.rule for v in GAME.check(other).violations}) == sorted(set(rules))
        assert len(GAME.moves(other)) == len(GAME.moves(state))
