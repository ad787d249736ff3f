"""Random legal games, for tests, benchmarks and synthetic photos."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.colours import COLOURS
from engine.sprawl.attack import neutralisers
from engine.sprawl.board import DIRECTIONS, Square, Tower
from engine.sprawl.forest import Forest
from engine.sprawl.moves import BRANCH, BUILD, SPORE, Placement, can_move, legal_moves
from engine.sprawl.state import State

LEAST_PLAYERS: Final = 3
CHESS_BOARD: Final = 8

# How eagerly players build, branch and spore: towers grow, chains turn, and new towers spread over the board.
_EAGERNESS: Final = {BUILD: 4.0, BRANCH: 5.0, SPORE: 3.0}
# A sensible player seldom neutralises a tower of their own.
_OWN_HARM: Final = 0.02
# How much players like to neutralise others. Peaceful tables fill the board, warlike ones end early.
_TEMPERS: Final = (0.1, 1.0, 5.0, 20.0)
# How often a player thinks again when a move would leave somebody without any, which ends the game.
_SECOND_THOUGHTS: Final = (0, 4, 12)


def board_for(players: int) -> tuple[int, int]:
    """Columns and rows of the board that the rules give this number of players."""
    if players <= 3:
        return 5, 6
    return (6, 6) if players <= 6 else (8, 8)


def random_game(
    rng: random.Random,
    players: int | None = None,
    variants: Sequence[str] = (),
    on_chess_board: bool | None = None,
) -> Iterator[State]:
    """Every position of a random legal game, from the empty board to the end.

    ``on_chess_board`` plays on a part of an 8 x 8 board, as many do; None
    leaves that to chance, like the number of players.
    """
    count = players if players is not None else rng.randint(LEAST_PLAYERS, 8)
    columns, rows = board_for(count)
    colours = tuple(rng.sample(COLOURS, count))
    state = State(columns, rows, colours, variants=tuple(variants))
    if on_chess_board is None:
        on_chess_board = rng.random() < 0.5
    place = Square(0, 0)
    if on_chess_board:
        place = Square(rng.randint(0, CHESS_BOARD - columns), rng.randint(0, CHESS_BOARD - rows))
    for position in _positions(state, rng):
        yield _moved_onto_chess_board(position, place) if on_chess_board else position


def _positions(state: State, rng: random.Random) -> Iterator[State]:
    yield state
    temper = rng.choice(_TEMPERS)
    thoughts = rng.choice(_SECOND_THOUGHTS)
    turn = 0
    while True:
        choices = list(legal_moves(Forest(state), state.colours[turn % len(state.colours)]))
        if not choices:
            return  # the game ends at the beginning of the turn of a player who has no move
        state = _next(state, choices, temper, thoughts, rng)
        yield state
        turn += 1


def _next(state: State, choices: list[Placement], temper: float, thoughts: int, rng: random.Random) -> State:
    following = _pick(state, choices, temper, rng).on(state)
    for _ in range(thoughts):
        forest = Forest(following)
        if all(can_move(forest, colour) for colour in state.colours):
            break
        following = _pick(state, choices, temper, rng).on(state)
    return following


def _pick(state: State, choices: list[Placement], temper: float, rng: random.Random) -> Placement:
    """A move: first its kind, then one of that kind, so that many branches do not crowd out the rest."""
    kinds = sorted({placement.action for placement in choices})
    kind = rng.choices(kinds, [_EAGERNESS[kind] for kind in kinds])[0]
    placements = [placement for placement in choices if placement.action == kind]
    return rng.choices(placements, [_appeal(state, placement, temper) for placement in placements])[0]


def _appeal(state: State, placement: Placement, temper: float) -> float:
    if placement.points is None:
        # Large bottoms make high towers, and a tower needs room for its branches.
        around = (placement.square.towards(direction) for direction in DIRECTIONS)
        room = sum(state.holds(square) and square not in state.at for square in around)
        return float((placement.piece.size + len(placement.builds)) * (room + 0.1))
    ahead = placement.square.towards(placement.points)
    tower = state.at.get(ahead)
    if not isinstance(tower, Tower) or neutralisers(state, ahead, tower):
        return 1.0
    falls = bool(neutralisers(placement.on(state), ahead, tower))
    if tower.controller == placement.piece.colour:
        return _OWN_HARM if falls else 0.5
    return temper if falls else 0.5


def _moved_onto_chess_board(state: State, place: Square) -> State:
    cells = tuple((Square(square.column + place.column, square.row + place.row), cell) for square, cell in state.cells)
    return replace(state, columns=CHESS_BOARD, rows=CHESS_BOARD, cells=cells)
