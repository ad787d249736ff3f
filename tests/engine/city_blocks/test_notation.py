"""JSON and diagrams: round trips over everything a state can hold, and one sentence for everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.city_blocks import GAME, CityBlocks
from engine.documents import position_from_diagram, position_from_json
from engine.errors import InvalidState, UsageError
from engine.fields import Field
from engine.game import Options

COLOURS = ["blue", "green", "red", "yellow"]
EMPTY_GRID = ["." * 20] * 20


@st.composite
def states(draw: st.DrawFn) -> CityBlocks:
    """Any state at all, most of them illegal."""
    order = draw(st.permutations(COLOURS))
    corners = draw(st.permutations(COLOURS))
    known = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    names = draw(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
    return CityBlocks(
        grid=tuple(draw(st.lists(st.text("BGRY.?", min_size=20, max_size=20), min_size=20, max_size=20))),
        players=draw(st.sampled_from([2, 3, 4])),
        pairs=draw(st.sampled_from([None, ((order[0], order[1]), (order[2], order[3]))])),
        neutral=draw(st.sampled_from([None, *COLOURS])),
        corner_colours=tuple(c if k else None for c, k in zip(corners, known, strict=True)),  # type: ignore[arg-type]
        names=tuple(sorted(names.items())),
        all_passed=draw(st.booleans()),
    )


@given(states())
def test_json_round_trip(state: CityBlocks) -> None:
    assert position_from_json(json.dumps(GAME.dump(state))).state == state


@given(states())
def test_diagram_round_trip(state: CityBlocks) -> None:
    assert position_from_diagram(GAME.diagram(state)).state == state


@given(states())
def test_four_quarter_turns_lead_back(state: CityBlocks) -> None:
    turns = GAME.turns(state)
    assert turns[3].turned() == state
    assert [turned.grid[0][0] for turned in turns] == [
        state.grid[r][c] for r, c in ((0, 0), (19, 0), (19, 19), (0, 19))
    ]
    corners = state.corner_colours
    assert [turned.corner_colours[0] for turned in turns] == [corners[0], corners[3], corners[2], corners[1]]


def test_what_is_not_known_is_left_out_of_the_json() -> None:
    assert GAME.dump(CityBlocks(tuple(EMPTY_GRID))) == {"game": "city-blocks", "players": 4, "grid": EMPTY_GRID}


def test_unknown_fields_are_ignored_and_nulls_are_unknown() -> None:
    document = {"grid": EMPTY_GRID, "corners": [[0, 0]], "pairs": None, "neutral": None, "corner_colours": None}
    assert GAME.load(Field({**document, "variants": [], "extras": {"last_claim": "E5"}})) == CityBlocks(
        tuple(EMPTY_GRID)
    )


def test_a_typed_diagram_needs_no_labels() -> None:
    rows = ["b b . g" + " ." * 16, *EMPTY_GRID[1:]]
    typed = "city-blocks\nplayers: 3\nneutral: red\n# a comment\n\n" + "\n".join(rows)
    state = GAME.parse_diagram(typed)
    assert state.grid[0] == "BB.G" + "." * 16
    assert (state.players, state.neutral) == (3, "red")


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"grid": None}, "grid", "must be a list"),
        ({"grid": EMPTY_GRID[:19]}, "grid", "must have 20 rows, not 19"),
        ({"grid": [*EMPTY_GRID, "." * 20]}, "grid", "21 entries"),
        ({"grid": [*EMPTY_GRID[:19], "." * 21]}, "grid[19]", "20 letters, not 21"),
        ({"grid": ["x" + "." * 19, *EMPTY_GRID[1:]]}, "grid[0]", 'letter 1 is "x"'),
        ({"grid": [7, *EMPTY_GRID[1:]]}, "grid[0]", "must be a text, not a number"),
        ({"players": 5}, "players", "from 2 to 4"),
        ({"players": True}, "players", "whole number"),
        ({"players": 2.0}, "players", "whole number"),
        ({"pairs": [["blue", "red"]]}, "pairs", "two pairs"),
        ({"pairs": [["blue", "red"], ["blue", "yellow"]]}, "pairs", "each of blue, green, red, yellow once"),
        ({"pairs": [["blue", "red"], ["green", "pink"]]}, "pairs[1][1]", "must be one of"),
        ({"neutral": "white"}, "neutral", "must be one of"),
        ({"corner_colours": ["blue", "blue", None, None]}, "corner_colours", "stands twice"),
        ({"corner_colours": ["blue"]}, "corner_colours", "four entries"),
        ({"variants": ["sprawlgami"]}, "variants", "has no variants"),
        ({"extras": {"names": {"blue": 3}}}, "extras.names.blue", "must be a text"),
        ({"extras": {"all_passed": "yes"}}, "extras.all_passed", "true or false"),
    ],
)
def test_bad_json_is_refused_with_the_path(change: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(InvalidState) as caught:
        GAME.load(Field({"grid": EMPTY_GRID, **change}))
    assert caught.value.path == path
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("header", "rows", "line", "words"),
    [
        ("players: 5", EMPTY_GRID, "line 2", "2, 3 or 4"),
        ("pairs: blue", EMPTY_GRID, "line 2", "blue+red, green+yellow"),
        ("corners: blue, ?", EMPTY_GRID, "line 2", "four entries"),
        ("neutral: pink", EMPTY_GRID, "line 2", "must be one of"),
        ("size: 20", EMPTY_GRID, "line 2", "players, pairs"),
        ("extras: {", EMPTY_GRID, "line 2", "JSON"),
        ("players: 4", [*EMPTY_GRID[:4], "5 " + "." * 19], "line 8", "20 letters, not 19"),
        ("players: 4", ["2 " + "." * 20], "line 4", "row 1 from the top, not row 2"),
        ("players: 4", EMPTY_GRID[:3], "grid", "20 rows, not 3"),
    ],
)
def test_bad_diagrams_are_refused_with_the_line(header: str, rows: list[str], line: str, words: str) -> None:
    with pytest.raises(InvalidState) as caught:
        GAME.parse_diagram("\n".join(["city-blocks", header, "", *rows]))
    assert caught.value.path == line
    assert words in caught.value.message


def test_options() -> None:
    empty = GAME.empty()
    assert GAME.with_options(empty, Options(players=2)).players == 2
    assert GAME.with_options(empty, Options()) == empty
    for options in (Options(edition="2.2"), Options(variants=("overload",)), Options(players=5)):
        with pytest.raises(UsageError):
            GAME.with_options(empty, options)


def test_drawing_shows_every_square() -> None:
    drawing = GAME.drawing(CityBlocks(("BGRY.?" + "." * 14, *EMPTY_GRID[1:])))
    assert [glyph.text for glyph in drawing.rows[0][:6]] == [" B", " G", " R", " Y", " ·", " ?"]
    assert [glyph.colour for glyph in drawing.rows[0][:6]] == [*COLOURS, None, None]
