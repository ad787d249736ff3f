"""Turning a board round: the position, what the reader thought of every place, and what was already looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from page.boards.base import BoardKind, Value
from page.case import Case, History, Moment
from vision.reading import Candidate, Guess, Reading


def rotate(case: Case) -> None:
    """Another side becomes the north; everything that is known turns with it."""
    kind, state = case.kind, case.state
    names = turned_places(kind, state)
    moments = [_moment(kind, case.history.moments[0], names), _moment(kind, case.history.moment, names)]
    case.history = History([moments[0]])
    case.history.add(moments[1])
    if case.reading is not None:
        case.reading = _reading(kind, case.reading, state, names)
    if case.kept is not None and case.kept.read_state is not None:
        read = kind.turned(case.read_state())
        # The details of the old reading name places as they were called before the turn: they end here.
        case.kept = replace(case.kept, read_state=case.game.dump(read), reading=None)
    if case.corners is not None:
        case.corners = np.roll(case.corners, kind.turn_step, axis=0)


def turned_places(kind: BoardKind[Any], state: Any) -> dict[str, str]:
    """Every place's name after the turn."""
    columns, rows = kind.size(state)
    named = {(cell.x, cell.y): cell.at for cell in kind.cells(kind.turned(state))}
    found = {}
    for cell in kind.cells(state):
        x, y, wide, high = cell.x, cell.y, columns, rows
        for _ in range(kind.turn_step):
            x, y, wide, high = high - 1 - y, x, high, wide
        found[cell.at] = named[x, y]
    for place in kind.places(state):
        if place.startswith("tile:"):
            found[place] = f"tile:{kind.tile_of(found[place.removeprefix('tile:')])}"
    return found


def _moment(kind: BoardKind[Any], moment: Moment, names: dict[str, str]) -> Moment:
    return Moment(kind.turned(moment.state), frozenset(names[place] for place in moment.confirmed))


def _reading(kind: BoardKind[Any], reading: Reading, state: Any, names: dict[str, str]) -> Reading:
    guesses = {
        names[place]: Guess(tuple(Candidate(_value(kind, state, place, c.value, names), c.p) for c in guess.candidates))
        for place, guess in reading.guesses.items()
    }
    return replace(
        reading,
        state=kind.game.dump(kind.turned(state)),
        corners=np.roll(reading.corners, kind.turn_step, axis=0),
        guesses=guesses,
        doubtful=tuple(names[place] for place in reading.doubtful),
    )


def _value(kind: BoardKind[Any], state: Any, place: str, value: Value, names: dict[str, str]) -> Value:
    """A value as it reads after the turn: arrows point elsewhere and icons lie on other lots."""
    if value is None or not {"icon", "points"} & set(value):
        return value
    return kind.value(kind.turned(kind.put(state, place, value)), names[place])
