"""Builds, branches and spores, one rule a row."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.sprawl import GAME
from engine.sprawl.state import State

Position = Callable[..., State]


def moves(state: State, colour: str, action: str, at: str = "") -> list[str]:
    """A colour's moves of one kind as ``C2 red1`` or ``C2 red1 east``, sorted."""
    return sorted(
        " ".join([move["at"], move["piece"], *([move["points"]] if "points" in move else [])])
        for move in (move.to_json() for move in GAME.moves(state))
        if move["action"] == action and move["piece"][:-1] == colour and move["at"].startswith(at)
    )


def test_the_questions_under_the_rules_picture(position: Position) -> None:
    # Targeting is not blocked: red's 2 on B2 targets D2, beyond the green tower that it neutralises.
    state = position("Y1 . . . .\nY1v . . . .\nR21 R2> G3 . .\n. . . . .")
    assert moves(state, "red", "spore") == ["D2 red1", "D2 red2", "D2 red3"]
    assert moves(state, "green", "branch") == moves(state, "green", "build") == []


@pytest.mark.parametrize(
    ("board", "variants", "builds"),
    [
        (". .\nR3 .", "", ["A1 red2"]),  # exactly one smaller
        (". .\nR32 .", "", ["A1 red1"]),
        (". .\nR321 .", "", []),  # nothing goes on a 1
        (". .\nB3 .", "", []),  # not red's
        (". . .\nR3 B2< B1", "", []),  # neutralised
        (". . .\nR3 B3< B1", "", ["A1 red2"]),  # attacked, but live
        ("R1> B3 .\n. . .", "", []),  # targeted, but only Sprawlgami lets red build there
        ("R1 R1> B31 .\n. . . .", "sprawlgami", []),
        ("R1 R1> B3 .\n. . . .", "sprawlgami", []),  # red's own 1 neutralises it
        ("R1 R2> . B3\n. . . .", "sprawlgami", ["D2 red2"]),
        ("R1 R2> . B32\n. . . .", "sprawlgami", ["D2 red1"]),
        ("R1 . R2> B3\n. . . .", "sprawlgami", []),  # not targeted: three away would be
        (". R3B2 .\n. . .", "sprawlgami", []),  # blue controls it now
        ("B1 . . .\nB2v . . .\nR1 R2> . B3", "sprawlgami", []),  # targeted from a neutralised tower
        ("R2 R2 R2 R2\nR2 R3 . .", "", ["A1 red1", "A2 red1", "B2 red1", "C2 red1", "D2 red1"]),  # no 2 is left
    ],
)
def test_builds(position: Position, board: str, variants: str, builds: list[str]) -> None:
    assert moves(position(board, variants, "red, blue"), "red", "build") == builds


@pytest.mark.parametrize(
    ("board", "variants", "at", "branches"),
    [
        # From a tower: any size, directly away.
        (". . .\nR1 . .", "", "B1", ["B1 red1 east", "B1 red2 east", "B1 red3 east"]),
        (
            ". . .\nR1 . .",
            "loose-branching",
            "B1",
            [f"B1 red{n} {way}" for n in (1, 2, 3) for way in ("east", "north")],
        ),
        (". . .\nR1 . .", "", "A2", []),  # directly away would be off the board
        (". . .\nR1 B2> .", "", "B1", []),  # not vacant
        (". . .\nR1 R2< B1", "", "A2", []),
        (". . . .\nR3B2 . . .", "sprawlgami", "B1", []),  # blue controls the tower
        ("B1 . .\nB2v . .\nR1 . .", "", "B1", []),  # neutralised
        # From the side of a branch point: one smaller, directly away.
        (". . . .\n. . . .\nR32 R3> B1 .", "", "B2", ["B2 red2 north"]),
        (". . . .\n. . . .\nR32 R2> B1 .", "", "B2", ["B2 red1 north"]),
        (". . . .\n. . . .\nR32 R1> B1 .", "", "B2", []),  # nothing comes from a 1
        (". . . .\n. . . .\nR3 R3> B1 .", "", "B2", []),  # the tower is too low for a second piece
        # In front of a branch point: one smaller, anywhere but back.
        (". . . .\n. . . .\nR32 R3> . .", "", "C1", ["C1 red2 east", "C1 red2 north"]),
        (". . . .\n. . . .\nR32 R3> . .", "strict-branching", "C1", ["C1 red2 east"]),
        (". . . .\n. . . .\nR32 R3> R2^ .", "", "C2", []),  # a third piece on two
        (". . . .\n. . . .\nR321 R3> R2^ .", "", "C2", ["C2 red1 east", "C2 red1 north", "C2 red1 west"]),
        ("B1 . . .\nB1v . . .\nR32 R3> . .", "", "C1", []),  # on a neutralised tower
    ],
)
def test_branches(position: Position, board: str, variants: str, at: str, branches: list[str]) -> None:
    assert moves(position(board, variants), "red", "branch", at) == branches


