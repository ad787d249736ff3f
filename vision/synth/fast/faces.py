"""All faces of a scene in one set of arrays: what the rasteriser projects and the shading looks up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.synth.optics import absorption
from vision.synth.scene import Array, Material, Part

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

# Corners of a smooth mesh whose averaged normal leans further than this from the face are real edges.
_CREASE = np.cos(np.radians(45.0))


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """F flat faces in world millimetres; a triangle repeats its last corner."""

    corners: Array  # (F, 4, 3)
    normal: Array  # (F, 3) unit, outwards
    uv: Array  # (F, 4, 2), zero where there is none
    has_uv: Bools  # (F,)
    corner_normals: Array  # (F, 4, 3): the face's own, or the rounded ones of a smooth mesh
    rounded: Bools  # (F,) corner normals differ from the face's
    part: Ints  # (F,) number of the part in the object-index pass
    material: Ints  # (F,) index into ``materials``
    group: Ints  # (F,) faces of one part and material in one plane share a number
    materials: tuple[Material, ...]
    translucent: Bools  # (F,)
    absorbed: Array  # (F, 3) what a millimetre of the body behind a translucent face takes of the light, exponents


def collect(parts: tuple[Part, ...]) -> Faces:
    """Put the meshes of all parts into the world and join them."""
    materials: list[Material] = []
    columns: list[tuple[npt.NDArray[np.generic], ...]] = []
    for number, part in enumerate(parts, start=1):
        columns.append(_of_part(part, number, len(materials)))
        materials.extend(part.materials)
    if not columns:
        columns.append(_of_nothing())
    corners, normal, uv, has_uv, corner_normals, rounded, part_of, material = (
        np.concatenate(c) for c in zip(*columns, strict=True)
    )
    clear = np.array([m.kind == "translucent" for m in materials] or [False])
    return Faces(
        corners,
        normal,
        uv,
        has_uv,
        corner_normals,
        rounded,
        part_of,
        material,
        _groups(corners, normal, part_of, material, rounded),
        tuple(materials),
        clear[material],
        _absorbed(materials, clear, part_of, material),
    )


def _absorbed(materials: list[Material], clear: Bools, part: Ints, material: Ints) -> Array:
    """A body has one filling, that of its part's first translucent material, whatever its faces are dressed in: light
    that enters through one material and leaves through another goes through the same plastic."""
    rates = np.array([absorption(m) if m.kind == "translucent" else np.zeros(3) for m in materials] or np.zeros((1, 3)))
    filling = np.zeros((int(part.max(initial=0)) + 1, 3))
    see_through = np.flatnonzero(clear[material])
    last_first = see_through[np.argsort(-material[see_through], kind="stable")]  # the first one is written last
    filling[part[last_first]] = rates[material[last_first]]
    return np.where(clear[material][:, None], filling[part], 0.0)


def _of_part(part: Part, number: int, first_material: int) -> tuple[npt.NDArray[np.generic], ...]:
    mesh = part.mesh
    count = len(mesh.faces)
    vertices = mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
    index = np.where(mesh.faces < 0, mesh.faces[:, [0, 1, 2, 2]], mesh.faces)
    corners = vertices[index]
    # The diagonals' cross product is twice the area vector of a quad, and of a triangle that repeats a corner.
    area = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    triangle = mesh.faces[:, 3] < 0
    if triangle.any():
        sides = corners[triangle]
        area[triangle] = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    normal = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-12)
    own = np.repeat(normal[:, None, :], 4, axis=1)
    corner_normals = _rounded_normals(index, area, own, len(vertices)) if mesh.smooth else own
    has_uv = np.full(count, mesh.uv is not None)
    uv = mesh.uv if mesh.uv is not None else np.zeros((count, 4, 2))
    if mesh.uv is not None and triangle.any():
        uv = np.where(triangle[:, None, None], uv[:, [0, 1, 2, 2]], uv)
    material = np.zeros(count, np.int32) if mesh.material is None else mesh.material.astype(np.int32)
    return (
        corners,
        normal,
        uv,
        has_uv,
        corner_normals,
        np.full(count, mesh.smooth),
        np.full(count, number, np.int32),
        material + np.int32(first_material),
    )


def _of_nothing() -> tuple[npt.NDArray[np.generic], ...]:
    return (
        np.zeros((0, 4, 3)),
        np.zeros((0, 3)),
        np.zeros((0, 4, 2)),
        np.zeros(0, bool),
        np.zeros((0, 4, 3)),
        np.zeros(0, bool),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
    )


def _rounded_normals(index: npt.NDArray[np.int32], area: Array, own: Array, vertices: int) -> Array:
    """Area-weighted mean of the normals around each vertex, except over real edges."""
    flat = index.ravel()
    weights = np.repeat(area, 4, axis=0)
    total = np.stack([np.bincount(flat, weights[:, k], vertices) for k in range(3)], axis=1)
    mean = (total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12))[index]
    crease = (mean * own).sum(axis=2) < _CREASE
    rounded: Array = np.where(crease[:, :, None], own, mean)
    return rounded


def _groups(corners: Array, normal: Array, part: Ints, material: Ints, rounded: Bools) -> Ints:
    """Number the planes: faces that no edge should be seen between get one number."""
    offset = (normal * corners[:, 0]).sum(axis=1)
    key = np.zeros((len(part), 6))
    key[:, :3] = np.round(normal * 50)
    key[:, 3] = np.round(offset * 4)
    key[rounded] = 0.0  # a rounded surface is one surface
    key[:, 4] = part
    key[:, 5] = material
    mixed = key @ np.array([7919.0, 104729.0, 1299709.0, 611953.0, 15485863.0, 32452843.0])
    return np.unique(mixed, return_inverse=True)[1].astype(np.int32).reshape(-1)
