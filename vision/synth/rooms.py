"""Surroundings drawn by our own code: rooms and skies as a glossy piece would reflect them.

A picture is equirectangular and linear: row 0 looks straight up, the last row straight down, the middle column
looks east (+x), and columns to the right turn clockwise seen from above. Rooms are boxes around the board;
windows, panels and lamps on their faces give off light, and the light that they throw on walls, ceiling
and floor is computed, so that the gradients are those of a real room.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.scene import Array, Rgb

HEIGHT = 256
Sky = npt.NDArray[np.float32]
Face = Literal["east", "west", "north", "south", "ceiling", "floor"]

# Axis that is constant on each face, which side of the room it bounds, and the axes of its (across, up) coordinates.
FACES: Mapping[Face, tuple[int, int, int, int]] = {
    "east": (0, 1, 1, 2),
    "west": (0, -1, 1, 2),
    "north": (1, 1, 0, 2),
    "south": (1, -1, 0, 2),
    "ceiling": (2, 1, 0, 1),
    "floor": (2, -1, 0, 1),
}

DAY: Rgb = (0.94, 1.0, 1.08)
NEUTRAL: Rgb = (1.0, 1.0, 1.0)
WARM: Rgb = (1.22, 0.97, 0.62)
AMBER: Rgb = (1.35, 0.92, 0.42)


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle on a face of the room, in metres of that face's coordinates. ``glow`` > 0 gives off light,
    otherwise ``colour`` is the share of light that it throws back (furniture, pictures, rugs)."""

    face: Face
    left: float
    right: float
    bottom: float
    top: float
    colour: Rgb
    glow: float = 0.0
    panes: tuple[int, int] = (1, 1)  # bars of a window frame divide it (across, up)
    round: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """Half of the width (x) and depth (y), height of the ceiling above and of the table over the floor; metres."""

    east: float
    west: float
    north: float
    south: float
    ceiling: float
    floor: float
    walls: Rgb
    ceiling_colour: Rgb
    floor_colour: Rgb
    patches: tuple[Patch, ...]


def directions(height: int) -> Array:
    """The direction into which each pixel of an equirectangular picture looks, (height, 2 height, 3)."""
    polar = (np.arange(height) + 0.5) / height * np.pi
    azimuth = np.pi - (np.arange(2 * height) + 0.5) / height * np.pi
    sine = np.sin(polar)[:, None]
    up = np.broadcast_to(np.cos(polar)[:, None], (height, 2 * height))
    return np.stack([sine * np.cos(azimuth), sine * np.sin(azimuth), up], axis=-1)


