"""Every rule: what breaks it and what just keeps it, on a position without history.

The tiles of ``position``: columns A-B red, C-D blue, E-F green, G-H black, icons north-east.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.alien_city import GAME, Tile
from engine.alien_city.board import BOARD
from engine.alien_city.rule_texts import RULES

# One red tile in the corner, so that three builds use up all red lots: A2 stays A1's only road.
ONE_RED_TILE = {"A3": "B5 B4", "A5": "G5 B6", "A7": "K5 B8", "A9": "B? B10"}
RED_USED_UP = "A1:r B1:r B2:r"


def broken(state):
    """Rule -> lots of its certain violations."""
    found = {}
    for violation in GAME.check(state).violations:
        if violation.certain:
            found.setdefault(violation.rule, set()).update(violation.at)
    return found


@pytest.mark.parametrize(
    ("structures", "lots"),
    [
        ("G10:k H9:k", "H10"),  # a lonely corner
        ("A3:R B3:R C3:B D3:B E3:G F3:G G3:R H3:R", "A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2"),  # two halves
        ("A1:r B1:r A2:r", "A1"),  # a structure without a road
        ("C3:b D3:b C4:b D4:b C5:b D5:b E4:g B4:r", "C4 D4"),  # two of them in the middle
    ],
)
def test_road_broken(position, structures, lots):
    assert broken(position(structures))["road"] == set(lots.split())


@pytest.mark.parametrize(
    "structures",
    [
        "",  # all lots are road
        "G10:k",  # the corner keeps one side
        "A3:R B3:R C3:B D3:B E3:G F3:G G3:R",  # a wall with a gap
        "A1:r A2:r",  # both face a road
        "C3:b D3:b C4:b D4:b",  # a full tile
    ],
)
def test_road_kept(position, structures):
    assert "road" not in broken(position(structures))


@pytest.mark.parametrize(
    ("structures", "lots"),
    [
        ("C1:R", "C1"),  # the first on a blue tile
        ("C1:b D1:R", "D1"),  # the second
        ("C1:b C2:R D1:G", "C2 D1"),  # one blue structure does not open the tile for two others
        ("C1:R D1:R C2:R", "C1 D1 C2"),
    ],
)
def test_first_two_broken(position, structures, lots):
    assert broken(position(structures)) == {"first-two": set(lots.split())}


@pytest.mark.parametrize(
    "structures",
    [
        "C1:B",  # the tile's colour
        "C1:b C2:B D1:R",  # the third may be any tower
        "G1:R",  # black tiles take any tower at once
        "G1:k G2:B H1:G",
    ],
)
def test_first_two_kept(position, structures):
    verdict = GAME.check(position(structures))
    assert not verdict.violations
    assert set(verdict.witness) == {word[:2] for word in structures.split()}


@pytest.mark.parametrize(
    ("structures", "lots"),
    [
        ("C1:r", "C1"),  # a red dome on blue
        ("C1:b D1:b C2:r", "C2"),  # after two structures too
        ("G1:r", "G1"),  # on black: domes there are black
        ("G1:k H1:k G2:r", "G2"),
        ("A1:k", "A1"),  # a black dome on red
    ],
)
def test_dome_colour_broken(position, structures, lots):
    assert broken(position(structures)) == {"dome-colour": set(lots.split())}


def test_a_dome_is_displaced_once_no_lot_of_its_colour_passes_road(position):
    kept = position(f"{RED_USED_UP} E1:r", ONE_RED_TILE)
    assert "dome-colour" not in broken(kept)
    assert "first-two" not in broken(kept)  # choice: also as first structure of a tile
    one_lot_left = position("A1:r B1:r E1:r", ONE_RED_TILE)
    assert broken(one_lot_left)["dome-colour"] == {"E1"}


def test_displaced_domes_obey_the_variant(position):
    strict = ("strict-displaced",)
    state = position(f"{RED_USED_UP} E1:r", ONE_RED_TILE, variants=strict)
    assert broken(state)["first-two"] == {"E1"}
    on_black = position(f"{RED_USED_UP} G1:r", ONE_RED_TILE, variants=strict)
    assert broken(on_black)["first-two"] == {"G1"}  # black tiles included
    as_third = position(f"{RED_USED_UP} E1:g F1:g E2:r", ONE_RED_TILE, variants=strict)
    assert "first-two" not in broken(as_third)


def test_the_sheet_names_the_choice_where_it_mattered(final):
    """G3 was the only displaced dome of the worked game; it came third."""
    assert not any("Choice" in note for note in GAME.check(final).notes)
    legal = _with_displaced_first_dome()
    assert GAME.check(legal).witness
    assert any("strict-displaced" in note for note in GAME.check(legal).notes)
    assert broken(replace(legal, variants=("strict-displaced",)))


def _with_displaced_first_dome():
    """A legal end of a game in which a displaced dome is the first or second of its tile."""
    for seed in range(3000):
        last = list(GAME.random_game(random.Random(seed)))[-1]
        if not any(tile_is_foreign(last, s) for s in last.structures):
            continue
        if broken(replace(last, variants=("strict-displaced",))):
            return last
    raise AssertionError("no random game has a displaced dome as first structure")


def tile_is_foreign(state, structure):
    return structure.kind == "dome" and state.tile_under(structure.at).colour != structure.colour


@pytest.mark.parametrize(
    ("structures", "lots"),
    [
        ("B2:r", "B2"),  # before all others
        ("A1:r B2:r", "B2"),
        ("C1:b D2:B D1:b", "D2"),  # C2 could be built
        ("G3:k H4:R", "H4"),  # black tiles too
    ],
)
def test_icon_last_broken(position, structures, lots):
    assert broken(position(structures)) == {"icon-last": set(lots.split())}


@pytest.mark.parametrize(
    "structures",
    [
        "C3:b D3:b C4:B D4:B",  # as the last of four
        "A1:r B1:r B2:r",  # A2 is A1's only road, so it does not pass
    ],
)
def test_icon_last_kept(position, structures):
    verdict = GAME.check(position(structures))
    assert not verdict.violations
    assert verdict.witness[-1] in ("D4", "B2")


def test_icon_counts_the_road_rule_alone(position):
    """2.2's example: it does not matter that no piece in hand could go on the other lot."""
    state = position("E3:g F3:g F4:g", {"E3": "G1 F4"})
    assert broken(state) == {"icon-last": {"F4"}}  # E4 passes [road]


