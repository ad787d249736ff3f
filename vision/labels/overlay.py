"""The truth drawn into its photo, for people to check: corners, lattice, what stands where, and the pieces' outlines.

Everything is drawn from the label's own numbers, so that an overlay that sits right proves the label, not the program
that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import Unreadable
from vision.labels.boxes import boxes_of
from vision.labels.sight import Array, Sight, sight_of
from vision.photo import load_photo
from vision.synth.saving import Exif, jpeg, write_whole

Picture = npt.NDArray[np.uint8]

# What is added to a photo's name for its overlay; such pictures are never taken for photos.
OVERLAY: Final = ".overlay"
OVERLAY_QUALITY: Final = 88

_CORNER_COLOURS: Final = ((255, 0, 0), (0, 200, 0), (0, 80, 255), (255, 200, 0))  # NW NE SE SW
_CORNER_NAMES: Final = ("NW", "NE", "SE", "SW")
_LINE: Final = (255, 0, 255)
_OUTLINE: Final = (0, 255, 180)
_INK: Final = (255, 255, 255)
_HALO: Final = (0, 0, 0)
# Kinds whose outlines say no more than the lattice does.
_FLAT: Final = ("board", "tile", "square", "stack")
# Bits of sub-pixel precision that OpenCV draws with.
_FINE: Final = 3


def draw_truth(
    photo: Picture, truth: Mapping[str, Any], full_size: tuple[int, int] | None = None, focal: float | None = None
) -> Picture:
    """A copy of the photo with its truth drawn in. The corners must be usable.

    The truth speaks of a photo of ``full_size`` (width and height; None: the size of ``photo``), and so does ``focal``.
    """
    drawn: Picture = np.ascontiguousarray(photo.copy())
    if truth["game"] is None:
        _text(drawn, f"negative: {truth.get('negative', 'no board')}", np.array([12.0, 24.0]), 0.6, centred=False)
        return drawn
    height, width = photo.shape[:2]
    full_size = full_size or (width, height)
    scale = full_size[0] / width
    sight = sight_of(truth, full_size, focal, scale)
    _lattice(drawn, sight)
    _outlines(drawn, truth, sight)
    for name, corner, colour in zip(_CORNER_NAMES, truth["corners"], _CORNER_COLOURS, strict=True):
        x, y = (np.array(corner, dtype=np.float64) + 0.5) / scale - 0.5
        cv2.circle(drawn, (round(x), round(y)), 5, colour, 2, cv2.LINE_AA)
        _text(drawn, name, np.array([x, y - 10]), 0.45)
    size = _text_size(sight)
    for place, label in _labels(truth, sight):
        _text(drawn, label, sight.pixels(place[None])[0], size)
    _icons(drawn, truth, sight)
    _text(drawn, _caption(truth), np.array([8.0, height - 10.0]), 0.45, centred=False)
    return drawn


def write_overlay(photo: Path, truth: Mapping[str, Any], target: Path) -> None:
    """Draw the truth into the photo of a usable label, at a workable size."""
    loaded = load_photo(photo)
    drawn = draw_truth(loaded.pixels, truth, loaded.full_size, loaded.full_focal_px)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, jpeg(drawn, OVERLAY_QUALITY, Exif()))
    except OSError as error:
        raise Unreadable(f'"{target}" cannot be written ({error.strerror}); choose another folder.') from None


def _caption(truth: Mapping[str, Any]) -> str:
    tilt = truth.get("tilt")
    words = [truth["game"], truth.get("profile"), truth.get("layout"), None if tilt is None else f"tilt {tilt:.0f}"]
    return " ".join(str(word) for word in words if word)


def _lattice(drawn: Picture, sight: Sight) -> None:
    steps = np.linspace(0, 1, 9)
    lines = [[sight.point(c, s * sight.rows) for s in steps] for c in range(sight.columns + 1)]
    lines += [[sight.point(s * sight.columns, r) for s in steps] for r in range(sight.rows + 1)]
    for line in lines:
        _polyline(drawn, sight.pixels(np.array(line)), _LINE, closed=False)


def _outlines(drawn: Picture, truth: Mapping[str, Any], sight: Sight) -> None:
    height, width = drawn.shape[:2]
    for box in boxes_of(truth, sight, (width, height)):
        if box.category.split("-")[0] not in _FLAT:
            _polyline(drawn, box.outline - 0.5, _OUTLINE, closed=True)


def _labels(truth: Mapping[str, Any], sight: Sight) -> Iterator[tuple[Array, str]]:
    """What stands where, in a few letters: R^w is a red tower with a white cap, Gno a green dome."""
    if truth["game"] == "alien-city":
        for entry in truth["structures"]:
            cap = entry.get("claimed_by")
            sign = "^" if entry["kind"] == "tower" else "o"
            yield sight.middle(entry["at"]), _short(entry["colour"]) + sign + (_short(cap).lower() if cap else "")
    elif truth["game"] == "city-blocks":
        for row, letters in enumerate(truth["grid"]):
            for column, letter in enumerate(letters):
                if letter != ".":
                    yield sight.point(column + 0.5, sight.rows - row - 0.5), letter
    else:
        for cell in truth["cells"]:
            if "stack" in cell:
                label = "".join(_short(piece[:-1]) + piece[-1] for piece in cell["stack"])
            else:
                label = _short(cell["lying"][:-1]) + cell["lying"][-1] + ">" + cell["points"][0].upper()
            yield sight.middle(cell["at"]), label


def _short(colour: str) -> str:
    """Two letters where one would not tell (black and blue, green and grey, purple and pink, cyan and clear)."""
    unclear = {"black": "Bk", "blue": "Bu", "green": "Gn", "grey": "Gy", "purple": "Pu", "pink": "Pk", "clear": "Cl"}
    return unclear.get(colour, colour[0].upper())


def _icons(drawn: Picture, truth: Mapping[str, Any], sight: Sight) -> None:
    visible = truth.get("visible") or {}
    for tile in truth.get("tiles") or ():
        if tile.get("icon") is not None:
            x, y = sight.pixels(sight.middle(tile["icon"])[None])[0]
            shown = visible.get(f"icon:{tile['at']}", 1.0)
            colour = (0, 255, 255) if shown > 0.3 else (120, 120, 120)
            cv2.circle(drawn, (round(x), round(y)), 7, colour, 1, cv2.LINE_AA)
        column, row = ord(tile["at"][0]) - ord("A") + 1, int(tile["at"][1:])
        rank = "-" if tile.get("rank") is None else str(tile["rank"])
        guild = "?" if tile.get("colour") is None else _short(tile["colour"])
        _text(drawn, guild + rank, sight.pixels(sight.point(column, row)[None])[0], 0.35)


def _polyline(drawn: Picture, pixels: Array, colour: tuple[int, int, int], *, closed: bool) -> None:
    places = np.round(pixels * (1 << _FINE)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(drawn, [places], closed, colour, 1, cv2.LINE_AA, _FINE)


def _text_size(sight: Sight) -> float:
    ends = sight.pixels(np.array([sight.point(0, 0), sight.point(1, 0)]))
    return float(np.clip(np.linalg.norm(ends[0] - ends[1]) / 75, 0.25, 0.8))


def _text(drawn: Picture, text: str, at: Array, size: float, centred: bool = True) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = (at[0] - width / 2, at[1] + height / 2) if centred else (at[0], at[1])
    for colour, thickness in ((_HALO, 3), (_INK, 1)):
        cv2.putText(drawn, text, (round(x), round(y)), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thickness, cv2.LINE_AA)
