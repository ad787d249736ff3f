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
from vision.synth.fast.surface import mean_colour
from vision.synth.scene import Array, Light

Floats = npt.NDArray[np.float32]
Planes = npt.NDArray[np.float32]

_OVERHEAD = np.array([0.0, 0.0, 20000.0])
# Things nearby hide the sky: distances at which heights are compared, mm, and how much of the sky each stands for.
_RINGS = ((1.6, 0.5), (4.5, 0.26), (11.0, 0.28), (26.0, 0.2))
_FINE = 1  # how many of the rings need the fine map
_BOUNCE_MM = 25.0
_LOWEST = -60.0


@dataclass(frozen=True, slots=True, eq=False)
class SkyMap:
    """Heights around each spot of the ground, averaged over rings of growing size."""

    rings: tuple[tuple[Ground, Floats], ...]  # of opaque things
    clear: tuple[tuple[Ground, Floats], ...]  # of these and translucent ones; empty without any
    tint: tuple[Ground, Floats] | None  # (rows, columns, 3) what translucent things nearby let through
    colours: tuple[Ground, Floats]  # (rows, columns, 3) linear colour of what lies around, opaque or not

    def seen_from(self, position: Planes, up: Floats) -> Planes:
        """The share of the sky, (3, n) or (1, n), that reaches points; ``up`` is their normals' z."""
        # A steep side looks away from what it leans against; half of what hides it is behind it.
        facing = np.clip(up, 0, 1) * np.float32(0.55) + np.float32(0.45)
        fine, wide = _hidden(self.rings[:_FINE], position, 0), _hidden(self.rings[_FINE:], position, _FINE)
        # Gaps are dark on all sides, so the nearest ring counts whichever way a surface looks.
        share = (1 - np.minimum(wide, np.float32(0.9)) * facing) * (1 - np.minimum(fine, np.float32(0.8)))
        if self.tint is None:
            return np.asarray(share[None])
        lost = np.clip(_hidden(self.clear, position, _FINE) - wide, 0, np.float32(0.9)) * facing
        tint = _look(*self.tint, position).T
        return np.asarray(share * (1 - lost * (1 - tint)))

    def colour_around(self, points: Array) -> Array:
        """Linear colour (n, 3) of the surroundings on the ground of points (n, 3)."""
        planes = np.ascontiguousarray(points.T.astype(np.float32))
        found = [_look(*self.colours, planes[:, k : k + 16384]) for k in range(0, planes.shape[1], 16384)]
        return np.concatenate(found).astype(np.float64) if found else np.zeros((0, 3))


def _look(ground: Ground, picture: Floats, position: Planes) -> Floats:
    step = np.float32(1.0 / ground.cell_mm)
    column = ((position[0] - np.float32(ground.left)) * step)[None]
    row = ((position[1] - np.float32(ground.bottom)) * step)[None]
    return np.asarray(cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], np.float32)


def _hidden(rings: tuple[tuple[Ground, Floats], ...], position: Planes, first: int) -> Floats:
    """The share of the sky behind what stands higher in the rings from ``first`` on."""
    total = np.zeros_like(position[2])
    for (size, weight), (ground, picture) in zip(_RINGS[first:], rings, strict=False):
        found = _look(ground, picture, position)
        found -= position[2]
        np.clip(found, 0, np.float32(1.6 * size), out=found)
        found *= np.float32(weight / size)
        total += found
    return np.asarray(total)


def sky_map(faces: Faces, fine: Ground, coarse: Ground, ground_z: float) -> SkyMap:
    """Look down on everything from high above."""
    # A hand reaches over the table: taken for a column it would darken all below it.
    skin = np.array([m.kind == "skin" for m in faces.materials] or [False])
    solid = np.flatnonzero(~faces.translucent & ~skin[faces.material])
    near, _ = _heights(fine, faces, solid, ground_z)
    height, colour = _heights(coarse, faces, solid, ground_z)
    cell = coarse.cell_mm
    small = [(fine, _blur(near, size / fine.cell_mm)) for size, _ in _RINGS[:_FINE]]
    rings = tuple(small + [(coarse, _blur(height, size / cell)) for size, _ in _RINGS[_FINE:]])
    see_through = np.flatnonzero(faces.translucent)
    if not len(see_through):
        return SkyMap(rings, (), None, (coarse, _blur(colour, _BOUNCE_MM / cell)))
    tall, tinted = _heights(coarse, faces, see_through, _LOWEST)
    there = (tall > height).astype(np.float32)
    clear = tuple((coarse, _blur(np.maximum(tall, height), size / cell)) for size, _ in _RINGS[_FINE:])
    # Spread the colours of translucent things around them, each as far as it is the nearest.
    weight = _blur(there, 14.0 / cell) + np.float32(1e-3)
    spread = _blur(tinted * there[..., None], 14.0 / cell) / weight[..., None]
    colour = np.where(there[..., None] > 0, tinted, colour)
    tint = np.clip(spread, 0, 1).astype(np.float32)
    return SkyMap(rings, clear, (coarse, tint), (coarse, _blur(colour, _BOUNCE_MM / cell)))


def _heights(ground: Ground, faces: Faces, chosen: npt.NDArray[np.int64], empty: float) -> tuple[Floats, Floats]:
    """Height and linear colour of what lies uppermost among the chosen faces."""
    view = lamp_view(_OVERHEAD, ground)
    polygons = raster.project(view, faces, chosen)
    polygons = raster.select(polygons, polygons.front)
    polygon, near = raster.nearest(view.width * view.height, raster.fragments(view, polygons))
    height = np.where(near > 0, _OVERHEAD[2] - 1.0 / np.maximum(near, 1e-9), empty).astype(np.float32)
    colours = np.array([mean_colour(m) for m in faces.materials] or np.zeros((1, 3)), np.float32)
    own = np.append(colours[faces.material[polygons.face]], np.full((1, 3), 0.3, np.float32), axis=0)
    shape = (view.height, view.width)
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


def mirrored(light: Light, look: Planes, roughness: Floats, ground: Planes) -> Planes:
    """What is seen in the unit directions ``look`` (3, n): the surroundings above, ``ground`` (3, n) below."""
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
    found += below * (ground - found)
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
    """Unshadowed irradiance of the surroundings on normals (n, 3), with the ground's radiance (n, 3)."""
    above = lights.irradiance(light.environment, normals, light.turn)
    lower = (1.0 - normals[:, 2:3]) / 2.0
    swapped = ground - np.array(light_from_below(light.environment)) * light.environment_strength
    return np.maximum(above * light.environment_strength + lower * swapped, 0.0)
