"""Every rule broken and just kept, and random legal games judged legal with a witness that is recounted here."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.city_blocks import GAME, CityBlocks, checking, inventory, random_blokus_game
from engine.city_blocks.board import names_in
from engine.city_blocks.cover import Answer, Cover
from engine.city_blocks.inventory import left, set_of
from engine.sheet import Violation

Draw = Callable[..., CityBlocks]


def broken(state: CityBlocks) -> list[tuple[str, bool]]:
    return [(violation.rule, violation.certain) for violation in GAME.check(state).violations]


def only_violation(state: CityBlocks) -> Violation:
    (violation,) = GAME.check(state).violations
    return violation


# --- witnesses -------------------------------------------------------------------------------
def recount(state: CityBlocks, *, plain: bool) -> None:
    """The witness covers every colour's squares once, with different pieces, corner pieces first."""
    verdict = GAME.check(state)
    assert verdict.violations == ()
    assert verdict.witness is not None
    covered: dict[str, str] = {}
    shapes: dict[str, list[frozenset[tuple[int, int]]]] = {}
    for step in verdict.witness:
        colour, name, *squares = step.split()
        cells = [(int(square[1:]) - 1, ord(square[0]) - ord("A")) for square in squares]
        assert int(name[1]) == len(squares)
        assert not covered.keys() & set(squares)
        covered |= dict.fromkeys(squares, colour[0].upper())
        if colour not in shapes:
            assert {*min(cells, key=distance_to_a_corner)} <= {0, 19}
        assert is_connected(cells)
        shapes.setdefault(colour, []).append(turned_alike(cells))
    assert all(len(set(of_colour)) == len(of_colour) for of_colour in shapes.values())
    centre = {(9, 9), (9, 10), (10, 9), (10, 10)} if not plain else set()
    for row in range(20):
        for column in range(20):
            name = f"{chr(ord('A') + column)}{row + 1}"
            expected = "." if (row, column) in centre else state.grid[row][column]
            assert covered.get(name, ".") == expected


def distance_to_a_corner(cell: tuple[int, int]) -> int:
    return min(cell[0], 19 - cell[0]) + min(cell[1], 19 - cell[1])


def is_connected(cells: list[tuple[int, int]]) -> bool:
    reached = {cells[0]}
    for _ in cells:
        reached |= {(r, c) for r, c in cells for y, x in reached if abs(r - y) + abs(c - x) == 1}
    return len(reached) == len(cells)


def turned_alike(cells: list[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    forms = []
    for mirrored in (cells, [(r, -c) for r, c in cells]):
        for _ in range(4):
            mirrored = [(c, -r) for r, c in mirrored]
            top, left_most = min(r for r, _ in mirrored), min(c for _, c in mirrored)
            forms.append(sorted((r - top, c - left_most) for r, c in mirrored))
    return frozenset(min(forms))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_every_position_of_a_random_game_is_legal_with_a_witness(seed: int) -> None:
    for state in GAME.random_game(random.Random(seed)):
        recount(state, plain=False)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 15))
def test_unknown_corner_colours_excuse_a_legal_game_only_more(seed: int, hidden: int) -> None:
    for state in list(GAME.random_game(random.Random(seed)))[::9]:
        corners = tuple(None if hidden >> i & 1 else colour for i, colour in enumerate(state.corner_colours))
        recount(replace(state, corner_colours=corners), plain=False)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_plain_blokus_games_are_legal(seed: int) -> None:
    for state in random_blokus_game(random.Random(seed)):
        if state.is_plain_blokus:
            recount(state, plain=True)
            assert GAME.check(state).notes[0].startswith("plain-blokus")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_a_legal_game_with_hidden_colours_is_never_certainly_illegal(seed: int, hidden: int) -> None:
    rng = random.Random(seed)
    state = rng.choice(list(GAME.random_game(rng)))
    rows = [list(row) for row in state.grid]
    occupied = [(r, c) for r in range(20) for c in range(20) if rows[r][c] != "."]
    for r, c in rng.sample(occupied, min(hidden, len(occupied))):
        rows[r][c] = "?"
    assert not GAME.check(replace(state, grid=tuple("".join(row) for row in rows))).certainly_illegal


