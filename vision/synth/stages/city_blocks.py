"""City Blocks: a Blokus board with its pieces seated in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.profiles import BlokusSet, Profile
from engine.city_blocks.board import CENTRE, CENTRE_MASK, COLOURS, SIZE, square_name, squares_in
from engine.city_blocks.state import CityBlocks
from vision.synth.art.surface import surface_material
from vision.synth.geometry import TOUCH_MM, moved
from vision.synth.meshes import blokus as meshes
from vision.synth.meshes.blokus import BoardShape, PieceShape
from vision.synth.scene import Array, Material, Part, Rgb
from vision.synth.stages import faces
from vision.synth.stages.common import WHITE, Stage, mixed, patch_points, square_corners
from vision.synth.stages.cuts import cut_into_pieces

DISH_MM: Final = 0.9  # depth of the sunken square of a set whose inner mark is as strong as can be
SQUARE_POINTS: Final = 5
# What people put where a piece was lost: paper, cork, wood, another game's plastic.
STAND_INS: Final[tuple[Rgb, ...]] = ((0.55, 0.62, 0.57), (0.62, 0.47, 0.33), (0.35, 0.35, 0.37), (0.85, 0.82, 0.74))


def city_blocks_stage(state: CityBlocks, profile: Profile, rng: np.random.Generator) -> Stage:
    """Board and pieces, with a patch for each of the 400 squares; without table and clutter."""
    blokus = profile.blokus
    assert blokus is not None
    blokus = _with_corners(blokus, state)
    shape = board_shape(blokus)
    laid = list(_piece_parts(state, blokus, rng))
    patches, surfaces = _patches({part.name: squares for part, squares in laid}, blokus)
    half = shape.field_mm / 2
    parts = (_board_part(blokus, shape, rng), *(part for part, _ in laid))
    return Stage(parts, square_corners(half, half), patches, surfaces, (shape.side_mm, shape.side_mm))


def board_shape(blokus: BlokusSet) -> BoardShape:
    ribs = blokus.make == "plastic-ribs"
    return BoardShape(
        blokus.square_mm,
        blokus.border_mm,
        blokus.board_thickness_mm,
        blokus.rib_height_mm if ribs else 0.0,
        blokus.rib_width_mm if ribs else 0.0,
    )


def piece_shape(blokus: BlokusSet) -> PieceShape:
    """A piece's measures, such that neighbours just fit side by side."""
    ribs = blokus.make == "plastic-ribs"
    thickness = blokus.piece_thickness_mm
    flat = blokus.piece_material == "card"
    return PieceShape(
        blokus.square_mm,
        thickness,
        # Seen from above, pieces hide the ribs between them: they overhang them nearly to the border of the square.
        gap_mm=0.2 if ribs else 0.3,
        foot_mm=min(blokus.rib_height_mm + TOUCH_MM, thickness * 0.6) if ribs else TOUCH_MM,
        bevel_mm=0.0 if flat else min(blokus.bevel_mm, blokus.square_mm / 5),
        dish_mm=0.0 if flat else DISH_MM * blokus.inner_mark,
    )


def piece_materials(blokus: BlokusSet, colour: Rgb) -> tuple[Material, ...]:
    """Of the body, and of the sunken squares: the plastic is thinner there, so more light comes through."""
    if blokus.piece_material == "translucent":
        body = Material("translucent", colour, blokus.piece_roughness, blokus.piece_density)
        share = 0.22 * blokus.inner_mark
        return body, replace(body, colour=mixed(colour, WHITE, share), density=blokus.piece_density * (1 - share))
    if blokus.piece_material == "opaque":
        body = Material("plastic", colour, blokus.piece_roughness)
    else:
        body = surface_material(blokus.piece_material, blokus.gloss, None, colour)
    return body, body


def _with_corners(blokus: BlokusSet, state: CityBlocks) -> BlokusSet:
    """The board whose corners carry the colours that the state tells; where none are marked, any board does."""
    known = state.corner_colours
    if blokus.corner_marks == "none" or all(colour is None for colour in known):
        return blokus
    rest = [colour for colour in blokus.corners if colour not in known]
    corners = tuple(colour if colour is not None else rest.pop(0) for colour in known)
    return replace(blokus, corners=corners)


