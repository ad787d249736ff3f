"""The colours of a set from a photo of its printed sheet, measured against the sheet's own white and greys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration import set_sheet
from calibration.colour_measures import Array, Seen, disc, one_colour, to_linear, to_srgb, two_colours
from calibration.set_profile import SetColours
from calibration.set_sheet import SHEETS, Kind, Place, SetSheet
from calibration.sheets import set_markers
from engine.errors import Unreadable

Picture = npt.NDArray[np.uint8]

PIXELS_PER_MM: Final = 4
# Paper around the area that is looked at too, for the white spots.
MARGIN_MM: Final = 8.0
LEAST_MARKERS: Final = 3
# Paper reflects this much of the light; white plastic can be brighter than paper.
PAPER_WHITE: Final = 0.9
# Printed grey levels must be at least this far apart in the photo, or it shows no tones to measure by.
LEAST_STEP: Final = 0.05
# Paper above this value (of 255) has lost its tones to the light.
TOO_BRIGHT: Final = 252
# The dots of an empty place are as alike as this to the printed ones, and its paper is as white as this.
DOTS_ALIKE: Final = 0.5
EMPTY_WHITE: Final = 0.8
# Of these pieces the ground and the print on it count; the others have one colour.
PRINTED: Final = ("tile", "dome", "board")
# The part of a place's square that is surely the upright piece, whatever way it leans in the photo.
INNER: Final = 0.6


def read_set_sheet(pixels: Picture) -> SetColours:
    """The colours of all pieces on a photo of a piece-set sheet (RGB)."""
    found = _markers(pixels)
    sheet = _which(found)
    picture = _rectified(pixels, found, sheet)
    flat = _without_light(picture)
    seen: dict[tuple[Kind, str], Seen] = {}
    for place in sheet.places:
        square = _square(flat, place.x, place.y, place.size)
        if _is_empty(square, place):
            continue
        if place.kind in PRINTED:
            seen[place.kind, place.colour] = two_colours(disc(square) if place.round else square)
        else:
            seen[place.kind, place.colour] = one_colour(_square(flat, place.x, place.y, INNER * place.size))
    if not seen:
        raise Unreadable("the sheet is empty; lay a piece on each place that your set has.")
    return SetColours(sheet.game, seen)


def _markers(pixels: Picture) -> dict[int, Array]:
    """The corners of every marker of a piece-set sheet in the photo, by its number."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    corners, numbers, _ = cv2.aruco.ArucoDetector(set_markers()).detectMarkers(grey)
    known = {number for sheet in SHEETS.values() for number in sheet.markers}
    # Without any marker OpenCV gives no numbers at all.
    found = zip(_whole_numbers(numbers), corners, strict=True)
    return {number: np.asarray(quad, dtype=np.float64).reshape(4, 2) for number, quad in found if number in known}


def _whole_numbers(values: Any) -> list[int]:
    return [] if values is None else [int(value) for value in np.ravel(values)]


def _which(found: Mapping[int, Array]) -> SetSheet:
    """The one sheet whose markers were found."""
    counts = {sheet.game: len(set(sheet.markers) & set(found)) for sheet in SHEETS.values()}
    present = [game for game, count in counts.items() if count]
    if not present:
        raise Unreadable(
            "no piece-set sheet was found; print it (cityscan calibrate sheet, or My set in the app) and photograph "
            "all of it."
        )
    if len(present) > 1:
        raise Unreadable(f"more than one sheet is in the photo ({', '.join(present)}); photograph one at a time.")
    if counts[present[0]] < LEAST_MARKERS:
        raise Unreadable("fewer than three of the sheet's corner markers can be seen; keep them free and in the photo.")
    return SHEETS[present[0]]


def _rectified(pixels: Picture, found: Mapping[int, Array], sheet: SetSheet) -> Picture:
    """The sheet from straight above, with a margin around its area."""
    side = set_sheet.MARKER_MM
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64)
    pairs = zip(sheet.markers, set_sheet.MARKER_CORNERS, strict=True)
    visible = [(number, corners + np.array(at)) for number, at in pairs if number in found]
    on_sheet = np.concatenate([quad for _, quad in visible])
    in_photo = np.concatenate([found[number] for number, _ in visible])
    # The centre of a picture's pixel lies half a pixel inside of its edge.
    homography, _ = cv2.findHomography((on_sheet + MARGIN_MM) * PIXELS_PER_MM - 0.5, in_photo)
    width, height = (round((length + 2 * MARGIN_MM) * PIXELS_PER_MM) for length in set_sheet.AREA_MM)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(pixels, homography, (width, height), flags=how), dtype=np.uint8)


