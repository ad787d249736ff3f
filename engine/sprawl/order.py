"""Orders of play: how can one position have become another, piece by piece?

Pieces never move, so every piece that is on the later board has to be placed
once, and the only question is when. Few things can come too early: an attack on
a tower that is still to be built on, branched from or spored (from); a first
tower from which the others are not reached; in Sprawlgami, a cap on a tower
that its owner still branches from. Every other placement is made at once;
among these the search backtracks, up to a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.sprawl.attack import neutralisers
from engine.sprawl.board import Branch, Cell, Piece, Square, Tower
from engine.sprawl.forest import Forest, possible_sources
from engine.sprawl.moves import BRANCH, BUILD, SPORE, Placement, breach, has_tower
from engine.sprawl.reach import Reach
from engine.sprawl.state import OVERLOAD, SUPERIOR_FORCES, State

# How many positions a search may look at besides those on its way: enough to put many attacks off.
SPARE_POSITIONS: Final = 400


Position = tuple[tuple[Square, Cell], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Legal placements in order. ``complete``: they lead to the later position. ``searched``: all orders were tried."""

    placements: tuple[Placement, ...]
    complete: bool
    searched: bool


def play_up(before: State, after: State, spare: int = SPARE_POSITIONS) -> Order:
    """An order of legal placements from ``before`` to ``after``, or the longest that was found.

    Every piece of ``before`` must lie in ``after`` too. Without ``spare``
    positions the search never goes back.
    """
    to_place = sum(after.placed.values()) - sum(before.placed.values())
    return _Search(after, spare + to_place + 1).run(before)


def pending(before: State, after: State) -> Iterator[Placement]:
    """The next placement on every square that still lacks a piece; with Overload also spores of several pieces."""
    for square, cell in after.cells:
        here = before.at.get(square)
        if isinstance(cell, Branch):
            if here is None:
                yield Placement(BRANCH, square, cell.piece, cell.points)
        elif here is None:
            for count in range(_most_at_once(cell, after)):
                yield Placement(SPORE, square, cell.pieces[0], builds=cell.pieces[1 : count + 1])
        elif isinstance(here, Tower) and here.height < cell.height:
            yield Placement(BUILD, square, cell.pieces[here.height])


def _most_at_once(tower: Tower, after: State) -> int:
    if OVERLOAD not in after.variants:
        return 1
    own = [piece.colour == tower.pieces[0].colour for piece in tower.pieces]
    return own.index(False) if False in own else len(own)


class _Search:
    """Depth first over the placements that can do harm."""

    def __init__(self, after: State, positions: int) -> None:
        self.after = after
        self.positions = positions
        self.reach = Reach(Forest(after))
        self.starts = {colour: self.reach.starts(colour) for colour in after.colours}
        self.failed: set[Position] = set()
        self.longest: tuple[Placement, ...] = ()

    def run(self, before: State) -> Order:
        found = self._continue(before, ())
        return Order(found if found is not None else self.longest, found is not None, self.positions > 0)

    def _continue(self, state: State, played: tuple[Placement, ...]) -> tuple[Placement, ...] | None:
        state, played, choices = self._play_what_is_harmless(state, played)
        if len(played) > len(self.longest):
            self.longest = played
        if state.cells == self.after.cells:
            return played
        if state.cells in self.failed:
            return None
        for _, placement in choices:
            if self.positions <= 0:
                return None
            found = self._continue(placement.on(state), (*played, placement))
            if found is not None:
                return found
        self.failed.add(state.cells)
        return None

    def _play_what_is_harmless(
        self, state: State, played: tuple[Placement, ...]
    ) -> tuple[State, tuple[Placement, ...], list[tuple[int, Placement]]]:
        """Everything that can be placed without harm, and then the legal rest, least harm first."""
        while True:
            self.positions -= 1
            forest = Forest(state)
            choices = []
            for placement in pending(state, self.after):
                if breach(forest, placement) is None:
                    harm = self._harm(state, placement)
                    if harm == 0:
                        state, played = placement.on(state), (*played, placement)
                        break
                    choices.append((harm, placement))
            else:
                return state, played, sorted(choices, key=lambda choice: choice[0])

    def _harm(self, state: State, placement: Placement) -> int:
        """How many pieces that are still to come a placement may make impossible."""
        if placement.action == SPORE:
            return self._harm_of_spore(state, placement)
        if placement.action == BUILD:
            return self._harm_of_cap(state, placement.square, placement.piece)
        assert placement.points is not None
        ahead = placement.square.towards(placement.points)
        last = self.after.at.get(ahead)
        if not isinstance(last, Tower):
            return 0
        here = state.towers.get(ahead)
        if here is not None and neutralisers(state, ahead, here):
            return 0  # it has fallen already
        # With Superior Forces attacks add up, so it takes all that are to come to say that one does no harm.
        attacks = self.after if SUPERIOR_FORCES in state.variants else placement.on(state)
        if not neutralisers(attacks, ahead, here or Tower(last.pieces[:1])):
            return 0
        return self._still_to_come(state, ahead)

    def _harm_of_spore(self, state: State, placement: Placement) -> int:
        """A first tower may stand anywhere, but only from a few squares are all the others reached."""
        colour = placement.piece.colour
        starts = self.starts[colour]
        if has_tower(state, colour) or starts == (placement.square,):
            return 0
        return 1 if placement.square in starts else 2

    def _harm_of_cap(self, state: State, square: Square, piece: Piece) -> int:
        controller = state.towers[square].controller
        if piece.colour == controller:
            return 0
        return sum(
            branch.piece.colour == controller
            and at not in state.at
            and any(source.square == square for source in possible_sources(self.after, at, branch))
            for at, branch in self.after.branches.items()
        )

    def _still_to_come(self, state: State, tower: Square) -> int:
        squares = {tower} | self.reach.depending_on(tower)
        return sum(state.at.get(square) != self.after.at[square] for square in squares)
