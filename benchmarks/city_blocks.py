"""How fast City Blocks answers, and which solver cuts a colour's squares into pieces best.

    python -m benchmarks.city_blocks

OR-tools is measured only where it is installed (pip install ortools): the engine does not need it.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.city_blocks import GAME, CityBlocks, random_blokus_game
from engine.city_blocks.board import COLOURS, SIZE, mask_of, neighbours, squares_in
from engine.city_blocks.cover import Answer, Cover, Problem, is_cover, search, solve
from engine.city_blocks.highs import solve_with_highs
from engine.city_blocks.inventory import cut, left, problem_of, set_of
from engine.city_blocks.moves import what_is_left
from engine.city_blocks.pieces import pieces

# A question counts as settled if the answer took this much processor time at most. The clock gives more,
# so that the figures do not depend on what else the machine does.
LIMIT = 2.0
CLOCK = 4 * LIMIT
Solver = Callable[[Problem, float], Cover]


# --- the questions ---------------------------------------------------------------------------
def families() -> dict[str, list[Problem]]:
    city = set_of(plain=False)
    ends = [list(GAME.random_game(random.Random(seed)))[-1] for seed in range(30)]
    plain_ends = [list(random_blokus_game(random.Random(seed)))[-1] for seed in range(15)]
    return {
        "City Blocks ends": [problem_of(end.played(c, plain=False), city) for end in ends for c in COLOURS],
        "plain Blokus ends": [problem_of(end.squares(c), set_of(plain=True)) for end in plain_ends for c in COLOURS],
        "8 x 11, whole set": [problem_of(rectangle(8, 11), city)],
        "8 x 11, square moved": [problem_of(square_moved(seed), city) for seed in range(5)],
        "blobs of 88 squares": [problem_of(blob(88, seed), city) for seed in range(8)],
        "3 x 20 by pentominoes": [problem_of(rectangle(3, 20) | small_pieces_apart(), city)],
        "8 x 11 less 1 (none)": [problem_of(rectangle(8, 11) & ~1, city)],
        "2 wide, 72-88 (none)": [problem_of(snake(count), city) for count in range(72, 89, 4)],
    }


def rectangle(height: int, width: int) -> int:
    return mask_of(row * SIZE + column for row in range(height) for column in range(width))


def square_moved(seed: int) -> int:
    """The 8 x 11 rectangle with one of its squares taken out and put beside it."""
    rng = random.Random(seed)
    whole = rectangle(8, 11)
    return whole & ~(1 << rng.choice(list(squares_in(whole)))) | 1 << rng.choice(list(squares_in(neighbours(whole))))


def blob(count: int, seed: int) -> int:
    """A connected area that grew by random squares."""
    rng = random.Random(seed)
    grown = 1 << (10 * SIZE + 10)
    while grown.bit_count() < count:
        grown |= 1 << rng.choice(list(squares_in(neighbours(grown))))
    return grown


def small_pieces_apart() -> int:
    """The eight pieces of two to four squares, none beside another, so that a block needs all pentominoes."""
    free = mask_of(range(7 * SIZE, SIZE * SIZE))
    apart = 0
    for piece in pieces().values():
        if 1 < piece.size < 5:
            placed = next(piece.placements(free))
            apart |= placed
            free &= ~placed & ~neighbours(placed)
    return apart


def snake(count: int) -> int:
    """The first squares of a band two wide that winds down the board: the wide pentominoes find no room."""
    band = [row * SIZE + column for row in (0, 1) for column in range(SIZE)]
    joint = [2 * SIZE + SIZE - 2, 2 * SIZE + SIZE - 1]
    lower = [row * SIZE + column for column in reversed(range(SIZE)) for row in (3, 4)]
    tail = [row * SIZE + column for row in (5, 6, 7) for column in (0, 1)]
    return mask_of((band + joint + lower + tail)[:count])


# --- the solvers -----------------------------------------------------------------------------
def plain_search(problem: Problem, deadline: float) -> Cover:
    return search(problem, sys.maxsize, deadline)


def solve_with_cp_sat(problem: Problem, deadline: float) -> Cover:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in problem.placements]
    users: dict[object, list[Any]] = {square: [] for square in squares_in(problem.must)}
    for variable, placement in zip(chosen, problem.placements, strict=True):
        users.setdefault(placement.piece, []).append(variable)
        for square in squares_in(placement.mask):
            users[square].append(variable)
    for thing, variables in users.items():
        (model.add_exactly_one if isinstance(thing, int) else model.add_at_most_one)(variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = max(0.0, deadline - time.monotonic())
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        pairs = zip(chosen, problem.placements, strict=True)
        return Cover(Answer.YES, tuple(placement for variable, placement in pairs if solver.value(variable)))
    return Cover(Answer.NO if status == cp_model.INFEASIBLE else Answer.OPEN)


def solvers() -> dict[str, Solver]:
    found: dict[str, Solver] = {
        "engine (search, then HiGHS)": solve,
        "search alone": plain_search,
        "HiGHS": solve_with_highs,
    }
    try:
        import ortools.sat.python.cp_model  # noqa: F401
    except ImportError:
        print("OR-tools is not installed; CP-SAT is left out.\n")
    else:
        found["CP-SAT"] = solve_with_cp_sat
    return found


# --- the tables ------------------------------------------------------------------------------
def compare_solvers() -> None:
    print(f"{'question':24}{'solver':30}{'settled':>9}{'median ms':>11}{'max ms':>9}  (processor time)")
    candidates = solvers()
    for family, problems in families().items():
        for name, solver in candidates.items():
            times, settled = [], 0
            for problem in problems:
                start = time.process_time()
                found = solver(problem, time.monotonic() + CLOCK)
                seconds = time.process_time() - start
                times.append(1000 * seconds)
                settled += found.answer is not Answer.OPEN and seconds <= LIMIT
                assert found.answer is not Answer.YES or is_cover(problem, found.chosen)
            counts = f"{settled}/{len(problems)}"
            print(f"{family:24}{name:30}{counts:>9}{statistics.median(times):11.1f}{max(times):9.1f}")


def count_open_questions() -> None:
    """How often the engine gives up at its own bound, on areas that played no part in choosing its attempts."""
    problems = [problem_of(blob(88, seed), set_of(plain=False)) for seed in range(1000, 1400)]
    answers = [solve(problem, time.monotonic() + LIMIT).answer for problem in problems]
    print(f"\n{len(problems)} further areas of 88 squares, 2 s on the clock: {answers.count(Answer.OPEN)} stayed open")


def time_the_engine() -> None:
    states = [list(GAME.random_game(random.Random(seed)))[-1] for seed in range(100)]
    actions: dict[str, Callable[[CityBlocks], Any]] = {"check": GAME.check, "score": GAME.score, "moves": GAME.moves}
    print(f"\n{'end positions':24}{'median ms':>11}{'max ms':>9}")
    for name, action in actions.items():
        times = []
        for state in states:
            for cached in (cut, left, what_is_left):
                cached.cache_clear()
            start = time.process_time()
            action(state)
            times.append(1000 * (time.process_time() - start))
        print(f"{name:24}{statistics.median(times):11.1f}{max(times):9.1f}")
    start = time.process_time()
    games = [sum(1 for _ in GAME.random_game(random.Random(seed))) for seed in range(30)]
    seconds = time.process_time() - start
    print(f"{'random game':24}{1000 * seconds / len(games):11.1f}")


def time_a_fresh_process() -> None:
    """From process start to the printed score, without the command around it."""
    state = list(GAME.random_game(random.Random(1)))[-1]
    code = (
        "import sys; from pathlib import Path; from engine.documents import load_position\n"
        "position = load_position(Path(sys.argv[1]))\n"
        "position.game.check(position.state); print(position.game.score(position.state).totals)"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.txt"
        path.write_text(GAME.diagram(state), encoding="utf-8")
        times = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True)
            times.append(1000 * (time.perf_counter() - start))
    print(f"{'check + score, process':24}{statistics.median(times):11.1f}{max(times):9.1f}")


if __name__ == "__main__":
    compare_solvers()
    count_open_questions()
    time_the_engine()
    time_a_fresh_process()
