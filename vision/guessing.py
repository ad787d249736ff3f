"""Where boards may be, from the locator's two maps: which pixels belong to a board, and where corners are.

Neither map is always right: a mask spills over onto planks, a corner hides under a hand. So outlines are proposed in
many ways, from masks at several thresholds and from corners four by four, and those that fit both maps best are kept.
"""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding import Array, Picture

Map = npt.NDArray[np.float64]

# A board fills at least a seventh of a good photo; below this share of it a mark is a stray one.
LEAST_SHARE = 0.015
THRESHOLDS = (0.3, 0.5, 0.7, 0.85, 0.95)
# Corners that are marked this clearly take part in the search by fours, the clearest of them.
LEAST_CORNER = 0.15
MOST_CORNERS = 9
# How much clear corners count beside a good fit to the mask.
CORNERS_COUNT = 0.3
# Outlines whose corners are all nearer to each other than this, in pixels of the maps, are the same.
SAME = 2.5
MOST_GUESSES = 3
# Around a mark of its own, this many pixels of the maps belong to it.
AROUND = 3


def quads_in(board: Map, corners: Map) -> list[Array]:
    """The likeliest outlines, clockwise, in pixels of the maps, the best first; then those of single marks."""
    kept = _likeliest(board, corners, MOST_GUESSES)
    marks = _marks(board)
    for mark in marks if len(marks) > 1 else []:
        near = cv2.dilate(mark, np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)) > 0
        alone = _likeliest(np.where(near, board, 0.0), np.where(near, corners, 0.0), 1)
        kept += [quad for quad in alone if not any(_far(quad, other) < SAME for other in kept)]
    return kept


def _likeliest(board: Map, corners: Map, most: int) -> list[Array]:
    proposed = _from_masks(board, corners) + _from_corners(corners, LEAST_SHARE * board.size)
    kept: list[Array] = []
    for quad in sorted(proposed, key=lambda quad: -_fit(quad, board, corners)):
        if len(kept) < most and not any(_far(quad, other) < SAME for other in kept):
            kept.append(quad)
    return kept


def _marks(board: Map) -> list[Picture]:
    """Where the map is marked in one piece, largest first: several boards, or one that something lies across."""
    number, labels, stats, _ = cv2.connectedComponentsWithStats((board > 0.5).astype(np.uint8), connectivity=4)
    large = [n for n in range(1, number) if stats[n, cv2.CC_STAT_AREA] > LEAST_SHARE * board.size]
    large.sort(key=lambda n: -int(stats[n, cv2.CC_STAT_AREA]))
    return [(labels == n).astype(np.uint8) for n in large[:MOST_GUESSES]]


def _from_masks(board: Map, corners: Map) -> list[Array]:
    quads = []
    for threshold in THRESHOLDS:
        mask = (board > threshold).astype(np.uint8)
        number, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        for blob in range(1, number):
            if stats[blob, cv2.CC_STAT_AREA] > LEAST_SHARE * mask.size:
                quad = _quad_around((labels == blob).astype(np.uint8))
                quads += [quad, _snapped(quad, corners)]
    return quads


def _from_corners(corners: Map, least_area: float) -> list[Array]:
    """All convex outlines through four of the marked corners."""
    quads = []
    for four in combinations(_peaks(corners), 4):
        hull = cv2.convexHull(np.array(four, dtype=np.float32)).reshape(-1, 2)
        if len(hull) == 4 and cv2.contourArea(hull) > least_area:
            quads.append(_clockwise(hull.astype(np.float64)))
    return quads


def _peaks(corners: Map, reach: int = 2) -> list[tuple[float, float]]:
    highest = cv2.dilate(corners, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    rows, columns = np.nonzero((corners == highest) & (corners > LEAST_CORNER))
    order = np.argsort(-corners[rows, columns])[:MOST_CORNERS]
    return [_middle(corners, int(columns[i]), int(rows[i]), reach) for i in order]


def _middle(corners: Map, x: int, y: int, reach: int) -> tuple[float, float]:
    """The middle of the marks around a pixel."""
    top, left = max(0, y - reach), max(0, x - reach)
    patch = corners[top : y + reach + 1, left : x + reach + 1]
    rows, columns = np.mgrid[top : top + patch.shape[0], left : left + patch.shape[1]]
    return float((columns * patch).sum() / patch.sum()), float((rows * patch).sum() / patch.sum())


def _fit(quad: Array, board: Map, corners: Map) -> float:
    """How well an outline covers what is marked, and nothing else, with marked corners."""
    filled = _filled(quad, board.shape) > 0
    inside = float(board[filled].sum())
    covered = inside / (float(board.sum()) + float(filled.sum()) - inside + 1e-6)
    height, width = corners.shape
    marks = [
        float(corners[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max(initial=0.0))
        for x, y in np.clip(np.round(quad), 0, [width - 1, height - 1]).astype(int)
    ]
    return covered + CORNERS_COUNT * float(np.mean(marks))


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
    return _clockwise(np.asarray(polygon, dtype=np.float64))


def _snapped(quad: Array, corners: Map, reach: int = 4) -> Array:
    """Each corner moved to the middle of the corner marks around it, where there are any."""
    snapped = quad.copy()
    clear = np.where(corners > 0.3, corners, 0.0)
    height, width = corners.shape
    for i, (x, y) in enumerate(np.round(quad).astype(int)):
        near = clear[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        if 0 <= x < width and 0 <= y < height and near.sum() > 0:
            snapped[i] = _middle(clear, x, y, reach)
    return snapped


def _clockwise(quad: Array) -> Array:
    x, y = quad.T
    clockwise = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0
    return quad if clockwise else quad[::-1].copy()


def _filled(quad: Array, shape: tuple[int, ...]) -> Picture:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, shift=4)
    return mask


def _far(one: Array, other: Array) -> float:
    """How far the worst corner of one outline is from its like in the other, whichever comes first."""
    return float(min(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).max() for turn in range(4)))
