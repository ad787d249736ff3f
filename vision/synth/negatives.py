"""Photos that a reader must refuse: a table without a board, a part of a board, another game.

All of them start from a stage like any other, so that table, clutter and light look as they do on the positives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from vision.synth.camera import outline, project
from vision.synth.disorder import pick
from vision.synth.geometry import lathe, moved, slab, turned
from vision.synth.scene import Array, Camera, Material, Mesh, Part, Picture, Rgb

# What belongs to the board and its pieces; the rest of a stage is the table and what lies around.
OF_THE_BOARD: Final = ("board", "tile", "structure", "cap", "piece", "square", "coin", "mark", "rib")


# How many squares of a chess board would fit into its width, its border included.
SQUARES_ACROSS: Final = 8.5


def is_of_the_board(part: Part) -> bool:
    return part.name.split(":")[0] in OF_THE_BOARD


def bare_table(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The stage without its board."""
    return tuple(part for part in parts if not is_of_the_board(part))


def some_tiles(rng: np.random.Generator, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """At most twelve of the twenty tiles, with what stands on them: side by side, or scattered."""
    tiles = [part for part in parts if part.name.startswith("tile:")]
    spots = np.array([part.pose[:2, 3] for part in tiles])
    count = int(rng.integers(2, 13))
    order = rng.random(len(tiles))
    if rng.random() < 0.6:
        order = np.linalg.norm(spots - spots[int(rng.integers(len(tiles)))], axis=1) + 30 * order
    kept = {tiles[int(i)].name.partition(":")[2] for i in np.argsort(order)[:count]}
    return tuple(part for part in parts if not is_of_the_board(part) or _tile_of(part.name) in kept)


def _tile_of(name: str) -> str:
    """The tile on which a part of an Alien City board stands."""
    lot = name.split(":")[1]
    column, row = ord(lot[0]) - ord("A"), int(lot[1:]) - 1
    return f"{chr(ord('A') + column // 2 * 2)}{row // 2 * 2 + 1}"


def cropped(rng: np.random.Generator, camera: Camera, corners: Array) -> Camera:
    """The camera moved sideways until a good part of the board, with corners of it, is outside the photo."""
    reach = float(np.linalg.norm(corners[0] - corners[2])) / 2
    for _ in range(200):
        angle = rng.uniform(0, 2 * np.pi)
        shift = rng.uniform(0.4, 1.6) * reach * np.array([np.cos(angle), np.sin(angle), 0.0])
        moved_camera = replace(camera, translation=camera.translation + camera.rotation @ shift)
        if 0.12 <= share_inside(moved_camera, corners) <= 0.7:
            return moved_camera
    return moved_camera


def share_inside(camera: Camera, corners: Array) -> float:
    """How much of the board (not of the photo) lies inside the photo."""
    steps = (np.arange(12) + 0.5) / 12
    north_west, north_east, south_east, south_west = corners
    north = north_west + steps[:, None] * (north_east - north_west)
    south = south_west + steps[:, None] * (south_east - south_west)
    points = (north[None] + steps[:, None, None] * (south - north)[None]).reshape(-1, 3)
    x, y = project(camera, points).T
    return float(((x >= 0) & (x < camera.width) & (y >= 0) & (y < camera.height)).mean())


def another_game(rng: np.random.Generator, table_z: float, extent: float) -> tuple[tuple[Part, ...], Array]:
    """Something else to play, about ``extent`` millimetres wide, on the table, and the outline of its field."""
    maker: Callable[[np.random.Generator, float], list[Part]] = pick(rng, (_chess, _cards, _dominoes, _track_board))
    turn = moved(z=table_z) @ turned(float(rng.uniform(0, 360)))
    parts = tuple(replace(part, pose=turn @ part.pose) for part in maker(rng, extent))
    reach = 4 * extent / SQUARES_ACROSS
    field = np.array([(-reach, reach, 0.0), (reach, reach, 0.0), (reach, -reach, 0.0), (-reach, -reach, 0.0)])
    return parts, field @ turn[:3, :3].T + turn[:3, 3]


# ---------------------------------------------------------------- chess

_PAWN: Final = ((0.42, 0.0), (0.42, 0.1), (0.2, 0.25), (0.14, 0.6), (0.24, 0.66), (0.22, 0.85), (0.0, 1.0))
_ROOK: Final = ((0.42, 0.0), (0.42, 0.12), (0.26, 0.25), (0.24, 0.8), (0.32, 0.84), (0.32, 1.0), (0.0, 1.0))
_BISHOP: Final = ((0.42, 0.0), (0.42, 0.1), (0.18, 0.3), (0.14, 0.65), (0.22, 0.7), (0.18, 0.88), (0.0, 1.0))
_KING: Final = ((0.45, 0.0), (0.45, 0.1), (0.22, 0.25), (0.16, 0.7), (0.3, 0.85), (0.22, 0.93), (0.0, 1.0))


def _chess(rng: np.random.Generator, extent: float) -> list[Part]:
    """Turned chessmen on a board of eight by eight: no pyramid among them."""
    square = extent / SQUARES_ACROSS
    light, dark = _tint(rng, 0.6, 0.95), _tint(rng, 0.1, 0.45)
    cells = (np.indices((8, 8)).sum(axis=0) % 2).astype(bool)
    parts = [_board(_squares(cells, light, dark), extent, extent, 3.0)]
    colours = (_tint(rng, 0.6, 0.95), _tint(rng, 0.02, 0.3))
    count = int(rng.integers(6, 33))
    for place in rng.permutation(64)[:count]:
        shape = pick(rng, (_PAWN, _PAWN, _ROOK, _BISHOP, _KING))
        height = square * {_PAWN: 0.9, _ROOK: 1.0, _BISHOP: 1.3, _KING: 1.7}[shape]
        mesh = lathe([(radius * square, z * height) for radius, z in shape], 20, smooth=True)
        x, y = (place % 8 - 3.5) * square, (place // 8 - 3.5) * square
        x, y = x + rng.normal(0, 0.06 * square), y + rng.normal(0, 0.06 * square)
        parts.append(_part(f"clutter:chessman:{place}", mesh, moved(float(x), float(y), 3.05), pick(rng, colours), 0.3))
    return parts


# ---------------------------------------------------------------- cards and dominoes


def _cards(rng: np.random.Generator, extent: float) -> list[Part]:
    """Cards laid out in a grid, as in Concentration."""
    columns, rows = int(rng.integers(3, 6)), int(rng.integers(2, 5))
    width = extent / (columns * 1.15)
    back = _pattern(rng)
    parts = []
    for column in range(columns):
        for row in range(rows):
            face = back if rng.random() < 0.5 else _card_face(rng)
            x, y = (column - (columns - 1) / 2) * 1.15 * width, (row - (rows - 1) / 2) * 1.6 * width
            pose = moved(float(x + rng.normal(0, 1)), float(y + rng.normal(0, 1)), 0.05)
            pose = pose @ turned(float(rng.normal(0, 2)))
            mesh = slab(width, 1.4 * width, 0.4, radius=0.06 * width)
            parts.append(_printed(f"clutter:card:{column}:{row}", mesh, pose, face))
    return parts


def _dominoes(rng: np.random.Generator, extent: float) -> list[Part]:
    """A line of dominoes that winds over the table."""
    length = extent / 6
    ground, ink = (_tint(rng, 0.8, 1.0), _tint(rng, 0.0, 0.2))[:: pick(rng, (1, -1))]
    place, heading = np.array([-extent / 2.2, 0.0]), 0.0
    parts = []
    for number in range(int(rng.integers(7, 20))):
        step = np.array([np.cos(heading), np.sin(heading)])
        middle = place + step * length / 2
        pose = moved(float(middle[0]), float(middle[1]), 0.05) @ turned(float(np.degrees(heading) - 90))
        mesh = slab(length / 2, length, 5.0, bevel=0.6, radius=1.5)
        face = _domino_face(rng, ground, ink)
        parts.append(_printed(f"clutter:domino:{number}", mesh, pose, face, side=ground))
        place = place + step * length * 1.04
        ahead = place + step * length
        if abs(ahead[0]) > extent / 2 or rng.random() < 0.15:
            heading += np.pi / 2 * pick(rng, (1, -1))
            place = place + length * 0.3 * (np.array([np.cos(heading), np.sin(heading)]) - step)
    return parts


def _domino_face(rng: np.random.Generator, ground: Rgb, ink: Rgb) -> Picture:
    face = _plain(128, 64, ground)
    face[62:66, 4:60] = _bytes(ink)
    spots = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
    for half in (0, 64):
        for spot in spots.get(int(rng.integers(0, 7)), ()):
            _disc(face, half + 14 + spot // 3 * 18, 14 + spot % 3 * 18, 6, ink)
    return face


def _card_face(rng: np.random.Generator) -> Picture:
    face = _plain(140, 100, (0.97, 0.97, 0.95))
    ink: Rgb = pick(rng, ((0.75, 0.05, 0.08), (0.08, 0.08, 0.09)))
    for row in np.linspace(30, 110, int(rng.integers(1, 5))):
        for column in ((50,), (33, 67))[int(rng.integers(2))]:
            _disc(face, int(row), column, 8, ink)
    return face


def _pattern(rng: np.random.Generator) -> Picture:
    """The back of a card: a lattice of two colours in a white rim."""
    face = _plain(140, 100, (0.97, 0.97, 0.95))
    ink, ground = _bytes(_tint(rng, 0.2, 0.6)), _bytes(_tint(rng, 0.5, 0.95))
    rows, columns = np.indices((124, 84))
    lattice = ((rows + columns) // 5 + (rows - columns) // 5) % 2 == 0
    face[8:-8, 8:-8] = np.where(lattice[..., None], ink, ground)
    return face


# ---------------------------------------------------------------- another board


def _track_board(rng: np.random.Generator, extent: float) -> list[Part]:
    """A board of nine to twelve fields a side in many colours, with round men on it."""
    side = int(rng.integers(9, 13))
    palette = np.array([_tint(rng, 0.3, 0.95) for _ in range(int(rng.integers(3, 7)))])
    kinds = rng.integers(len(palette), size=(side, side))
    if rng.random() < 0.5:  # only a track round the edge
        kinds[1:-1, 1:-1] = 0
    cell = 32
    picture = np.repeat(np.repeat(palette[kinds], cell, axis=0), cell, axis=1)
    picture[::cell], picture[:, ::cell] = 0.1, 0.1
    texture: Picture = np.round(picture * 255).astype(np.uint8)
    parts = [_board(texture, extent, extent, 2.5)]
    for place in rng.permutation(side * side)[: int(rng.integers(0, 16))]:
        size = extent / side
        mesh = lathe([(r * size, z * size) for r, z in _PAWN], 20, smooth=True)
        x, y = (place % side - (side - 1) / 2) * size, (place // side - (side - 1) / 2) * size
        parts.append(_part(f"clutter:man:{place}", mesh, moved(float(x), float(y), 2.55), _tint(rng, 0.1, 0.9), 0.3))
    return parts


# ---------------------------------------------------------------- small helpers


def _board(texture: Picture, width: float, depth: float, height: float) -> Part:
    return _printed("clutter:other-board", slab(width, depth, height), moved(z=0.05), texture)


def _squares(cells: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], light: Rgb, dark: Rgb) -> Picture:
    """Squares of 48 pixels in a rim of the dark colour."""
    pattern = np.repeat(np.repeat(cells, 48, axis=0), 48, axis=1)[..., None]
    inner = np.where(pattern, _bytes(light), _bytes(dark)).astype(np.uint8)
    face = _plain(inner.shape[0] + 24, inner.shape[1] + 24, dark)
    face[12:-12, 12:-12] = inner
    return face


def _printed(name: str, mesh: Mesh, pose: Array, face: Picture, side: Rgb = (0.9, 0.88, 0.84)) -> Part:
    top = Material("paper", (1.0, 1.0, 1.0), roughness=0.4, texture=face)
    return Part(name, mesh, (top, Material("paper", side, roughness=0.5)), pose)


def _part(name: str, mesh: Mesh, pose: Array, colour: Rgb, roughness: float) -> Part:
    return Part(name, mesh, (Material("plastic", colour, roughness=roughness),), pose)


def _tint(rng: np.random.Generator, low: float, high: float) -> Rgb:
    """A colour of about that brightness."""
    grey = rng.uniform(low, high)
    red, green, blue = np.clip(grey + rng.normal(0, 0.12, size=3), 0, 1)
    return float(red), float(green), float(blue)


def _bytes(colour: Rgb) -> Picture:
    return np.round(np.array(colour) * 255).astype(np.uint8)


def _plain(height: int, width: int, colour: Rgb) -> Picture:
    return np.broadcast_to(_bytes(colour), (height, width, 3)).copy()


def _disc(face: Picture, row: int, column: int, radius: int, colour: Rgb) -> None:
    rows, columns = np.indices(face.shape[:2])
    face[(rows - row) ** 2 + (columns - column) ** 2 <= radius**2] = _bytes(colour)


def table_height(parts: tuple[Part, ...]) -> float:
    """The z of the table's surface."""
    table = next(part for part in parts if part.name == "table")
    return float((table.mesh.vertices @ table.pose[2, :3] + table.pose[2, 3]).max())


def board_extent(corners: Array) -> float:
    """The longer side of the board, to make other games about as large."""
    sides = outline(corners, 1) - np.roll(outline(corners, 1), -1, axis=0)
    return float(np.linalg.norm(sides, axis=1).max())
