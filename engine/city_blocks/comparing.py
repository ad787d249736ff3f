"""Two positions of one game: what was played in between, and whether that was legal."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import cast

from engine.city_blocks.board import COLOURS, SQUARES, areas, names_in, square_name
from engine.city_blocks.checking import corner_first, piece_text, readings_of
from engine.city_blocks.corners import begun_colours, best_corners
from engine.city_blocks.cover import Answer, Cover, Placement, Problem, solve
from engine.city_blocks.inventory import SECONDS, count_reason, cut, problem_of, set_of
from engine.city_blocks.state import EMPTY, UNKNOWN, CityBlocks, CornerColours
from engine.sheet import Comparison, Move, Step, Violation


def compare(before: CityBlocks, after: CityBlocks) -> Comparison:
    """The pieces played in between, after turning the second board as the first one lies."""
    seen = [after]
    for _ in range(3):
        seen.append(seen[-1].turned())
    mismatch = [len(_moved(before, turned)) + _corners_contradict(before, turned) for turned in seen]
    # Where several turns fit equally well (an empty board fits all) the one that breaks the fewest rules is meant.
    fitting = [quarter for quarter in range(4) if mismatch[quarter] == min(mismatch)]
    found = {quarter: _compare_as_seen(before, _with_corners_of(before, seen[quarter])) for quarter in fitting}
    quarter = min(fitting, key=lambda one: (len(found[one].violations), one))
    if not quarter:
        return found[0]
    note = f"the second board was turned clockwise by {90 * quarter} degrees to match the first."
    return replace(found[quarter], notes=(note, *found[quarter].notes))


def _compare_as_seen(before: CityBlocks, after: CityBlocks) -> Comparison:
    violations = []
    if moved := _moved(before, after):
        names = tuple(square_name(square) for square in moved)
        violations.append(Violation("moved", names, f"pieces never move, but {_changes(before, after, moved)}."))
    steps: list[Step] = []
    notes: list[str] = []
    for colour in COLOURS:
        played = _between(before, after, colour)
        steps += played.steps
        violations += played.violations
        notes += played.notes
    if new_unknown := after.unknown_squares & before.empty_squares:
        notes.append(f"unknown colours were played on {' '.join(names_in(new_unknown))}.")
    return Comparison(tuple(steps), tuple(violations), tuple(notes))


def _with_corners_of(before: CityBlocks, after: CityBlocks) -> CityBlocks:
    """The second board with the corner colours that only the first one states."""
    both = [now or was for was, now in zip(before.corner_colours, after.corner_colours, strict=True)]
    known = [colour for colour in both if colour is not None]
    if len(set(known)) != len(known):  # the statements contradict each other: the later one holds
        return after
    return replace(after, corner_colours=cast(CornerColours, tuple(both)))


def _moved(before: CityBlocks, after: CityBlocks) -> list[int]:
    """The squares on which something lay that is gone or has another colour; an unknown colour may be any."""
    return [
        square
        for square in range(SQUARES)
        if (was := before.symbol(square)) != EMPTY
        and (now := after.symbol(square)) != was
        and (now == EMPTY or UNKNOWN not in (was, now))
    ]


def _changes(before: CityBlocks, after: CityBlocks, moved: list[int]) -> str:
    square = moved[0]
    now = after.symbol(square)
    change = f"{square_name(square)} was {before.symbol(square)} and is {'empty' if now == EMPTY else now}"
    return change + (f", and {len(moved) - 1} more squares changed" if len(moved) > 1 else "")


def _corners_contradict(before: CityBlocks, after: CityBlocks) -> int:
    """How many corners have two different stated colours."""
    both = zip(before.corner_colours, after.corner_colours, strict=True)
    return sum(one is not None and other is not None and one != other for one, other in both)


@dataclass(frozen=True, slots=True)
class _Played:
    steps: tuple[Step, ...] = ()
    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


def _between(before: CityBlocks, after: CityBlocks, colour: str) -> _Played:
    """One colour's new squares as pieces, the corner piece first, each judged."""
    plain = readings_of(after)[0]
    old = before.played(colour, plain=plain) & after.played(colour, plain=plain)
    new = after.played(colour, plain=plain) & ~old & ~before.unknown_squares
    if not new:
        return _Played()
    answer, pieces_played = _cut_new(old, new, set_of(plain=plain))
    rules: list[str | None] = ["inventory" if answer is Answer.NO else None] * len(pieces_played)
    first = not before.played(colour, plain=plain)
    corners = [way[colour] for way in best_corners(after, begun_colours(after, plain=plain))]
    corner = next((square for square in corners if new >> square & 1), corners[0])
    ordered = corner_first(pieces_played, corner) if first else pieces_played
    violations = []
    if answer is Answer.NO:
        message = f"{colour}: what was played cannot be cut into pieces that were left of its set."
        violations.append(Violation("inventory", names_in(new), message))
    if first and not ordered[0].mask >> corner & 1:
        # A corner under an unknown colour may be this colour's own first piece.
        certain = after.symbol(corner) != UNKNOWN
        rules[0] = rules[0] or "corner-first"
        message = f"{colour}: its first piece does not cover its own corner."
        violations.append(Violation("corner-first", names_in(ordered[0].mask), message, certain))
    steps = tuple(
        Step(_as_move(colour, placement), rule is None, rule) for placement, rule in zip(ordered, rules, strict=True)
    )
    notes = (f"{colour}: how the new squares are cut stayed open.",) if answer is Answer.OPEN else ()
    return _Played(steps, tuple(violations), notes)


def _cut_new(old: int, new: int, names: tuple[str, ...]) -> tuple[Answer, tuple[Placement, ...]]:
    """The new squares cut into pieces that some cut of the old squares leaves.

    Where there is no such cut: into different pieces, or else one "piece" an area.
    """
    found = Cover(Answer.NO)
    if not count_reason((old | new).bit_count(), names):
        # One question for both: a piece lies among the old squares or among the new ones, never across.
        both = problem_of(old, names).placements + problem_of(new, names).placements
        found = solve(Problem(old | new, both), time.monotonic() + SECONDS)
    if found.answer is Answer.YES:
        return found.answer, tuple(placement for placement in found.chosen if placement.mask & new)
    alone = cut(new, names)
    if alone.answer is Answer.YES:
        return found.answer, alone.cut
    return found.answer, tuple(Placement(None, area) for area in areas(new))


def _as_move(colour: str, placement: Placement) -> Move:
    action = {"piece": placement.piece, "colour": colour, "squares": list(names_in(placement.mask))}
    if placement.piece is None:
        return Move(f"{colour} {' '.join(names_in(placement.mask))}", action)
    return Move(piece_text(colour, placement), action)
