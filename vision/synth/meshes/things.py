"""Things that lie about on tables where people play: dice, cards, cups, pencils, phones, hands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np

from vision.synth.geometry import (
    TOUCH_MM,
    MeshBuilder,
    applied,
    circle,
    lathe,
    merged,
    moved,
    rectangle,
    turned,
)
from vision.synth.scene import Array, Mesh

# Where the spots of a die are, in a grid of three by three.
_SPOTS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_SPOT_SEGMENTS: Final = 6


@cache
def die(side: float) -> Mesh:
    """A die with broken edges, one up: material 0 the body, 1 the spots. Opposite sides add up to seven."""
    builder = MeshBuilder()
    half, edge = side / 2, side * 0.07
    to_sides = {1: np.eye(4), 6: turned(180, "x"), 2: turned(90, "x"), 5: turned(-90, "x")}
    to_sides |= {3: turned(90, "y"), 4: turned(-90, "y")}
    flats: dict[int, list[int]] = {}
    for spots, pose in to_sides.items():
        pose = moved(z=half) @ pose
        flats[spots] = builder.points(applied(pose, rectangle(side - 2 * edge, side - 2 * edge, half)))
        builder.face(flats[spots])
        disc = circle(side * 0.09, half + TOUCH_MM, _SPOT_SEGMENTS)
        for x, y in _SPOTS[spots]:
            builder.face(builder.points(applied(pose, disc + np.array([x, y, 0.0]) * side * 0.25)), 1)
    points = builder.mesh().vertices
    _join_flats(builder, points, list(flats.values()), np.array([0.0, 0.0, half]))
    return builder.mesh()


def _join_flats(builder: MeshBuilder, points: Array, flats: list[list[int]], middle: Array) -> None:
    """The bevels between the sides of a box and the triangles at its corners."""
    signs = {number: tuple(np.sign(points[number] - middle)) for flat in flats for number in flat}
    for i, first in enumerate(flats):
        for second in flats[i + 1 :]:
            shared = {signs[n] for n in first} & {signs[n] for n in second}
            if len(shared) == 2:
                a, b = (next(n for n in first if signs[n] == sign) for sign in sorted(shared))
                c, d = (next(n for n in second if signs[n] == sign) for sign in sorted(shared, reverse=True))
                _outward(builder, points, (a, b, c, d), middle)
    for sign in set(signs.values()):
        _outward(builder, points, [n for n in signs if signs[n] == sign], middle)


def _outward(builder: MeshBuilder, points: Array, corners: Sequence[int], middle: Array) -> None:
    """Adds a face whichever way round looks outwards."""
    a, b, c = (points[n] for n in corners[:3])
    outwards = np.dot(np.cross(b - a, c - a), a - middle) > 0
    builder.face(corners if outwards else corners[::-1])


@cache
def pencil(length: float, thickness: float) -> Mesh:
    """A sharpened pencil lying along x on one of its six sides: paint, wood, lead, and a cut end of wood."""
    radius = thickness / 2
    profile = [(radius, 0.0), (radius, length - 4 * radius), (radius * 0.28, length - radius), (0.0, length)]
    standing = lathe(profile, 6, [0, 1, 2, 1, 2])
    pose = moved(z=radius * math.cos(math.radians(30))) @ turned(90, "y") @ turned(30) @ moved(z=-length / 2)
    return merged([(standing, pose, 0)])


def _handle(radius: float, height: float, thickness: float) -> Mesh:
    """Half a ring beside a mug; its ends are inside the wall."""
    builder = MeshBuilder()
    rings = []
    for step in np.linspace(-100.0, 100.0, 9):
        angle = math.radians(step)
        middle = np.array(
            [radius + height * 0.24 * math.cos(angle), 0.0, height * 0.5 + height * 0.3 * math.sin(angle)]
        )
        outwards = np.array([math.cos(angle), 0.0, math.sin(angle)])
        around = circle(thickness, 0.0, 8)
        rings.append(builder.points(middle + around[:, :1] * outwards + around[:, 1:2] * np.array([0.0, 1.0, 0.0])))
    for lower, upper in pairwise(rings):
        builder.band(lower, upper)
    builder.face(rings[0][::-1])
    builder.face(rings[-1])
    return builder.mesh(smooth=True)


@cache
def mug(radius: float, height: float, fill: float) -> Mesh:
    """A mug with a handle: material 0 the mug, 1 what is in it, ``fill`` the share of its height."""
    wall, floor = 3.5, 5.0
    body = [
        (radius * 0.9, 0.0),
        (radius, 6.0),
        (radius, height),
        (radius - wall, height),
        (radius - wall, floor),
        (0.0, floor),
    ]
    drink_z = floor + fill * (height - floor)
    drink = [(0.0, floor + TOUCH_MM), (radius - wall - TOUCH_MM, floor + TOUCH_MM), (radius - wall - TOUCH_MM, drink_z)]
    return merged(
        [
            (lathe(body, 28, smooth=True), np.eye(4), 0),
            (_handle(radius - wall * 0.5, height, 4.5), np.eye(4), 0),
            (lathe(drink, 28, smooth=True), np.eye(4), 1),
        ],
        smooth=True,
    )


@cache
def glass(radius: float, height: float, fill: float) -> Mesh:
    """A tumbler: material 0 the glass, 1 the drink."""
    wall, floor = 1.8, 8.0
    foot = radius * 0.78
    body = [(foot, 0.0), (radius, height), (radius - wall, height), (foot - wall, floor), (0.0, floor)]
    drink_z = floor + fill * (height - floor) * 0.9
    inner = foot - wall + (radius - foot) * (drink_z - floor) / (height - floor) - TOUCH_MM
    drink = [(0.0, floor + TOUCH_MM), (foot - wall - TOUCH_MM, floor + TOUCH_MM), (inner, drink_z)]
    return merged(
        [(lathe(body, 28, smooth=True), np.eye(4), 0), (lathe(drink, 28, smooth=True), np.eye(4), 1)], smooth=True
    )


def capsule(start: Array, end: Array, start_radius: float, end_radius: float, segments: int = 12) -> Mesh:
    """A round limb between two points."""
    length = float(np.linalg.norm(end - start))
    profile: list[tuple[float, float]] = [(0.0, -start_radius)]
    profile += [(start_radius * math.sin(t), -start_radius * math.cos(t)) for t in (0.6, 1.1)]
    profile += [(start_radius, 0.0), (end_radius, length)]
    profile += [(end_radius * math.sin(t), length + end_radius * math.cos(t)) for t in (1.1, 0.6)]
    profile += [(0.0, length + end_radius)]
    return merged([(lathe(profile, segments, smooth=True), _pose_along(start, end), 0)], smooth=True)


def _pose_along(start: Array, end: Array) -> Array:
    """The pose that takes the z axis to the line from one point to the other."""
    direction = (end - start) / np.linalg.norm(end - start)
    helper = np.array([1.0, 0.0, 0.0]) if abs(direction[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = np.cross(helper, direction)
    x /= np.linalg.norm(x)
    pose = np.eye(4)
    pose[:3] = np.stack([x, np.cross(direction, x), direction, start], axis=1)
    return pose


def hand(bend: float, spread: float, sleeve_from: float) -> Mesh:
    """A left hand, palm down, wrist at the origin, fingers to the east: material 0 skin, 1 the sleeve.

    ``bend`` (0 to 1) curls the fingers, ``spread`` (about 1) fans them out, and the sleeve ends ``sleeve_from``
    millimetres before the wrist.
    """
    limbs = [
        capsule(np.array([-420.0, 0.0, 46.0]), np.array([-6.0, 0.0, 25.0]), 40.0, 24.0, 16),
        *(capsule(np.array([0.0, y * 0.7, 23.0]), np.array([60.0, y * 1.2, 23.0]), 20.0, 15.0) for y in (-16, 0, 16)),
    ]
    for number, length in enumerate((0.78, 0.95, 1.0, 0.92)):
        y = (number - 1.5) * 18.5
        palm, knuckle = np.array([6.0, y * 0.75, 21.0]), np.array([72.0, y * spread, 26.0])
        middle = knuckle + length * np.array([40.0 - 10 * bend, y * 0.12 * spread, -2.0 + 4 * bend])
        tip = middle + length * np.array([32.0 - 26 * bend, y * 0.05, -7.0 - 10 * bend])
        limbs.append(capsule(palm, knuckle, 17.0, 12.5))
        limbs.append(capsule(knuckle, middle, 10.5, 8.8))
        limbs.append(capsule(middle, tip, 8.8, 7.2))
    base, joint = np.array([18.0, -26.0, 20.0]), np.array([56.0, -52.0 * spread, 19.0])
    limbs.append(capsule(base, joint, 17.0, 11.0))
    limbs.append(capsule(joint, joint + np.array([30.0, -6.0 + 14 * bend, -5.0]), 10.5, 8.5))
    pieces = [(limb, np.eye(4), 0) for limb in limbs]
    start, cuff = np.array([-430.0, 0.0, 52.0]), np.array([-sleeve_from, 0.0, 36.0])
    length = float(np.linalg.norm(cuff - start))
    # A cuff ends in an edge, a little wider than the cloth behind it.
    sleeve = lathe([(50.0, 0.0), (40.0, length - 12.0), (42.0, length)], 18, smooth=True)
    return merged([*pieces, (sleeve, _pose_along(start, cuff), 1)], smooth=True)
