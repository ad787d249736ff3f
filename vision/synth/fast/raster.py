"""A z-buffer in numpy: faces become spans of pixels, spans become fragments, the nearest fragment stays.

Everything that looks at the scene does so through one 3 x 4 matrix from world millimetres to homogeneous
pixels: the camera, and each lamp that casts shadows on the ground. Pixel centres have whole numbers, as in OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.synth.fast.faces import Faces
from vision.synth.scene import Array, Camera

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]

_NEAR = 1.0  # nothing is drawn that is nearer to the eye than this many millimetres


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Where the scene is looked at from."""

    matrix: Array  # (3, 4)
    width: int
    height: int


@dataclass(frozen=True, slots=True, eq=False)
class Polygons:
    """Faces on the picture plane, ``plane`` giving 1 / depth as a x + b y + c; clipping may cut a face in several."""

    face: Ints  # (G,) index into Faces
    points: Array  # (G, 4, 2) pixels
    plane: Array  # (G, 3)
    front: Bools  # (G,)


@dataclass(frozen=True, slots=True, eq=False)
class Fragments:
    """Every pixel of every polygon."""

    pixel: Longs  # flat index
    polygon: Ints
    near: Floats  # 1 / depth


@dataclass(frozen=True, slots=True, eq=False)
class _Spans:
    start: Longs  # flat index of the first pixel
    count: Longs
    polygon: Longs
    near: Floats  # 1 / depth at the first pixel
    slope: Floats  # its change for one pixel to the right


def camera_view(camera: Camera) -> View:
    """The pinhole picture of a camera, overscan included."""
    pose = np.concatenate([camera.rotation, camera.translation.reshape(3, 1)], axis=1)
    wide, high = camera.pinhole_size
    return View(camera.pinhole_matrix @ pose, wide, high)


def project(view: View, faces: Faces, chosen: Longs | None = None) -> Polygons:
    """Project faces (all, or the chosen ones), cutting off what is behind the eye."""
    face = np.arange(len(faces.part)) if chosen is None else chosen
    corners = faces.corners[face] @ view.matrix[:, :3].T + view.matrix[:, 3]
    behind = corners[:, :, 2] < _NEAR
    if behind.any():
        face, corners = _clip(face, corners, behind)
    depth = corners[:, :, 2:3]
    points = corners[:, :, :2] / depth
    plane, front = _planes(corners)
    if np.linalg.det(view.matrix[:, :3]) < 0:  # a lamp's map is seen from behind the paper
        front = ~front
    low, high = points.min(axis=1), points.max(axis=1)
    inside = (high[:, 0] > 0) & (low[:, 0] < view.width) & (high[:, 1] > 0) & (low[:, 1] < view.height)
    keep = inside & np.isfinite(plane).all(axis=1)
    return Polygons(face[keep].astype(np.int32), points[keep], plane[keep], front[keep])


