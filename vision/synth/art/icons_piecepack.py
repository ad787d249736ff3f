"""Suns, arms (lilies, fountains, shields), crowns, and moons or tools: the suits of a piecepack."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from vision.synth.art.draw import Pen, Points, arc, curve, mirrored, star

Drawing = Callable[[Pen], None]


def _turned(points: Points, degrees: float) -> Points:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[c, s], [-s, c]]))


def _around(pen: Pen, points: Points, count: int, start: float = 0.0) -> None:
    """The same polygon turned about the middle ``count`` times."""
    for k in range(count):
        pen.polygon(_turned(points, start + 360 * k / count))


def _sun_rays(pen: Pen) -> None:
    pen.disc(0, 0, 0.42)
    _around(pen, np.array([(0.55, -0.08), (0.98, -0.05), (0.98, 0.05), (0.55, 0.08)]), 8)
    _around(pen, np.array([(0.55, -0.06), (0.8, -0.03), (0.8, 0.03), (0.55, 0.06)]), 8, 22.5)


def _sun_wedges(pen: Pen) -> None:
    pen.disc(0, 0, 0.5)
    _around(pen, np.array([(0.55, -0.17), (1.0, 0.0), (0.55, 0.17)]), 10, 18)


def _sun_wavy(pen: Pen) -> None:
    ray = np.vstack([curve((0.4, -0.16), (0.7, -0.3), (0.75, 0.12), (1, 0)), curve((1, 0), (0.8, 0.3), (0.4, 0.16))])
    _around(pen, ray, 9)
    pen.disc(0, 0, 0.5, 0)
    pen.disc(0, 0, 0.43)


def _sun_disc(pen: Pen) -> None:
    pen.polygon(star(16, 0.72))
    pen.disc(0, 0, 0.6, 0)
    pen.disc(0, 0, 0.5)


def _sun_face(pen: Pen) -> None:
    _around(pen, np.array([(0.6, -0.15), (1.0, 0.0), (0.6, 0.15)]), 12)
    pen.disc(0, 0, 0.62)
    pen.disc(0, 0, 0.53, 0)
    for side in (-1, 1):
        pen.disc(0.19 * side, 0.14, 0.075)
    pen.stroke(arc(0, 0.02, 0.28, 205, 335), 0.07)


def _sun_twelve(pen: Pen) -> None:
    pen.polygon(star(12, 0.5))
    pen.disc(0, 0, 0.3, 0)
    pen.disc(0, 0, 0.18)


def _sun_spiral(pen: Pen) -> None:
    angles = np.linspace(0, 4.2 * np.pi, 90)
    radii = 0.06 + 0.5 * angles / angles[-1]
    pen.stroke(np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1), 0.1)
    for k in range(11):
        pen.stroke(_turned(np.array([(0.76, 0.0), (0.95, 0.0)]), 360 * k / 11), 0.09)


def _sun_half(pen: Pen) -> None:
    pen.polygon(arc(0, -0.4, 0.5, 0, 180))
    pen.polygon([(-0.95, -0.6), (0.95, -0.6), (0.95, -0.48), (-0.95, -0.48)])
    for angle in (20, 55, 90, 125, 160):
        ray = _turned(np.array([(0.62, -0.09), (1.05, 0.0), (0.62, 0.09)]), angle)
        pen.polygon(ray - np.array([0, 0.4]))


def _sun_cut(pen: Pen) -> None:
    """A negative sun: white rays cut out of a disc."""
    pen.disc(0, 0, 1)
    for k in range(8):
        pen.polygon(_turned(np.array([(0.45, -0.1), (0.88, 0.0), (0.45, 0.1)]), 45 * k), 0)
    pen.disc(0, 0, 0.36, 0)


def _petals(bulge: float, width: float) -> Points:
    """A lily's middle petal, right half from the top."""
    return np.vstack([curve((0, 1), (bulge, 0.55), (bulge, 0.3), (width, -0.2)), np.array([(0, -0.2)])])


def _lily(pen: Pen, bulge: float, hook: float, thickness: float) -> None:
    pen.polygon(mirrored(_petals(bulge, thickness)))
    side = np.vstack(
        [
            curve((0.06, -0.2), (0.25, 0.15), (0.45, 0.62), (0.82, 0.42), (0.92, 0.1)),
            curve((0.92, 0.1), (0.9, -0.12), (0.62, -0.2), (0.6, 0.02)),
            curve((0.6, 0.02), (0.66, 0.2), (0.42, 0.25), (0.4, hook), (0.3, -0.2)),
        ]
    )
    pen.polygon(side)
    pen.polygon(side * (-1, 1))
    pen.polygon([(-0.45, -0.36), (0.45, -0.36), (0.45, -0.2), (-0.45, -0.2)])
    tail = np.vstack([[(0, -0.36)], curve((0.12, -0.36), (0.16, -0.62), (0.34, -0.72)), [(0.1, -0.7), (0, -1)]])
    pen.polygon(mirrored(tail))


