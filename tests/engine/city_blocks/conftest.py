"""Boards for the City Blocks tests, drawn small and put into a whole grid."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.city_blocks import GAME, CityBlocks

# The centre of every City Blocks board of these tests: B G over Y R.
_CENTRE = {(9, 9): "B", (9, 10): "G", (10, 9): "Y", (10, 10): "R"}

Draw = Callable[..., CityBlocks]


def _draw(*rows: str, at: tuple[int, int] = (0, 0), centre: bool = True, **fields: Any) -> CityBlocks:
    """A board with ``rows`` drawn from row and column ``at`` on; with the four singles unless told otherwise.

    Spaces and points leave what lies there.
    """
    grid = [["."] * 20 for _ in range(20)]
    if centre:
        for (row, column), symbol in _CENTRE.items():
            grid[row][column] = symbol
    for down, text in enumerate(rows):
        for right, symbol in enumerate(text):
            if symbol not in " .":
                grid[at[0] + down][at[1] + right] = symbol
    return CityBlocks(tuple("".join(row) for row in grid), **fields)


@pytest.fixture(scope="session")
def draw() -> Draw:
    return _draw


@pytest.fixture(scope="session")
def games() -> list[list[CityBlocks]]:
    """Some random games, of two, three and four players."""
    return [list(GAME.random_game(random.Random(seed))) for seed in range(12)]