def _planes(corners: Array) -> tuple[Array, Bools]:
    """1 / depth as a linear function of the pixel, from three homogeneous corners."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    across = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    volume = (a * across[0]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        plane: Array = across.sum(axis=0) / volume[:, None]
    return plane, volume < 0


def _clip(face: Longs, corners: Array, behind: Bools) -> tuple[Longs, Array]:
    whole = ~behind.any(axis=1)
    pieces: list[Array] = []
    owners: list[int] = []
    for at in np.flatnonzero(~whole & ~behind.all(axis=1)):
        ring = _clip_ring(corners[at])
        for k in range(1, len(ring) - 1):
            pieces.append(np.stack([ring[0], ring[k], ring[k + 1], ring[k + 1]]))
            owners.append(int(face[at]))
    if not pieces:
        return face[whole], corners[whole]
    return np.concatenate([face[whole], np.array(owners, np.int64)]), np.concatenate([corners[whole], np.stack(pieces)])


def _clip_ring(ring: Array) -> list[Array]:
    kept: list[Array] = []
    for here, there in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        inside, next_inside = here[2] >= _NEAR, there[2] >= _NEAR
        if inside:
            kept.append(here)
        if inside != next_inside:
            kept.append(here + (there - here) * ((_NEAR - here[2]) / (there[2] - here[2])))
    return kept


def fragments(
    view: View,
    polygons: Polygons,
    shift: tuple[float, float] = (0.0, 0.0),
    wanted: Longs | None = None,
    only: Bools | None = None,
) -> Fragments:
    """All pixels whose centres (moved by ``shift``) lie in a polygon, or in one of those that ``only`` chooses.

    ``wanted`` limits them to a sorted list of flat pixels; ``pixel`` then counts places in that list.
    """
    spans = _spans(view, polygons, shift, only)
    if wanted is not None:
        return _expand_wanted(view, spans, wanted)
    first = np.cumsum(spans.count) - spans.count
    total = int(spans.count.sum())
    ramp = np.arange(total)
    within = (ramp - np.repeat(first, spans.count)).astype(np.float32)
    pixel = np.repeat(spans.start - first, spans.count)
    pixel += ramp
    within *= np.repeat(spans.slope, spans.count)
    within += np.repeat(spans.near, spans.count)
    return Fragments(pixel, np.repeat(spans.polygon.astype(np.int32), spans.count), within)


def _expand_wanted(view: View, spans: _Spans, wanted: Longs) -> Fragments:
    before = np.zeros(view.width * view.height + 1, np.int64)
    before[wanted + 1] = 1
    np.cumsum(before, out=before)
    low = before[spans.start]
    count = before[spans.start + spans.count] - low
    first = np.cumsum(count) - count
    place = np.repeat(low - first, count) + np.arange(int(count.sum()))
    owner = np.repeat(np.arange(len(count)), count)
    along = (wanted[place] - spans.start[owner]).astype(np.float32)
    near = spans.near[owner] + along * spans.slope[owner]
    return Fragments(place, spans.polygon[owner].astype(np.int32), near)


def _spans(view: View, polygons: Polygons, shift: tuple[float, float], only: Bools | None) -> _Spans:
    points = polygons.points - np.asarray(shift)
    left, right = _edges(points)
    top = np.clip(np.ceil(points[:, :, 1].min(axis=1)), 0, view.height).astype(np.int64)
    bottom = np.clip(np.ceil(points[:, :, 1].max(axis=1)), 0, view.height).astype(np.int64)
    rows = np.maximum(bottom - top, 0)
    if only is not None:
        rows = np.where(only, rows, 0)
    polygon = np.repeat(np.arange(len(rows)), rows)
    row = np.arange(len(polygon)) - np.repeat(np.cumsum(rows) - rows - top, rows)
    start = np.full(len(row), -np.inf)
    end = np.full(len(row), np.inf)
    for k in range(4):
        np.maximum(start, left[0][k][polygon] * row + left[1][k][polygon], out=start)
        np.minimum(end, right[0][k][polygon] * row + right[1][k][polygon], out=end)
    first = np.clip(np.ceil(start), 0, view.width).astype(np.int64)
    count = np.clip(np.ceil(end), 0, view.width).astype(np.int64) - first
    some = count > 0
    polygon, row, first, count = polygon[some], row[some], first[some], count[some]
    plane = polygons.plane[polygon]
    near = plane[:, 0] * (first + shift[0]) + plane[:, 1] * (row + shift[1]) + plane[:, 2]
    return _Spans(row * view.width + first, count, polygon, near.astype(np.float32), plane[:, 0].astype(np.float32))


def _edges(points: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Slope and offset of x over y for the (up to) four left and right edges of convex polygons, one row an edge."""
    following = np.roll(points, -1, axis=1)
    run = following - points
    diagonal, other = points[:, 2] - points[:, 0], points[:, 3] - points[:, 1]
    turn = diagonal[:, 0] * other[:, 1] - diagonal[:, 1] * other[:, 0]
    short = (points[:, 2] == points[:, 3]).all(axis=1)
    side, base = points[:, 1] - points[:, 0], diagonal
    turn = np.where(short, side[:, 0] * base[:, 1] - side[:, 1] * base[:, 0], turn)
    level = np.abs(run[:, :, 1]) < 1e-7
    slope = np.where(level, 0.0, run[:, :, 0] / np.where(level, 1.0, run[:, :, 1]))
    offset = points[:, :, 0] - slope * points[:, :, 1]
    downwards = run[:, :, 1] * turn[:, None] > 0
    is_right, is_left = downwards & ~level, ~downwards & ~level
    left = (np.where(is_left, slope, 0.0).T.copy(), np.where(is_left, offset, -np.inf).T.copy())
    right = (np.where(is_right, slope, 0.0).T.copy(), np.where(is_right, offset, np.inf).T.copy())
    return left, right


def nearest(size: int, found: Fragments) -> tuple[Ints, Floats]:
    """The polygon that is nearest in each of ``size`` pixels (-1 for none), and its 1 / depth."""
    near = np.zeros(size, np.float32)
    np.maximum.at(near, found.pixel, found.near)
    won = near[found.pixel] == found.near
    polygon = np.full(size, -1, np.int32)
    polygon[found.pixel[won]] = found.polygon[won]
    return polygon, near


def select(polygons: Polygons, chosen: Bools) -> Polygons:
    """The polygons that a mask chooses."""
    return Polygons(polygons.face[chosen], polygons.points[chosen], polygons.plane[chosen], polygons.front[chosen])
