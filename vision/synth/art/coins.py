"""Faces of coins: the suit in colour on one side, a black rank on the other."""

from __future__ import annotations

from typing import Final, Literal

import cv2
import numpy as np

from calibration.sets import CoinSet, Rgb, TileSet
from vision.synth.art.digits import sign
from vision.synth.art.draw import Canvas, Mask, ink, to_picture
from vision.synth.art.icons import icon
from vision.synth.art.surface import ground_canvas, worn
from vision.synth.scene import Picture

COIN_PIXELS: Final = 192
_BLACK: Final[Rgb] = (0.08, 0.08, 0.08)
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
    ground = guild if inverted else coins.ground_colour
    kind = "inverted-wood" if inverted and coins.material == "wood" else coins.ground
    canvas = ground_canvas(kind, ground, (COIN_PIXELS, COIN_PIXELS), rng)
    mask = _symbol(coins, tiles, colour, side, rank)
    if mask is not None:
        _stamp(canvas, mask, _ink_colour(coins, guild, side), coins, rng)
    _rim(canvas, coins, guild)
    return to_picture(worn(canvas, coins.wear, rng))


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


def _stamp(canvas: Canvas, mask: Mask, colour: Rgb, coins: CoinSet, rng: np.random.Generator) -> None:
    """Prints the symbol near the middle, engraved where the set has relief."""
    off = rng.normal(0, 0.012 * COIN_PIXELS, 2)
    left = round((COIN_PIXELS - mask.shape[1]) / 2 + float(off[0]))
    top = round((COIN_PIXELS - mask.shape[0]) / 2 + float(off[1]))
    ink(canvas, mask, colour, left, top, float(rng.uniform(0.88, 1.0)))
    if coins.relief_mm > 0:
        full = np.zeros(canvas.shape[:2], np.float32)
        full[top : top + mask.shape[0], left : left + mask.shape[1]] = mask
        soft = cv2.GaussianBlur(full, (0, 0), 2.0)
        slope = np.roll(soft, 2, (0, 1)) - np.roll(soft, -2, (0, 1))
        canvas += (slope * np.float32(0.5 * min(coins.relief_mm, 0.6)))[..., None]


def _rim(canvas: Canvas, coins: CoinSet, guild: Rgb) -> None:
    radius = COIN_PIXELS / 2
    y, x = np.mgrid[: canvas.shape[0], : canvas.shape[1]].astype(np.float32) - np.float32(radius - 0.5)
    far = np.hypot(x, y) / np.float32(radius)
    # Every coin's edge is rounded off a little.
    canvas *= (1 - 0.18 * np.clip((far - 0.93) / 0.07, 0, 1))[..., None]
    if coins.rim in ("groove", "raised"):
        at = np.exp(-(((far - 0.86) / 0.018) ** 2)) * (-0.22 if coins.rim == "groove" else 0.12)
        shadow = np.exp(-(((far - 0.82) / 0.014) ** 2)) * (0.06 if coins.rim == "groove" else -0.16)
        canvas *= (1 + at + shadow)[..., None]
    elif coins.rim in ("ring", "dark"):
        band = (
            np.clip((0.05 - np.abs(far - 0.88)) * 60, 0, 1) if coins.rim == "ring" else np.clip((far - 0.88) * 40, 0, 1)
        )
        colour = guild if coins.rim == "ring" and coins.ground != "inverted" else (0.2, 0.14, 0.09)
        ink(canvas, band.astype(np.float32), colour, 0, 0, 0.85)
