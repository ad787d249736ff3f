"""Edition, variants, players: what decides the rules and no photo shows."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.city_blocks.board import COLOURS
from engine.city_blocks.state import PLAYERS
from engine.colours import COLOURS as ALL_COLOURS
from engine.sprawl.state import LEAST_SIDE, MOST_SIDE
from page.case import Case
from page.flow import Flow, guarded
from page.widgets import choose, choose_several

PAIRINGS = {
    "as the corners say": None,
    "blue + red, green + yellow": [["blue", "red"], ["green", "yellow"]],
    "blue + green, red + yellow": [["blue", "green"], ["red", "yellow"]],
    "blue + yellow, green + red": [["blue", "yellow"], ["green", "red"]],
}


def show_settings(flow: Flow, case: Case) -> None:
    """The choices that the game has."""
    document = case.game.dump(case.state)
    if case.game.editions:
        _choice(flow, case, "Edition of the rules", list(case.game.editions), document["edition"], "edition")
    if case.game_name == "city-blocks":
        _players(flow, case, document)
    if case.game_name == "sprawl":
        sides = list(range(LEAST_SIDE, MOST_SIDE + 1))
        with st.container(horizontal=True):
            _choice(flow, case, "Columns", sides, document["columns"], "columns")
            _choice(flow, case, "Rows", sides, document["rows"], "rows")
        _several(flow, case, "Colours in play", list(ALL_COLOURS), document.get("colours", []), "colours")
    if case.game.variants:
        _several(flow, case, "Variants", list(case.game.variants), document.get("variants", []), "variants")


def _players(flow: Flow, case: Case, document: dict[str, Any]) -> None:
    _choice(flow, case, "Players", list(PLAYERS), document["players"], "players")
    if document["players"] == 2:
        now = next((words for words, pairs in PAIRINGS.items() if pairs == document.get("pairs")), "as the corners say")
        choose(
            "Who plays which colours",
            list(PAIRINGS),
            now,
            f"{case.number}:pairs",
            lambda words: set_fields(flow, case, pairs=PAIRINGS[words]),
        )
    if document["players"] == 3:
        options = [None, *COLOURS]
        _choice(flow, case, "The colour that all play", options, document.get("neutral"), "neutral", "not known")


def _choice(
    flow: Flow, case: Case, label: str, options: list[Any], current: Any, field: str, missing: str = "none"
) -> None:
    choose(
        label,
        options,
        current,
        f"{case.number}:{field}",
        lambda value: set_fields(flow, case, **{field: value}),
        lambda value: missing if value is None else str(value),
    )


def _several(flow: Flow, case: Case, label: str, options: list[str], current: list[str], field: str) -> None:
    choose_several(
        label, options, current, f"{case.number}:{field}", lambda value: set_fields(flow, case, **{field: value})
    )


def set_fields(flow: Flow, case: Case, **fields: Any) -> None:
    """Change the position's document; what makes no position is refused with a sentence."""
    guarded(flow, lambda: case.change(case.kind.with_document(case.state, **fields)))
