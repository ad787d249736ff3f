"""Alien City: twenty tiles laid by hand, towers and coins in their lots, caps on towers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.profiles import CoinSet, Profile, PyramidSet, TileSet
from engine.alien_city.board import BOARD, TILE_SIDE
from engine.alien_city.pieces import GUILDS, RANKS, TILES_PER_GUILD
from engine.alien_city.state import AlienCityState, Structure, Tile
from vision.synth.art import tiles as tile_art
from vision.synth.art.surface import body_colour, surface_material
from vision.synth.geometry import TOUCH_MM, applied, rectangle, standing
from vision.synth.meshes import flats, pyramids
from vision.synth.scene import Array, Material, Part
from vision.synth.stages import faces
from vision.synth.stages.common import Stage, patch_points, pyramid_part, square_corners
from vision.synth.stages.settle import Footprints, rectangles, settle

TILE_COLUMNS: Final = BOARD.columns // TILE_SIDE
TILE_ROWS: Final = BOARD.rows // TILE_SIDE

# The icon lot of a tile as (column, row) within it -> how far the upright tile, icon in the north-west, is turned.
TURN_OF_ICON: Final = {(0, 1): 0.0, (1, 1): -90.0, (1, 0): 180.0, (0, 0): 90.0}

ICON_POINTS: Final = 7
LOT_POINTS: Final = 5
_TURNED: Final = {"mostly square": 0.75, "askew": 0.15}  # the rest stands any way round


def alien_city_stage(state: AlienCityState, profile: Profile, rng: np.random.Generator) -> Stage:
    """Tiles, structures and caps, with patches for icons, ranks and lots; without table and clutter."""
    tile_set, coin_set = profile.tiles, profile.coins
    assert tile_set is not None
    assert coin_set is not None
    tiles = filled_tiles(state.tiles, rng, ranks=tile_set.ranks)
    poses = _lay_tiles(tile_set, rng)
    parts = [_tile_part(tile, tile_set, poses[tile.at], rng) for tile in tiles]
    parts += _structure_parts(state.structures, profile.pyramids, coin_set, tile_set, poses, rng)
    patches, surfaces = _patches(tiles, tile_set, poses)
    extent = np.array([TILE_COLUMNS, TILE_ROWS]) * (tile_set.size_mm + tile_set.gap_mm)
    corners = _fitted_corners(tile_set.size_mm, poses)
    return Stage(tuple(parts), corners, patches, surfaces, (float(extent[0]), float(extent[1])))


# --- tiles ------------------------------------------------------------------------------------


def filled_tiles(known: Sequence[Tile], rng: np.random.Generator, *, ranks: bool = True) -> list[Tile]:
    """All twenty tiles; what the state does not tell is drawn from what the box still holds."""
    by_name = {tile.at: tile for tile in known}
    tiles = [by_name.get(name, Tile(name)) for name in BOARD.tile_names]
    colours = [guild for guild in GUILDS for _ in range(TILES_PER_GUILD)]
    for tile in tiles:
        if tile.colour in colours:
            colours.remove(tile.colour)
    rng.shuffle(colours)
    filled = []
    used = {(tile.colour, tile.rank) for tile in tiles}
    for tile in tiles:
        colour = tile.colour or colours.pop()
        rank = tile.rank
        if rank is None and ranks:
            free = [rank for rank in RANKS if (colour, rank) not in used] or list(RANKS)
            rank = int(rng.choice(free))
            used.add((colour, rank))
        icon = tile.icon or str(rng.choice(_lots_of(tile.at)))
        filled.append(replace(tile, colour=colour, rank=rank, icon=icon))
    return filled


def _lots_of(tile: str) -> list[str]:
    return [BOARD.lots[lot] for lot in BOARD.lots_of_tile[BOARD.number[tile]]]


def _tile_cell(tile: str) -> tuple[int, int]:
    """A tile's column and row among the tiles."""
    row, column = divmod(BOARD.number[tile], BOARD.columns)
    return column // TILE_SIDE, row // TILE_SIDE


def _lot_place(lot: str, size_mm: float) -> tuple[float, float]:
    """The middle of a lot in the frame of its tile before that is turned."""
    row, column = divmod(BOARD.number[lot], BOARD.columns)
    return (column % TILE_SIDE - 0.5) * size_mm / 2, (row % TILE_SIDE - 0.5) * size_mm / 2


def _lattice(pitch: float) -> Array:
    """The middles of all tiles when they are laid without a fault."""
    cells = np.array([_tile_cell(name) for name in BOARD.tile_names], dtype=np.float64)
    return (cells - (np.array([TILE_COLUMNS, TILE_ROWS]) - 1) / 2) * pitch


