"""Small scenes made by hand, for the tests of the path-tracing back end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vision.synth.scene import Array, Camera, Light, Material, Mesh, Part, Phone, Scene


def _box(wide: float, deep: float, high: float) -> Mesh:
    """Standing on z = 0, the texture upon its top."""
    x, y = wide / 2, deep / 2
    ring = [[-x, -y], [x, -y], [x, y], [-x, y]]
    vertices = np.array([[*corner, z] for z in (0.0, high) for corner in ring])
    faces = np.array(
        [[4, 5, 6, 7], [3, 2, 1, 0], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]], dtype=np.int32
    )
    uv = np.tile(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), (6, 1, 1))
    return Mesh(vertices, faces, uv)


def _pose(x: float, y: float, z: float, turn: float = 0.0) -> Array:
    pose = np.eye(4)
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    pose[:2, :2] = [[cosine, -sine], [sine, cosine]]
    pose[:3, 3] = x, y, z
    return pose


def _camera(eye: tuple[float, float, float], size: tuple[int, int], fov: float = 30.0, **changes: Any) -> Camera:
    """Looks at the origin, north up."""
    forward = -np.array(eye) / np.linalg.norm(eye)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    wide, high = size
    focal = wide / 2 / np.tan(np.radians(fov / 2))
    values: dict[str, Any] = {
        "matrix": np.array([[focal, 0.0, (wide - 1) / 2], [0.0, focal, (high - 1) / 2], [0.0, 0.0, 1.0]]),
        "rotation": rotation,
        "translation": -rotation @ np.array(eye),
        "distortion": np.zeros(5),
        "width": wide,
        "height": high,
        "focus_mm": float(np.linalg.norm(eye)),
        "aperture_mm": 0.0,
    }
    return Camera(**{**values, **changes})


def _scene(parts: tuple[Part, ...], camera: Camera, light: Light | None = None) -> Scene:
    return Scene(parts, camera, light or Light("overcast", 1.0, 0.0), Phone(), None, None, "alien-city", "none", 7)


@pytest.fixture
def box() -> Callable[[float, float, float], Mesh]:
    return _box


@pytest.fixture
def pose() -> Callable[..., Array]:
    return _pose


@pytest.fixture
def camera() -> Callable[..., Camera]:
    return _camera


@pytest.fixture
def scene() -> Callable[..., Scene]:
    return _scene


@pytest.fixture
def table() -> Part:
    """A white table top, dull as chalk, at z = 0."""
    return Part("table", _box(4000.0, 4000.0, 10.0), (Material("paper", (1.0, 1.0, 1.0), 1.0),), _pose(0.0, 0.0, -10.0))
