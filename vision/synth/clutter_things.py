"""The makers of single things that lie about, each drawn from the die it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from calibration.profiles import Profile
from engine.city_blocks.pieces import free_polyominoes, orientations_of
from vision.synth.art import stuff
from vision.synth.art import tiles as tile_art
from vision.synth.art.surface import surface_material
from vision.synth.geometry import TOUCH_MM, moved, slab, standing, turned
from vision.synth.meshes import blokus as blokus_meshes
from vision.synth.meshes import flats, pyramids
from vision.synth.meshes import things as meshes
from vision.synth.scene import Array, Material, Mesh, Picture, Rgb
from vision.synth.stages.city_blocks import piece_materials, piece_shape
from vision.synth.stages.common import lying_pyramid_pose, pyramid_part, size_of

Piece = tuple[Mesh, tuple[Material, ...], Array]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something to put down: its pieces in a common frame that stands on z = 0, and its footprint around the origin."""

    kind: str
    pieces: tuple[Piece, ...]
    half: tuple[float, float]
    is_round: bool = False


Maker = Callable[[np.random.Generator], Thing]

METALS: Final[tuple[Rgb, ...]] = ((0.78, 0.72, 0.58), (0.72, 0.45, 0.30), (0.75, 0.76, 0.78), (0.83, 0.69, 0.40))
DRINKS: Final[tuple[Rgb, ...]] = ((0.16, 0.08, 0.04), (0.45, 0.26, 0.14), (0.62, 0.30, 0.10), (0.85, 0.83, 0.78))


def household_things() -> tuple[Maker, ...]:
    """What every table has; things that lie about often stand here more than once."""
    papers = (_note_paper, _rules_page)
    return (_dice, _dice, _cards, _cards, *papers, _pencil, _mug, _glass, _money, _phone, _box_lid, _book, _coaster)


def spare_things(game: str, profile: Profile) -> tuple[Maker, ...]:
    """What is left of the set that is being played with."""
    makers: list[Maker] = []
    if profile.pyramids is not None and game != "city-blocks":
        makers += [partial(_spare_pyramid, profile), partial(_spare_pyramid, profile), partial(_pyramid_stash, profile)]
    if profile.coins is not None and profile.tiles is not None and game == "alien-city":
        makers += [partial(_spare_coin, profile), partial(_spare_coin, profile), partial(_spare_tile, profile)]
    if profile.blokus is not None and game == "city-blocks":
        makers += [partial(_spare_blokus, profile)] * 3
    return tuple(makers)


def _colour(rng: np.random.Generator, low: float = 0.04, high: float = 0.95) -> Rgb:
    red, green, blue = (float(channel) for channel in rng.uniform(low, high, 3))
    return red, green, blue


def _flat(kind: str, size: tuple[float, float, float], face: Picture, side: Rgb, gloss: float, radius: float) -> Thing:
    """Something printed, of that width, depth and height."""
    mesh = slab(*size, bevel=min(0.3, size[2] / 4), radius=radius)
    materials = (surface_material("card", gloss, face, side), surface_material("card", gloss, None, side))
    return Thing(kind, ((mesh, materials, np.eye(4)),), (size[0] / 2, size[1] / 2))


# --- the household ----------------------------------------------------------------------------


def _dice(rng: np.random.Generator) -> Thing:
    """One to three dice side by side."""
    side = float(rng.choice([12.0, 16.0, 16.0, 19.0]))
    body = _colour(rng) if rng.uniform() < 0.6 else (0.93, 0.92, 0.88)
    spots = (0.04, 0.04, 0.05) if sum(body) > 1.2 else (0.95, 0.95, 0.93)
    materials = (Material("plastic", body, roughness=0.2), Material("plastic", spots, roughness=0.4))
    count = int(rng.integers(1, 4))
    pieces = []
    for number in range(count):
        up = turned(90.0 * int(rng.integers(4)), "x") @ turned(90.0 * int(rng.integers(4)), "y")
        stand = standing(
            (number - (count - 1) / 2) * side * 1.9,
            float(rng.normal(0, 2)),
            side / 2 + TOUCH_MM,
            float(rng.uniform(0, 90)),
        )
        pieces.append((meshes.die(side), materials, stand @ up @ moved(z=-side / 2)))
    return Thing("dice", tuple(pieces), (count * side * 0.95, side * 0.95 + 4))


