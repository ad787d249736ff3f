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
    letterbox,
    to_unit,
)
from vision.networks import Logits, network, softmax

# A board fills at least a seventh of a good photo; below this share of it a mark is a stray one.
LEAST_SHARE = 0.015
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
    """All boards in a photo, the surest first."""
    found = [align(pixels, quad) for quad in first_guesses(pixels)]
    return sorted((board for board in found if board.is_board > LEAST_CONFIDENCE), key=lambda b: -b.is_board)


def first_guesses(pixels: Picture) -> list[Array]:
    """The quads of everything that the locator takes for a board, in pixels of the photo."""
    square, scale = letterbox(pixels)
    answers = network("locator")(square[None])
    board = 1.0 - softmax(answers["masks"])[0, 0]
    corners = 1.0 / (1.0 + np.exp(-answers["corners"][0, 0].astype(np.float64)))
    mask = (board > LEAST_CONFIDENCE).astype(np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    least = LEAST_SHARE * mask.size
    blobs = sorted(
        (i for i in range(1, number) if stats[i, cv2.CC_STAT_AREA] > least), key=lambda i: -stats[i, cv2.CC_STAT_AREA]
    )
    quads = [_snap(_quad_around((labels == blob).astype(np.uint8)), corners) for blob in blobs[:4]]
    return [((quad + 0.5) * LOCATOR_STRIDE) / scale - 0.5 for quad in quads]


def align(pixels: Picture, quad: Array) -> Found:
    """The board near a quad, with corners put right."""
    board = _look(pixels, quad)
    for _ in range(ALIGNMENTS - 1):
        if board.moved < SETTLED:
            break
        board = _look(pixels, board.quad)
    return board


def _look(pixels: Picture, quad: Array) -> Found:
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


def _quad_around(blob: Picture) -> Array:
    """Four corners, clockwise in the picture, that describe a blob best."""
    contours, _ = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea)).reshape(-1, 1, 2)
    around = cv2.arcLength(hull, True)
    for share in np.linspace(0.02, 0.12, 11):
        polygon = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2)
        if len(polygon) == 4:
            break
    else:
        polygon = cv2.boxPoints(cv2.minAreaRect(hull))
    quad = np.asarray(polygon, dtype=np.float64)
    x, y = quad.T
    clockwise = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0
    return quad if clockwise else quad[::-1].copy()


def _snap(quad: Array, corners: Array, reach: int = 4) -> Array:
    """Each corner moved to the middle of the corner marks around it, where there are any."""
    snapped = quad.copy()
    height, width = corners.shape
    for i, (x, y) in enumerate(np.round(quad).astype(int)):
        top, left = max(0, y - reach), max(0, x - reach)
        patch = corners[top : min(height, y + reach + 1), left : min(width, x + reach + 1)]
        weight = np.where(patch > 0.3, patch, 0.0)
        if weight.sum() > 0:
            rows, columns = np.mgrid[top : top + patch.shape[0], left : left + patch.shape[1]]
            snapped[i] = [(columns * weight).sum() / weight.sum(), (rows * weight).sum() / weight.sum()]
    return snapped
