"""What is wrong with a photo before anybody reads it: blurred, too dark, too bright, small, cut off, slanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.photo import Photo
from vision.pose import view_of

Array = npt.NDArray[np.float64]

# Sharpness is judged at this size, so that a photo of many pixels does not seem blurred for having them.
JUDGED_SIDE = 1024
# The sharpest tenth of the tiles that a photo is divided into: what is in focus, whatever the rest is.
TILES = 12
LEAST_SHARP = 40.0
LEAST_BRIGHT = 55.0
MOST_BURNT = 0.25
LEAST_PIXELS_A_CELL = 16.0
MOST_TILT = 55.0
# Corners this near to the edge of the photo (as a share of its longer side) may hide a piece of the board.
NEAR_THE_EDGE = 0.004
# Two neighbouring sides of an outline span at least this share of the square over the photo's longer side.
LEAST_TURN = 1e-4
# A picture that is smaller than this along its longer side is an icon, not a photo of a board.
LEAST_SIDE = 200
# The shades of a picture that shows anything differ by more than this.
LEAST_CONTRAST = 4.0
# To tell that, a pixel of every few is enough.
EVERY = 8


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that makes a photo hard to read, and what to do about it."""

    kind: str
    message: str


def photo_hints(photo: Photo) -> tuple[Hint, ...]:
    """What can be seen without knowing where the board is."""
    grey = _judged(photo.pixels)
    found = []
    bright = float(np.percentile(grey, 75))
    if bright < LEAST_BRIGHT:
        found.append(Hint("dark", "The photo is dark; turn on more light or take it nearer to a window."))
    if float((grey >= 250).mean()) > MOST_BURNT:
        found.append(Hint("bright", "Much of the photo is burnt out; avoid flash and direct sun."))
    # Contrast makes sharp edges stronger, so a dark photo is judged as if it had the usual brightness.
    if sharpness(grey) * (128.0 / max(bright, 16.0)) ** 2 < LEAST_SHARP:
        found.append(Hint("blurred", "The photo looks blurred; hold the phone still and tap the board to focus."))
    return tuple(found)


def outline_hints(photo: Photo, corners: Array, cells: tuple[int, int]) -> tuple[Hint, ...]:
    """What the place of the board tells; ``corners`` are in pixels of ``photo.pixels``."""
    height, width = photo.pixels.shape[:2]
    found = []
    if _reaches_the_edge(photo, corners):
        found.append(
            Hint("cut-off", "The board reaches the edge of the photo; take it with some table around the board.")
        )
    view = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), photo.focal_px)
    if view.tilt > MOST_TILT:
        found.append(
            Hint("slanted", f"The photo is slanted by {view.tilt:.0f} degrees; hold the phone more over the board.")
        )
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) / np.array([*cells, *cells])
    if float(sides.min()) < LEAST_PIXELS_A_CELL:
        found.append(Hint("small", "The board is small in the photo; go nearer."))
    return tuple(found)


def could_be_corners(corners: Array, photo: Photo) -> bool:
    """Whether four points (in pixels of ``photo.pixels``) can be a board's corners, clockwise, in or near the photo."""
    height, width = photo.pixels.shape[:2]
    size = np.array([width, height])
    if corners.shape != (4, 2) or not (np.abs(corners - size / 2) <= size).all():  # also where one is not a number
        return False
    # A clockwise outline without a dent turns right at every corner, and its sides are not all but in line.
    return bool((turning(corners) > LEAST_TURN * size.max() ** 2).all())


def turning(corners: Array) -> Array:
    """How the way around turns in every corner: positive where it is clockwise, as y grows downwards."""
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    return np.asarray(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])


def why_no_board(photo: Photo, suspected: Sequence[Array] = ()) -> str:
    """What to tell a person in whose photo no board was found: how to take a better one, and what is wrong with this.

    ``suspected`` are the outlines of what was taken for a board at first, in pixels of ``photo.pixels``.
    """
    cause = nothing_to_see(photo) or next((hint.message for hint in photo_hints(photo)), "")
    if not cause and any(_reaches_the_edge(photo, quad) for quad in suspected):
        cause = "What may be a board reaches the edge of the photo."
    advice = "no board was found; take the photo from above, with the whole board and some table around it."
    return f"{advice} {cause}".rstrip()


def why_unreadable(photo: Photo, corners: Array, cells: tuple[int, int]) -> str:
    """What to tell a person whose board was found, but whose pieces could not be made out."""
    found = (*outline_hints(photo, corners, cells), *photo_hints(photo))
    told = found[0].message if found else "Take the photo from above, sharp and in even light."
    return f"what looks like a board could not be read. {told}"


def nothing_to_see(photo: Photo) -> str:
    """Why nothing at all can be seen, where that is so; else nothing. No network has to be asked about such a photo."""
    width, height = photo.full_size
    if max(width, height) < LEAST_SIDE:
        size = "1 pixel" if width == height == 1 else f"{width} x {height} pixels"
        return f"The picture has only {size}; hand in the photo itself and not a preview of it."
    grey = photo.pixels[::EVERY, ::EVERY].mean(axis=2)
    if float(grey.std()) < LEAST_CONTRAST:
        if grey.mean() > 170:
            return "The picture is bright all over and shows nothing; avoid flash and direct sun."
        shade = "dark" if grey.mean() < 85 else "grey"
        return f"The picture is {shade} all over and shows nothing; check that nothing covers the lens."
    return ""


def _reaches_the_edge(photo: Photo, corners: Array) -> bool:
    height, width = photo.pixels.shape[:2]
    beyond = np.maximum(-corners, corners - np.array([width - 1, height - 1]))
    return bool(beyond.max() > -NEAR_THE_EDGE * max(width, height))


def sharpness(grey: npt.NDArray[np.uint8]) -> float:
    """The variance of the Laplacian in the sharpest parts of a picture."""
    edges = cv2.Laplacian(grey, cv2.CV_64F)
    rows, columns = (max(1, side // TILES) for side in edges.shape)
    parts = [
        float(edges[y : y + rows, x : x + columns].var())
        for y in range(0, edges.shape[0] - rows + 1, rows)
        for x in range(0, edges.shape[1] - columns + 1, columns)
    ]
    return float(np.percentile(parts, 90))


def _judged(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    scale = JUDGED_SIDE / max(grey.shape)
    if scale >= 1:
        return grey
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
