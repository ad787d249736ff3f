"""Shadows of lamps: a map of the ground that knows, for each spot, how high the light is stopped above it.

The map lies in the plane z = 0; any point of the scene finds its place on it by following the lamp's ray. A point is
in shadow where the map's height is well above its own. Heights are kept as exponentials, which may be blurred
freely: the blurred value times the exponential of the own height is the share of light that arrives.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.fast import raster
from vision.synth.fast.faces import Faces
from vision.synth.scene import Array, Lamp

Floats = npt.NDArray[np.float32]
Planes = npt.NDArray[np.float32]

_STEEP = 0.75  # per mm: light fades to nothing over about 3 mm of height difference
_HIGHEST = 95.0
_LOWEST = -60.0
_SUN_AWAY_MM = 20000.0
_FINEST_MM = 0.8
_MOST_CELLS = 560
# Shadows are prepared as soft as things of these heights cast them, mm, and mixed for heights between.
_HEIGHTS_MM = (5.0, 22.0, 70.0)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The part of the plane z = 0 that the picture shows, and how finely shadows are drawn on it."""

    left: float
    bottom: float
    cell_mm: float
    wide: int
    high: int

    def pixels(self) -> Array:
        """3 x 3 from (x, y, 1) in mm to cells."""
        step = 1.0 / self.cell_mm
        return np.array([[step, 0.0, -self.left * step], [0.0, step, -self.bottom * step], [0.0, 0.0, 1.0]])


def ground_of(low: Array, high: Array, finest: float = _FINEST_MM, cells: int = _MOST_CELLS) -> Ground:
    """A map from ``low`` to ``high`` (x, y)."""
    extent = float(max((high - low).max(), 1.0))
    cell = max(finest, extent / cells)
    wide, tall = np.ceil((high - low) / cell).astype(int) + 1
    return Ground(float(low[0]), float(low[1]), cell, int(wide), int(tall))


@dataclass(frozen=True, slots=True, eq=False)
class ShadowMap:
    """What one lamp's light meets on its way to the ground."""

    ground: Ground
    lamp: Array  # place of the light, mm
    heights: tuple[float, ...]  # some of _HEIGHTS_MM, and for each:
    stopped: tuple[Floats, ...]  # exp(-steep * height) of opaque things, blurred
    height: Floats  # blurred height of what stops the light
    clear: Floats | None  # height of translucent things, a little widened
    tint: Floats | None  # (rows, columns, 3) light left behind them

    def light_at(self, position: Planes) -> Planes:
        """The share of the lamp's light, (3, n) or (1, n) where all colours are alike, that reaches points (3, n)."""
        x, y, z = position
        lamp = self.lamp.astype(np.float32)
        stretch = lamp[2] / np.maximum(lamp[2] - z, np.float32(1.0))
        step = np.float32(1.0 / self.ground.cell_mm)
        column = ((lamp[0] + (x - lamp[0]) * stretch - np.float32(self.ground.left)) * step)[None]
        row = ((lamp[1] + (y - lamp[1]) * stretch - np.float32(self.ground.bottom)) * step)[None]

        def look(picture: Floats) -> Floats:
            found = cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(found[0], np.float32)

        own = np.exp(np.clip(z, np.float32(_LOWEST), np.float32(_HIGHEST)) * np.float32(_STEEP))
        near = below = look(self.stopped[0])
        above = look(self.height) - z if len(self.stopped) > 1 else z
        for k, picture in enumerate(self.stopped[1:], start=1):
            low, high = self.heights[k - 1], self.heights[k]
            mix = np.clip((above - np.float32(low)) * np.float32(1.0 / (high - low)), 0, 1)
            softer = look(picture)
            near = near + mix * (softer - below)
            below = softer
        # A little more than the own height: a surface must not shade itself.
        share: Floats = np.minimum(near * own * np.float32(1.6), np.float32(1.0))
        if self.clear is None or self.tint is None:
            return np.asarray(share[None])
        clear = np.clip((z - look(self.clear)) * np.float32(0.2) + 1, 0, 1)
        tint = look(self.tint).T
        return np.asarray((tint + (1 - tint) * clear) * share)


