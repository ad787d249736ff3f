"""What printed things have in common: the ground they are printed on, their wear, and their material.

Grounds and wear are cut from stocks that are made once for a process from fixed seeds: a table full of tiles
costs a few milliseconds, and still depends on nothing but the caller's generator.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from calibration.sets import Rgb
from vision.synth.art.noise import Field, fractal, grain, smooth
from vision.synth.art.table_look import as_picture
from vision.synth.art.wood import varied, veneer
from vision.synth.scene import Material, MaterialKind, Picture

_KINDS: Final[dict[str, MaterialKind]] = {
    "card": "paper",
    "paper": "paper",
    "wood": "wood",
    "plastic": "plastic",
    "vinyl": "plastic",
    "metal": "metal",
    "marble": "stone",
    "glass": "plastic",
}
_STOCK_PIXELS: Final = 512
_STOCK_VARIANTS: Final = 2
_WEAR_PIXELS: Final = 384
_WEAR_VARIANTS: Final = 8


def surface_material(material: str, gloss: float, texture: Picture | None, colour: Rgb) -> Material:
    """A surface of the named stuff; ``gloss`` runs from 0 (matt) to 1 (polished)."""
    roughness = float(np.interp(gloss, [0, 0.5, 1], [0.85, 0.4, 0.07]))
    return Material(_KINDS[material], colour, roughness=roughness, texture=texture)


def body_colour(material: str, colour: Rgb) -> Rgb:
    """What shows at a cut edge: grey board inside card, end grain (darker) inside wood, plastic all through."""
    if material in ("card", "paper"):
        return (0.62, 0.58, 0.52)
    if material == "wood":
        return (colour[0] * 0.74, colour[1] * 0.64, colour[2] * 0.5)
    return colour


def ground(kind: str, colour: Rgb, shape: tuple[int, int], rng: np.random.Generator, scale: float = 2.2) -> Picture:
    """A blank: plain, wood, inverted (paint), inverted-wood (stained), speckled, marble or glass.

    ``scale`` enlarges the grain of wood. Stocks are seamless, so a blank may be larger than its stock.
    """
    stock = _stock(kind, colour, scale, int(rng.integers(_STOCK_VARIANTS)))
    repeats = [-(-side // _STOCK_PIXELS) for side in shape]
    sheet = stock if max(repeats) == 1 else np.tile(stock, (*repeats, 1))
    top, left = (int(rng.integers(0, sheet.shape[axis] - shape[axis] + 1)) for axis in (0, 1))
    flip = int(rng.integers(3))
    blank = cv2.flip(sheet[top : top + shape[0], left : left + shape[1]], flip - 1)
    spread = 0.035 if "wood" in kind else 0.01
    return as_picture(cv2.convertScaleAbs(blank, alpha=1 + float(rng.normal(0, spread))))


@lru_cache(maxsize=96)
def _stock(kind: str, colour: Rgb, scale: float, variant: int) -> Picture:
    """A seamless sheet of the ground to cut blanks from."""
    rng = np.random.default_rng((len(kind), variant, *(round(c * 255) for c in colour)))
    shape = (_STOCK_PIXELS, _STOCK_PIXELS)
    if kind in ("wood", "inverted-wood"):
        light = varied(rng, colour, 0.03)
        depth = 0.72 if kind == "wood" else 0.8
        dark = (light[0] * (depth + 0.06), light[1] * depth, light[2] * (depth - 0.1))
        return as_picture(veneer(rng, shape, light, dark, scale * float(rng.uniform(0.8, 1.2))))
    factor = 1 + np.float32(0.007) * smooth(rng, (5, 5), shape) + np.float32(0.012) * grain(rng, shape)
    if kind == "speckled":
        specks = smooth(rng, (shape[0] // 4, shape[1] // 4), shape)
        factor *= np.where(specks > 0.62, np.float32(0.72), np.where(specks < -0.66, np.float32(1.06), np.float32(1)))
    elif kind == "marble":
        veins = 1 - np.abs(fractal(rng, (3, 3), shape, 5, 0.6))
        strength = 0.9 if sum(colour) > 1.5 else -1.2
        factor -= np.float32(strength) * np.clip(veins - np.float32(0.75), 0, 1)
        factor += np.float32(0.06) * fractal(rng, (2, 2), shape, 2)
    elif kind == "glass":
        factor = 1 + np.float32(0.04) * smooth(rng, (2, 2), shape)
    return as_picture(cv2.merge([cv2.convertScaleAbs(factor, alpha=255 * c) for c in colour]))


def worn(picture: Picture, wear: float, rng: np.random.Generator, edge: float = 1.0) -> Picture:
    """The picture after years of play: rubbed edges, scratches, dirt. ``edge`` scales the rubbed border's width."""
    if wear <= 0:
        return picture
    kept, added = _wear(round(wear * 20), round(edge * 20), int(rng.integers(_WEAR_VARIANTS)))
    flip = int(rng.integers(3)) - 1
    size = (picture.shape[1], picture.shape[0])
    layers = (cv2.resize(cv2.flip(layer, flip), size, interpolation=cv2.INTER_LINEAR) for layer in (kept, added))
    factor, extra = layers
    return as_picture(cv2.add(cv2.multiply(picture, factor, scale=1 / 255), extra))


@lru_cache(maxsize=160)
def _wear(twentieths: int, edge_twentieths: int, variant: int) -> tuple[Picture, Picture]:
    """What share of a print is kept (255 = all) and what is added to it, in three equal channels."""
    rng = np.random.default_rng((77, variant))
    wear, shape = twentieths / 20, (_WEAR_PIXELS, _WEAR_PIXELS)
    kept = 1 - np.float32(wear * 0.10) * np.clip(fractal(rng, (3, 3), shape, 3), 0, 1)
    ragged = _edge_distance(shape) + np.float32(0.02 * edge_twentieths / 20) * smooth(rng, (24, 24), shape)
    reach = (0.012 + 0.03 * wear) * edge_twentieths / 20
    rubbed = np.clip(1 - ragged / np.float32(reach), 0, 1) * np.float32(min(0.6, 0.84 * wear))
    scratched = _scratches(shape, wear, rng) * np.float32(0.35)
    added = rubbed * np.float32(rng.choice([0.78, 0.6, 0.35])) + scratched * np.float32(rng.choice([0.9, 0.25]))
    kept *= (1 - rubbed) * (1 - scratched)
    layers = (cv2.convertScaleAbs(layer, alpha=255) for layer in (kept, added))
    first, second = (as_picture(cv2.merge([layer] * 3)) for layer in layers)
    return first, second


def _edge_distance(shape: tuple[int, int]) -> Field:
    """How far each pixel is from the nearest edge, in shares of the side."""
    y = np.minimum(np.arange(shape[0]), np.arange(shape[0])[::-1]) / shape[0]
    x = np.minimum(np.arange(shape[1]), np.arange(shape[1])[::-1]) / shape[1]
    return np.minimum(y[:, None], x[None]).astype(np.float32)


def _scratches(shape: tuple[int, int], wear: float, rng: np.random.Generator) -> Field:
    """A few fine lines, from 0 to 1."""
    high, wide = shape
    lines = np.zeros(shape, np.uint8)
    for _ in range(rng.poisson(6 * wear)):
        start = rng.random(2) * (wide, high)
        angle, length = rng.uniform(0, np.pi), rng.uniform(0.05, 0.5) * wide
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
        tone = int(rng.integers(60, 200))
        cv2.line(lines, start.astype(int).tolist(), end.astype(int).tolist(), tone, 1, cv2.LINE_AA)
    return np.asarray(lines, np.float32) / np.float32(255)
