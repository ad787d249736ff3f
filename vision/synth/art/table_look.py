"""What all makers of table tops share: the result type and the last steps to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.synth.art.noise import Field
from vision.synth.scene import Material, MaterialKind, Picture, Rgb

SIDE: Final = 1024
SHAPE: Final = (SIDE, SIDE)


@dataclass(frozen=True, slots=True)
class TableLook:
    """A table's surface; its texture repeats seamlessly every ``repeat_mm``."""

    material: Material
    repeat_mm: float


def look(
    picture: Picture,
    kind: MaterialKind,
    roughness: float,
    repeat_mm: float,
    bump: Picture | None = None,
    bump_mm: float = 0.0,
) -> TableLook:
    """Wraps a texture into a table top."""
    mean = cv2.mean(picture)
    colour = (mean[0] / 255, mean[1] / 255, mean[2] / 255)
    return TableLook(Material(kind, colour, roughness, texture=picture, bump=bump, bump_mm=bump_mm), repeat_mm)


def gradient(*colours: Rgb) -> Picture:
    """A table of 256 colours that runs evenly through the given ones."""
    stops = np.asarray(colours, np.float32)
    at = np.linspace(0, len(colours) - 1, 256)
    channels = [np.interp(at, np.arange(len(colours)), stops[:, c]) for c in range(3)]
    return np.clip(np.stack(channels, 1) * 255 + 0.5, 0, 255).astype(np.uint8)


def levels(field: Field, low: float = 0.0, high: float = 1.0) -> Picture:
    """The field as 8-bit grey, ``low`` black and ``high`` white."""
    scale = 255 / (high - low)
    return as_picture(cv2.convertScaleAbs(np.clip(field, low, high) - np.float32(low), alpha=scale))


def as_picture(array: object) -> Picture:
    """OpenCV's answer, known to be an 8-bit picture."""
    return np.asarray(array, np.uint8)


def shaded(picture: Picture, factor: Field) -> Picture:
    """The texture made lighter and darker by a grey factor."""
    return as_picture(cv2.multiply(picture, cv2.merge([factor] * 3), dtype=cv2.CV_8U))


def random_tone(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Rgb:
    """A colour of any hue within limits of saturation and value."""
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(*saturation), rng.uniform(*value)]]], np.float32)
    red, green, blue = (float(c) for c in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue
