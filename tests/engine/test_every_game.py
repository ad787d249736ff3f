"""What every game promises through the common interface; a new game is tested here by being there."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.colours import COLOUR_OF
from engine.documents import position_from_diagram, position_from_json
from engine.errors import InvalidState, UsageError
from engine.game import Game, Options, game, game_names

GAMES = [game(name) for name in game_names()]
each_game = pytest.mark.parametrize("rules", GAMES, ids=game_names())


def some_positions(rules: Game[Any], seed: int, count: int) -> list[Any]:
    positions = list(rules.random_game(random.Random(seed)))
    step = max(1, len(positions) // count)
    return [*positions[::step], positions[-1]]


def test_the_games_are_found_by_their_folders() -> None:
    assert game_names() == ("alien-city", "city-blocks", "sprawl")
    assert [rules.name for rules in GAMES] == list(game_names())


@each_game
def test_states_survive_their_notations(rules: Game[Any]) -> None:
    for state in some_positions(rules, 1, 6):
        assert position_from_json(json.dumps(rules.dump(state))).state == state
        assert position_from_diagram(rules.diagram(state)).state == state


@each_game
def test_random_games_are_legal_and_their_sheets_are_json(rules: Game[Any]) -> None:
    for state in some_positions(rules, 2, 4):
        verdict = rules.check(state)
        assert verdict.violations == (), rules.diagram(state)
        score = rules.score(state)
        json.dumps([score.to_json(), dict(score.left)], allow_nan=False)
        assert all(item.text for item in score.items)
        json.dumps([move.to_json() for move in rules.moves(state)], allow_nan=False)


@each_game
def test_the_next_position_follows_by_legal_steps(rules: Game[Any]) -> None:
    positions = list(rules.random_game(random.Random(3)))
    middle = len(positions) // 2
    comparison = rules.compare(positions[middle - 2], positions[middle])
    assert comparison.steps
    assert comparison.violations == ()
    assert all(step.legal for step in comparison.steps)


@each_game
def test_turns_begin_with_the_state_and_keep_the_score(rules: Game[Any]) -> None:
    state = some_positions(rules, 4, 1)[-1]
    turned = rules.turns(state)
    assert turned[0] == state
    assert len(set(turned)) == len(turned)
    assert {json.dumps(rules.score(other).totals, sort_keys=True) for other in turned} == {
        json.dumps(rules.score(state).totals, sort_keys=True)
    }


def places_of(document: dict[str, Any]) -> dict[str, dict[str, Any] | None]:
    """Every place of a position's JSON object with what ``put`` takes for it."""
    if "grid" in document:
        squares = ((x, y, letter) for y, row in enumerate(document["grid"]) for x, letter in enumerate(row))
        return {f"{chr(65 + x)}{y + 1}": {"colour": COLOUR_OF[s]} if s != "." else None for x, y, s in squares}
    entries = [*document.get("structures", ()), *document.get("cells", ())]
    tiles = {f"tile:{tile['at']}": tile for tile in document.get("tiles", ())}
    found = {entry["at"]: entry for entry in entries} | tiles
    return {place: {key: v for key, v in entry.items() if key != "at"} for place, entry in found.items()}


@each_game
def test_whatever_lies_there_can_be_taken_away_and_put_back(rules: Game[Any]) -> None:
    state = some_positions(rules, 6, 1)[-1]
    for place, value in places_of(rules.dump(state)).items():
        assert rules.put(state, place, value) == state
        taken = rules.put(state, place, None)
        assert (taken == state) == (value is None)
        assert rules.put(taken, place, value) == state


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("alien-city", "I1", {"kind": "dome", "colour": "red"}),  # no such lot
        ("alien-city", "A1", {"kind": "tower", "colour": "black"}),  # no such tower
        ("alien-city", "A1", {}),  # nothing that could stand there
        ("alien-city", "tile:B1", None),  # no tile begins there
        ("alien-city", "tile:A1", {"colour": "red", "rank": 9, "icon": None}),
        ("city-blocks", "U1", None),
        ("city-blocks", "A01", {"colour": "red"}),
        ("city-blocks", "A1", {"colour": "orange"}),  # not a colour of this game
        ("sprawl", "Z9", {"stack": ["red1"]}),
        ("sprawl", "", None),
        ("sprawl", "A1", {"stack": ["red9"]}),
        ("sprawl", "A1", {"lying": "red1"}),  # points nowhere
    ],
)
def test_what_cannot_lie_on_a_table_is_not_put_there(name: str, place: str, value: dict[str, Any] | None) -> None:
    with pytest.raises(InvalidState):
        game(name).put(game(name).empty(), place, value)


@each_game
def test_totals_alone_are_those_of_the_sheet(rules: Game[Any]) -> None:
    options = [Options(), *(Options(edition=edition) for edition in rules.editions)]
    options += [Options(variants=(variant,)) for variant in rules.variants]
    options += [Options(players=2)] if rules.name == "city-blocks" else []
    for state in some_positions(rules, 7, 3):
        for stated in (rules.with_options(state, option) for option in options):
            assert dict(rules.totals(stated)) == dict(rules.score(stated).totals)


@each_game
def test_the_empty_board_is_legal_and_not_over(rules: Game[Any]) -> None:
    empty = rules.empty()
    assert not rules.check(empty).certainly_illegal
    assert not rules.score(empty).over


@each_game
def test_drawings_are_rectangles_with_labels(rules: Game[Any]) -> None:
    drawing = rules.drawing(some_positions(rules, 5, 1)[-1])
    assert len(drawing.rows) == len(drawing.row_labels)
    assert {len(row) for row in drawing.rows} == {len(drawing.column_labels)}


@each_game
def test_unknown_options_are_refused(rules: Game[Any]) -> None:
    for options in (Options(edition="9.9"), Options(variants=("no-such-variant",)), Options(players=99)):
        with pytest.raises((UsageError, InvalidState)):
            rules.with_options(rules.empty(), options)


@each_game
def test_every_rule_has_its_text(rules: Game[Any]) -> None:
    assert rules.rules
    assert all(text.endswith(".") for text in rules.rules.values())


def test_an_unknown_game_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="alien-city, city-blocks, sprawl"):
        game("chess")
    with pytest.raises(InvalidState, match="game: must be one of alien-city"):
        position_from_json('{"game": "chess"}')
    with pytest.raises(InvalidState, match="line 1"):
        position_from_diagram("chess\n\n...")
