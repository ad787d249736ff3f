"""City Blocks: from the network's answers for squares to a grid.

Every colour's squares must be cut into different pieces, so a single misread square mostly shows: it leaves a shape
that no set of pieces makes. Where that happens, doubtful squares are tried the other way; squares that were clearly
seen stay, and a board that no set of pieces makes comes out as it lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.city_blocks.board import mask_of, square_name
from engine.city_blocks.cover import Answer
from engine.city_blocks.inventory import cut, set_of
from vision.boards import CITY_BLOCKS, SQUARES
from vision.reading import Candidate, Guess, Hints

Probabilities = npt.NDArray[np.float64]

COLOUR_NAMES: Final = {"B": "blue", "G": "green", "R": "red", "Y": "yellow"}
LEAST_TOLD: Final = 0.001
# Squares below this confidence may be read the other way, the most doubtful ones first, so many at once.
MAY_CHANGE: Final = 0.9
MOST_CHANGED: Final = 7
CENTRE: Final = ((9, 9), (9, 10), (10, 9), (10, 10))
CORNERS: Final = ((0, 0), (0, -1), (-1, -1), (-1, 0))
SURE_MARK: Final = 0.8

_SIDE = CITY_BLOCKS.cells[0]
_Grid = npt.NDArray[np.int64]


def decode(answers: Mapping[str, Probabilities], _hints: Hints) -> tuple[dict[str, Any], dict[str, Guess]]:
    """The state's grid and corner colours, and a guess for every square."""
    p = answers["square"]
    grid = _settled(p)
    guesses = {
        square_name(row * _SIDE + column): _guess(p[:, row, column], int(grid[row, column]))
        for row in range(_SIDE)
        for column in range(_SIDE)
    }
    state: dict[str, Any] = {"grid": ["".join(SQUARES[value] for value in row) for row in grid]}
    corners = _corner_colours(answers["mark"], grid)
    if any(corners):
        state["corner_colours"] = corners
    return state, guesses


def _guess(p: Probabilities, chosen: int) -> Guess:
    """What a square may be, the chosen value first."""
    order = [chosen, *(int(i) for i in np.argsort(-p) if i != chosen and p[i] >= LEAST_TOLD)]
    return Guess(tuple(Candidate(_value(SQUARES[i]), float(p[i])) for i in order))


def _value(letter: str) -> dict[str, str] | None:
    return {"colour": COLOUR_NAMES[letter]} if letter in COLOUR_NAMES else None


def _settled(p: Probabilities) -> _Grid:
    """The likeliest grid whose colours can all be cut into pieces, as far as doubtful squares allow it."""
    grid = p.argmax(axis=0)
    best = np.take_along_axis(p, grid[None], axis=0)[0]
    doubtful = [tuple(at) for at in np.argwhere(best < MAY_CHANGE)]
    if not doubtful or all(_can_be_cut(grid, colour) for colour in range(1, len(SQUARES))):
        return np.asarray(grid)
    doubtful.sort(key=lambda at: best[at])
    return _likeliest_cut(p, np.asarray(grid), doubtful[:MOST_CHANGED])


def _likeliest_cut(p: Probabilities, grid: _Grid, doubtful: list[tuple[int, ...]]) -> _Grid:
    """Tries both readings of each doubtful square, the likeliest combinations first."""
    second = {at: int(np.argsort(-p[:, at[0], at[1]])[1]) for at in doubtful}
    ways = []
    for flips in product((False, True), repeat=len(doubtful)):
        odds = sum(
            float(np.log(p[second[at], at[0], at[1]] + 1e-9) - np.log(p[grid[at], at[0], at[1]]))
            for at, flip in zip(doubtful, flips, strict=True)
            if flip
        )
        ways.append((-odds, flips))
    for _, flips in sorted(ways):
        changed = grid.copy()
        for at, flip in zip(doubtful, flips, strict=True):
            if flip:
                changed[at] = second[at]
        if all(_can_be_cut(changed, colour) for colour in range(1, len(SQUARES))):
            return changed
    return grid


def _can_be_cut(grid: _Grid, colour: int) -> bool:
    """Whether a colour's squares are made of different pieces; centre singles aside where the centre has four."""
    singles = len({int(grid[at]) for at in CENTRE} - {0}) == len(CENTRE)
    squares = [r * _SIDE + c for r, c in np.argwhere(grid == colour) if not (singles and (r, c) in CENTRE)]
    return cut(mask_of(int(square) for square in squares), set_of(plain=not singles)).answer is not Answer.NO


def _corner_colours(mark: Probabilities, grid: _Grid) -> list[str | None]:
    """The colours printed in the corners, where they are free to be seen."""
    found: list[str | None] = []
    for at in CORNERS:
        p = mark[:, at[0], at[1]]
        letter = SQUARES[int(p.argmax())]
        seen = grid[at] == 0 and letter in COLOUR_NAMES and p.max() > SURE_MARK
        found.append(COLOUR_NAMES[letter] if seen else None)
    return found
