"""Soft edges: where surfaces meet, four samples a pixel decide how much of each is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.synth.fast import raster
from vision.synth.fast.faces import Faces
from vision.synth.fast.raster import Polygons, View

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

# A turned square: near-level and near-upright edges get four different shares.
_SAMPLES = ((-0.125, -0.375), (0.375, -0.125), (0.125, 0.375), (-0.375, 0.125))
_RIDGE = 0.72
# Bevels and dishes are so narrow that a darker pixel here and there would make dashes of their edges.
_RIDGE_FACE_MM2 = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a picture shows."""

    polygons: Polygons  # all that may be seen
    faces: Faces
    group: Ints  # (pixels,) group of faces in each pixel, -1 for none


# Colours (3, n) of points in pixels, moved by a shift, on faces at 1 / depth, and what of them is mirrored light.
Shader = Callable[[Longs, tuple[float, float], Ints, Floats], tuple[Floats, Floats]]


def soften(image: Floats, view: View, seen: Seen, shader: Shader) -> None:
    """Blend the pixels (3, pixels) along edges, in place.

    A sample that finds another group than the pixel's own takes its colour from the neighbour that shows that group;
    where none does, as in a gap narrower than a pixel, it is shaded on its own.
    """
    _darken_ridges(image, view, seen)
    edge = np.flatnonzero(_on_edge(seen.group.reshape(view.height, view.width)))
    if not len(edge):
        return
    groups = np.append(seen.faces.group[seen.polygons.face], -1).astype(np.int32)
    solid = np.append(~seen.faces.translucent[seen.polygons.face], False)
    around = _neighbours(view, edge)
    total = np.zeros((3, len(edge)), np.float32)
    for shift in _SAMPLES:
        polygon, near = raster.nearest(len(edge), raster.fragments(view, seen.polygons, shift, edge))
        source, lost = _who_shows(groups[polygon], seen.group, edge, around, shift)
        colour = image[:, source]
        lost = lost[polygon[lost] >= 0]
        whole, shine = shader(edge[lost], shift, seen.polygons.face[polygon[lost]], near[lost])
        # Of translucent plastic only the flare differs from what the pixel already shows.
        colour[:, lost] = np.where(
            solid[polygon[lost]], whole, colour[:, lost] * np.float32(0.9) + np.minimum(shine, 0.3)
        )
        total += colour
    image[:, edge] = total / len(_SAMPLES)


def _darken_ridges(image: Floats, view: View, seen: Seen) -> None:
    """Where two faces of a translucent body meet, light is mirrored to and fro inside and little comes out."""
    faces = seen.faces
    count = int(faces.group.max(initial=-1)) + 1
    diagonals = faces.corners[:, 2] - faces.corners[:, 0], faces.corners[:, 3] - faces.corners[:, 1]
    area = np.bincount(faces.group, np.linalg.norm(np.cross(*diagonals), axis=1) / 2, count)
    parts = np.zeros(count + 1, np.int32)  # of each group, 0 where it has no ridge; the last entry is for empty pixels
    parts[faces.group] = np.where(faces.translucent & (area[faces.group] > _RIDGE_FACE_MM2), faces.part, 0)
    shape = (view.height, view.width)
    group, part = seen.group.reshape(shape), parts[seen.group].reshape(shape)
    ridge = np.zeros(shape, bool)
    ridge[:, 1:] = (group[:, 1:] != group[:, :-1]) & (part[:, 1:] == part[:, :-1])
    ridge[1:] |= (group[1:] != group[:-1]) & (part[1:] == part[:-1])
    ridge &= part > 0
    image[:, np.flatnonzero(ridge)] *= np.float32(_RIDGE)


def _on_edge(seen: Ints) -> npt.NDArray[np.bool_]:
    edge = np.zeros(seen.shape, bool)
    across = seen[:, 1:] != seen[:, :-1]
    down = seen[1:] != seen[:-1]
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    edge[1:] |= down
    edge[:-1] |= down
    return edge


def _neighbours(view: View, edge: Longs) -> dict[tuple[int, int], Longs]:
    y, x = np.divmod(edge, view.width)
    return {
        (dx, dy): np.clip(y + dy, 0, view.height - 1) * view.width + np.clip(x + dx, 0, view.width - 1)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }


def _who_shows(
    wanted: Ints, seen: Ints, edge: Longs, around: dict[tuple[int, int], Longs], shift: tuple[float, float]
) -> tuple[Longs, Longs]:
    """For each edge pixel the pixel, itself or the nearest to the sample, that shows the wanted group; and the places
    of those for which there is none."""
    source = edge.copy()
    open_ = np.flatnonzero(seen[edge] != wanted)
    order = sorted((d for d in around if d != (0, 0)), key=lambda d: (d[0] - shift[0]) ** 2 + (d[1] - shift[1]) ** 2)
    for step in order:
        if not len(open_):
            break
        there = around[step][open_]
        hit = seen[there] == wanted[open_]
        source[open_[hit]] = there[hit]
        open_ = open_[~hit]
    return source, open_
