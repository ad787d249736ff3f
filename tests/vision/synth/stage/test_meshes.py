"""Meshes: closed, the right way round, and as large as the real things."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.synth import geometry
from vision.synth.meshes import blokus, flats, things
from vision.synth.meshes.blokus import BoardShape, PieceShape
from vision.synth.scene import Mesh

PIECE = PieceShape(square_mm=20.0, thickness_mm=4.0, gap_mm=0.2, foot_mm=1.5, bevel_mm=1.5, dish_mm=0.5)
CARD = PieceShape(square_mm=18.0, thickness_mm=2.0, gap_mm=0.3, foot_mm=0.05, bevel_mm=0.0)
STAIRS = ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2))
RING = ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1))
CROSS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2))
BLOCK = ((0, 0), (1, 0), (0, 1), (1, 1))


def _waves(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 1e-4 * x * y


SOLIDS: dict[str, Callable[[], Mesh]] = {
    "box": lambda: geometry.box(10, 20, 5),
    "slab with bevel and round corners": lambda: geometry.slab(50, 40, 4, bevel=0.4, radius=2),
    "slab with more bevel than radius": lambda: geometry.slab(50, 40, 4, bevel=1.0, radius=0.5),
    "tile": lambda: flats.tile(50.8, 3.2, 1.2),
    "coin": lambda: flats.coin(19.0, 3.2),
    "bent sheet": lambda: flats.sheet(100, 140, 0.3, _waves),
    "stiff board": lambda: flats.board(400, 400, 3),
    "Blokus tray without ribs": lambda: blokus.board(BoardShape(18.0, 12.0, 2.5)),
    "piece with inner corners": lambda: blokus.piece(STAIRS, PIECE),
    "piece around a hole's three sides": lambda: blokus.piece(RING, PIECE),
    "piece with a middle": lambda: blokus.piece(CROSS, PIECE),
    "piece with a point of four squares": lambda: blokus.piece(BLOCK, PIECE),
    "piece of card": lambda: blokus.piece(STAIRS, CARD),
    "pencil": lambda: things.pencil(150.0, 7.4),
    "mug": lambda: things.mug(40.0, 90.0, 0.5),
    "glass": lambda: things.glass(35.0, 110.0, 0.4),
    "limb": lambda: things.capsule(np.zeros(3), np.array([30.0, 10.0, 5.0]), 6.0, 4.0),
    "hand": lambda: things.hand(0.4, 1.0, 90.0),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_look_outwards(name: str, measure: SimpleNamespace) -> None:
    mesh = SOLIDS[name]()
    assert measure.open_edges(mesh) == 0
    assert measure.volume(mesh) > 0


@pytest.mark.parametrize("name", SOLIDS)
def test_meshes_are_well_formed(name: str) -> None:
    mesh = SOLIDS[name]()
    assert mesh.uv is not None
    assert mesh.material is not None
    assert mesh.uv.shape == (len(mesh.faces), 4, 2)
    assert mesh.material.shape == (len(mesh.faces),)
    assert mesh.faces.max() < len(mesh.vertices)
    assert mesh.faces[:, :3].min() >= 0
    assert not mesh.vertices.flags.writeable


# mesh, its size in mm (x, y, z), from PIECES or from what was asked for
MEASURES: list[tuple[str, Callable[[], Mesh], tuple[float, float, float]]] = [
    ("piecepack tile", lambda: flats.tile(50.8, 3.2, 1.2), (50.8, 50.8, 3.2)),
    ("piecepack coin", lambda: flats.coin(19.0, 3.2), (19.0, 19.0, 3.2)),
    ("Blokus single, play at its outline", lambda: blokus.piece(((0, 0),), PIECE), (19.6, 19.6, 2.5)),
    ("Blokus five in a row", lambda: blokus.piece(tuple((i, 0) for i in range(5)), PIECE), (99.6, 19.6, 2.5)),
    ("board with a border", lambda: blokus.board(BoardShape(18.0, 12.0, 2.5)), (384.0, 384.0, 2.5)),
    ("tray with ribs and frame", lambda: blokus.board(BoardShape(20.0, 8.0, 6.0, 1.5, 1.2)), (416.0, 416.0, 8.1)),
    ("die", lambda: things.die(16.0), (16.1, 16.1, 16.1)),  # its spots stand proud by 0.05 mm
    ("pencil", lambda: things.pencil(150.0, 7.4), (150.0, 7.4, 7.4 * np.cos(np.pi / 6))),
]


@pytest.mark.parametrize(("name", "make", "size"), MEASURES)
def test_sizes(name: str, make: Callable[[], Mesh], size: tuple[float, float, float], measure: SimpleNamespace) -> None:
    assert measure.size(make()) == pytest.approx(size, abs=0.01), name


def test_coin_shows_the_whole_disc_but_for_the_chamfer() -> None:
    mesh = flats.coin(20.0, 4.0)
    assert mesh.uv is not None
    assert mesh.material is not None
    top = mesh.faces[mesh.material == flats.TOP]
    uv = mesh.uv[mesh.material == flats.TOP]
    corners = top >= 0
    assert np.allclose(mesh.vertices[top[corners]][:, :2] / 20.0 + 0.5, uv[corners], atol=1e-9)


def test_tile_face_is_upright() -> None:
    """The picture's top-left corner lies in the north-west."""
    mesh = flats.tile(50.0, 3.0, 0.0)
    assert mesh.uv is not None
    assert mesh.material is not None
    face = int(np.flatnonzero(mesh.material == flats.TOP)[0])
    north_west = int(np.argmax(mesh.vertices[mesh.faces[face]] @ np.array([-1.0, 1.0, 0.0])))
    u, v = mesh.uv[face, north_west]
    assert u < 0.02
    assert v > 0.98


