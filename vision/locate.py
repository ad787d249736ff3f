"""Finds boards in a photo: a network's first guess, then the same board again and again from nearer.

The locator marks, in a small copy of the photo, which pixels belong to a board of which game, and where corners are.
The aligner then looks at each board roughly rectified and says how far its corners are off, until they no longer move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.boards import GAMES
from vision.finding import (
    LOCATOR_STRIDE,
    SPRAWL_SIZES,
    UNIT_CORNERS,
    Array,
    Picture,
    aligner_grid,
    aligner_view,
    apply,
    area,
    letterbox,
    to_unit,
)
from vision.guessing import quads_in
from vision.networks import Logits, network, softmax

# Outlines that share more than this of the smaller one are of the same board.
SAME_BOARD = 0.3
ALIGNMENTS = 3
# Corners that move less than this share of a side have settled.
SETTLED = 0.006
# A corner's map may have a second peak, where a shadow or another edge is: mass further away than this does not count.
PEAK_REACH = 0.06
# Of the pixels that the locator marks, a board has at least this confidence on average.
LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A board: its corners clockwise in pixels of the photo, beginning anywhere, and what it seems to be."""

    quad: Array
    games: Array  # probabilities of the games in the order of GAMES, then of "no board"
    lying: float  # Alien City: probability that the side from the first to the second corner is a long one
    sizes: Array  # Sprawl: probabilities of SPRAWL_SIZES, columns along the side from the first to the second corner
    clear: float = 1.0  # how sharply the corners are seen: the mean height of their peaks
    others: tuple[Array, ...] = ()  # outlines of the same board that were considered, too
    moved: float = 1.0  # how far the last alignment moved the worst corner, in sides

    @property
    def is_board(self) -> float:
        return float(1.0 - self.games[-1])

    def probability(self, game: str) -> float:
        return float(self.games[GAMES.index(game)])

    @property
    def size(self) -> tuple[int, int]:
        return SPRAWL_SIZES[int(self.sizes.argmax())]


def find_boards(pixels: Picture) -> list[Found]:
    """All boards in a photo, the surest first; outlines that overlap are of one board."""
    guesses = [(look(pixels, quad), quad) for quad in first_guesses(pixels)]
    boards: list[list[tuple[Found, Array]]] = []
    for board, guess in sorted(guesses, key=lambda pair: -pair[0].is_board * pair[0].clear):
        same = next((group for group in boards if _overlap(board.quad, group[0][0].quad)), None)
        if same is not None:
            same.append((board, guess))
        elif board.is_board > LEAST_CONFIDENCE:
            boards.append([(board, guess)])
    found = []
    for group in boards:
        others = [group[0][1], *(quad for board, guess in group[1:] for quad in (board.quad, guess))]
        found.append(replace(align(pixels, group[0][0].quad), others=tuple(others)))
    return sorted(found, key=lambda b: -b.is_board)


def first_guesses(pixels: Picture) -> list[Array]:
    """The quads of everything that the locator takes for a board, in pixels of the photo."""
    square, scale = letterbox(pixels)
    board, corners = locator_maps(square)
    return [((quad + 0.5) * LOCATOR_STRIDE) / scale - 0.5 for quad in quads_in(board, corners)]


def locator_maps(square: Picture) -> tuple[Array, Array]:
    """How surely each place of a small photo belongs to a board, and to a corner."""
    answers = network("locator")(square[None])
    board = 1.0 - softmax(answers["masks"])[0, 0].astype(np.float64)
    return board, 1.0 / (1.0 + np.exp(-answers["corners"][0, 0].astype(np.float64)))


def align(pixels: Picture, quad: Array) -> Found:
    """The board near a quad, with corners put right."""
    board = look(pixels, quad)
    for _ in range(ALIGNMENTS - 1):
        if board.moved < SETTLED:
            break
        board = look(pixels, board.quad)
    return board


def look(pixels: Picture, quad: Array) -> Found:
    """One alignment step: the board is looked at from all four sides, and the sides' median counts."""
    views = np.stack([aligner_view(pixels, np.roll(quad, -turn, axis=0)) for turn in range(4)])
    answers = network("aligner")(views)
    games, lying, sizes = (softmax(answers[name]) for name in ("game", "lying", "size"))
    boards = []
    for turn in range(4):
        back = np.asarray(np.linalg.inv(to_unit(np.roll(quad, -turn, axis=0))), dtype=np.float64)
        seen = Found(apply(back, _peaks(answers["maps"][turn])), games[turn], float(lying[turn, 1]), sizes[turn])
        boards.append(turned(seen, -turn))
    middle = np.median([board.quad for board in boards], axis=0)
    return Found(
        quad=middle,
        games=games.mean(axis=0),
        lying=float(np.mean([board.lying for board in boards])),
        sizes=np.mean([board.sizes for board in boards], axis=0),
        clear=float(softmax(answers["maps"], axis=2).max(axis=2).mean()),
        moved=float(np.linalg.norm(apply(to_unit(quad), middle) - UNIT_CORNERS, axis=1).max()),
    )


def _peaks(maps: Logits) -> Array:
    """The places of four corners in units of the board: each map's middle of mass near its highest point."""
    grid = aligner_grid()
    places = []
    for corner in maps.astype(np.float64):
        peak = grid[int(corner.argmax())]
        near = np.abs(grid - peak).max(axis=1) < PEAK_REACH
        mass = np.exp(corner - corner.max()) * near
        places.append((grid * mass[:, None]).sum(axis=0) / mass.sum())
    return np.array(places)


def turned(board: Found, quarters: int) -> Found:
    """The same board with its corners told from another one on, clockwise."""
    if quarters % 2 == 0:
        return replace(board, quad=np.roll(board.quad, -quarters, axis=0))
    swapped = np.array(
        [
            board.sizes[SPRAWL_SIZES.index((rows, columns))] if (rows, columns) in SPRAWL_SIZES else 0.0
            for columns, rows in SPRAWL_SIZES
        ]
    )
    return replace(board, quad=np.roll(board.quad, -quarters, axis=0), lying=1 - board.lying, sizes=swapped)


def _overlap(one: Array, other: Array) -> bool:
    """Whether two outlines share a good part of the smaller one."""
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return bool(shared > SAME_BOARD * min(area(one), area(other)))
