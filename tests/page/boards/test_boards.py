"""What the clickable board is told about each game, checked on positions of random legal games."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.errors import InvalidState
from engine.game import game, game_names
from page.boards import board_kind
from page.boards.base import BoardKind

CELLS = {"alien-city": 80, "city-blocks": 400}


def positions(name: str) -> list[Any]:
    """The start, a middle position and the end of a random game."""
    played = list(game(name).random_game(random.Random(11)))
    return [game(name).empty(), played[len(played) // 2], played[-1]]


@pytest.fixture(params=game_names())
def kind(request: pytest.FixtureRequest) -> BoardKind[Any]:
    return board_kind(request.param)


def test_every_cell_is_there_once(kind: BoardKind[Any]) -> None:
    for state in positions(kind.name):
        columns, rows = kind.size(state)
        cells = kind.cells(state)
        assert {(cell.x, cell.y) for cell in cells} == {(x, y) for x in range(columns) for y in range(rows)}
        assert len({cell.at for cell in cells}) == len(cells) == CELLS.get(kind.name, columns * rows)
        assert len(kind.column_labels(state)) == columns
        assert len(kind.row_labels(state)) == rows
        # A cell is named by its labels, so that people find it.
        for cell in cells:
            assert cell.at == kind.column_labels(state)[cell.x] + kind.row_labels(state)[cell.y]
            assert cell.label.startswith(f"{cell.at}: ")


def test_pieces_carry_letters_and_not_colours_alone(kind: BoardKind[Any]) -> None:
    cells = [cell for state in positions(kind.name) for cell in kind.cells(state) if cell.layers]
    assert cells
    assert all(any(layer.get("text") for layer in cell.layers) for cell in cells)


def test_putting_back_what_is_there_changes_nothing(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[-1]
    for place in kind.places(state):
        assert kind.put(state, place, kind.value(state, place)) == state


def test_what_was_taken_away_can_be_put_back(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[-1]
    for cell in kind.cells(state):
        if cell.layers:
            taken = kind.put(state, cell.at, None)
            assert kind.value(taken, cell.at) is None
            assert kind.put(taken, cell.at, kind.value(state, cell.at)) == state


def test_every_brush_does_what_it_says(kind: BoardKind[Any]) -> None:
    """What the page draws at once, before Python answers, is what Python then draws."""
    state = kind.game.empty()
    at = kind.cells(state)[0].at
    for name, brush in kind.palette(state).brushes.items():
        painted = kind.paint(state, at, name)
        cell = next(cell for cell in kind.cells(painted) if cell.at == at)
        if not brush.over and not brush.ground:
            assert list(cell.layers) == list(brush.layers), name


def test_the_palette_is_plain_json(kind: BoardKind[Any]) -> None:
    for state in positions(kind.name):
        assert json.loads(json.dumps(kind.palette(state).to_json()))["sections"]


def test_every_line_of_the_score_marks_lots_of_the_board(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[-1]
    lots = {cell.at for cell in kind.cells(state)}
    items = kind.game.score(state).items
    assert items
    for item in items:
        marks = kind.marks(item)
        assert {mark.at for mark in marks} <= lots
        assert kind.legend(item)
    assert any(kind.marks(item) for item in items)


def test_heat_lies_where_the_moves_are(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[1]
    moves = kind.game.moves(state)
    places = {at for move in moves for at in [*move.action.get("squares", ()), move.action.get("at")] if at}
    heat = kind.heat(moves)
    assert {at for lots in heat.values() for at in lots} == places
    assert all(0 < spot.level <= 1 for lots in heat.values() for spot in lots.values())


def test_what_is_left_is_a_table(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[1]
    rows = kind.left(kind.game.score(state).left)
    assert rows
    assert len({tuple(row) for row in rows}) == 1, "all rows have the same columns"


def test_names_are_kept_with_the_position(kind: BoardKind[Any]) -> None:
    state = positions(kind.name)[-1]
    owner = kind.owners(state)[0]
    named = kind.with_extras(state, names={owner: "Ann <b>"})
    assert kind.names(named) == {owner: "Ann <b>"}
    assert kind.with_extras(named, names=None) == kind.with_extras(state, names=None)


# --- Alien City -------------------------------------------------------------------------------
def test_a_cap_goes_on_towers_only() -> None:
    kind = board_kind("alien-city")
    empty = kind.game.empty()
    assert kind.paint(empty, "C3", "cap:white") == empty
    dome = kind.paint(empty, "C3", "dome:red")
    assert kind.paint(dome, "C3", "cap:white") == dome
    tower = kind.paint(kind.paint(empty, "C3", "tower:red"), "C3", "cap:white")
    assert kind.value(tower, "C3") == {"kind": "tower", "colour": "red", "claimed_by": "white"}
    # Another colour of tower keeps the cap, a dome does not, and a cap can be taken off.
    assert kind.value(kind.paint(tower, "C3", "tower:blue"), "C3") == {
        "kind": "tower",
        "colour": "blue",
        "claimed_by": "white",
    }
    assert kind.value(kind.paint(tower, "C3", "dome:blue"), "C3") == {"kind": "dome", "colour": "blue"}
    assert kind.value(kind.paint(tower, "C3", "cap:none"), "C3") == {"kind": "tower", "colour": "red"}


def test_a_lot_changes_the_tile_that_it_lies_on() -> None:
    kind = board_kind("alien-city")
    state = kind.paint(kind.paint(kind.game.empty(), "D4", "tile:green"), "D4", "rank:1")
    state = kind.paint(state, "D4", "icon")
    assert kind.value(state, "tile:C3") == {"colour": "green", "rank": 1, "icon": "D4"}
    assert kind.value(kind.paint(state, "D4", "icon"), "tile:C3") == {"colour": "green", "rank": 1, "icon": None}
    assert kind.value(kind.paint(state, "C3", "tile:unknown"), "tile:C3") == {"colour": None, "rank": 1, "icon": "D4"}
    assert next(cell for cell in kind.cells(state) if cell.at == "D4").icon


def test_counters_go_below_zero_and_say_so() -> None:
    kind = board_kind("alien-city")
    state = kind.game.empty()
    for lot in ("A1", "B1", "C1", "D1", "E1"):
        state = kind.paint(state, lot, "tower:green")
    option = next(o for o in kind.palette(state).sections[0].options if o.id == "tower:green")
    assert option.left == -1
    assert kind.palette(state).over == ["5 green towers are on the board; the set has 4."]


# --- Sprawl -----------------------------------------------------------------------------------
def test_upright_pieces_stack_and_lying_ones_replace() -> None:
    kind = board_kind("sprawl")
    state = kind.paint(kind.paint(kind.game.empty(), "B2", "3|red|upright"), "B2", "2|blue|upright")
    assert kind.value(state, "B2") == {"stack": ["red3", "blue2"]}
    assert kind.game.dump(state)["colours"] == ["red", "blue"], "a colour on the board is in play"
    lying = kind.paint(state, "B2", "1|red|west")
    assert kind.value(lying, "B2") == {"lying": "red1", "points": "west"}
    assert kind.value(kind.paint(lying, "B2", "empty"), "B2") is None


def test_a_stack_that_cannot_stand_is_refused_with_a_sentence() -> None:
    kind = board_kind("sprawl")
    state = kind.game.empty()
    for _ in range(5):
        state = kind.paint(state, "A1", "1|red|upright")
    with pytest.raises(InvalidState, match="does not stand"):
        kind.paint(state, "A1", "1|red|upright")
