"""The ground that the city stands on: lots, tiles and who is whose neighbour.

A board is 4 x 5 tiles of 2 x 2 lots, but nothing here depends on that, so that
the rules can be proved on boards small enough for exhaustive search.

Lots have names (``C9``: column C, row 9 from the south) outside the rule core
and numbers inside it: row by row from the south-west corner. A set of lots is
an int with one bit a lot, because growing such a set by a step along the road
is five shifts, whatever its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import networkx as nx

TILE_SIDE: Final = 2


class Ground:
    """The geometry of a board of ``columns`` x ``rows`` lots; get one from :func:`ground`."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.size = columns * rows
        self.all_lots = (1 << self.size) - 1
        self.lots = tuple(f"{chr(65 + n % columns)}{n // columns + 1}" for n in range(self.size))
        self.number = {name: n for n, name in enumerate(self.lots)}
        self._not_first_column = sum(1 << n for n in range(self.size) if n % columns)
        self._not_last_column = sum(1 << n for n in range(self.size) if n % columns != columns - 1)
        self.neighbours = tuple(tuple(bits(self._beside(1 << n))) for n in range(self.size))
        self.neighbour_sets = tuple(self._beside(1 << n) for n in range(self.size))
        self.edges = tuple((n, m) for n in range(self.size) for m in self.neighbours[n] if n < m)
        # A tile goes by the number of its south-west lot.
        self.tile_of = tuple(
            n - (n // columns % TILE_SIDE) * columns - n % columns % TILE_SIDE for n in range(self.size)
        )
        self.tiles = tuple(n for n in range(self.size) if self.tile_of[n] == n)
        self.lots_of_tile = {t: tuple(n for n in range(self.size) if self.tile_of[n] == t) for t in self.tiles}
        self.tile_sets = {tile: lot_set(lots) for tile, lots in self.lots_of_tile.items()}
        self.tile_names = tuple(self.lots[tile] for tile in self.tiles)

    def __repr__(self) -> str:
        return f"ground({self.columns}, {self.rows})"

    def step(self, lots: int) -> int:
        """The lots that face one of ``lots``, never diagonally."""
        return self._beside(lots)

    def names(self, lots: int) -> tuple[str, ...]:
        """The names of a set of lots, row by row from the south."""
        return tuple(self.lots[n] for n in bits(lots))

    def bottlenecks(self, lots: int) -> int:
        """The lots without which the others in the set would hang together less: its articulation points."""
        facing = [(n, m) for n, m in self.edges if lots >> n & 1 and lots >> m & 1]
        return lot_set(nx.articulation_points(nx.from_edgelist(facing)))

    def turned(self, number: int) -> int:
        """The same lot when the board is turned by half a turn."""
        return self.size - 1 - number

    def _beside(self, lots: int) -> int:
        east_and_west = (lots & self._not_last_column) << 1 | (lots & self._not_first_column) >> 1
        return (east_and_west | lots << self.columns | lots >> self.columns) & self.all_lots


@cache
def ground(columns: int, rows: int) -> Ground:
    """The geometry of one size of board."""
    return Ground(columns, rows)


def bits(lots: int) -> Iterator[int]:
    """The numbers of the lots in a set, from the lowest."""
    while lots:
        lowest = lots & -lots
        yield lowest.bit_length() - 1
        lots ^= lowest


def lot_set(numbers: Iterable[int]) -> int:
    """The set of these lots."""
    lots = 0
    for number in numbers:
        lots |= 1 << number
    return lots


BOARD: Final = ground(8, 10)