def _cards(rng: np.random.Generator) -> Thing:
    """A few playing cards, one over the other."""
    count = int(rng.integers(1, 5))
    pieces: list[Piece] = []
    for number in range(count):
        face = stuff.card_back(rng) if rng.uniform() < 0.4 else stuff.card_face(rng)
        card = _flat("cards", (63.0, 88.0, 0.3), face, (0.93, 0.93, 0.91), 0.45, 3.0).pieces[0]
        x, y = rng.normal(0, 8, 2) if number else (0.0, 0.0)
        pose = standing(float(np.clip(x, -16, 16)), float(np.clip(y, -16, 16)), number * 0.35, float(rng.normal(0, 14)))
        pieces.append((card[0], card[1], pose))
    return Thing("cards", tuple(pieces), (58.0, 66.0))


def _sheet(kind: str, width: float, depth: float, face: Picture, rng: np.random.Generator) -> Thing:
    curl = rng.uniform(0.0, 6.0, 2) * rng.uniform(0.0, 1.0)

    def height(x: Array, y: Array) -> Array:
        across, along = np.abs(x) / (width / 2), y / (depth / 2)
        found: Array = 0.15 + curl[0] * across**3 + curl[1] * np.clip(along, 0.0, 1.0) ** 3
        return found

    mesh = flats.sheet(width, depth, 0.1, height, cells=6)
    white = (0.93, 0.93, 0.91)
    materials = (surface_material("paper", 0.05, face, white), surface_material("paper", 0.05, None, white))
    return Thing(kind, ((mesh, materials, np.eye(4)),), (width / 2, depth / 2))


def _note_paper(rng: np.random.Generator) -> Thing:
    width = float(rng.uniform(75.0, 150.0))
    face = stuff.note_paper(rng) if rng.uniform() < 0.5 else stuff.score_sheet(rng)
    return _sheet("paper", width, width * 1.41, face, rng)


def _rules_page(rng: np.random.Generator) -> Thing:
    width = float(rng.uniform(130.0, 210.0))
    return _sheet("rules", width, width * 1.41, stuff.rules_page(rng), rng)


def _pencil(rng: np.random.Generator) -> Thing:
    length = float(rng.uniform(80.0, 176.0))
    paint = Material("plastic", _colour(rng), roughness=0.25)
    wood = Material("wood", (0.80, 0.62, 0.42), roughness=0.8)
    lead = Material("plastic", (0.10, 0.10, 0.11), roughness=0.5)
    return Thing("pencil", ((meshes.pencil(length, 7.4), (paint, wood, lead), np.eye(4)),), (length / 2, 4.0))


def _mug(rng: np.random.Generator) -> Thing:
    radius, height = float(rng.uniform(36.0, 46.0)), float(rng.uniform(75.0, 105.0))
    china = Material("plastic", _colour(rng, 0.15) if rng.uniform() < 0.6 else (0.93, 0.93, 0.91), roughness=0.12)
    drink = Material("plastic", DRINKS[int(rng.integers(len(DRINKS)))], roughness=0.08)
    mesh = meshes.mug(radius, height, float(rng.uniform(0.05, 0.85)))
    return Thing(
        "mug", ((mesh, (china, drink), np.eye(4)),), (radius + height * 0.3, radius + height * 0.3), is_round=True
    )


