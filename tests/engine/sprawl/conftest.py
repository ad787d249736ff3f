"""Positions for the Sprawl tests: typed as a bare board, or thrown together at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.diagram import extras_text
from engine.sprawl import GAME
from engine.sprawl.board import DIRECTIONS, Branch, Cell, Piece, Square, Tower
from engine.sprawl.state import State

Position = Callable[..., State]


@pytest.fixture
def position() -> Position:
    """A position from its rows of tokens (row labels are added), such as ``R32 R3> .``."""

    def build(board: str, variants: str = "", colours: str = "", extras: dict[str, Any] | None = None) -> State:
        rows = [line.strip() for line in board.strip().splitlines()]
        lines = [f"{len(rows) - i} {row}" for i, row in enumerate(rows)]
        head = ["sprawl"]
        head += [f"variants: {variants}"] if variants else []
        head += [f"colours: {colours}"] if colours else []
        head += [f"extras: {extras_text(extras)}"] if extras else []
        return GAME.parse_diagram("\n".join([*head, "", *lines]) + "\n")

    return build


@pytest.fixture
def arbitrary() -> Callable[..., State]:
    """A position that nobody played: crowded, with few colours, so that sources and attacks abound."""

    def throw(rng: random.Random, variants: tuple[str, ...] = (), side: int = 5, tall: int = 3) -> State:
        colours = tuple(rng.sample(("red", "blue", "green"), rng.randint(1, 3)))
        columns, rows = rng.randint(2, side), rng.randint(2, side)
        fill, upright = rng.uniform(0.3, 1.0), rng.uniform(0.1, 0.6)
        squares = [Square(column, row) for column in range(columns) for row in range(rows) if rng.random() < fill]
        cells = tuple((square, _cell(rng, colours, upright, tall)) for square in squares)
        return State(columns, rows, colours, cells, variants)

    return throw


def _cell(rng: random.Random, colours: tuple[str, ...], upright: float, tall: int) -> Cell:
    piece = Piece(rng.choice(colours), rng.randint(1, 3))
    if rng.random() >= upright:
        return Branch(piece, rng.choice(DIRECTIONS))
    if rng.random() < 0.2:  # any heap at all
        return Tower(tuple(Piece(rng.choice(colours), rng.randint(1, 3)) for _ in range(rng.randint(1, tall))))
    height = rng.randint(1, piece.size)
    return Tower(tuple(Piece(piece.colour, piece.size - level) for level in range(height)))
