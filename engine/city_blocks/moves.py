"""What may still be played: every place of every piece that is, or may be, left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.city_blocks.board import COLOURS, SQUARES, square_name, squares_in
from engine.city_blocks.checking import readings_of
from engine.city_blocks.corners import begun_colours, best_corners
from engine.city_blocks.inventory import Left, left, set_of
from engine.city_blocks.pieces import Orientation, pieces
from engine.city_blocks.state import CityBlocks
from engine.sheet import Move

_NAMES = tuple(square_name(square) for square in range(SQUARES))


def moves(state: CityBlocks) -> tuple[Move, ...]:
    """Every legal placement; ``certain`` is false where the piece may have been played, or the corner is open."""
    return tuple(move for colour in COLOURS for move in _moves_of(state, colour))


def could_be_played(state: CityBlocks) -> dict[str, tuple[str, ...]]:
    """For each colour that could still play: the pieces, sure or possible, that fit somewhere."""
    found = {colour: tuple(_fitting(state, colour)) for colour in COLOURS}
    return {colour: names for colour, names in found.items() if names}


@lru_cache(maxsize=16)
def what_is_left(state: CityBlocks) -> dict[str, Left]:
    """What each colour has not played, as far as the board tells."""
    plain = readings_of(state)[0]
    return {colour: left(state.played(colour, plain=plain), set_of(plain=plain)) for colour in COLOURS}


def starting_corners(state: CityBlocks, colour: str) -> tuple[int, ...] | None:
    """The corners in which the colour's first piece may have to begin; None once it has begun."""
    begun = begun_colours(state, plain=readings_of(state)[0])
    if colour in begun:
        return None
    return tuple(sorted({corners[colour] for corners in best_corners(state, begun)}))


def _fitting(state: CityBlocks, colour: str) -> Iterator[str]:
    free = state.empty_squares
    corners = starting_corners(state, colour)
    for name in what_is_left(state)[colour].possible:
        piece = pieces()[name]
        if corners is None:
            fits = piece.fits(free)
        else:
            fits = any(any(piece.placements_covering(corner, free)) for corner in corners)
        if fits:
            yield name


def _moves_of(state: CityBlocks, colour: str) -> Iterator[Move]:
    stock = what_is_left(state)[colour]
    free = state.empty_squares
    corners = starting_corners(state, colour)
    for name in stock.possible:
        sure = name in stock.surely
        if corners is None:
            for orientation in pieces()[name].orientations:
                yield from _everywhere(colour, name, orientation, free, sure)
        else:
            for corner in corners:
                for mask in pieces()[name].placements_covering(corner, free):
                    squares = [_NAMES[square] for square in squares_in(mask)]
                    yield _move(colour, name, squares, sure and len(corners) == 1)


def _everywhere(colour: str, name: str, orientation: Orientation, free: int, sure: bool) -> Iterator[Move]:
    for corner in squares_in(orientation.places(free)):
        yield _move(colour, name, [_NAMES[corner + offset] for offset in orientation.offsets], sure)


def _move(colour: str, name: str, squares: list[str], certain: bool) -> Move:
    action: dict[str, object] = {"piece": name, "colour": colour, "squares": squares}
    if not certain:
        action["certain"] = False
    return Move(f"{colour} {name} {' '.join(squares)}", action)
