"""Sprawl: from the network's answers for squares to towers and branch points.

The colours in play are a small set: it is found first, from all pieces together, and colours outside of it then count
only where they were clearly seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.colours import COLOURS
from vision.boards import CELLS, DIRECTIONS, LEVELS, SHAPES
from vision.games.choose import Limit, choose
from vision.reading import Candidate, Guess, Hints

Probabilities = npt.NDArray[np.float64]

MOST_COLOURS: Final = 8
# A colour is in play if its likeliest piece is as likely as this, or if its pieces add up to one.
CLEARLY_SEEN: Final = 0.6
# Outside of the colours in play a colour is believed if it is this much likelier.
FOREIGN: Final = 30.0
PIECES_OF_A_SIZE: Final = 5
EXCESS: Final = 5.0
# Branches of the candidates' tree that are less likely than this are not followed.
LEAST_FOLLOWED: Final = 0.01


def decode(answers: Mapping[str, Probabilities], hints: Hints) -> tuple[dict[str, Any], dict[str, Guess]]:
    """The state's size, colours and cells, and a guess for every square."""
    columns, rows = hints.cells
    seen = {name: values[:, :rows, :columns] for name, values in answers.items()}
    palette = hints.colours or _colours_in_play(seen)
    weighted = _with_palette(seen, palette)
    options = {
        f"{'ABCDEFGH'[column]}{rows - row}": _options({name: v[:, row, column] for name, v in weighted.items()})
        for row in range(rows)
        for column in range(columns)
    }
    limits = [
        Limit(lambda value, piece=f"{colour}{size}": _pieces(value).count(piece) > 0, PIECES_OF_A_SIZE, EXCESS)  # type: ignore[misc]
        for colour in palette
        for size in (1, 2, 3)
    ]
    guesses = choose(options, limits)
    cells = [{"at": at, **guess.chosen.value} for at, guess in guesses.items() if guess.chosen.value]
    used = {piece[:-1] for cell in cells for piece in _pieces(cell)}
    colours = [colour for colour in COLOURS if colour in used or colour in hints.colours]
    return {"columns": columns, "rows": rows, "colours": colours, "cells": cells}, guesses


def _pieces(value: Mapping[str, Any] | None) -> list[str]:
    if not value:
        return []
    return list(value["stack"]) if "stack" in value else [value["lying"]]


def _colours_in_play(seen: Mapping[str, Probabilities]) -> tuple[str, ...]:
    """The colours that pieces clearly have, or that many pieces may have, the strongest first."""
    occupied = 1.0 - seen["cell"][CELLS.index("empty")]
    evidence = np.zeros(len(COLOURS))
    clearest = np.zeros(len(COLOURS))
    for level, there in zip(LEVELS, _level_present(seen), strict=True):
        belief = seen[level] * (occupied * there)[None]
        evidence += belief.sum(axis=(1, 2))
        clearest = np.maximum(clearest, belief.max(axis=(1, 2), initial=0.0))
    order = np.argsort(-evidence)
    chosen = [int(i) for i in order if clearest[i] > CLEARLY_SEEN or evidence[i] > 1.5][:MOST_COLOURS]
    return tuple(COLOURS[i] for i in chosen or order[:1].tolist())


def _level_present(seen: Mapping[str, Probabilities]) -> list[Probabilities]:
    """For each level the probability that a piece is there, given that the square is occupied."""
    stack = seen["cell"][CELLS.index("stack")]
    occupied = np.maximum(1.0 - seen["cell"][CELLS.index("empty")], 1e-6)
    share = stack / occupied
    present = []
    for level in range(len(LEVELS)):
        deep = sum((seen["shape"][i] for i, s in enumerate(SHAPES) if len(s) > level), np.zeros_like(stack))
        present.append(np.asarray(deep * share + (1 - share if level == 0 else 0.0)))
    return present


def _with_palette(seen: Mapping[str, Probabilities], palette: tuple[str, ...]) -> dict[str, Probabilities]:
    weights = np.array([1.0 if colour in palette else 1 / FOREIGN for colour in COLOURS])
    result = dict(seen)
    for level in LEVELS:
        weighted = seen[level] * weights[:, None, None]
        result[level] = np.asarray(weighted / weighted.sum(axis=0, keepdims=True))
    return result


def _options(p: Mapping[str, Probabilities]) -> list[Candidate]:
    """Everything that a square may hold, with its probability."""
    empty, stack, lying = (float(x) for x in p["cell"])
    options = [Candidate(None, empty)]
    for shape, q in zip(SHAPES, p["shape"], strict=True):
        if shape and stack * q >= LEAST_FOLLOWED:
            options += _stacks(shape, float(stack * q), p)
    if lying >= LEAST_FOLLOWED:
        options += _lying(lying, p)
    return options


def _stacks(shape: tuple[int, ...], chance: float, p: Mapping[str, Probabilities]) -> list[Candidate]:
    levels = [_likely(p[level]) for level in LEVELS[: len(shape)]]
    options = []
    for colours in product(*levels):
        chance_of_all = chance * float(np.prod([q for _, q in colours]))
        pieces = [f"{COLOURS[i]}{size}" for (i, _), size in zip(colours, shape, strict=True)]
        options.append(Candidate({"stack": pieces}, chance_of_all))
    return options


def _lying(chance: float, p: Mapping[str, Probabilities]) -> list[Candidate]:
    return [
        Candidate({"lying": f"{COLOURS[i]}{size + 1}", "points": DIRECTIONS[d]}, chance * q * r * s)
        for i, q in _likely(p["bottom"])
        for size, r in _likely(p["size"])
        for d, s in _likely(p["points"])
    ]


def _likely(p: Probabilities) -> list[tuple[int, float]]:
    """The answers worth following, at least the best."""
    best = int(p.argmax())
    return [(i, float(q)) for i, q in enumerate(p) if q >= LEAST_FOLLOWED or i == best]
