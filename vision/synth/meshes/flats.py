"""Flat things: the table, tiles, coins, and boards of squares."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from vision.synth.geometry import MeshBuilder, lathe, rectangle, slab
from vision.synth.scene import Array, Mesh

TABLE_SIDE_MM: Final = 6000.0
COIN_SEGMENTS: Final = 28

TOP: Final = 0
SIDE: Final = 1

Height = Callable[[Array, Array], Array]


def table(repeat_mm: float, offset: tuple[float, float]) -> Mesh:
    """The table top at z = 0, with its texture repeated and moved by ``offset`` repeats."""
    builder = MeshBuilder()
    corners = rectangle(TABLE_SIDE_MM, TABLE_SIDE_MM, 0.0)
    builder.face(builder.points(corners), TOP, corners[:, :2] / repeat_mm + offset)
    return builder.mesh()


@cache
def tile(size_mm: float, thickness_mm: float, corner_radius_mm: float) -> Mesh:
    """A tile with its face up; its upper edges are slightly broken, as cut card and sanded wood are."""
    bevel = min(0.4, thickness_mm / 4)
    return slab(size_mm, size_mm, thickness_mm, bevel, corner_radius_mm)


@cache
def coin(diameter_mm: float, thickness_mm: float) -> Mesh:
    """A coin with a chamfer around its upper side, which carries the picture of the whole disc."""
    radius, chamfer = diameter_mm / 2, min(0.5, thickness_mm / 4)
    profile = [(radius, 0.0), (radius, thickness_mm - chamfer), (radius - chamfer, thickness_mm)]
    return lathe(profile, COIN_SEGMENTS, [SIDE, SIDE, SIDE, TOP], cap_share=1 - chamfer / radius)


def sheet(width: float, depth: float, thickness: float, height: Height, cells: int = 10) -> Mesh:
    """A sheet of paper or vinyl whose upper side follows ``height(x, y)``; its texture covers the upper side."""
    builder = MeshBuilder()
    x, y = np.meshgrid(np.linspace(-width / 2, width / 2, cells + 1), np.linspace(-depth / 2, depth / 2, cells + 1))
    z = height(x, y)
    top = np.array(builder.points(np.stack([x, y, z], axis=-1))).reshape(x.shape)
    bottom = np.array(builder.points(np.stack([x, y, z - thickness], axis=-1))).reshape(x.shape)
    u, v = x / width + 0.5, y / depth + 0.5
    for i in range(cells):
        for j in range(cells):
            for ring in _flat_rings(i, j, z):
                builder.face([int(top[spot]) for spot in ring], TOP, [(u[spot], v[spot]) for spot in ring])
                builder.face([int(bottom[spot]) for spot in reversed(ring)], SIDE)
    around = _border(cells)
    builder.band([int(bottom[spot]) for spot in around], [int(top[spot]) for spot in around], SIDE)
    return builder.mesh()


def _flat_rings(i: int, j: int, z: Array) -> tuple[tuple[tuple[int, int], ...], ...]:
    """A cell of a grid as one quad where it is flat, as two triangles where it is bent."""
    a, b, c, d = (i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)
    if abs(z[a] + z[c] - z[b] - z[d]) < 1e-9:
        return ((a, b, c, d),)
    return (a, b, c), (a, c, d)


def _border(cells: int) -> list[tuple[int, int]]:
    """The grid points around a sheet, counter-clockwise from the south-west."""
    south = [(0, j) for j in range(cells)]
    east = [(i, cells) for i in range(cells)]
    north = [(cells, j) for j in range(cells, 0, -1)]
    west = [(i, 0) for i in range(cells, 0, -1)]
    return south + east + north + west


@cache
def board(width: float, depth: float, thickness: float) -> Mesh:
    """A stiff board with its upper side at z = 0."""
    bevel = min(1.0, thickness / 4)
    mesh = slab(width, depth, thickness, bevel)
    vertices = mesh.vertices - (0.0, 0.0, thickness)
    vertices.setflags(write=False)
    return Mesh(vertices, mesh.faces, mesh.uv, mesh.material)
