"""Where the phone was: the lens model, and random views such as people take of a board.

Pixels are OpenCV's: (0, 0) is the centre of the top left pixel.

What is drawn, and how often:

| quantity | distribution |
|---|---|
| tilt of the view axis off the vertical | even from 0 to 35 degrees |
| turn of the board in the picture | 60 % within 12 degrees of a right angle, 40 % any angle; from every side |
| where the tilt leads | 70 % with the far side at the top of the picture, 30 % anywhere |
| field of view along the long side | even from 55 to 75 degrees; a quarter of the photos is then cropped 1.15 to 2x |
| share of the frame that the board fills | 15 to 95 %, as far as it fits; 15 % of the photos are as near as can be |
| place of the board in the frame | mostly near the middle; a fifth is pushed until it nearly touches the edge |
| border of the board | all of it inside the photo in 85 %; in the others only the field of squares is sure to be |
| lens | k1 around 0 with a deviation of 0.015 (what phones leave after their own correction); one in seven up to 0.09 |
| focus | on the board; one in twelve misses it by up to a quarter of the distance; entrance pupil 3 to 5 mm |
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.synth.scene import Array, Camera

MOST_TILT: Final = 35.0
FIELD_OF_VIEW: Final = (55.0, 75.0)
LEAST_SHARE: Final = 0.15
MOST_SHARE: Final = 0.95
CROPPED: Final = 0.25
CLOSE_UP: Final = 0.15
BORDER_CUT: Final = 0.15

# How near a corner may come to the edge of the photo, in pixels.
_MARGIN: Final = 2.0
# Points along each side of the board: a bent side bulges out between its corners.
_PER_SIDE: Final = 6
_ATTEMPTS: Final = 60


def project(camera: Camera, points: Array) -> Array:
    """Pixels of world points (N, 3) in the photo, lens distortion included, as (N, 2)."""
    world = np.ascontiguousarray(np.asarray(points, dtype=np.float64).reshape(-1, 1, 3))
    if not len(world):
        return np.zeros((0, 2))
    turn, _ = cv2.Rodrigues(camera.rotation)
    pixels, _ = cv2.projectPoints(world, turn, camera.translation, camera.matrix, camera.distortion)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def project_pinhole(camera: Camera, points: Array) -> Array:
    """Pixels of world points (N, 3) in the undistorted, overscanned picture that a back end draws."""
    seen = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ camera.rotation.T + camera.translation
    pixels = seen @ camera.pinhole_matrix.T
    return np.asarray(pixels[:, :2] / pixels[:, 2:])


def undistort(matrix: Array, distortion: Array, pixels: Array) -> Array:
    """Where the pinhole with the same K would have seen what the lens put at ``pixels`` (N, 2)."""
    k1, k2, p1, p2, k3 = distortion
    centre, focal = matrix[:2, 2], matrix[[0, 1], [0, 1]]
    bent = (pixels - centre) / focal
    flat = bent.copy()
    for _ in range(40):  # a fixed point; converges for every lens that bends without folding
        x, y = flat.T
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        tangential = np.stack([2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y], axis=1)
        flat = (bent - tangential) / radial[:, None]
    return np.asarray(flat * focal + centre)


def overscan_for(matrix: Array, distortion: Array, size: tuple[int, int]) -> float:
    """How much larger than the photo the pinhole picture has to be so that the lens finds all it needs."""
    width, height = size
    across, down = np.linspace(-0.5, width - 0.5, 33), np.linspace(-0.5, height - 0.5, 33)
    border = np.concatenate(
        [np.stack(np.broadcast_arrays(across, edge), axis=1) for edge in (down[0], down[-1])]
        + [np.stack(np.broadcast_arrays(edge, down), axis=1) for edge in (across[0], across[-1])]
    )
    seen = undistort(matrix, distortion, border)
    beyond = np.maximum(border.min(axis=0) - seen.min(axis=0), seen.max(axis=0) - border.max(axis=0))
    # Two pixels more on every side: resampling looks at neighbours.
    needed = 1 + 2 * (np.maximum(beyond, 0) + 2) / np.array([width, height])
    return float(needed.max())


def tilt_of(camera: Camera) -> float:
    """Degrees between the view axis and straight down."""
    return math.degrees(math.acos(min(1.0, max(-1.0, -float(camera.rotation[2, 2])))))


def outline(corners: Array, per_side: int = _PER_SIDE) -> Array:
    """World points along the sides between the four corners, in order."""
    steps = np.arange(per_side)[:, None] / per_side
    sides = [start + steps * (end - start) for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return np.concatenate(sides)


def share_of_frame(camera: Camera, corners: Array) -> float:
    """The area of the board's outline in the photo over the area of the photo."""
    return _area(project(camera, outline(corners))) / (camera.width * camera.height)


