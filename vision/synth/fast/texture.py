"""Texture colours of a whole picture: one perspective warp for each plane that carries a texture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.fast.faces import Faces
from vision.synth.fast.raster import Polygons, View
from vision.synth.fast.surface import Eye, affine
from vision.synth.optics import linear
from vision.synth.scene import Array, Material

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]

TO_LINEAR: Floats = linear(np.arange(256) / 255.0).astype(np.float32)

# For a face and its unit tangents along u and v: how much brighter it gets, in parts of its brightness, when its
# normal leans by one along each.
Lean = Callable[[int, Array], Array]

# Relief is kept as bytes: this one means "as bright as without bumps".
_LEVEL = 128
# Texels a pixel that still look sharp; where there are more, they are averaged before the warp.
_SHARP = 1.3
_SAME_UV = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """Textures as the picture sees them, flat over its pixels."""

    colour: Bytes  # (pixels, 3) sRGB
    relief: Bytes | None  # (pixels,) brightness by bumps, 128 = as on a flat surface; None without any bumps
    textured: npt.NDArray[np.bool_]  # (pixels,) where ``colour`` counts
    tilt: Floats  # (3, F) how far a face's normal turns where its relief is twice as bright as the flat surface


@dataclass(frozen=True, slots=True, eq=False)
class _Canvas:
    """The pictures that are painted into, and which group of faces each pixel shows."""

    colour: Bytes  # (H, W, 3)
    relief: Bytes  # (H, W)
    group: Ints  # (H, W), -1 where nothing has a texture
    tilt: Floats  # (3, F), see Painted


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """One texture, averaged to the picture's scale."""

    colour: Bytes
    relief: Bytes | None
    size: tuple[int, int]  # width, height in texels
    tilt: Array  # (3,), see Painted


def paint(view: View, eye: Eye, faces: Faces, polygons: Polygons, polygon: Ints, lean: Lean) -> Painted:
    """Look up the texture of every pixel; ``polygon`` (flat) says what is seen there, -1 for nothing."""
    mapped = np.array([m.texture is not None or m.bump is not None for m in faces.materials] or [False])
    visible = np.zeros(len(polygons.face) + 1, bool)
    visible[polygon] = True
    chosen = np.flatnonzero(visible[:-1] & mapped[faces.material[polygons.face]] & faces.has_uv[polygons.face])
    group_of = np.full(len(polygons.face) + 1, -1, np.int32)  # the last entry is for empty pixels
    group_of[chosen] = faces.group[polygons.face[chosen]]
    size = (view.height, view.width)
    canvas = _Canvas(
        np.zeros((*size, 3), np.uint8),
        np.full(size, _LEVEL, np.uint8),
        group_of[polygon].reshape(view.height, view.width),
        np.zeros((3, len(faces.part)), np.float32),
    )
    order = chosen[np.argsort(group_of[chosen], kind="stable")]
    for members in np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1) if len(order) else []:
        _paint_group(view, eye, faces, polygons, polygon, members, canvas, lean)
    bumpy = any(m.bump is not None for m in faces.materials)
    relief = canvas.relief.reshape(-1) if bumpy else None
    return Painted(canvas.colour.reshape(-1, 3), relief, canvas.group.reshape(-1) >= 0, canvas.tilt)


def _paint_group(
    view: View, eye: Eye, faces: Faces, polygons: Polygons, polygon: Ints,
    members: npt.NDArray[np.int64], canvas: _Canvas, lean: Lean,
) -> None:  # fmt: skip
    face = polygons.face[members]
    material = faces.materials[faces.material[face[0]]]
    corners = polygons.points[members].reshape(-1, 2)
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, (view.width, view.height)).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)) + 1, 0, (view.width, view.height)).astype(int)
    if right <= left or bottom <= top:
        return
    box = (slice(top, bottom), slice(left, right))
    mask = (canvas.group[box] == faces.group[face[0]]).view(np.uint8)
    uv = affine(faces.corners[face], faces.uv[face])
    way = _homography(eye, uv[0], polygons.plane[members[0]])
    sheet = _sheet(material, _texels(way, material, (left + right) / 2, (top + bottom) / 2), int(face[0]), uv[0], lean)
    canvas.tilt[:, face] = sheet.tilt[:, None]
    if _one_map(faces.corners[face], faces.uv[face], uv[0]):
        shift = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
        warp = _to_texels(sheet.size) @ way @ shift
        target = (int(right - left), int(bottom - top))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for source, goal in ((sheet.colour, canvas.colour), (sheet.relief, canvas.relief)):
            if source is not None:
                flat = cv2.warpPerspective(source, warp, target, flags=flags, borderMode=cv2.BORDER_WRAP)
                cv2.copyTo(flat, mask, goal[box])
        return
    _paint_bent(eye, polygons, polygon, members, uv, sheet, (box, mask), canvas)


