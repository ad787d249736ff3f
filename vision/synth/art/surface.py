"""What printed things have in common: the ground they are printed on, their wear, and their material."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.sets import Rgb
from vision.synth.art.draw import Canvas
from vision.synth.art.noise import fractal, grain, smooth
from vision.synth.art.wood import varied, veneer
from vision.synth.scene import Material, MaterialKind, Picture

_KINDS: dict[str, MaterialKind] = {
    "card": "paper",
    "paper": "paper",
    "wood": "wood",
    "plastic": "plastic",
    "vinyl": "plastic",
    "metal": "metal",
    "marble": "stone",
    "glass": "plastic",
}


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


def ground_canvas(ground: str, colour: Rgb, shape: tuple[int, int], rng: np.random.Generator) -> Canvas:
    """A blank of the ground: plain, wood, inverted (paint), inverted-wood (stained) or speckled."""
    if ground in ("wood", "inverted-wood"):
        light = varied(rng, colour, 0.05)
        depth = 0.72 if ground == "wood" else 0.8
        dark = (light[0] * (depth + 0.06), light[1] * depth, light[2] * (depth - 0.1))
        return veneer(rng, shape, light, dark, float(rng.uniform(1.6, 3.0)))
    tone = np.asarray(varied(rng, colour, 0.012), np.float32)
    canvas = np.empty((*shape, 3), np.float32)
    canvas[:] = tone
    canvas *= 1 + 0.02 * smooth(rng, (5, 5), shape)[..., None] + 0.012 * grain(rng, shape)[..., None]
    if ground == "speckled":
        specks = smooth(rng, (shape[0] // 4, shape[1] // 4), shape)
        canvas *= np.where(specks > 0.62, 0.72, np.where(specks < -0.66, 1.06, 1.0)).astype(np.float32)[..., None]
    return canvas


def worn(canvas: Canvas, wear: float, rng: np.random.Generator) -> Canvas:
    """The canvas after years of play: rubbed edges, scratches, dirt and ink that has come off."""
    if wear <= 0:
        return canvas
    shape = canvas.shape[:2]
    result = canvas * (1 - wear * 0.10 * np.clip(fractal(rng, (3, 3), shape, 3), 0, 1))[..., None]
    edge = _edge_distance(shape)
    ragged = edge + 0.02 * smooth(rng, (24, 24), shape)
    rubbed = np.clip(1 - ragged / (0.012 + 0.03 * wear), 0, 1) * np.float32(min(1.0, 1.4 * wear))
    tone = np.float32(rng.choice([0.78, 0.6, 0.35]))
    result += (tone - result) * (rubbed * np.float32(0.6))[..., None]
    _scratch(result, wear, rng)
    return result


def _edge_distance(shape: tuple[int, int]) -> Canvas:
    """How far each pixel is from the nearest edge, in shares of the side."""
    y = np.minimum(np.arange(shape[0]), np.arange(shape[0])[::-1]) / shape[0]
    x = np.minimum(np.arange(shape[1]), np.arange(shape[1])[::-1]) / shape[1]
    return np.minimum(y[:, None], x[None]).astype(np.float32)


def _scratch(canvas: Canvas, wear: float, rng: np.random.Generator) -> None:
    """A few fine lines, lighter or darker than what they cross."""
    high, wide = canvas.shape[:2]
    lines = np.zeros((high, wide), np.uint8)
    for _ in range(rng.poisson(6 * wear)):
        start = rng.random(2) * (wide, high)
        angle, length = rng.uniform(0, np.pi), rng.uniform(0.05, 0.5) * wide
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(
            lines, start.astype(int).tolist(), end.astype(int).tolist(), int(rng.integers(60, 200)), 1, cv2.LINE_AA
        )
    tone = np.float32(rng.choice([0.9, 0.25]))
    canvas += (tone - canvas) * (lines.astype(np.float32) * np.float32(0.35 / 255))[..., None]
