"""Exact cover by HiGHS, the integer programming solver in SciPy."""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from engine.city_blocks.board import squares_in
from engine.city_blocks.cover import Answer, Cover, Problem, is_cover

_OPTIMAL = 0
_INFEASIBLE = 2


def solve_with_highs(problem: Problem, deadline: float) -> Cover:
    """One variable a placement: the squares' sums are 1, those of optional squares and of pieces at most 1."""
    if not problem.placements:
        return Cover(Answer.NO if problem.must else Answer.YES)
    matrix, least = _constraints(problem)
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        return Cover(Answer.OPEN)
    result = milp(
        np.zeros(len(problem.placements)),
        constraints=LinearConstraint(matrix, least, np.ones(len(least))),
        integrality=np.ones(len(problem.placements)),
        bounds=Bounds(0, 1),
        options={"time_limit": seconds},
    )
    if result.status == _INFEASIBLE:
        return Cover(Answer.NO)
    if result.status != _OPTIMAL:
        return Cover(Answer.OPEN)
    chosen = tuple(problem.placements[int(number)] for number in np.flatnonzero(result.x > 0.5))
    # HiGHS computes with floating-point numbers: what it found is believed only after a recount.
    return Cover(Answer.YES, chosen) if is_cover(problem, chosen) else Cover(Answer.OPEN)


def _constraints(problem: Problem) -> tuple[csr_array, np.ndarray]:
    """The matrix with a row for each square and each piece, and the least sum of each row."""
    rows: list[int] = []
    columns: list[int] = []
    row_of: dict[object, int] = {square: row for row, square in enumerate(squares_in(problem.must))}
    needed = len(row_of)
    for column, placement in enumerate(problem.placements):
        for thing in (*squares_in(placement.mask), ("piece", placement.piece)):
            rows.append(row_of.setdefault(thing, len(row_of)))
            columns.append(column)
    least = np.zeros(len(row_of))
    least[:needed] = 1
    shape = (len(row_of), len(problem.placements))
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape), least
