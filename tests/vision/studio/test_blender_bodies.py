"""Meshes on their way into Blender, memory, and translucent bodies of two materials."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.synth import blender
from vision.synth.blender.building import one_plastic_a_body
from vision.synth.scene import Array, Camera, Light, Material, Mesh, Part, Scene

pytestmark = pytest.mark.studio

RED = Material("translucent", (0.8, 0.1, 0.1), 0.05, 0.6)
PALE = Material("translucent", (0.9, 0.5, 0.5), 0.05, 0.3)
DULL = Material("paper", (0.9, 0.9, 0.9), 1.0)


def _with_materials(mesh: Mesh, numbers: list[int]) -> Mesh:
    return Mesh(mesh.vertices, mesh.faces, mesh.uv, np.array(numbers, dtype=np.int32))


@pytest.mark.parametrize(
    ("materials", "numbers", "expected"),
    [
        # One clear plastic: nothing to decide.
        ((RED, DULL), [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0]),
        # Two on one body: it is filled with the lighter one.
        ((RED, PALE), [1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]),
        ((PALE, RED), [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
        # What is not clear stays as it is.
        ((RED, PALE, DULL), [1, 0, 0, 0, 0, 2], [1, 1, 1, 1, 1, 2]),
    ],
)
def test_a_body_is_of_one_plastic(
    materials: tuple[Material, ...], numbers: list[int], expected: list[int], box: Callable[..., Mesh]
) -> None:
    chosen, tint = one_plastic_a_body(_with_materials(box(40.0, 25.0, 4.0), numbers), materials)
    assert chosen is not None
    assert chosen.tolist() == expected
    changed = chosen != np.array(numbers)
    assert (tint is None) == (not changed.any())
    if tint is not None:
        assert (tint[~changed] == 1.0).all()
        assert (tint[changed] < 1.0).all()


def test_bodies_that_do_not_touch_keep_their_plastics(box: Callable[..., Mesh]) -> None:
    """A drink in a glass: two closed bodies in one mesh."""
    one = box(40.0, 25.0, 4.0)
    both = Mesh(
        np.concatenate([one.vertices, one.vertices + 100.0]),
        np.concatenate([one.faces, one.faces + len(one.vertices)]),
        None,
        np.array([0] * 6 + [1] * 6, dtype=np.int32),
    )
    chosen, tint = one_plastic_a_body(both, (RED, PALE))
    assert chosen is not None
    assert chosen.tolist() == [0] * 6 + [1] * 6
    assert tint is not None
    assert (tint == 1.0).all()


def test_two_plastics_on_one_body_are_seen_through(
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
    table: Part,
) -> None:
    """Slabs over a white table: a pale top on a red body is darker than all pale, lighter than all red, not black."""
    view = camera((0.0, -60.0, 300.0), (64, 48), fov=8.0)
    seen = []
    for top, rest in ((RED, RED), (PALE, RED), (PALE, PALE)):
        mesh = _with_materials(box(60.0, 60.0, 2.5), [1, 0, 0, 0, 0, 0])
        slab = Part("slab", mesh, (rest, top), pose(0.0, 0.0, 0.2))
        image = blender.render(scene((table, slab), view), samples=24, threads=1).image
        seen.append(np.median(image[..., 1]))
    assert 0.02 < seen[0] < 0.9 * seen[1]
    assert seen[1] < 0.9 * seen[2]


@pytest.mark.parametrize("smooth", [False, True])
def test_texture_lies_upright_on_the_top(
    smooth: bool,
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
) -> None:
    """Red in the north-west, green in the north-east, blue in the south-west, white in the south-east."""
    colours = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], dtype=np.uint8)
    picture = np.repeat(np.repeat(colours, 32, axis=0), 32, axis=1)
    mesh = box(100.0, 100.0, 5.0)
    mesh = Mesh(mesh.vertices, mesh.faces, mesh.uv, smooth=smooth)
    tile = Part("tile", mesh, (Material("paper", (0.0, 0.0, 0.0), 1.0, texture=picture),), pose(0.0, 0.0, 0.0))
    view = camera((0.0, -0.01, 400.0), (80, 80), fov=12.0)
    image = blender.render(scene((tile,), view), samples=8, scale=1.0, threads=1).image
    for row, column, colour in ((20, 20, "r"), (20, 60, "g"), (60, 20, "b"), (60, 60, "rgb")):
        bright = image[row, column] > 0.4
        assert "".join(np.array(list("rgb"))[bright]) == colour


def test_memory_does_not_grow_with_the_frames(
    camera: Callable[..., Camera], scene: Callable[..., Scene], table: Part
) -> None:
    """Each scene brings 12 megabytes of picture in Blender's own format; they must be gone after it."""
    status = Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("memory is read the Linux way")
    view = camera((0.0, -10.0, 400.0), (32, 24))
    sizes = []
    for number in range(16):
        picture = np.full((900, 900, 3), number, dtype=np.uint8)
        part = Part("table", table.mesh, (Material("paper", (1.0, 1.0, 1.0), 1.0, texture=picture),), table.pose)
        blender.render(scene((part,), view, Light("overcast", 1.0, 0.0)), samples=1, threads=1)
        sizes.append(int(status.read_text().split()[1]) * 4096 / 1e6)
    assert sizes[-1] - sizes[5] < 40.0