def _lay_tiles(tile_set: TileSet, rng: np.random.Generator) -> dict[str, Array]:
    """The pose of every place for a tile: north up, as carelessly laid as the set's owners do it."""
    count = len(BOARD.tile_names)
    pitch = tile_set.size_mm + tile_set.gap_mm * rng.uniform(0.4, 1.6) + TOUCH_MM
    home, straight = _lattice(pitch), np.zeros(count)
    prints = Footprints(
        centre=home + rng.normal(0.0, 0.5, (count, 2)) * tile_set.shift_mm,
        turn=np.clip(rng.normal(0.0, 0.5, count), -1.2, 1.2) * tile_set.turn_degrees,
        outline=rectangles(np.full((count, 2), tile_set.size_mm / 2)),
        radius=np.zeros(count),
    )
    laid = settle(prints, home, straight, leash=tile_set.size_mm / 10)
    # The whole city may have moved while it was pushed together.
    laid.centre -= laid.centre.mean(axis=0)
    return {
        name: standing(float(laid.centre[i, 0]), float(laid.centre[i, 1]), 0.0, float(laid.turn[i]))
        for i, name in enumerate(BOARD.tile_names)
    }


def _tile_part(tile: Tile, tile_set: TileSet, place: Array, rng: np.random.Generator) -> Part:
    assert tile.colour is not None
    face = faces.tile_face(tile_set, tile.colour, tile.rank, rng)
    top = tile_art.tile_face_material(tile_set, face)
    mesh = flats.tile(tile_set.size_mm, tile_set.thickness_mm, tile_set.corner_radius_mm)
    pose = place @ standing(0.0, 0.0, -tile_set.thickness_mm, _turn(tile))
    return Part(f"tile:{tile.at}", mesh, (top, tile_art.tile_side_material(tile_set)), pose)


def _turn(tile: Tile) -> float:
    assert tile.icon is not None
    row, column = divmod(BOARD.number[tile.icon], BOARD.columns)
    return TURN_OF_ICON[column % TILE_SIDE, row % TILE_SIDE]


def _fitted_corners(size_mm: float, poses: dict[str, Array]) -> Array:
    """The outer corners of the faultless lattice that fits the tiles as they lie best."""
    own = rectangle(size_mm, size_mm, 0.0)
    actual = np.concatenate([applied(poses[name], own) for name in BOARD.tile_names])[:, :2]
    nominal = np.concatenate([own[:, :2] + middle for middle in _lattice(size_mm)])
    system = np.concatenate([nominal, np.ones((len(nominal), 1))], axis=1)
    fit = np.linalg.lstsq(system, actual, rcond=None)[0]
    corners = square_corners(TILE_COLUMNS * size_mm / 2, TILE_ROWS * size_mm / 2)
    corners[:, :2] = np.concatenate([corners[:, :2], np.ones((4, 1))], axis=1) @ fit
    return corners


# --- structures -------------------------------------------------------------------------------


def _structure_parts(
    structures: Sequence[Structure],
    pyramid_set: PyramidSet | None,
    coin_set: CoinSet,
    tile_set: TileSet,
    poses: dict[str, Array],
    rng: np.random.Generator,
) -> list[Part]:
    if not structures:
        return []
    tower = pyramids.SIZES[pyramid_set.tower_size if pyramid_set else "large"]
    laid = _put_down(structures, tower.base_mm, coin_set.diameter_mm, tile_set, poses, rng)
    coin_side = _coin_side(coin_set)
    parts: list[Part] = []
    for number, structure in enumerate(structures):
        x, y, turn = float(laid.centre[number, 0]), float(laid.centre[number, 1]), float(laid.turn[number])
        if structure.is_tower:
            parts += _tower_parts(structure, pyramid_set, x, y, turn, rng)
        else:
            parts.append(_coin_part(structure, coin_set, tile_set, coin_side, standing(x, y, TOUCH_MM, turn), rng))
    return parts


