"""Light on surfaces: what comes from all around and from the lamps, scattered by the material or mirrored by it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.synth.fast import shadow, sky, windows
from vision.synth.fast.faces import Faces
from vision.synth.fast.surface import Surface, dot
from vision.synth.light import LUMINANCE, lamp_irradiance, slant
from vision.synth.scene import Array, Lamp, Light

Floats = npt.NDArray[np.float32]
Planes = npt.NDArray[np.float32]

_BRIGHTEST = 40.0  # a lamp in a mirror: everything above is white in any photo


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """All light of a scene, made ready to fall on many points."""

    light: Light
    around: Planes  # (3, F) irradiance of the surroundings, without their windows, on each face
    bounce: Planes  # (3, F) radiance of the ground around each face
    sky: sky.SkyMap
    lamps: tuple[tuple[Lamp, shadow.ShadowMap], ...]
    windows: tuple[tuple[Lamp, shadow.ShadowMap], ...]  # mirrored with the surroundings, so they get no highlight


def prepare(light: Light, faces: Faces, grounds: tuple[shadow.Ground, shadow.Ground], ground_z: float) -> Lighting:
    """Cast all shadows, on a fine and a coarse map of the ground, and find what every face gets from all around."""
    fine, coarse = grounds
    spots = windows.windows(light, 3 - min(len(light.lamps), 2))
    up = np.array([[0.0, 0.0, 1.0]])
    falls = sky.diffuse(light, up, np.zeros((1, 3)))[0]
    falls = falls + sum((lamp_irradiance(lamp, np.zeros((1, 3)), up)[0] for lamp in light.lamps), np.zeros(3))
    hidden = sky.sky_map(faces, fine, coarse, ground_z)
    bounce = hidden.colour_around(faces.corners.mean(axis=1)) * falls
    around = windows.without(spots, sky.diffuse(light, faces.normal, bounce), faces.normal)
    return Lighting(
        light,
        np.ascontiguousarray(around.T.astype(np.float32)),
        np.ascontiguousarray(bounce.T.astype(np.float32)),
        hidden,
        tuple((lamp, shadow.cast(lamp, faces, fine, ground_z)) for lamp in light.lamps),
        tuple((lamp, shadow.cast(lamp, faces, coarse, ground_z)) for lamp in spots),
    )


def lean(light: Light, faces: Faces, face: int, tangents: Array) -> Array:
    """How much brighter a face gets, in parts of its brightness, when its normal leans by one along each tangent."""
    middle = faces.corners[face].mean(axis=0)
    if np.abs(middle[:2]).max() > 300:  # a table's middle may be far from what is seen of it
        middle = np.array([0.0, 0.0, middle[2]])
    step = 0.25
    normals = np.concatenate([faces.normal[face][None], faces.normal[face] + step * tangents])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    total = sky.diffuse(light, normals, np.full((1, 3), 0.3))
    for lamp in light.lamps:
        total = total + lamp_irradiance(lamp, np.broadcast_to(middle, normals.shape), normals)
    bright = total @ LUMINANCE
    return np.asarray((bright[1:] - bright[0]) / step / max(bright[0], 1e-3))


def radiance(lighting: Lighting, surface: Surface, relief: Floats | None = None) -> Planes:
    """Linear light (3, n) that leaves n points of opaque surfaces towards the eye."""
    scattered, shine = layers(lighting, surface)
    if relief is not None:
        scattered *= relief
    scattered *= 1 - surface.metal
    # Metal mirrors in its own colour.
    shine *= 1 + surface.metal * (surface.colour - 1)
    scattered += shine
    return scattered


def layers(lighting: Lighting, surface: Surface) -> tuple[Planes, Planes]:
    """Light that points scatter in their colour, and light that they mirror, both (3, n)."""
    seen = lighting.sky.seen_from(surface.position, surface.normal[2])
    scattered = np.take(lighting.around, surface.face, axis=1)
    scattered *= seen
    facing = dot(surface.gloss, surface.view)
    np.clip(facing, 0.02, 1.0, out=facing)
    shine = _mirrored_around(lighting, surface, facing, seen)
    for lamp, shade in lighting.lamps:
        towards, falls = _lamp_at(lamp, surface)
        arrives = _coloured(shade.light_at(surface.position) * falls, lamp)
        scattered += arrives
        shine += _highlight(lamp, surface, towards) * arrives
    for lamp, shade in lighting.windows:
        scattered += _coloured(shade.light_at(surface.position) * _lamp_at(lamp, surface)[1], lamp)
    scattered *= surface.colour
    scattered *= 1 - surface.mirrored  # what is mirrored cannot be scattered
    return scattered, shine


def _coloured(arrives: Planes, lamp: Lamp) -> Planes:
    return np.asarray(arrives * np.asarray(lamp.colour, np.float32)[:, None])


def _lamp_at(lamp: Lamp, surface: Surface) -> tuple[Planes, Floats]:
    """Unit directions to a lamp, and its unshadowed irradiance (without colour); see light.lamp_irradiance."""
    place = np.asarray(lamp.position, np.float32)
    away = np.float32(np.linalg.norm(place))
    if lamp.kind == "sun":
        towards = np.broadcast_to((place / away)[:, None], surface.position.shape)
        fall: Floats | np.float32 = np.float32(1.0)
    else:
        towards = place[:, None] - surface.position
        squared = dot(towards, towards)
        towards *= 1 / np.sqrt(squared)
        fall = away * away / squared
        if lamp.kind == "area":
            fall = fall * np.maximum(dot(towards, (place / away)[:, None]), 0)
    cosine = np.maximum(dot(towards, surface.normal), 0)
    return towards, cosine * fall * np.float32(lamp.strength / slant(lamp))


def _fresnel(mirrored: Floats, cosine: Floats, roughness: Floats) -> Floats:
    rest = 1 - cosine
    fifth = rest * rest
    fifth *= fifth * rest
    return np.asarray(mirrored + np.maximum(1 - roughness - mirrored, 0) * fifth)


def _mirrored_around(lighting: Lighting, surface: Surface, facing: Floats, seen: Planes) -> Planes:
    look = surface.gloss * (2 * facing)
    look -= surface.view
    found = sky.mirrored(lighting.light, look, surface.roughness, np.take(lighting.bounce, surface.face, axis=1))
    found *= _fresnel(surface.mirrored, facing, surface.roughness)
    found *= seen
    return found


def _highlight(lamp: Lamp, surface: Surface, towards: Planes) -> Floats:
    """Mirrored radiance for each unit of irradiance: a GGX lobe, widened by the lamp's own size."""
    away = float(np.linalg.norm(lamp.position))
    wide = np.radians(lamp.size_mm) if lamp.kind == "sun" else lamp.size_mm / away
    half = towards + surface.view
    half *= 1 / np.sqrt(np.maximum(dot(half, half), np.float32(1e-6)))
    # The squares of both widths add up; half vectors turn half as far as the light, and a disc is all within its rim.
    lobe = surface.roughness * surface.roughness
    lobe *= lobe
    lobe += np.float32((wide / 4) ** 2 / 2)
    cosine = np.maximum(dot(half, surface.gloss), 0)
    tilt = np.maximum(dot(half, surface.view), np.float32(0.1))
    spread = cosine * cosine * (lobe - 1) + 1
    value = lobe * _fresnel(surface.mirrored, tilt, surface.roughness) / (4 * tilt * tilt * spread * spread)
    return np.asarray(np.minimum(value, np.float32(_BRIGHTEST)))
