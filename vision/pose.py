"""Where the camera stood: from the board's four corners to a view that also knows heights.

A homography maps the board's plane. Pyramids stand out of it: their tips lean away from their lots in any photo
that is not taken from straight above. With the focal length the plane's view becomes a camera pose, and every
height above the board gets a plane of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Focal length over the longer side of the photo: what phones' main cameras have (26 mm on 36 mm film).
USUAL_FOCAL = 0.74
# Outside of this no camera is plausible, so a measured value is noise.
FOCAL_RANGE = (0.5, 3.0)
# Below this foreshortening the photo is too frontal to tell its focal length.
LEAST_FORESHORTENING = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A board of ``size`` millimetres as the camera sees it.

    World coordinates: x to the east and y to the south from the board's north-west corner, z up from its surface.
    A point is seen at ``ground @ (x, y, 1) + z * upright``: the ground is the corners' own homography, so it is
    exact where the lens or a bent board do not quite agree with any pinhole; only heights rest on the pose.
    """

    ground: Array  # 3 x 3, millimetres on the board to pixels, scaled as K (r1 r2 t)
    upright: Array  # (3,) K r3
    rotation: Array  # R
    focal: float  # pixels
    size: tuple[float, float]

    def plane(self, height: float) -> Array:
        """The homography from millimetres on the plane ``height`` above the board to pixels."""
        raised = self.ground.copy()
        raised[:, 2] += height * self.upright
        return raised

    def project(self, points: Array) -> Array:
        """Pixels of world points (N, 3)."""
        x, y, z = np.asarray(points, dtype=np.float64).T
        pixels = np.stack([x, y, np.ones_like(x)], axis=1) @ self.ground.T + z[:, None] * self.upright
        return np.asarray(pixels[:, :2] / pixels[:, 2:])

    @property
    def tilt(self) -> float:
        """Degrees between the view axis and straight down."""
        return float(np.degrees(np.arccos(np.clip(abs(self.rotation[2, 2]), 0, 1))))


def view_of(corners: Array, size: tuple[float, float], photo_size: tuple[int, int], focal: float | None) -> View:
    """The view in which a board of ``size`` (east-west, north-south, mm) has its NW, NE, SE, SW corners there.

    ``focal`` is in pixels, None where the photo does not tell it.
    """
    width, height = photo_size
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], dtype=np.float64)
    found, _ = cv2.findHomography(flat, np.asarray(corners, dtype=np.float64))
    homography = np.asarray(found, dtype=np.float64)
    centre = np.array([(width - 1) / 2, (height - 1) / 2])
    if focal is None:
        focal = estimated_focal(homography, centre, size, max(width, height))
    matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    ground, rotation = _decompose(matrix, homography)
    return View(ground, matrix @ rotation[:, 2], rotation, focal, size)


def estimated_focal(homography: Array, centre: Array, size: tuple[float, float], longer_side: int) -> float:
    """The focal length that makes the board's sides square, or the usual one where the view is too frontal to tell."""
    shift = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    # In units of the board, so that the last row says how much the view is foreshortened.
    h = shift @ homography @ np.diag([size[0], size[1], 1.0])
    h /= h[2, 2]
    usual = USUAL_FOCAL * longer_side
    (a, b), weight = h[2, :2], abs(h[2, 0] * h[2, 1])
    estimates = []
    if weight > LEAST_FORESHORTENING**2:  # the two directions are at right angles
        estimates.append((-(h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1]) / (a * b), weight))
    ratio = (size[0] / size[1]) ** 2  # and a millimetre is as long in both
    difference = a * a - ratio * b * b
    if abs(difference) > LEAST_FORESHORTENING**2:
        lengths = ratio * (h[0, 1] ** 2 + h[1, 1] ** 2) - (h[0, 0] ** 2 + h[1, 0] ** 2)
        estimates.append((lengths / difference, abs(difference)))
    squares = [(square, weight) for square, weight in estimates if square > 0]
    if not squares:
        return usual
    focal = float(np.sqrt(np.average([s for s, _ in squares], weights=[w for _, w in squares])))
    least, most = (limit * longer_side for limit in FOCAL_RANGE)
    return focal if least <= focal <= most else usual


def _decompose(matrix: Array, homography: Array) -> tuple[Array, Array]:
    """The homography scaled to K (r1 r2 t), and the nearest true rotation to its columns."""
    columns = np.linalg.inv(matrix) @ homography
    scale = np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    scale = scale if columns[2, 2] > 0 else -scale
    columns = columns / scale
    # x east, y south and z up is a left-handed frame, so z is the other cross product.
    rough = np.stack([columns[:, 0], columns[:, 1], -np.cross(columns[:, 0], columns[:, 1])], axis=1)
    left, _, right = np.linalg.svd(rough)
    rotation = left @ np.diag([1, 1, -np.linalg.det(left @ right)]) @ right
    return homography / scale, rotation