def cast(lamp: Lamp, faces: Faces, ground: Ground, ground_z: float) -> ShadowMap:
    """Follow a lamp's light down to the ground."""
    place = np.asarray(lamp.position, np.float64)
    if lamp.kind == "sun":
        place = place / np.linalg.norm(place) * _SUN_AWAY_MM
    place[2] = max(place[2], 60.0)
    spread = _spread(lamp, place)
    view = lamp_view(place, ground)
    solid = raster.select(*_facing(view, faces, np.flatnonzero(~faces.translucent)))
    shape = (ground.high, ground.wide)
    _, near = raster.nearest(ground.wide * ground.high, raster.fragments(view, solid))
    height = np.where(near > 0, place[2] - 1.0 / np.maximum(near, 1e-9), ground_z).reshape(shape).astype(np.float32)
    np.clip(height, max(ground_z, _LOWEST), _HIGHEST, out=height)
    stopped = np.exp(height * np.float32(-_STEEP))
    clear, tint, top = _through(view, faces, place, shape, spread)
    if top is not None:
        height = np.maximum(height, top)
    # A small or far lamp casts shadows that are equally sharp at every height.
    tell_apart = [
        k for k in range(1, len(_HEIGHTS_MM)) if spread * (_HEIGHTS_MM[k] - _HEIGHTS_MM[k - 1]) > ground.cell_mm / 2
    ]
    heights = tuple(_HEIGHTS_MM[k] for k in [0, *tell_apart])
    return ShadowMap(
        ground,
        place,
        heights,
        tuple(_blur(stopped, spread * mm / ground.cell_mm) for mm in heights),
        _blur(height, 2.0 + spread * 30.0 / ground.cell_mm),
        clear,
        tint,
    )


def _spread(lamp: Lamp, place: Array) -> float:
    """Standard deviation of the blur, in mm for each mm of height."""
    away = float(np.linalg.norm(place))
    angle = np.radians(max(lamp.size_mm, 0.5)) if lamp.kind == "sun" else lamp.size_mm / away
    return float(angle / 3.0 / max(place[2] / away, 0.25))


def lamp_view(place: Array, ground: Ground) -> raster.View:
    """The ground as a picture: points go to where the light through them meets z = 0."""
    x, y, z = place
    along = np.array([[z, 0.0, -x, 0.0], [0.0, z, -y, 0.0], [0.0, 0.0, -1.0, z]])
    return raster.View(ground.pixels() @ along, ground.wide, ground.high)


def _facing(
    view: raster.View, faces: Faces, chosen: npt.NDArray[np.int64]
) -> tuple[raster.Polygons, npt.NDArray[np.bool_]]:
    polygons = raster.project(view, faces, chosen)
    return polygons, polygons.front


def _through(
    view: raster.View, faces: Faces, place: Array, shape: tuple[int, int], spread: float
) -> tuple[Floats | None, Floats | None, Floats | None]:
    """Translucent things: their widened tops, the light behind them, and their tops."""
    polygons = raster.project(view, faces, np.flatnonzero(faces.translucent))
    if not len(polygons.face):
        return None, None, None
    found = raster.fragments(view, polygons)
    size = shape[0] * shape[1]
    above = np.minimum(1.0 / np.maximum(found.near, 1e-9), place[2])
    # Through a closed body the light goes from where it enters to where it leaves.
    path = np.where(polygons.front[found.polygon], -above, above)
    rate = faces.absorbed[polygons.face]
    slanted = float(np.linalg.norm(place) / place[2])
    depth = np.stack([np.bincount(found.pixel, path * rate[found.polygon, k], size) for k in range(3)], axis=1).reshape(
        *shape, 3
    )
    # Each wall also mirrors a part of the light away.
    tint = (
        np.exp(-np.clip(depth * slanted, 0, 12)) * np.where(depth.sum(axis=2, keepdims=True) > 0, 0.86, 1.0)
    ).astype(np.float32)
    _, near = raster.nearest(size, found)
    lowest = np.float32(_LOWEST)
    top = np.where(near > 0, place[2] - 1.0 / np.maximum(near, 1e-9), lowest).reshape(shape).astype(np.float32)
    np.clip(top, lowest, _HIGHEST, out=top)
    blur = spread * 20.0 / view_cell(view)
    reach = round(1.5 * blur) * 2 + 3
    clear = np.asarray(cv2.dilate(top, np.ones((reach, reach), np.uint8)), np.float32)
    return clear, _blur(tint, blur + 0.7), top


def view_cell(view: raster.View) -> float:
    """Millimetres a cell of a lamp's view."""
    return float(view.matrix[2, 3] / view.matrix[0, 0])


def _blur(picture: Floats, sigma: float) -> Floats:
    """Three box filters: nearly a Gaussian, at a cost that does not grow with its width."""
    width = round(max(sigma, 0.6) * 2.0) // 2 * 2 + 1
    if width <= 3:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.5)), np.float32)
    for _ in range(3):
        picture = np.asarray(cv2.blur(picture, (width, width), borderType=cv2.BORDER_REPLICATE), np.float32)
    return picture
