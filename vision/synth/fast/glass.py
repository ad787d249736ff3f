"""Translucent plastic over what is behind it.

Its bodies are closed, so the way of the light inside them is the sum of the depths where the ray leaves minus the
sum of the depths where it enters, in any order: no sorting, and hollow walls and nested pieces come out right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.synth.fast import shade
from vision.synth.fast.faces import Faces
from vision.synth.fast.raster import Fragments, Polygons, View
from vision.synth.fast.surface import Eye, Palette, Surface, dot, surface_at
from vision.synth.scene import Array

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Planes = npt.NDArray[np.float32]

_CHUNK = 16384
# Share of the light that cast plastic scatters from within, which makes it glow a little instead of only filtering.
_GLOW = 0.1
# Each further wall mirrors some light, coloured by what lies before it.
_WALL = 0.035
# How far the picture behind is moved, in mm, where a surface is seen at an angle: straight through thin walls, and
# after being mirrored inside, which a part of the light is.
_BENDS = ((2.0, 0.72), (-13.0, 0.28))
# Plastic that takes less than this of the light in every millimetre is seen only by what it does to the picture
# behind it: a clear cap on a red pyramid shows what lies beside as well as what lies below.
_UNCOLOURED = 0.12
_BESIDE = ((-9.0, 0.3), (14.0, 0.25))


@dataclass(frozen=True, slots=True, eq=False)
class Glass:
    """The translucent layer of a picture: which pixels it covers, and what it does to the light there."""

    pixel: Longs  # (n,) sorted
    polygon: Ints  # (n,) nearest surface
    near: Floats  # (n,) its 1 / depth
    left: Planes  # (3, n) light left of what is behind
    walls: Floats  # (n,) surfaces crossed
    uncoloured: npt.NDArray[np.bool_]  # (n,) the nearest surface is of plastic as clear as glass


def layer(
    faces: Faces, polygons: Polygons, found: Fragments, behind: Floats, eye: Eye, nearest: tuple[Ints, Floats]
) -> Glass:
    """Add up the translucent fragments that are in front of the opaque picture (1 / depth ``behind``)."""
    polygon, near = nearest
    pixel = np.flatnonzero((polygon >= 0) & (near > behind))
    place = np.full(len(near), -1, np.int32)
    place[pixel] = np.arange(len(pixel), dtype=np.int32)
    spot = place[found.pixel]
    kept = spot >= 0
    spot, number, here = spot[kept], found.polygon[kept], found.near[kept]
    hidden = here < behind[found.pixel[kept]]
    # What is behind an opaque surface counts as lying on it: entering and leaving there cancel out.
    depth = 1.0 / np.where(hidden, behind[found.pixel[kept]], here).astype(np.float64)
    path = np.where(polygons.front[number], -depth, depth)
    rate = faces.absorbed[polygons.face]
    stretch = _ray_lengths(eye, pixel)
    count = len(pixel)
    lost = np.stack([np.bincount(spot, path * rate[number, k], count) for k in range(3)]) * stretch
    walls = np.bincount(spot[~hidden], minlength=count).astype(np.float32)
    left = np.exp(-np.clip(lost, 0, 14)).astype(np.float32)
    uncoloured = rate[polygon[pixel]].max(axis=1) < _UNCOLOURED
    return Glass(pixel, polygon[pixel], near[pixel], left, walls, uncoloured)


def _ray_lengths(eye: Eye, pixel: Longs) -> Array:
    """Millimetres along the ray for each millimetre of depth."""
    y, x = np.divmod(pixel, eye.width)
    ways = eye.rays[:, 0:1] * x + eye.rays[:, 1:2] * y + eye.rays[:, 2:3]
    return np.asarray(np.sqrt((ways * ways).sum(axis=0)))


def compose(
    image: Planes, glass: Glass, polygons: Polygons, eye: Eye, palette: Palette, lighting: shade.Lighting, view: View
) -> None:
    """Draw the translucent layer over the opaque picture (3, pixels), in place."""
    original = image.copy() if len(glass.pixel) else image
    for first in range(0, len(glass.pixel), _CHUNK):
        part = slice(first, first + _CHUNK)
        pixel, left = glass.pixel[part], glass.left[:, part]
        face = polygons.face[glass.polygon[part]]
        surface = surface_at(eye, palette, pixel, face, glass.near[part], None)
        back = dot(surface.normal, surface.view) < 0
        surface.normal[:, back] *= -1  # the mirroring normal is the same array
        behind = np.zeros((3, len(pixel)), np.float32)
        for bend_mm, share in _BENDS:
            behind += original[:, _bent(surface, bend_mm, view)] * np.float32(share)
        body, shine = shade.layers(lighting, surface)
        # Thick and dark plastic scatters more of what falls on it, thin and clear hardly any.
        filled = 1 - left.mean(axis=0)
        inner = np.sqrt(left)
        behind *= left
        behind *= np.float32(0.95) ** np.minimum(glass.walls[part], 6)
        behind += body * (filled * np.float32(_GLOW)) * inner.mean(axis=0)
        behind += body * inner * (np.float32(_WALL) * np.maximum(glass.walls[part] - 1, 0))
        behind += shine
        image[:, pixel] = behind
    _refract(image, glass, polygons, eye, palette, view)


def _refract(image: Planes, glass: Glass, polygons: Polygons, eye: Eye, palette: Palette, view: View) -> None:
    """Mix what lies beside into what is seen through uncoloured plastic, whatever stands within it."""
    chosen = np.flatnonzero(glass.uncoloured)
    if not len(chosen):
        return
    pixel = glass.pixel[chosen]
    surface = surface_at(eye, palette, pixel, polygons.face[glass.polygon[chosen]], glass.near[chosen], None)
    mixed = image[:, pixel] * np.float32(1.0 - sum(share for _, share in _BESIDE))
    for bend_mm, share in _BESIDE:
        mixed += image[:, _bent(surface, bend_mm, view)] * np.float32(share)
    image[:, pixel] = mixed


def _bent(surface: Surface, bend_mm: float, view: View) -> Longs:
    """The pixels whose light comes through: refraction moves them along the surface's lean."""
    facing = dot(surface.normal, surface.view)
    moved = surface.normal - surface.view * facing
    moved *= np.float32(-bend_mm)
    moved += surface.position
    m = view.matrix.astype(np.float32)
    depth, column, row = (m[k, 0] * moved[0] + m[k, 1] * moved[1] + m[k, 2] * moved[2] + m[k, 3] for k in (2, 0, 1))
    x = np.clip(np.rint(column / depth), 0, view.width - 1).astype(np.int64)
    y = np.clip(np.rint(row / depth), 0, view.height - 1).astype(np.int64)
    return np.asarray(y * view.width + x)
