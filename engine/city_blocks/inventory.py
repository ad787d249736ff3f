"""[inventory]: whether a colour's squares can be cut into different pieces of its set, and why not."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.city_blocks.board import areas, names_in
from engine.city_blocks.cover import Answer, Placement, Problem, Search, search, solve
from engine.city_blocks.pieces import SINGLE, pieces

# The whole question for one colour may take this long; then it stays open.
SECONDS: Final = 2.0
OPEN_TEXT: Final = f"stayed open after {SECONDS:.0f} seconds"
# Each question whether a piece is in every cut may take this many steps; counted, not timed, so that
# the same board always gets the same answer.
_LEFT_NODES: Final = 1_000
# To name the areas that cannot go together, many small questions are asked; each may take this many steps.
_REASON_NODES: Final = 3_000

Cut = tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Cutting:
    """A colour's cut (if the answer is YES) or the squares that cannot be cut, and why."""

    answer: Answer
    cut: Cut = ()
    at: int = 0
    reason: str = ""


def set_of(*, plain: bool) -> tuple[str, ...]:
    """The names of the pieces that a colour plays: City Blocks has its single in the centre."""
    return tuple(name for name in pieces() if plain or name != SINGLE)


def set_size(names: Sequence[str]) -> int:
    return sum(pieces()[name].size for name in names)


def problem_of(squares: int, names: Sequence[str], optional: int = 0) -> Problem:
    """Cutting ``squares`` into different pieces; ``optional`` squares may be part of pieces too."""
    # Large pieces are tried first: they are the hard ones to find room for.
    large_first = sorted(names, key=lambda name: -pieces()[name].size)
    area = squares | optional
    placements = (Placement(name, mask) for name in large_first for mask in pieces()[name].placements(area))
    return Problem(squares, tuple(p for p in placements if p.mask & squares) if optional else tuple(placements))


@lru_cache(maxsize=64)
def cut(squares: int, names: tuple[str, ...], optional: int = 0) -> Cutting:
    """The squares cut into different pieces of the set, or the reason why that cannot be."""
    deadline = time.monotonic() + SECONDS
    if reason := count_reason(squares.bit_count(), names, optional.bit_count()):
        return Cutting(Answer.NO, at=squares, reason=reason)
    found = solve(problem_of(squares, names, optional), deadline)
    if found.answer is Answer.YES:
        return Cutting(Answer.YES, cut=found.chosen)
    if found.answer is Answer.OPEN:
        reason = f"whether its {squares.bit_count()} squares can be cut into different pieces {OPEN_TEXT}"
        return Cutting(Answer.OPEN, at=squares, reason=reason)
    parts = _parts_that_cannot_be(squares, names, optional, deadline)
    return Cutting(Answer.NO, at=sum(parts), reason=_reason_in_words(parts, names, optional))


def count_reason(count: int, names: Sequence[str], optional: int = 0) -> str:
    """What is wrong with the mere number of squares; empty if nothing is."""
    most = set_size(names)
    if count > most:
        return f"it has {count} squares, but a set has only {most}"
    sums = {0}
    for name in names:
        sums |= {total + pieces()[name].size for total in sums}
    if sums.isdisjoint(range(count, count + optional + 1)):
        if count == 1:
            return "no piece is a single square"
        return f"no choice of different pieces has {count} squares together"
    return ""


def _parts_that_cannot_be(squares: int, names: Sequence[str], optional: int, deadline: float) -> list[int]:
    """Areas of the colour that cannot all be cut, none of which can be left out of the proof."""
    parts = areas(squares | optional)
    parts = [part & squares for part in parts if part & squares]
    for part in parts:
        if _is_impossible(part, names, optional, deadline):
            return [part]
    needed = list(parts)
    for part in parts:
        rest = [other for other in needed if other != part]
        if rest and _is_impossible(sum(rest), names, optional, deadline):
            needed = rest
    return needed


def _is_impossible(squares: int, names: Sequence[str], optional: int, deadline: float) -> bool:
    return search(problem_of(squares, names, optional), _REASON_NODES, deadline).answer is Answer.NO


def _reason_in_words(parts: Sequence[int], names: Sequence[str], optional: int) -> str:
    helped = ", even with the squares of unknown colour beside it" if optional else ""
    sizes = {part.bit_count() for part in parts}
    if len(parts) == 1:
        (size,) = sizes
        if size == 1:
            return f"no piece is a single square{helped}"
        return f"this area of {size} squares cannot be cut into different pieces{helped}"
    fitting = {
        name for part in parts for name in names if any(mask == part for mask in pieces()[name].placements(part))
    }
    # Two or three squares are one piece or none, unless a single may be part of them.
    if len(fitting) == 1 and len(sizes) == 1 and max(sizes) < 4 and SINGLE not in names:
        return f"{len(parts)} separate areas can only be the piece {min(fitting)}, which a set has once{helped}"
    listed = " and ".join(names_in(part)[0] for part in parts)
    return f"the {len(parts)} areas at {listed} cannot all be cut into different pieces of one set{helped}"


# --- which pieces are left -------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Left:
    """The pieces that a colour has not played, as far as the board tells.

    ``surely`` are in no possible cut; ``maybe`` are in some cuts but not in all.
    """

    squares: int
    surely: tuple[str, ...]
    maybe: tuple[str, ...]

    @property
    def certain(self) -> bool:
        """Whether every possible cut uses the same pieces."""
        return not self.maybe

    @property
    def possible(self) -> tuple[str, ...]:
        return tuple(name for name in pieces() if name in self.surely or name in self.maybe)


@lru_cache(maxsize=64)
def left(squares: int, names: tuple[str, ...]) -> Left:
    """What is left of a set when ``squares`` are covered; what cannot be settled quickly is ``maybe``."""
    room = max(0, set_size(names) - squares.bit_count())
    small_enough = tuple(name for name in names if pieces()[name].size <= room)
    found = cut(squares, names)
    if found.answer is not Answer.YES or not squares:
        return Left(room, *((small_enough, ()) if not squares else ((), small_enough)))
    questions = Search(problem_of(squares, names))
    seen_used = {placement.piece for placement in found.cut}
    seen_unused = set(names) - seen_used
    for name in names:
        # Every further cut settles several pieces at once, so most questions never have to be asked.
        if name in seen_used and name in seen_unused:
            continue
        asked = {"using": name} if name in seen_unused else {"without": name}
        other = questions.run(_LEFT_NODES, math.inf, **asked)
        if other.answer is Answer.YES:
            used = {placement.piece for placement in other.chosen}
            seen_used |= used
            seen_unused |= set(names) - used
        elif other.answer is Answer.OPEN:
            seen_used.add(name)
            seen_unused.add(name)
    surely = tuple(name for name in names if name not in seen_used)
    return Left(room, surely, tuple(name for name in names if name in seen_used and name in seen_unused))
