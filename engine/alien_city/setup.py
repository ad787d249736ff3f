"""Tiles that towers hide now, from a photo of the board before the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.alien_city.state import AlienCityState, Tile
from engine.errors import UsageError

FACTS = ("colour", "rank", "icon")


def with_setup(state: AlienCityState, setup: AlienCityState) -> AlienCityState:
    """The state with every unseen fact about its tiles taken from ``setup``, whichever way round that was seen."""
    fitting = min((setup, setup.turned()), key=lambda board: len(list(_contradictions(state, board))))
    wrong = list(_contradictions(state, fitting))
    if wrong:
        at, fact, now, before = wrong[0]
        more = f", and {len(wrong) - 1} more differ" if len(wrong) > 1 else ""
        raise UsageError(
            f"the set-up shows another board: the {fact} of tile {at} is {before} there and {now} now{more}."
        )
    names = [tile.at for tile in fitting.tiles] + [tile.at for tile in state.tiles]
    return replace(state, tiles=tuple(_filled(name, state, fitting) for name in dict.fromkeys(names)))


def _filled(name: str, state: AlienCityState, setup: AlienCityState) -> Tile:
    now, before = state.tile_under(name), setup.tile_under(name)
    return replace(now, **{fact: getattr(before, fact) for fact in FACTS if getattr(now, fact) is None})


def _contradictions(state: AlienCityState, setup: AlienCityState) -> Iterator[tuple[str, str, object, object]]:
    for tile in state.tiles:
        other = setup.tile_under(tile.at)
        for fact in FACTS:
            now, before = getattr(tile, fact), getattr(other, fact)
            if now is not None and before is not None and now != before:
                yield tile.at, fact, now, before
