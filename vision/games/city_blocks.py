"""City Blocks: from the network's answers for squares to a grid.

Every colour's squares must be cut into different pieces, so a single misread square mostly shows: it leaves a shape
that no set of pieces makes. Where that happens, doubtful squares are tried the other way; squares that were clearly
seen stay, and a board that no set of pieces makes comes out as it lies.

A lost piece may be replaced by a scrap of paper. Such squares are occupied but have no colour of their own: where one
colour alone can still have that piece, it is that colour's; they are always shown to a person.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.city_blocks.board import mask_of, square_name
from engine.city_blocks.cover import Answer, search
from engine.city_blocks.inventory import count_reason, problem_of, set_of
from vision.boards import CITY_BLOCKS, MARKS, SQUARES
from vision.reading import Candidate, Guess, Hints

Probabilities = npt.NDArray[np.float64]

UNKNOWN: Final = "unknown"
COLOUR_NAMES: Final = {"B": "blue", "G": "green", "R": "red", "Y": "yellow"}
LEAST_TOLD: Final = 0.001
# Squares below this confidence may be read the other way, the most doubtful ones first, so many at once.
MAY_CHANGE: Final = 0.9
MOST_CHANGED: Final = 7
CENTRE: Final = ((9, 9), (9, 10), (10, 9), (10, 10))
CORNERS: Final = ((0, 0), (0, -1), (-1, -1), (-1, 0))
SURE_MARK: Final = 0.8
# What a stand-in stands for is never surer than this, so that it is always shown as doubtful.
BY_ELIMINATION: Final = 0.5
# Steps and seconds for the question whether a colour can be cut; what stays open counts as possible.
CUT_NODES: Final = 4_000
CUT_SECONDS: Final = 1.0

_SIDE = CITY_BLOCKS.cells[0]
_COLOURS = tuple(SQUARES.index(letter) for letter in COLOUR_NAMES)
_STAND_IN = SQUARES.index("?")
_Grid = npt.NDArray[np.int64]


def decode(answers: Mapping[str, Probabilities], _hints: Hints) -> tuple[dict[str, Any], dict[str, Guess]]:
    """The state's grid and corner colours, and a guess for every square."""
    p = answers["square"]
    p = _without_prints(p)
    seen = _settled(p)
    grid = _without_stand_ins(seen)
    guesses = {
        square_name(row * _SIDE + column): _guess(p[:, row, column], int(seen[row, column]), int(grid[row, column]))
        for row in range(_SIDE)
        for column in range(_SIDE)
    }
    state: dict[str, Any] = {"grid": ["".join(SQUARES[value] for value in row) for row in grid]}
    corners = _corner_colours(answers["mark"], grid)
    if any(corners):
        state["corner_colours"] = corners
    return state, guesses


def _guess(p: Probabilities, seen: int, chosen: int) -> Guess:
    """What a square may be, the chosen value first."""
    order = [chosen, *(int(i) for i in np.argsort(-p) if i != chosen and p[i] >= LEAST_TOLD)]
    likely = p.copy()
    if seen == _STAND_IN:
        likely[chosen] = min(float(p[_STAND_IN]), BY_ELIMINATION)
        if chosen != seen:
            likely[_STAND_IN] -= likely[chosen]
    return Guess(tuple(Candidate(_value(SQUARES[i]), float(likely[i])) for i in order))


def _value(letter: str) -> dict[str, str] | None:
    return {"colour": COLOUR_NAMES.get(letter, UNKNOWN)} if letter != "." else None


def _without_stand_ins(grid: _Grid) -> _Grid:
    """The grid with each stand-in given to the only colour that can have that piece, if there is only one."""
    number, groups = cv2.connectedComponents((grid == _STAND_IN).astype(np.uint8), connectivity=4)
    for group in range(1, number):
        possible = []
        for colour in _COLOURS:
            changed = np.where(groups == group, colour, grid)
            if _can_be_cut(changed, colour) and _can_be_cut(grid, colour):
                possible.append(changed)
        if len(possible) == 1:
            grid = possible[0]
    return grid


def _without_prints(p: Probabilities) -> Probabilities:
    """What is printed in a corner may look like a piece, but no piece of City Blocks is a single square.

    Where the centre has no singles, somebody may have played one into a corner: one such corner is believed.
    """
    grid = p.argmax(axis=0)
    plain = len({int(grid[at]) for at in CENTRE} & set(_COLOURS)) < len(CENTRE)
    alone = [(row % _SIDE, column % _SIDE) for row, column in CORNERS]
    alone = [at for at in alone if grid[at] in _COLOURS and not _has_neighbour(grid, at)]
    if len(alone) <= int(plain):
        return p
    result = p.copy()
    for at in alone:
        # The board and the print change places: how sure the square is stays the same.
        result[0, at[0], at[1]], result[grid[at], at[0], at[1]] = p[grid[at], at[0], at[1]], p[0, at[0], at[1]]
    return result


def _has_neighbour(grid: _Grid, at: tuple[int, int]) -> bool:
    """Whether a square beside this one has its colour."""
    row, column = at
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return any(0 <= r < _SIDE and 0 <= c < _SIDE and grid[r, c] == grid[at] for r, c in beside)


def _settled(p: Probabilities) -> _Grid:
    """The likeliest grid whose colours can all be cut into pieces, as far as doubtful squares allow it."""
    grid = p.argmax(axis=0)
    best = np.take_along_axis(p, grid[None], axis=0)[0]
    doubtful = [tuple(at) for at in np.argwhere(best < MAY_CHANGE)]
    if not doubtful or all(_can_be_cut(grid, colour) for colour in _COLOURS):
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
        if all(_can_be_cut(changed, colour) for colour in _COLOURS):
            return changed
    return grid


def _can_be_cut(grid: _Grid, colour: int) -> bool:
    """Whether a colour's squares are made of different pieces; centre singles aside where the centre has four."""
    singles = len({int(grid[at]) for at in CENTRE} - {0}) == len(CENTRE)
    squares = [r * _SIDE + c for r, c in np.argwhere(grid == colour) if not (singles and (r, c) in CENTRE)]
    return _cut_answer(mask_of(int(square) for square in squares), not singles) is not Answer.NO


@lru_cache(maxsize=512)
def _cut_answer(squares: int, plain: bool) -> Answer:
    names = set_of(plain=plain)
    if count_reason(squares.bit_count(), names):
        return Answer.NO
    return search(problem_of(squares, names), CUT_NODES, time.monotonic() + CUT_SECONDS).answer


def _corner_colours(mark: Probabilities, grid: _Grid) -> list[str | None]:
    """The colours printed in the corners, where they are free to be seen."""
    found: list[str | None] = []
    for at in CORNERS:
        p = mark[:, at[0], at[1]]
        letter = MARKS[int(p.argmax())]
        seen = grid[at] == 0 and letter in COLOUR_NAMES and p.max() > SURE_MARK
        found.append(COLOUR_NAMES[letter] if seen else None)
    # A colour has one corner: where it seems to have two, neither is known.
    return [colour if found.count(colour) == 1 else None for colour in found]
