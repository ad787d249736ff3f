"""Which rules does a position break, and in what order can it have been played?

A photo shows no history. Every rule here is judged on the board as it lies, and
a rule that depends on sources counts as broken only if no choice of possible
sources keeps it. Towers that are neutralised now may have been live before, so
neutralisation breaks no rule by itself.

The witness is an order of placements, found by playing the position up from an
empty board. Whose turn it was plays no part in it. The search is greedy where
that does no harm, and bounded elsewhere. Where it finds nothing there is no
witness and no violation either: towers and branches that end up neutralised
can depend on an order of attacks that no short search finds, and absence of a
found order proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.sheet import Verdict, Violation
from engine.sprawl.forest import Forest
from engine.sprawl.moves import PER_SIZE, is_in_order
from engine.sprawl.order import play_up
from engine.sprawl.reach import Reach
from engine.sprawl.state import SPRAWLGAMI, State


def check(state: State) -> Verdict:
    """All broken rules, or an order of play that leads to the position."""
    found = violations(state)
    if found:
        return Verdict(found)
    order = play_up(_emptied(state), state)
    if not order.complete:
        return Verdict(notes=("The position breaks no rule, but the order in which it was played was not found.",))
    return Verdict(witness=tuple(name for placement in order.placements for name in placement.squares))


def violations(state: State) -> tuple[Violation, ...]:
    """All broken rules of a position."""
    forest = Forest(state)
    rules = (_inventory, _stack_order, _points_off, _branch_source, _chain_length, _first_tower)
    return tuple(violation for rule in rules for violation in rule(forest))


def _emptied(state: State) -> State:
    return State(state.columns, state.rows, state.colours, variants=state.variants)


def _inventory(forest: Forest) -> Iterator[Violation]:
    for piece, count in sorted(forest.state.placed.items()):
        if count > PER_SIZE:
            squares = sorted({square.name for square, found in forest.state.pieces() if found == piece})
            yield Violation(
                "inventory",
                tuple(squares),
                f"{count} pieces {piece.name} are on the board; a set has {PER_SIZE} of each size.",
            )


def _stack_order(forest: Forest) -> Iterator[Violation]:
    for square, tower in forest.state.towers.items():
        sizes = "-".join(str(piece.size) for piece in tower.pieces)
        if not is_in_order(tower):
            yield Violation(
                "stack-order",
                (square.name,),
                f"The tower on {square.name} is {sizes} from the bottom; each piece must be exactly one smaller "
                "than the piece under it.",
            )
        elif len(tower.colours) > 1 and SPRAWLGAMI not in forest.state.variants:
            yield Violation(
                "stack-order",
                (square.name,),
                f"The tower on {square.name} mixes {' and '.join(sorted(tower.colours))}; only with Sprawlgami "
                "may players build on each other's towers.",
            )


def _points_off(forest: Forest) -> Iterator[Violation]:
    for square, branch in forest.state.branches.items():
        if not forest.state.holds(square.towards(branch.points)):
            yield Violation(
                "points-off",
                (square.name,),
                f"The {branch.piece.name} on {square.name} points {branch.points}, off the board.",
            )


def _branch_source(forest: Forest) -> Iterator[Violation]:
    for square, branch in forest.state.branches.items():
        if not forest.sources[square]:
            yield Violation(
                "branch-source",
                (square.name,),
                f"The {branch.piece.name} on {square.name} points {branch.points}, and nothing beside it can be "
                "what it was branched from.",
            )


def _chain_length(forest: Forest) -> Iterator[Violation]:
    for square in forest.too_long:
        tower, depth = forest.shortest[square]
        assert tower is not None
        yield Violation(
            "chain-length",
            (square.name,),
            f"The {forest.state.branches[square].piece.name} on {square.name} is number {depth} in its chain, but the "
            f"tower on {tower.name} has only {forest.state.towers[tower].height} "
            f"{'piece' if forest.state.towers[tower].height == 1 else 'pieces'}.",
        )


def _first_tower(forest: Forest) -> Iterator[Violation]:
    reach = Reach(forest)
    for colour in forest.state.colours:
        missed = reach.missed(colour)
        if missed:
            names = tuple(square.name for square in sorted(missed))
            which = "tower" if len(names) == 1 else "towers"
            yield Violation(
                "first-tower",
                names,
                f"The {colour} {which} on {', '.join(names)} cannot have been spored: no chain of targeted squares "
                f"reaches {'it' if len(names) == 1 else 'them'} from the first {colour} tower.",
            )
