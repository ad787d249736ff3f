"""The built-in surroundings by name: eight to train with, three that are kept for measuring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from vision.synth.rooms import AMBER, DAY, NEUTRAL, WARM, Face, Patch, Room, Sky, draw_leaves, draw_sky, room_painter
from vision.synth.scene import Rgb

WHITE: Rgb = (0.78, 0.77, 0.74)
CREAM: Rgb = (0.74, 0.66, 0.52)
OAK: Rgb = (0.42, 0.27, 0.15)
WALNUT: Rgb = (0.2, 0.12, 0.07)
DARK: Rgb = (0.06, 0.055, 0.05)
GREY: Rgb = (0.4, 0.4, 0.41)


def _things(face: Face, *boxes: tuple[float, float, float, float, Rgb]) -> tuple[Patch, ...]:
    """Furniture against a wall: (left, right, bottom, top, colour) each."""
    return tuple(Patch(face, left, right, bottom, top, colour) for left, right, bottom, top, colour in boxes)


def _grid(face: Face, across: tuple[float, ...], up: tuple[float, ...], half: tuple[float, float], light: Rgb,
          glow: float, *, round_: bool = False) -> tuple[Patch, ...]:  # fmt: skip
    """Equal panels or spots, one at each crossing of the given coordinates."""
    wide, high = half
    return tuple(
        Patch(face, x - wide, x + wide, y - high, y + high, light, glow, round=round_) for x in across for y in up
    )


ROOM_WINDOW = Room(
    2.6, 2.2, 3.0, 1.8, 1.7, 0.75, WHITE, (0.8, 0.8, 0.78), OAK,
    (
        Patch("east", -1.3, 0.9, 0.1, 1.45, DAY, 9.0, panes=(3, 2)),
        *_things("west", (-1.4, 0.2, -0.75, 1.2, WALNUT), (0.6, 1.3, 0.2, 0.9, (0.3, 0.2, 0.25))),
        *_things("north", (-1.6, 0.3, -0.75, 0.15, (0.25, 0.28, 0.33)), (1.0, 1.8, -0.75, 1.3, (0.55, 0.5, 0.45))),
        *_things("south", (-0.5, 0.4, -0.75, 1.25, (0.5, 0.42, 0.33)), (1.0, 2.1, -0.75, 0.3, DARK)),
        *_things("floor", (-1.5, 1.5, -1.2, 1.2, (0.32, 0.16, 0.14))),
    ),
)  # fmt: skip

ROOM_LAMPS = Room(
    2.4, 2.4, 2.0, 2.6, 1.75, 0.75, CREAM, WHITE, OAK,
    (
        *_grid("ceiling", (-0.9, 0.9), (0.3,), (0.22, 0.22), WARM, 30.0, round_=True),
        Patch("north", -1.7, -1.35, 0.05, 0.45, AMBER, 16.0, round=True),
        Patch("west", -0.6, 0.8, 0.0, 1.2, (0.75, 0.85, 1.1), 0.5, panes=(2, 2)),
        *_things("east", (-1.8, 0.4, -0.75, 0.2, (0.2, 0.22, 0.3)), (0.7, 1.5, 0.3, 1.0, (0.5, 0.3, 0.2))),
        *_things("south", (-1.5, 1.6, -0.75, 1.4, WALNUT), (-1.3, -0.2, 0.2, 0.6, CREAM), (0.0, 1.4, 0.7, 1.1, GREY)),
    ),
)  # fmt: skip

OFFICE_PANELS = Room(
    4.5, 4.0, 3.5, 3.5, 2.0, 0.75, (0.7, 0.71, 0.72), (0.82, 0.82, 0.82), (0.2, 0.22, 0.25),
    (
        *_grid("ceiling", (-2.7, -0.9, 0.9, 2.7), (-2.1, 0.0, 2.1), (0.3, 0.6), (0.97, 1.0, 1.02), 7.0),
        Patch("west", -2.8, 2.8, 0.2, 1.7, DAY, 1.6, panes=(5, 1)),
        *_things("east", (-2.5, -0.8, -0.75, 1.1, GREY), (0.5, 2.6, 0.1, 1.2, (0.82, 0.84, 0.85))),
        *_things("north", (-3.0, -1.0, -0.75, 0.5, DARK), (0.5, 3.0, -0.75, 0.4, (0.3, 0.32, 0.35))),
        *_things("south", (-1.0, 0.1, -0.75, 1.4, OAK)),
    ),
)  # fmt: skip

EVENING_LAMP = Room(
    2.0, 2.5, 2.2, 2.2, 1.6, 0.75, (0.55, 0.42, 0.32), CREAM, WALNUT,
    (
        Patch("north", -0.9, -0.35, 0.35, 0.85, AMBER, 34.0),
        Patch("east", 0.8, 1.1, 0.2, 0.5, AMBER, 20.0, round=True),
        *_things("east", (-1.5, 0.5, -0.75, 0.9, WALNUT)),
        *_things("west", (-1.2, 1.2, -0.2, 1.1, (0.08, 0.09, 0.13)), (-2.0, -1.3, -0.75, 1.3, (0.35, 0.12, 0.1))),
        *_things("south", (-1.6, 1.4, -0.75, 0.1, (0.22, 0.15, 0.2))),
    ),
)  # fmt: skip

SHOP_STRIP = Room(
    3.6, 3.6, 5.0, 5.0, 2.2, 0.75, (0.6, 0.6, 0.58), (0.7, 0.7, 0.7), (0.35, 0.34, 0.32),
    (
        *_grid("ceiling", (-1.5, 0.2, 1.9), (0.0,), (0.06, 4.2), (0.94, 1.03, 0.97), 22.0),
        Patch("south", -2.5, 2.5, -0.5, 1.6, DAY, 1.2, panes=(3, 1)),
        *_things("east", *((y, y + 0.8, -0.75, 1.3, c) for y, c in
                           ((-4.0, (0.5, 0.12, 0.1)), (-2.9, (0.1, 0.25, 0.45)), (-1.4, (0.6, 0.5, 0.1)),
                            (0.2, (0.15, 0.35, 0.2)), (1.7, DARK), (3.0, (0.45, 0.2, 0.4))))),
        *_things("west", *((y, y + 1.0, -0.75, 1.5, c) for y, c in
                           ((-4.2, WALNUT), (-2.6, (0.55, 0.5, 0.42)), (-0.9, (0.2, 0.3, 0.5)), (1.4, OAK)))),
    ),
)  # fmt: skip

KITCHEN_SPOTS = Room(
    1.9, 2.6, 1.7, 2.4, 1.65, 0.75, (0.72, 0.72, 0.68), (0.82, 0.81, 0.79), (0.5, 0.47, 0.42),
    (
        *_grid("ceiling", (-1.6, -0.5, 0.6), (-1.2, 0.1, 1.1), (0.06, 0.06), (1.12, 0.99, 0.78), 150.0, round_=True),
        Patch("north", -1.0, 0.4, 0.3, 1.1, DAY, 3.0, panes=(2, 1)),
        *_things("east", (-1.6, 1.3, -0.75, 0.15, (0.7, 0.7, 0.68)), (-1.6, 1.3, 0.65, 1.35, (0.3, 0.34, 0.36)),
                 (-0.4, 0.3, -0.5, 0.1, DARK)),
        *_things("west", (0.3, 1.2, -0.75, 1.25, (0.62, 0.63, 0.65)), (-1.9, -0.4, -0.75, 0.2, OAK)),
        *_things("south", (-0.7, 0.3, -0.75, 1.3, WHITE), (0.8, 1.6, 0.0, 0.8, (0.5, 0.35, 0.15))),
    ),
)  # fmt: skip

STUDIO_SOFTBOX = Room(
    2.8, 2.8, 2.8, 2.8, 2.2, 0.75, (0.16, 0.16, 0.17), (0.2, 0.2, 0.2), (0.25, 0.25, 0.25),
    (
        Patch("west", -0.2, 1.5, 0.4, 1.9, NEUTRAL, 16.0, panes=(2, 2)),
        Patch("south", 0.2, 1.6, 0.6, 2.0, NEUTRAL, 7.0),
        *_things("east", (-1.4, 1.4, -0.4, 1.8, (0.8, 0.8, 0.8))),
        *_things("north", (-2.0, -0.5, -0.75, 1.5, DARK), (0.3, 0.7, -0.75, 1.7, DARK)),
    ),
)  # fmt: skip

CAFE_WINDOWS = Room(
    5.0, 3.0, 2.4, 3.6, 2.4, 0.75, (0.38, 0.2, 0.14), (0.25, 0.24, 0.22), (0.3, 0.2, 0.13),
    (
        *(Patch("north", x, x + 1.5, -0.2, 1.9, (0.98, 1.0, 1.02), 6.0, panes=(2, 3)) for x in (-2.4, -0.5, 1.5)),
        *_grid("ceiling", (-1.2, 1.0, 3.2), (-1.0,), (0.14, 0.14), AMBER, 40.0, round_=True),
        *_things("south", (-2.0, 3.0, -0.75, 0.35, WALNUT), (-1.8, 2.8, 0.7, 0.9, OAK),
                 (-1.5, -1.2, 0.9, 1.3, (0.2, 0.4, 0.25)), (0.2, 0.6, 0.9, 1.25, (0.6, 0.5, 0.3))),
        *_things("east", (-2.0, -1.0, -0.75, 0.4, DARK), (0.3, 1.4, 0.2, 1.1, (0.15, 0.15, 0.15))),
        *_things("west", (-1.8, 0.2, -0.75, 0.3, (0.2, 0.1, 0.1)), (0.9, 1.6, -0.75, 1.4, OAK)),
    ),
)  # fmt: skip

ATTIC_SKYLIGHT = Room(
    2.2, 2.0, 3.2, 2.6, 1.35, 0.7, (0.66, 0.62, 0.55), (0.7, 0.58, 0.42), (0.5, 0.36, 0.2),
    (
        Patch("ceiling", 0.4, 1.2, -0.3, 0.9, (0.9, 1.0, 1.15), 11.0, panes=(1, 2)),
        Patch("ceiling", -1.5, -0.9, 1.2, 2.1, (0.9, 1.0, 1.15), 11.0, panes=(1, 2)),
        *(Patch("ceiling", -2.0, 2.2, y, y + 0.14, WALNUT) for y in (-1.9, -0.7, 1.0)),
        *_things("north", (-1.4, 0.2, -0.7, 0.2, (0.35, 0.3, 0.4)), (0.9, 1.7, -0.7, 1.0, WALNUT)),
        *_things("south", (-0.6, 0.9, -0.7, 0.9, (0.3, 0.35, 0.3))),
        *_things("west", (-1.5, 0.8, -0.7, 0.0, (0.6, 0.55, 0.5))),
    ),
)  # fmt: skip

Painter = Callable[[np.random.Generator], Sky]

TRAINING: Mapping[str, Painter] = {
    "room-window": room_painter(ROOM_WINDOW),
    "room-lamps": room_painter(ROOM_LAMPS),
    "overcast": partial(draw_sky, sky=(0.94, 1.0, 1.08), ground=(0.25, 0.24, 0.22), brighter_up=1.6, clouds=0.5),
    "office-panels": room_painter(OFFICE_PANELS),
    "evening-lamp": room_painter(EVENING_LAMP),
    "shop-strip": room_painter(SHOP_STRIP),
    "garden-shade": draw_leaves,
    "kitchen-spots": room_painter(KITCHEN_SPOTS),
}

HELD_OUT: Mapping[str, Painter] = {
    "studio-softbox": room_painter(STUDIO_SOFTBOX),
    "cafe-windows": room_painter(CAFE_WINDOWS),
    "attic-skylight": room_painter(ATTIC_SKYLIGHT),
}
