"""Light from all around: how much of the surroundings each spot sees, and what glossy surfaces mirror of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth import light as lights
from vision.synth.fast import raster
from vision.synth.fast.faces import Faces
from vision.synth.fast.shadow import Ground, lamp_view
from vision.synth.optics import linear
from vision.synth.scene import Array, Light

Floats = npt.NDArray[np.float32]
Planes = npt.NDArray[np.float32]

_OVERHEAD = np.array([0.0, 0.0, 20000.0])
# Things nearby hide the sky: distances at which heights are compared, mm, and how much of the sky each stands for.
_RINGS = ((3.0, 0.30), (9.0, 0.36), (24.0, 0.24))
_LOWEST = -60.0


@dataclass(frozen=True, slots=True, eq=False)
class SkyMap:
    """Heights around each spot of the ground, averaged over rings of growing size."""

    ground: Ground
    solid: tuple[Floats, ...]
    clear: tuple[Floats, ...]  # empty without translucent things
    tint: Floats | None  # (rows, columns, 3) what translucent things nearby let through

    def seen_from(self, position: Planes, up: Floats) -> Planes:
        """The share of the sky, (3, n) or (1, n), that reaches points; ``up`` is their normals' z."""
        x, y, z = position
        step = np.float32(1.0 / self.ground.cell_mm)
        column = ((x - np.float32(self.ground.left)) * step)[None]
        row = ((y - np.float32(self.ground.bottom)) * step)[None]

        def hidden(rings: tuple[Floats, ...]) -> Floats:
            total = np.zeros_like(z)
            for (size, weight), picture in zip(_RINGS, rings, strict=True):
                found = cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
                found -= z
                np.clip(found, 0, np.float32(1.6 * size), out=found)
                found *= np.float32(weight / size)
                total += found
            return np.minimum(total, np.float32(0.9))

        # A steep side looks away from what it leans against; half of what hides it is behind it.
        facing = np.clip(up, 0, 1) * np.float32(0.55) + np.float32(0.45)
        share = 1 - hidden(self.solid) * facing
        if self.tint is None:
            return share[None]
        lost = hidden(self.clear) * facing
        tint = cv2.remap(self.tint, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0].T
        return share * (1 - lost * (1 - tint))


def sky_map(faces: Faces, ground: Ground, ground_z: float) -> SkyMap:
    """Look down on everything from high above."""
    view = lamp_view(_OVERHEAD, ground)
    heights = [_heights(view, faces, mask, ground_z) for mask in (~faces.translucent, faces.translucent)]
    solid = heights[0]
    assert solid is not None
    cell = ground.cell_mm
    rings = tuple(_blur(solid[0], size / cell) for size, _ in _RINGS)
    if heights[1] is None:
        return SkyMap(ground, rings, (), None)
    tall, polygon_colour = heights[1]
    clear = tuple(_blur(np.maximum(tall, solid[0]), size / cell) for size, _ in _RINGS)
    # Spread the colours of translucent things around them, each as far as it is the nearest.
    there = (tall > _LOWEST + 1).astype(np.float32)
    weight = _blur(there, 14.0 / cell) + np.float32(1e-3)
    spread = _blur(polygon_colour * there[..., None], 14.0 / cell) / weight[..., None]
    return SkyMap(ground, rings, clear, np.clip(spread, 0, 1).astype(np.float32))


def _heights(
    view: raster.View, faces: Faces, mask: npt.NDArray[np.bool_], ground_z: float
) -> tuple[Floats, Floats] | None:
    """Height and linear colour of what lies uppermost; None without any such faces."""
    polygons = raster.project(view, faces, np.flatnonzero(mask))
    polygons = raster.select(polygons, polygons.front)
    if not len(polygons.face) and mask.any() is False:
        return None
    shape = (view.height, view.width)
    solid = not faces.translucent[mask].any() if mask.any() else True
    if not len(polygons.face):
        return (np.full(shape, ground_z, np.float32), np.zeros((*shape, 3), np.float32)) if solid else None
    polygon, near = raster.nearest(view.width * view.height, raster.fragments(view, polygons))
    empty = ground_z if solid else _LOWEST
    height = np.where(near > 0, _OVERHEAD[2] - 1.0 / np.maximum(near, 1e-9), empty).astype(np.float32)
    colours = np.array([linear(m.colour) for m in faces.materials], np.float32)
    own = np.append(colours[faces.material[polygons.face]], np.zeros((1, 3), np.float32), axis=0)
    return np.clip(height, empty, 90.0).reshape(shape), own[polygon].reshape(*shape, 3)