@pytest.mark.parametrize(
    ("tiles", "lots"),
    [
        ({"C1": "R5 D2"}, "A1 C1 A3 A5 A7 A9"),  # six red tiles
        ({"A1": "R1 B2"}, "A1 A3"),  # red 1 twice
    ],
)
def test_tiles_broken(position, tiles, lots):
    assert broken(position("", tiles)) == {"tiles": set(lots.split())}


def test_tiles_kept(position):
    assert not GAME.check(position()).violations
    unseen = position("", {"A1": "R? B2", "A3": "R? B4", "C1": "?0 D2"})  # unseen ranks and colours are not equal
    assert not GAME.check(unseen).violations


def towers(number, cap=""):
    return " ".join(f"{lot}:R{cap}" for lot in ("A1", "A3", "A5", "A7", "A9", "G1", "G3")[:number])


@pytest.mark.parametrize(
    ("structures", "lots"),
    [
        (towers(6), "A1 A3 A5 A7 A9 G1"),  # the set has five
        ("A1:r A3:r A5:r A7:r A9:r B1:r B3:r", "A1 A3 A5 A7 A9 B1 B3"),  # six domes of a colour
        (towers(4, "W"), "A1 A3 A5 A7"),  # four claims
        ("A1:RW A3:RK A5:RY", "A1 A3 A5"),  # three players
    ],
)
def test_stock_broken(position, structures, lots):
    assert broken(position(structures)) == {"stock": set(lots.split())}


@pytest.mark.parametrize(
    "structures",
    [
        towers(5),
        "A1:r A3:r A5:r A7:r A9:r B1:r",
        towers(3, "W"),
        "A1:RY A3:RL",  # caps of any two colours
    ],
)
def test_stock_kept(position, structures):
    assert not GAME.check(position(structures)).violations


