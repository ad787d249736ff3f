"""Positions survive JSON and diagrams over their whole domain, and nonsense is refused by the field's name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.colours import COLOURS
from engine.errors import InvalidState, UsageError
from engine.fields import Field
from engine.game import Options
from engine.sprawl import GAME
from engine.sprawl.board import DIRECTIONS, Branch, Cell, Piece, Square, Tower, parse_token
from engine.sprawl.state import VARIANTS, State
from engine.strict_json import parse_object


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any state at all."""
    columns, rows = draw(st.integers(2, 12)), draw(st.integers(2, 12))
    colours = draw(st.lists(st.sampled_from(COLOURS), unique=True, max_size=8))
    cells: dict[Square, Cell] = {}
    if colours:
        pieces = st.builds(Piece, st.sampled_from(colours), st.integers(1, 3))
        towers = st.builds(Tower, st.lists(pieces, min_size=1, max_size=5).map(tuple))
        branches = st.builds(Branch, pieces, st.sampled_from(DIRECTIONS))
        squares = st.builds(Square, st.integers(0, columns - 1), st.integers(0, rows - 1))
        cells = draw(st.dictionaries(squares, towers | branches, max_size=40))
    variants = [name for name in draw(st.sets(st.sampled_from(VARIANTS))) if name != "loose-branching"]
    if "strict-branching" not in variants and draw(st.booleans()):
        variants.append("loose-branching")
    who = st.sampled_from(colours) if colours else st.nothing()
    coup = draw(st.dictionaries(who, st.integers(0, 64)))
    names = draw(st.dictionaries(who, st.text()))
    return State(
        columns,
        rows,
        tuple(colours),
        tuple(cells.items()),
        tuple(variants),
        tuple(coup.items()),
        tuple(names.items()),
    )


@settings(max_examples=200, deadline=None)
@given(states())
def test_every_state_survives_json_and_diagram(state: State) -> None:
    text = json.dumps(GAME.dump(state))
    assert GAME.load(Field(parse_object(text))) == state
    assert GAME.parse_diagram(GAME.diagram(state)) == state


@settings(max_examples=100, deadline=None)
@given(states())
def test_four_quarter_turns_lead_back(state: State) -> None:
    turned = state.turned()
    assert (turned.columns, turned.rows) == (state.rows, state.columns)
    assert turned.turned().turned().turned() == state
    assert GAME.turns(state)[0] == state
    assert len(GAME.turns(state)) == (4 if state.columns == state.rows else 2)


def test_a_turn_moves_pieces_and_tips_clockwise() -> None:
    state = GAME.parse_diagram("sprawl\n\n2 R2> .   B1\n1 .   G3^ .\n")
    assert (
        GAME.diagram(state.turned()) == "sprawl\ncolours: red, green, blue\n\n3 .   R2v\n2 G3> .\n1 .   B1\n  A   B\n"
    )


def test_every_square_piece_and_token_has_one_name() -> None:
    squares = [Square(column, row) for column in range(12) for row in range(12)]
    assert [Square.parse(square.name) for square in squares] == squares
    assert (Square(2, 1).name, Square(11, 11).name) == ("C2", "L12")
    pieces = [Piece(colour, size) for colour in COLOURS for size in (1, 2, 3)]
    assert [Piece.parse(piece.name) for piece in pieces] == pieces
    cells = [Branch(piece, direction) for piece in pieces for direction in DIRECTIONS]
    assert [parse_token(cell.token) for cell in cells] == cells


@pytest.mark.parametrize(
    ("cell", "token"),
    [
        (Tower((Piece("red", 3), Piece("red", 2), Piece("red", 1))), "R321"),
        (Tower((Piece("red", 3), Piece("blue", 2))), "R3B2"),  # the letter stands again where the colour changes
        (Tower((Piece("red", 3), Piece("blue", 2), Piece("red", 1))), "R3B2R1"),
        (Branch(Piece("pink", 2), "south"), "I2v"),
        (Branch(Piece("black", 1), "west"), "K1<"),
    ],
)
def test_tokens_look_as_documented(cell: Cell, token: str) -> None:
    assert cell.token == token
    assert parse_token(token) == cell


@pytest.mark.parametrize("token", ["", "R", "R4", "r3", "R32>", "R3 2", "3R", ">", "R3B", "Q1", "R1^^"])
def test_other_tokens_mean_nothing(token: str) -> None:
    assert parse_token(token) is None


def test_colours_follow_from_the_pieces_where_they_are_not_given() -> None:
    document = {"columns": 3, "rows": 2, "cells": [{"at": "C2", "stack": ["blue3", "red2"]}], "corners": [[1, 2]]}
    assert GAME.load(Field(document)).colours == ("red", "blue")