def sample_camera(
    rng: np.random.Generator,
    corners: Array,
    size: tuple[int, int],
    *,
    around: Array | None = None,
    most_tilt: float = MOST_TILT,
    shares: tuple[float, float] = (LEAST_SHARE, MOST_SHARE),
) -> Camera:
    """A random view of the board whose field has these world corners (4, 3); all of the field is inside the photo.

    ``around`` are the corners of the whole board with its border, which most people get into the photo as well.
    """
    field = np.asarray(corners, dtype=np.float64)
    whole = field if around is None or rng.random() < BORDER_CUT else np.asarray(around, dtype=np.float64)
    least, most = shares
    for _ in range(_ATTEMPTS):
        view = _View(rng, field, whole, size, most_tilt)
        largest = min(most, view.largest_share())
        if largest <= least:
            continue
        share = least + (largest - least) * (rng.beta(1.7, 1.2) if rng.random() > CLOSE_UP else rng.uniform(0.9, 1.0))
        place = _place(rng)
        for pull in (1.0, 0.5, 0.0):  # a board that all but fills the photo has to lie in its middle
            camera = view.camera(share, 0.5 + pull * (place - 0.5))
            if camera is not None:
                return _focused(rng, camera, field)
    raise ValueError(f"no view of the board fills at least {least:.0%} of a photo of {size[0]} x {size[1]} pixels")


def _place(rng: np.random.Generator) -> Array:
    """Where in the space that is left the board lies: (0, 0) top left, (1, 1) bottom right."""
    place = rng.beta(2.2, 2.2, size=2)
    if rng.random() < 0.2:
        axis = rng.integers(2)
        place[axis] = float(rng.integers(2))
    return np.asarray(place)


