"""Photos without the bend of their lens, and the way between their pixels and those that the camera took."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens import LEAST_SLOPE, Lens

Array = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

# Each step doubles the digits that are right; lenses bend little, so that the first guess is near.
NEWTON_STEPS = 12


@dataclass(frozen=True, slots=True)
class Straightening:
    """From the bent photo of a lens to a straight one of the same size, in which everything of the photo is kept.

    ``focal`` is that of the straight picture in pixels, smaller than the lens's own where room was needed.
    """

    lens: Lens
    size: tuple[int, int]
    focal: float

    @classmethod
    def of(cls, lens: Lens, size: tuple[int, int]) -> Straightening:
        """The straightening of a photo of that size."""
        width, height = size
        across, down = np.linspace(0, width - 1, 65), np.linspace(0, height - 1, 65)
        edge = np.concatenate(
            [[(x, y) for x in across for y in (0, height - 1)], [(x, y) for x in (0, width - 1) for y in down]]
        )
        reach = np.abs(_without_bend(lens, size, edge)).max(axis=0)
        room = _middle(size) / np.maximum(reach, 1e-9)
        return cls(lens, size, float(room.min()))

    def straighten(self, points: Array) -> Array:
        """Pixels (N, 2) of the bent photo as pixels of the straight one."""
        return _without_bend(self.lens, self.size, points) * self.focal + _middle(self.size)

    def bend(self, points: Array) -> Array:
        """Pixels (N, 2) of the straight photo as pixels of the bent one."""
        middle = _middle(self.size)
        rays = (np.asarray(points, dtype=np.float64) - middle) / self.focal
        bent = rays * self.lens.bend(np.linalg.norm(rays, axis=1, keepdims=True))
        return np.asarray(bent * self.lens.focal * max(self.size) + middle)


def straight_pixels(pixels: Picture, straightening: Straightening) -> Picture:
    """The straight photo; beyond the edges of the bent one its outermost pixels go on."""
    lens, (width, height) = straightening.lens, straightening.size
    bent = _matrix(lens.focal * max(width, height), straightening.size)
    straight = _matrix(straightening.focal, straightening.size)
    bend = np.array([lens.k1, lens.k2, 0.0, 0.0])
    across, down = cv2.initUndistortRectifyMap(bent, bend, np.eye(3), straight, (width, height), cv2.CV_16SC2)
    return np.asarray(
        cv2.remap(pixels, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
    )


def _without_bend(lens: Lens, size: tuple[int, int], points: Array) -> Array:
    """The rays (x and y at depth 1) that a lens puts at those pixels."""
    bent = (np.asarray(points, dtype=np.float64) - _middle(size)) / (lens.focal * max(size))
    seen = np.linalg.norm(bent, axis=1, keepdims=True)
    true = seen.copy()
    for _ in range(NEWTON_STEPS):
        off = true * lens.bend(true) - seen
        true -= off / np.maximum(lens.slope(true), LEAST_SLOPE)
    return np.asarray(bent * np.where(seen > 0, true / np.maximum(seen, 1e-12), 1.0))


def _matrix(focal: float, size: tuple[int, int]) -> Array:
    x, y = _middle(size)
    return np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])


def _middle(size: tuple[int, int]) -> Array:
    """The pixel in the middle of a photo, on the lens's axis."""
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