def _blur(picture: Floats, sigma: float) -> Floats:
    width = max(round(sigma), 1) * 2 + 1
    for _ in range(2):
        picture = np.asarray(cv2.blur(picture, (width, width), borderType=cv2.BORDER_REPLICATE), np.float32)
    return picture


# ---------------------------------------------------------------- mirror

# Roughnesses that reflections are prepared for; each is a disc of directions (the upper half of the sphere).
_ROUGHNESSES = np.array([0.05, 0.16, 0.27, 0.4, 0.6], np.float32)
_DISC = 128


@lru_cache(maxsize=16)
def _discs(name: str) -> Floats:
    """All prepared reflections, one square below the other; the middle of a square is the zenith."""
    axis = (np.arange(_DISC) + 0.5) / _DISC * 2.1 - 1.05
    u, v = np.meshgrid(axis, axis)
    squared = np.minimum(u * u + v * v, 1.3)
    up = (1 - squared) / (1 + squared)
    look = np.stack([u * (1 + up), v * (1 + up), up], axis=-1)
    look /= np.linalg.norm(look, axis=-1, keepdims=True)
    return np.concatenate([lights.reflection(name, look.reshape(-1, 3), float(r)).reshape(_DISC, _DISC, 3)
                           for r in _ROUGHNESSES]).astype(np.float32)  # fmt: skip


def mirrored(light: Light, look: Planes, roughness: Floats, ground: Array) -> Planes:
    """What is seen in the unit directions ``look`` (3, n): the surroundings above, the radiance ``ground`` below."""
    turn = np.radians(light.turn)
    cosine, sine = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    x, y = cosine * look[0] + sine * look[1], cosine * look[1] - sine * look[0]
    z = np.maximum(look[2], np.float32(0.0))
    away = 1 + z
    scale = np.float32(_DISC / 2.1)
    level = np.searchsorted((_ROUGHNESSES[1:] + _ROUGHNESSES[:-1]) / 2, roughness).astype(np.float32)
    column = x / away
    column *= scale
    column += np.float32(_DISC / 2 - 0.5)
    row = y / away
    row *= scale
    row += level * np.float32(_DISC) + np.float32(_DISC / 2 - 0.5)
    found = cv2.remap(_discs(light.environment), column[None], row[None], cv2.INTER_LINEAR)[0].T
    found = found * np.float32(light.environment_strength)
    below = np.clip(np.float32(0.5) - look[2] * np.float32(5.0), 0, 1)
    down = ground.astype(np.float32)[:, None]
    found += below * (down - found)
    return np.asarray(found, np.float32)


@lru_cache(maxsize=16)
def light_from_below(name: str) -> tuple[float, float, float]:
    """Mean radiance of the surroundings' lower half, which the table hides."""
    picture = lights.environment(name)
    lower = picture[picture.shape[0] // 2 :]
    weight = np.sin((np.arange(picture.shape[0]) + 0.5) / picture.shape[0] * np.pi)[picture.shape[0] // 2 :]
    mean = (lower.mean(axis=1) * weight[:, None]).sum(axis=0) / weight.sum()
    return (float(mean[0]), float(mean[1]), float(mean[2]))


def diffuse(light: Light, normals: Array, ground: Array) -> Array:
    """Unshadowed irradiance of the surroundings on normals (n, 3), the ground below them included."""
    above = lights.irradiance(light.environment, normals, light.turn)
    lower = (1.0 - normals[:, 2:3]) / 2.0
    swapped = ground - np.array(light_from_below(light.environment)) * light.environment_strength
    return np.maximum(above * light.environment_strength + lower * swapped, 0.0)
