"""Every rule of a position: boards that break it, and boards that just keep it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.sprawl import GAME
from engine.sprawl.state import State

Position = Callable[..., State]


def broken(state: State, rule: str) -> list[str]:
    """The squares at which a rule is broken."""
    return sorted(at for violation in GAME.check(state).violations if violation.rule == rule for at in violation.at)


@pytest.mark.parametrize(
    ("board", "at"),
    [
        (". .\nR321 R32", []),
        ("R3 R2 R1\nR21 . .", []),
        (". .\nR23 .", ["A1"]),  # upside down
        (". .\nR11 .", ["A1"]),  # not smaller
        (". .\nR31 .", ["A1"]),  # two smaller
        (". .\nR3211 B22", ["A1", "B1"]),
        (". .\nR3B2 .", ["A1"]),  # two colours, without Sprawlgami
    ],
)
def test_stack_order(position: Position, board: str, at: list[str]) -> None:
    assert broken(position(board), "stack-order") == at


def test_stack_order_of_two_colours_is_for_sprawlgami(position: Position) -> None:
    assert broken(position(". .\nR3B2 R2B2", "sprawlgami"), "stack-order") == ["B1"]


@pytest.mark.parametrize(
    ("board", "at"),
    [
        ("R1 R1 R1\nR1 R1 .", []),  # five of a size
        ("R1 R1 R1\nR1 R1 B1", []),  # five and another colour's
        ("R1 R1 R1\nR1 R1 R1", ["A1", "A2", "B1", "B2", "C1", "C2"]),  # six
        ("R1 R1 R1\nR21 R21 R1>", ["A1", "A2", "B1", "B2", "C1", "C2"]),  # six, in stacks and lying
        ("R21 R21 R21\nR21 R21 R32", ["A1", "A2", "B1", "B2", "C1", "C2"]),  # six 2s, but five 1s
    ],
)
def test_inventory(position: Position, board: str, at: list[str]) -> None:
    assert broken(position(board), "inventory") == at


@pytest.mark.parametrize(
    ("board", "at"),
    [
        (". .\nR1 R2>", ["B1"]),
        ("R2^ .\nR1 .", ["A2"]),
        (". . .\nR1 R2> .", []),
        (". . .\n. R2< R1", []),
        ("R2< R1 .\n. R2v .", ["A2", "B1"]),
    ],
)
def test_points_off(position: Position, board: str, at: list[str]) -> None:
    assert broken(position(board), "points-off") == at


# From a tower, from the side of a branch point, and in front of one: row by row as the ruling has them.
@pytest.mark.parametrize(
    ("board", "variants", "at"),
    [
        ("R1 R3> .\n. . .", "", []),  # from a tower any size, directly away
        ("R1 R1> .\n. . .", "", []),
        ("R1 R3v .\n. . .", "", ["B2"]),  # not sideways
        ("R1 R3v .\n. . .", "loose-branching", []),
        (". R3< R1\n. . .", "", []),
        ("R1 R3< .\n. . .", "", ["B2"]),  # never back at it
        ("R1 R3< .\n. . .", "loose-branching", ["B2"]),
        ("B1 R3> .\n. . .", "", ["B2"]),  # not from another colour
        ("R3B2 R3> .\n. . .", "sprawlgami", []),  # from a stack that contains the colour
        ("R3B2 G3> .\n. . .", "sprawlgami", ["B2"]),
        (". . .\n. R2^ .\nR32 R3> .", "", []),  # from the side: one smaller, away
        (". . .\n. R1^ .\nR32 R3> .", "", ["B2"]),  # two smaller
        (". . .\n. R3^ .\nR32 R3> .", "", ["B2"]),  # as large
        (". . .\n. R2> .\nR32 R3> .", "", ["B2"]),  # from the side, but not away
        (". . .\n. R2> .\nR32 R3> .", "strict-branching", ["B2"]),
        (". . .\n. R2> .\nR32 R3> .", "loose-branching", []),
        (". . .\n. R2v .\nR32 R3> .", "loose-branching", ["B2"]),  # back at it
        (". . .\n. . .\nR32 R3> R2^", "", []),  # in front: anywhere ...
        (". . .\n. . .\nR32 R3> R2^", "strict-branching", ["C1"]),
        (". . . .\nR32 R3> R2> .", "strict-branching", []),
        (". . .\n. . .\nR32 R3> R2<", "", ["C1"]),  # ... but back
        (". . .\n. . .\nR32 R3> R1^", "", ["C1"]),  # in front: one smaller too
        (". . . .\nR21 R1> R1> .", "", ["C1"]),  # nothing comes from a 1
        (". . . .\nR21 R2> R2> .", "", ["C1"]),
        (". . . .\nR21 R2> B1> .", "", ["C1"]),  # not from another colour's branch
        (". . .\n. R3> .\n. . .", "", ["B2"]),  # out of nowhere
    ],
)
def test_branch_source(position: Position, board: str, variants: str, at: list[str]) -> None:
    assert broken(position(board, variants), "branch-source") == at


@pytest.mark.parametrize(
    ("board", "at"),
    [
        (". . . . .\nR1 R3> . . .", []),  # one piece, chain of one
        (". . . . .\nR1 R3> R2> . .", ["C1"]),
        (". . . . .\nR32 R3> R2> . .", []),  # two pieces, chain of two
        (". . . . .\nR32 R3> R2> R1> .", ["D1"]),
        (". . . . .\nR321 R3> R2> R1> .", []),  # three pieces, chain of three
        (". . . . .\nR1 R3> R2> R1> .", ["C1", "D1"]),
        (". . . . .\n. R3> R2> R1> .", []),  # no tower, no length: [branch-source] says the rest
    ],
)
def test_chain_length(position: Position, board: str, at: list[str]) -> None:
    assert broken(position(board), "chain-length") == at


def test_a_chain_that_is_too_long_one_way_may_have_come_the_other_way(position: Position) -> None:
    one_way = "R3 R2> R1> ."
    assert broken(position(f". . . .\n. . . .\n{one_way}"), "chain-length") == ["C1"]
    assert broken(position(f". . R21 .\n. . R2v .\n{one_way}"), "chain-length") == []


@pytest.mark.parametrize(
    ("board", "variants", "at"),
    [
        ("R1 . R1 .\n. . . .", "", ["C2"]),  # two towers, no branch
        ("R1 B1 G1 .\n. . . .", "", []),  # each colour has its own first tower
        (". . . . .\nR1 R3> . . R2", "", []),  # a 3 targets three squares away
        (". . . . .\nR1 R3> . R2 .", "", ["D1"]),
        (". . . . .\nR1 R2> . R2 .", "", []),  # a 2 two
        (". . . . .\nR1 R1> R1 . .", "", []),  # a 1 one
        (". . . . .\nR1 R2> B1 R2 .", "", []),  # over anything
        (". . . . .\nR1 B2> . R2 .", "", ["D1"]),  # another colour's branch does not help
        (". . . . . .\nR1 R1> B1 B2> . R1", "", ["F1"]),  # nor does one that stands where red's branch leads
        (". . . . .\nR1 R3> R2> . R1", "", []),  # the chain is too long, and [chain-length] alone says it
        (". . R21 .\n. . R2v .\nR3 R2> R1v .\n. . R1 .", "", ["A2"]),  # A2 is too low for the 1, so C1 is C4's
        ("B2> R1 R2> . R2\n. . . . .", "", []),  # neutralised now, but live before
        ("R1 R1> R1 R2> . R3\n. . . . . .", "", []),  # from tower to tower
        ("R1 R1> R1 R2> R3 .\n. . . . . .", "", ["E2"]),
        ("R3 . R2< R1\n. . . .", "", []),  # the first tower is the one on the right
        (". . . . .\nB1 B3> . . R3B2", "sprawlgami", []),  # capped where targeted
        (". . . . .\nB1 B3> . R3B2 .", "sprawlgami", ["D1"]),
        (". . . . .\nB1 . . . R3B2", "sprawlgami", ["E1"]),
        (". . . . .\n. . . . R3B2", "sprawlgami", ["E1"]),  # blue never started a tower
        (". . . . .\nB1 . . . R3B2", "", []),  # without Sprawlgami [stack-order] alone says it
    ],
)
def test_first_tower(position: Position, board: str, variants: str, at: list[str]) -> None:
    assert broken(position(board, variants), "first-tower") == at


def test_first_tower_takes_any_source_that_helps(position: Position) -> None:
    # The 1 on C2 came from B2 or from D2. Only if it came from B2 are all towers reached from one, A2.
    board = """. . R21 R2> R1v
               R21 R2> R1^ R2< R21
               . . . . ."""
    assert broken(position(board), "first-tower") == []
    assert broken(position(board.replace("R21 R2> R1^", "R21 . R1^")), "first-tower") == ["A2"]


def test_all_problems_are_named_at_once_with_sentences(position: Position) -> None:
    verdict = GAME.check(position("R23 . R1^\nB1 . B2"))
    assert [violation.rule for violation in verdict.violations] == [
        "stack-order",
        "points-off",
        "branch-source",
        "first-tower",
    ]
    assert all(violation.message.endswith(".") and violation.certain for violation in verdict.violations)
    assert {violation.rule for violation in verdict.violations} <= set(GAME.rules)
    assert verdict.witness is None


def test_the_witness_names_squares_in_the_order_of_play(position: Position) -> None:
    witness = GAME.check(position("R32 . B2< B1\nR2v . . .\n. . . .")).witness
    assert witness is not None
    assert sorted(witness) == ["A2", "A3", "A3", "C3", "D3"]  # A3 twice: the 3, then the 2 on it
    assert witness.index("A3") < witness.index("A2")
    assert witness.index("D3") < witness.index("C3")


def test_an_attack_waits_for_what_it_would_prevent(position: Position) -> None:
    # The blue 2 on B1 neutralises the red tower; red must have branched before.
    witness = GAME.check(position(". . . .\nR3^ . . .\nR3 B2< B1 .")).witness
    assert witness is not None
    assert witness.index("A1") < witness.index("A2") < witness.index("B1")


def test_a_position_without_an_order_has_no_witness_and_no_violation(position: Position) -> None:
    # C2 can only have been spored from the 1 on B2, but that 1 neutralises it at once.
    verdict = GAME.check(position("R1 R1> R3 .\n. . . ."))
    assert verdict.violations == ()
    assert verdict.witness is None
    assert "was not found" in verdict.notes[0]
