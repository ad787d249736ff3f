"""Building meshes: a builder, the simple solids, and poses. The pieces themselves are in ``meshes/``.

Every solid stands on z = 0 with its middle over the origin, unless its own words say otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from vision.synth.scene import Array, Mesh

Faces = npt.NDArray[np.int32]

# Things that touch are drawn this far apart: surfaces in the same place flicker in one back end and
# turn translucent plastic black in the other.
TOUCH_MM = 0.05

NO_CORNER = -1


class MeshBuilder:
    """Collects points and faces; ``mesh`` hands them out as a read-only mesh that many parts may share."""

    def __init__(self) -> None:
        self._points: list[Array] = []
        self._count = 0
        self._faces: list[tuple[int, int, int, int]] = []
        self._uv: list[tuple[tuple[float, float], ...]] = []
        self._materials: list[int] = []

    def points(self, xyz: npt.ArrayLike) -> list[int]:
        """Adds points and gives their numbers."""
        array = np.asarray(xyz, dtype=np.float64).reshape(-1, 3)
        self._points.append(array)
        self._count += len(array)
        return list(range(self._count - len(array), self._count))

    def face(self, corners: Sequence[int], material: int = 0, uv: npt.ArrayLike | None = None) -> None:
        """Adds a convex polygon, counter-clockwise seen from outside, cut into quads where it has more corners."""
        places = [tuple(map(float, place)) for place in np.asarray(uv)] if uv is not None else None
        for first in range(1, len(corners) - 1, 2):
            chosen = [0, first, first + 1, first + 2] if first + 2 < len(corners) else [0, first, first + 1]
            numbers = [corners[i] for i in chosen]
            spots = [places[i] if places else (0.0, 0.0) for i in chosen]
            if len(chosen) == 3:
                numbers.append(NO_CORNER)
                spots.append((0.0, 0.0))
            self._faces.append((numbers[0], numbers[1], numbers[2], numbers[3]))
            self._uv.append(tuple((spot[0], spot[1]) for spot in spots))
            self._materials.append(material)

    def band(self, lower: Sequence[int], upper: Sequence[int], material: int = 0, *, closed: bool = True) -> None:
        """Joins two rings of equally many points, both counter-clockwise seen from above, faces outwards."""
        count = len(lower)
        for i in range(count if closed else count - 1):
            j = (i + 1) % count
            self.face((lower[i], lower[j], upper[j], upper[i]), material)

    def mesh(self, *, smooth: bool = False) -> Mesh:
        return _frozen(
            np.concatenate(self._points),
            np.array(self._faces, dtype=np.int32).reshape(-1, 4),
            np.array(self._uv, dtype=np.float64).reshape(-1, 4, 2),
            np.array(self._materials, dtype=np.int32),
            smooth,
        )


def _frozen(points: Array, faces: Faces, uv: Array, materials: Faces, smooth: bool) -> Mesh:
    for array in (points, faces, uv, materials):
        array.setflags(write=False)
    return Mesh(points, faces, uv, materials, smooth)


# --- poses ------------------------------------------------------------------------------------


def moved(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """The pose that only moves."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def turned(degrees: float, axis: str = "z") -> Array:
    """The pose that only turns, counter-clockwise seen from the tip of the axis."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    pose = np.eye(4)
    pose[first, first] = pose[second, second] = cosine
    pose[first, second], pose[second, first] = -sine, sine
    return pose


def standing(x: float, y: float, z: float, turn: float) -> Array:
    """The pose of an upright thing: turned about its own axis, then put in its place."""
    return moved(x, y, z) @ turned(turn)


def applied(pose: Array, points: npt.ArrayLike) -> Array:
    """Points of a mesh's own frame in the world."""
    array = np.asarray(points, dtype=np.float64)
    return array @ pose[:3, :3].T + pose[:3, 3]


def world_vertices(mesh: Mesh, pose: Array) -> Array:
    return applied(pose, mesh.vertices)


# --- solids -----------------------------------------------------------------------------------


def rectangle(width: float, depth: float, z: float) -> Array:
    """Four corners, counter-clockwise from the south-west."""
    x, y = width / 2, depth / 2
    return np.array([(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)])


UNIT_UV = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])

CORNER_SEGMENTS = 2


def outline(width: float, depth: float, radius: float) -> Array:
    """The outline of a rectangle with rounded corners, counter-clockwise from the south-east one."""
    if radius <= 0:
        return rectangle(width, depth, 0.0)[[1, 2, 3, 0], :2]
    steps = np.radians(np.linspace(0.0, 90.0, CORNER_SEGMENTS + 1))
    arc = radius * np.stack([np.cos(steps), np.sin(steps)], axis=1)
    middle = np.array([width / 2 - radius, depth / 2 - radius])
    quarters = []
    for quarter, (x, y) in enumerate([(1, -1), (1, 1), (-1, 1), (-1, -1)]):
        turn = turned(90.0 * (quarter - 1))[:2, :2]
        quarters.append(arc @ turn.T + middle * (x, y))
    return np.concatenate(quarters)


