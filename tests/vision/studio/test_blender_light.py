"""Light in Blender means what the scene says: strengths, directions, colours, and the way through plastic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.synth import blender, light
from vision.synth.optics import transmittance
from vision.synth.scene import Array, Camera, Lamp, Light, Material, Mesh, Part, Scene

pytestmark = pytest.mark.studio

WHITE = (1.0, 1.0, 1.0)
DARKNESS = ("overcast", 1e-6, 0.0)

LIGHTS = [
    # A room alone gives a table top 1 in luminance, in its own colour.
    Light("room-window", 1.0, 0.0),
    Light("kitchen-spots", 0.5, 77.0),
    # Lamps alone: strength counts the slant, whatever the distance and the size.
    Light(*DARKNESS, (Lamp("sun", (1.0, 0.0, 1.0), WHITE, 0.7, 1.0),)),
    Light(*DARKNESS, (Lamp("area", (300.0, 0.0, 500.0), (1.2, 1.0, 0.5), 0.7, 100.0),)),
    Light(*DARKNESS, (Lamp("area", (0.0, -900.0, 1500.0), WHITE, 0.4, 800.0),)),
    Light(*DARKNESS, (Lamp("point", (100.0, -100.0, 600.0), (1.0, 0.5, 1.0), 0.7, 8.0),)),
    # Together they add up.
    Light("overcast", 0.5, 10.0, (Lamp("sun", (0.0, 1.0, 2.0), WHITE, 0.5, 0.5),)),
]


@pytest.mark.parametrize("lighting", LIGHTS, ids=lambda lighting: f"{lighting.environment}+{len(lighting.lamps)}")
def test_white_table_has_the_radiance_of_the_irradiance(
    lighting: Light, camera: Callable[..., Camera], scene: Callable[..., Scene], table: Part
) -> None:
    view = camera((0.0, -0.01, 900.0), (48, 36), fov=8.0)
    frame = blender.render(scene((table,), view, lighting), samples=48, scale=1.0, threads=1)
    up = np.array([0.0, 0.0, 1.0])
    expected = lighting.environment_strength * light.irradiance(lighting.environment, up, lighting.turn)
    for lamp in lighting.lamps:
        expected = expected + light.lamp_irradiance(lamp, np.zeros(3), up)
    assert frame.image.mean(axis=(0, 1)) == pytest.approx(expected, rel=0.03, abs=0.01)


def test_mirror_shows_the_surroundings_where_the_fast_back_end_looks_them_up(
    box: Callable[..., Mesh], pose: Callable[..., Array], camera: Callable[..., Camera], scene: Callable[..., Scene]
) -> None:
    """A window has to be mirrored at the same spot by both back ends, also in a turned room."""
    mirror = Part("mirror", box(2000.0, 2000.0, 1.0), (Material("metal", WHITE, 0.02),), pose(0.0, 0.0, -1.0))
    view = camera((0.0, -300.0, 300.0), (160, 120), fov=70.0)
    rows, columns = np.mgrid[: view.height, : view.width]
    rays = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ np.linalg.inv(view.matrix).T @ view.rotation
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    for turn in (0.0, 105.0):
        frame = blender.render(scene((mirror,), view, Light("room-window", 1.0, turn)), samples=4, scale=1.0, threads=1)
        expected = light.reflection("room-window", rays * [1.0, 1.0, -1.0], 0.02, turn)
        alike = np.corrcoef(np.log(frame.image[..., 1].ravel()), np.log(expected[..., 1].ravel()))[0, 1]
        assert alike > 0.97


def test_shadow_of_translucent_plastic_has_its_colour(
    box: Callable[..., Mesh],
    pose: Callable[..., Array],
    camera: Callable[..., Camera],
    scene: Callable[..., Scene],
    table: Part,
) -> None:
    """Straight under a plate the table gets what the plate's thickness leaves of the light."""
    material = Material("translucent", (0.85, 0.2, 0.25), 0.02, 0.6)
    plate = Part("plate", box(120.0, 120.0, 3.0), (material,), pose(0.0, 0.0, 60.0))
    # The eye looks under the plate from the side, at the middle of its shadow.
    view = camera((0.0, -260.0, 60.0), (60, 30), fov=6.0)
    lighting = Light(*DARKNESS, (Lamp("sun", (0.0, 0.0, 1.0), WHITE, 1.0, 0.5),))
    frame = blender.render(scene((table, plate), view, lighting), samples=32, scale=1.0, threads=1)
    seen = np.median(frame.image.reshape(-1, 3), axis=0)
    assert seen == pytest.approx(transmittance(material, 3.0) * 0.94**2, rel=0.12, abs=0.03)
    assert seen[0] > 3 * seen[1]


def test_same_scene_gives_the_same_pixels(
    camera: Callable[..., Camera], scene: Callable[..., Scene], table: Part
) -> None:
    view = camera((50.0, -120.0, 300.0), (64, 48))
    lighting = Light("kitchen-spots", 0.6, 20.0, (Lamp("point", (100.0, 0.0, 400.0), WHITE, 0.4, 20.0),))
    first, second = (blender.render(scene((table,), view, lighting), samples=4, threads=1).image for _ in range(2))
    assert first.shape == (48, 64, 3)
    assert first.dtype == np.float32
    np.testing.assert_allclose(first, second, rtol=1e-4)
