"""What was played between two positions."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.city_blocks import GAME, CityBlocks
from engine.sheet import Comparison

Draw = Callable[..., CityBlocks]


def told(comparison: Comparison) -> list[tuple[str | None, str, bool, str | None]]:
    found = [step.to_json() for step in comparison.steps]
    return [(one["piece"], " ".join(one["squares"]), one["legal"], one["rule"]) for one in found]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3))
def test_positions_of_one_game_follow_each_other_however_the_board_was_turned(seed: int, quarter: int) -> None:
    rng = random.Random(seed)
    game = list(GAME.random_game(rng))
    first, last = sorted(rng.sample(range(len(game)), 2))
    comparison = GAME.compare(game[first], GAME.turns(game[last])[quarter])
    assert comparison.violations == ()
    assert all(step.legal for step in comparison.steps)
    before, after = game[first], game[last]
    new = {f"{chr(65 + c)}{r + 1}" for r in range(20) for c in range(20) if before.grid[r][c] != after.grid[r][c]}
    played = [square for step in comparison.steps for square in step.to_json()["squares"]]
    assert sorted(played) == sorted(new)
    assert any("turned" in note for note in comparison.notes) is (quarter > 0)


def test_nothing_was_played(draw: Draw) -> None:
    assert GAME.compare(draw("BB"), draw("BB")) == Comparison(())


def test_a_piece_that_the_old_squares_need_is_not_played_again(draw: Draw) -> None:
    # Five in a row are I5 if the new two squares are the domino: both cuts are chosen together.
    comparison = GAME.compare(draw("BBBBB"), draw("BBBBB", "..", "BB"))
    assert told(comparison) == [("I2", "A3 B3", True, None)]
    again = GAME.compare(draw("BB"), draw("BB", "..", "BB"))
    assert told(again) == [("I2", "A3 B3", False, "inventory")]
    assert [violation.rule for violation in again.violations] == ["inventory"]


def test_a_position_may_be_legal_but_not_after_the_first(draw: Draw) -> None:
    # One square more makes the domino a tromino, but no piece is a single square.
    after = draw("BBB")
    assert GAME.check(after).violations == ()
    assert told(GAME.compare(draw("BB"), after)) == [(None, "C1", False, "inventory")]


def test_the_first_piece_covers_the_corner_and_comes_first(draw: Draw) -> None:
    rows = ["." * 20] * 19 + ["." * 18 + "BB"]
    corners = (None, None, "blue", None)
    legal = GAME.compare(draw(corner_colours=corners), draw("BBB", *rows[1:], corner_colours=corners))
    assert told(legal) == [("I2", "S20 T20", True, None), ("I3", "A1 B1 C1", True, None)]
    wrong = GAME.compare(draw(corner_colours=corners), draw("BBB", corner_colours=corners))
    assert told(wrong) == [("I3", "A1 B1 C1", False, "corner-first")]
    assert [(violation.rule, violation.certain) for violation in wrong.violations] == [("corner-first", True)]


def test_corner_colours_that_only_the_first_board_states_count(draw: Draw) -> None:
    before = draw("GG" + "." * 18, corner_colours=("green", "red", "blue", None))
    wrong = GAME.compare(before, draw("GG" + "." * 16 + "BB"))
    assert told(wrong) == [("I2", "S1 T1", False, "corner-first")]


def test_what_lay_there_stays(draw: Draw) -> None:
    gone = GAME.compare(draw("BBB.RR"), draw("BB..RR"))
    assert [(violation.rule, violation.at) for violation in gone.violations] == [("moved", ("C1",))]
    assert "C1 was B and is empty" in gone.violations[0].message
    changed = GAME.compare(draw("BBB.RRR"), draw("BBB.GGG"))
    assert [violation.at for violation in changed.violations if violation.rule == "moved"] == [("E1", "F1", "G1")]
    assert "2 more squares" in changed.violations[0].message


def test_the_board_is_not_turned_to_excuse_what_was_played(draw: Draw) -> None:
    # Turned by 180 degrees both colours would begin in their own corners, but the singles tell how the board lies.
    before = draw(corner_colours=(None, "yellow", "red", "blue"))
    comparison = GAME.compare(before, draw("RR" + "." * 16 + "BB"))
    assert [violation.rule for violation in comparison.violations] == ["corner-first", "corner-first"]
    assert comparison.notes == ()


def test_unknown_colours_excuse_a_change(draw: Draw) -> None:
    assert GAME.compare(draw("BB?"), draw("BBB")) == Comparison(())
    hidden = GAME.compare(draw("BBB"), draw("BB?", "...?"))
    assert hidden.violations == ()
    assert hidden.notes == ("unknown colours were played on D2.",)
    assert [v.at for v in GAME.compare(draw("BB?"), draw("BB.")).violations] == [("C1",)]


def test_setting_up_the_centre_is_no_play(draw: Draw) -> None:
    assert GAME.compare(GAME.empty(), draw()) == Comparison(())
    assert GAME.compare(draw(centre=False), draw("BB")).steps[0].to_json()["squares"] == ["A1", "B1"]


def test_the_corner_colours_turn_with_the_board(draw: Draw) -> None:
    before = draw(corner_colours=("blue", "green", "red", "yellow"))
    after = replace(draw("BB"), corner_colours=("blue", "green", "red", "yellow"))
    for quarter, turned in enumerate(GAME.turns(after)):
        comparison = GAME.compare(before, turned)
        assert told(comparison) == [("I2", "A1 B1", True, None)], quarter