def slab(width: float, depth: float, height: float, bevel: float = 0.0, radius: float = 0.0) -> Mesh:
    """A board, tile, book or box: material 0 with the whole texture on top, material 1 on the sides and below."""
    builder = MeshBuilder()
    edge = outline(width, depth, radius)
    top_edge = outline(width - 2 * bevel, depth - 2 * bevel, radius - bevel) if bevel < radius else None
    if top_edge is None:
        top_edge = edge * (np.array([width, depth]) / 2 - bevel) / (np.array([width, depth]) / 2)
    bottom = builder.points(_at_height(edge, 0.0))
    rim = builder.points(_at_height(edge, height - bevel)) if bevel else bottom
    top = builder.points(_at_height(top_edge, height))
    if bevel:
        builder.band(bottom, rim, 1)
    builder.band(rim, top, 1)
    builder.face(top, 0, top_edge / (width, depth) + 0.5)
    builder.face(bottom[::-1], 1)
    return builder.mesh()


def _at_height(edge: Array, z: float) -> Array:
    return np.concatenate([edge, np.full((len(edge), 1), z)], axis=1)


def box(width: float, depth: float, height: float) -> Mesh:
    """A plain box of one material."""
    builder = MeshBuilder()
    bottom = builder.points(rectangle(width, depth, 0.0))
    top = builder.points(rectangle(width, depth, height))
    builder.band(bottom, top)
    builder.face(top, 0, UNIT_UV)
    builder.face(bottom[::-1])
    return builder.mesh()


def circle(radius: float, z: float, segments: int) -> Array:
    angles = np.arange(segments) * (2 * math.pi / segments)
    return np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(segments, z)], axis=1)


def lathe(
    profile: Sequence[tuple[float, float]],
    segments: int,
    materials: Sequence[int] | None = None,
    *,
    cap_share: float = 1.0,
    smooth: bool = False,
) -> Mesh:
    """A turned solid from a profile of (radius, z) that begins and ends on the axis or with a flat cap.

    The profile runs counter-clockwise in the (radius, z) plane: from the bottom outwards and up. A point with
    radius 0 closes the solid in a tip; a profile that starts or ends away from the axis is closed by a flat cap.
    ``materials`` has one number for each step of the profile, then one for the cap below and one for that above;
    the cap above carries ``cap_share`` of the texture's width.
    """
    builder = MeshBuilder()

    def ring(step: int) -> list[int]:
        radius, z = profile[step]
        return builder.points([(0.0, 0.0, z)] if radius == 0 else circle(radius, z, segments))

    steps = len(profile) - 1
    chosen = list(materials) if materials is not None else [0] * (steps + 2)
    first = lower = ring(0)
    for step in range(steps):
        upper = ring(step + 1)
        _join_rings(builder, lower, upper, segments, chosen[step])
        # Points of its own on either side of an edge keep the edge sharp where normals are interpolated.
        lower = ring(step + 1) if smooth and _is_sharp(profile, step + 1) else upper
    if len(first) > 1:
        builder.face((ring(0) if smooth else first)[::-1], chosen[steps])
    if len(upper) > 1:
        unit = circle(0.5 * cap_share, 0.0, segments)[:, :2] + 0.5
        builder.face(ring(steps) if smooth else upper, chosen[steps + 1], unit)
    return builder.mesh(smooth=smooth)


def _is_sharp(profile: Sequence[tuple[float, float]], at: int) -> bool:
    """Whether the profile turns by more than 40 degrees in a point between two steps."""
    if at + 1 >= len(profile):
        return False
    before, here, after = (np.array(profile[i]) for i in (at - 1, at, at + 1))
    first, second = here - before, after - here
    return float(first @ second) < math.cos(math.radians(40.0)) * float(np.linalg.norm(first) * np.linalg.norm(second))


def _join_rings(builder: MeshBuilder, lower: list[int], upper: list[int], segments: int, material: int) -> None:
    for i in range(segments):
        j = (i + 1) % segments
        if len(lower) == 1:
            builder.face((lower[0], upper[j], upper[i]), material)
        elif len(upper) == 1:
            builder.face((lower[i], lower[j], upper[0]), material)
        else:
            builder.face((lower[i], lower[j], upper[j], upper[i]), material)


def merged(pieces: Iterable[tuple[Mesh, Array, int]], *, smooth: bool = False) -> Mesh:
    """One mesh out of several, each with its pose and the number that its own material 0 gets."""
    points, faces, uvs, materials, count = [], [], [], [], 0
    for mesh, pose, first_material in pieces:
        points.append(applied(pose, mesh.vertices))
        faces.append(np.where(mesh.faces == NO_CORNER, NO_CORNER, mesh.faces + count))
        uvs.append(mesh.uv if mesh.uv is not None else np.zeros((len(mesh.faces), 4, 2)))
        own = mesh.material if mesh.material is not None else np.zeros(len(mesh.faces), dtype=np.int32)
        materials.append(own + first_material)
        count += len(mesh.vertices)
    return _frozen(
        np.concatenate(points),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(uvs),
        np.concatenate(materials).astype(np.int32),
        smooth,
    )
