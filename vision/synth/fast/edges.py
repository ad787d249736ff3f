"""Soft edges: where surfaces meet, four samples a pixel decide how much of each is seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.synth.fast import raster
from vision.synth.fast.raster import Polygons, View

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

# A turned square: near-level and near-upright edges get four different shares.
_SAMPLES = ((-0.125, -0.375), (0.375, -0.125), (0.125, 0.375), (-0.375, 0.125))


def soften(image: Floats, view: View, polygons: Polygons, group: Ints, seen: Ints) -> None:
    """Blend the pixels (3, pixels) along the edges of ``seen`` (flat: group of faces in each pixel), in place.

    ``polygons`` are all that may be seen, ``group`` gives the group of each. A sample that finds another group than
    the pixel's own takes its colour from the neighbour that shows that group.
    """
    edge = np.flatnonzero(_on_edge(seen.reshape(view.height, view.width)))
    if not len(edge):
        return
    groups = np.append(group, -1).astype(np.int32)
    around = _neighbours(view, edge)
    total = np.zeros((3, len(edge)), np.float32)
    for shift in _SAMPLES:
        found = raster.fragments(view, polygons, shift, edge)
        polygon, _ = raster.nearest(len(edge), found)
        total += image[:, _who_shows(groups[polygon], seen, edge, around, shift)]
    image[:, edge] = total / len(_SAMPLES)


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
) -> Longs:
    """For each edge pixel the pixel, itself or the nearest to the sample, that shows the wanted group."""
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
    return source