@pytest.mark.parametrize(
    ("board", "variants", "spores"),
    [
        (". . . .\nR1 R2> . .", "", ["D1 red1", "D1 red2", "D1 red3"]),  # two away, any size
        (". . . .\nR1 R1> . .", "", ["C1 red1"]),  # the 1 that targets C1 would neutralise others at once
        (". . . .\nR1 R1> . .", "own-branch-harmless", ["C1 red1", "C1 red2", "C1 red3"]),
        (". . . .\nR1 R1> . .", "superior-forces", ["C1 red1", "C1 red2", "C1 red3"]),
        (". . . .\nR1 R3> . .", "", []),  # targets a square off the board
        (". . . .\nR1 R2> . B1", "", []),  # not vacant
        (". . . .\nR1 R2> B1 .", "", ["D1 red1", "D1 red2", "D1 red3"]),  # over anything
        (". . . B1\n. . . B2v\nR1 R2> . .", "", ["D1 red2"]),  # attacked by a blue 2
        ("B1 . . .\nB2v . . .\nR1 R2> . .", "", []),  # from a neutralised tower
        ("B1 . . .\nB1v . . .\nR1 R2> . .", "", ["D1 red1", "D1 red2", "D1 red3"]),  # attacked, but live
    ],
)
def test_spores(position: Position, board: str, variants: str, spores: list[str]) -> None:
    assert moves(position(board, variants), "red", "spore") == spores


def test_the_first_tower_may_stand_anywhere_also_where_it_falls(position: Position) -> None:
    state = position(". . .\nR1 R3> .", colours="red, blue")
    assert len(moves(state, "blue", "spore")) == 4 * 3
    assert "C1 blue1" in moves(state, "blue", "spore")


def test_nothing_is_played_with_pieces_that_the_stash_lacks(position: Position) -> None:
    state = position("R3 R3 . .\nR3 R3 R3 .")
    assert not any(move.action["piece"] == "red3" for move in GAME.moves(state))
    assert any(move.action["piece"] == "red2" for move in GAME.moves(state))


def spores_on(state: State, at: str) -> set[str]:
    """Red's spores on a square, each as its sizes bottom first."""
    return {
        "".join(name[-1] for name in (move.action["piece"], *move.action.get("builds", ())))
        for move in GAME.moves(state)
        if move.action["action"] == "spore" and move.action["at"] == at and move.action["piece"].startswith("red")
    }


@pytest.mark.parametrize(
    ("board", "variants", "stacks"),
    [
        # One branch point targets D2: no further build.
        (". . . . . . .\nR1 R2> . . . . R1\n. . . . . . .", "overload", {"1", "2", "3"}),
        # Two of them, the second from F2: one build.
        (". . . . . . .\nR1 R2> . . . R2< R1\n. . . . . . .", "overload", {"1", "2", "3", "21", "32"}),
        (". . . . . . .\nR1 R2> . . . R2< R1\n. . . . . . .", "", {"1", "2", "3"}),
        # A third from D4: a whole tower at once.
        (
            ". . . R1 . . .\n. . . R2v . . .\n. . . . . . .\nR1 R2> . . . R2< R1\n. . . . . . .",
            "overload",
            {"1", "2", "3", "21", "32", "321"},
        ),
        # The tower on G2 is neutralised, so F2 does not count.
        (
            ". . . . . . B1\n. . . . . . B2v\nR1 R2> . . . R2< R1\n. . . . . . .",
            "overload",
            {"1", "2", "3"},
        ),
        # A blue 1 attacks D2, and it counts after the last build: a lone 2 would fall, 2-1 stands.
        (
            ". . . B1 . . .\n. . . B1v . . .\nR1 R2> . . . R2< R1\n. . . . . . .",
            "overload",
            {"1", "21"},
        ),
    ],
)
def test_overload_builds_once_for_every_further_branch_point(
    position: Position, board: str, variants: str, stacks: set[str]
) -> None:
    assert spores_on(position(board, variants), "D2") == stacks


def test_open_sources_allow_what_some_reading_allows(position: Position) -> None:
    # The 1 on C2 hangs on A2, which is neutralised, or on E2, which is not; it targets C3.
    state = position("B1 . . . .\nB3v . . . .\nR21 R2> R1^ R2< R21\n. . . . .")
    assert "C3 red1" in moves(state, "red", "spore")


def test_moves_say_what_they_are(position: Position) -> None:
    texts = {move.text for move in GAME.moves(position(". . .\nR3 . .", colours="red"))}
    assert "build red2 on A1" in texts
    assert "branch red2 on B1 pointing east" in texts
