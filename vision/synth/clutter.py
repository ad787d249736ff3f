"""What lies around a board: spare pieces, dice, cards, paper, cups, phones, a hand at the edge.

Nothing of it touches the board's field; a hand may reach a little over a board's border.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from calibration.profiles import Profile
from vision.synth.clutter_things import Thing, household_things, spare_things
from vision.synth.geometry import TOUCH_MM, applied, moved, standing
from vision.synth.meshes import things as meshes
from vision.synth.scene import Array, Material, Part, Rgb
from vision.synth.stages.settle import Footprints, gaps, rectangles

CLEAR_MM: Final = 6.0  # between things, and between them and the board
REACH_MM: Final = 260.0  # beyond that the photo seldom shows anything
TRIES: Final = 30
HANDS: Final = 0.12  # share of cluttered tables with a hand

SKINS: Final[tuple[Rgb, ...]] = (
    (0.91, 0.75, 0.66),
    (0.85, 0.65, 0.53),
    (0.76, 0.55, 0.42),
    (0.60, 0.41, 0.29),
    (0.42, 0.28, 0.20),
    (0.28, 0.18, 0.13),
)


def clutter_parts(
    game: str, profile: Profile, extent: tuple[float, float], table_z: float, rng: np.random.Generator
) -> tuple[Part, ...]:
    """Things around a board of that width and depth, on a table at that height."""
    makers = _chosen_makers(game, profile, rng)
    taken = [_board_print(extent)]
    parts: list[Part] = []
    if rng.uniform() < HANDS:
        # First, because an arm needs more room than anything else.
        hand = _hand_part(extent, table_z, _border(game, profile), rng)
        parts.append(hand)
        taken.append(_arm_print(hand))
    for number, make in enumerate(makers):
        thing = make(rng)
        place = _free_place(thing, taken, extent, rng)
        if place is None:
            continue
        x, y, turn = place
        taken.append(_thing_print(thing, x, y, turn))
        ground = standing(x, y, table_z + TOUCH_MM, turn)
        for index, (mesh, materials, pose) in enumerate(thing.pieces):
            parts.append(Part(f"clutter:{thing.kind}:{number}.{index}", mesh, materials, ground @ pose))
    return tuple(parts)


def _chosen_makers(
    game: str, profile: Profile, rng: np.random.Generator
) -> list[Callable[[np.random.Generator], Thing]]:
    """Mostly a few things, sometimes a crowded table; large ones first, while there is room."""
    spares, household = spare_things(game, profile), household_things()
    count = int(rng.choice([1, 2, 3, 4, 6, 9, 14], p=[0.15, 0.2, 0.2, 0.15, 0.13, 0.1, 0.07]))
    chosen: list[Callable[[np.random.Generator], Thing]] = []
    for _ in range(count):
        if spares and rng.uniform() < 0.5:
            chosen.append(spares[int(rng.integers(len(spares)))])
        else:
            chosen.append(household[int(rng.integers(len(household)))])
    return chosen


# --- places -----------------------------------------------------------------------------------


def _board_print(extent: tuple[float, float]) -> Footprints:
    return Footprints(np.zeros((1, 2)), np.zeros(1), rectangles(np.array([extent]) / 2 + CLEAR_MM), np.zeros(1))


def _thing_print(thing: Thing, x: float, y: float, turn: float) -> Footprints:
    half = np.array([thing.half]) + CLEAR_MM / 2
    radius = half[:, 0] if thing.is_round else np.zeros(1)
    return Footprints(np.array([(x, y)]), np.array([turn]), rectangles(half), radius)


def _free_place(
    thing: Thing, taken: Sequence[Footprints], extent: tuple[float, float], rng: np.random.Generator
) -> tuple[float, float, float] | None:
    """A place beside the board where the thing touches nothing; None where none was found."""
    for _ in range(TRIES):
        distance = max(thing.half) + CLEAR_MM + REACH_MM * float(rng.uniform()) ** 1.5
        x, y = _around(extent, distance, rng)
        turn = float(rng.uniform(0.0, 360.0))
        if _is_free(_thing_print(thing, x, y, turn), taken):
            return x, y, turn
    return None


def _around(extent: tuple[float, float], distance: float, rng: np.random.Generator) -> tuple[float, float]:
    """A point on a rectangle that keeps the distance from the board."""
    half_width, half_depth = extent[0] / 2 + distance, extent[1] / 2 + distance
    along = float(rng.uniform(-1.0, 1.0))
    side = float(rng.choice([-1.0, 1.0]))
    if rng.uniform() < half_width / (half_width + half_depth):
        return along * half_width, side * half_depth
    return side * half_width, along * half_depth


def _is_free(wanted: Footprints, taken: Sequence[Footprints]) -> bool:
    everything = [wanted, *taken]
    together = Footprints(
        np.concatenate([one.centre for one in everything]),
        np.concatenate([one.turn for one in everything]),
        np.concatenate([one.outline for one in everything]),
        np.concatenate([one.radius for one in everything]),
    )
    pairs = np.array([(0, i) for i in range(1, len(everything))])
    return bool((gaps(together, pairs)[0] > 0).all())


# --- a hand -----------------------------------------------------------------------------------


def _border(game: str, profile: Profile) -> float:
    """How far a hand may come over the board without covering a square."""
    if game == "city-blocks" and profile.blokus is not None:
        return profile.blokus.border_mm
    return 0.0


def _hand_part(extent: tuple[float, float], table_z: float, border: float, rng: np.random.Generator) -> Part:
    """An arm that comes in from a side; its fingers end beside the board or just over its border."""
    mesh = meshes.hand(float(rng.uniform(0.0, 1.0)), float(rng.uniform(0.9, 1.25)), float(rng.uniform(40.0, 240.0)))
    skin = SKINS[int(rng.integers(len(SKINS)))]
    shade = float(rng.uniform(0.9, 1.08))
    colour = tuple(float(np.clip(channel * shade, 0.0, 1.0)) for channel in skin)
    sleeve = tuple(float(channel) for channel in rng.uniform(0.03, 0.9, 3) * rng.uniform(0.3, 1.0))
    materials = (
        Material("skin", (colour[0], colour[1], colour[2]), roughness=0.55),
        Material("cloth", (sleeve[0], sleeve[1], sleeve[2]), roughness=0.95),
    )
    gap = float(rng.uniform(-0.6 * border, 60.0)) if border else float(rng.uniform(CLEAR_MM, 70.0))
    return Part("clutter:hand", mesh, materials, _hand_pose(mesh.vertices, extent, table_z, gap, rng))


def _hand_pose(
    vertices: Array, extent: tuple[float, float], table_z: float, gap: float, rng: np.random.Generator
) -> Array:
    """Fingers towards the board, more or less straight from its side, at ``gap`` millimetres from its edge."""
    side = int(rng.integers(4))
    half, other = (extent[1] / 2, extent[0] / 2) if side % 2 == 0 else (extent[0] / 2, extent[1] / 2)
    aslant = float(rng.uniform(-30.0, 30.0))
    # In the frame of that side the board lies to the east, its edge at x = 0.
    turn = standing(0.0, 0.0, 0.0, aslant)
    reach = float((vertices @ turn[:3, :3].T)[:, 0].max())
    over = max(0.0, -table_z) + 14.0 if gap < CLEAR_MM else TOUCH_MM
    low = float(vertices[:, 2].min())
    pose = moved(-gap - reach, float(rng.uniform(-0.8, 0.8)) * other, table_z + over - low) @ turn
    # North (0), east (1), south (2), west (3): turn the frame so that its board side faces the board.
    to_side = {0: 270.0, 1: 180.0, 2: 90.0, 3: 0.0}[side]
    return standing(0.0, 0.0, 0.0, to_side) @ moved(-half) @ pose


def _arm_print(hand: Part) -> Footprints:
    """The box around hand and arm, seen from above."""
    low, high = hand.mesh.vertices.min(axis=0), hand.mesh.vertices.max(axis=0)
    middle = applied(hand.pose, (low + high) / 2)[:2]
    turn = np.degrees(np.arctan2(hand.pose[1, 0], hand.pose[0, 0]))
    return Footprints(middle[None], np.array([turn]), rectangles((high - low)[None, :2] / 2), np.zeros(1))