def test_last_claim(final, position):
    assert any("last_claim" in note for note in GAME.check(final).notes)
    assert broken(replace(final, last_claim="E5")) == {"last-claim": {"E5"}}
    pointless = replace(final, last_claim="A1")  # a dome
    assert not broken(pointless)
    assert any("A1" in note for note in GAME.check(pointless).notes)
    going_on = position("A1:RW", last_claim="A1")  # the game goes on, so it is not the last action
    assert not broken(going_on)
    assert not GAME.check(position("A1:RW")).notes


def test_the_worked_positions_are_legal(final, midgame):
    for state in (final, midgame):
        verdict = GAME.check(state)
        assert not verdict.violations
        assert sorted(verdict.witness) == sorted(structure.at for structure in state.structures)


def test_a_broken_road_does_not_hide_the_rest(position):
    state = position("G10:k H9:k C1:r B2:r")
    violations = {v.rule: v for v in GAME.check(state).violations}
    assert violations["road"].certain
    # By the letter nothing passes [road] after the cut, so the dome and the icon may have come then.
    assert not violations["dome-colour"].certain
    assert not violations["icon-last"].certain
    assert broken(position("G10:k H9:k C1:R")) == {"road": {"H10"}, "first-two": {"C1"}}  # no cut excuses this


def test_every_rule_has_its_sentence():
    assert set(GAME.rules) == set(RULES)
    assert all(text.endswith(".") for text in RULES.values())


def unseen(*names):
    return dict.fromkeys(names, "?? ?")


@pytest.mark.parametrize(
    ("structures", "tiles", "certain", "doubtful"),
    [
        ("C1:r", {}, {"dome-colour"}, set()),
        ("C1:r", unseen("C1"), {"dome-colour"}, {"icon-last"}),  # four blue tiles seen: the fifth is this one
        ("C1:r", unseen("A1", "C1"), set(), {"dome-colour", "icon-last"}),  # it may be the red one
        ("C1:r D1:b", unseen("A1", "C1"), {"dome-colour"}, {"icon-last"}),  # but not both at once
        ("C1:r", unseen("C1", "E1"), {"dome-colour"}, {"icon-last"}),  # blue or green
        ("C1:G", unseen("A1", "C1"), {"first-two"}, {"icon-last"}),  # red or blue
        ("C1:R A1:R", unseen("A1", "C1"), {"first-two"}, {"icon-last"}),  # only one of them is red
        ("C1:R", unseen("G1", "C1"), set(), {"first-two", "icon-last"}),  # it may be the black one
        ("D2:b", {"C1": "B0 ?"}, set(), {"icon-last"}),  # it may be the icon
        ("C1:b D1:b C2:b D2:b", {"C1": "B0 ?"}, set(), {"icon-last"}),  # the last of them is
    ],
)
def test_unseen_tiles(position, structures, tiles, certain, doubtful):
    verdict = GAME.check(position(structures, tiles))
    assert {v.rule for v in verdict.violations if v.certain} == certain
    assert {v.rule for v in verdict.violations if not v.certain} <= doubtful
    assert (verdict.witness is None) == bool(certain)
    assert certain or {v.rule for v in verdict.violations if not v.certain}


def test_a_board_without_any_tile_is_judged_by_the_set(final):
    verdict = GAME.check(replace(final, tiles=()))
    assert not verdict.certainly_illegal
    assert sorted(verdict.witness) == sorted(structure.at for structure in final.structures)
    assert any("unseen tiles" in note for note in verdict.notes)
    # Every tile has a red dome as its first structure: five tiles are red.
    domes = replace(final, tiles=(), structures=tuple(s for s in final.structures if s.at == "A1"))
    assert GAME.check(domes).witness == ("A1",)


def test_messages_name_the_lots(position):
    for violation in GAME.check(position("G10:k H9:k C1:R", {"A1": "R1 B2"})).violations:
        assert all(lot in violation.message for lot in violation.at)
        assert set(violation.at) <= set(BOARD.lots)


def test_missing_tiles_are_unseen_tiles(position):
    state = position("C1:r")
    without = replace(state, tiles=tuple(tile for tile in state.tiles if tile.at not in ("A1", "C1")))
    nothing_known = replace(state, tiles=(*without.tiles, Tile("A1"), Tile("C1")))
    assert GAME.check(without).violations == GAME.check(nothing_known).violations
