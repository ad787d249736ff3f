"""Random legal games whose boards look like those of people: some collect area, some edges, some just play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, cast

from engine.city_blocks.board import (
    CENTRE,
    COLOURS,
    CORNERS,
    FULL,
    areas,
    free_edges,
    moved_east,
    moved_north,
    moved_south,
    moved_west,
    neighbours,
    squares_in,
)
from engine.city_blocks.pieces import SINGLE, Orientation, pieces
from engine.city_blocks.state import CityBlocks, CornerColours, grid_of

# How many placements a player looks at before choosing one: enough to look purposeful, few enough to vary.
_LOOKED_AT: Final = 10


@dataclass(frozen=True, slots=True)
class _Style:
    """What a player goes for: weights of area won, free edges won, edges taken from others, and chance."""

    area: float
    edges: float
    block: float
    chance: float
    # The chance to pass although something fits, once half of the set is played.
    passing: float


_STYLES: Final = (
    _Style(area=1.0, edges=0.2, block=0.1, chance=1.0, passing=0.02),
    _Style(area=0.3, edges=1.0, block=0.1, chance=1.0, passing=0.05),
    _Style(area=1.0, edges=1.0, block=0.5, chance=0.5, passing=0.03),
    _Style(area=0.2, edges=0.3, block=1.0, chance=1.0, passing=0.02),
    _Style(area=0.0, edges=0.0, block=0.0, chance=1.0, passing=0.10),
)


@dataclass(slots=True)
class _Table:
    """The game while it is played."""

    corners: Mapping[str, int]
    squares: dict[str, int]
    hands: dict[str, list[str]]
    begun: set[str] = field(default_factory=set)

    @property
    def free(self) -> int:
        taken = 0
        for mask in self.squares.values():
            taken |= mask
        return FULL & ~taken

    def can_play(self, colour: str) -> bool:
        free = self.free
        if colour in self.begun:
            return any(pieces()[name].fits(free) for name in self.hands[colour])
        corner = self.corners[colour]
        return any(any(pieces()[name].placements_covering(corner, free)) for name in self.hands[colour])

    def put(self, colour: str, name: str, placement: int) -> None:
        self.hands[colour].remove(name)
        self.squares[colour] |= placement
        self.begun.add(colour)


def random_game(rng: random.Random) -> Iterator[CityBlocks]:
    """Every position of a random legal game of 2, 3 or 4 players, from the four singles to the last piece."""
    order, corner_colours = _seats(rng)
    players = rng.choice((2, 3, 4))
    state = CityBlocks(
        grid=grid_of({}),
        players=players,
        # Two people play the colours of a diagonal each, so every second seat.
        pairs=((order[0], order[2]), (order[1], order[3])) if players == 2 else None,
        neutral=order[3] if players == 3 else None,
        corner_colours=corner_colours,
    )
    singles = rng.sample(CENTRE, 4)
    table = _Table(
        corners=_corners(corner_colours),
        squares={colour: 1 << square for colour, square in zip(COLOURS, singles, strict=True)},
        hands={colour: [name for name in pieces() if name != SINGLE] for colour in COLOURS},
    )
    yield _position(state, table)
    # Each seat's colours: with three players everybody may also play the neutral colour.
    seats = [[colour] for colour in order] if state.neutral is None else [[c, state.neutral] for c in order[:3]]
    styles = [rng.choice(_STYLES) for _ in seats]
    passed = 0
    turn = 0
    while passed < len(seats):
        colour = rng.choice(seats[turn % len(seats)])
        if _take_turn(table, colour, styles[turn % len(seats)], rng):
            passed = 0
            yield _position(state, table)
        else:
            passed += 1
        turn += 1


def random_blokus_game(rng: random.Random) -> Iterator[CityBlocks]:
    """Every position of a random game of plain Blokus: pieces of a colour touch each other at corners only."""
    order, corner_colours = _seats(rng)
    state = CityBlocks(grid=grid_of({}), corner_colours=corner_colours)
    table = _Table(
        corners=_corners(corner_colours),
        squares=dict.fromkeys(COLOURS, 0),
        hands={colour: list(pieces()) for colour in COLOURS},
    )
    yield _position(state, table)
    playing = list(order)
    while playing:
        for colour in list(playing):
            chosen = _blokus_choice(table, colour, rng)
            if chosen is None:
                playing.remove(colour)
            else:
                table.put(colour, *chosen)
                yield _position(state, table)


def _seats(rng: random.Random) -> tuple[list[str], CornerColours]:
    """The colours in playing order (clockwise round the board, somebody begins) and the corners they own."""
    corner_colours = rng.sample(COLOURS, 4)
    first = rng.randrange(4)
    return corner_colours[first:] + corner_colours[:first], cast(CornerColours, tuple(corner_colours))


def _corners(corner_colours: CornerColours) -> dict[str, int]:
    return {colour: square for colour, square in zip(corner_colours, CORNERS, strict=True) if colour is not None}


def _position(state: CityBlocks, table: _Table) -> CityBlocks:
    return replace(state, grid=grid_of(table.squares))


def _take_turn(table: _Table, colour: str, style: _Style, rng: random.Random) -> bool:
    """Plays a piece, or passes: then False."""
    few_left = len(table.hands[colour]) <= 10
    if (few_left and rng.random() < style.passing) or not table.can_play(colour):
        return False
    if colour not in table.begun:
        name = rng.choice(_large_first(table.hands[colour], rng)[:8])
        corner = table.corners[colour]
        choices = [(name, place) for place in pieces()[name].placements_covering(corner, table.free)]
        if not choices:  # the corner is hemmed in: whatever still fits
            choices = [
                (other, place)
                for other in table.hands[colour]
                for place in pieces()[other].placements_covering(corner, table.free)
            ]
    else:
        choices = _candidates(table.hands[colour], table.free, rng)
    table.put(colour, *max(choices, key=_Worth(table, colour, style, rng)))
    return True


@dataclass(slots=True)
class _Worth:
    """How much a style likes a placement."""

    table: _Table
    colour: str
    style: _Style
    rng: random.Random
    _areas: list[int] = field(init=False)
    _largest: int = field(init=False)

    def __post_init__(self) -> None:
        self._areas = areas(self.table.squares[self.colour])
        self._largest = self._areas[0].bit_count() if self._areas else 0

    def __call__(self, choice: tuple[str, int]) -> float:
        _, placement = choice
        style, table = self.style, self.table
        beside = neighbours(placement)
        joined = placement.bit_count() + sum(area.bit_count() for area in self._areas if area & beside)
        area_won = max(0, joined - self._largest)
        free = table.free
        own = table.squares[self.colour]
        edges_won = free_edges(own | placement, free & ~placement) - free_edges(own, free)
        others = FULL & ~free & ~own
        edges_blocked = free_edges(others, placement)
        chance = self.rng.random() * 5
        return style.area * area_won + style.edges * edges_won + style.block * edges_blocked + style.chance * chance


def _candidates(hand: list[str], free: int, rng: random.Random) -> list[tuple[str, int]]:
    """Some placements of some pieces, large pieces more often; at least one if any piece fits."""
    found: list[tuple[str, int]] = []
    for name in _large_first(hand, rng):
        piece = pieces()[name]
        for orientation in rng.sample(piece.orientations, len(piece.orientations)):
            placement = _random_place(orientation, free, rng)
            if placement is not None:
                found.append((name, placement))
                if len(found) == _LOOKED_AT:
                    return found
    return found


def _random_place(orientation: Orientation, free: int, rng: random.Random) -> int | None:
    corners = list(squares_in(orientation.places(free)))
    return orientation.shape << rng.choice(corners) if corners else None


def _large_first(hand: list[str], rng: random.Random) -> list[str]:
    """The hand in a random order in which large pieces tend to come early, as people play."""
    return sorted(hand, key=lambda name: rng.random() * 3 - pieces()[name].size)


def _blokus_choice(table: _Table, colour: str, rng: random.Random) -> tuple[str, int] | None:
    """A random placement by Blokus' own rule: a corner touches the colour, no side does."""
    own = table.squares[colour]
    free = table.free & ~neighbours(own)
    hand = _large_first(table.hands[colour], rng)
    if not own:
        starts = 1 << table.corners[colour]
    else:
        beside = moved_west(own) | moved_east(own)
        starts = (moved_north(beside) | moved_south(beside)) & free
    targets = list(squares_in(starts))
    rng.shuffle(targets)
    for name in hand:
        for target in targets:
            places = list(pieces()[name].placements_covering(target, free))
            if places:
                return name, rng.choice(places)
    return None