GOOD: dict[str, Any] = {"columns": 6, "rows": 6, "colours": ["red", "blue"], "cells": []}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"columns": "6"}, "columns"),  # a text
        ({"columns": 1}, "columns"),  # too small
        ({"rows": 13}, "rows"),  # too large
        ({"rows": True}, "rows"),  # no number
        ({"colours": ["red", "red"]}, "colours[1]"),  # twice
        ({"colours": ["red", "mauve"]}, "colours[1]"),  # unknown
        ({"colours": list(COLOURS[:9])}, "colours"),  # nine players
        ({"cells": {}}, "cells"),  # no list
        ({"cells": [{"at": "G1", "stack": ["red3"]}]}, "cells[0].at"),  # outside
        ({"cells": [{"at": "A0", "stack": ["red3"]}]}, "cells[0].at"),  # no square
        ({"cells": [{"at": 5, "stack": ["red3"]}]}, "cells[0].at"),  # no name
        ({"cells": [{"stack": ["red3"]}]}, "cells[0]"),  # nowhere
        ({"cells": [{"at": "A1"}]}, "cells[0]"),  # nothing there
        ({"cells": [{"at": "A1", "stack": ["red3"], "lying": "red1", "points": "east"}]}, "cells[0]"),  # both
        ({"cells": [{"at": "A1", "stack": ["red3"], "points": "east"}]}, "cells[0].points"),  # a tower points nowhere
        ({"cells": [{"at": "A1", "stack": []}]}, "cells[0].stack"),  # an empty stack
        ({"cells": [{"at": "A1", "stack": ["red1"] * 6}]}, "cells[0].stack"),  # taller than any heap
        ({"cells": [{"at": "A1", "stack": ["red4"]}]}, "cells[0].stack[0]"),  # no such size
        ({"cells": [{"at": "A1", "stack": ["red3", "green2"]}]}, "cells[0].stack[1]"),  # not in play
        ({"cells": [{"at": "A1", "lying": "red1"}]}, "cells[0]"),  # where does it point?
        ({"cells": [{"at": "A1", "lying": "red1", "points": "up"}]}, "cells[0].points"),  # not a direction
        ({"cells": [{"at": "A1", "lying": "green1", "points": "east"}]}, "cells[0].lying"),  # not in play
        ({"cells": [{"at": "A1", "stack": ["red1"]}, {"at": "A1", "stack": ["red1"]}]}, "cells[1].at"),  # twice
        ({"variants": ["chess"]}, "variants[0]"),  # unknown
        ({"variants": "overload"}, "variants"),  # no list
        ({"variants": ["strict-branching", "loose-branching"]}, "variants"),  # contradict each other
        ({"extras": {"coup": {"red": -1}}}, "extras.coup.red"),  # no such cards
        ({"extras": {"coup": {"red": 65}}}, "extras.coup.red"),  # more than the deck holds
        ({"extras": {"coup": {"green": 1}}}, "extras.coup.green"),  # not in play
        ({"extras": {"names": {"red": 7}}}, "extras.names.red"),  # no name
        ({"extras": {"names": []}}, "extras.names"),  # no object
    ],
)
def test_bad_documents_are_refused_with_the_path(change: dict[str, Any], path: str) -> None:
    GAME.load(Field(GOOD))
    with pytest.raises(InvalidState) as caught:
        GAME.load(Field(GOOD | change))
    assert caught.value.path == path
    assert caught.value.problem.endswith(".")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("sprawl\n", ""),  # no board
        ("sprawl\n\n2 . .\n1 . . .\n", "line 4"),  # a row too long
        ("sprawl\n\n1 . .\n2 . .\n", "line 3"),  # upside down
        ("sprawl\n\n2 . X9\n1 . .\n", "line 3"),  # no such token
        ("sprawl\ncolours: blue\n\n2 . .\n1 R3 .\n", "A1"),  # red does not play
        ("sprawl\ncolours: mauve\n\n2 . .\n1 . .\n", "line 2"),  # no such colour
        ('sprawl\nextras: {"coup": 3}\n\n2 . .\n1 . .\n', "line 2"),  # no object
        ("sprawl\nextras: {{\n\n2 . .\n1 . .\n", "line 2"),  # no JSON
        ("sprawl\n\n1 . .\n", "rows"),  # too small a board
    ],
)
def test_bad_diagrams_are_refused_with_the_place(text: str, path: str) -> None:
    with pytest.raises(InvalidState) as caught:
        GAME.parse_diagram(text)
    assert caught.value.path == path


def test_options_add_variants_and_overrule_their_opposite() -> None:
    strict = State(6, 6, ("red", "blue"), variants=("overload", "strict-branching"))
    loose = GAME.with_options(strict, Options(variants=("loose-branching",), players=2))
    assert loose.variants == ("overload", "loose-branching")
    assert GAME.with_options(strict, Options()) == strict


@pytest.mark.parametrize(
    "options",
    [
        Options(edition="2.2"),
        Options(players=4),
        Options(variants=("location-bonus",)),
        Options(variants=("strict-branching", "loose-branching")),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Options) -> None:
    with pytest.raises(UsageError):
        GAME.with_options(State(6, 6, ("red", "blue")), options)


def test_a_drawing_shows_tokens_in_the_controllers_colour() -> None:
    drawing = GAME.drawing(GAME.parse_diagram("sprawl\n\n2 R3B2 .\n1 G2^ .\n"))
    assert [[(glyph.text.strip(), glyph.colour) for glyph in row] for row in drawing.rows] == [
        [("R3B2", "blue"), (".", None)],
        [("G2^", "green"), (".", None)],
    ]
    assert (drawing.row_labels, drawing.column_labels) == (("2", "1"), ("A", "B"))
