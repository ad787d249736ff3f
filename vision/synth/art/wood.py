"""Wood: growth rings cut lengthwise, fibres and pores, for tables, boards, tiles and coins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.art.noise import Field, enlarge, smooth, streaks
from vision.synth.scene import Rgb

Lut = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Species:
    """A kind of wood: its colours from early to late wood and how lively the grain is."""

    light: Rgb
    dark: Rgb
    rings: tuple[int, int]  # how many rings cross a plank
    contrast: float
    fibre: float
    pores: float


SPECIES: Final = {
    "oak": Species((0.78, 0.63, 0.45), (0.50, 0.36, 0.22), (10, 24), 0.55, 0.5, 0.7),
    "pine": Species((0.90, 0.77, 0.56), (0.70, 0.48, 0.27), (12, 26), 0.75, 0.4, 0.15),
    "walnut": Species((0.50, 0.34, 0.22), (0.22, 0.14, 0.09), (8, 22), 0.7, 0.45, 0.4),
    "beech": Species((0.86, 0.72, 0.55), (0.72, 0.55, 0.38), (6, 16), 0.35, 0.35, 0.6),
    "maple": Species((0.91, 0.83, 0.69), (0.79, 0.67, 0.50), (6, 14), 0.35, 0.3, 0.1),
    "cherry": Species((0.68, 0.45, 0.30), (0.46, 0.26, 0.16), (5, 12), 0.5, 0.35, 0.2),
    "teak": Species((0.66, 0.44, 0.25), (0.40, 0.23, 0.11), (7, 15), 0.6, 0.5, 0.5),
    "bamboo": Species((0.88, 0.75, 0.50), (0.72, 0.55, 0.30), (3, 6), 0.25, 0.7, 0.3),
}


def ring_field(rng: np.random.Generator, shape: tuple[int, int], rings: float, wave: float) -> Field:
    """Growth rings from 0 (early wood) to 1 (late wood), running along x. Tileable when ``rings`` is whole.

    A slow warp bends straight lines into the pointed arches and closed eyes of a flat-sawn plank.
    """
    small = (shape[0] // 2, shape[1] // 4)
    warp = smooth(rng, (int(rng.integers(2, 4)), int(rng.integers(1, 3))), small) * np.float32(wave)
    warp += smooth(rng, (7, 3), small) * np.float32(wave * 0.12)
    warp += smooth(rng, (40, 6), small) * np.float32(0.12)
    # Rings differ in width.
    widths = smooth(rng, (int(rings) + 2, 1), (small[0], 1)) * np.float32(0.8)
    phase = enlarge(warp + widths, shape)
    phase += np.linspace(0, rings, shape[0], endpoint=False, dtype=np.float32)[:, None]
    part = phase - np.floor(phase)
    late: Field = part * part
    # The late wood ends more abruptly than it begins.
    np.multiply(late, np.clip((1 - part) * np.float32(7), 0, 1), out=late)
    return late


def grain_field(rng: np.random.Generator, shape: tuple[int, int], species: Species, scale: float = 1.0) -> Field:
    """Wood along x from 0 (lightest) to 1 (darkest). ``scale`` above 1 enlarges the grain."""
    rings = max(1, round(float(rng.integers(*species.rings)) / scale))
    field = ring_field(rng, shape, rings, float(rng.uniform(0.4, 0.2 * rings + 0.6)))
    field *= np.float32(species.contrast)
    fibre = streaks(rng, shape, max(8, round(90 * scale)), max(1, round(1.5 * scale)))
    field += fibre * np.float32(0.22 * species.fibre)
    field += smooth(rng, (9, 2), shape) * np.float32(0.12)
    if species.pores:
        dashes = streaks(rng, shape, max(5, round(26 * scale)), max(1, round(scale)))
        field += np.clip(dashes - np.float32(0.35), 0, 1) * np.float32(0.75 * species.pores)
    field += np.float32(0.18)
    return field


def palette(light: Rgb, dark: Rgb, tint: Rgb = (1.0, 1.0, 1.0)) -> Lut:
    """A table from field values to colours; the middle tones are warmer than a straight mix."""
    t = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    mix = np.asarray(light, np.float32) * (1 - t) + np.asarray(dark, np.float32) * t
    mix = mix + np.array([0.02, 0.005, -0.012], np.float32) * (4 * t * (1 - t))
    return np.asarray(np.clip(mix * np.asarray(tint, np.float32) * 255, 0, 255), np.uint8)


def paint(field: Field, lut: Lut) -> npt.NDArray[np.uint8]:
    """Colours for a field from 0 to 1."""
    levels = cv2.convertScaleAbs(np.clip(field, 0, 1), alpha=255.0)
    picture = cv2.LUT(cv2.merge([levels, levels, levels]), lut[None])
    return np.asarray(picture, np.uint8)


def varied(rng: np.random.Generator, colour: Rgb, amount: float) -> Rgb:
    """The colour, a little lighter or darker, and very little warmer or colder."""
    gain = 1 + rng.normal(0, amount)
    shift = rng.normal(0, min(amount * 0.15, 0.008), 3)
    red, green, blue = (float(np.clip(c * gain + s, 0.01, 0.99)) for c, s in zip(colour, shift, strict=True))
    return red, green, blue


def veneer(
    rng: np.random.Generator, shape: tuple[int, int], light: Rgb, dark: Rgb, scale: float
) -> npt.NDArray[np.uint8]:
    """A small piece of plain wood in given colours, the grain along x."""
    species = Species(light, dark, (4, 10), 0.55, 0.4, 0.3)
    return paint(grain_field(rng, shape, species, scale), palette(light, dark))