def _glass(rng: np.random.Generator) -> Thing:
    radius, height = float(rng.uniform(30.0, 40.0)), float(rng.uniform(80.0, 140.0))
    glass = Material("translucent", (0.95, 0.97, 0.97), roughness=0.03, density=0.04)
    tint = (0.94, 0.95, 0.95) if rng.uniform() < 0.5 else DRINKS[int(rng.integers(len(DRINKS)))]
    drink = Material("translucent", tint, roughness=0.02, density=0.25)
    mesh = meshes.glass(radius, height, float(rng.uniform(0.05, 0.9)))
    return Thing("glass", ((mesh, (glass, drink), np.eye(4)),), (radius, radius), is_round=True)


def _money(rng: np.random.Generator) -> Thing:
    diameter = float(rng.uniform(16.0, 26.0))
    metal = Material("metal", METALS[int(rng.integers(len(METALS)))], roughness=0.3)
    mesh = flats.coin(round(diameter), 2.0)
    return Thing("money", ((mesh, (metal, metal), np.eye(4)),), (diameter / 2 + 0.5, diameter / 2 + 0.5), is_round=True)


def _phone(rng: np.random.Generator) -> Thing:
    width = float(rng.uniform(66.0, 78.0))
    case = _colour(rng, 0.02, 0.5)
    mesh = slab(width, width * 2.05, 8.5, bevel=1.2, radius=9.0)
    glass = Material("plastic", (0.02, 0.02, 0.02), roughness=0.05, texture=stuff.phone_screen(rng))
    materials = (glass, Material("plastic", case, roughness=0.35))
    return Thing("phone", ((mesh, materials, np.eye(4)),), (width / 2, width * 1.025))


def _box_lid(rng: np.random.Generator) -> Thing:
    width, depth = float(rng.uniform(110.0, 300.0)), float(rng.uniform(110.0, 300.0))
    return _flat(
        "box", (width, depth, float(rng.uniform(25.0, 70.0))), stuff.box_lid(rng), _colour(rng, 0.1, 0.8), 0.4, 0.0
    )


def _book(rng: np.random.Generator) -> Thing:
    width = float(rng.uniform(105.0, 170.0))
    size = (width, width * 1.5, float(rng.uniform(8.0, 35.0)))
    return _flat("book", size, stuff.book_cover(rng), (0.88, 0.85, 0.78), 0.4, 0.0)


def _coaster(rng: np.random.Generator) -> Thing:
    side = float(rng.uniform(85.0, 105.0))
    return _flat("coaster", (side, side, 2.0), stuff.coaster(rng), (0.7, 0.62, 0.5), 0.15, 12.0)


# --- spare pieces -----------------------------------------------------------------------------


def _any_pyramid(profile: Profile, rng: np.random.Generator) -> tuple[str, pyramids.PyramidSize]:
    assert profile.pyramids is not None
    colours = sorted(profile.pyramids.plastic)
    return colours[int(rng.integers(len(colours)))], size_of(profile.pyramids, int(rng.integers(1, 4)))


def _spare_pyramid(profile: Profile, rng: np.random.Generator) -> Thing:
    """A pyramid that stands or lies alone."""
    colour, size = _any_pyramid(profile, rng)
    if rng.uniform() < 0.5:
        pose, half = np.eye(4), (size.base_mm / 2, size.base_mm / 2)
    else:
        pose, extent = lying_pyramid_pose(size, 0.0, 0.0, 0.0, 0.0), pyramids.lying_extent(size)
        half = extent[0] / 2, extent[1] / 2
    part = pyramid_part("", profile.pyramids, colour, size, pose)
    return Thing("pyramid", ((part.mesh, part.materials, pose),), half)