def _paint_bent(
    eye: Eye, polygons: Polygons, polygon: Ints, members: npt.NDArray[np.int64], uv: Array, sheet: _Sheet,
    where: tuple[tuple[slice, slice], Bytes], canvas: _Canvas,
) -> None:  # fmt: skip
    """A texture around a rounded thing: every face has its own map."""
    box, mask = where
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return
    rows, columns = rows + box[0].start, columns + box[1].start
    ways = np.stack([_homography(eye, m, plane) for m, plane in zip(uv, polygons.plane[members], strict=True)])
    ways = _to_texels(sheet.size) @ ways
    place = np.full(len(polygons.face), 0, np.int64)
    place[members] = np.arange(len(members))
    own = ways[place[polygon[rows * eye.width + columns]]]
    spot = (own * np.stack([columns, rows, np.ones_like(rows)], axis=1)[:, None, :]).sum(axis=2)
    across = (spot[:, :2] / spot[:, 2:]).astype(np.float32)
    for source, goal in ((sheet.colour, canvas.colour), (sheet.relief, canvas.relief)):
        if source is None:
            continue
        for first in range(0, len(rows), 16384):
            part = slice(first, first + 16384)
            flat = cv2.remap(source, across[None, part, 0].copy(), across[None, part, 1].copy(), cv2.INTER_LINEAR,
                             borderMode=cv2.BORDER_WRAP)  # fmt: skip
            goal[rows[part], columns[part]] = flat[0]


def _homography(eye: Eye, uv: Array, plane: Array) -> Array:
    """From pixels to (u, v, 1) on a plane, given uv over the world and 1 / depth over the picture."""
    top = uv @ np.append(eye.place, 1.0)
    return np.concatenate([top[:, None] * plane + uv[:, :3] @ eye.rays, plane[None]])


def _to_texels(size: tuple[int, int]) -> Array:
    wide, high = size
    return np.array([[wide, 0.0, -0.5], [0.0, -high, high - 0.5], [0.0, 0.0, 1.0]])


def _one_map(corners: Array, uv: Array, first: Array) -> bool:
    """Whether the first face's map is right for all faces of the group."""
    told = corners @ first[:, :3].T + first[:, 3]
    return bool(np.abs(told - uv).max() < _SAME_UV)


def _texels(way: Array, material: Material, x: float, y: float) -> float:
    """Texels of the original texture that one pixel covers, along one axis."""
    picture = material.texture if material.texture is not None else material.bump
    assert picture is not None
    high, wide = picture.shape[:2]
    points = way @ np.array([[x, x + 1, x], [y, y, y + 1], [1, 1, 1]], float)
    u, v = points[0] / points[2] * wide, points[1] / points[2] * high
    return float(np.sqrt(abs((u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0]))))


def _sheet(material: Material, texels: float, face: int, uv: Array, lean: Lean) -> _Sheet:
    picture = _opaque(material)
    if picture is None:
        assert material.bump is not None
        picture = np.full((*material.bump.shape[:2], 3), np.round(np.array(material.colour) * 255), np.uint8)
    colour = _shrunk(picture, texels)
    size = (colour.shape[1], colour.shape[0])
    if material.bump is None:
        return _Sheet(colour, None, size, np.zeros(3))
    bump = _shrunk(material.bump, texels)
    if bump.shape[:2] != colour.shape[:2]:
        bump = np.asarray(cv2.resize(bump, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    per_mm = np.linalg.norm(uv[:, :3], axis=1)
    tangents = uv[:, :3] / np.maximum(per_mm, 1e-12)[:, None]
    brighter = lean(face, tangents)
    # Where brightness hardly follows the slope, it tells little about it: turn normals less there.
    tilt = brighter @ tangents / (float(brighter @ brighter) + 0.15)
    return _Sheet(colour, _relief(bump, material.bump_mm * per_mm, brighter), size, tilt)


def _relief(bump: Bytes, rise: Array, brighter: Array) -> Bytes:
    """How bright the slopes of the bumps are; ``rise`` is their height over the texture's width and height."""
    high, wide = bump.shape[:2]
    # Sobel's kernel adds up eight differences of one texel.
    steps = rise / 255.0 / 8.0 * (wide, high)
    grey = bump if bump.ndim == 2 else bump[..., 0]
    along = cv2.Sobel(grey, cv2.CV_32F, 1, 0, borderType=cv2.BORDER_REFLECT) * np.float32(-steps[0] * brighter[0])
    along += cv2.Sobel(grey, cv2.CV_32F, 0, 1, borderType=cv2.BORDER_REFLECT) * np.float32(steps[1] * brighter[1])
    return np.asarray(np.clip(along * _LEVEL + _LEVEL, 20, 255), np.uint8)


def _opaque(material: Material) -> Bytes | None:
    picture = material.texture
    if picture is None or picture.shape[2] == 3:
        return picture
    share = picture[..., 3:].astype(np.float32) / 255.0
    ground = np.array(material.colour, np.float32) * 255.0
    return np.round(picture[..., :3] * share + ground * (1.0 - share)).astype(np.uint8)


def _shrunk(picture: Bytes, texels: float) -> Bytes:
    factor = texels / _SHARP
    # Halving is by far the cheapest way to average; what is left after it is less than two to one.
    while factor >= 2.0 and min(picture.shape[:2]) >= 4:
        size = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        factor /= 2.0
    if factor <= 1.1:
        return picture
    size = (max(round(picture.shape[1] / factor), 2), max(round(picture.shape[0] / factor), 2))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