def _arms_lily(pen: Pen) -> None:
    _lily(pen, 0.34, 0.0, 0.1)


def _arms_lily_bold(pen: Pen) -> None:
    _lily(pen, 0.56, -0.05, 0.16)
    pen.polygon([(-0.5, -0.29), (0.5, -0.29), (0.5, -0.24), (-0.5, -0.24)], 0)


def _arms_fountain(pen: Pen) -> None:
    pen.polygon(np.vstack([arc(0, -0.42, 0.85, 180, 360, squash=0.55), [(0.85, -0.3), (-0.85, -0.3)]]))
    pen.polygon([(-0.4, -1), (0.4, -1), (0.14, -0.8), (-0.14, -0.8)])
    pen.stroke([(0, -0.3), (0, 0.9)], 0.12)
    for side in (-1, 1):
        pen.stroke(curve((0, 0.55), (0.1 * side, 1.1), (0.45 * side, 0.9), (0.45 * side, -0.1)), 0.11)
        pen.stroke(curve((0, 0.6), (0.3 * side, 1.25), (0.85 * side, 0.8), (0.8 * side, 0.1)), 0.11)


def _arms_shield(pen: Pen) -> None:
    shield = np.vstack([[(0, 0.95), (0.8, 0.95)], curve((0.8, 0.95), (0.9, -0.35), (0, -1))])
    pen.polygon(mirrored(shield))
    inside = shield * 0.82 + (0, 0.02)
    pen.polygon(mirrored(inside), 0)
    pen.polygon(np.vstack([inside, [(0, 0.8)]]))
    pen.stroke([(0, 0.9), (0, -0.9)], 0.1)


def _arms_jet(pen: Pen) -> None:
    """Water: three drops over a basin."""
    for x, y, size in ((0, 0.55, 0.42), (-0.58, 0.15, 0.32), (0.58, 0.15, 0.32)):
        drop = np.vstack([curve((0, 1.1), (0.15, 0.5), (0.62, 0.2), (0.62, -0.25)), arc(0, -0.25, 0.62, 0, -90)])
        pen.polygon(mirrored(drop) * size + (x, y))
    pen.polygon([(-0.95, -0.45), (0.95, -0.45), (0.62, -0.9), (-0.62, -0.9)])


def _arms_anchor(pen: Pen) -> None:
    pen.ring(0, 0.74, 0.17, 0.12)
    pen.stroke([(0, 0.58), (0, -0.85)], 0.16)
    pen.stroke([(-0.42, 0.34), (0.42, 0.34)], 0.14)
    pen.stroke(arc(0, -0.12, 0.74, 195, 345), 0.15)
    for side in (-1, 1):
        pen.polygon([(0.92 * side, 0.02), (0.5 * side, -0.2), (0.86 * side, -0.46)])


def _arms_fleur_thin(pen: Pen) -> None:
    pen.stroke(curve((0, -0.9), (0, 0), (0, 0.6)), 0.1)
    pen.polygon(mirrored(np.vstack([curve((0, 1), (0.28, 0.6), (0.2, 0.25), (0, 0.0))])))
    for side in (-1, 1):
        arm = curve((0, -0.5), (0.25 * side, 0.35), (0.85 * side, 0.75), (0.85 * side, 0.1))
        pen.stroke(
            np.vstack([arm, arc(0.66 * side, 0.08, 0.19, 0 if side > 0 else 180, -150 if side > 0 else 330)]), 0.1
        )
        pen.stroke(curve((0, -0.5), (0.2 * side, -0.75), (0.45 * side, -0.85)), 0.1)
    pen.stroke([(-0.3, -0.42), (0.3, -0.42)], 0.1)


def _arms_spring(pen: Pen) -> None:
    """Water in waves under one jet."""
    x = np.linspace(-0.92, 0.92, 40)
    for level in (-0.4, -0.66, -0.92):
        pen.stroke(np.stack([x, level + 0.09 * np.cos(x * 9)], 1), 0.11)
    for side in (-1, 1):
        pen.stroke(curve((0, -0.2), (0.05 * side, 1.3), (0.75 * side, 1.1), (0.62 * side, 0.15)), 0.13)
    pen.disc(0, 0.9, 0.1)


def _arms_cross(pen: Pen) -> None:
    """A heraldic cross with widening arms."""
    arm = np.array([(0.1, -0.12), (0.1, 0.12), (0.98, 0.42), (0.86, 0.0), (0.98, -0.42)])
    _around(pen, arm, 4)
    pen.disc(0, 0, 0.22)


