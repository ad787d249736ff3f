"""What reading a photo gives: the position, where the board is, and how sure everything is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import CityscanError

Array = npt.NDArray[np.float64]


class NoBoard(CityscanError):
    """No board was found in a photo."""

    kind = "no-board"
    exit_code = 4


class SeveralBoards(CityscanError):
    """More than one board was found in a photo."""

    kind = "several-boards"
    exit_code = 4


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known about a board before its cells are decoded: its size, and the colours that a person named."""

    cells: tuple[int, int]
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible value of a lot or tile (an entry as in the state, without its place; None: empty)."""

    value: Mapping[str, Any] | None
    p: float

    def to_json(self) -> dict[str, Any]:
        return {"value": None if self.value is None else dict(self.value), "p": round(self.p, 4)}


@dataclass(frozen=True, slots=True)
class Guess:
    """What was decided for one place, how surely, and what else it may be."""

    candidates: tuple[Candidate, ...]  # the chosen one first

    @property
    def chosen(self) -> Candidate:
        return self.candidates[0]

    @property
    def confidence(self) -> float:
        return self.chosen.p


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A position as it was read. ``state`` is the state's JSON; corners are NW, NE, SE, SW in the full photo."""

    game: str
    state: Mapping[str, Any]
    corners: Array
    guesses: Mapping[str, Guess]
    doubtful: tuple[str, ...]
    notes: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "confidence": {place: round(guess.confidence, 4) for place, guess in self.guesses.items()},
            "doubtful": list(self.doubtful),
            "candidates": {
                place: [candidate.to_json() for candidate in self.guesses[place].candidates] for place in self.doubtful
            },
        }
