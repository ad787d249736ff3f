"""The truth drawn into its photo, for people to check: corners, lattice, and what stands where.

Everything is drawn from the truth file's own numbers (stored camera, stored corners), so that an overlay that sits
right proves the file, not the program that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import cv2
import numpy as np

from vision.synth.camera import project
from vision.synth.scene import Array, Camera, Picture
from vision.synth.truth import camera_from_json
from vision.synth.turning import field_size

_CORNER_COLOURS: Final = ((255, 0, 0), (0, 200, 0), (0, 80, 255), (255, 200, 0))  # NW NE SE SW
_CORNER_NAMES: Final = ("NW", "NE", "SE", "SW")
_LINE: Final = (255, 0, 255)
_INK: Final = (255, 255, 255)
_HALO: Final = (0, 0, 0)


def draw_truth(photo: Picture, truth: Mapping[str, Any]) -> Picture:
    """A copy of the photo with its truth drawn in."""
    drawn: Picture = np.ascontiguousarray(photo.copy())
    if truth["game"] is None:
        _text(drawn, f"negative: {truth['negative']}", np.array([12.0, 24.0]), 0.6, centred=False)
        return drawn
    camera = camera_from_json(truth["camera"])
    field = _Field(truth)
    _lattice(drawn, camera, field)
    for name, (x, y), colour in zip(_CORNER_NAMES, truth["corners"], _CORNER_COLOURS, strict=True):
        cv2.circle(drawn, (round(x), round(y)), 5, colour, 2, cv2.LINE_AA)
        _text(drawn, name, np.array([x, y - 10]), 0.45)
    size = _text_size(camera, field)
    for place, label in _labels(truth, field):
        _text(drawn, label, project(camera, place[None])[0], size)
    _icons(drawn, camera, truth, field)
    caption = f"{truth['profile']} {truth['layout']} tilt {truth['tilt']:.0f}"
    _text(drawn, caption, np.array([8.0, drawn.shape[0] - 10.0]), 0.45, centred=False)
    return drawn


class _Field:
    """The field of lots in the world, between the truth's own corners."""

    def __init__(self, truth: Mapping[str, Any]) -> None:
        self.columns, self.rows = field_size(truth)
        self.corners: Array = np.array(truth["world_corners"], dtype=np.float64)
        self.from_north = truth["game"] == "city-blocks"

    def point(self, column: float, row: float) -> Array:
        """A place by columns from the west and rows from the south."""
        north_west, north_east, south_east, south_west = self.corners
        u, v = column / self.columns, row / self.rows
        south = (1 - u) * south_west + u * south_east
        north = (1 - u) * north_west + u * north_east
        return np.asarray((1 - v) * south + v * north)

    def lot(self, name: str) -> Array:
        """The middle of a lot."""
        column, row = ord(name[0]) - ord("A") + 0.5, int(name[1:]) - 0.5
        return self.point(column, self.rows - row if self.from_north else row)


def _lattice(drawn: Picture, camera: Camera, field: _Field) -> None:
    steps = np.linspace(0, 1, 9)
    lines = [[field.point(c, s * field.rows) for s in steps] for c in range(field.columns + 1)]
    lines += [[field.point(s * field.columns, r) for s in steps] for r in range(field.rows + 1)]
    for line in lines:
        pixels = np.round(project(camera, np.array(line)) * 8).astype(np.int32)
        cv2.polylines(drawn, [pixels.reshape(-1, 1, 2)], False, _LINE, 1, cv2.LINE_AA, 3)


def _labels(truth: Mapping[str, Any], field: _Field) -> Iterator[tuple[Array, str]]:
    """What stands where, in a few letters: R^w is a red tower with a white cap, gO a green dome."""
    if truth["game"] == "alien-city":
        for entry in truth["structures"]:
            cap = entry.get("claimed_by")
            sign = "^" if entry["kind"] == "tower" else "o"
            yield field.lot(entry["at"]), _short(entry["colour"]) + sign + (_short(cap).lower() if cap else "")
    elif truth["game"] == "city-blocks":
        for row, letters in enumerate(truth["grid"]):
            for column, letter in enumerate(letters):
                if letter != ".":
                    yield field.point(column + 0.5, field.rows - row - 0.5), letter
    else:
        for cell in truth["cells"]:
            if "stack" in cell:
                label = "".join(_short(piece[:-1]) + piece[-1] for piece in cell["stack"])
            else:
                label = _short(cell["lying"][:-1]) + cell["lying"][-1] + ">" + cell["points"][0].upper()
            yield field.lot(cell["at"]), label


def _short(colour: str) -> str:
    """Two letters where one would not tell (black and blue, green and grey, purple and pink, cyan and clear)."""
    unclear = {"black": "Bk", "blue": "Bu", "green": "Gn", "grey": "Gy", "purple": "Pu", "pink": "Pk", "clear": "Cl"}
    return unclear.get(colour, colour[0].upper())


def _icons(drawn: Picture, camera: Camera, truth: Mapping[str, Any], field: _Field) -> None:
    for tile in truth.get("tiles", ()):
        if tile["icon"] is None:
            continue
        x, y = project(camera, field.lot(tile["icon"])[None])[0]
        shown = truth["visible"].get(f"icon:{tile['at']}", 0.0)
        colour = (0, 255, 255) if shown > 0.3 else (120, 120, 120)
        cv2.circle(drawn, (round(x), round(y)), 7, colour, 1, cv2.LINE_AA)
        column, row = ord(tile["at"][0]) - ord("A") + 1, int(tile["at"][1:])
        rank = "-" if tile["rank"] is None else str(tile["rank"])
        _text(drawn, _short(tile["colour"]) + rank, project(camera, field.point(column, row)[None])[0], 0.35)


def _text_size(camera: Camera, field: _Field) -> float:
    ends = project(camera, np.array([field.point(0, 0), field.point(1, 0)]))
    return float(np.clip(np.linalg.norm(ends[0] - ends[1]) / 75, 0.25, 0.8))


def _text(drawn: Picture, text: str, at: Array, size: float, centred: bool = True) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = (at[0] - width / 2, at[1] + height / 2) if centred else (at[0], at[1])
    for colour, thickness in ((_HALO, 3), (_INK, 1)):
        cv2.putText(drawn, text, (round(x), round(y)), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thickness, cv2.LINE_AA)