# --- inventory -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "at", "words"),
    [
        # a single square beside nothing of its colour
        (["BB", "...B"], ["D2"], "no piece is a single square"),
        # the domino twice
        (["BB.BB"], ["A1", "B1", "D1", "E1"], "2 separate areas can only be the piece I2, which a set has once"),
        # the straight tromino twice; the L tromino beside them is no part of the proof
        (["BBB.BBB.BB", "........B"], ["A1", "B1", "C1", "E1", "F1", "G1"], "can only be the piece I3"),
        # a third bar of five: I5, then I2 + I3, then nothing
        (["BBBBB.BBBBB.BBBBB"], None, "the 3 areas at A1 and G1 and M1 cannot all be cut"),
        # one area alone: seven in a row are I5 + I2 or I4 + I3, but fifteen need I5 + I4 + I3 + I2 and one more
        (["B" * 15], None, "this area of 15 squares cannot be cut"),
    ],
)
def test_inventory_broken(draw: Draw, rows: list[str], at: list[str] | None, words: str) -> None:
    violation = only_violation(draw(*rows))
    assert (violation.rule, violation.certain) == ("inventory", True)
    assert words in violation.message
    if at is not None:
        assert list(violation.at) == at
    assert GAME.check(draw(*rows)).witness is None


@pytest.mark.parametrize(
    "rows",
    [
        ["BB"],
        ["BB.BBB"],  # the domino and the tromino, each once
        ["BBBBB.BBBBB"],  # I5, and I2 + I3
        ["B" * 14],  # I5 + I4 + I3 + I2: all straight pieces
        ["BBB.BB", "....B"],  # the two trominoes
    ],
)
def test_inventory_just_kept(draw: Draw, rows: list[str]) -> None:
    recount(draw(*rows), plain=False)


def test_more_squares_than_a_set_has(draw: Draw) -> None:
    rows = ["B" * 11] * 8
    recount(draw(*rows), plain=False)
    assert "89 squares, but a set has only 88" in only_violation(draw(*rows, "B")).message
    assert "no piece is a single square" in only_violation(draw("B")).message
    assert "no choice of different pieces has 87 squares" in only_violation(draw(*rows[:7], "B" * 10)).message


def test_plain_blokus_has_one_more_piece(draw: Draw) -> None:
    rows = ["B" * 11] * 8
    recount(draw(*rows, "B", centre=False), plain=True)
    recount(draw(*rows[:7], "B" * 10, centre=False), plain=True)
    assert "90 squares, but a set has only 89" in only_violation(draw(*rows, "BB", centre=False)).message
    recount(draw("BB", "...B", centre=False), plain=True)
    assert only_violation(draw("BB", "...B", ".....B", centre=False)).at == ("D2", "F3")


def test_an_open_question_is_no_certain_violation(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory, "solve", lambda *_: Cover(Answer.OPEN))
    inventory.cut.cache_clear()
    try:
        verdict = GAME.check(draw("BBB"))
    finally:
        inventory.cut.cache_clear()
    assert [(violation.rule, violation.certain) for violation in verdict.violations][:1] == [("inventory", False)]
    assert any("stayed open after 2 seconds" in note for note in verdict.notes)
    assert verdict.witness is None


# --- corner-first ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "corners", "expected"),
    [
        (["BB"], (None, None, None, None), []),
        (["BB"], ("blue", None, None, None), []),
        ([".BB"], (None, None, None, None), [True]),  # nowhere near a corner square
        ([".BB"], ("blue", None, None, None), [True]),  # beside its own corner
        (["BB"], ("red", None, None, None), [True]),  # in another's corner
        (["BB"], (None, "blue", None, None), [True]),  # its own corner is another one
        (["BB"], (None, "red", "green", "yellow"), []),  # three known corners leave the fourth
        (["BB" + "." * 16 + "RR"], (None, None, None, None), []),
        (["BB" + "." * 16 + "RR"], ("red", "blue", None, None), [True, True]),  # exchanged
        (["?B"], (None, None, None, None), [False]),  # the unknown square may be blue's own corner
        (["?BB" + "." * 14 + "RR."], (None, None, None, None), [True]),  # one unknown corner for two colours
        (["?BB"], ("red", None, None, None), [True]),  # the unknown corner is not blue's
    ],
)
def test_corner_first(draw: Draw, rows: list[str], corners: Any, expected: list[bool]) -> None:
    verdict = GAME.check(draw(*rows, corner_colours=corners))
    assert [v.certain for v in verdict.violations if v.rule == "corner-first"] == expected


def test_a_corner_violation_names_the_corner(draw: Draw) -> None:
    violation = only_violation(draw(".BB", corner_colours=("green", None, "blue", None)))
    assert violation.at == ("T20",)
    assert violation.message == "blue has pieces on the board but does not cover its own corner T20."