def _pyramid_stash(profile: Profile, rng: np.random.Generator) -> Thing:
    """Stacks of a player's pyramids in a row, largest below."""
    colour, _ = _any_pyramid(profile, rng)
    pieces: list[Piece] = []
    count = int(rng.integers(1, 5))
    for number in range(count):
        sizes = [size_of(profile.pyramids, pips) for pips in (3, 2, 1)[int(rng.integers(3)) :]]
        turns = list(rng.normal(0.0, 3.0, len(sizes)))
        x = (number - (count - 1) / 2) * 32.0
        for size, height, turn in zip(sizes, pyramids.stack_heights(sizes, turns), turns, strict=True):
            pose = standing(x, 0.0, height, float(turn))
            part = pyramid_part("", profile.pyramids, colour, size, pose)
            pieces.append((part.mesh, part.materials, pose))
    return Thing("stash", tuple(pieces), (count * 16.0, 16.0))


def _spare_coin(profile: Profile, rng: np.random.Generator) -> Thing:
    """A coin beside the board, either side up."""
    coins, tiles = profile.coins, profile.tiles
    assert coins is not None
    assert tiles is not None
    colour = ("red", "blue", "green", "black")[int(rng.integers(4))]
    if rng.uniform() < 0.5:
        face = tile_art.coin_face(coins, tiles, colour, "suit", None, rng)
    else:
        face = tile_art.coin_face(coins, tiles, colour, "rank", int(rng.integers(6)), rng)
    materials = tuple(surface_material(coins.material, coins.gloss, look, coins.ground_colour) for look in (face, None))
    radius = coins.diameter_mm / 2
    mesh = flats.coin(coins.diameter_mm, coins.thickness_mm)
    return Thing("coin", ((mesh, materials, np.eye(4)),), (radius, radius), is_round=True)


def _spare_tile(profile: Profile, rng: np.random.Generator) -> Thing:
    """A few of the four tiles that are not needed, face down; kept apart from the board by a good margin."""
    tiles = profile.tiles
    assert tiles is not None
    mesh = flats.tile(tiles.size_mm, tiles.thickness_mm, tiles.corner_radius_mm)
    materials = (tile_art.tile_face_material(tiles, tile_art.tile_back(tiles, rng)), tile_art.tile_side_material(tiles))
    pieces = []
    for number in range(int(rng.integers(1, 5))):
        x, y = (float(shift) for shift in np.clip(rng.normal(0.0, 1.5, 2), -3.0, 3.0))
        pose = standing(x, y, number * (tiles.thickness_mm + TOUCH_MM), float(rng.normal(0.0, 3.0)))
        pieces.append((mesh, materials, pose))
    return Thing("tiles", tuple(pieces), (tiles.size_mm * 0.5 + 18.0, tiles.size_mm * 0.5 + 18.0))


def _spare_blokus(profile: Profile, rng: np.random.Generator) -> Thing:
    """A piece that has not been played, whichever way round; some sets' pieces lie on their backs."""
    blokus = profile.blokus
    assert blokus is not None
    shapes = sorted(free_polyominoes(int(rng.choice([2, 3, 4, 5, 5]))), key=sorted)
    cells = _any_of(orientations_of(shapes[int(rng.integers(len(shapes)))]), rng)
    colours = sorted(blokus.piece_colours.items())
    shape = piece_shape(blokus)
    mesh = blokus_meshes.piece(tuple(sorted((column, row) for row, column in cells)), shape)
    size = (mesh.vertices.max(axis=0) - mesh.vertices.min(axis=0))[:2] / 2
    middle = (mesh.vertices.max(axis=0) + mesh.vertices.min(axis=0))[:2] / 2
    # Without ribs under it the piece lies lower by the notch.
    pose = moved(-middle[0], -middle[1], TOUCH_MM - shape.foot_mm)
    materials = piece_materials(blokus, colours[int(rng.integers(len(colours)))][1])
    return Thing("piece", ((mesh, materials, pose),), (float(size[0]), float(size[1])))


def _any_of(options: Sequence[frozenset[tuple[int, int]]], rng: np.random.Generator) -> frozenset[tuple[int, int]]:
    return options[int(rng.integers(len(options)))]