class _View:
    """A drawn direction and lens; distance and shift are what is left to find."""

    def __init__(
        self, rng: np.random.Generator, field: Array, whole: Array, size: tuple[int, int], most_tilt: float
    ) -> None:
        self.size = np.array(size, dtype=np.float64)
        self.middle = field.mean(axis=0)
        # The field's outline, whose area counts, then that of the whole board, which has to fit as well.
        self.points = np.concatenate([outline(field), outline(whole)]) - self.middle
        self.matrix = _lens(rng, size)
        self.distortion = _distortion(rng)
        self.rotation = _rotation(rng, most_tilt)
        self.turn, _ = cv2.Rodrigues(self.rotation)
        self._largest: tuple[float, float] | None = None

    def largest_share(self) -> float:
        """The share that the board fills when its view just fits into the photo."""
        return self._nearest()[1]

    def camera(self, share: float, place: Array) -> Camera | None:
        """The camera from which the board fills ``share`` and lies at ``place``; None where it would not fit."""
        depth, spot = self._nearest()[0], (self.size - 1) / 2
        # Shift and distance depend on each other a little (perspective), so settle them in turns.
        for _ in range(6):
            depth = self._depth_for(share, spot, depth)
            seen = self._seen(depth, spot)
            low, high = seen.min(axis=0) - _MARGIN, seen.max(axis=0) + _MARGIN
            spare = self.size - 1 - (high - low)
            if (spare < 0).any():
                return None
            spot = spot + spare * place - low
        depth = self._depth_for(share, spot, depth)
        return self._checked(depth, spot)

    def _checked(self, depth: float, spot: Array) -> Camera | None:
        seen = self._seen(depth, spot)
        inside = (seen >= 0).all() and (seen <= self.size - 1).all()
        if not inside or not _keeps_order(seen[: len(seen) // 2]):
            return None
        width, height = int(self.size[0]), int(self.size[1])
        return Camera(
            matrix=self.matrix,
            rotation=self.rotation,
            translation=self._translation(depth, spot) - self.rotation @ self.middle,
            distortion=self.distortion,
            width=width,
            height=height,
            focus_mm=depth,
            aperture_mm=0.0,
            overscan=overscan_for(self.matrix, self.distortion, (width, height)),
        )

    def _translation(self, depth: float, spot: Array) -> Array:
        """The board's middle in the camera's frame, when it is ``depth`` away and seen at ``spot``."""
        ray = (spot - self.matrix[:2, 2]) / self.matrix[[0, 1], [0, 1]]
        return depth * np.array([ray[0], ray[1], 1.0])

    def _seen(self, depth: float, spot: Array) -> Array:
        shift = self._translation(depth, spot)
        pixels, _ = cv2.projectPoints(self.points, self.turn, shift, self.matrix, self.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def _nearest(self) -> tuple[float, float]:
        """The least depth at which the centred board fits, and the share it fills then."""
        if self._largest is None:
            reach = float(np.linalg.norm(self.points, axis=1).max())
            near, far = 0.9 * reach, 40 * reach
            for _ in range(30):
                depth = (near + far) / 2
                extent = np.ptp(self._seen(depth, self._centring(depth)), axis=0) + 2 * _MARGIN
                near, far = (near, depth) if (extent <= self.size - 1).all() else (depth, far)
            self._largest = far, self._share(self._seen(far, self._centring(far)))
        return self._largest

    def _centring(self, depth: float) -> Array:
        """The spot of the board's middle at which the box around its view is centred."""
        centre = (self.size - 1) / 2
        spot = centre
        for _ in range(3):
            seen = self._seen(depth, spot)
            spot = spot + centre - (seen.min(axis=0) + seen.max(axis=0)) / 2
        return np.asarray(spot)

    def _depth_for(self, share: float, spot: Array, start: float) -> float:
        """The depth at which the board at ``spot`` fills ``share``: areas go with the square of the distance."""
        depth = start
        for _ in range(12):
            depth *= math.sqrt(self._share(self._seen(depth, spot)) / share)
        return depth

    def _share(self, seen: Array) -> float:
        return _area(seen[: len(seen) // 2]) / float(self.size.prod())


def _lens(rng: np.random.Generator, size: tuple[int, int]) -> Array:
    """K of a phone's main camera, sometimes of the middle of its sensor only (digital zoom, cropping)."""
    width, height = size
    angle = math.radians(rng.uniform(*FIELD_OF_VIEW))
    crop = rng.uniform(1.15, 2.0) if rng.random() < CROPPED else 1.0
    focal = crop * max(size) / 2 / math.tan(angle / 2)
    shift = rng.normal(0, 0.004, size=2) * max(size)
    return np.array([[focal, 0, (width - 1) / 2 + shift[0]], [0, focal, (height - 1) / 2 + shift[1]], [0, 0, 1]])


def _distortion(rng: np.random.Generator) -> Array:
    k1, k2 = rng.normal(0, 0.015), rng.normal(0, 0.006)
    if rng.random() < 1 / 7:
        k1 = rng.uniform(-0.09, 0.09)
    return np.array([k1, k2, *rng.normal(0, 0.0004, size=2), 0.0])


def _rotation(rng: np.random.Generator, most_tilt: float) -> Array:
    """R of a camera that looks down at the table."""
    tilt = math.radians(rng.uniform(0, most_tilt))
    turn = rng.uniform(0, 360) if rng.random() < 0.4 else 90.0 * rng.integers(4) + rng.uniform(-12, 12)
    # Most people tilt the phone towards themselves, so that far things are at the top of the picture.
    lean = rng.uniform(0, 360) if rng.random() < 0.3 else rng.uniform(-10, 10)
    straight_down = np.diag([1.0, -1.0, -1.0])  # the picture's top is north
    # Looking down mirrors the sense of a turn, so this undoes the lean and leaves the board turned by ``turn``.
    heading = math.radians(turn + lean)
    return _about(2, math.radians(lean)) @ _about(0, -tilt) @ straight_down @ _about(2, heading)


def _about(axis: int, angle: float) -> Array:
    """The rotation by ``angle`` about one of the axes."""
    matrix, _ = cv2.Rodrigues(np.eye(3)[axis] * angle)
    return np.asarray(matrix, dtype=np.float64)


def _focused(rng: np.random.Generator, camera: Camera, corners: Array) -> Camera:
    weights = rng.dirichlet(np.ones(4))
    depth = float((camera.rotation @ (weights @ corners) + camera.translation)[2])
    if rng.random() < 1 / 12:
        depth *= rng.uniform(0.8, 1.25)
    return Camera(
        camera.matrix,
        camera.rotation,
        camera.translation,
        camera.distortion,
        camera.width,
        camera.height,
        focus_mm=depth,
        aperture_mm=float(rng.uniform(3.0, 5.0)),
        overscan=camera.overscan,
    )


def _area(polygon: Array) -> float:
    x, y = polygon.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _keeps_order(seen: Array) -> bool:
    """Whether the corners, clockwise from above, are clockwise in the photo too (the eye is above the table)."""
    x, y = seen.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0
