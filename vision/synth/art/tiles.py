"""Faces and backs of piecepack tiles: ground, frame, icon and rank, and what years of play did to them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from calibration.sets import Rgb, TileSet
from vision.synth.art.coins import coin_face
from vision.synth.art.digits import sign
from vision.synth.art.draw import Mask, coverage, fill, ink
from vision.synth.art.icons import icon
from vision.synth.art.surface import body_colour, ground, surface_material, worn
from vision.synth.scene import Material, Picture

__all__ = ["coin_face", "icon_box", "rank_box", "tile_back", "tile_face", "tile_face_material", "tile_side_material"]

FACE_PIXELS: Final = 384
Box = tuple[float, float, float, float]

# Print never sits exactly where it should; boxes leave room for that.
_MISREGISTRATION: Final = 0.006
_SLACK: Final = 0.012


def icon_box(tiles: TileSet) -> Box:
    """Where the icon lies, (u0, v0, u1, v1) in shares of the tile from its top-left corner."""
    low, high = tiles.icon_margin, tiles.icon_margin + tiles.icon_size / 2
    return low - _SLACK, low - _SLACK, high + _SLACK, high + _SLACK


def rank_box(tiles: TileSet) -> Box:
    """Where a rank lies, in shares of the tile from its top-left corner."""
    half_high = tiles.rank_size / 2
    half_wide = _widest_rank(tiles.digits, tiles.ace) * half_high
    return 0.5 - half_wide - _SLACK, 0.5 - half_high - _SLACK, 0.5 + half_wide + _SLACK, 0.5 + half_high + _SLACK


@lru_cache(maxsize=64)
def _widest_rank(digits: str, ace: str) -> float:
    """Width of the widest rank as a share of its height; suit symbols are square."""
    signs = [sign(digits, text, 200).shape[1] / 200 for text in "2345"]
    return float(max(*signs, 1.0 if ace == "suit" else sign(digits, ace, 200).shape[1] / 200))


def tile_face(tiles: TileSet, colour: str, rank: int | None, rng: np.random.Generator) -> Picture:
    """The face of a tile, upright (icon in the top-left lot). A rank of 0 or None leaves the middle blank."""
    guild = tiles.colours[colour]
    inverted = tiles.ground.startswith("inverted")
    field, print_colour = (guild, tiles.ground_colour) if inverted else (tiles.ground_colour, guild)
    face = ground(tiles.ground, field, (FACE_PIXELS, FACE_PIXELS), rng)
    _frame(face, tiles, print_colour)
    _lot_lines(face, tiles.lot_lines, print_colour)
    strength = float(rng.uniform(0.9, 1.0))
    low, _, high, _ = icon_box(tiles)
    size = round((high - low - 2 * _SLACK) * FACE_PIXELS)
    middle = (low + high) / 2
    _print(face, icon(tiles.icons[colour], size), print_colour, (middle, middle), strength, rng)
    if rank and tiles.ranks:
        mask = _rank_mask(tiles, colour, rank, round(tiles.rank_size * FACE_PIXELS))
        black = (0.07, 0.07, 0.07)
        ink_colour = black if tiles.rank_colour == "black" and not inverted else print_colour
        _print(face, mask, ink_colour, (0.5, 0.5), strength, rng)
    return worn(face, tiles.wear, rng)


def tile_back(tiles: TileSet, rng: np.random.Generator) -> Picture:
    """The back: a cross that divides it in four."""
    kind = {"inverted": "plain", "inverted-wood": "wood"}.get(tiles.ground, tiles.ground)
    back = ground(kind, tiles.ground_colour, (FACE_PIXELS, FACE_PIXELS), rng)
    dark = sum(tiles.ground_colour) < 0.9
    _lot_lines(back, 0.8, (0.85, 0.84, 0.82) if dark else (0.12, 0.11, 0.1), width=5)
    return worn(back, tiles.wear, rng)


def tile_side_material(tiles: TileSet) -> Material:
    """What the edges of a tile show."""
    return surface_material(tiles.material, 0.3 * tiles.gloss, None, body_colour(tiles.material, tiles.ground_colour))


def tile_face_material(tiles: TileSet, face: Picture) -> Material:
    """The printed face as a surface."""
    return surface_material(tiles.material, tiles.gloss, face, tiles.ground_colour)


def _rank_mask(tiles: TileSet, colour: str, rank: int, height: int) -> Mask:
    if rank == 1 and tiles.ace == "suit":
        return icon(tiles.icons[colour], height)
    return sign(tiles.digits, tiles.ace if rank == 1 else str(rank), height)


def _print(
    face: Picture, mask: Mask, colour: Rgb, centre: tuple[float, float], strength: float, rng: np.random.Generator
) -> None:
    """Inks a mask about a point (shares of the tile), a little off its place."""
    off = rng.uniform(-_MISREGISTRATION, _MISREGISTRATION, 2)
    left = round((centre[0] + float(off[0])) * FACE_PIXELS - mask.shape[1] / 2)
    top = round((centre[1] + float(off[1])) * FACE_PIXELS - mask.shape[0] / 2)
    ink(face, mask, colour, left, top, strength)


def _frame(face: Picture, tiles: TileSet, colour: Rgb) -> None:
    if tiles.frame in ("line", "double"):
        _rectangle(face, 7, 3, colour)
    if tiles.frame == "double":
        _rectangle(face, 16, 1, colour)
    if tiles.frame == "band":
        _rectangle(face, 0, 8, colour)
    if tiles.frame == "rounded":
        ink(face, _rounded(8, 36, 3), colour, 0, 0, 0.8)


def _rectangle(face: Picture, inset: int, width: int, colour: Rgb) -> None:
    """The outline of a square, as four bars."""
    low, high = inset, FACE_PIXELS - inset
    whole, near, far = slice(low, high), slice(low, low + width), slice(high - width, high)
    for area in ((near, whole), (far, whole), (whole, near), (whole, far)):
        fill(face, area, colour, 0.8)


@lru_cache(maxsize=4)
def _rounded(inset: int, radius: int, width: int) -> Mask:
    """The outline of a square with round corners."""
    mask = np.zeros((FACE_PIXELS, FACE_PIXELS), np.uint8)
    low, high = inset, FACE_PIXELS - 1 - inset
    for a, b in (((low + radius, low), (high - radius, low)), ((low + radius, high), (high - radius, high))):
        cv2.line(mask, a, b, 255, width, cv2.LINE_AA)
        cv2.line(mask, a[::-1], b[::-1], 255, width, cv2.LINE_AA)
    for x, y, angle in ((low, low, 180), (high, low, 270), (high, high, 0), (low, high, 90)):
        centre = (x + (radius if x == low else -radius), y + (radius if y == low else -radius))
        cv2.ellipse(mask, centre, (radius, radius), angle, 0, 90, 255, width, cv2.LINE_AA)
    return coverage(mask)


def _lot_lines(face: Picture, strength: float, colour: Rgb, width: int = 2) -> None:
    if strength <= 0:
        return
    middle = slice(FACE_PIXELS // 2 - width // 2, FACE_PIXELS // 2 + (width + 1) // 2)
    fill(face, (middle, slice(None)), colour, strength)
    fill(face, (slice(None), middle), colour, strength)
