"""Build, branch and spore: what may be played, and why something may not.

The first tower of a colour is listed as a ``spore``: like one, it starts a
tower on a vacant square, but it may stand anywhere, even where it falls at
once. Where it is open which tower a branch point hangs on, a move counts as
legal if some reading of the sources allows it.

Sprawlgami: only the player whose piece is on top branches from a tower, but
whoever has branch points on it keeps using them while it is live. Overload: the
builds after a spore cap the new tower.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.sheet import Move
from engine.sprawl.attack import neutralisers, target
from engine.sprawl.board import DIRECTIONS, SIZES, Branch, Piece, Square, Tower
from engine.sprawl.forest import Forest, Standing, possible_sources
from engine.sprawl.state import OVERLOAD, SPRAWLGAMI, State

PER_SIZE: Final = 5

BUILD: Final = "build"
BRANCH: Final = "branch"
SPORE: Final = "spore"


@dataclass(frozen=True, slots=True)
class Placement:
    """One move: a piece from a stash put on a square. ``builds`` are the extra pieces of an Overload spore."""

    action: str
    square: Square
    piece: Piece
    points: str | None = None
    builds: tuple[Piece, ...] = ()

    def on(self, state: State) -> State:
        """The position after this move, legal or not."""
        if self.action == BRANCH:
            assert self.points is not None
            return state.with_cell(self.square, Branch(self.piece, self.points))
        if self.action == BUILD:
            return state.with_cell(self.square, state.towers[self.square].capped_with(self.piece))
        return state.with_cell(self.square, self.tower)

    @property
    def tower(self) -> Tower:
        """The tower that a spore starts."""
        return Tower((self.piece, *self.builds))

    @property
    def squares(self) -> tuple[str, ...]:
        """The square's name once for each piece that is put there."""
        return (self.square.name,) * (1 + len(self.builds))

    @property
    def move(self) -> Move:
        action: dict[str, Any] = {"action": self.action, "at": self.square.name, "piece": self.piece.name}
        text = f"{self.action} {self.piece.name} on {self.square.name}"
        if self.points is not None:
            action["points"] = self.points
            text += f" pointing {self.points}"
        if self.builds:
            action["builds"] = [piece.name for piece in self.builds]
            text += f", then build {' and '.join(action['builds'])}"
        return Move(text, action)


class Breach(NamedTuple):
    """Why a move is not allowed."""

    rule: str
    reason: str


def left(state: State, piece: Piece) -> int:
    """How many of a piece are still in its stash."""
    return max(0, PER_SIZE - state.placed.get(piece, 0))


def has_tower(state: State, colour: str) -> bool:
    """Whether the colour has placed its first tower."""
    return any(colour in tower.colours for tower in state.towers.values())


def is_in_order(tower: Tower) -> bool:
    """Whether every piece is exactly one smaller than the piece under it."""
    return all(above.size == below.size - 1 for below, above in pairwise(tower.pieces))


def legal_moves(forest: Forest, colour: str) -> Iterator[Placement]:
    """Everything that a colour may play now."""
    return (placement for placement in _proposals(forest, colour) if breach(forest, placement) is None)


def can_move(forest: Forest, colour: str) -> bool:
    return next(legal_moves(forest, colour), None) is not None


def breach(forest: Forest, placement: Placement) -> Breach | None:
    """The rule that forbids a move, or None where it is legal."""
    for piece in (placement.piece, *placement.builds):
        if not left(forest.state, piece):
            return Breach("inventory", f"no {piece.name} is left in the stash")
    if placement.action == BUILD:
        return _build_breach(forest, placement)
    if placement.action == BRANCH:
        return _branch_breach(forest, placement)
    return _spore_breach(forest, placement)


def _build_breach(forest: Forest, placement: Placement) -> Breach | None:
    state, square, piece = forest.state, placement.square, placement.piece
    tower = state.towers[square]
    if piece.size != tower.pieces[-1].size - 1:
        return Breach("stack-order", f"a {tower.pieces[-1].size} is capped with a piece exactly one smaller")
    if tower.controller != piece.colour and not (
        SPRAWLGAMI in state.variants and any(map(forest.may_be_live, targeting(state, square, piece.colour)))
    ):
        return Breach("stack-order", f"{tower.controller} controls the tower on {square.name}")
    if square in forest.neutralised:
        return Breach("neutralised", f"the tower on {square.name} is neutralised")
    return None


