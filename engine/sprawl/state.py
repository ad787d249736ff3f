"""A Sprawl position: immutable, validated, and free to break the rules of play.

A photo is read as it lies, so a stack 2-3 or a pyramid that points off the
board is a position; only what cannot lie on a table at all is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from engine.colours import COLOURS
from engine.errors import InvalidState
from engine.sprawl.board import DIRECTIONS, MOST_IN_STACK, SIZES, Branch, Cell, Piece, Square, Tower
from engine.strict_json import printable

LEAST_SIDE: Final = 2
MOST_SIDE: Final = 12
MOST_PLAYERS: Final = 8
# A poker deck: forty cards subtract one point, twelve subtract two.
MOST_COUP: Final = 64

COUNTING_COUP: Final = "counting-coup"
SPRAWLGAMI: Final = "sprawlgami"
OVERLOAD: Final = "overload"
SUPERIOR_FORCES: Final = "superior-forces"
STRICT_BRANCHING: Final = "strict-branching"
LOOSE_BRANCHING: Final = "loose-branching"
OWN_BRANCH_HARMLESS: Final = "own-branch-harmless"
VARIANTS: Final = (
    COUNTING_COUP,
    SPRAWLGAMI,
    OVERLOAD,
    SUPERIOR_FORCES,
    STRICT_BRANCHING,
    LOOSE_BRANCHING,
    OWN_BRANCH_HARMLESS,
)


@dataclass(frozen=True)
class State:
    """What lies on the table. ``cells`` are sorted by square, ``variants`` in the game's order.

    ``coup`` (points to subtract in Counting Coup) and ``names`` are sorted
    pairs of a colour and its value, so that equal positions are equal values.
    """

    columns: int
    rows: int
    colours: tuple[str, ...] = ()
    cells: tuple[tuple[Square, Cell], ...] = ()
    variants: tuple[str, ...] = ()
    coup: tuple[tuple[str, int], ...] = ()
    names: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        _check_board(self)
        _check_cells(self)
        object.__setattr__(self, "cells", tuple(sorted(self.cells, key=lambda cell: cell[0])))
        _check_facts(self)
        object.__setattr__(self, "variants", tuple(name for name in VARIANTS if name in self.variants))
        object.__setattr__(self, "coup", tuple(sorted(self.coup)))
        object.__setattr__(self, "names", tuple(sorted(self.names)))

    # --- looking at the board ---------------------------------------------------------------
    @cached_property
    def at(self) -> Mapping[Square, Cell]:
        return dict(self.cells)

    @cached_property
    def towers(self) -> Mapping[Square, Tower]:
        return {square: cell for square, cell in self.cells if isinstance(cell, Tower)}

    @cached_property
    def branches(self) -> Mapping[Square, Branch]:
        return {square: cell for square, cell in self.cells if isinstance(cell, Branch)}

    @cached_property
    def attacked(self) -> Mapping[Square, tuple[Square, ...]]:
        """Every square that branch points point at, with those branch points."""
        found: dict[Square, tuple[Square, ...]] = {}
        for square, branch in self.branches.items():
            ahead = square.towards(branch.points)
            found[ahead] = (*found.get(ahead, ()), square)
        return found

    @cached_property
    def placed(self) -> Mapping[Piece, int]:
        """How many of each piece are on the board."""
        counts: dict[Piece, int] = {}
        for _, piece in self.pieces():
            counts[piece] = counts.get(piece, 0) + 1
        return counts

    def pieces(self) -> Iterator[tuple[Square, Piece]]:
        """Every piece on the board with its square, stacks bottom first."""
        for square, cell in self.cells:
            for piece in cell.pieces if isinstance(cell, Tower) else (cell.piece,):
                yield square, piece

    def squares(self) -> Iterator[Square]:
        return (Square(column, row) for column in range(self.columns) for row in range(self.rows))

    def holds(self, square: Square) -> bool:
        """Whether the board has this square."""
        return 0 <= square.column < self.columns and 0 <= square.row < self.rows

    # --- other positions --------------------------------------------------------------------
    def with_cell(self, square: Square, cell: Cell) -> State:
        """The position with this square holding ``cell`` instead of what it held."""
        return replace(self, cells=(*(entry for entry in self.cells if entry[0] != square), (square, cell)))

    def turned(self) -> State:
        """The position as seen by somebody a quarter further round the table (clockwise turn of the board)."""
        turned_to = dict(zip(DIRECTIONS, (*DIRECTIONS[1:], DIRECTIONS[0]), strict=True))
        cells = tuple(
            (
                Square(square.row, self.columns - 1 - square.column),
                Branch(cell.piece, turned_to[cell.points]) if isinstance(cell, Branch) else cell,
            )
            for square, cell in self.cells
        )
        return replace(self, columns=self.rows, rows=self.columns, cells=cells)


def colours_of(cells: Iterable[Cell]) -> tuple[str, ...]:
    """The colours that lie on the board, in the usual order."""
    seen = {piece.colour for cell in cells for piece in (cell.pieces if isinstance(cell, Tower) else (cell.piece,))}
    return tuple(colour for colour in COLOURS if colour in seen)


def _check_board(state: State) -> None:
    for side, length in (("columns", state.columns), ("rows", state.rows)):
        if not LEAST_SIDE <= length <= MOST_SIDE:
            raise InvalidState(side, f"must be from {LEAST_SIDE} to {MOST_SIDE}, not {length}.")
    if len(state.colours) > MOST_PLAYERS:
        raise InvalidState("colours", f"holds {len(state.colours)} colours; at most {MOST_PLAYERS} can play.")
    for i, colour in enumerate(state.colours):
        if colour not in COLOURS:
            raise InvalidState(f"colours[{i}]", f"must be one of {', '.join(COLOURS)}.")
        if colour in state.colours[:i]:
            raise InvalidState(f"colours[{i}]", f"{colour} was named before; name every colour once.")


def _check_cells(state: State) -> None:
    seen: set[Square] = set()
    for i, (square, cell) in enumerate(state.cells):
        path = f"cells[{i}]"
        if not state.holds(square):
            raise InvalidState(
                f"{path}.at", f"{square.name} is outside the board of {state.columns} x {state.rows} squares."
            )
        if square in seen:
            raise InvalidState(f"{path}.at", f"{square.name} was given before; a square holds one tower or one branch.")
        seen.add(square)
        if isinstance(cell, Tower):
            if not 1 <= len(cell.pieces) <= MOST_IN_STACK:
                raise InvalidState(f"{path}.stack", f"must hold 1 to {MOST_IN_STACK} pieces, not {len(cell.pieces)}.")
            for level, piece in enumerate(cell.pieces):
                _check_piece(state, piece, f"{path}.stack[{level}]")
        else:
            _check_piece(state, cell.piece, f"{path}.lying")
            if cell.points not in DIRECTIONS:
                raise InvalidState(f"{path}.points", f"must be one of {', '.join(DIRECTIONS)}.")


def _check_piece(state: State, piece: Piece, path: str) -> None:
    if piece.size not in SIZES:
        raise InvalidState(path, f"a pyramid has size 1, 2 or 3, not {piece.size}.")
    if piece.colour not in state.colours:
        raise InvalidState(path, f'{piece.colour} is not among the "colours" in play; add it there.')


def _check_facts(state: State) -> None:
    for name in state.variants:
        if name not in VARIANTS:
            raise InvalidState("variants", f"must be among {', '.join(VARIANTS)}.")
    if STRICT_BRANCHING in state.variants and LOOSE_BRANCHING in state.variants:
        raise InvalidState("variants", f"{STRICT_BRANCHING} and {LOOSE_BRANCHING} exclude each other; keep one.")
    _check_pairs(state, state.coup, "extras.coup")
    _check_pairs(state, state.names, "extras.names")
    for colour, points in state.coup:
        if not 0 <= points <= MOST_COUP:
            raise InvalidState(f"extras.coup.{colour}", f"must be from 0 to {MOST_COUP}, not {points}.")


def _check_pairs(state: State, pairs: tuple[tuple[str, Any], ...], path: str) -> None:
    for i, (colour, _) in enumerate(pairs):
        if colour not in state.colours:
            raise InvalidState(f"{path}.{printable(colour)}", "this is not among the colours in play.")
        if colour in (earlier for earlier, _ in pairs[:i]):
            raise InvalidState(f"{path}.{colour}", "was given before.")
