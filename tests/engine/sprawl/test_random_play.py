"""Played games keep every rule, their witnesses replay, and the side that a board is seen from changes nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sprawl import GAME
from engine.sprawl.board import Branch, Square, Tower
from engine.sprawl.forest import Forest
from engine.sprawl.moves import BRANCH, BUILD, SPORE, Placement, breach
from engine.sprawl.play import random_game
from engine.sprawl.state import LOOSE_BRANCHING, STRICT_BRANCHING, VARIANTS, State

seeds = st.integers(0, 2**32 - 1)
some_variants = st.sets(st.sampled_from(VARIANTS)).map(
    lambda chosen: tuple(sorted(chosen - {STRICT_BRANCHING} if LOOSE_BRANCHING in chosen else chosen))
)


def replayed(witness: tuple[str, ...], state: State) -> State:
    """The position that a witness leads to, each placement checked; a square's pieces come bottom first."""
    board = State(state.columns, state.rows, state.colours, variants=state.variants)
    names = list(witness)
    while names:
        placement = _next_placement(names, board, state)
        assert breach(Forest(board), placement) is None, (placement, GAME.diagram(board))
        board = placement.on(board)
        del names[: len(placement.squares)]
    return board


def _next_placement(names: list[str], board: State, state: State) -> Placement:
    square = Square.parse(names[0])
    assert square is not None
    cell, here = state.at[square], board.at.get(square)
    if isinstance(cell, Branch):
        return Placement(BRANCH, square, cell.piece, cell.points)
    if isinstance(here, Tower):
        return Placement(BUILD, square, cell.pieces[here.height])
    # An Overload spore names its square once for each piece; the largest legal one is as good as any.
    repeats = next((i for i, name in enumerate(names) if name != names[0]), len(names))
    spores = [Placement(SPORE, square, cell.pieces[0], builds=cell.pieces[1:n]) for n in range(repeats, 0, -1)]
    return next((spore for spore in spores if breach(Forest(board), spore) is None), spores[-1])


@settings(max_examples=20, deadline=None)
@given(seeds, some_variants)
def test_every_position_of_a_random_game_is_legal_and_keeps_the_stock(seed: int, variants: tuple[str, ...]) -> None:
    positions = list(random_game(random.Random(seed), variants=variants))
    for state in positions[:: max(1, len(positions) // 8)] + positions[-1:]:
        assert GAME.check(state).violations == (), GAME.diagram(state)
        assert all(count <= 5 for count in state.placed.values())
    for earlier, later in pairwise(positions):
        assert sum(later.placed.values()) > sum(earlier.placed.values())
        assert set(earlier.branches.items()) <= set(later.branches.items())


@settings(max_examples=20, deadline=None)
@given(seeds, some_variants)
def test_witnesses_replay(seed: int, variants: tuple[str, ...]) -> None:
    positions = list(random_game(random.Random(seed), variants=variants))
    for state in (positions[len(positions) // 2], positions[-1]):
        witness = GAME.check(state).witness
        if witness is not None:
            assert replayed(witness, state).cells == state.cells


def test_almost_every_played_position_has_a_witness() -> None:
    finals = [list(random_game(random.Random(seed)))[-1] for seed in range(40)]
    assert sum(GAME.check(state).witness is not None for state in finals) >= 38


def mirrored(state: State) -> State:
    other_way = {"east": "west", "west": "east"}
    cells = tuple(
        (
            Square(state.columns - 1 - square.column, square.row),
            Branch(cell.piece, other_way.get(cell.points, cell.points)) if isinstance(cell, Branch) else cell,
        )
        for square, cell in state.cells
    )
    return replace(state, cells=cells)


def summary(state: State) -> object:
    """All of a sheet that does not name squares."""
    score = GAME.score(state)
    rules = Counter(violation.rule for violation in GAME.check(state).violations)
    items = [(item.owner, item.points, item.details["possible_points"]) for item in score.items]
    return score.totals, score.winner, items, score.over, len(GAME.moves(state)), rules


@pytest.mark.parametrize("seed", range(30))
def test_turning_or_mirroring_changes_nothing(
    seed: int, arbitrary: Callable[..., State], rooted: Callable[..., State]
) -> None:
    rng = random.Random(seed)
    variants = rng.choice([(), (STRICT_BRANCHING,), (LOOSE_BRANCHING,), ("superior-forces", "sprawlgami")])
    played = list(random_game(rng, variants=variants))[-1]
    for state in (arbitrary(rng, variants), rooted(rng, variants), played):
        expected = summary(state)
        for seen in (*GAME.turns(state), state.turned(), mirrored(state), mirrored(state.turned())):
            assert summary(seen) == expected, GAME.diagram(state)


def test_games_are_played_as_the_rules_set_them_up() -> None:
    for players, board in ((3, (5, 6)), (4, (6, 6)), (6, (6, 6)), (7, (8, 8)), (8, (8, 8))):
        *_, last = random_game(random.Random(players), players, on_chess_board=False)
        assert (last.columns, last.rows) == board
        assert len(last.colours) == players
        assert GAME.score(last).over
    *_, part = random_game(random.Random(1), 4, on_chess_board=True)
    assert (part.columns, part.rows) == (8, 8)


def test_games_show_the_whole_game() -> None:
    """Full towers, turned branches, spores, attacks: a photo studio needs all of them."""
    kinds: Counter[str] = Counter()
    for seed in range(30):
        first, *_, last = GAME.random_game(random.Random(seed))
        assert first.cells == ()
        kinds["full towers"] += sum(tower.height == 3 for tower in last.towers.values())
        kinds["fallen towers"] += len(Forest(last).neutralised)
        kinds["long chains"] += sum(standing.depth > 1 for standing in Forest(last).best.values())
        towers: Counter[str] = Counter(tower.pieces[0].colour for tower in last.towers.values())
        kinds["spores"] += sum(count - 1 for count in towers.values())
    assert all(count > 10 for count in kinds.values()), kinds
    assert len(kinds) == 4


def test_the_same_seed_plays_the_same_game() -> None:
    assert list(GAME.random_game(random.Random(7))) == list(GAME.random_game(random.Random(7)))
