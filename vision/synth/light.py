"""Light for the studio: surroundings by name, a random lighting of a scene, and how much light reaches a surface.

The unit of irradiance is that of ``Lamp.strength``: a white surface lit with 1 has the radiance 1 (so it is the
physical irradiance over pi). Every environment is scaled to give 1 on a table top, seen as luminance.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import Unsupported
from vision.synth.rooms import Sky, directions, seed_of
from vision.synth.scene import Array, Lamp, Light, Rgb
from vision.synth.surroundings import HELD_OUT, TRAINING

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])

# How wide the blurred copies for glossy reflections are: standard deviation in degrees of the lobe.
LOBE_DEGREES = (0.0, 3.0, 8.0, 18.0, 36.0)


def environment_names(held_out: bool) -> tuple[str, ...]:
    """The surroundings to train with, or those that nothing is ever trained on."""
    return tuple(HELD_OUT if held_out else TRAINING)


@lru_cache(maxsize=16)
def environment(name: str) -> Sky:
    """The surroundings as an equirectangular linear picture, H x 2H x 3 (up = top row); do not change it in place."""
    painter = TRAINING.get(name) or HELD_OUT.get(name)
    if painter is None:
        known = ", ".join((*TRAINING, *HELD_OUT))
        raise Unsupported(f"There is no light environment named {name!r}; name one of {known}.")
    picture = painter(seed_of(name))
    up = _upward_irradiance(picture)
    scaled = (picture / float(up @ LUMINANCE)).astype(np.float32)
    scaled.setflags(write=False)
    return scaled


def turned(name: str, turn: float) -> Sky:
    """The environment rotated counter-clockwise by ``turn`` degrees, seen from above."""
    picture = environment(name)
    return np.roll(picture, -round(turn / 360.0 * picture.shape[1]), axis=1)


def _solid_angles(height: int) -> Array:
    """The share of the whole sphere's 4 pi that each pixel covers, in steradian."""
    edges = np.cos(np.arange(height + 1) / height * np.pi)
    return np.repeat(((edges[:-1] - edges[1:]) * np.pi / height)[:, None], 2 * height, axis=1)


def _upward_irradiance(picture: Sky) -> Array:
    height = picture.shape[0]
    weight = _solid_angles(height) * np.maximum(directions(height)[..., 2], 0.0)
    return np.asarray(np.tensordot(weight, picture.astype(np.float64), axes=((0, 1), (0, 1))) / np.pi)


# ---------------------------------------------------------------- diffuse


def _harmonics(normals: Array) -> Array:
    """The nine real spherical harmonics up to the second order, (..., 9)."""
    x, y, z = normals[..., 0], normals[..., 1], normals[..., 2]
    return np.stack(
        [
            np.full_like(x, 0.282095),
            0.488603 * y, 0.488603 * z, 0.488603 * x,
            1.092548 * x * y, 1.092548 * y * z, 0.315392 * (3 * z * z - 1),
            1.092548 * x * z, 0.546274 * (x * x - y * y),
        ],
        axis=-1,
    )  # fmt: skip


# A cosine lobe keeps this much of each order (over pi, so that a uniform sky of 1 gives 1).
_COSINE = np.array([1.0, *[2 / 3] * 3, *[1 / 4] * 5])


@lru_cache(maxsize=16)
def irradiance_coefficients(name: str) -> Array:
    """Nine coefficients a channel (9, 3): the environment's irradiance as a function of the surface's normal."""
    picture = environment(name)
    height = picture.shape[0]
    basis = _harmonics(directions(height)) * _solid_angles(height)[..., None]
    return np.asarray(np.tensordot(basis, picture.astype(np.float64), axes=((0, 1), (0, 1))) * _COSINE[:, None])


def irradiance(name: str, normals: Array, turn: float = 0.0) -> Array:
    """Diffuse light from the unshadowed environment on surfaces with these unit normals, (..., 3) linear RGB."""
    turned_back = _turn_back(np.asarray(normals, dtype=np.float64), turn)
    return np.asarray(np.maximum(_harmonics(turned_back) @ irradiance_coefficients(name), 0.0))


