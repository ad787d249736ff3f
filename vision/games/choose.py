"""Choosing one value for every place together, with limits on how often values may occur.

Limits are soft: a value too many costs its limit's odds, so that it stays where it was seen clearly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.reading import Candidate, Guess

Value = Mapping[str, Any] | None
# Values less likely than this are not considered.
LEAST_CONSIDERED = 1e-4


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` values of a kind, unless one more is ``odds`` times likelier than the best way without it."""

    applies: Callable[[Any], bool]
    most: int
    odds: float


def choose(options: Mapping[str, Sequence[Candidate]], limits: Sequence[Limit]) -> dict[str, Guess]:
    """The most likely values of all places together; each place's candidates sorted, the chosen one first."""
    ranked = {place: _ranked(candidates) for place, candidates in options.items()}
    chosen = dict.fromkeys(ranked, 0)
    exceeded = [limit for limit in limits if _count(limit, ranked, chosen) > limit.most]
    if exceeded:
        chosen = _solve(ranked, limits)
    return {place: _guess(candidates, chosen[place]) for place, candidates in ranked.items()}


def _ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    kept = sorted((c for c in candidates if c.p >= LEAST_CONSIDERED), key=lambda c: -c.p)
    return kept or [max(candidates, key=lambda c: c.p)]


def _count(limit: Limit, ranked: Mapping[str, Sequence[Candidate]], chosen: Mapping[str, int]) -> int:
    return sum(limit.applies(candidates[chosen[place]].value) for place, candidates in ranked.items())


def _solve(ranked: Mapping[str, Sequence[Candidate]], limits: Sequence[Limit]) -> dict[str, int]:
    """The exact optimum: a small integer program with one unit for every candidate and a slack for every limit."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_matrix

    units = [(place, i) for place, candidates in ranked.items() for i in range(len(candidates))]
    places = list(ranked)
    number = len(units)
    cost = np.array([-np.log(ranked[place][i].p) for place, i in units] + [np.log(limit.odds) for limit in limits])
    one_each = lil_matrix((len(places), number + len(limits)))
    counts = lil_matrix((len(limits), number + len(limits)))
    row_of = {place: row for row, place in enumerate(places)}
    for unit, (place, i) in enumerate(units):
        one_each[row_of[place], unit] = 1
        for row, limit in enumerate(limits):
            if limit.applies(ranked[place][i].value):
                counts[row, unit] = 1
    for row in range(len(limits)):
        counts[row, number + row] = -1
    answer = milp(
        cost,
        constraints=[
            LinearConstraint(one_each.tocsr(), 1, 1),
            LinearConstraint(counts.tocsr(), -np.inf, [limit.most for limit in limits]),
        ],
        integrality=np.concatenate([np.ones(number), np.zeros(len(limits))]),
        bounds=Bounds(0, np.concatenate([np.ones(number), np.full(len(limits), np.inf)])),
    )
    if answer.x is None:
        return dict.fromkeys(ranked, 0)
    return {place: i for unit, (place, i) in enumerate(units) if answer.x[unit] > 0.5}


def _guess(candidates: Sequence[Candidate], chosen: int) -> Guess:
    first = candidates[chosen]
    return Guess((first, *(candidate for i, candidate in enumerate(candidates) if i != chosen)))
