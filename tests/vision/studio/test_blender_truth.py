"""The proof of the truth: known corners and pieces, projected with the stored camera, are where the render has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.profiles import load_profile, profile_names
from vision.synth import blender, fast
from vision.synth.camera import project_pinhole, sample_camera
from vision.synth.layouts import sample_layout
from vision.synth.light import sample_light
from vision.synth.scene import Array, Material, Mesh, Part, Phone, Scene
from vision.synth.stage import build_stage

pytestmark = pytest.mark.studio

GAMES = ("alien-city", "city-blocks", "sprawl")
SIZE = (480, 360)
Index = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


@cache
def shot(game: str, seed: int) -> tuple[Scene, Index]:
    """A random scene of the game, and Blender's own object-index pass of it."""
    rng = np.random.default_rng(seed)
    profile = load_profile(str(rng.choice(profile_names(game, False))))
    state = next(
        layout.state
        for layout in iter(lambda: sample_layout(rng, game, profile), None)
        if layout.kind not in ("empty", "no-board", "part", "other-game")
    )
    assert state is not None
    stage = build_stage(state, profile, rng, clutter=True, table=profile.tables[0])
    camera = sample_camera(rng, stage.corners, SIZE, shares=(0.35, 0.8))
    light = sample_light(rng, tuple(profile.environments))
    scene = Scene(stage.parts, camera, light, Phone(), state, stage.corners, game, profile.name, seed)
    index = blender.render(scene, samples=1, with_index=True, scale=0.1, threads=1).index
    assert index is not None
    return scene, index


def _world(part: Part) -> Array:
    return np.asarray(part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3])


def _silhouette(part: Part, scene: Scene) -> Mask:
    """The pixels that the part would cover if it stood alone: all its faces, projected and filled."""
    wide, high = scene.camera.pinhole_size
    pixels = project_pinhole(scene.camera, _world(part))
    canvas = np.zeros((high, wide), dtype=np.uint8)
    for face in part.mesh.faces:
        outline = np.rint(pixels[face[face >= 0]] * 16).astype(np.int32)
        cv2.fillPoly(canvas, [outline], 1, shift=4)
    return canvas.astype(bool)


def _grown(mask: Mask, by: int) -> Mask:
    """By so many pixels on every side; a negative number shrinks."""
    change = cv2.dilate if by > 0 else cv2.erode
    return np.asarray(change(mask.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=abs(by)), dtype=bool)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_part_lies_within_its_projection(game: str, seed: int) -> None:
    """No pixel of a part is drawn more than one pixel beside where the stored camera puts the part."""
    scene, index = shot(game, seed)
    checked = 0
    for number, part in enumerate(scene.parts, start=1):
        drawn = index == number
        if part.name != "table" and drawn.any():
            assert not (drawn & ~_grown(_silhouette(part, scene), 1)).any(), part.name
            checked += 1
    assert checked >= 5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_parts_that_nothing_hides_fill_their_projection(game: str, seed: int) -> None:
    """The topmost pieces: all that the stored camera puts well inside them is drawn as them, not the board below."""
    scene, index = shot(game, seed)
    ground = [number for number, part in enumerate(scene.parts, start=1) if part.name in ("table", "board")]
    checked = 0
    for number, part in enumerate(scene.parts, start=1):
        whole = _silhouette(part, scene)
        cut = whole[[0, -1]].any() or whole[:, [0, -1]].any()  # by the edge of the picture
        core = _grown(whole, -1)
        hidden = not np.isin(index[core], [number, *ground]).all()
        if number in ground or cut or hidden or core.sum() < 30:
            continue
        assert (index[core] == number).all(), part.name
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("game", GAMES)
def test_corners_are_where_the_render_has_them(game: str, box: Callable[..., Mesh], pose: Callable[..., Array]) -> None:
    """A stud is set on each corner of the field and looked for in the index pass: 3 % of a lot is allowed."""
    scene, _ = shot(game, 1)
    assert scene.corners is not None
    stud = (Material("plastic", (1.0, 1.0, 1.0)),)
    height = 0.01  # the corner itself, not the top of something that stands on it
    studs = tuple(
        Part(f"stud:{k}", box(8.0, 8.0, height), stud, pose(*corner)) for k, corner in enumerate(scene.corners)
    )
    bare = replace(scene, parts=studs)
    index = blender.render(bare, samples=1, with_index=True, scale=0.1, threads=1).index
    expected = project_pinhole(scene.camera, scene.corners)
    lot = _lot_in_pixels(game, expected, scene)
    for number, corner in enumerate(expected, start=1):
        rows, columns = np.nonzero(index == number)
        assert np.hypot(columns.mean() - corner[0], rows.mean() - corner[1]) < 0.03 * lot


def _lot_in_pixels(game: str, corners: Array, scene: Scene) -> float:
    """The mean side of a lot in this picture."""
    assert scene.corners is not None
    lots = {"alien-city": 25.4, "city-blocks": np.linalg.norm(scene.corners[1] - scene.corners[0]) / 20, "sprawl": 25.0}
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    millimetres = np.linalg.norm(np.roll(scene.corners, -1, axis=0) - scene.corners, axis=1)
    return float((sides / millimetres).mean() * lots[game])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_fast_index_pass_agrees_with_blenders(game: str, seed: int) -> None:
    """Truth is told from the fast back end's pass, also for path-traced photos: the two must be the same picture."""
    scene, index = shot(game, seed)
    quick = fast.index_pass(scene)
    assert quick.shape == index.shape
    assert np.mean(quick != index) < 0.003
    for number, part in enumerate(scene.parts, start=1):
        drawn, told = index == number, quick == number
        if drawn.sum() > 400:
            assert (drawn & told).sum() / (drawn | told).sum() > 0.95, part.name
