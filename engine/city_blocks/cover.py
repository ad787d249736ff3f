"""Exact cover: choose placements so that every square is covered once and no piece is used twice.

The search keeps the set of placements that are still possible as one integer.
Each square, and each piece, is the set of placements that use it; choosing a
placement strikes out all that share a square or the piece with it. The next
square is always one with the fewest placements left (Knuth's algorithm X).
Before that the sizes are added up: whenever the pieces that still fit cannot
make the number of squares that are left, no deeper look is needed. Without
this a solid block of 87 squares would be searched for years.

What the search leaves open after its share of the time goes to HiGHS, whose
linear relaxation proves at once what no order of trying can (docs/inventory-solver.md).
"""

from __future__ import annotations

import random
import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.city_blocks.board import squares_in

# Steps of each attempt; a new attempt tries the placements in another order. An unlucky first choice can cost
# a search any time, so some short attempts settle more than a single long one. A real game needs some dozen steps.
ATTEMPTS: Final = (3_000, 3_000, 6_000, 20_000)


@dataclass(frozen=True, slots=True)
class Placement:
    """One choice: it covers the squares of ``mask`` and uses up ``piece``."""

    piece: Hashable
    mask: int


@dataclass(frozen=True, slots=True)
class Problem:
    """The squares that must be covered, and the placements on offer.

    A placement may also cover squares outside ``must``; no square is covered twice.
    """

    must: int
    placements: tuple[Placement, ...]


class Answer(Enum):
    """How a question about covers ended."""

    YES = "there is a cover"
    NO = "there is provably none"
    OPEN = "the limit was reached first"


@dataclass(frozen=True, slots=True)
class Cover:
    """The answer and, if it is YES, the chosen placements."""

    answer: Answer
    chosen: tuple[Placement, ...] = ()


@dataclass(slots=True)
class Search:
    """Algorithm X over integers. One preparation serves many questions about the same problem."""

    problem: Problem
    _by_square: dict[int, int] = field(default_factory=dict)
    _by_piece: dict[Hashable, int] = field(default_factory=dict)
    _conflicts: list[int] = field(init=False)
    _sizes: list[tuple[int, int]] = field(init=False)
    _optional: int = field(init=False)
    _chosen: list[int] = field(default_factory=list)
    _nodes_left: int = 0
    _deadline: float = 0.0

    def __post_init__(self) -> None:
        placements = self.problem.placements
        for number, placement in enumerate(placements):
            bit = 1 << number
            self._by_piece[placement.piece] = self._by_piece.get(placement.piece, 0) | bit
            for square in squares_in(placement.mask):
                self._by_square[square] = self._by_square.get(square, 0) | bit
        self._conflicts = [
            _union([self._by_piece[p.piece], *(self._by_square[square] for square in squares_in(p.mask))])
            for p in placements
        ]
        size_of = {placement.piece: placement.mask.bit_count() for placement in placements}
        self._sizes = [(users, size_of[piece]) for piece, users in self._by_piece.items()]
        self._optional = (_union(p.mask for p in placements) & ~self.problem.must).bit_count()

    def run(
        self, most_nodes: int, deadline: float, *, using: Hashable | None = None, without: Hashable | None = None
    ) -> Cover:
        """A cover, if wished one that uses a piece or does without one; a node is a placement tried."""
        self._nodes_left, self._deadline = most_nodes, deadline
        self._chosen.clear()
        possible = (1 << len(self.problem.placements)) - 1
        if without is not None:
            possible &= ~self._by_piece.get(without, 0)
        users = [self._by_square.get(square, 0) for square in squares_in(self.problem.must)]
        if using is not None:  # a piece that has to be used is one more thing to cover
            users.append(self._by_piece.get(using, 0))
        answer = self._cover(users, possible, self.problem.must.bit_count())
        if answer is not Answer.YES:
            return Cover(answer)
        return Cover(answer, tuple(self.problem.placements[number] for number in self._chosen))

    def _cover(self, users: list[int], possible: int, squares: int) -> Answer:
        if not users:
            return Answer.YES
        if not self._adds_up(squares, possible):
            return Answer.NO
        left = [use & possible for use in users]
        for number in squares_in(min(left, key=int.bit_count)):
            self._nodes_left -= 1
            if self._nodes_left < 0 or time.monotonic() > self._deadline:
                return Answer.OPEN
            bit = 1 << number
            self._chosen.append(number)
            covered = (self.problem.placements[number].mask & self.problem.must).bit_count()
            remaining = [use for use in left if not use & bit]
            answer = self._cover(remaining, possible & ~self._conflicts[number], squares - covered)
            if answer is not Answer.NO:
                return answer
            self._chosen.pop()
        return Answer.NO

    def _adds_up(self, squares: int, possible: int) -> bool:
        """Whether some of the pieces that still fit have together as many squares as are left to cover.

        Where squares may be covered that need not be, the pieces may have that many more.
        """
        sums = 1  # bit n: some of the pieces have n squares together
        for users, size in self._sizes:
            if users & possible:
                sums |= sums << size
        return sums >> squares & ((2 << self._optional) - 1) != 0


def search(problem: Problem, most_nodes: int, deadline: float) -> Cover:
    """A cover by plain search, or the proof that there is none, within the limits."""
    return Search(problem).run(most_nodes, deadline)


def solve(problem: Problem, deadline: float) -> Cover:
    """A cover, or the proof that there is none, or OPEN at the deadline."""
    for number, most_nodes in enumerate(ATTEMPTS):
        found = search(_reordered(problem, number) if number else problem, most_nodes, deadline)
        if found.answer is not Answer.OPEN or time.monotonic() > deadline:
            return found
    # SciPy takes longer to load than most questions take to answer, so only here.
    from engine.city_blocks.highs import solve_with_highs

    return solve_with_highs(problem, deadline)


def _reordered(problem: Problem, seed: int) -> Problem:
    """The same problem with its placements shuffled, large pieces still first; always the same for a seed."""
    placements = list(problem.placements)
    random.Random(seed).shuffle(placements)
    return Problem(problem.must, tuple(sorted(placements, key=lambda placement: -placement.mask.bit_count())))


def is_cover(problem: Problem, chosen: Iterable[Placement]) -> bool:
    """Whether the placements are an exact cover of the problem."""
    covered = 0
    used: set[Hashable] = set()
    for placement in chosen:
        if placement.piece in used or placement.mask & covered:
            return False
        used.add(placement.piece)
        covered |= placement.mask
    return covered & problem.must == problem.must


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union
