"""Sprawl explained: small positions, each scored or judged by the engine itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.sprawl import GAME
from engine.sprawl.attack import neutralised_towers, target
from engine.sprawl.board import Square
from engine.sprawl.state import State
from page.boards import board_kind
from page.boards.base import Mark
from page.help_pictures import Example, example

NAME: Final = GAME.name

BRANCH: Final = """
5 .    .    .    .    .    .
4 .    .    .    .    .    .
3 .    .    R32  R3>  .    .
2 .    .    .    .    .    .
1 .    .    .    .    .    .
"""
ATTACK: Final = """
3 B321 B2>  R3   .    .
2 B2v  .    .    .    .
1 R32  .    .    .    .
"""
TARGET: Final = """
3 .    .    .    .    .
2 .    .    .    .    .
1 R2   R2>  B3   .    .
"""
TOO_LONG: Final = """
2 .    .    .    .
1 R3   R3>  R2>  .
"""


def board(text: str) -> State:
    """A position from the lines of its diagram."""
    return GAME.parse_diagram(f"{NAME}\n\n{text.strip()}\n")


def examples() -> Iterator[Example]:
    """All examples, in the order in which a newcomer needs them."""
    yield branch()
    yield attack()
    yield spore()
    yield chain()
    yield stash()


def branch() -> Example:
    state = board(BRANCH)
    moves = [move for move in GAME.moves(state) if move.action["action"] == "branch"]
    heat = board_kind(NAME).heat(moves)["red2 branch"]
    marks = [Mark(at, "may", found.text, found.words) for at, found in heat.items()]
    text = (
        "Where may red branch with a medium pyramid (2), and which way may it point? Beside the tower: directly away "
        "from it. At the sides of the large branch point (3): directly away from that, exactly one size smaller. In "
        "the square that it points at: anywhere but back."
    )
    return example(NAME, "Branch", text, state, marks)


def attack() -> Example:
    state = board(ATTACK)
    fallen = neutralised_towers(state)
    marks = [Mark(square.name, "lost", "×", "neutralised") for square in fallen]
    marks += [Mark(by.name, "attacker", "A", "neutralises") for attackers in fallen.values() for by in attackers]
    names = ", ".join(square.name for square in fallen)
    text = (
        "A branch point attacks the square in front of it. A tower falls if it does not contain the attacker's size: "
        f"the tower of one large pyramid on {names} is neutralised by a 2, but the tower 3-2 on A1 has a 2 of its own "
        "and stays live. A tower 3-2-1 never falls."
    )
    return example(NAME, "Attack and neutralised towers", text, state, marks)


def spore() -> Example:
    state = board(TARGET)
    square = Square.parse("B1")
    assert square is not None
    aimed = target(square, state.branches[square])
    legal = {move.action["at"] for move in GAME.moves(state) if move.action["action"] == "spore" and "red" in move.text}
    marks = [Mark(aimed.name, "own", "T", "targeted; a tower may start here")] if aimed.name in legal else []
    text = (
        "A branch point of size n targets the square n away in its direction, over anything: the 2 on B1 targets "
        f"{aimed.name}. On a vacant target red may start a new tower (spore), unless it would fall at once. The square "
        "right in front of it, C1, is attacked instead."
    )
    return example(NAME, "Target and spore", text, state, marks)


def chain() -> Example:
    state = board(TOO_LONG)
    (found,) = (v for v in GAME.check(state).violations if v.rule == "chain-length")
    marks = [Mark(at, "problem", "!", "breaks a rule") for at in found.at]
    text = f"{GAME.rules['chain-length']} The checker says: {found.message}"
    return example(NAME, "How long a chain may be", text, state, marks)


def stash() -> Example:
    state = board(ATTACK)
    score = GAME.score(state)
    item = next(item for item in score.items if item.owner == "red")
    facts = item.details
    text = (
        "At the end neutralised towers, and the branches that hang on them, go back to their owners. Here red keeps "
        f"{facts['live_points']} points live on the board, and {facts['returned_points']} go back: its stash counts "
        f"{item.text.split(' live')[0]} = {item.points}. The lowest stash wins; blue's is {score.totals['blue']}."
    )
    return example(NAME, "The score", text, state, board_kind(NAME).marks(item))
