"""Colours in pictures: what a patch is made of, how far two colours are apart, and taking the light out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Two colours that are nearer than this (CIELAB) are one: wood grain and worn ink differ by as much.
ONE_COLOUR: Final = 14.0
# A second colour must fill this much of a patch; less is a speck, a glint or the edge of a neighbour.
LEAST_SHARE: Final = 0.03


@dataclass(frozen=True, slots=True)
class Seen:
    """The colours of one piece, sRGB from 0 to 1: the one that fills most of it, and a second one if it has one."""

    main: tuple[float, float, float]
    second: tuple[float, float, float] | None = None


def to_linear(srgb: Array) -> Array:
    """Light from sRGB values (0 to 1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0) + 0.055) / 1.055) ** 2.4)


def to_srgb(linear: Array) -> Array:
    """sRGB values from light."""
    light = np.clip(linear, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def to_lab(srgb: Array) -> Array:
    """CIELAB (white D65) of sRGB values (..., 3)."""
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_linear(srgb) @ matrix.T / matrix.sum(axis=1)
    root = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def distance(first: tuple[float, float, float] | Array, second: tuple[float, float, float] | Array) -> float:
    """How different two sRGB colours look (2 is just visible, 100 black and white)."""
    return float(np.linalg.norm(to_lab(np.asarray(first, float)) - to_lab(np.asarray(second, float))))


def one_colour(patch: Array) -> Seen:
    """The usual colour of sRGB pixels (..., 3): glints, shadows and pips are rarer than the piece itself."""
    return Seen(_tuple(np.median(patch.reshape(-1, 3), axis=0)))


def disc(patch: Array) -> Array:
    """The pixels (N, 3) of the disc that fits into a square patch."""
    height, width = patch.shape[:2]
    down, across = np.mgrid[0:height, 0:width]
    away = np.hypot((across + 0.5) / width - 0.5, (down + 0.5) / height - 0.5)
    return np.asarray(patch[away <= 0.5])


def two_colours(patch: Array) -> Seen:
    """The ground and the print of sRGB pixels (..., 3), or one colour where there is no print."""
    pixels = patch.reshape(-1, 3)
    lab = to_lab(pixels)
    middle = lab - lab.mean(axis=0)
    axis = np.linalg.svd(middle.T @ middle)[0][:, 0]
    along = middle @ axis
    upper = along > _threshold(along)
    share = float(upper.mean())
    if not LEAST_SHARE <= share <= 1 - LEAST_SHARE:
        return one_colour(pixels)
    many, few = (upper, ~upper) if share >= 0.5 else (~upper, upper)
    # Thin strokes are mixed with the ground in the photo: the half that differs most is nearest to the ink itself.
    away = np.abs(along - np.median(along[many]))
    inked = few & (away >= np.median(away[few]))
    ground, print_ = np.median(pixels[many], axis=0), np.median(pixels[inked], axis=0)
    if distance(ground, print_) < ONE_COLOUR:
        return one_colour(pixels)
    return Seen(_tuple(ground), _tuple(print_))


def _threshold(values: Array) -> float:
    """The value that parts the numbers into the two most different groups (Otsu's)."""
    counts, edges = np.histogram(values, bins=128)
    middles = (edges[1:] + edges[:-1]) / 2
    below = np.cumsum(counts)
    above = below[-1] - below
    sums = np.cumsum(counts * middles)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = sums / below - (sums[-1] - sums) / above
    between = np.nan_to_num(below * above * gap**2)
    # Between two clear groups every threshold parts alike; the middle one keeps the soft edges out of both.
    best = np.flatnonzero(between >= between.max() * (1 - 1e-9))
    return float(edges[1:][best].mean())


def _tuple(colour: Array) -> tuple[float, float, float]:
    red, green, blue = (float(channel) for channel in colour)
    return red, green, blue