def _crown_body(tips: list[tuple[float, float]], notch: float, base: float = -0.6) -> Points:
    """A crown's outline: tips from left to right with notches in between."""
    outline = [(-0.72, base), *tips[:1]]
    for (x0, _), (x1, y1) in pairwise(tips):
        outline += [((x0 + x1) / 2, notch), (x1, y1)]
    return np.array([*outline, (0.72, base)])


def _crown_three(pen: Pen) -> None:
    pen.polygon(_crown_body([(-0.95, 0.45), (0, 0.75), (0.95, 0.45)], -0.05))
    pen.polygon([(-0.72, -0.82), (0.72, -0.82), (0.72, -0.68), (-0.72, -0.68)])


def _crown_four(pen: Pen) -> None:
    pen.polygon(_crown_body([(-0.92, 0.6), (-0.32, 0.6), (0.32, 0.6), (0.92, 0.6)], -0.1, -0.7))
    pen.polygon([(-0.72, -0.5), (0.72, -0.5), (0.72, -0.42), (-0.72, -0.42)], 0)


def _crown_five(pen: Pen) -> None:
    pen.polygon(_crown_body([(-0.98, 0.32), (-0.56, 0.62), (0, 0.78), (0.56, 0.62), (0.98, 0.32)], -0.08, -0.7))


def _crown_balls(pen: Pen) -> None:
    tips = [(-0.86, 0.38), (-0.3, 0.56), (0.3, 0.56), (0.86, 0.38)]
    pen.polygon(_crown_body(tips, -0.2, -0.5))
    for x, y in tips:
        pen.disc(x, y + 0.08, 0.14)
    pen.polygon([(-0.74, -0.8), (0.74, -0.8), (0.74, -0.6), (-0.74, -0.6)])


def _crown_flat(pen: Pen) -> None:
    """Battlements: a mural crown."""
    pen.polygon([(-0.85, -0.7), (0.85, -0.7), (0.85, 0.0), (-0.85, 0.0)])
    for x in (-0.69, -0.23, 0.23, 0.69):
        pen.polygon([(x - 0.15, 0), (x + 0.15, 0), (x + 0.18, 0.55), (x - 0.18, 0.55)])
    pen.polygon([(-0.85, -0.42), (0.85, -0.42), (0.85, -0.3), (-0.85, -0.3)], 0)


def _crown_outline(pen: Pen) -> None:
    outline = _crown_body([(-0.9, 0.5), (0, 0.78), (0.9, 0.5)], -0.12, -0.7)
    pen.stroke(outline, 0.13, closed=True)
    pen.stroke([(-0.66, -0.46), (0.66, -0.46)], 0.1)
    for x in (-0.36, 0, 0.36):
        pen.disc(x, -0.22, 0.08)


def _crown_arched(pen: Pen) -> None:
    """A royal crown with arches and a cross."""
    pen.polygon([(-0.66, -0.85), (0.66, -0.85), (0.74, -0.55), (-0.74, -0.55)])
    for side in (-1, 1):
        pen.stroke(curve((0.66 * side, -0.5), (1.15 * side, 0.35), (0.5 * side, 0.62), (0, 0.2)), 0.13)
    pen.stroke([(0, -0.5), (0, 0.95)], 0.13)
    pen.stroke([(-0.22, 0.68), (0.22, 0.68)], 0.12)


def _crown_spiked(pen: Pen) -> None:
    for x, height in ((-0.8, 0.35), (-0.48, 0.62), (-0.16, 0.82), (0.16, 0.82), (0.48, 0.62), (0.8, 0.35)):
        pen.polygon([(x * 0.86 - 0.12, -0.45), (x * 0.86 + 0.12, -0.45), (x * 1.08, height)])
    pen.polygon(np.vstack([arc(0, -0.45, 0.82, 180, 360, squash=0.4), [(0.82, -0.4), (-0.82, -0.4)]]))


def _crown_coronet(pen: Pen) -> None:
    for x in (-0.66, 0.0, 0.66):
        for dx, dy in ((0, 0.55), (-0.15, 0.36), (0.15, 0.36)):
            pen.disc(x + dx, dy, 0.14)
        pen.polygon([(x - 0.05, 0.4), (x + 0.05, 0.4), (x + 0.12, -0.2), (x - 0.12, -0.2)])
    pen.polygon([(-0.86, -0.62), (0.86, -0.62), (0.86, -0.18), (-0.86, -0.18)])
    for x in (-0.5, 0.0, 0.5):
        pen.polygon(star(4, 0.14, 0.16) * (1.0, 0.8) + (x, -0.4), 0)


