"""What the stages of all games share: the result, the table, and materials made from a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

import numpy as np

from calibration.profiles import Plastic, PyramidSet
from vision.synth.art import tables
from vision.synth.geometry import TOUCH_MM, standing
from vision.synth.meshes import flats, pyramids
from vision.synth.meshes.pyramids import PyramidSize
from vision.synth.scene import Array, Material, Part, Rgb


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """The table as it is laid, before anybody chooses a camera or light.

    ``patches`` are points on surfaces whose visible share the truth tells ("icon:A1", "rank:A1", "lot:C9",
    "square:B2"); ``surfaces`` names the part that each patch lies on: a point is visible where that part is seen.
    ``corners`` of the field of squares: north-west, north-east, south-east, south-west.
    """

    parts: tuple[Part, ...]
    corners: Array
    patches: Mapping[str, Array] = field(default_factory=dict)
    surfaces: Mapping[str, str] = field(default_factory=dict)
    # Width and depth of everything that belongs to the board, for clutter to keep clear of and cameras to frame.
    extent: tuple[float, float] = (0.0, 0.0)


def table_part(name: str, z: float, rng: np.random.Generator) -> Part:
    """The table top at a height, its pattern lying any way round."""
    look = tables.table(name, rng)
    offset = (float(rng.uniform()), float(rng.uniform()))
    mesh = flats.table(look.repeat_mm, offset)
    return Part("table", mesh, (look.material,), standing(0.0, 0.0, z, float(rng.uniform(0.0, 360.0))))


# --- materials --------------------------------------------------------------------------------


def mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    """The first colour with a share of the second one."""
    red, green, blue = (a + (b - a) * share for a, b in zip(first, second, strict=True))
    return red, green, blue


BLACK: Final = (0.02, 0.02, 0.02)
WHITE: Final = (0.96, 0.96, 0.95)

# For colours that lie on the table although the profile's set does not have them: somebody brought their own.
COMMON_PLASTIC: Final[Mapping[str, Plastic]] = {
    "red": Plastic((0.78, 0.07, 0.10)),
    "yellow": Plastic((0.95, 0.80, 0.10), density=0.6),
    "green": Plastic((0.05, 0.52, 0.20)),
    "blue": Plastic((0.08, 0.18, 0.70)),
    "orange": Plastic((0.93, 0.42, 0.06), density=0.65),
    "purple": Plastic((0.32, 0.12, 0.56)),
    "cyan": Plastic((0.12, 0.66, 0.74), density=0.55),
    "pink": Plastic((0.93, 0.42, 0.60), density=0.55),
    "white": Plastic((0.94, 0.93, 0.91), translucent=False, roughness=0.25),
    "black": Plastic((0.06, 0.06, 0.07), translucent=False, roughness=0.2),
    "grey": Plastic((0.50, 0.51, 0.53), translucent=False, roughness=0.25),
    "clear": Plastic((0.94, 0.96, 0.96), density=0.08),
}


def plastic_material(plastic: Plastic) -> Material:
    kind: Literal["translucent", "plastic"] = "translucent" if plastic.translucent else "plastic"
    return Material(kind, plastic.colour, roughness=plastic.roughness, density=plastic.density)


def luminance(colour: Rgb) -> float:
    return 0.21 * colour[0] + 0.72 * colour[1] + 0.07 * colour[2]


@lru_cache(maxsize=512)
def _pyramid_materials(plastic: Plastic, pips: str) -> tuple[Material, ...]:
    body = plastic_material(plastic)
    if pips == "printed":
        ink = BLACK if luminance(plastic.colour) > 0.35 else WHITE
        return body, Material("plastic", ink, roughness=0.4)
    # Moulded and drilled pips are dimples: the same plastic in its own shadow.
    shade = mixed(plastic.colour, BLACK, 0.65 if pips == "drilled" else 0.35)
    return body, Material("plastic", shade, roughness=min(1.0, plastic.roughness + 0.2))


def plastic_of(pyramid_set: PyramidSet | None, colour: str) -> Plastic:
    """The set's plastic of that colour, or a common one where the set has none."""
    own = pyramid_set.plastic if pyramid_set is not None else {}
    return own.get(colour, COMMON_PLASTIC[colour])


def size_of(pyramid_set: PyramidSet | None, pips: int) -> PyramidSize:
    return pyramids.sized(pips, pyramid_set.wall_mm if pyramid_set is not None else 1.5)


def pyramid_part(name: str, pyramid_set: PyramidSet | None, colour: str, size: PyramidSize, pose: Array) -> Part:
    """One pyramid of the set in its place."""
    pips = pyramid_set.pips if pyramid_set is not None else "moulded"
    mesh = pyramids.pyramid(size, with_pips=pips != "none")
    return Part(name, mesh, _pyramid_materials(plastic_of(pyramid_set, colour), pips), pose)


def lying_pyramid_pose(size: PyramidSize, x: float, y: float, z: float, turn: float) -> Array:
    """A lying pyramid whose tip points ``turn`` degrees counter-clockwise from the east."""
    # Its pips are on the face below as well, a little proud of it.
    return standing(x, y, z + 2 * TOUCH_MM, turn) @ pyramids.lying_pose(size)


# --- patches ----------------------------------------------------------------------------------


def patch_points(box: tuple[float, float, float, float], per_side: int) -> Array:
    """Points at z = 0 spread over a box (x0, y0, x1, y1), in the middle of equal cells."""
    steps = (np.arange(per_side) + 0.5) / per_side
    x, y = np.meshgrid(box[0] + steps * (box[2] - box[0]), box[1] + steps * (box[3] - box[1]))
    return np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)


def square_corners(half_width: float, half_depth: float, z: float = 0.0) -> Array:
    """North-west, north-east, south-east, south-west."""
    x, y = half_width, half_depth
    return np.array([(-x, y, z), (x, y, z), (x, -y, z), (-x, -y, z)])
