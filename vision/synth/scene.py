"""The scene description: everything that a back end needs to draw a photo, and nothing of how.

World coordinates are millimetres: x to the east, y to the north, z up, with the origin in the middle of the
board and z = 0 the surface that the pieces stand on (the top of tiles or squares). The table lies below it.
Both back ends draw the same meshes with the same materials, so truth is computed once, from the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]
Rgb = tuple[float, float, float]

MaterialKind = Literal["plastic", "translucent", "paper", "wood", "cloth", "stone", "metal", "skin"]


@dataclass(frozen=True, slots=True)
class Material:
    """A surface. Colours are sRGB from 0 to 1; ``texture`` (sRGB, H x W x 3 or 4) overrules ``colour`` where it has uv.

    ``translucent`` is clear plastic tinted by ``colour``: light comes through it, is coloured by it, and leaves
    a coloured shadow; ``density`` says how strongly (0 = window glass, 1 = saturated, opaque at about 3 mm).
    """

    kind: MaterialKind
    colour: Rgb
    roughness: float = 0.5
    density: float = 1.0
    texture: Picture | None = field(default=None, compare=False)
    # Grey picture of the same extent as the texture; 255 stands ``bump_mm`` above 0.
    bump: Picture | None = field(default=None, compare=False)
    bump_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Flat faces. ``faces`` are triangles or quads (-1 in the fourth place for triangles), counter-clockwise
    seen from outside. ``uv`` has one (u, v) for each corner of each face, v growing upwards, or is None.
    ``smooth`` asks for interpolated normals (round things)."""

    vertices: Array  # (N, 3) millimetres
    faces: npt.NDArray[np.int32]  # (F, 4)
    uv: Array | None = None  # (F, 4, 2)
    material: npt.NDArray[np.int32] | None = None  # (F,) index into Part.materials; None = all 0
    smooth: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One thing on the table.

    ``name`` says what it is in the truth: "table", "board", "tile:A1", "structure:C9", "cap:C9" (Alien City),
    "square:A1" (City Blocks pieces: "piece:blue:3"), "piece:C2:0" (Sprawl, bottom first), "clutter:...".
    ``pose`` is the 4 x 4 matrix from the mesh's own frame to the world. The part's place in ``Scene.parts``
    plus one is its number in the object-index pass; 0 is the background.
    """

    name: str
    mesh: Mesh
    materials: tuple[Material, ...]
    pose: Array


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole with OpenCV's lens model: x_image = K * distort(R x_world + t); y grows downwards, z away from the eye.

    The back ends draw the undistorted pinhole picture, ``overscan`` times as wide and high, so that the
    lens model has something to bend in at the edges.
    """

    matrix: Array  # K, 3 x 3, pixels of the final photo
    rotation: Array  # R, 3 x 3
    translation: Array  # t, (3,), millimetres
    distortion: Array  # k1 k2 p1 p2 k3
    width: int
    height: int
    focus_mm: float
    aperture_mm: float  # diameter of the entrance pupil; 0 = all in focus
    overscan: float = 1.0

    @property
    def position(self) -> Array:
        """Where the eye is in the world."""
        return -self.rotation.T @ self.translation

    @property
    def pinhole_size(self) -> tuple[int, int]:
        """Width and height of the undistorted picture that a back end draws."""
        return round(self.width * self.overscan), round(self.height * self.overscan)

    @property
    def pinhole_matrix(self) -> Array:
        """K of the undistorted picture: the same focal length, the centre moved by the overscan."""
        wide, high = self.pinhole_size
        matrix = self.matrix.copy()
        matrix[0, 2] += (wide - self.width) / 2
        matrix[1, 2] += (high - self.height) / 2
        return matrix


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light source in the room. ``size_mm`` makes its shadows soft; 0 is a point."""

    kind: Literal["sun", "area", "point"]
    position: tuple[float, float, float]  # for "sun": the direction it shines from
    colour: Rgb  # linear
    strength: float  # irradiance that it alone would give at the board's centre; 1 = well lit
    size_mm: float = 0.0  # for "sun": its angle in degrees


@dataclass(frozen=True, slots=True)
class Light:
    """All light of a scene: an environment around it and lamps in it.

    ``environment`` names a picture of the surroundings (``light.py`` draws the built-in ones, equirectangular,
    linear); ``turn`` rotates it about the vertical axis, degrees.
    """

    environment: str
    environment_strength: float
    turn: float
    lamps: tuple[Lamp, ...] = ()


@dataclass(frozen=True, slots=True)
class Phone:
    """What the phone does to the picture after the lens."""

    exposure: float = 0.0  # stops off the right exposure
    white_balance: Rgb = (1.0, 1.0, 1.0)  # linear gains that are wrong by that much
    contrast: float = 1.0
    saturation: float = 1.0
    defocus_px: float = 0.0  # blur all over, beside the depth of field
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0  # standard deviation at mid grey, in 8-bit steps
    denoise: float = 0.0  # smearing by the phone's noise filter, 0 to 1
    sharpen: float = 0.0
    vignette: float = 0.0
    jpeg_quality: int = 90


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A photo to be taken. ``state`` is the JSON of the position (None on a negative)."""

    parts: tuple[Part, ...]
    camera: Camera
    light: Light
    phone: Phone
    state: Mapping[str, Any] | None
    corners: Array | None  # (4, 3) world: NW, NE, SE, SW of the field of squares; None on a negative
    game: str
    profile: str
    seed: int
    # Patches whose visible share the truth tells although they are no part of their own:
    # name ("icon:A1", "rank:A1", "lot:C9") -> (K, 3) world points spread over the patch.
    patches: Mapping[str, Array] = field(default_factory=dict)
    # The name of the part that a patch lies on: its points are visible where that part is seen.
    surfaces: Mapping[str, str] = field(default_factory=dict)
    # On a negative, the outline (4, 3) of what might be taken for a board, where there is such a thing.
    decoy: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A back end's answer: linear RGB of the pinhole picture (1 = white paper in good light), and the
    object-index pass of the same picture where it was asked for."""

    image: npt.NDArray[np.float32]
    index: npt.NDArray[np.int32] | None = None
