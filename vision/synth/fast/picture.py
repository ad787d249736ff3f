"""From a scene to its picture: the order of the steps, and nothing of how each is done."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from vision.synth.fast import edges, focus, glass, raster, shade, shadow, surface, texture
from vision.synth.fast import faces as face_arrays
from vision.synth.fast.faces import Faces
from vision.synth.fast.raster import Polygons, View
from vision.synth.scene import Array, Frame, Scene

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

# Pixels that are shaded at a time: few enough for the processor's cache.
_CHUNK = 16384
_COARSE_MM = 2.0
# Slanting light takes what is seen at the picture's edge from a little outside of it.
_MARGIN_MM = 40.0


def index_pass(scene: Scene) -> Ints:
    """The number of the nearest part in each pixel of the pinhole picture; everything counts as opaque."""
    faces = face_arrays.collect(scene.parts)
    view = raster.camera_view(scene.camera)
    polygons = raster.project(view, faces)
    polygons = raster.select(polygons, polygons.front)
    polygon, _ = raster.nearest(view.width * view.height, raster.fragments(view, polygons))
    return _numbers(faces, polygons, polygon).reshape(view.height, view.width)


def _numbers(faces: Faces, polygons: Polygons, polygon: Ints) -> Ints:
    # The last entry is what -1, the empty pixel, finds.
    return np.append(faces.part[polygons.face], 0).astype(np.int32)[polygon]


def render(scene: Scene, with_index: bool = False) -> Frame:
    """Draw the pinhole picture of a scene in linear light."""
    faces = face_arrays.collect(scene.parts)
    view = raster.camera_view(scene.camera)
    eye = surface.eye_of(view)
    palette = surface.palette(faces)
    polygons = raster.project(view, faces)
    is_clear = faces.translucent[polygons.face]
    polygons = raster.select(polygons, polygons.front | is_clear)
    is_clear = faces.translucent[polygons.face]
    size = view.width * view.height
    found, through = (raster.fragments(view, polygons, only=mask) for mask in (~is_clear, is_clear))
    polygon, near = raster.nearest(size, found)
    painted = texture.paint(view, eye, faces, polygons, polygon, partial(shade.lean, scene.light, faces))
    lighting = _lighting(scene, faces, view, eye)
    image = _shaded(eye, palette, polygons, polygon, near, painted, lighting)
    clear = glass.layer(faces, polygons, through, near, eye, raster.nearest(size, through))
    glass.compose(image, clear, polygons, eye, palette, lighting, view)
    polygon[clear.pixel] = clear.polygon
    front = polygons.front
    seen = edges.Seen(raster.select(polygons, front), faces, np.append(faces.group[polygons.face], -1)[polygon])
    edges.soften(image, view, seen, partial(_samples, eye, palette, lighting))
    near[clear.pixel] = clear.near
    picture = np.ascontiguousarray(image.T).reshape(view.height, view.width, 3)
    picture = focus.refocus(picture, near.reshape(view.height, view.width), scene.camera)
    index = _numbers(faces, polygons, polygon).reshape(view.height, view.width) if with_index else None
    return Frame(picture, index)


def _lighting(scene: Scene, faces: Faces, view: View, eye: surface.Eye) -> shade.Lighting:
    table = [k for k, part in enumerate(scene.parts, start=1) if part.name == "table"]
    on_table = np.isin(faces.part, table)
    ground_z = float(faces.corners[on_table][:, :, 2].max()) if on_table.any() else -5.0
    low, high = _shown(view, eye, ground_z)
    fine, coarse = shadow.ground_of(low, high), shadow.ground_of(low, high, finest=_COARSE_MM, cells=260)
    return shade.prepare(scene.light, faces, (fine, coarse), ground_z)


def _shown(view: View, eye: surface.Eye, ground_z: float) -> tuple[Array, Array]:
    """The rectangle of the ground that the picture shows, as far as there can be pieces."""
    x, y = np.meshgrid([0, view.width / 2, view.width], [0, view.height / 2, view.height])
    ways = np.stack([x.ravel(), y.ravel(), np.ones(9)], axis=1) @ eye.rays.T
    down = np.minimum(ways[:, 2], -0.05)
    points = eye.place[:2] + ways[:, :2] * ((ground_z - eye.place[2]) / down)[:, None]
    return np.maximum(points.min(axis=0), -600.0) - _MARGIN_MM, np.minimum(points.max(axis=0), 600.0) + _MARGIN_MM


def _shaded(
    eye: surface.Eye, palette: surface.Palette, polygons: Polygons, polygon: Ints, near: Floats,
    painted: texture.Painted, lighting: shade.Lighting,
) -> Floats:  # fmt: skip
    image = np.zeros((3, len(polygon)), np.float32)
    filled = np.flatnonzero(polygon >= 0)
    for first in range(0, len(filled), _CHUNK):
        pixel = filled[first : first + _CHUNK]
        face = polygons.face[polygon[pixel]]
        colour = np.take(palette.colour, face, axis=1)
        textured = painted.textured[pixel]
        colour = np.where(textured, texture.TO_LINEAR[painted.colour[pixel]].T, colour)
        seen = surface.surface_at(eye, palette, pixel, face, near[pixel], colour)
        relief = None if painted.relief is None else painted.relief[pixel] * np.float32(1 / 128)
        if relief is not None:
            seen = surface.with_bumps(seen, relief, np.take(painted.tilt, face, axis=1))
        image[:, pixel] = shade.radiance(lighting, seen, relief)
    return image


def _samples(
    eye: surface.Eye, palette: surface.Palette, lighting: shade.Lighting,
    pixel: npt.NDArray[np.int64], shift: tuple[float, float], face: Ints, near: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Colours (3, n) of single points beside pixel centres, without textures, and what of them is mirrored."""
    whole, mirrored = [np.zeros((3, 0), np.float32)], [np.zeros((3, 0), np.float32)]
    for first in range(0, len(pixel), _CHUNK):
        part = slice(first, first + _CHUNK)
        point = surface.surface_at(eye, palette, pixel[part], face[part], near[part], None, shift)
        scattered, shine = shade.layers(lighting, point)
        whole.append(scattered + shine)
        mirrored.append(shine)
    return np.concatenate(whole, axis=1), np.concatenate(mirrored, axis=1)
