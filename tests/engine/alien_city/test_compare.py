"""Two positions of one game: what was played in between."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME


def steps(comparison):
    return [(s.move.action["at"], s.move.action["kind"], s.legal, s.rule) for s in comparison.steps]


def test_from_the_middle_to_the_end_of_the_worked_game(midgame, final):
    comparison = GAME.compare(midgame, final)
    assert not comparison.violations
    assert all(step.legal for step in comparison.steps)
    builds = [lot for lot, kind, *_ in steps(comparison) if kind != "claim"]
    assert sorted(builds) == sorted(s.at for s in final.structures if s.at not in midgame.structure_at)
    claims = {lot for lot, kind, *_ in steps(comparison) if kind == "claim"}
    assert claims == {"C9", "F9", "E3", "G7", "E5", "H4"}
    turned = GAME.compare(midgame, final.turned())
    assert turned.steps == comparison.steps
    assert "turned" in turned.notes[0]


@given(seed=st.integers(0, 10**6), picks=st.tuples(st.integers(0, 38), st.integers(0, 38)))
@settings(max_examples=60, deadline=None)
def test_two_positions_of_a_random_game_have_a_legal_order_in_between(seed, picks, plain):
    positions = list(GAME.random_game(random.Random(seed)))
    before, after = (positions[min(pick, len(positions) - 1)] for pick in sorted(picks))
    comparison = GAME.compare(before, after)
    assert not comparison.violations
    board = plain.board_of(GAME.dump(before))
    built = {plain.place(structure.at) for structure in before.structures}
    for step in comparison.steps:
        assert step.legal
        lot, kind = step.move.action["at"], step.move.action["kind"]
        if kind == "claim":
            assert plain.place(lot) in built  # never before the tower stands
        else:
            assert board.allows(plain.place(lot), (kind, step.move.action["colour"]), built)
            built.add(plain.place(lot))
    assert built == {plain.place(structure.at) for structure in after.structures}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "C1:R", [("C1", "tower", False, "first-two")]),
        ("C1:b D1:b", "C1:b D1:b C2:R", [("C2", "tower", True, None)]),  # what stood before counts
        ("", "C1:r", [("C1", "dome", False, "dome-colour")]),
        ("A1:r", "A1:r B2:r", [("B2", "dome", False, "icon-last")]),
        ("G10:k", "G10:k H9:k", [("H9", "dome", False, "road")]),
        ("G9:k", "G9:k H9:k G10:k", [("H9", "dome", True, None), ("G10", "dome", False, "road")]),  # one of the two
        ("A1:R A3:R A5:R A7:R A9:R", "A1:R A3:R A5:R A7:R A9:R G1:R", [("G1", "tower", False, "stock")]),
        ("A1:R", "A1:RW", [("A1", "claim", True, None)]),  # the rest of a turn
        ("", "A1:RW", [("A1", "tower", True, None), ("A1", "claim", True, None)]),
        ("A1:R", "A1:RW A3:r", [("A3", "dome", True, None), ("A1", "claim", True, None)]),
        (
            "A1:RW A3:RW A5:RW A7:R",
            "A1:RW A3:RW A5:RW A7:RW A9:r",
            [("A9", "dome", True, None), ("A7", "claim", False, "stock")],  # a fourth claim
        ),
        ("A1:RW A3:RK A5:R", "A1:RW A3:RK A5:RY", [("A5", "claim", False, "stock")]),  # a third player
    ],
)
def test_steps(position, before, after, expected):
    comparison = GAME.compare(position(before), position(after))
    assert steps(comparison) == expected
    assert not comparison.violations


@pytest.mark.parametrize(
    ("before", "after", "rule", "lots"),
    [
        ("A1:r A3:r", "A1:r", "moved", {"A3"}),  # taken away
        ("A1:r A3:r", "A1:r A5:r", "moved", {"A3"}),  # moved
        ("A1:r A3:r", "A1:r A3:R", "moved", {"A3"}),  # another kind
        ("A3:r A1:R", "A3:r A1:G", "moved", {"A1"}),  # another colour
        ("A3:r A1:RW", "A3:r A1:RK", "moved", {"A1"}),  # another cap
        ("A3:r A1:RW", "A3:r A1:R", "moved", {"A1"}),  # a cap is gone
        ("A1:R A3:R A5:R", "A1:RW A3:RK A5:RW", "turn", {"A1", "A3", "A5"}),  # three claims without a build
    ],
)
def test_what_cannot_have_happened(position, before, after, rule, lots):
    comparison = GAME.compare(position(before), position(after))
    assert {v.rule for v in comparison.violations} == {rule}
    assert {lot for v in comparison.violations for lot in v.at} == lots


def test_tiles_that_differ(position):
    before, after = position("A1:r"), position("A1:r A3:r", {"C1": "G5 C1"})
    (violation,) = GAME.compare(before, after).violations
    assert (violation.rule, violation.at) == ("tiles", ("C1",))
    unseen = position("A1:r A3:r", {"C1": "?? ?"})
    assert not GAME.compare(before, unseen).violations


def test_the_set_up_tells_what_is_hidden_now(position):
    """The icon was seen before the lot was built on."""
    hidden = position("B2:r", {"A1": "R0 ?"})
    assert steps(GAME.compare(position(), hidden)) == [("B2", "dome", False, "icon-last")]
    blind = GAME.compare(position("", {"A1": "R0 ?"}), hidden)
    assert blind.steps[0].legal
    assert any("B2" in note for note in blind.notes)


def test_json_of_a_step(position):
    (step,) = GAME.compare(position(), position("C1:R")).steps
    assert step.to_json() == {"at": "C1", "kind": "tower", "colour": "red", "legal": False, "rule": "first-two"}
    claim = GAME.compare(position("A1:R"), position("A1:RW")).steps[0]
    assert claim.to_json() == {"at": "A1", "kind": "claim", "claimed_by": "white", "legal": True, "rule": None}


def test_nothing_was_played(final):
    assert GAME.compare(final, replace(final, edition="fr")) == GAME.compare(final, final)
    assert not GAME.compare(final, final).steps
