"""What the eye sees in a list of pixels: place, normal and material of the surface there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.synth.fast.faces import Faces
from vision.synth.fast.raster import View
from vision.synth.optics import linear
from vision.synth.scene import Array, Material, MaterialKind

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Planes = npt.NDArray[np.float32]  # (3, n): one row a coordinate or a colour

# Share of light that a surface mirrors when looked at straight: what the path tracer's materials come to.
_MIRRORED: dict[MaterialKind, float] = {
    "plastic": 0.039,
    "translucent": 0.039,
    "paper": 0.02,
    "wood": 0.03,
    "cloth": 0.01,
    "stone": 0.04,
    "metal": 0.6,
    "skin": 0.028,
}


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Material values a face, ready to be looked up by face number."""

    colour: Planes  # (3, F) linear
    roughness: Floats
    mirrored: Floats
    metal: Floats  # 1 where light is only mirrored, in the metal's colour
    normal: Planes  # (3, F)
    bend: npt.NDArray[np.float32]  # (F, 3, 4): rounded normal as a function of (x, y, z, 1); zero on flat faces
    rounded: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """n points on surfaces, all arrays in float32."""

    face: Ints
    position: Planes
    normal: Planes
    gloss: Planes  # the normal that mirrors: bumps turn it where they are too small to be seen themselves
    view: Planes  # unit vector towards the eye
    colour: Planes  # linear
    roughness: Floats
    mirrored: Floats
    metal: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """Rays of a pinhole view: pixel (x, y) at depth w is ``place + w * (rays @ (x, y, 1))``."""

    place: Array
    rays: Array  # (3, 3)
    width: int


def dot(a: Planes, b: Planes) -> Floats:
    """Scalar products of n vectors; a sum over the first axis would take twice as long."""
    total: Floats = a[0] * b[0]
    total += a[1] * b[1]
    total += a[2] * b[2]
    return total


def eye_of(view: View) -> Eye:
    """The centre and the rays of a view's matrix."""
    rays = np.asarray(np.linalg.inv(view.matrix[:, :3]), np.float64)
    return Eye(-rays @ view.matrix[:, 3], rays, view.width)


def palette(faces: Faces) -> Palette:
    """Look the materials up once a face instead of once a pixel."""
    materials = faces.materials
    at = faces.material
    colour = np.array([mean_colour(m) for m in materials] or np.zeros((1, 3)), np.float32)
    bend = affine(faces.corners, faces.corner_normals)
    bend[~faces.rounded] = 0.0
    return Palette(
        np.ascontiguousarray(colour[at].T),
        _values(materials, lambda m: max(m.roughness, 0.03))[at],
        _values(materials, lambda m: _MIRRORED[m.kind])[at],
        _values(materials, lambda m: float(m.kind == "metal"))[at],
        np.ascontiguousarray(faces.normal.T.astype(np.float32)),
        bend.astype(np.float32),
        faces.rounded,
    )


def mean_colour(material: Material) -> Array:
    """Linear colour of a material seen from so far that its texture is one."""
    if material.texture is None:
        return linear(material.colour)
    return linear(material.texture[::16, ::16, :3].mean(axis=(0, 1)) / 255.0)


def _values(materials: tuple[Material, ...], of: Callable[[Material], float]) -> Floats:
    return np.array([of(m) for m in materials] or [0.0], np.float32)


def affine(corners: Array, values: Array) -> Array:
    """(F, k, 4) matrices that give ``values`` (F, 4, k) at the corners as functions of (x, y, z, 1)."""
    origin = corners[:, 0]
    along, across = corners[:, 1] - origin, corners[:, 2] - origin
    # A quad's far corner may be a better second axis than one on the same line.
    normal = np.cross(along, across)
    scale = np.maximum((normal**2).sum(axis=1, keepdims=True), 1e-12)
    first = np.cross(across, normal) / scale
    second = np.cross(normal, along) / scale
    step_first = (values[:, 1] - values[:, 0])[:, :, None] * first[:, None, :]
    step_second = (values[:, 2] - values[:, 0])[:, :, None] * second[:, None, :]
    gradient = step_first + step_second
    offset = values[:, 0] - (gradient * origin[:, None, :]).sum(axis=2)
    return np.concatenate([gradient, offset[:, :, None]], axis=2)


def surface_at(
    eye: Eye, table: Palette, pixel: Longs, face: Ints, near: Floats, colour: Planes | None,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Surface:  # fmt: skip
    """The surfaces that the eye meets in ``pixel`` (moved by ``shift``) on ``face`` at the depth 1 / ``near``.

    ``colour`` (textures already looked up) overrules the palette's.
    """
    y, x = np.divmod(pixel, eye.width)
    x, y = x.astype(np.float32) + np.float32(shift[0]), y.astype(np.float32) + np.float32(shift[1])
    rays = eye.rays.astype(np.float32)
    way: Planes = np.stack([rays[k, 0] * x + rays[k, 1] * y + rays[k, 2] for k in range(3)])
    length = np.sqrt(dot(way, way))
    position: Planes = way / near
    position += eye.place.astype(np.float32)[:, None]
    way /= -length
    normal = _normals(table, face, position)
    return Surface(
        face,
        position,
        normal,
        normal,
        way,
        np.take(table.colour, face, axis=1) if colour is None else colour,
        table.roughness[face],
        table.mirrored[face],
        table.metal[face],
    )


def with_bumps(surface: Surface, relief: Floats, tilt: Planes) -> Surface:
    """The same points with mirroring normals turned by bumps: ``tilt`` (3, n) for each part of brighter ``relief``."""
    turned: Planes = surface.normal + tilt * (relief - 1)
    turned *= 1 / np.sqrt(np.maximum(dot(turned, turned), np.float32(1e-6)))
    return replace(surface, gloss=turned)


def _normals(table: Palette, face: Ints, position: Planes) -> Planes:
    normal: Planes = np.take(table.normal, face, axis=1)
    bent = np.flatnonzero(table.rounded[face])
    if len(bent):
        matrix = table.bend[face[bent]]
        place = position[:, bent]
        turned = matrix[:, :, 0].T * place[0] + matrix[:, :, 1].T * place[1] + matrix[:, :, 2].T * place[2]
        turned += matrix[:, :, 3].T
        turned /= np.maximum(np.sqrt(dot(turned, turned)), np.float32(1e-6))
        normal[:, bent] = turned
    return normal
