"""Measuring meshes and stages independently of the code that built them."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.synth.scene import Mesh, Part

Array = npt.NDArray[np.float64]


def _triangles(mesh: Mesh) -> npt.NDArray[np.int32]:
    first, second = mesh.faces[:, [0, 1, 2]], mesh.faces[mesh.faces[:, 3] >= 0][:, [0, 2, 3]]
    return np.concatenate([first, second])


def _volume(mesh: Mesh) -> float:
    """Positive where faces look outwards."""
    a, b, c = (mesh.vertices[_triangles(mesh)[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def _open_edges(mesh: Mesh) -> int:
    """Edges that are not passed once in each direction; points in the same place count as one."""
    places = [tuple(place) for place in np.round(mesh.vertices, 6)]
    passed: Counter[Any] = Counter()
    for face in mesh.faces:
        ring = [places[i] for i in face if i >= 0]
        for start, end in zip(ring, ring[1:] + ring[:1], strict=True):
            passed[start, end] += start != end
    return sum(abs(count - passed[end, start]) for (start, end), count in passed.items())


def _size(mesh: Mesh) -> Array:
    extent: Array = mesh.vertices.max(axis=0) - mesh.vertices.min(axis=0)
    return extent


def _world(part: Part) -> Array:
    placed: Array = part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
    return placed


def _overlap(first: Part, second: Part) -> float:
    """The area in mm² that the outlines of two convex things share, seen from above."""
    outlines = [cv2.convexHull(_world(part)[:, :2].astype(np.float32)) for part in (first, second)]
    return float(cv2.intersectConvexConvex(*outlines)[0])


def _worst_overlap(parts: list[Part]) -> float:
    """The largest overlap of any two of them that could reach each other."""
    middles = np.array([_world(part)[:, :2].mean(axis=0) for part in parts]).reshape(-1, 2)
    reach = np.array([np.linalg.norm(_world(p)[:, :2] - m, axis=1).max() for p, m in zip(parts, middles, strict=True)])
    worst = 0.0
    for i in range(len(parts)):
        for j in range(i):
            if np.linalg.norm(middles[i] - middles[j]) < reach[i] + reach[j]:
                worst = max(worst, _overlap(parts[i], parts[j]))
    return worst


@pytest.fixture(scope="session")
def measure() -> SimpleNamespace:
    """Volume, open edges, size, world vertices and overlaps."""
    return SimpleNamespace(
        volume=_volume,
        open_edges=_open_edges,
        size=_size,
        world=_world,
        worst_overlap=_worst_overlap,
    )
