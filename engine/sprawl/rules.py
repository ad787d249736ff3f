"""The rules of Sprawl by their ids, one sentence each."""

from __future__ import annotations

from typing import Final

RULES: Final = {
    "inventory": "Each colour has five pyramids of each size.",
    "stack-order": "Every piece of a tower is exactly one size smaller than the piece under it and of the same colour; "
    "with Sprawlgami also of the colour of an opponent who targeted the tower.",
    "points-off": "A branch point points at an adjacent square of the board.",
    "branch-source": "A lying piece comes from its own colour: from a tower pointing directly away from it, from the "
    "side of a branch point one size larger pointing directly away from it, or in the square that such a branch point "
    "points at, pointing anywhere but back at it.",
    "chain-length": "A chain of branch points is at most as long as its tower has pieces.",
    "first-tower": "All towers of a colour are reached from one of them, step by step: a branch point that hangs on a "
    "reached tower reaches the square that it targets.",
    "neutralised": "A neutralised tower cannot be built on, branched from or spored from, and no tower may be spored "
    "where it would be neutralised at once.",
    "moved": "Pieces on the board stay where they are until the end of the game.",
}
