"""Blender's camera is OpenCV's: what the stored camera projects is where the render's object-index pass has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from vision.synth import blender
from vision.synth.camera import project_pinhole
from vision.synth.scene import Array, Camera, Material, Mesh, Part, Scene

pytestmark = pytest.mark.studio

GREY = (Material("plastic", (0.5, 0.5, 0.5), 0.5),)
SIZE = (320, 240)

# What is unusual about the camera, as changes to one that looks straight at the board's middle.
CAMERAS: dict[str, dict[str, Any]] = {
    "plain": {},
    # The principal point of a cropped photo is far off the middle.
    "cropped": {"matrix": np.array([[600.0, 0.0, 131.3], [0.0, 600.0, 160.9], [0.0, 0.0, 1.0]])},
    # Pixels that are not square.
    "stretched": {"matrix": np.array([[560.0, 0.0, 150.0], [0.0, 630.0, 110.0], [0.0, 0.0, 1.0]])},
    # The picture that the lens model bends is larger than the photo.
    "overscan": {"overscan": 1.13},
}


def _silhouette(part: Part, camera: Camera) -> Array:
    """The outline of a convex part in the pinhole picture."""
    world = part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
    return cv2.convexHull(project_pinhole(camera, world).astype(np.float32)).reshape(-1, 2)


def _filled(outline: Array, size: tuple[int, int]) -> Array:
    """Pixels whose centre is inside: drawn 16 times as fine as the picture, then only the middles are looked at."""
    fine, wide, high = 16, *size
    canvas = np.zeros((high * fine, wide * fine), dtype=np.uint8)
    # Pixel centres are whole numbers in the picture and (16 n + 7.5) in the fine one.
    cv2.fillPoly(canvas, [np.rint((outline + 0.5) * fine - 0.5).astype(np.int32)], 1)
    return canvas[fine // 2 :: fine, fine // 2 :: fine].astype(bool)


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("eye", [(0.0, -0.01, 500.0), (90.0, -220.0, 420.0)], ids=["above", "tilted"])
def test_index_pass_matches_the_projection(
    name: str,
    eye: tuple[float, float, float],
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
) -> None:
    view = camera(eye, SIZE, **CAMERAS[name])
    boxes = [(-40.0, 20.0, 33.0), (45.0, 35.0, 0.0), (5.0, -45.0, 71.0)]
    parts = tuple(
        Part(f"box:{k}", box(40.0, 25.0, 12.0), GREY, pose(x, y, 0.0, turn)) for k, (x, y, turn) in enumerate(boxes)
    )
    index = blender.render(scene(parts, view), samples=1, with_index=True, scale=0.2, threads=1).index
    assert index is not None
    assert index.shape == view.pinhole_size[::-1]
    for number, part in enumerate(parts, start=1):
        expected = _filled(_silhouette(part, view), view.pinhole_size)
        drawn = index == number
        # Not one pixel in a hundred of the outline may differ: a shift of half a pixel would make it one in two.
        outline = cv2.morphologyEx(expected.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).sum()
        assert np.count_nonzero(expected != drawn) <= 0.02 * outline + 1


def test_photo_and_index_show_the_same_place(
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
    table: Part,
) -> None:
    """The photo is traced smaller and enlarged; its edges must not move by that."""
    view = camera((40.0, -150.0, 400.0), (200, 150))
    black = Part("box", box(60.0, 45.0, 2.0), (Material("paper", (0.0, 0.0, 0.0), 1.0),), pose(3.0, 2.0, 0.0, 20.0))
    frame = blender.render(scene((table, black), view), samples=16, with_index=True, threads=1)
    assert frame.index is not None
    covered = 1.0 - np.clip(frame.image[..., 1] / np.median(frame.image[frame.index == 1][:, 1]), 0.0, 1.0)
    rows, columns = np.mgrid[: view.height, : view.width]
    inside = frame.index == 2
    for grid in (rows, columns):
        in_photo = (covered * grid)[covered > 0.2].sum() / covered[covered > 0.2].sum()
        assert in_photo == pytest.approx(grid[inside].mean(), abs=0.25)


def test_depth_of_field_blurs_by_the_entrance_pupil(
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
    table: Part,
) -> None:
    """A thing at distance d in a view focused at f is smeared over a disc of pupil * focal * |d - f| / (d * f)."""
    spot = Part("spot", box(6.0, 6.0, 0.5), (Material("paper", (0.0, 0.0, 0.0), 1.0),), pose(0.0, 0.0, 0.0))
    view = camera((0.0, -0.01, 400.0), (160, 120), fov=25.0, aperture_mm=12.0, focus_mm=250.0)
    blurred = blender.render(scene((table, spot), view), samples=64, scale=1.0, threads=1).image[..., 1]
    dark = 1.0 - blurred / np.median(blurred)
    disc = 12.0 * view.matrix[0, 0] * (400.0 - 250.0) / (400.0 * 250.0)
    side = 6.0 * view.matrix[0, 0] / 399.5
    near = slice(68, 92)  # beyond it there is only noise
    columns = np.arange(view.width)[near]
    profile = dark[48:72].sum(axis=0)[near]
    spread = np.sqrt((profile * (columns - 79.5) ** 2).sum() / profile.sum())
    assert spread == pytest.approx(np.sqrt(disc**2 / 16 + side**2 / 12), rel=0.15)