def _board_part(blokus: BlokusSet, shape: BoardShape, rng: np.random.Generator) -> Part:
    # Printed singles are parts of their own, in the colours that the state has there, if any.
    picture = faces.blokus_top(replace(blokus, centre="placed"), rng)
    make = "plastic" if blokus.make == "plastic-ribs" else "card"
    floor = surface_material(make, blokus.gloss, picture, blokus.board_colour)
    ribs = surface_material(make, blokus.gloss, None, blokus.rib_colour)
    # A printed border carries the picture's margin, a plastic frame is plain.
    frame = surface_material(make, blokus.gloss, picture if make == "card" else None, blokus.border_colour)
    return Part("board", meshes.board(shape), (floor, frame, ribs), np.eye(4))


# --- pieces -----------------------------------------------------------------------------------


def _piece_parts(state: CityBlocks, blokus: BlokusSet, rng: np.random.Generator) -> Iterator[tuple[Part, int]]:
    """Every piece with the squares that it covers."""
    shape = piece_shape(blokus)
    plain = state.is_plain_blokus
    for colour in COLOURS:
        materials = piece_materials(blokus, blokus.piece_colours[colour])
        if not plain:
            for square in squares_in(state.squares(colour) & CENTRE_MASK):
                single = shape if blokus.centre == "placed" else _printed_shape(shape)
                yield _piece_part(f"piece:{colour}:single", 1 << square, single, materials, rng), 1 << square
        cut = cut_into_pieces(state.played(colour, plain=plain), rng, with_single=plain)
        for number, squares in enumerate(cut):
            yield _piece_part(f"piece:{colour}:{number}", squares, shape, materials, rng), squares
    for number, squares in enumerate(cut_into_pieces(state.unknown_squares, rng, with_single=True)):
        stand_in = _shade(rng, STAND_INS[int(rng.integers(len(STAND_INS)))])
        material = Material("paper", stand_in, roughness=0.9)
        thin = replace(shape, thickness_mm=shape.foot_mm + 0.8, bevel_mm=0.0, dish_mm=0.0)
        yield _piece_part(f"piece:unknown:{number}", squares, thin, (material, material), rng), squares


def _shade(rng: np.random.Generator, colour: Rgb) -> Rgb:
    """Lighter or darker, and a little off its hue."""
    red, green, blue = np.clip(np.array(colour) * rng.uniform(0.6, 1.3) + rng.normal(0, 0.04, 3), 0.05, 0.95).tolist()
    return red, green, blue


def _printed_shape(shape: PieceShape) -> PieceShape:
    """A square that is printed on the board: as thin as ink."""
    return replace(shape, foot_mm=TOUCH_MM, thickness_mm=2 * TOUCH_MM, bevel_mm=0.0, dish_mm=0.0)


def _piece_part(
    name: str, squares: int, shape: PieceShape, materials: tuple[Material, ...], rng: np.random.Generator
) -> Part:
    cells = [(square % SIZE, SIZE - 1 - square // SIZE) for square in squares_in(squares)]
    column, row = min(c for c, _ in cells), min(r for _, r in cells)
    mesh = meshes.piece(tuple(sorted((c - column, r - row) for c, r in cells)), shape)
    half = SIZE * shape.square_mm / 2
    # Pieces rattle in their seats by less than the gap, so that neighbours never meet.
    shift = rng.uniform(-0.8, 0.8, 2) * min(shape.gap_mm, 0.08 if shape.foot_mm > TOUCH_MM else 0.25)
    pose = moved(column * shape.square_mm - half + shift[0], row * shape.square_mm - half + shift[1])
    return Part(name, mesh, materials, pose)


# --- patches ----------------------------------------------------------------------------------


def _patches(owners: dict[str, int], blokus: BlokusSet) -> tuple[dict[str, Array], dict[str, str]]:
    """Points on top of every square, on its piece or on the floor."""
    side, shape = blokus.square_mm, piece_shape(blokus)
    own = patch_points((-side / 2, -side / 2, side / 2, side / 2), SQUARE_POINTS) * 0.8
    owner_of = {square: name for name, squares in owners.items() for square in squares_in(squares)}
    patches: dict[str, Array] = {}
    surfaces: dict[str, str] = {}
    for square in range(SIZE * SIZE):
        row, column = divmod(square, SIZE)
        owner = owner_of.get(square, "board")
        top = shape.thickness_mm if owner != "board" and not _is_flat(owner, square, blokus) else 0.0
        middle = ((column - (SIZE - 1) / 2) * side, ((SIZE - 1) / 2 - row) * side, top)
        patches[f"square:{square_name(square)}"] = own + middle
        surfaces[f"square:{square_name(square)}"] = owner
    return patches, surfaces


def _is_flat(owner: str, square: int, blokus: BlokusSet) -> bool:
    """Whether what lies on the square is printed, or a scrap of paper."""
    return owner.startswith("piece:unknown") or (square in CENTRE and blokus.centre == "printed")
