"""Text diagrams: what they look like, what a person may leave out, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.alien_city import GAME, AlienCityState
from engine.documents import position_from_diagram
from engine.errors import InvalidState

FINAL = """\
alien-city
edition: 2.2

     A   B   C   D   E   F   G   H
10   B   .   .*  r   .   .   .   r   | B? R? B? R?
 9   b*  .   RW  r   .*  BW  .*  r
 8   b   .   k   .   .*  g   .*  .   | B? K? G? K?
 7   b   .*  .   .*  g   .   RK  .
 6   R   .*  g   .   k   .   .   .*  | R0 G? K? B4
 5   R   .   G   .*  RK  .*  b   B
 4   G   .*  B*  k   .*  .   g   GK  | G1 K? G5 G0
 3   g   .   B   k   GW  g   b   .*
 2   k   .   r   .   r   .   b   .   | K4 R2 R1 B2
 1   k   .*  .   .*  .*  .   .*  .
"""
EMPTY_ROWS = [f"{row} . . . . . . . ." for row in range(10, 0, -1)]


def diagram(*rows, head=("alien-city", "")):
    return "\n".join([*head, *rows]) + "\n"


def test_the_worked_example(final):
    assert GAME.diagram(final) == FINAL
    assert position_from_diagram(FINAL).state == final


@given(data=st.data())
def test_round_trip(data, arbitrary):
    state = data.draw(arbitrary.states())
    assert GAME.parse_diagram(GAME.diagram(state)) == state


def test_a_person_may_type_less():
    """No column letters, no tiles, no alignment, comments anywhere."""
    rows = list(EMPTY_ROWS)
    rows[9] = "1 r . . R . . . ."
    state = GAME.parse_diagram(diagram(*rows, head=("# my game", "alien-city", "variants: location-bonus", "")))
    assert [str(structure) for structure in state.structures] == ["red dome on A1", "red tower on D1"]
    assert (state.tiles, state.variants, state.edition) == ((), ("location-bonus",), "2.2")


def test_nothing_is_the_empty_board():
    assert GAME.parse_diagram(diagram(*EMPTY_ROWS)) == AlienCityState() == GAME.empty()


def with_row(row, text):
    return diagram(*(text if line.startswith(f"{row} ") else line for line in EMPTY_ROWS))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (diagram(*EMPTY_ROWS[:9]), None),  # row 1 is missing
        (diagram(*EMPTY_ROWS, "0 . . . . . . . ."), "line 13"),  # a row too many
        (diagram(*EMPTY_ROWS[::-1]), "line 3"),  # south first
        (with_row(5, "5 . . . . . . ."), "line 8"),  # seven lots
        (with_row(5, "5 . . . . . . . x"), "line 8"),  # no such piece
        (with_row(5, "5 . . . . . . . K"), "line 8"),  # a black tower
        (with_row(5, "5 . . . . . . . rW"), "line 8"),  # a cap on a dome
        (with_row(5, "5 . . . . . . . RWW"), "line 8"),  # two caps
        (with_row(5, "5 . . . . . . . RX"), "line 8"),  # no such cap
        (with_row(5, "5 . . . . . . . *"), "line 8"),  # an icon without a lot
        (with_row(6, "6 . . . . . . . . | R1 R2 R3"), "line 7"),  # three tiles
        (with_row(6, "6 . . . . . . . . | R1 R2 R3 R6"), "line 7"),  # no such rank
        (with_row(6, "6 . . . . . . . . | R1 R2 R3 Y1"), "line 7"),  # no such guild
        (with_row(5, "5 . . . . . . . . | R1 R2 R3 R4"), "line 8"),  # tiles stand behind even rows
        (with_row(6, "6 .* . . . . . . . | -- R2 R3 R4"), "line 7"),  # the icon of an unrecorded tile
        (with_row(6, "6 .* .* . . . . . . | R1 R2 R3 R4"), "line 7"),  # two icons on a tile
        (diagram(*EMPTY_ROWS, head=("alien-city", "edition: 3", "")), "edition"),
        (diagram(*EMPTY_ROWS, head=("alien-city", "variants: overload", "")), "variants"),
        (diagram(*EMPTY_ROWS, head=("alien-city", "extras: {", "")), "line 2"),
        (diagram(*EMPTY_ROWS, head=("alien-city", 'extras: {"last_claim": "Z1"}', "")), "extras.last_claim"),
        (diagram(*EMPTY_ROWS, head=("alien-city", "players: 2", "")), "line 2"),
    ],
)
def test_mistakes_name_their_line(text, line):
    with pytest.raises(InvalidState) as caught:
        GAME.parse_diagram(text)
    assert line is None or caught.value.path == line
