"""The 20 x 20 board as numbers: a set of squares is one integer with a bit for each square.

Bit 0 is the north-west corner, bit 19 the north-east one, bit 399 the
south-east one. Sets of squares are then joined, cut and shifted by single
machine operations, which is what makes tens of thousands of placements cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

SIZE: Final = 20
SQUARES: Final = SIZE * SIZE
FULL: Final = (1 << SQUARES) - 1
COLUMNS: Final = "ABCDEFGHIJKLMNOPQRST"
_ROW_NAMES: Final = frozenset(str(row) for row in range(1, SIZE + 1))
# In the order in which they take turns when two people play.
COLOURS: Final = ("blue", "green", "red", "yellow")

_WEST_EDGE: Final = sum(1 << (row * SIZE) for row in range(SIZE))
_EAST_EDGE: Final = _WEST_EDGE << (SIZE - 1)

# North-west, north-east, south-east, south-west: the order of ``corner_colours``.
CORNERS: Final = (0, SIZE - 1, SQUARES - 1, SQUARES - SIZE)
CENTRE: Final = tuple(row * SIZE + column for row in (9, 10) for column in (9, 10))
CENTRE_MASK: Final = sum(1 << square for square in CENTRE)


def square_name(square: int) -> str:
    """``A1`` is the north-west corner, ``T20`` the south-east one."""
    return f"{COLUMNS[square % SIZE]}{square // SIZE + 1}"


def square_number(name: str) -> int:
    """The square with this name; the name must be one that ``square_name`` gives."""
    return (int(name[1:]) - 1) * SIZE + COLUMNS.index(name[0])


def is_square_name(name: str) -> bool:
    """Whether ``square_name`` gives this name."""
    return name[:1] in set(COLUMNS) and name[1:] in _ROW_NAMES


def squares_in(mask: int) -> Iterator[int]:
    """The squares of a set, from the north-west on, row by row."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def names_in(mask: int) -> tuple[str, ...]:
    return tuple(square_name(square) for square in squares_in(mask))


def mask_of(squares: Iterable[int]) -> int:
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def moved_north(mask: int) -> int:
    """Every square of the set one to the north; what would leave the board is gone."""
    return mask >> SIZE


def moved_south(mask: int) -> int:
    return (mask << SIZE) & FULL


def moved_west(mask: int) -> int:
    return (mask & ~_WEST_EDGE) >> 1


def moved_east(mask: int) -> int:
    return (mask & ~_EAST_EDGE) << 1


def neighbours(mask: int) -> int:
    """The squares beside the set, along a side, that are not in it."""
    return (moved_north(mask) | moved_south(mask) | moved_west(mask) | moved_east(mask)) & ~mask


def free_edges(mask: int, empty: int) -> int:
    """The number of unit edges of the set's squares that face an empty square."""
    moved = (moved_north(mask), moved_south(mask), moved_west(mask), moved_east(mask))
    return sum((side & empty).bit_count() for side in moved)


def areas(mask: int) -> list[int]:
    """The orthogonally connected areas of a set, largest first, equal ones from the north-west on."""
    found = []
    while mask:
        area = _grown(mask & -mask, mask)
        found.append(area)
        mask ^= area
    return sorted(found, key=lambda area: (-area.bit_count(), area & -area))


def _grown(area: int, within: int) -> int:
    """The area and everything in ``within`` that is joined to it by sides."""
    while True:
        beside = moved_north(area) | moved_south(area) | moved_west(area) | moved_east(area)
        larger = area | beside & within
        if larger == area:
            return area
        area = larger
