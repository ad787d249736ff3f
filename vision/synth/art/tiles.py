"""Faces and backs of piecepack tiles: ground, frame, icon and rank, and what years of play did to them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.sets import Rgb, TileSet
from vision.synth.art.coins import coin_face
from vision.synth.art.digits import sign
from vision.synth.art.draw import Canvas, Mask, coverage, ink, to_picture
from vision.synth.art.icons import icon
from vision.synth.art.surface import body_colour, ground_canvas, surface_material, worn
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
    half_wide = max(_rank_mask(tiles, "red", rank, 200).shape[1] for rank in range(1, 6)) / 200 * half_high
    return 0.5 - half_wide - _SLACK, 0.5 - half_high - _SLACK, 0.5 + half_wide + _SLACK, 0.5 + half_high + _SLACK


def tile_face(tiles: TileSet, colour: str, rank: int | None, rng: np.random.Generator) -> Picture:
    """The face of a tile, upright (icon in the top-left lot). A rank of 0 or None leaves the middle blank."""
    guild = tiles.colours[colour]
    inverted = tiles.ground.startswith("inverted")
    ground, print_colour = (guild, tiles.ground_colour) if inverted else (tiles.ground_colour, guild)
    canvas = ground_canvas(tiles.ground, ground, (FACE_PIXELS, FACE_PIXELS), rng)
    _frame(canvas, tiles, print_colour)
    _lot_lines(canvas, tiles.lot_lines, print_colour)
    strength = float(rng.uniform(0.9, 1.0))
    low, _, high, _ = icon_box(tiles)
    size = round((high - low - 2 * _SLACK) * FACE_PIXELS)
    middle = (low + high) / 2
    _print(canvas, icon(tiles.icons[colour], size), print_colour, (middle, middle), strength, rng)
    if rank and tiles.ranks:
        mask = _rank_mask(tiles, colour, rank, round(tiles.rank_size * FACE_PIXELS))
        black = (0.07, 0.07, 0.07)
        ink_colour = black if tiles.rank_colour == "black" and not inverted else print_colour
        _print(canvas, mask, ink_colour, (0.5, 0.5), strength, rng)
    return to_picture(worn(canvas, tiles.wear, rng))


def tile_back(tiles: TileSet, rng: np.random.Generator) -> Picture:
    """The back: a cross that divides it in four."""
    ground = tiles.ground if not tiles.ground.startswith("inverted") else tiles.ground.replace("inverted", "plain")
    canvas = ground_canvas(ground.replace("plain-", ""), tiles.ground_colour, (FACE_PIXELS, FACE_PIXELS), rng)
    _lot_lines(canvas, 0.8, (0.12, 0.11, 0.1), width=5)
    return to_picture(worn(canvas, tiles.wear, rng))


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
    canvas: Canvas, mask: Mask, colour: Rgb, centre: tuple[float, float], strength: float, rng: np.random.Generator
) -> None:
    """Inks a mask about a point (shares of the tile), a little off its place."""
    off = rng.uniform(-_MISREGISTRATION, _MISREGISTRATION, 2)
    left = round((centre[0] + float(off[0])) * FACE_PIXELS - mask.shape[1] / 2)
    top = round((centre[1] + float(off[1])) * FACE_PIXELS - mask.shape[0] / 2)
    ink(canvas, mask, colour, left, top, strength)


def _frame(canvas: Canvas, tiles: TileSet, colour: Rgb) -> None:
    side = canvas.shape[0]
    mask = np.zeros((side, side), np.uint8)
    if tiles.frame in ("line", "double"):
        cv2.rectangle(mask, (8, 8), (side - 9, side - 9), 255, 3, cv2.LINE_AA)
    if tiles.frame == "double":
        cv2.rectangle(mask, (16, 16), (side - 17, side - 17), 255, 1, cv2.LINE_AA)
    if tiles.frame == "band":
        cv2.rectangle(mask, (0, 0), (side - 1, side - 1), 255, 14)
    if tiles.frame == "rounded":
        _rounded(mask, 8, 36, 3)
    if tiles.frame != "none":
        ink(canvas, coverage(mask), colour, 0, 0, 0.8)


def _rounded(mask: Picture, inset: int, radius: int, width: int) -> None:
    """The outline of a square with round corners."""
    low, high = inset, mask.shape[0] - 1 - inset
    for a, b in (((low + radius, low), (high - radius, low)), ((low + radius, high), (high - radius, high))):
        cv2.line(mask, a, b, 255, width, cv2.LINE_AA)
        cv2.line(mask, a[::-1], b[::-1], 255, width, cv2.LINE_AA)
    for x, y, angle in ((low, low, 180), (high, low, 270), (high, high, 0), (low, high, 90)):
        centre = (x + (radius if x == low else -radius), y + (radius if y == low else -radius))
        cv2.ellipse(mask, centre, (radius, radius), angle, 0, 90, 255, width, cv2.LINE_AA)


def _lot_lines(canvas: Canvas, strength: float, colour: Rgb, width: int = 2) -> None:
    if strength <= 0:
        return
    side = canvas.shape[0]
    mask = np.zeros((side, side), np.float32)
    mask[side // 2 - width // 2 : side // 2 + (width + 1) // 2] = 1
    ink(canvas, np.maximum(mask, mask.T), colour, 0, 0, strength)
