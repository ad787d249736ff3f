"""Attacks, what goes back, stash points, open sources and the notes that go with them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.sheet import Score
from engine.sprawl import GAME
from engine.sprawl import forest as forest_module
from engine.sprawl.board import DIRECTIONS, Branch, Cell, Piece, Square, Tower
from engine.sprawl.forest import Forest
from engine.sprawl.score_notes import outcomes
from engine.sprawl.state import State

Position = Callable[..., State]


def item_of(score: Score, colour: str) -> dict[str, Any]:
    return next(item.to_json() for item in score.items if item.owner == colour)


def note_with(score: Score, words: str) -> str:
    return next((note for note in score.notes if words in note), "")


def test_the_questions_under_the_rules_picture(position: Position) -> None:
    # Red's 2 attacks the green tower; yellow's 1 attacks the red tower, which has a 1 itself.
    score = GAME.score(position("Y1 . . . .\nY1v . . . .\nR21 R2> G3 . .\n. . . . ."))
    assert score.totals == {"red": 30 - 5, "yellow": 30 - 2, "green": 30}
    assert score.winner == "red"
    assert score.extra == {}  # nothing is open here
    green = item_of(score, "green")
    assert green["returned"] == [{"at": "C2", "piece": "green3", "tower": "C2", "neutralised_by": ["B2"]}]
    assert item_of(score, "red")["returned"] == []


# Blue's branch on B1 attacks C1, from the blue tower on A1.
@pytest.mark.parametrize(
    ("attacker", "tower", "falls"),
    [
        ("B1>", "R321", False),
        ("B2>", "R321", False),
        ("B3>", "R321", False),  # one of each size: never
        ("B1>", "R32", True),
        ("B2>", "R32", False),
        ("B3>", "R32", False),
        ("B1>", "R21", False),
        ("B3>", "R21", True),
        ("B1>", "R1", False),
        ("B2>", "R1", True),
        ("B3>", "R3", False),
        ("B2>", "R3", True),  # smaller than the tower, but a size that it lacks
    ],
)
def test_a_tower_falls_to_a_size_that_it_lacks(position: Position, attacker: str, tower: str, falls: bool) -> None:
    state = position(f". . . .\nB321 {attacker} {tower} .")
    pips = state.towers[Square(2, 0)].pips
    assert GAME.score(state).totals["red"] == (30 if falls else 30 - pips)


# Attackers of blue around the tower in the middle, each from its own blue tower of size 1.
@pytest.mark.parametrize(
    ("north", "east", "west", "tower", "falls"),
    [
        ("B3v", "B3<", ".", "R321", False),  # 6 against 6
        ("B3v", "B3<", "B1>", "R321", True),  # 7 against 6: here a 3-2-1 tower falls too
        ("B1v", ".", ".", "R2", False),  # 1 against 2, though the tower has no 1
        ("B2v", ".", ".", "R2", False),
        ("B2v", "B1<", ".", "R2", True),  # 3 against 2, though one of them is a 2
    ],
)
def test_superior_forces(position: Position, north: str, east: str, west: str, tower: str, falls: bool) -> None:
    board = f". . B1 . .\n. . {north} . .\nB1 {west} {tower} {east} B1\n. . . . ."
    pips = position(board).towers[Square(2, 1)].pips
    assert GAME.score(position(board, "superior-forces")).totals["red"] == (30 if falls else 30 - pips)


def test_branches_go_back_with_their_tower_and_still_attack(position: Position) -> None:
    # Green's tower falls to blue, with the chain on it; yet green's 3 at its end still neutralises red.
    board = """B1 . . . .
               B2v . . . .
               G3 G3> R21 . .
               . G2v . . ."""
    score = GAME.score(position(board))
    assert score.totals == {"red": 30, "green": 30, "blue": 27}
    assert [entry["at"] for entry in item_of(score, "green")["returned"]] == ["A2", "B1", "B2"]
    assert {entry["tower"] for entry in item_of(score, "green")["returned"]} == {"A2"}
    assert item_of(score, "red")["returned"][0]["neutralised_by"] == ["B2"]


def test_own_branches_neutralise_unless_the_option_says_no(position: Position) -> None:
    board = ". . . .\nR32 R1> R2 ."
    score = GAME.score(position(board))
    assert score.totals == {"red": 30 - 6}
    assert "own-branch-harmless" in note_with(score, "C1")
    harmless = GAME.score(position(board, "own-branch-harmless"))
    assert harmless.totals == {"red": 30 - 8}
    assert note_with(harmless, "own-branch-harmless") == ""


def test_no_note_about_own_branches_where_an_opponent_does_it_too(position: Position) -> None:
    score = GAME.score(position("B1 . . .\n. . B1v .\nR32 R1> R2 ."))
    assert score.totals["red"] == 30 - 6
    assert note_with(score, "own-branch-harmless") == ""


def test_sprawlgami_pieces_go_back_by_their_own_colour(position: Position) -> None:
    # The tower has red below and blue on top; green's 1 takes it down, with red's branch on it.
    board = ". G1 . . .\n. G1v . . .\n. R3B2 R3> . .\n. . . . ."
    score = GAME.score(position(board, "sprawlgami"))
    assert score.totals == {"red": 30, "green": 28, "blue": 30}
    assert [entry["piece"] for entry in item_of(score, "red")["returned"]] == ["red3", "red3"]
    assert [entry["piece"] for entry in item_of(score, "blue")["returned"]] == ["blue2"]
    live = GAME.score(position(board.replace("G1v", "."), "sprawlgami"))
    assert live.totals == {"red": 24, "green": 29, "blue": 28}


def test_sprawlgami_own_means_the_colour_on_top(position: Position) -> None:
    # Blue's 1 points at a tower that blue controls, though red started it.
    board = ". . . .\nB1 B1> R3B2 ."
    assert GAME.score(position(board, "sprawlgami, own-branch-harmless")).totals == {"red": 27, "blue": 26}
    assert GAME.score(position(board, "sprawlgami")).totals == {"red": 30, "blue": 28}


def test_a_colour_without_pieces_keeps_thirty_points(position: Position) -> None:
    score = GAME.score(position(". .\nR3 .", colours="red, blue"))
    assert score.totals == {"red": 27, "blue": 30}
    assert score.left == {"red": {"1": 5, "2": 5, "3": 4}, "blue": {"1": 5, "2": 5, "3": 5}}


def test_equal_points_are_a_draw_with_the_designers_tie_break(position: Position) -> None:
    # Blue neutralises green's 2; red and blue both have three points on the board.
    score = GAME.score(position("R3 . . .\n. . . .\nB2 B1> G2 ."))
    assert (score.totals["red"], score.totals["blue"], score.winner) == (27, 27, None)
    assert note_with(score, "tie-break").endswith("red 0, blue 2.")
    # Red neutralised nothing but its own 2.
    own = GAME.score(position(". . B321 .\n. . . .\nR32 R1> R2 ."))
    assert own.winner is None
    assert note_with(own, "tie-break").endswith("red 0, blue 0.")


def test_counting_coup(position: Position) -> None:
    board = ". .\nR3 B2"
    without = GAME.score(position(board, "counting-coup"))
    assert without.totals == {"red": 27, "blue": 28}
    assert "extras.coup" in note_with(without, "Counting Coup")
    entered = GAME.score(position(board, "counting-coup", extras={"coup": {"blue": 2}}))
    assert (entered.totals, entered.winner) == ({"red": 27, "blue": 26}, "blue")
    assert note_with(entered, "Coup") == ""
    off = GAME.score(position(board, extras={"coup": {"blue": 2}}))
    assert off.totals == {"red": 27, "blue": 28}
    assert "not subtracted" in note_with(off, "extras.coup")


def test_a_branch_without_a_source_counts_as_live(position: Position) -> None:
    score = GAME.score(position(". . .\n. R3> .\n. . ."))
    assert score.totals == {"red": 27}
    assert "B2" in note_with(score, "counted as live")


# --- where it is open what a branch point hangs on ----------------------------------------------
FORK = """A4 . . . .
          A3 . . . .
          R21 R2> R1^ R2< R21
          . . . . ."""


def test_open_sources_that_make_no_difference(position: Position) -> None:
    score = GAME.score(position(FORK.replace("A4", ".").replace("A3", ".")))
    assert score.totals == {"red": 30 - 11}
    assert "the score is the same" in note_with(score, "C2")
    assert item_of(score, "red")["open"] == [{"at": "C2", "towers": ["A2", "E2"]}]
    assert score.to_json()["readings"] == {
        "differ": False,
        "totals": {"red": [19]},
        "winners": ["red"],
        "all_tried": True,
    }


def test_open_sources_that_make_a_difference(position: Position) -> None:
    # Blue takes the tower on A2 down. If the 1 on C2 came from there it goes back too.
    score = GAME.score(position(FORK.replace("A4", "B1").replace("A3", "B3v")))
    assert score.totals == {"red": 24, "blue": 26}
    assert item_of(score, "red")["possible_points"] == [24, 25]
    assert "red has 24 or 25 points (the result stays the same)" in note_with(score, "differ")
    level = GAME.score(position(FORK.replace("A4", "B2").replace("A3", "B3v")))
    assert "possible results: red wins, a draw" in note_with(level, "differ")
    assert level.extra["readings"]["winners"] == ["red", None]
    assert level.extra["readings"]["differ"]


def test_the_square_behind_comes_first(position: Position) -> None:
    # Behind the 1 on C2 stands the tower on C1, which has fallen; that D2 points at the 1 does not matter then.
    board = ". . . . .\n. . R1^ R2< R21\nB1 B3> R21 . ."
    assert item_of(GAME.score(position(board)), "red")["open"] == []
    assert GAME.score(position(board)).totals["red"] == 30 - 5
    loose = item_of(GAME.score(position(board, "loose-branching")), "red")
    assert (loose["possible_points"], loose["open"]) == ([24, 25], [{"at": "C2", "towers": ["C1", "E2"]}])


def test_the_square_behind_is_left_only_for_a_tower_that_is_high_enough(position: Position) -> None:
    # Behind C1 lies a 2 on a tower of one piece, too low for a second; the 2 on C2 has a tower of two.
    board = ". . R21 . .\n. . R2v . .\nR3 R2> R1> . ."
    assert Forest(position(board)).best[Square(2, 0)].tower == Square(2, 2)
    without = board.replace("R2v", ".").replace("R21", ".")
    assert Forest(position(without)).best[Square(2, 0)].tower == Square(0, 0)


def test_too_many_readings_give_outer_bounds(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    state = position(FORK.replace("A4", "B1").replace("A3", "B3v"))
    monkeypatch.setattr(forest_module, "MOST_CHOICES", 1)
    score = GAME.score(state)
    assert score.totals == {"red": 24, "blue": 26}
    red = item_of(score, "red")
    assert (red["possible_points"], red["all_readings"]) == ([24, 25], False)
    assert note_with(score, "outer bounds")


def test_estimates_enclose_the_exact_results(arbitrary: Callable[..., State], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(11)
    wider = 0
    for _ in range(300):
        state = arbitrary(rng, rng.choice([(), ("loose-branching",)]))
        exact = {item.owner: item.details["possible_points"] for item in GAME.score(state).items}
        with monkeypatch.context() as patch:
            patch.setattr(forest_module, "MOST_CHOICES", 0)
            rough = {item.owner: item.details["possible_points"] for item in GAME.score(state).items}
        assert all(set(points) <= set(rough[owner]) for owner, points in exact.items())
        wider += rough != exact
    assert wider > 0


def test_a_crowded_board_with_sources_everywhere_takes_no_time() -> None:
    rng = random.Random(5)
    cells: list[tuple[Square, Cell]] = []
    for column in range(12):
        for row in range(12):
            size = 4 - (column + row) % 4
            heap = Tower((Piece("red", rng.choice((2, 3))), Piece("red", 2)))
            branch = Branch(Piece("red", min(size, 3)), rng.choice(DIRECTIONS))
            cells.append((Square(column, row), heap if size == 4 else branch))
    state = State(12, 12, ("red",), tuple(cells), ("loose-branching",))
    began = time.perf_counter()
    GAME.score(state)
    GAME.check(state)
    GAME.moves(state)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    ("possible", "results"),
    [
        ({"red": [5], "blue": [7]}, ("red",)),
        ({"red": [5], "blue": [5]}, (None,)),
        ({"red": [5, 8], "blue": [7]}, ("red", "blue")),
        ({"red": [5, 7], "blue": [7]}, ("red", None)),
        ({"red": [5, 9], "blue": [7], "green": [6, 9]}, ("red", "blue", "green")),  # level at 9 is no draw: 7 is lower
    ],
)
def test_outcomes_of_independent_colours(possible: dict[str, list[int]], results: tuple[str | None, ...]) -> None:
    assert outcomes(possible) == results


# --- the end of the game -------------------------------------------------------------------------
def test_the_game_is_over_when_somebody_has_no_move(position: Position) -> None:
    # Red's only tower is neutralised.
    score = GAME.score(position(". . . .\n. . . .\nR3 B2< B1 ."))
    assert score.over
    assert "Red has no move" in note_with(score, "no move")
    assert score.could_play == ()


def test_a_game_that_goes_on_says_what_could_be_played(position: Position) -> None:
    score = GAME.score(position(". .\nR2 .", colours="red, blue"))
    assert not score.over
    # Red: a 1 on its 2; three sizes on each of two squares, pointing away: only off the board, so none.
    assert score.could_play == ("red: 1 build", "blue: 9 spores")


def test_more_pieces_than_a_set_has_are_mentioned(position: Position) -> None:
    assert "Red has more pieces" in note_with(GAME.score(position("R3 R3 R3\nR3 R3 R3")), "more pieces")