def test_the_centre_single_is_no_piece_that_was_played(draw: Draw) -> None:
    assert broken(draw()) == []
    assert broken(draw(centre=False)) == []
    # On a plain Blokus board it is one: red lies in the centre alone.
    assert broken(draw("BB", at=(9, 9), centre=False)) == [("corner-first", True)]


# --- centre ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("centre", "plain", "open_"),
    [
        (("BG", "RY"), False, False),
        (("YR", "GB"), False, False),
        (("BG", "RB"), True, False),  # blue twice
        (("BG", "R "), True, False),  # one is missing
        (("  ", "  "), True, False),
        (("BG", "R?"), False, True),  # may be the fourth single
        (("B?", "?B"), True, False),  # blue twice, whatever the others are
        (("??", "??"), False, True),
    ],
)
def test_centre(draw: Draw, centre: tuple[str, str], plain: bool, open_: bool) -> None:
    state = draw(*centre, at=(9, 9), centre=False)
    assert (state.is_plain_blokus, state.may_be_plain_blokus) == (plain, plain or open_)
    notes = GAME.check(state).notes
    assert any(note.startswith("plain-blokus") for note in notes) is plain
    assert not any(violation.rule == "centre" for violation in GAME.check(state).violations)


def test_an_unknown_centre_is_judged_by_the_reading_that_excuses_more(draw: Draw) -> None:
    # A blue single in the corner is a piece on a plain Blokus board only.
    assert broken(draw("B", centre=True)) == [("inventory", True)]
    assert broken(replace(GAME.empty(), grid=("B" + "." * 19, *GAME.empty().grid[1:]))) == []


# --- unknown colours -------------------------------------------------------------------------
def test_unknown_squares_may_belong_to_a_colour_but_need_not(draw: Draw) -> None:
    helped = only_violation(draw("B?"))
    assert (helped.rule, helped.certain) == ("inventory", False)
    assert "unless squares of unknown colour belong to it" in helped.message
    assert GAME.check(draw("BB?")).violations == ()  # the three squares of a tromino
    lonely = only_violation(draw("BB", "...?"))
    assert (lonely.rule, lonely.at, lonely.certain) == ("inventory", ("D2",), True)


def test_unknown_squares_give_no_witness_that_breaks_another_rule(draw: Draw) -> None:
    # The unknown domino cannot be blue's, and no other colour has begun in a corner.
    assert GAME.check(draw("BB", "...??")).witness is None
    witness = GAME.check(draw("BB?")).witness
    assert witness == ("blue I3 A1 B1 C1",)


def test_too_many_squares_stay_too_many_with_unknown_ones(draw: Draw) -> None:
    violation = only_violation(draw(*["B" * 11] * 8, "B?"))
    assert violation.certain
    assert "89 squares" in violation.message


def test_many_unknown_squares_are_a_note_not_a_judgement(draw: Draw) -> None:
    verdict = GAME.check(draw(*["?" * 20] * 3))
    assert verdict.violations == ()
    assert verdict.witness is None
    assert any("stayed open" in note for note in verdict.notes)
    assert checking._MOST_UNKNOWN < 60


# --- what is left ----------------------------------------------------------------------------
def test_left_is_certain_where_all_cuts_agree(draw: Draw) -> None:
    city = set_of(plain=False)
    one_way = left(draw("BB", "B.").played("blue", plain=False), city)
    assert (one_way.squares, one_way.certain, len(one_way.surely)) == (85, True, 19)
    assert "V3" not in one_way.possible
    two_ways = left(draw("BBBBB").played("blue", plain=False), city)
    assert set(two_ways.maybe) == {"I2", "I3", "I5"}
    assert len(two_ways.surely) == 17
    nothing = left(0, city)
    assert (nothing.squares, nothing.surely, nothing.certain) == (88, city, True)
    impossible = left(draw("BB", "...B").played("blue", plain=False), city)
    assert (impossible.surely, impossible.certain) == ((), False)


def test_the_reason_names_only_the_areas_it_needs(draw: Draw) -> None:
    state = draw("BB" + "." * 3 + "BBBB", "." * 5 + "B", "BB", at=(0, 0))
    cutting = inventory.cut(state.played("blue", plain=False), set_of(plain=False))
    assert cutting.answer is Answer.NO
    assert names_in(cutting.at) == ("A1", "B1", "A3", "B3")
