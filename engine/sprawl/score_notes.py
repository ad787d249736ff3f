"""The sentences under a score sheet: choices that mattered, doubts, and what no photo shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.sprawl.attack import falls_by_own_branch
from engine.sprawl.board import Square
from engine.sprawl.forest import Forest
from engine.sprawl.moves import PER_SIZE
from engine.sprawl.state import COUNTING_COUP

MOST_NAMED = 6


def notes(
    forest: Forest, totals: Mapping[str, int], possible: Mapping[str, Sequence[int]], stuck: Sequence[str]
) -> tuple[str, ...]:
    """Everything that a reader of the sheet should know besides the numbers."""
    return (
        *_about_own_branches(forest),
        *_about_missing_sources(forest),
        *_about_open_sources(forest, possible),
        *_about_cards(forest),
        *_about_inventory(forest),
        *_about_a_draw(forest, totals),
        *_about_the_end(stuck),
    )


def outcomes(possible: Mapping[str, Sequence[int]]) -> tuple[str | None, ...]:
    """Every winner that some reading gives; None stands for a draw. Colours vary independently of each other."""
    found: list[str | None] = [
        colour
        for colour, points in possible.items()
        if all(min(points) < max(others) for other, others in possible.items() if other != colour)
    ]
    for value in {value for points in possible.values() for value in points}:
        level = sum(value in points for points in possible.values())
        if level > 1 and all(max(points) >= value for points in possible.values()):
            return (*found, None)
    return tuple(found)


def _about_own_branches(forest: Forest) -> Iterator[str]:
    own = [square for square in forest.neutralised if falls_by_own_branch(forest.state, square)]
    if own:
        towers = "the tower" if len(own) == 1 else "the towers"
        yield (
            f"{towers.capitalize()} on {_list(own)} would be live without an attack by the owner's own branch points; "
            "own attacks count (option own-branch-harmless: they do not)."
        )


def _about_missing_sources(forest: Forest) -> Iterator[str]:
    lost = [square for square, sources in forest.sources.items() if not sources]
    if lost:
        pieces = "The piece" if len(lost) == 1 else "The pieces"
        yield f"{pieces} on {_list(lost)} came from no source that the rules allow, and counted as live."


def _about_open_sources(forest: Forest, possible: Mapping[str, Sequence[int]]) -> Iterator[str]:
    opened = forest.open_branches
    if opened:
        which = "branch point" if len(opened) == 1 else "branch points"
        yield f"It is open which tower the {which} on {_list(opened)} came from; {_difference(possible)}"
    if not all(group.complete for group in forest.groups):
        yield "There are too many possible sources to try all of them together; the possible points are outer bounds."


def _difference(possible: Mapping[str, Sequence[int]]) -> str:
    differing = {colour: points for colour, points in possible.items() if len(points) > 1}
    if not differing:
        return "the score is the same whichever it was."
    each = "; ".join(f"{colour} has {' or '.join(map(str, points))}" for colour, points in differing.items())
    results = outcomes(possible)
    if len(results) == 1:
        effect = "the result stays the same"
    else:
        effect = "possible results: " + ", ".join(f"{name} wins" if name else "a draw" for name in results)
    return f"the scores differ: {each} points ({effect}). The sheet counts as live what may be live."


def _about_cards(forest: Forest) -> Iterator[str]:
    if COUNTING_COUP in forest.state.variants:
        if not forest.state.coup:
            yield (
                "The cards of Counting Coup are not on the board; enter the points to subtract as extras.coup, such as "
                '{"coup": {"red": 3}} (ace to 10 one point each, jack, queen and king two).'
            )
    elif forest.state.coup:
        yield "The points under extras.coup were not subtracted, because counting-coup is not among the variants."


def _about_inventory(forest: Forest) -> Iterator[str]:
    over = sorted({piece.colour for piece, count in forest.state.placed.items() if count > PER_SIZE})
    for colour in over:
        yield f"{colour.capitalize()} has more pieces on the board than a set holds, so its stash points are too low."


def _about_a_draw(forest: Forest, totals: Mapping[str, int]) -> Iterator[str]:
    least = min(totals.values(), default=0)
    level = [colour for colour, points in totals.items() if points == least]
    if len(level) > 1:
        pips = ", ".join(f"{colour} {neutralised_pips(forest, colour)}" for colour in level)
        yield f"A draw. The designer's tie-break, most pips in towers that you neutralised: {pips}."


def neutralised_pips(forest: Forest, colour: str) -> int:
    """The designer's tie-break: pips in the towers of others that this colour's branch points neutralise."""
    state = forest.state
    return sum(
        state.towers[tower].pips
        for tower, by in forest.neutralised.items()
        if state.towers[tower].controller != colour and any(state.branches[at].piece.colour == colour for at in by)
    )


def _about_the_end(stuck: Sequence[str]) -> Iterator[str]:
    if stuck:
        have = "has" if len(stuck) == 1 else "have"
        yield f"{' and '.join(stuck).capitalize()} {have} no move; the game ends at the beginning of such a turn."


def _list(squares: Sequence[Square]) -> str:
    names = [square.name for square in sorted(squares)]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
