"""What was played between two positions, and was it legal?

Order means the order of the pieces, not whose turn it was. The later
position's variants apply, and the earlier board may have been seen from any
side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.errors import UsageError
from engine.sheet import Comparison, Step, Violation
from engine.sprawl.board import Branch, Cell, Square, Tower
from engine.sprawl.forest import Forest
from engine.sprawl.judge import violations
from engine.sprawl.moves import breach
from engine.sprawl.order import SPARE_POSITIONS, Order, pending, play_up
from engine.sprawl.state import State

# With more pieces to come it takes too long to try which one explains the most.
MOST_TO_TRY: Final = 8


@dataclass(frozen=True, slots=True)
class _Alignment:
    """The earlier board turned to fit the later one, without the pieces that are gone from their places."""

    quarters: int
    base: State
    gone: tuple[tuple[Square, Cell], ...]


def compare(before: State, after: State) -> Comparison:
    """The steps from one position to the other, in an order that is legal if one was found."""
    broken = set(violations(after))
    alignment, order = _best([(fit, _order(fit.base, after, broken)) for fit in _alignments(before, after)])
    steps = [Step(placement.move, legal=True) for placement in order.placements]
    if not order.complete:
        steps = _with_illegal_steps(alignment.base, after, order)
    return Comparison(tuple(steps), tuple(_moved(entry) for entry in alignment.gone), _notes(alignment, steps, order))


def _order(base: State, after: State, broken: set[Violation]) -> Order:
    # Legal steps break no rule of the board, so where one was broken in between a long search is lost time.
    newly_broken = broken - set(violations(base))
    return play_up(base, after, 0 if newly_broken else SPARE_POSITIONS)


def _best(found: list[tuple[_Alignment, Order]]) -> tuple[_Alignment, Order]:
    """The first of those that explain the most."""
    return max(found, key=lambda entry: (entry[1].complete, len(entry[1].placements)))


def _alignments(before: State, after: State) -> list[_Alignment]:
    """The turns of the earlier board that fit best: those that leave the fewest pieces unexplained."""
    found = []
    seen = before
    for quarters in range(4):
        if (seen.columns, seen.rows) == (after.columns, after.rows):
            found.append(_aligned(seen, after, quarters))
        seen = seen.turned()
    if not found:
        raise UsageError(
            f"the two positions have different boards, {before.columns} x {before.rows} and "
            f"{after.columns} x {after.rows} squares; they must be of one game."
        )
    fewest = min(len(alignment.gone) for alignment in found)
    best = {alignment.base: alignment for alignment in reversed(found) if len(alignment.gone) == fewest}
    return sorted(best.values(), key=lambda alignment: alignment.quarters)


def _aligned(before: State, after: State, quarters: int) -> _Alignment:
    kept = tuple((square, cell) for square, cell in before.cells if _grew_into(cell, after.at.get(square)))
    gone = tuple(entry for entry in before.cells if entry not in kept)
    colours = (*after.colours, *(colour for colour in before.colours if colour not in after.colours))
    base = State(after.columns, after.rows, colours, kept, after.variants)
    return _Alignment(quarters, base, gone)


def _grew_into(cell: Cell, later: Cell | None) -> bool:
    if isinstance(cell, Tower) and isinstance(later, Tower):
        return later.pieces[: cell.height] == cell.pieces
    return cell == later


def _with_illegal_steps(base: State, after: State, order: Order) -> list[Step]:
    """The legal steps, and between them, one at a time, pieces that no legal step explains."""
    steps = [Step(placement.move, legal=True) for placement in order.placements]
    state = _after(base, order)
    while choices := [placement for placement in pending(state, after) if not placement.builds]:
        forced = choices[0]
        if len(choices) <= MOST_TO_TRY:
            forced = max(choices, key=lambda placement: len(play_up(placement.on(state), after, 0).placements))
        reason = breach(Forest(state), forced)
        # Legal now, but it comes too early for something else: the search kept it back for that reason.
        steps.append(Step(forced.move, reason is None, reason.rule if reason else None))
        state = forced.on(state)
        following = play_up(state, after, 0)
        steps += [Step(placement.move, legal=True) for placement in following.placements]
        state = _after(state, following)
    return steps


def _after(state: State, order: Order) -> State:
    for placement in order.placements:
        state = placement.on(state)
    return state


def _moved(entry: tuple[Square, Cell]) -> Violation:
    square, cell = entry
    if isinstance(cell, Branch):
        what = f"The {cell.piece.name} that lay on {square.name} pointing {cell.points}"
    else:
        what = f"The tower {', '.join(piece.name for piece in cell.pieces)} that stood on {square.name}"
    return Violation("moved", (square.name,), f"{what} is gone or changed; pieces stay where they are.")


def _notes(alignment: _Alignment, steps: list[Step], order: Order) -> tuple[str, ...]:
    notes = []
    if alignment.quarters:
        turns = {1: "a quarter turn clockwise", 2: "half a turn", 3: "a quarter turn anticlockwise"}
        notes.append(f"The earlier position was turned to match: {turns[alignment.quarters]}.")
    if any(not step.legal for step in steps):
        notes.append(
            "No order of the pieces makes every step legal."
            if order.searched
            else "No order of the pieces was found that makes every step legal; not all of them were tried."
        )
    return tuple(notes)
