"""The score sheet: who has the fewest points left in the stash?

Pieces of neutralised towers, and of the branches that hang on them, go back to
their owners' stashes. Stash points are 30 less the points of the live pieces.
Where it is open which tower a branch point hangs on, all readings are scored.
The sheet then shows the reading that leaves every colour the most live pieces
(the same benefit of the doubt that a branch point without a source gets) and
names the other possible results.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine.sheet import Item, Score
from engine.sprawl.board import SIZES, Piece, Square
from engine.sprawl.forest import Forest
from engine.sprawl.moves import PER_SIZE, left, legal_moves
from engine.sprawl.score_notes import neutralised_pips, notes, outcomes
from engine.sprawl.state import COUNTING_COUP, State

SET_POINTS = PER_SIZE * sum(SIZES)


@dataclass(frozen=True, slots=True)
class Stash:
    """One colour's result. ``back`` holds the pieces that go back, each with the tower that fell."""

    colour: str
    live: tuple[tuple[Square, Piece], ...]
    back: tuple[tuple[Square, Piece, Square], ...]
    coup: int
    possible: tuple[int, ...]
    complete: bool

    @property
    def live_points(self) -> int:
        return sum(piece.size for _, piece in self.live)

    @property
    def points(self) -> int:
        return SET_POINTS - self.live_points - self.coup


def score(state: State) -> Score:
    """The score sheet of a position, legal or not."""
    forest = Forest(state)
    stashes = [_stash(forest, colour) for colour in state.colours]
    totals = {stash.colour: stash.points for stash in stashes}
    could = {colour: _in_words(forest, colour) for colour in state.colours}
    stuck = [colour for colour, words in could.items() if not words]
    return Score(
        totals=totals,
        winner=winner_of(totals),
        items=tuple(_item(forest, stash) for stash in stashes),
        over=bool(stuck),
        could_play=() if stuck else tuple(f"{colour}: {words}" for colour, words in could.items()),
        left={colour: _in_hand(state, colour) for colour in state.colours},
        notes=notes(forest, totals, {stash.colour: stash.possible for stash in stashes}, stuck),
        extra=_readings(forest, stashes),
    )


def totals(state: State) -> dict[str, int]:
    """The totals of ``score`` without the sheet around them."""
    forest = Forest(state)
    return {colour: _stash(forest, colour).points for colour in state.colours}


def _readings(forest: Forest, stashes: list[Stash]) -> dict[str, Any]:
    """What the readings of open sources give, for programs; empty where nothing is open."""
    if not forest.open_branches:
        return {}
    possible = {stash.colour: stash.possible for stash in stashes}
    differ = any(len(points) > 1 for points in possible.values())
    return {
        "readings": {
            "differ": differ,
            "totals": {colour: list(points) for colour, points in possible.items()},
            "winners": list(outcomes(possible)),
            "all_tried": all(stash.complete for stash in stashes),
        }
    }


def winner_of(totals: dict[str, int]) -> str | None:
    """The colour with the fewest points, or None for a draw."""
    least = min(totals.values(), default=0)
    lowest = [colour for colour, points in totals.items() if points == least]
    return lowest[0] if len(lowest) == 1 else None


def _stash(forest: Forest, colour: str) -> Stash:
    live: list[tuple[Square, Piece]] = []
    back: list[tuple[Square, Piece, Square]] = []
    for square, piece in forest.state.pieces():
        if piece.colour == colour:
            tower = square if square in forest.state.towers else forest.best[square].tower
            if tower in forest.neutralised:
                back.append((square, piece, tower))
            else:
                live.append((square, piece))
    coup = dict(forest.state.coup).get(colour, 0) if COUNTING_COUP in forest.state.variants else 0
    possible, complete = _possible_points(forest, colour, coup)
    return Stash(colour, tuple(live), tuple(back), coup, possible, complete)


def _possible_points(forest: Forest, colour: str, coup: int) -> tuple[tuple[int, ...], bool]:
    """The stash points that the readings give, and whether all readings were looked at."""
    branches = forest.state.branches
    groups = [group for group in forest.groups if branches[next(iter(group.best))].piece.colour == colour]
    sums = 1  # bit n: n points of branches go back in some reading
    for group in groups:
        sums = sum_bits(sums, group.returned)
    surely_live = sum(
        piece.size
        for square, piece in forest.state.pieces()
        if piece.colour == colour and square not in branches and square not in forest.neutralised
    )
    lying = sum(branch.piece.size for branch in branches.values() if branch.piece.colour == colour)
    least = SET_POINTS - surely_live - lying - coup
    possible = tuple(least + back for back in range(sums.bit_length()) if sums >> back & 1)
    return possible, all(group.complete for group in groups)


def sum_bits(sums: int, more: int) -> int:
    """The sums of one number out of each of two sets of numbers, all as bits."""
    result = 0
    for shift in range(more.bit_length()):
        if more >> shift & 1:
            result |= sums << shift
    return result


# --- the sheet --------------------------------------------------------------------------------
def _item(forest: Forest, stash: Stash) -> Item:
    branches = forest.state.branches
    open_branches = [at for at in forest.open_branches if branches[at].piece.colour == stash.colour]
    details: dict[str, Any] = {
        "live": [{"at": square.name, "piece": piece.name} for square, piece in stash.live],
        "live_points": stash.live_points,
        "returned": [
            {
                "at": square.name,
                "piece": piece.name,
                "tower": tower.name,
                "neutralised_by": [by.name for by in forest.neutralised[tower]],
            }
            for square, piece, tower in stash.back
        ],
        "returned_points": sum(piece.size for _, piece, _ in stash.back),
        "in_hand": _in_hand(forest.state, stash.colour),
        "coup": stash.coup,
        "neutralised_pips": neutralised_pips(forest, stash.colour),
        "possible_points": list(stash.possible),
        "all_readings": stash.complete,
        "open": [
            {"at": square.name, "towers": sorted({s.tower.name for s in forest.standings[square] if s.tower})}
            for square in open_branches
        ],
    }
    return Item("stash", stash.colour, stash.points, details, _reckoning(stash))


def _reckoning(stash: Stash) -> str:
    text = f"{SET_POINTS} - {stash.live_points} live on the board"
    if stash.coup:
        text += f" - {stash.coup} for cards"
    if stash.back:
        towers = sorted({tower for _, _, tower in stash.back})
        back = sum(piece.size for _, piece, _ in stash.back)
        text += f" ({back} go back with {', '.join(tower.name for tower in towers)})"
    return text


def _in_hand(state: State, colour: str) -> dict[str, int]:
    return {str(size): left(state, Piece(colour, size)) for size in SIZES}


def _in_words(forest: Forest, colour: str) -> str:
    """A colour's moves counted by kind; empty where it has none."""
    counts = Counter(placement.action for placement in legal_moves(forest, colour))
    plural = {"build": "builds", "branch": "branches", "spore": "spores"}
    return ", ".join(f"{n} {kind if n == 1 else plural[kind]}" for kind, n in sorted(counts.items()))