def _turn_back(vectors: Array, turn: float) -> Array:
    """Into the frame of the unturned environment."""
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([cosine * x + sine * y, cosine * y - sine * x, z], axis=-1)


# ---------------------------------------------------------------- glossy


@lru_cache(maxsize=16)
def blurred(name: str) -> tuple[Sky, ...]:
    """The environment as a mirror shows it and as ever rougher surfaces do, one picture for each LOBE_DEGREES."""
    sharp = environment(name)
    levels = [sharp, _shrunk(sharp, 64)]
    target = directions(32).reshape(-1, 3).astype(np.float32)
    for degrees in LOBE_DEGREES[2:]:
        height = 64 if degrees < 10.0 else 32  # a wide lobe sees no detail
        weight = _solid_angles(height).reshape(-1, 1).astype(np.float32)
        lobe = np.exp(
            (target @ directions(height).reshape(-1, 3).astype(np.float32).T - 1.0) / np.radians(degrees) ** 2
        )
        smeared = lobe @ (_shrunk(sharp, height).reshape(-1, 3) * weight) / (lobe @ weight)
        levels.append(np.asarray(smeared, dtype=np.float32).reshape(32, 64, 3))
    return tuple(levels)


def _shrunk(picture: Sky, height: int) -> Sky:
    return np.asarray(cv2.resize(picture, (2 * height, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def lobe_degrees(roughness: float) -> float:
    """How wide a surface of this roughness (Blender's scale) smears a reflection."""
    return float(min(np.degrees(roughness**2 * np.sqrt(2.0)), LOBE_DEGREES[-1]))


def reflection(name: str, look: Array, roughness: float, turn: float = 0.0) -> npt.NDArray[np.float32]:
    """What comes from these unit directions, smeared as a surface of that roughness does, (..., 3) linear RGB."""
    wide = lobe_degrees(roughness)
    levels = blurred(name)
    upper = int(np.clip(np.searchsorted(LOBE_DEGREES, wide), 1, len(LOBE_DEGREES) - 1))
    share = (wide - LOBE_DEGREES[upper - 1]) / (LOBE_DEGREES[upper] - LOBE_DEGREES[upper - 1])
    low = _look_up(levels[upper - 1], look, turn)
    return np.asarray(low + np.float32(share) * (_look_up(levels[upper], look, turn) - low), dtype=np.float32)


def _look_up(picture: Sky, look: Array, turn: float) -> npt.NDArray[np.float32]:
    height, width = picture.shape[:2]
    azimuth = np.arctan2(look[..., 1], look[..., 0]) - np.radians(turn)
    column = ((0.5 - azimuth / (2 * np.pi)) % 1.0 * width - 0.5).astype(np.float32)
    row = (np.arccos(np.clip(look[..., 2], -1.0, 1.0)) / np.pi * height - 0.5).astype(np.float32)
    shape = column.shape
    flat = cv2.remap(picture, column.reshape(1, -1), row.clip(0, height - 1).reshape(1, -1), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_WRAP)  # fmt: skip
    return np.asarray(flat, dtype=np.float32).reshape(*shape, 3)


# ---------------------------------------------------------------- lamps


def lamp_irradiance(lamp: Lamp, points: Array, normals: Array) -> Array:
    """Unshadowed light of a lamp on surfaces: the meaning of ``Lamp.strength``, which counts the slant of the light,
    so that ``strength`` is what a table top at the origin gets. (..., 3) linear RGB."""
    place = np.asarray(lamp.position, dtype=np.float64)
    if lamp.kind == "sun":
        way = np.broadcast_to(place, np.shape(points))
        fall = np.ones(np.shape(points)[:-1])
    else:
        way = place - points
        fall = (place @ place) / np.maximum((way**2).sum(axis=-1), 1.0)
    length = np.linalg.norm(way, axis=-1)
    cosine = np.maximum((way * normals).sum(axis=-1) / length, 0.0)
    if lamp.kind == "area":  # a disc that faces the board's centre
        fall = fall * np.maximum((way @ place) / (length * np.linalg.norm(place)), 0.0)
    return np.asarray((cosine * fall * lamp.strength / slant(lamp))[..., None] * np.array(lamp.colour))


def slant(lamp: Lamp) -> float:
    """Cosine between the lamp's light and a table top's normal at the origin."""
    place = np.asarray(lamp.position, dtype=np.float64)
    return float(max(place[2] / np.linalg.norm(place), 0.05))


def _tint(rng: np.random.Generator, low: float, high: float) -> Rgb:
    """Linear colour of luminance 1 between cold (-1) and warm (1)."""
    warmth = rng.uniform(low, high)
    colour = np.exp(warmth * np.array([0.3, -0.02, -0.55]))
    red, green, blue = colour / float(colour @ LUMINANCE)
    return (float(red), float(green), float(blue))


def _from(
    rng: np.random.Generator, elevation: tuple[float, float], distance: tuple[float, float]
) -> tuple[float, float, float]:
    """A place around the board, by its height over the horizon in degrees and its distance."""
    up, around = np.radians(rng.uniform(*elevation)), rng.uniform(0.0, 2 * np.pi)
    far = rng.uniform(*distance)
    x, y, z = far * np.cos(up) * np.cos(around), far * np.cos(up) * np.sin(around), far * np.sin(up)
    return (float(x), float(y), float(z))


def _sun(rng: np.random.Generator, share: float) -> Lamp:
    return Lamp("sun", _from(rng, (22, 65), (1, 1)), _tint(rng, -0.1, 0.6), share, float(rng.uniform(0.5, 2.0)))


def _desk_lamp(rng: np.random.Generator, share: float) -> Lamp:
    return Lamp("area", _from(rng, (35, 75), (350, 900)), _tint(rng, -0.4, 0.9), share, float(rng.uniform(40, 180)))


def _ceiling_lamp(rng: np.random.Generator, share: float) -> Lamp:
    return Lamp("area", _from(rng, (50, 88), (1300, 2000)), _tint(rng, -0.4, 0.8), share, float(rng.uniform(60, 500)))


def _flash(rng: np.random.Generator, share: float) -> Lamp:
    """Beside the lens of a phone held over the board, so that glossy pieces glare."""
    return Lamp("point", _from(rng, (62, 88), (450, 800)), _tint(rng, -0.3, 0.1), share, float(rng.uniform(4, 10)))


def _backlight(rng: np.random.Generator, share: float) -> Lamp:
    """A low bright window or lamp that lets translucent pieces glow and glossy tops flare."""
    return Lamp("area", _from(rng, (14, 28), (1500, 2500)), _tint(rng, -0.5, 0.5), share, float(rng.uniform(300, 900)))


# How often each mix of lamps is set up, and which share of all light the lamps together give.
_SETUPS = (
    (0.30, (), (0.0, 0.0)),
    (0.16, (_sun,), (0.35, 0.75)),
    (0.15, (_desk_lamp,), (0.3, 0.75)),
    (0.13, (_ceiling_lamp,), (0.3, 0.7)),
    (0.06, (_flash,), (0.3, 0.7)),
    (0.08, (_backlight,), (0.25, 0.55)),
    (0.06, (_desk_lamp, _ceiling_lamp), (0.4, 0.75)),
    (0.04, (_ceiling_lamp, _ceiling_lamp, _desk_lamp), (0.4, 0.8)),
    (0.02, (_sun, _ceiling_lamp), (0.4, 0.75)),
)


def sample_light(rng: np.random.Generator, environments: tuple[str, ...]) -> Light:
    """A random lighting: one of the environments at any turn, and up to three lamps; about 1 at the board in all."""
    name = environments[int(rng.integers(len(environments)))]
    chances = np.array([chance for chance, _, _ in _SETUPS])
    _, makers, shares = _SETUPS[int(rng.choice(len(_SETUPS), p=chances / chances.sum()))]
    total = float(np.exp(rng.normal(0.0, 0.22)))
    from_lamps = total * rng.uniform(*shares)
    split = rng.dirichlet(np.full(len(makers), 4.0)) if makers else np.empty(0)
    lamps = tuple(make(rng, float(from_lamps * part)) for make, part in zip(makers, split, strict=True))
    return Light(name, total - float(from_lamps), float(rng.uniform(0.0, 360.0)), lamps)