def _put_down(
    structures: Sequence[Structure],
    tower_mm: float,
    coin_mm: float,
    tile_set: TileSet,
    poses: dict[str, Array],
    rng: np.random.Generator,
) -> Footprints:
    """Where players set the structures down: off-centre, turned, but beside each other."""
    count = len(structures)
    lot_mm = tile_set.size_mm / TILE_SIDE
    towers = np.array([structure.is_tower for structure in structures])
    tiles = [BOARD.lots[BOARD.tile_of[BOARD.number[structure.at]]] for structure in structures]
    places = [(*_lot_place(structure.at, tile_set.size_mm), 0.0) for structure in structures]
    lots = np.array([applied(poses[tile], place)[:2] for tile, place in zip(tiles, places, strict=True)])
    play = np.where(towers, max(1.2, (lot_mm - tower_mm) * 0.3), max(1.2, (lot_mm - coin_mm) * 0.3))[:, None]
    prints = Footprints(
        centre=lots + np.clip(rng.normal(0.0, 1.0, (count, 2)), -2.0, 2.0) * play,
        turn=np.array([_tower_turn(rng) if tower else rng.uniform(0.0, 360.0) for tower in towers]),
        outline=rectangles(np.full((count, 2), tower_mm / 2)),
        radius=np.where(towers, 0.0, coin_mm / 2),
    )
    # On the lattice itself everything fits: a large pyramid's base is exactly one lot.
    lattice = dict(zip(BOARD.tile_names, _lattice(tile_set.size_mm + tile_set.gap_mm + TOUCH_MM), strict=True))
    home = np.array([lattice[tile] + place[:2] for tile, place in zip(tiles, places, strict=True)])
    return settle(prints, home, np.zeros(count), leash=lot_mm * 0.35)


def _tower_turn(rng: np.random.Generator) -> float:
    mood = rng.uniform()
    if mood < _TURNED["mostly square"]:
        return float(rng.normal(0.0, 3.5)) + 90.0 * int(rng.integers(4))
    if mood < sum(_TURNED.values()):
        return float(rng.normal(0.0, 12.0))
    return float(rng.uniform(0.0, 360.0))


def _tower_parts(
    structure: Structure, pyramid_set: PyramidSet | None, x: float, y: float, turn: float, rng: np.random.Generator
) -> list[Part]:
    wall = pyramid_set.wall_mm if pyramid_set else 1.5
    tower = replace(pyramids.SIZES[pyramid_set.tower_size if pyramid_set else "large"], wall_mm=wall)
    pose = standing(x, y, TOUCH_MM, turn)
    parts = [pyramid_part(f"structure:{structure.at}", pyramid_set, structure.colour, tower, pose)]
    if structure.claimed_by is not None:
        cap = replace(pyramids.SIZES[pyramid_set.cap_size if pyramid_set else "small"], wall_mm=wall)
        twist = float(np.clip(rng.normal(0.0, 3.0), -9.0, 9.0))
        height = pyramids.nesting_height(tower, cap, twist)
        cap_pose = standing(x, y, TOUCH_MM + height, turn + twist)
        parts.append(pyramid_part(f"cap:{structure.at}", pyramid_set, structure.claimed_by, cap, cap_pose))
    return parts


def _coin_side(coin_set: CoinSet) -> Material:
    colour = body_colour(coin_set.material, coin_set.ground_colour)
    return surface_material(coin_set.material, coin_set.gloss, None, colour)


def _coin_part(
    structure: Structure, coin_set: CoinSet, tile_set: TileSet, side: Material, pose: Array, rng: np.random.Generator
) -> Part:
    face = faces.coin_face(coin_set, tile_set, structure.colour, rng)
    top = surface_material(coin_set.material, coin_set.gloss, face, coin_set.ground_colour)
    mesh = flats.coin(coin_set.diameter_mm, coin_set.thickness_mm)
    return Part(f"structure:{structure.at}", mesh, (top, side), pose)


# --- patches ----------------------------------------------------------------------------------


def _patches(
    tiles: Sequence[Tile], tile_set: TileSet, poses: dict[str, Array]
) -> tuple[dict[str, Array], dict[str, str]]:
    """The points of icons, ranks and lots, all of them on their tile."""
    size, lot = tile_set.size_mm, tile_set.size_mm / TILE_SIDE
    prints = {"icon": tile_art.icon_box(tile_set)}
    if tile_set.ranks:
        prints["rank"] = tile_art.rank_box(tile_set)
    patches: dict[str, Array] = {}
    surfaces: dict[str, str] = {}
    lot_points = patch_points((-lot / 2, -lot / 2, lot / 2, lot / 2), LOT_POINTS) * 0.9
    for tile in tiles:
        turned_pose = poses[tile.at] @ standing(0.0, 0.0, 0.0, _turn(tile))
        for kind, (u0, v0, u1, v1) in prints.items():
            # Pictures grow downwards from the top-left, tiles upwards from their middle.
            points = patch_points((u0 - 0.5, 0.5 - v1, u1 - 0.5, 0.5 - v0), ICON_POINTS) * size
            patches[f"{kind}:{tile.at}"] = applied(turned_pose, points)
            surfaces[f"{kind}:{tile.at}"] = f"tile:{tile.at}"
        for name in _lots_of(tile.at):
            place = (*_lot_place(name, size), 0.0)
            patches[f"lot:{name}"] = applied(poses[tile.at], lot_points + place)
            surfaces[f"lot:{name}"] = f"tile:{tile.at}"
    return patches, surfaces
