"""Attack and neutralisation: a branch point attacks the adjacent square that it points at.

Judged once on the board as it lies. The branch points of neutralised towers
still attack, so nothing has to be iterated.
"""

from __future__ import annotations

from engine.sprawl.board import Branch, Square, Tower
from engine.sprawl.state import OWN_BRANCH_HARMLESS, SUPERIOR_FORCES, State


def target(square: Square, branch: Branch) -> Square:
    """The square that a branch point targets: as far away as it has pips, over anything, maybe off the board."""
    return square.towards(branch.points, branch.piece.size)


def attackers(state: State, square: Square) -> tuple[Square, ...]:
    """The branch points that attack a square, whoever they belong to."""
    return state.attacked.get(square, ())


def neutralisers(state: State, square: Square, tower: Tower) -> tuple[Square, ...]:
    """The attackers that neutralise ``tower`` if it stands on ``square``; none means that it is live."""
    counted = attackers(state, square)
    if OWN_BRANCH_HARMLESS in state.variants:
        counted = tuple(at for at in counted if state.branches[at].piece.colour != tower.controller)
    if SUPERIOR_FORCES in state.variants:
        pips = sum(state.branches[at].piece.size for at in counted)
        return counted if pips > tower.pips else ()
    return tuple(at for at in counted if state.branches[at].piece.size not in tower.sizes)


def neutralised_towers(state: State) -> dict[Square, tuple[Square, ...]]:
    """Every neutralised tower with the branch points that neutralise it."""
    found = {square: neutralisers(state, square, tower) for square, tower in state.towers.items()}
    return {square: by for square, by in found.items() if by}


def falls_by_own_branch(state: State, square: Square) -> bool:
    """Whether a neutralised tower would be live if its owner's branch points did it no harm."""
    tower = state.towers[square]
    foreign = [at for at in attackers(state, square) if state.branches[at].piece.colour != tower.controller]
    if SUPERIOR_FORCES in state.variants:
        return sum(state.branches[at].piece.size for at in foreign) <= tower.pips
    return all(state.branches[at].piece.size in tower.sizes for at in foreign)
