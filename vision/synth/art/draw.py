"""A pen for small flat drawings (icons, digits, pips) and the inking of such drawings onto textures.

Drawings are coverage masks from 0 to 1, drawn at four times their size and averaged down, in a frame that
runs from -1 to 1 with y growing upwards. A half-covered area stands for a half-tone of the ink.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.scene import Picture, Rgb

Mask = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

SUPERSAMPLING = 4
_SHIFT = 4  # bits behind the point in OpenCV's drawing coordinates


class Pen:
    """Draws shapes over each other; ``value`` is the ink left there, so 0 erases."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._raster = np.zeros((size * SUPERSAMPLING, size * SUPERSAMPLING), np.uint8)

    def mask(self) -> Mask:
        small = cv2.resize(self._raster, (self._size, self._size), interpolation=cv2.INTER_AREA)
        return coverage(np.asarray(small, np.uint8))

    def polygon(self, points: Points | Sequence[tuple[float, float]], value: float = 1.0) -> None:
        cv2.fillPoly(self._raster, [self._pixels(points)], value * 255, cv2.LINE_AA, _SHIFT)

    def disc(self, x: float, y: float, radius: float, value: float = 1.0) -> None:
        self.polygon(arc(x, y, radius, 0, 360), value)

    def ring(self, x: float, y: float, radius: float, width: float, value: float = 1.0) -> None:
        """A circle line; the pen's width lies half inside, half outside ``radius``."""
        self.stroke(arc(x, y, radius, 0, 360), width, value)

    def stroke(
        self, points: Points | Sequence[tuple[float, float]], width: float, value: float = 1.0, closed: bool = False
    ) -> None:
        """A line with round ends and joints."""
        path = np.asarray(points, float)
        if closed:
            path = np.vstack([path, path[:1]])
        self.sweep(path, arc(0, 0, width / 2, 0, 360, 20), value)

    def band(self, points: Points | Sequence[tuple[float, float]], width: float, value: float = 1.0) -> None:
        """A line with round joints and ends cut off square."""
        path = np.asarray(points, float)
        for start, end in pairwise(path):
            along = (end - start) / max(float(np.hypot(*(end - start))), 1e-9)
            across = np.array([-along[1], along[0]]) * width / 2
            self.polygon(np.array([start - across, end - across, end + across, start + across]), value)
        for x, y in path[1:-1]:
            self.polygon(arc(x, y, width / 2, 0, 360, 16), value)

    def sweep(self, points: Points | Sequence[tuple[float, float]], nib: Points, value: float = 1.0) -> None:
        """Drags a convex nib along the line: a broad nib gives the thick and thin strokes of a pen."""
        path = np.asarray(points, float)
        for start, end in pairwise(path):
            both = np.vstack([nib + start, nib + end]).astype(np.float32)
            self.polygon(cv2.convexHull(both).reshape(-1, 2).astype(float), value)

    def outline(self, width: float) -> None:
        """Leaves only the inner edge of what was drawn, ``width`` wide."""
        reach = max(1, round(width / 2 * self._raster.shape[0]))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        inside = cv2.erode(self._raster, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self._raster = cv2.subtract(self._raster, inside).astype(np.uint8)

    def _pixels(self, points: Points | Sequence[tuple[float, float]]) -> npt.NDArray[np.int32]:
        side = self._raster.shape[0]
        xy = np.asarray(points, float) * (1, -1)
        return np.round(((xy + 1) / 2 * side - 0.5) * (1 << _SHIFT)).astype(np.int32)


def arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 48, squash: float = 1.0) -> Points:
    """Points on a circle from one angle to another (degrees, counter-clockwise from east)."""
    angles = np.radians(np.linspace(start, end, steps + 1))
    return np.stack([x + radius * np.cos(angles), y + radius * squash * np.sin(angles)], 1)


def curve(*controls: tuple[float, float], steps: int = 20) -> Points:
    """A Bezier curve of any degree."""
    points = np.asarray(controls, float)[None].repeat(steps + 1, 0)
    t = np.linspace(0, 1, steps + 1)[:, None, None]
    while points.shape[1] > 1:
        points = points[:, :-1] * (1 - t) + points[:, 1:] * t
    return points[:, 0]


def mirrored(points: Points) -> Points:
    """The outline completed by its mirror image left of the y axis (points run from the axis round to it)."""
    return np.vstack([points, points[::-1] * (-1, 1)])


def star(points: int, inner: float, outer: float = 1.0, turn: float = 90.0) -> Points:
    """A star's outline."""
    angles = np.radians(turn + np.arange(2 * points) * 180 / points)
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)


def ink(picture: Picture, mask: Mask, colour: Rgb, left: int, top: int, strength: float = 1.0) -> None:
    """Prints the mask onto the picture in place; parts that would lie outside are cut off."""
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + mask.shape[0], picture.shape[0]), min(left + mask.shape[1], picture.shape[1])
    if y0 >= y1 or x0 >= x1:
        return
    cover = mask[y0 - top : y1 - top, x0 - left : x1 - left, None] * np.float32(strength)
    area = picture[y0:y1, x0:x1]
    area[:] = area + (np.asarray(colour, np.float32) * np.float32(255) - area) * cover


def fill(picture: Picture, area: tuple[slice, slice], colour: Rgb, strength: float = 1.0) -> None:
    """Prints a rectangle in place."""
    part = picture[area]
    part[:] = part * np.float32(1 - strength) + np.asarray(colour, np.float32) * np.float32(255 * strength)


def coverage(raster: npt.NDArray[np.uint8]) -> Mask:
    """An 8-bit drawing as a mask from 0 to 1."""
    return np.asarray(raster, np.float32) / np.float32(255)
