"""Whether a label's corners can be those of its board in its photo."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from vision.labels.sight import Array
from vision.pose import USUAL_FOCAL, view_of
from vision.quality import turning
from vision.synth.turning import upright_turn

CORNERS_WANTED: Final = "must be four points such as [[10, 20], [90, 20], [95, 80], [5, 80]]."
ORDER: Final = "the order is north-west, north-east, south-east, south-west"
# Of a side's length, a corner may lie this much outside of the photo: people crop closely.
MOST_OUTSIDE: Final = 0.04
# No photo has so many pixels; JSON may have numbers that no float can hold.
LARGEST: Final = 1e9
# Sides shorter than this many pixels are a slip of the hand.
LEAST_SIDE_PX: Final = 12.0
# How far from square a lot may seem (the logarithm of its sides' ratio) before the corners are thought to be turned.
MOST_ASKEW: Final = 0.2

Found = Iterator[tuple[str, str]]


def corners_of(value: Any) -> Array | None:
    """Four points in pixels, or None where the value is no such thing."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    for point in value:
        if not isinstance(point, list) or len(point) != 2 or not all(map(is_number, point)):
            return None
    return np.array(value, dtype=np.float64)


def corner_problems(
    corners: Array, photo_size: tuple[int, int], cells: tuple[int, int], focal: float | None = None
) -> Found:
    """What is wrong with the corners of a board of ``cells`` columns and rows, as kinds with sentences.

    ``photo_size`` is that of the upright photo; ``focal`` is in pixels, None where the photo does not tell it.
    """
    problems = list(_shape(corners))
    yield from problems
    yield from _outside(corners, photo_size)
    if not problems:
        yield from _turned(corners, photo_size, cells, focal)


def _shape(corners: Array) -> Found:
    if np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).min() < LEAST_SIDE_PX:
        yield "corners-invalid", "two corners are the same point, or nearly; mark all four corners of the board."
    elif (turns := turning(corners)).max() < 0:
        yield "corners-anticlockwise", f"the corners run anticlockwise; {ORDER}, clockwise in the photo."
    elif turns.min() <= 0:
        middle = corners - corners.mean(axis=0)
        around = corners[np.argsort(np.arctan2(middle[:, 1], middle[:, 0]))]
        if turning(around).min() > 0:
            yield "corners-order", f"lines between neighbouring corners cross; {ORDER}."
        else:
            yield "corners-not-convex", "a corner lies inside the others; mark the four corners of the board again."


def _outside(corners: Array, photo_size: tuple[int, int]) -> Found:
    side = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean())
    if _beyond(corners, photo_size) <= MOST_OUTSIDE * side:
        return
    width, height = photo_size
    if width != height and _beyond(corners, (height, width)) <= 0:
        advice = f"they would fit a photo of {height} x {width}: count pixels in the photo as it is seen upright"
        yield "size-mismatch", f"the corners do not fit this photo of {width} x {height} pixels; {advice}."
    else:
        advice = "was it cropped or made smaller afterwards? Use the original, or mark the corners again"
        yield "corners-outside", f"corners lie outside of this photo of {width} x {height} pixels; {advice}."


def _turned(corners: Array, photo_size: tuple[int, int], cells: tuple[int, int], focal: float | None) -> Found:
    columns, rows = cells
    if columns != rows:
        as_told = _askew(corners, cells, photo_size, focal)
        other = _askew(np.roll(corners, 1, axis=0), cells, photo_size, focal)
        if as_told > MOST_ASKEW and other < as_told / 2:
            yield (
                "corners-order",
                f"the board of {columns} x {rows} seems to lie the other way; begin with its own north-west corner.",
            )
            return
    turns = (0, 1, 2, 3) if columns == rows else (0, 2)
    if upright_turn(corners, turns) != 0:
        yield (
            "corners-turned",
            "the north of the position is not the upper edge of the board in the photo; that is fine if it is meant, "
            "so look at the overlay.",
        )


def _askew(corners: Array, cells: tuple[int, int], photo_size: tuple[int, int], focal: float | None) -> float:
    """How far from square the lots are if the board's corners are these."""
    focal = focal or USUAL_FOCAL * max(photo_size)
    size = float(cells[0]), float(cells[1])
    view = view_of(corners, size, photo_size, focal)
    centre = (np.array(photo_size) - 1) / 2
    matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    east, south = (np.linalg.inv(matrix) @ view.ground)[:, :2].T
    return abs(math.log(float(np.linalg.norm(east) / np.linalg.norm(south))))


def _beyond(corners: Array, photo_size: tuple[int, int]) -> float:
    """How far the furthest corner lies outside of a photo; negative where all are inside."""
    return float(np.maximum(-corners, corners - (np.array(photo_size) - 1)).max())


def is_number(value: Any) -> bool:
    """Whether a value of a label is a number that can be reckoned with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
