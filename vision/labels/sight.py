"""A labelled board as its photo shows it: from millimetres on and above the board to pixels.

The label's own camera is used where it has one that agrees with its corners (rendered photos do: it knows the lens);
otherwise the corners give the view, and heights rest on the pose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.labels.measures import Measures, measures_of
from vision.pose import view_of
from vision.synth.camera import project
from vision.synth.truth import camera_from_json
from vision.synth.turning import field_size

Array = npt.NDArray[np.float64]

# A stored camera counts if it sees the corners where the label says, up to this share of the photo's longer side.
CAMERA_AGREES_WITHIN: Final = 0.004


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """Where things on a board are seen.

    Points are millimetres: x to the east and y to the north from the board's middle, z up from its surface.
    """

    columns: int
    rows: int
    rows_from_north: bool
    measures: Measures
    scale: float  # pixels of the full photo for each of these
    pixels: Callable[[Array], Array]  # points (N, 3) to pixels (N, 2); (0, 0) is the centre of the top left pixel

    def point(self, column: float, row: float) -> Array:
        """A place on the board by columns from the west and rows from the south."""
        side = self.measures.cell_mm
        return np.array([(column - self.columns / 2) * side, (row - self.rows / 2) * side, 0.0])

    def middle(self, lot: str) -> Array:
        """The middle of a lot or square such as C9."""
        column, row = ord(lot[0]) - ord("A") + 0.5, int(lot[1:]) - 0.5
        return self.point(column, self.rows - row if self.rows_from_north else row)


def sight_of(
    truth: Mapping[str, Any], photo_size: tuple[int, int], focal: float | None = None, scale: float = 1.0
) -> Sight:
    """The sight of a label with usable corners.

    ``photo_size`` and ``focal`` (None: not known) are in pixels of the full photo, as the corners are; the sight's
    own pixels are ``scale`` times as wide.
    """
    columns, rows = field_size(truth)
    measures = measures_of(truth)
    corners = np.array(truth["corners"], dtype=np.float64)
    seen = _by_camera(truth, corners, photo_size, (columns, rows), measures.cell_mm)
    if seen is None:
        seen = _by_corners(corners, photo_size, (columns, rows), measures.cell_mm, focal)

    def pixels(points: Array) -> Array:
        return np.asarray((seen(np.asarray(points, dtype=np.float64)) + 0.5) / scale - 0.5)

    return Sight(columns, rows, truth["game"] == "city-blocks", measures, scale, pixels)


def _by_corners(
    corners: Array, photo_size: tuple[int, int], cells: tuple[int, int], cell_mm: float, focal: float | None
) -> Callable[[Array], Array]:
    size = cells[0] * cell_mm, cells[1] * cell_mm
    view = view_of(corners, size, photo_size, focal)

    def seen(points: Array) -> Array:
        # The view counts from the north-west corner, and to the south.
        return view.project(points * [1.0, -1.0, 1.0] + [size[0] / 2, size[1] / 2, 0.0])

    return seen


def _by_camera(
    truth: Mapping[str, Any], corners: Array, photo_size: tuple[int, int], cells: tuple[int, int], cell_mm: float
) -> Callable[[Array], Array] | None:
    """Through the label's own camera; None where it has none, or one that does not fit the photo and the corners."""
    try:
        camera = camera_from_json(truth["camera"])
        world = np.array(truth["world_corners"], dtype=np.float64).reshape(4, 3)
        apart = np.abs(project(camera, world) - corners).max()
    except (KeyError, TypeError, ValueError):
        return None
    if (camera.width, camera.height) != photo_size or apart > CAMERA_AGREES_WITHIN * max(photo_size):
        return None
    north_west, north_east, south_east, south_west = world
    half = np.array(cells) * cell_mm / 2

    def seen(points: Array) -> Array:
        # Hand-laid boards are not quite rectangles: everything lies between their own corners.
        u, v = ((points[:, :2] + half) / (2 * half)).T[:, :, None]
        south, north = (1 - u) * south_west + u * south_east, (1 - u) * north_west + u * north_east
        place = (1 - v) * south + v * north
        place[:, 2] += points[:, 2]
        return project(camera, place)

    return seen
