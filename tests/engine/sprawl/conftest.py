"""Positions for the Sprawl tests: typed as a bare board, or thrown together at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.diagram import extras_text
from engine.sprawl import GAME
from engine.sprawl.board import DIRECTIONS, Branch, Cell, Piece, Square, Tower
from engine.sprawl.forest import possible_sources
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
        colours = tuple(rng.sample(("red", "blue", "green"), rng.choice((1, 1, 2, 3))))
        columns, rows = rng.randint(2, side), rng.randint(2, side)
        fill, upright = rng.uniform(0.3, 1.0), rng.uniform(0.1, 0.6)
        squares = [Square(column, row) for column in range(columns) for row in range(rows) if rng.random() < fill]
        cells = tuple((square, _cell(rng, colours, upright, tall)) for square in squares)
        return State(columns, rows, colours, cells, variants)

    return throw


@pytest.fixture
def rooted() -> Callable[..., State]:
    """A position in which every branch has a source, often several, on towers some of which have fallen."""

    def grow(rng: random.Random, variants: tuple[str, ...] = (), side: int = 5) -> State:
        state = State(side, side, ("red", "blue"), variants=variants)
        squares = list(state.squares())
        for square in rng.sample(squares, rng.randint(3, 6)):
            size = rng.randint(2, 3)
            state = state.with_cell(square, Tower(tuple(Piece("red", n) for n in range(size, rng.randint(0, 1), -1))))
        if rng.random() < 0.5:
            state = _with_fork(rng, state)
        for _ in range(60):
            square = rng.choice(squares)
            colour = "red" if rng.random() < 0.7 else "blue"
            branch = Branch(Piece(colour, rng.randint(1, 3)), rng.choice(DIRECTIONS))
            if square not in state.at and (colour == "blue" or possible_sources(state, square, branch)):
                state = state.with_cell(square, branch)
        return state

    return grow


def _with_fork(rng: random.Random, state: State) -> State:
    """Two branch points that face each other over a third which may have come from either."""
    square = Square(rng.randint(2, state.columns - 3), rng.randint(0, state.rows - 1))
    size = rng.randint(1, 2)
    state = state.with_cell(square, Branch(Piece("red", size), rng.choice(("north", "south"))))
    for side, back in (("west", "east"), ("east", "west")):
        tower = Tower(tuple(Piece("red", n) for n in range(3, rng.randint(0, 2), -1)))
        state = state.with_cell(square.towards(side), Branch(Piece("red", size + 1), back))
        state = state.with_cell(square.towards(side, 2), tower)
    return state


def _cell(rng: random.Random, colours: tuple[str, ...], upright: float, tall: int) -> Cell:
    piece = Piece(rng.choice(colours), rng.randint(1, 3))
    if rng.random() >= upright:
        return Branch(piece, rng.choice(DIRECTIONS))
    if rng.random() < 0.2:  # any heap at all
        return Tower(tuple(Piece(rng.choice(colours), rng.randint(1, 3)) for _ in range(rng.randint(1, tall))))
    height = rng.randint(1, piece.size)
    return Tower(tuple(Piece(piece.colour, piece.size - level) for level in range(height)))
