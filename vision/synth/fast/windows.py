"""The bright spots of the surroundings (windows, lamps in the room) as lamps: they, too, cast shadows."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.synth import light as lights
from vision.synth.rooms import directions
from vision.synth.scene import Array, Lamp, Light

_MOST = 3  # spots that are searched in one environment
_WORTH = 0.07  # share of all light on the table that a spot must give to cast a shadow of its own
_REACH = np.cos(np.radians(16.0))
_OVER_MEAN = 2.5


@lru_cache(maxsize=16)
def _spots(name: str) -> tuple[tuple[Array, Array, float], ...]:
    """Direction, irradiance on a surface that faces it (RGB), and width in degrees of each spot, brightest first."""
    picture = lights.blurred(name)[1].astype(np.float64)
    high = picture.shape[0]
    look = directions(high)
    edges = np.cos(np.arange(high + 1) / high * np.pi)
    solid = np.repeat(((edges[:-1] - edges[1:]) * np.pi / high)[:, None], 2 * high, axis=1)
    bright = picture @ lights.LUMINANCE
    on_table = bright * solid * np.maximum(look[..., 2], 0.0)
    total = on_table.sum()
    threshold = _OVER_MEAN * bright[: high // 2].mean()
    spots = []
    for _ in range(_MOST):
        row, column = np.unravel_index(int(np.argmax(np.where(look[..., 2] > 0.15, bright, 0.0))), bright.shape)
        chosen = (look @ look[row, column] > _REACH) & (bright > threshold)
        if on_table[chosen].sum() < _WORTH * total:
            break
        weight = (bright * solid)[chosen]
        middle = (look[chosen] * weight[:, None]).sum(axis=0)
        middle /= np.linalg.norm(middle)
        away = np.arccos(np.clip(look[chosen] @ middle, -1, 1))
        width = 2.0 * np.degrees(np.sqrt((weight * away**2).sum() / weight.sum()) * np.sqrt(2.0))
        colour = (picture[chosen] * solid[chosen][:, None]).sum(axis=0) / np.pi
        spots.append((middle, colour, max(float(width), 2.0)))
        bright[chosen] = 0.0
        on_table[chosen] = 0.0
    return tuple(spots)


def windows(light: Light, most: int) -> tuple[Lamp, ...]:
    """The brightest spots of a scene's surroundings as suns, at most so many."""
    turn = np.radians(light.turn)
    lamps = []
    total = light.environment_strength + sum(lamp.strength for lamp in light.lamps)
    for (x, y, z), colour, width in _spots(light.environment):
        place = (np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y, z)
        straight = float(colour @ lights.LUMINANCE) * light.environment_strength
        if straight * z < _WORTH * total:
            continue
        red, green, blue = colour / float(colour @ lights.LUMINANCE)
        position = (float(place[0]), float(place[1]), float(place[2]))
        sun = Lamp("sun", position, (float(red), float(green), float(blue)), 1.0, width)
        lamps.append(Lamp("sun", position, sun.colour, straight * lights.slant(sun), width))
    return tuple(lamps[:most])


def without(windows: tuple[Lamp, ...], irradiance: Array, normals: Array) -> Array:
    """What is left of the surroundings' smooth irradiance (n, 3) on normals (n, 3) once windows shine on their own.

    The irradiance is known up to the second order of spherical harmonics; the same orders of the windows' cosine
    lobes are taken away.
    """
    left = irradiance
    for lamp in windows:
        cosine = normals @ np.asarray(lamp.position)
        lobe = 0.25 + 0.5 * cosine + 5 / 32 * (3 * cosine * cosine - 1)
        left = left - lobe[:, None] * (np.asarray(lamp.colour) * lamp.strength / lights.slant(lamp))
    return np.maximum(left, 0.0)