def test_ribs_stand_between_squares() -> None:
    shape = BoardShape(20.0, 8.0, 6.0, 1.5, 1.2)
    mesh = blokus.board(shape)
    assert mesh.material is not None
    ribs = mesh.vertices[np.unique(mesh.faces[mesh.material == blokus.RIBS])]
    # 19 ribs each way; every rib's points lie within half its width of a line between squares.
    to_line = np.abs((ribs[:, :2] + 10.0) % 20.0 - 10.0).min(axis=1)
    assert to_line.max() <= 0.6 + 1e-9
    assert ribs[:, 2].min() == 0
    assert ribs[:, 2].max() == pytest.approx(1.5, abs=0.05)
    assert (mesh.material == blokus.RIBS).sum() == 2 * 19 * 3


@st.composite
def _polyominoes(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    cells = {(0, 0)}
    for _ in range(draw(st.integers(0, 7))):
        column, row = draw(st.sampled_from(sorted(cells)))
        right, up = draw(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1)]))
        cells.add((column + right, row + up))
    return tuple(sorted(cells))


@settings(deadline=None)
@given(_polyominoes(), st.sampled_from([PIECE, CARD]))
def test_any_polyomino_is_closed_and_stays_in_its_squares(
    cells: tuple[tuple[int, int], ...], shape: PieceShape
) -> None:
    mesh = blokus.piece(cells, shape)
    edges: dict[tuple[int, int], int] = {}
    for face in mesh.faces:
        ring = [int(i) for i in face if i >= 0]
        for start, end in zip(ring, ring[1:] + ring[:1], strict=True):
            edges[start, end] = edges.get((start, end), 0) + 1
    # Where squares touch in a corner only, two points of the outline keep apart; so every edge has one partner.
    assert all(count == 1 and edges.get((end, start)) == 1 for (start, end), count in edges.items())
    low = np.array(cells)[None] * shape.square_mm
    inside = (mesh.vertices[:, None, :2] >= low) & (mesh.vertices[:, None, :2] <= low + shape.square_mm)
    assert inside.all(axis=2).any(axis=1).all()
    heights = mesh.vertices[:, 2]
    assert heights.min() == shape.foot_mm
    assert heights.max() == shape.thickness_mm


def test_die_has_all_spots_and_opposite_sides_add_up_to_seven() -> None:
    mesh = things.die(16.0)
    assert mesh.material is not None
    spots = mesh.faces[mesh.material == 1]
    middles = mesh.vertices[spots].mean(axis=1) - (0.0, 0.0, 8.0)
    # Two quads make a spot of six corners.
    count = {(axis, sign): int((middles[:, axis] * sign > 8.0).sum()) // 2 for axis in range(3) for sign in (-1, 1)}
    assert sorted(count.values()) == [1, 2, 3, 4, 5, 6]
    assert all(count[axis, 1] + count[axis, -1] == 7 for axis in range(3))


@settings(deadline=None)
@given(st.floats(-180, 180), st.floats(-50, 50), st.floats(-50, 50), st.floats(-5, 5))
def test_standing_turns_first_and_moves_then(turn: float, x: float, y: float, z: float) -> None:
    pose = geometry.standing(x, y, z, turn)
    assert np.allclose(geometry.applied(pose, [(0.0, 0.0, 0.0)]), [(x, y, z)])
    east = geometry.applied(pose, (1.0, 0.0, 0.0)) - (x, y, z)
    assert np.allclose(east, (np.cos(np.radians(turn)), np.sin(np.radians(turn)), 0.0))
    assert np.linalg.det(pose[:3, :3]) == pytest.approx(1.0)


def test_merging_keeps_every_part_of_the_meshes() -> None:
    cube = geometry.box(1, 1, 1)
    both = geometry.merged([(cube, np.eye(4), 0), (cube, geometry.moved(5.0), 2)])
    assert both.material is not None
    assert len(both.faces) == 2 * len(cube.faces)
    assert both.vertices[:, 0].max() == 5.5
    assert set(both.material) == {0, 2}
