"""What light does in a material: the few formulas that both back ends must agree on."""

from __future__ import annotations

import numpy as np

from vision.synth.scene import Array, Material, Rgb

# Wall at which tinted plastic of density 1 shows exactly its colour: two walls of a pyramid.
TINT_MM = 3.0
# Acrylic and polystyrene, from which pyramids and Blokus pieces are cast.
PLASTIC_INDEX = 1.49


def linear(colour: Rgb | Array) -> Array:
    """sRGB from 0 to 1 as linear light."""
    value = np.asarray(colour, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0.04045) + 0.055) / 1.055) ** 2.4)


def absorption(material: Material) -> Array:
    """How much light a millimetre of translucent plastic takes, for each channel: light falls as exp(-this * mm)."""
    return np.asarray(-np.log(np.clip(linear(material.colour), 0.004, 0.995)) * material.density / TINT_MM)


def transmittance(material: Material, mm: float | Array) -> Array:
    """The share of light left after that many millimetres of translucent plastic, (..., 3)."""
    return np.asarray(np.exp(-absorption(material) * np.asarray(mm, dtype=np.float64)[..., None]))
