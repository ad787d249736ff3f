"""Arbitrary boards: whatever can lie on a table, played or not. Readers must not lean on the rules of a game.

Every function returns a state as JSON. Stocks may be overfull, towers may touch, domes lie anywhere, shapes need not
be pieces of any set; only what nobody could see (a pyramid wholly under a larger one) is left out.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from calibration.profiles import Profile

GUILDS: Final = ("red", "blue", "green", "black")
TOWERS: Final = ("red", "blue", "green")
COMPASS: Final = ("north", "east", "south", "west")
BLOKUS: Final = ("blue", "green", "red", "yellow")
SIDE: Final = 20
CENTRE: Final = ((9, 9), (9, 10), (10, 9), (10, 10))


def pick(rng: np.random.Generator, choices: Sequence[Any]) -> Any:
    """One of the choices (numpy's own choice would turn them into numpy values)."""
    return choices[int(rng.integers(len(choices)))]


def lot_name(column: int, row: int) -> str:
    """A1 for column 0 and row 0."""
    return f"{string.ascii_uppercase[column]}{row + 1}"


# ---------------------------------------------------------------- Alien City


def alien_city(rng: np.random.Generator, profile: Profile, fill: str) -> dict[str, Any]:
    """Any tiles, any structures. ``fill`` is "some", "full" or "empty"."""
    lots = _lots(rng, 8, 10, _count(rng, 80, fill))
    share_of_towers = rng.uniform(0.1, 0.9)
    claimed = rng.uniform(0, 0.8)
    tower_colours, dome_colours = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4) * 2)
    caps = _cap_colours(rng, profile)
    structures = []
    for column, row in lots:
        entry: dict[str, Any] = {"at": lot_name(column, row)}
        if rng.random() < share_of_towers:
            entry |= {"kind": "tower", "colour": TOWERS[int(rng.choice(3, p=tower_colours))]}
            if rng.random() < claimed:
                entry["claimed_by"] = pick(rng, caps)
        else:
            entry |= {"kind": "dome", "colour": GUILDS[int(rng.choice(4, p=dome_colours))]}
        structures.append(entry)
    structures.sort(key=lambda s: (int(s["at"][1:]), s["at"][0]))
    edition = pick(rng, profile.editions)
    return {"game": "alien-city", "edition": edition, "tiles": tiles(rng, profile), "structures": structures}


def tiles(rng: np.random.Generator, profile: Profile) -> list[dict[str, Any]]:
    """Twenty tiles: drawn from the box of 24, or (a third of the boards) from several boxes."""
    box = [(colour, rank) for colour in GUILDS for rank in range(6)]
    drawn = rng.choice(24, size=20, replace=bool(rng.random() < 1 / 3))
    has_ranks = profile.tiles is None or profile.tiles.ranks
    found = []
    for place, number in enumerate(drawn):
        column, row = 2 * (place % 4), 2 * (place // 4)
        colour, rank = box[int(number)]
        icon = lot_name(column + int(rng.integers(2)), row + int(rng.integers(2)))
        found.append({"at": lot_name(column, row), "colour": colour, "rank": rank if has_ranks else None, "icon": icon})
    return found


def _cap_colours(rng: np.random.Generator, profile: Profile) -> tuple[str, ...]:
    """The set's caps, or in a third of the boards every pyramid that the set has: people use what they have."""
    assert profile.pyramids is not None
    if rng.random() < 1 / 3:
        return tuple(sorted(profile.pyramids.plastic))
    return tuple(profile.pyramids.caps)


# ---------------------------------------------------------------- Sprawl


def sprawl(rng: np.random.Generator, profile: Profile, fill: str) -> dict[str, Any]:
    """Any towers and lying pyramids on a board of the profile, or crowded on a part of it."""
    assert profile.pyramids is not None
    board = pick(rng, profile.chess)
    columns, rows = board.columns, board.rows
    part_columns, part_rows = columns, rows
    if rng.random() < 0.4:
        part_columns, part_rows = int(rng.integers(3, columns + 1)), int(rng.integers(3, rows + 1))
    west, south = int(rng.integers(columns - part_columns + 1)), int(rng.integers(rows - part_rows + 1))
    plastics = sorted(profile.pyramids.plastic)
    count = int(rng.integers(1, min(8, len(plastics)) + 1))
    colours = [plastics[i] for i in sorted(rng.permutation(len(plastics))[:count])]
    lying, mixed = rng.uniform(0.1, 0.9), rng.uniform(0, 0.6)
    cells = [
        {"at": lot_name(west + column, south + row), **_cell(rng, colours, lying, mixed)}
        for column, row in _lots(rng, part_columns, part_rows, _count(rng, part_columns * part_rows, fill))
    ]
    cells.sort(key=lambda cell: (int(cell["at"][1:]), cell["at"][0]))
    return {"game": "sprawl", "columns": columns, "rows": rows, "colours": colours, "cells": cells}


def _cell(rng: np.random.Generator, colours: Sequence[str], lying: float, mixed: float) -> dict[str, Any]:
    if rng.random() < lying:
        return {"lying": f"{pick(rng, colours)}{rng.integers(1, 4)}", "points": pick(rng, COMPASS)}
    # Sizes shrink upwards; a larger pyramid on a smaller one would hide it, and equal ones look like one.
    sizes = pick(rng, ((1,), (2,), (3,), (3, 2), (2, 1), (3, 2, 1), (3, 1)))
    colour = pick(rng, colours)
    stack = [f"{pick(rng, colours) if rng.random() < mixed else colour}{size}" for size in sizes]
    return {"stack": stack}


# ---------------------------------------------------------------- City Blocks


def city_blocks(rng: np.random.Generator, profile: Profile, fill: str) -> dict[str, Any]:
    """Any squares of any colours: noise, blobs of every shape, slabs."""
    assert profile.blokus is not None
    grid = np.full((SIDE, SIDE), ".")
    if fill != "empty":
        painter = pick(rng, (_noise, _blobs, _blobs, _slabs))
        grid = painter(rng)
    if fill == "full":
        gaps = grid == "."
        letters = np.array([name[0].upper() for name in BLOKUS])
        filled = letters[rng.integers(4, size=(SIDE, SIDE))]
        grid = np.where(gaps & (rng.random((SIDE, SIDE)) < pick(rng, (0.9, 1.0))), filled, grid)
    if profile.blokus.centre == "printed" or rng.random() < 0.7:
        for (row, column), number in zip(CENTRE, rng.permutation(4), strict=True):
            grid[row, column] = BLOKUS[int(number)][0].upper()
    for _ in range(int(rng.choice([0, 1, 3], p=[0.7, 0.2, 0.1]))):
        _lose_a_piece(rng, grid)
    state: dict[str, Any] = {"game": "city-blocks", "players": 4, "grid": ["".join(row) for row in grid]}
    if profile.blokus.corner_marks != "none":
        state["corner_colours"] = list(profile.blokus.corners)
    return state


def _lose_a_piece(rng: np.random.Generator, grid: Any) -> None:
    """Up to three squares in a row are covered by a scrap of something: occupied, but of no colour."""
    taken = np.argwhere(grid != ".")
    taken = taken[((taken < 9) | (taken > 10)).any(axis=1)]  # not one of the four singles
    if len(taken):
        row, column = taken[int(rng.integers(len(taken)))]
        length = 1 if 9 <= row <= 10 and column < 9 else 3
        run = grid[row, column : column + length]
        run[np.cumprod(run == run[0]).astype(bool)] = "?"


def _noise(rng: np.random.Generator) -> Any:
    """Every square on its own."""
    weights = np.concatenate([[rng.uniform(0.1, 0.9)], rng.dirichlet(np.ones(4) * 2)])
    weights[1:] *= 1 - weights[0]
    return np.array([".", "B", "G", "R", "Y"])[rng.choice(5, size=(SIDE, SIDE), p=weights)]


def _blobs(rng: np.random.Generator) -> Any:
    """Shapes of one to nine squares that grow at random: pieces of the set and impossible ones."""
    grid = np.full((SIDE, SIDE), ".")
    for _ in range(int(rng.integers(5, 110))):
        letter = pick(rng, ("B", "G", "R", "Y"))
        squares = [(int(rng.integers(SIDE)), int(rng.integers(SIDE)))]
        for _ in range(int(rng.integers(1, 10))):
            row, column = squares[-1]
            if not (0 <= row < SIDE and 0 <= column < SIDE) or grid[row, column] != ".":
                break
            grid[row, column] = letter
            row, column = pick(rng, squares)
            step = pick(rng, ((0, 1), (0, -1), (1, 0), (-1, 0)))
            squares.append((row + step[0], column + step[1]))
    return grid


def _slabs(rng: np.random.Generator) -> Any:
    """Large fields of one colour, as when many pieces of a colour lie side by side."""
    grid = np.full((SIDE, SIDE), ".")
    for _ in range(int(rng.integers(3, 30))):
        row, column = rng.integers(SIDE, size=2)
        height, width = rng.integers(1, 9, size=2)
        grid[row : row + height, column : column + width] = pick(rng, (".", "B", "G", "R", "Y"))
    return grid


# ---------------------------------------------------------------- how many and where


def _count(rng: np.random.Generator, most: int, fill: str) -> int:
    if fill == "empty":
        return 0
    if fill == "full":
        return round(most * float(pick(rng, (0.85, 0.95, 1.0))))
    return max(1, round(most * rng.beta(1.3, 2.2)))


def _lots(rng: np.random.Generator, columns: int, rows: int, count: int) -> list[tuple[int, int]]:
    """Places for ``count`` things: scattered evenly, or (half of the boards) crowded around a few spots."""
    places = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    order = rng.random(len(places))
    if rng.random() < 0.5:
        spots = rng.uniform([0, 0], [columns, rows], size=(int(rng.integers(1, 4)), 2))
        distance = np.linalg.norm(places[:, None] - spots[None], axis=2).min(axis=1)
        order = distance + 1.5 * order
    return [(int(column), int(row)) for column, row in places[np.argsort(order, kind="stable")[:count]]]
