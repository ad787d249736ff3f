"""A board that was seen before the game fills in the tiles that towers hide now.

A place that the reader was not sure of never speaks against the other photo: hidden tiles are guesses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.errors import UsageError
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Filled:
    """A position with what the set-up told, and the doubtful places that it settled."""

    state: Any
    settled: frozenset[str]


def fill_from_setup(
    rules: Game[Any], state: Any, setup: Any, doubtful: Iterable[str] = (), setup_doubtful: Iterable[str] = ()
) -> Filled:
    """The position with every unseen fact taken from the set-up. Raises UsageError where that shows another board."""
    unsure = [place for place in doubtful if place.startswith("tile:")]
    known = _forgotten(rules, setup, setup_doubtful)
    try:
        filled = rules.with_setup(state, setup)
    except UsageError:
        filled = rules.with_setup(_forgotten(rules, state, unsure), known)
    return Filled(filled, frozenset(place for place in unsure if _told(rules, filled, known, place)))


def _forgotten(rules: Game[Any], state: Any, places: Iterable[str]) -> Any:
    """The position without what was only guessed about its tiles."""
    for place in places:
        if place.startswith("tile:"):
            state = rules.put(state, place, None)
    return state


def _told(rules: Game[Any], filled: Any, known: Any, place: str) -> bool:
    """Whether what is known of the place is what the set-up alone says of it."""
    without = rules.put(filled, place, None)
    if _facts(rules, without) == _facts(rules, filled):
        return False  # nobody knows anything
    return _facts(rules, rules.with_setup(without, known)) == _facts(rules, filled)


def _facts(rules: Game[Any], state: Any) -> list[str]:
    """The tiles, in any order."""
    return sorted(map(repr, rules.dump(state).get("tiles", ())))
