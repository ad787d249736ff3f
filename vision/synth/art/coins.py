"""Faces of coins: the suit in colour on one side, a black rank on the other."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from calibration.sets import CoinSet, Rgb, TileSet
from vision.synth.art.digits import sign
from vision.synth.art.draw import Mask, ink
from vision.synth.art.icons import icon
from vision.synth.art.surface import ground, worn
from vision.synth.art.table_look import as_picture
from vision.synth.scene import Picture

COIN_PIXELS: Final = 192
_BLACK: Final[Rgb] = (0.08, 0.08, 0.08)
_DARK_WOOD: Final[Rgb] = (0.2, 0.14, 0.09)
_WHITE: Final[Rgb] = (0.9, 0.9, 0.88)


def coin_face(
    coins: CoinSet,
    tiles: TileSet,
    colour: str,
    side: Literal["suit", "rank"],
    rank: int | None,
    rng: np.random.Generator,
) -> Picture:
    """One side of a coin as a square picture around its disc. Without a rank the rank side is blank."""
    guild = tiles.colours[colour]
    inverted = coins.ground == "inverted"
    field = guild if inverted else coins.ground_colour
    kind = "inverted-wood" if inverted and coins.material == "wood" else coins.ground
    face = ground(kind, field, (COIN_PIXELS, COIN_PIXELS), rng)
    mask = _symbol(coins, tiles, colour, side, rank)
    if mask is not None:
        _stamp(face, mask, _ink_colour(coins, guild, side), coins, rng)
    face = as_picture(cv2.multiply(face, _rim(coins.rim), scale=1 / 200))
    if coins.rim in ("ring", "dark"):
        ringed = coins.rim == "ring" and not inverted
        ink(face, _band(coins.rim), guild if ringed else _DARK_WOOD, 0, 0, 0.85)
    return worn(face, coins.wear, rng)


def _ink_colour(coins: CoinSet, guild: Rgb, side: str) -> Rgb:
    """The suit's colour or black; the ground's on inverted coins, and white where black could not be seen."""
    if coins.ground == "inverted":
        return coins.ground_colour
    if side == "suit":
        return guild
    return _BLACK if sum(coins.ground_colour) > 0.9 else _WHITE


def _symbol(coins: CoinSet, tiles: TileSet, colour: str, side: str, rank: int | None) -> Mask | None:
    size = round(coins.icon_size * COIN_PIXELS)
    if side == "suit":
        return icon(tiles.icons[colour], size)
    if not rank:
        return None
    return sign(tiles.digits, "A" if rank == 1 else str(rank), round(size * 0.8))


def _stamp(face: Picture, mask: Mask, colour: Rgb, coins: CoinSet, rng: np.random.Generator) -> None:
    """Prints the symbol near the middle, engraved where the set has relief."""
    off = rng.normal(0, 0.012 * COIN_PIXELS, 2)
    left = round((COIN_PIXELS - mask.shape[1]) / 2 + float(off[0]))
    top = round((COIN_PIXELS - mask.shape[0]) / 2 + float(off[1]))
    ink(face, mask, colour, left, top, float(rng.uniform(0.88, 1.0)))
    if coins.relief_mm > 0:
        soft = cv2.GaussianBlur(np.pad(mask, 4), (0, 0), 2.0)
        slope = np.roll(soft, 2, (0, 1)) - np.roll(soft, -2, (0, 1))
        depth = np.float32(0.6 * min(coins.relief_mm, 0.6))
        # Light falls in from the north-west, as drawn; the renderer's own light does the rest.
        ink(face, np.clip(-slope, 0, 1) * depth, (0.0, 0.0, 0.0), left - 4, top - 4)
        ink(face, np.clip(slope, 0, 1) * depth, (1.0, 1.0, 1.0), left - 4, top - 4)


def _distance() -> Mask:
    """How far each pixel is from the coin's middle; 1 is the edge."""
    at = (np.arange(COIN_PIXELS, dtype=np.float32) + np.float32(0.5)) / np.float32(COIN_PIXELS / 2) - 1
    return np.asarray(np.hypot(at[:, None], at[None]), np.float32)


@lru_cache(maxsize=8)
def _rim(style: str) -> Picture:
    """The brightness that the edge's shape gives (200 = unchanged), in three channels."""
    far = _distance()
    # Every coin's edge is rounded off a little.
    factor = 1 - 0.18 * np.clip((far - 0.93) / 0.07, 0, 1)
    if style in ("groove", "raised"):
        line, beside = (-0.22, 0.06) if style == "groove" else (0.12, -0.16)
        factor = factor * (
            1 + line * np.exp(-(((far - 0.86) / 0.018) ** 2)) + beside * np.exp(-(((far - 0.82) / 0.014) ** 2))
        )
    grey = cv2.convertScaleAbs(factor, alpha=200)
    return as_picture(cv2.merge([grey] * 3))


@lru_cache(maxsize=4)
def _band(style: str) -> Mask:
    """A printed ring, or a stained edge."""
    far = _distance()
    cover = np.clip((0.05 - np.abs(far - 0.88)) * 60, 0, 1) if style == "ring" else np.clip((far - 0.88) * 40, 0, 1)
    return np.asarray(cover, np.float32)
