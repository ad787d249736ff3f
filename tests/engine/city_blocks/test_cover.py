"""Exact covers against exhaustive search, by both solvers."""

from __future__ import annotations

import itertools
import math
import random
import time
from functools import cache

import pytest

from engine.city_blocks.board import SIZE, mask_of, neighbours, squares_in
from engine.city_blocks.cover import Answer, Cover, Placement, Problem, Search, is_cover, search, solve
from engine.city_blocks.highs import solve_with_highs
from engine.city_blocks.inventory import problem_of, set_of

CITY = set_of(plain=False)


@cache
def shape_of(squares: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """The same for all turns and mirror images of a shape; written without the engine's pieces."""
    forms = []
    for flip, turn in itertools.product((1, -1), range(4)):
        cells = [(r, flip * c) for r, c in squares]
        for _ in range(turn):
            cells = [(c, -r) for r, c in cells]
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        forms.append(sorted((r - top, c - left) for r, c in cells))
    return frozenset(min(forms))


def all_cuts(squares: frozenset[tuple[int, int]], smallest: int = 2) -> list[frozenset[frozenset[tuple[int, int]]]]:
    """Every cut into different polyominoes of up to five squares: all subsets that hold the first square, tried."""
    if not squares:
        return [frozenset()]
    first = min(squares)
    found = []
    for part in parts_with(first, squares):
        if len(part) >= smallest:
            for rest in all_cuts(squares - part, smallest):
                cut = rest | {part}
                if len({shape_of(one) for one in cut}) == len(cut):
                    found.append(cut)
    return found


def parts_with(first: tuple[int, int], squares: frozenset[tuple[int, int]]) -> set[frozenset[tuple[int, int]]]:
    parts = {frozenset({first})}
    layer = parts
    for _ in range(4):
        layer = {
            part | {(r + dr, c + dc)}
            for part in layer
            for r, c in part
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (r + dr, c + dc) in squares and (r + dr, c + dc) not in part
        }
        parts = parts | layer
    return parts


def small_areas(rng: random.Random, most: int) -> int:
    """One to three random areas of some squares each."""
    mask = 0
    for _ in range(rng.randint(1, 3)):
        part = 1 << rng.randrange(400)
        for _ in range(rng.randint(0, most)):
            part |= 1 << rng.choice(list(squares_in(neighbours(part))))
        mask |= part
    return mask


def cells(mask: int) -> frozenset[tuple[int, int]]:
    return frozenset(divmod(square, SIZE) for square in squares_in(mask))


def test_both_solvers_agree_with_exhaustive_search_on_small_boards() -> None:
    rng = random.Random(5)
    answers = []
    for _ in range(150):
        plain = rng.random() < 0.3
        mask = small_areas(rng, 3 if plain else 5)
        problem = problem_of(mask, set_of(plain=plain))
        expected = Answer.YES if all_cuts(cells(mask), 1 if plain else 2) else Answer.NO
        for found in (search(problem, 10**6, math.inf), solve_with_highs(problem, math.inf)):
            assert found.answer is expected
            assert expected is Answer.NO or is_cover(problem, found.chosen)
        answers.append(expected)
    assert 30 < answers.count(Answer.YES) < 130  # both kinds were met


def test_covers_with_and_without_a_piece_agree_with_exhaustive_search() -> None:
    rng = random.Random(6)
    for _ in range(60):
        mask = small_areas(rng, 5)
        cuts = [{shape_of(part) for part in cut} for cut in all_cuts(cells(mask))]
        questions = Search(problem_of(mask, CITY))
        for placement in questions.problem.placements:
            shape = shape_of(cells(placement.mask))
            using = questions.run(10**6, math.inf, using=placement.piece)
            without = questions.run(10**6, math.inf, without=placement.piece)
            assert (using.answer is Answer.YES) == any(shape in cut for cut in cuts)
            assert (without.answer is Answer.YES) == any(shape not in cut for cut in cuts)


def rectangle(height: int, width: int) -> int:
    return mask_of(row * SIZE + column for row in range(height) for column in range(width))


def winding_band(count: int) -> int:
    """Squares of a band two wide, in which several pentominoes find no room."""
    upper = [row * SIZE + column for row in (0, 1) for column in range(SIZE)]
    lower = [row * SIZE + column for column in reversed(range(SIZE)) for row in (3, 4)]
    return mask_of([*upper, 58, 59, *lower, 100, 101, 120, 121][:count])


@pytest.mark.parametrize(
    ("squares", "answer"),
    [
        (rectangle(8, 11), Answer.YES),  # the whole set in one solid block
        (rectangle(8, 11) & ~1 | 1 << (7 * SIZE + 11), Answer.YES),  # one square moved
        (rectangle(8, 11) & ~1, Answer.NO),  # 87 squares: one piece of one square would be left
        (winding_band(86), Answer.NO),  # search alone does not end here, HiGHS proves it
    ],
)
def test_solid_blocks_are_settled_within_the_bound(squares: int, answer: Answer) -> None:
    problem = problem_of(squares, CITY)
    start = time.monotonic()
    # Ten times the bound of the engine: the answer must not depend on how busy this machine is.
    found = solve(problem, start + 20)
    assert found.answer is answer
    assert answer is Answer.NO or is_cover(problem, found.chosen)


@pytest.mark.parametrize("solver", [solve, solve_with_highs, lambda p, d: search(p, 10**9, d)])
def test_the_deadline_holds(solver: object) -> None:
    problem = problem_of(winding_band(86), CITY)
    start = time.monotonic()
    found = solver(problem, start + 0.02)  # type: ignore[operator]
    assert found == Cover(Answer.OPEN)
    assert time.monotonic() - start < 1.5


def test_the_number_of_steps_is_bounded() -> None:
    assert search(problem_of(rectangle(8, 11), CITY), 5, math.inf).answer is Answer.OPEN


def test_nothing_to_cover_is_covered_and_nothing_to_choose_covers_nothing() -> None:
    for solver in (solve, solve_with_highs):
        assert solver(Problem(0, ()), math.inf) == Cover(Answer.YES)
        assert solver(Problem(1, ()), math.inf) == Cover(Answer.NO)


def test_squares_that_may_be_covered_are_covered_once_at_most() -> None:
    # A and C must be covered, B may: two dominoes would both need B, the tromino does it alone.
    dominoes = (Placement("one", 0b011), Placement("two", 0b110))
    for solver in (solve, solve_with_highs):
        assert solver(Problem(0b101, dominoes), math.inf).answer is Answer.NO
        assert solver(Problem(0b101, (*dominoes, Placement("three", 0b111))), math.inf).answer is Answer.YES


@pytest.mark.parametrize(
    ("chosen", "good"),
    [
        ([Placement("a", 0b011), Placement("b", 0b100)], True),
        ([Placement("a", 0b011)], False),  # a square is left
        ([Placement("a", 0b011), Placement("b", 0b110)], False),  # a square twice
        ([Placement("a", 0b011), Placement("a", 0b100)], False),  # a piece twice
    ],
)
def test_is_cover(chosen: list[Placement], good: bool) -> None:
    assert is_cover(Problem(0b111, ()), chosen) is good
