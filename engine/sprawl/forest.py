"""The branch forest: on which tower does every branch point hang?

A branch point's possible sources are

- the tower behind it, if that contains its colour,
- the branch point behind it, if that has its colour and is one size larger
  (the side that a piece comes from may also be the back of its source),
- a branch point beside it that points at its square, one size larger and of
  its colour, unless the piece points back at it.

With strict branching only the square behind counts; with loose branching every
adjacent tower that contains the colour and every adjacent branch point one
size larger, unless the piece points back at it.

Often more than one is there. A *reading* gives every branch point one of its
possible sources. Sizes fall by one along a chain, so there are no cycles, and
the choices are free but for the length of the chains. Of all readings those
are kept that put no chain on a tower that is too low for it and, among them,
take the square behind wherever it holds a possible source (with loose
branching no square comes first). Where no reading has all chains short enough,
the chains are as long as the squares behind make them.

Readings are enumerated per group of branch points that touch each other as
possible sources; groups do not influence each other. Attacks do not depend on
the reading, only what hangs on a neutralised tower does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import networkx as nx

from engine.sprawl.attack import neutralised_towers
from engine.sprawl.board import DIRECTIONS, OPPOSITE, Branch, Square, Tower
from engine.sprawl.state import LOOSE_BRANCHING, STRICT_BRANCHING, State

# Choices to try in one group. Ordinary play has at most ten branch points of size 2 and 3 in a colour, most
# of them with one source; with two sources each they would take 2,047 choices.
MOST_CHOICES: Final = 1 << 13


class Source(NamedTuple):
    """A possible source of a branch point. ``departs``: another square has the better right to be it."""

    square: Square
    departs: bool = False


class Standing(NamedTuple):
    """Where a branch point hangs: its tower (None where a source is missing) and its place in the chain, from 1."""

    tower: Square | None
    depth: int


Standings = dict[Square, Standing]


def possible_sources(state: State, square: Square, branch: Branch) -> tuple[Source, ...]:
    """The squares that a branch point on ``square`` can have been laid from."""
    found: list[tuple[Square, bool]] = []
    for direction in DIRECTIONS:
        beside = square.towards(direction)
        if direction != branch.points and beside in state.at:
            straight = OPPOSITE[direction] == branch.points
            if _can_be_source(state, beside, straight, square, branch):
                found.append((beside, straight))
    behind_first = LOOSE_BRANCHING not in state.variants and any(straight for _, straight in found)
    return tuple(Source(beside, behind_first and not straight) for beside, straight in found)


def _can_be_source(state: State, source: Square, straight: bool, square: Square, branch: Branch) -> bool:
    any_direction = straight or LOOSE_BRANCHING in state.variants
    cell = state.at[source]
    if isinstance(cell, Tower):
        return any_direction and branch.piece.colour in cell.colours
    if cell.piece.colour != branch.piece.colour or cell.piece.size != branch.piece.size + 1:
        return False
    in_front = STRICT_BRANCHING not in state.variants and source.towards(cell.points) == square
    return any_direction or in_front


@dataclass(frozen=True)
class Group:
    """Branch points whose sources depend on each other, with all their readings.

    ``returned`` has bit n set where some reading gives n points back.
    ``standings`` holds what each branch point may be in some reading, and
    ``best`` one reading in which as much as possible stays live.
    ``complete`` is false where there were too many readings to list.
    """

    standings: Mapping[Square, frozenset[Standing]]
    returned: int
    best: Standings
    complete: bool = True


class Forest:
    """Everything about a position that follows from sources and attacks."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.neutralised = neutralised_towers(state)
        self.sources = {square: possible_sources(state, square, branch) for square, branch in state.branches.items()}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        return tuple(self._group(members) for members in self._connected())

    @cached_property
    def standings(self) -> Mapping[Square, frozenset[Standing]]:
        """What each branch point may be in some reading."""
        return {square: found for group in self.groups for square, found in group.standings.items()}

    @cached_property
    def open_branches(self) -> tuple[Square, ...]:
        """The branch points that may hang on more than one tower."""
        return tuple(sorted(at for at, found in self.standings.items() if len({s.tower for s in found}) > 1))

    @cached_property
    def best(self) -> Standings:
        """One reading in which as much as possible stays live."""
        return {square: standing for group in self.groups for square, standing in group.best.items()}

    def is_live(self, standing: Standing) -> bool:
        """Whether what hangs there is live. What hangs nowhere counts as live."""
        return standing.tower not in self.neutralised

    def room(self, standing: Standing) -> int:
        """How many more pieces the chain may get; negative where it is too long already."""
        if standing.tower is None:
            return len(self.state.at)  # no tower, no limit
        return self.state.towers[standing.tower].height - standing.depth

    def may_be_live(self, square: Square) -> bool:
        return any(self.is_live(standing) for standing in self.standings[square])

    @cached_property
    def shortest(self) -> Standings:
        """The reading that leaves every branch point the most room: each takes the best of its sources."""
        found: Standings = {}
        for square in self._large_first(self.state.branches):
            options = [self._from(source.square, found) for source in self.sources[square]]
            found[square] = max(options, key=self.room, default=Standing(None, 1))
        return found

    @cached_property
    def too_long(self) -> tuple[Square, ...]:
        """The branch points that no reading can hang on a tower that is high enough."""
        return tuple(sorted(square for square, standing in self.shortest.items() if self.room(standing) < 0))

    # --- readings ---------------------------------------------------------------------------
    def _connected(self) -> Iterator[set[Square]]:
        graph: Any = nx.Graph()  # the stubs that exist for networkx disagree about its types
        graph.add_nodes_from(self.state.branches)
        for square, sources in self.sources.items():
            graph.add_edges_from((square, source.square) for source in sources if source.square in self.state.branches)
        yield from nx.connected_components(graph)

    def _large_first(self, squares: Iterable[Square]) -> list[Square]:
        # Sources are larger than what comes from them, so this order settles every source first.
        return sorted(squares, key=lambda square: (-self.state.branches[square].piece.size, square))

    def _from(self, source: Square, settled: Standings) -> Standing:
        if source in self.state.towers:
            return Standing(source, 1)
        return Standing(settled[source].tower, settled[source].depth + 1)

    def _group(self, members: set[Square]) -> Group:
        order = self._large_first(members)
        fits = not any(self.room(self.shortest[square]) < 0 for square in order)
        preferred = {at: tuple(s for s in self.sources[at] if not s.departs) for at in order}
        try:
            readings = list(self._readings(order, preferred, fits))
            if not readings:
                everything = list(self._readings(order, {at: self.sources[at] for at in order}, fits))
                fewest = min(departures for departures, _ in everything)
                readings = [(departures, options) for departures, options in everything if departures == fewest]
        except _TooMany:
            return self._estimate(order, preferred)
        return self._summary(order, [options for _, options in readings])

    def _readings(
        self, order: list[Square], sources: Mapping[Square, tuple[Source, ...]], fits: bool
    ) -> Iterator[tuple[int, dict[Square, frozenset[Standing]]]]:
        """Every choice of sources, as (departures, what each square may be).

        Only branch points that are a source themselves are told apart; each
        other one keeps the set of what it may be beside them, because its
        choice concerns nobody else.
        """
        inner = {source.square for at in order for source in sources[at]}
        trunk = [at for at in order if at in inner]
        leaves = [at for at in order if at not in inner]
        budget = iter(range(MOST_CHOICES))
        for departures, settled in self._settle(trunk, sources, fits, {}, 0, budget):
            options = {at: frozenset((standing,)) for at, standing in settled.items()}
            extra = 0
            for leaf in leaves:
                costs = self._options(leaf, sources[leaf], fits, settled)
                if not costs:
                    break
                least = min(costs.values())
                extra += least
                options[leaf] = frozenset(standing for standing, cost in costs.items() if cost == least)
            else:
                yield departures + extra, options

    def _settle(
        self,
        trunk: list[Square],
        sources: Mapping[Square, tuple[Source, ...]],
        fits: bool,
        settled: Standings,
        departures: int,
        budget: Iterator[int],
    ) -> Iterator[tuple[int, Standings]]:
        if next(budget, None) is None:
            raise _TooMany
        if len(settled) == len(trunk):
            yield departures, settled
            return
        at = trunk[len(settled)]
        for standing, cost in self._options(at, sources[at], fits, settled).items():
            yield from self._settle(trunk, sources, fits, {**settled, at: standing}, departures + cost, budget)

    def _options(self, at: Square, sources: tuple[Source, ...], fits: bool, settled: Standings) -> dict[Standing, int]:
        """What ``at`` may be beside what is settled, with the departures that it costs."""
        if not sources:
            return {Standing(None, 1): 0}
        options: dict[Standing, int] = {}
        for source in sources:
            standing = self._from(source.square, settled)
            if not fits or self.room(standing) >= 0:
                options[standing] = min(options.get(standing, 1), int(source.departs))
        return options

    def _summary(self, order: list[Square], readings: list[dict[Square, frozenset[Standing]]]) -> Group:
        standings: dict[Square, frozenset[Standing]] = {at: frozenset() for at in order}
        returned = 0
        best: tuple[int, dict[Square, frozenset[Standing]]] | None = None
        for options in readings:
            sums = 1
            for at, found in options.items():
                standings[at] |= found
                sums = _sums_with(sums, self._size(at), {self.is_live(standing) for standing in found})
            returned |= sums
            least = (sums & -sums).bit_length() - 1
            if best is None or least < best[0]:
                best = (least, options)
        assert best is not None
        return Group(standings, returned, {at: self._most_live(found) for at, found in best[1].items()})

    def _estimate(self, order: list[Square], preferred: Mapping[Square, tuple[Source, ...]]) -> Group:
        """Bounds where there are too many readings: every branch point by itself, chains of any length."""
        standings: dict[Square, frozenset[Standing]] = {}
        best: Standings = {}
        sums = 1
        for at in order:
            found = frozenset(
                standing
                for source in self.sources[at]
                for standing in (
                    [Standing(source.square, 1)]
                    if source.square in self.state.towers
                    else [Standing(tower, depth + 1) for tower, depth in standings[source.square]]
                )
            )
            standings[at] = found or frozenset((Standing(None, 1),))
            best[at] = max(
                (self._from(source.square, best) for source in preferred[at]),
                key=lambda standing: (self.is_live(standing), self.room(standing)),
                default=Standing(None, 1),
            )
            sums = _sums_with(sums, self._size(at), {self.is_live(standing) for standing in standings[at]})
        return Group(standings, sums, best, complete=False)

    def _size(self, at: Square) -> int:
        return self.state.branches[at].piece.size

    def _most_live(self, standings: frozenset[Standing]) -> Standing:
        return max(standings, key=lambda standing: (self.is_live(standing), self.room(standing), standing.tower or ()))


class _TooMany(Exception):
    """There are more readings than anybody wants to wait for."""


def _sums_with(sums: int, size: int, lives: set[bool]) -> int:
    """The possible sums (as bits) after one more piece that may be live, returned or either."""
    stays = sums if True in lives else 0
    goes = sums << size if False in lives else 0
    return stays | goes
