"""Two positions: what was played in between, in an order that is legal if one is."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.errors import UsageError
from engine.sprawl import GAME
from engine.sprawl.play import random_game
from engine.sprawl.state import VARIANTS, State

Position = Callable[..., State]


def steps(before: State, after: State) -> list[tuple[str, str, str | None]]:
    """The steps as (action, square, broken rule)."""
    found = GAME.compare(before, after).steps
    assert all(step.legal == (step.rule is None) for step in found)
    return [(step.move.action["action"], step.move.action["at"], step.rule) for step in found]


def test_nothing_was_played(position: Position) -> None:
    state = position(". .\nR3 .")
    comparison = GAME.compare(state, state)
    assert (comparison.steps, comparison.violations, comparison.notes) == ((), (), ())


def test_legal_steps_come_in_an_order_that_works(position: Position) -> None:
    before = position(". . . . .\n. . . . .\nR3 . B1 . .")
    # Blue's 1 neutralises red's tower, so red has built and branched before.
    after = position("R1> . . . .\nR2^ . . . .\nR32 B1< B1 . .")
    found = steps(before, after)
    assert {rule for *_, rule in found} == {None}
    order = [(action, at) for action, at, _ in found]
    assert sorted(order) == [("branch", "A2"), ("branch", "A3"), ("branch", "B1"), ("build", "A1")]
    assert order[-1] == ("branch", "B1")
    assert order.index(("build", "A1")) < order.index(("branch", "A3"))  # a chain of two needs a tower of two


@pytest.mark.parametrize(
    ("before", "after", "step"),
    [
        (". . . .\nR3 . . .", ". . . .\nR32 . . .", ("build", "A1", None)),
        (". . . .\nR3 . . .", ". . . .\nR31 . . .", ("build", "A1", "stack-order")),  # not one smaller
        (". . . .\nR3 . . .", ". . . .\nR3B2 . . .", ("build", "A1", "stack-order")),  # not blue's tower
        (". . . .\nR3 B2< B1 .", ". . . .\nR32 B2< B1 .", ("build", "A1", "neutralised")),
        (". . . .\nR3 . . .", ". . . .\nR3 R2> . .", ("branch", "B1", None)),
        (". . . .\nR3 . . .", ". . . .\nR3 R2^ . .", ("branch", "B1", "branch-source")),
        (". . . .\nR3 . . .", "R2^ . . .\nR3 . . .", ("branch", "A2", "points-off")),
        (". . . .\nR3 R3> . .", ". . . .\nR3 R3> R2> .", ("branch", "C1", "chain-length")),
        ("B1 . . .\nB2v . . .\nR3 . . .", "B1 . . .\nB2v . . .\nR3 R2> . .", ("branch", "B1", "neutralised")),
        (". . . .\nR3 R2> . .", ". . . .\nR3 R2> . R3", ("spore", "D1", None)),
        (". . . .\nR3 R2> . .", ". . . .\nR3 R2> R3 .", ("spore", "C1", "first-tower")),  # not targeted
        (". . . .\nR3 R1> . .", ". . . .\nR3 R1> R3 .", ("spore", "C1", "neutralised")),  # at once
        (". . . .\nR3 . . .", ". . . .\nR3 . . B2", ("spore", "D1", None)),  # blue's first tower
        ("R1 R1 R1 R1\nR1 R2 . .", "R1 R1 R1 R1\nR1 R21 . .", ("build", "B1", "inventory")),
    ],
)
def test_a_single_step(position: Position, before: str, after: str, step: tuple[str, str, str | None]) -> None:
    assert steps(position(before, colours="red, blue"), position(after, colours="red, blue")) == [step]


def test_after_an_illegal_step_the_others_are_judged_as_they_lie(position: Position) -> None:
    before = position(". . . . .\nR3 . . . .")
    # The 1 on C1 has no source; the tower on D1 is a target of that 1, so it follows legally.
    after = position(". . . . .\nR3 . R1> R1 .")
    assert steps(before, after) == [("branch", "C1", "branch-source"), ("spore", "D1", None)]
    assert GAME.compare(before, after).notes


def test_overload_steps_are_spores_with_builds(position: Position) -> None:
    before = position(". . . B1 . . .\n. . . B1v . . .\nR1 R2> . . . R2< R1\n. . . . . . .", "overload")
    after = position(". . . B1 . . .\n. . . B1v . . .\nR1 R2> . R21 . R2< R1\n. . . . . . .", "overload")
    (step,) = GAME.compare(before, after).steps
    assert step.legal
    assert step.move.action["builds"] == ["red1"]


@pytest.mark.parametrize(
    ("after", "gone"),
    [
        (". . .\n. . R2<", ["A1"]),  # moved away
        (". . .\nR2^ . .", ["A1"]),  # turned round
        (". . .\nR2 . .", ["A1"]),  # stood up
    ],
)
def test_moved_pieces_are_named(position: Position, after: str, gone: list[str]) -> None:
    comparison = GAME.compare(position(". B1 .\nR2> . ."), position(after.replace(". . .\n", ". B1 .\n")))
    assert [violation.rule for violation in comparison.violations] == ["moved"]
    assert [at for violation in comparison.violations for at in violation.at] == gone


def test_a_tower_that_lost_its_top_has_moved(position: Position) -> None:
    comparison = GAME.compare(position(". B1\nR32 ."), position(". B1\nR3 ."))
    assert [violation.at for violation in comparison.violations] == [("A1",)]
    # The 3 that is left is a step again, because nothing of the old tower counts.
    assert [step.move.action["at"] for step in comparison.steps] == ["A1"]


def test_the_earlier_board_may_be_seen_from_any_side(position: Position) -> None:
    before = position(". . . .\n. . . .\nR3 R2> . .\nB1 . . .")
    for quarters in range(4):
        turned = before
        for _ in range(quarters):
            turned = turned.turned()
        comparison = GAME.compare(before, turned)
        assert (comparison.steps, comparison.violations) == ((), ())
        assert bool(comparison.notes) == (quarters > 0)


def test_a_long_board_turns_by_halves_and_a_quarter_where_sides_change(position: Position) -> None:
    before = position(". . .\nR3 R2> .")
    assert GAME.compare(before, before.turned()).violations == ()
    assert GAME.compare(before, before.turned().turned()).violations == ()


def test_boards_of_different_size_are_refused(position: Position) -> None:
    with pytest.raises(UsageError, match="2 x 2 and 3 x 2"):
        GAME.compare(position(". .\nR3 ."), position(". . .\nR3 . ."))


def test_played_games_compare_as_legal_over_any_distance() -> None:
    rng = random.Random(8)
    for _ in range(12):
        variants = tuple(rng.sample(VARIANTS[:5], rng.randint(0, 2)))
        positions = list(random_game(rng, variants=variants))
        first, last = sorted(rng.sample(range(len(positions)), 2))
        comparison = GAME.compare(positions[first], positions[last])
        assert comparison.violations == ()
        assert all(step.legal for step in comparison.steps), GAME.diagram(positions[last])
        assert comparison.steps
