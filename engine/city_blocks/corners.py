"""[corner-first]: which colour may own which corner, and who began elsewhere."""

from __future__ import annotations

from itertools import permutations

from engine.city_blocks.board import COLOURS, CORNERS
from engine.city_blocks.state import UNKNOWN, CityBlocks, colour_at

# The square of each colour's own corner.
Corners = dict[str, int]


def possible_corners(state: CityBlocks) -> list[Corners]:
    """Every way of giving the colours a corner each that the stated corner colours allow."""
    return [
        dict(zip(order, CORNERS, strict=True))
        for order in permutations(COLOURS)
        if all(stated in (None, colour) for stated, colour in zip(state.corner_colours, order, strict=True))
    ]


def begun_elsewhere(
    state: CityBlocks, corners: Corners, begun: frozenset[str], *, trust_unknown: bool = True
) -> tuple[str, ...]:
    """The colours with pieces on the board that do not cover the corner they are given.

    A corner that is covered by an unknown colour counts as covered by its
    owner if ``trust_unknown``.
    """
    return tuple(
        colour
        for colour in COLOURS
        if colour in begun
        and colour_at(state, corners[colour]) != colour
        and not (trust_unknown and state.symbol(corners[colour]) == UNKNOWN)
    )


def best_corners(state: CityBlocks, begun: frozenset[str], *, trust_unknown: bool = True) -> list[Corners]:
    """The ways in which the fewest colours began elsewhere; only one set of corners is the real one."""
    ways = possible_corners(state)
    wrong = [len(begun_elsewhere(state, way, begun, trust_unknown=trust_unknown)) for way in ways]
    return [way for way, count in zip(ways, wrong, strict=True) if count == min(wrong)]


def begun_colours(state: CityBlocks, *, plain: bool) -> frozenset[str]:
    """The colours that have a piece on the board; a centre single is none that was played."""
    return frozenset(colour for colour in COLOURS if state.played(colour, plain=plain))
