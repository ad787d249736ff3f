"""A small workshop: plain solids, a camera over the table, and scenes put together from them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from vision.synth.scene import Camera, Lamp, Light, Material, Mesh, Part, Phone, Scene

WHITE = Material("paper", (1.0, 1.0, 1.0), roughness=1.0)
GREY = Material("paper", (0.7, 0.7, 0.7), roughness=1.0)
LAMP_ONLY = 1e-6  # strength of surroundings that give nothing to speak of


@dataclass(frozen=True)
class Workshop:
    """Builds what the tests look at. The camera stands ``away`` mm from the origin and looks at it."""

    environment: str = "overcast"

    def quad(self, low, high, z=0.0, uv=None) -> Mesh:
        (left, bottom), (right, top) = low, high
        vertices = np.array([[left, bottom, z], [right, bottom, z], [right, top, z], [left, top, z]], float)
        return Mesh(vertices, np.array([[0, 1, 2, 3]], np.int32), None if uv is None else np.array([uv], float))

    def box(self, width, depth, height) -> Mesh:
        x, y = width / 2, depth / 2
        ring = [(-x, -y), (x, -y), (x, y), (-x, y)]
        vertices = np.array([(*p, 0.0) for p in ring] + [(*p, height) for p in ring])
        faces = [[4, 5, 6, 7], [3, 2, 1, 0], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
        return Mesh(vertices, np.array(faces, np.int32))

    def pyramid(self, base, height) -> Mesh:
        half = base / 2
        vertices = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0], [0, 0, height]])
        faces = [[0, 1, 4, -1], [1, 2, 4, -1], [2, 3, 4, -1], [3, 0, 4, -1], [3, 2, 1, 0]]
        return Mesh(vertices, np.array(faces, np.int32))

    def shell(self, width, height, wall) -> Mesh:
        """A box with a cavity that is open below: walls and a roof of one thickness."""
        outer, inner = self.box(width, width, height), self.box(width - 2 * wall, width - 2 * wall, height - wall)
        faces = [f for f in outer.faces.tolist() if f != [3, 2, 1, 0]]
        faces += [[8 + i for i in reversed(f)] for f in inner.faces.tolist() if f != [3, 2, 1, 0]]
        faces += [[(k + 1) % 4, k, 8 + k, 8 + (k + 1) % 4] for k in range(4)]
        return Mesh(np.concatenate([outer.vertices, inner.vertices]), np.array(faces, np.int32))

    def part(self, name, mesh, material=GREY, at=(0.0, 0.0, 0.0)) -> Part:
        pose = np.eye(4)
        pose[:3, 3] = at
        materials = material if isinstance(material, tuple) else (material,)
        return Part(name, mesh, materials, pose)

    def table(self, material=WHITE, z=0.0) -> Part:
        return self.part("table", self.quad((-2000, -2000), (2000, 2000)), material, (0.0, 0.0, z))

    def camera(
        self, tilt=0.0, away=500.0, size=(320, 240), focal=400.0, lens=(0.0,) * 5, overscan=1.0, aperture=0.0
    ) -> Camera:
        lean = np.radians(tilt)
        forward = np.array([0.0, np.sin(lean), -np.cos(lean)])
        right = np.array([1.0, 0.0, 0.0])
        rotation = np.stack([right, np.cross(forward, right), forward])
        width, height = size
        matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
        eye = -forward * away
        return Camera(matrix, rotation, -rotation @ eye, np.array(lens, float), width, height, away, aperture, overscan)

    def light(self, *lamps: Lamp, around=LAMP_ONLY) -> Light:
        return Light(self.environment, around, 0.0, lamps)

    def lamp(self, x=-300.0, y=0.0, z=500.0, strength=1.0, size=10.0) -> Lamp:
        return Lamp("area", (x, y, z), (1.0, 1.0, 1.0), strength, size)

    def scene(self, *parts: Part, camera: Camera | None = None, light: Light | None = None) -> Scene:
        return Scene(
            parts, camera or self.camera(), light or self.light(around=1.0), Phone(), None, None, "sprawl", "test", 0
        )

    def pixel(self, camera: Camera, point) -> tuple[int, int]:
        """Row and column of a world point in the pinhole picture."""
        seen = camera.pinhole_matrix @ (camera.rotation @ np.asarray(point, float) + camera.translation)
        return round(seen[1] / seen[2]), round(seen[0] / seen[2])


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture(autouse=True)
def one_core():
    """Times and results are those of a single core."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)