def draw_room(room: Room, rng: np.random.Generator) -> Sky:
    """The room seen from the board, with the light of its windows and lamps on every face of it."""
    fine = 2 * HEIGHT  # drawn twice as fine and averaged: smooth edges
    look = directions(fine)
    face_of, points = _cast(room, look)
    albedo, glow = _paint(room, face_of, points)
    reach = _lit_by_patches(room, face_of, points)
    ambient = 0.35 * reach.mean(axis=(0, 1))  # what comes back from the other faces, alike everywhere
    texture = 1.0 + 0.16 * (_cloud(rng, fine, 7) - 0.5) + 0.1 * (_cloud(rng, fine, 60) - 0.5)
    picture = np.where(glow > 0.0, glow, albedo * (reach + ambient) * texture[..., None])
    small = cv2.resize(picture.astype(np.float32), (2 * HEIGHT, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def _cast(room: Room, look: Array) -> tuple[npt.NDArray[np.int8], Array]:
    """Which face each ray meets, and where."""
    bounds = _bounds(room)
    distance = np.full(look.shape[:2], np.inf)
    face_of = np.zeros(look.shape[:2], dtype=np.int8)
    for number, (face, (axis, side, _, _)) in enumerate(FACES.items()):
        toward = np.maximum(look[..., axis] * side, 1e-9)
        there = abs(bounds[face]) / toward
        nearer = there < distance
        distance[nearer] = there[nearer]
        face_of[nearer] = number
    return face_of, look * distance[..., None]


def _bounds(room: Room) -> dict[Face, float]:
    return {
        "east": room.east,
        "west": -room.west,
        "north": room.north,
        "south": -room.south,
        "ceiling": room.ceiling,
        "floor": -room.floor,
    }


def _paint(room: Room, face_of: npt.NDArray[np.int8], points: Array) -> tuple[Array, Array]:
    """Albedo and own glow of what each ray meets; later patches lie over earlier ones."""
    albedo = np.empty_like(points)
    glow = np.zeros_like(points)
    for number, (face, (_, _, across, up)) in enumerate(FACES.items()):
        here = face_of == number
        ground = {"ceiling": room.ceiling_colour, "floor": room.floor_colour}.get(face, room.walls)
        albedo[here] = ground
        for patch in room.patches:
            if patch.face == face:
                _paint_patch(patch, here, points[..., across], points[..., up], albedo, glow)
    return albedo, glow


def _paint_patch(patch: Patch, here: npt.NDArray[np.bool_], x: Array, y: Array, albedo: Array, glow: Array) -> None:
    u = (x - patch.left) / (patch.right - patch.left)
    v = (y - patch.bottom) / (patch.top - patch.bottom)
    inside = here & (u >= 0.0) & (u <= 1.0) & (v >= 0.0) & (v <= 1.0)
    if patch.round:
        inside &= (u - 0.5) ** 2 + (v - 0.5) ** 2 <= 0.25
    albedo[inside] = patch.colour
    glow[inside] = 0.0
    if patch.glow > 0.0:
        for share, count in ((u, patch.panes[0]), (v, patch.panes[1])):
            if count > 1:  # the bars of the frame stay dark
                inside &= np.abs((share * count + 0.5) % 1.0 - 0.5) > 0.04 * count**0.5
        # A window shows a sky that is brighter above; a lamp is brighter in the middle.
        fall = 0.55 + 0.6 * v if max(patch.panes) > 1 else 1.15 - 0.6 * ((u - 0.5) ** 2 + (v - 0.5) ** 2)
        glow[inside] = (fall[..., None] * patch.glow * np.array(patch.colour))[inside]


def _lit_by_patches(room: Room, face_of: npt.NDArray[np.int8], points: Array) -> Array:
    """Irradiance (over pi) at each point from every glowing patch, each taken as one small source at its middle."""
    bounds = _bounds(room)
    normals = np.zeros((len(FACES), 3))
    for number, (axis, side, _, _) in enumerate(FACES.values()):
        normals[number, axis] = -side
    normal = normals[face_of]
    reach = np.zeros_like(points)
    for patch in room.patches:
        if patch.glow <= 0.0:
            continue
        axis, side, across, up = FACES[patch.face]
        middle = np.zeros(3)
        middle[axis] = bounds[patch.face]
        middle[across], middle[up] = (patch.left + patch.right) / 2, (patch.bottom + patch.top) / 2
        area = (patch.right - patch.left) * (patch.top - patch.bottom)
        way = middle - points
        squared = (way**2).sum(axis=-1) + 0.25 * area  # softened: the source is no point
        leaving = np.maximum(way[..., axis] * side, 0.0)
        arriving = np.maximum((way * normal).sum(axis=-1), 0.0)
        reach += (leaving * arriving * area / (np.pi * squared**2))[..., None] * patch.glow * np.array(patch.colour)
    return reach


def _cloud(rng: np.random.Generator, height: int, cells: int) -> Array:
    """Smooth noise from 0 to 1 that closes around the horizon."""
    coarse = rng.random((max(cells, 2), 2 * cells))
    coarse = np.concatenate([coarse[:, -2:], coarse, coarse[:, :2]], axis=1)
    scale = height / cells
    wide = cv2.resize(coarse, (round(coarse.shape[1] * scale), height), interpolation=cv2.INTER_CUBIC)
    start = round(2 * scale)
    return np.clip(wide[:, start : start + 2 * height], 0.0, 1.0)


def draw_sky(rng: np.random.Generator, *, sky: Rgb, ground: Rgb, brighter_up: float, clouds: float) -> Sky:
    """An outdoor sky of cloud over a plain ground, with a line of dark things along the horizon."""
    up = directions(HEIGHT)[..., 2]
    pattern = 0.6 * _cloud(rng, HEIGHT, 6) + 0.4 * _cloud(rng, HEIGHT, 18)
    above = (1.0 + brighter_up * np.clip(up, 0, 1)) * (1.0 + clouds * (pattern - 0.5))
    picture = np.where((up > 0.0)[..., None], above[..., None] * np.array(sky), np.array(ground))
    skyline = 0.05 + 0.28 * _cloud(rng, HEIGHT, 12)[HEIGHT // 2]
    dark = (up > -0.02) & (up < skyline[None, :])
    picture = np.where(dark[..., None], np.array(ground) * (0.5 + 0.5 * pattern[..., None]), picture)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.float32)


def draw_leaves(rng: np.random.Generator) -> Sky:
    """Under a tree: dark leaves with holes of bright sky, lawn below, open sky on one side."""
    look = directions(HEIGHT)
    up = look[..., 2]
    leaf = 0.5 * _cloud(rng, HEIGHT, 14) + 0.3 * _cloud(rng, HEIGHT, 40) + 0.2 * _cloud(rng, HEIGHT, 90)
    opening = 0.34 - 0.28 * np.clip(look[..., 0] * 0.8 + 0.3, 0, 1) + 0.22 * np.clip(up, 0, 1)
    hole = np.clip((leaf - 0.22 - opening) / 0.05, 0.0, 1.0)[..., None]
    foliage = (0.25 + 0.9 * leaf)[..., None] * np.array([0.34, 0.42, 0.2])
    sky = np.array([3.4, 3.8, 4.4])
    lawn = (0.5 + 0.6 * _cloud(rng, HEIGHT, 50))[..., None] * np.array([0.35, 0.42, 0.22])
    above = hole * sky + (1 - hole) * foliage
    mix = np.clip((up + 0.03) / 0.06, 0, 1)[..., None]
    return np.asarray(mix * above + (1 - mix) * lawn, dtype=np.float32)


def seed_of(name: str) -> np.random.Generator:
    """The same noise for the same name on every machine."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def room_painter(room: Room) -> Callable[[np.random.Generator], Sky]:
    """A room as a function of its noise, so that rooms and skies are drawn alike."""
    return lambda rng: draw_room(room, rng)