def _branch_breach(forest: Forest, placement: Placement) -> Breach | None:
    state, square, piece = forest.state, placement.square, placement.piece
    assert placement.points is not None
    if not state.holds(square.towards(placement.points)):
        return Breach("points-off", "it points off the board")
    sources = [
        source.square
        for source in possible_sources(state, square, Branch(piece, placement.points))
        if source.square in state.branches or state.towers[source.square].controller == piece.colour
    ]
    if not sources:
        return Breach("branch-source", "nothing that it could come from lies beside it")
    standings = [standing for source in sources for standing in _new_standings(forest, source)]
    live = [standing for standing in standings if forest.is_live(standing)]
    if not live:
        return Breach("neutralised", f"it comes from the neutralised tower on {_names(standings)}")
    if all(forest.room(standing) < 0 for standing in live):
        return Breach("chain-length", f"the tower on {_names(live)} is too low for another piece in this chain")
    return None


def _new_standings(forest: Forest, source: Square) -> Iterator[Standing]:
    if source in forest.state.towers:
        yield Standing(source, 1)
    else:
        for tower, depth in forest.standings[source]:
            yield Standing(tower, depth + 1)


def _names(standings: list[Standing]) -> str:
    return " or ".join(sorted({standing.tower.name for standing in standings if standing.tower is not None}))


def _spore_breach(forest: Forest, placement: Placement) -> Breach | None:
    state, square, colour = forest.state, placement.square, placement.piece.colour
    if any(
        above.size != below.size - 1 for below, above in zip(placement.tower.pieces, placement.builds, strict=False)
    ):
        return Breach("stack-order", "each piece of a tower is exactly one smaller than the piece under it")
    if not has_tower(state, colour):
        return Breach("stack-order", "the first tower is one piece") if placement.builds else None
    from_here = targeting(state, square, colour)
    if not from_here:
        return Breach("first-tower", f"no branch point of {colour} targets {square.name}")
    live = [at for at in from_here if forest.may_be_live(at)]
    if not live:
        return Breach("neutralised", f"the branch points that target {square.name} hang on neutralised towers")
    if placement.builds and (OVERLOAD not in state.variants or len(placement.builds) > len(live) - 1):
        return Breach("stack-order", "a build after a spore takes one more live branch point that targets the square")
    if neutralisers(state, square, placement.tower):
        return Breach("neutralised", "it would be neutralised at once")
    return None


def targeting(state: State, square: Square, colour: str) -> list[Square]:
    """The branch points of a colour that target a square."""
    found = []
    for direction in DIRECTIONS:
        for size in SIZES:
            at = square.towards(direction, -size)
            branch = state.branches.get(at)
            if branch is not None and branch.piece == Piece(colour, size) and branch.points == direction:
                found.append(at)
    return found


# --- proposals: everything worth judging --------------------------------------------------------
def _proposals(forest: Forest, colour: str) -> Iterator[Placement]:
    state = forest.state
    stash = [piece for size in SIZES if left(state, piece := Piece(colour, size))]
    for square, tower in state.towers.items():
        for piece in stash:
            if piece.size == tower.pieces[-1].size - 1:
                yield Placement(BUILD, square, piece)
    beside = {
        square.towards(direction)
        for square, cell in state.cells
        if colour in (cell.colours if isinstance(cell, Tower) else (cell.piece.colour,))
        for direction in DIRECTIONS
    }
    for square in sorted(beside):
        if state.holds(square) and square not in state.at:
            for piece in stash:
                yield from (Placement(BRANCH, square, piece, direction) for direction in DIRECTIONS)
    yield from _spore_proposals(state, colour, stash)


def _spore_proposals(state: State, colour: str, stash: list[Piece]) -> Iterator[Placement]:
    if has_tower(state, colour):
        mine = ((at, branch) for at, branch in state.branches.items() if branch.piece.colour == colour)
        squares = {target(at, branch) for at, branch in mine}
    else:
        squares = set(state.squares())
    for square in sorted(squares):
        if state.holds(square) and square not in state.at:
            for piece in stash:
                smaller = [Piece(colour, size) for size in range(piece.size - 1, 0, -1)]
                for builds in range(len(smaller) + 1 if OVERLOAD in state.variants else 1):
                    yield Placement(SPORE, square, piece, builds=tuple(smaller[:builds]))