def _square(picture: Array, x: float, y: float, side: float) -> Array:
    left, top, right, bottom = (
        round((value + MARGIN_MM) * PIXELS_PER_MM) for value in (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
    )
    return picture[top:bottom, left:right]


def _without_light(picture: Picture) -> Array:
    """The sheet as plain daylight would show it, as sRGB from 0 to 1: the light's colour and fall-off come from the
    bare paper around, the camera's tones from the printed greys."""
    values = picture.astype(np.float64)
    if np.median([np.median(_square(values, x, y, 3.0)) for x, y in set_sheet.whites()]) > TOO_BRIGHT:
        raise Unreadable(
            "the paper is too bright in the photo to measure by; darken it a little, and avoid direct sun."
        )
    light = to_linear(values / 255)
    even = light / _light_field(light)
    tones = to_srgb(even)
    levels = np.array(
        [
            np.mean([_usual(_square(tones, x, y, 6.0)) for grey, x, y in set_sheet.patches() if grey == wanted], axis=0)
            for wanted in set_sheet.GREYS
        ]
        + [np.ones(3)]
    )
    if np.diff(levels, axis=0).min() < LEAST_STEP:
        raise Unreadable("the printed greys cannot be told apart; photograph the sheet in even light, without glare.")
    white = float(to_srgb(np.array(PAPER_WHITE)))
    true = np.array([*(grey * white for grey in set_sheet.GREYS), white])
    return np.stack([np.interp(tones[..., c], levels[:, c], true) for c in range(3)], axis=-1)


def _light_field(light: Array) -> Array:
    """How bright bare paper is everywhere on the sheet, from the spots around; a spot in a shadow is left out."""
    spots = np.array(set_sheet.whites())
    values = np.array([_usual(_square(light, x, y, 3.0)) for x, y in spots])
    height, width = light.shape[:2]
    down, across = np.mgrid[0:height, 0:width] / PIXELS_PER_MM - MARGIN_MM

    def terms(x: Array, y: Array) -> Array:
        x, y = x / set_sheet.AREA_MM[0] - 0.5, y / set_sheet.AREA_MM[1] - 0.5
        return np.stack([np.ones_like(x), x, y, x * y], axis=-1)

    known, logs = terms(*spots.T), np.log(np.maximum(values, 1e-4))
    good = np.ones(len(spots), dtype=bool)
    for _ in range(3):
        fit, *_ = np.linalg.lstsq(known[good], logs[good], rcond=None)
        off = (logs - known @ fit).mean(axis=1)
        good = off > -max(0.05, 2.5 * float(np.median(np.abs(off))))
    return np.asarray(np.exp(terms(across, down) @ fit))


def _usual(patch: Array) -> Array:
    return np.asarray(np.median(patch.reshape(-1, 3), axis=0))


def _is_empty(square: Array, place: Place) -> bool:
    """Whether the printed dots of a place can be seen on white paper: nothing lies on them."""
    if float(np.median(square.min(axis=2))) < EMPTY_WHITE:
        return False
    grey = square.mean(axis=2).astype(np.float32)
    dots = np.ones_like(grey)
    reach = set_sheet.DOT_MM / 2
    for x, y in place.dots():
        left, top, right, bottom = (
            max(0, round((value + place.size / 2) * PIXELS_PER_MM))
            for value in (x - place.x - reach, y - place.y - reach, x - place.x + reach, y - place.y + reach)
        )
        dots[top:bottom, left:right] = 0
    # Paper is never quite flat: the dots may lie a millimetre off.
    inside = dots[PIXELS_PER_MM:-PIXELS_PER_MM, PIXELS_PER_MM:-PIXELS_PER_MM]
    return bool(cv2.matchTemplate(grey, inside, cv2.TM_CCOEFF_NORMED).max() > DOTS_ALIKE)