def _crescent(radius: float, bite: float, shift: float, turn: float = 0.0) -> Points:
    """The part of a disc that another disc does not cover; opens to the east before it is turned."""
    cross = (radius**2 - bite**2 + shift**2) / (2 * shift)
    outer, inner = np.degrees(np.arccos(cross / radius)), np.degrees(np.arccos((cross - shift) / bite))
    points = np.vstack([arc(0, 0, radius, outer, 360 - outer), arc(shift, 0, bite, 360 - inner, inner)])
    return _turned(points, turn)


def _moon_crescent(pen: Pen) -> None:
    pen.polygon(_crescent(0.95, 0.8, 0.42, 25))


def _moon_thick(pen: Pen) -> None:
    pen.polygon(_crescent(0.95, 0.62, 0.5))


def _moon_star(pen: Pen) -> None:
    pen.polygon(_crescent(0.95, 0.78, 0.34, -15))
    pen.polygon(star(5, 0.12, 0.3) + np.array([0.36, 0.12]))


def _moon_phase(pen: Pen) -> None:
    """A half moon with its dark half as a line."""
    pen.polygon(arc(0, 0, 0.92, 90, 270))
    pen.ring(0, 0, 0.88, 0.09)


def _moon_rimmed(pen: Pen) -> None:
    pen.disc(0, 0, 0.97)
    pen.disc(0, 0, 0.86, 0)
    pen.polygon(_crescent(0.7, 0.56, 0.34, 160))


def _tool_hammer(pen: Pen) -> None:
    handle = np.array([(-0.09, -0.95), (0.09, -0.95), (0.07, 0.5), (-0.07, 0.5)])
    head = np.array([(-0.5, 0.34), (0.5, 0.42), (0.62, 0.62), (0.5, 0.86), (-0.5, 0.86)])
    for part in (handle, head):
        pen.polygon(_turned(part, -28))


def _tool_crossed(pen: Pen) -> None:
    """A hammer and a pick, crossed: the sign of mines."""
    for side in (-1, 1):
        pen.polygon(_turned(np.array([(-0.08, -0.98), (0.08, -0.98), (0.08, 0.8), (-0.08, 0.8)]), 40 * side))
    pen.polygon(_turned(np.array([(-0.38, 0.56), (0.38, 0.56), (0.38, 0.9), (-0.38, 0.9)]), 40))
    pick = np.vstack(
        [curve((-0.6, 0.42), (-0.2, 1.05), (0.2, 1.05), (0.6, 0.42)), curve((0.6, 0.42), (0, 0.9), (-0.6, 0.42))]
    )
    pen.polygon(_turned(pick, -40))


def _tool_gear(pen: Pen) -> None:
    tooth = np.array([(0.6, -0.2), (0.98, -0.13), (0.98, 0.13), (0.6, 0.2)])
    _around(pen, tooth, 8)
    pen.disc(0, 0, 0.72)
    pen.disc(0, 0, 0.32, 0)


def _tool_spade(pen: Pen) -> None:
    pen.stroke([(0, 0.1), (0, 0.85)], 0.13)
    pen.stroke([(-0.22, 0.88), (0.22, 0.88)], 0.14)
    blade = np.vstack([[(0, 0.15), (0.42, 0.15)], curve((0.42, 0.15), (0.52, -0.6), (0, -1))])
    pen.polygon(mirrored(blade))
    pen.stroke([(0, -0.1), (0, -0.6)], 0.07, 0)


DRAWINGS: Final[dict[str, Drawing]] = {
    "sun-rays": _sun_rays,
    "sun-wedges": _sun_wedges,
    "sun-wavy": _sun_wavy,
    "sun-disc": _sun_disc,
    "sun-face": _sun_face,
    "sun-twelve": _sun_twelve,
    "sun-spiral": _sun_spiral,
    "sun-half": _sun_half,
    "sun-cut": _sun_cut,
    "arms-lily": _arms_lily,
    "arms-lily-bold": _arms_lily_bold,
    "arms-fountain": _arms_fountain,
    "arms-shield": _arms_shield,
    "arms-jet": _arms_jet,
    "arms-anchor": _arms_anchor,
    "arms-fleur-thin": _arms_fleur_thin,
    "arms-spring": _arms_spring,
    "arms-cross": _arms_cross,
    "crown-three": _crown_three,
    "crown-four": _crown_four,
    "crown-five": _crown_five,
    "crown-balls": _crown_balls,
    "crown-flat": _crown_flat,
    "crown-outline": _crown_outline,
    "crown-arched": _crown_arched,
    "crown-spiked": _crown_spiked,
    "crown-coronet": _crown_coronet,
    "moon-crescent": _moon_crescent,
    "moon-thick": _moon_thick,
    "moon-star": _moon_star,
    "moon-phase": _moon_phase,
    "moon-rimmed": _moon_rimmed,
    "tool-hammer": _tool_hammer,
    "tool-crossed": _tool_crossed,
    "tool-gear": _tool_gear,
    "tool-spade": _tool_spade,
}
