"""Bolts, circles, stars and pyramids: the guilds of Alien City 2.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from vision.synth.art.draw import Pen, arc, star

Drawing = Callable[[Pen], None]

_BOLT = np.array([(0.18, 1.0), (-0.52, -0.12), (-0.06, -0.12), (-0.24, -1.0), (0.54, 0.26), (0.06, 0.26), (0.44, 1.0)])
_TRIANGLE = np.array([(0.0, 0.85), (0.95, -0.75), (-0.95, -0.75)])


def _bolt_plain(pen: Pen) -> None:
    pen.polygon(_BOLT)


def _bolt_slim(pen: Pen) -> None:
    pen.polygon([(0.25, 1), (-0.36, 0.05), (0.02, 0.0), (-0.3, -1), (0.36, 0.12), (0.0, 0.17)])


def _bolt_wide(pen: Pen) -> None:
    pen.polygon([(-0.1, 1), (-0.7, -0.1), (-0.15, -0.06), (-0.45, -1), (0.75, 0.25), (0.15, 0.22), (0.6, 1)])


def _bolt_double(pen: Pen) -> None:
    for x in (-0.42, 0.42):
        pen.polygon(_BOLT * (0.72, 0.95) + (x, 0))


def _bolt_outline(pen: Pen) -> None:
    pen.stroke(_BOLT * 0.9, 0.13, closed=True)


def _bolt_ring(pen: Pen) -> None:
    pen.ring(0, 0, 0.9, 0.12)
    pen.polygon(_BOLT * 0.66)


def _bolt_jagged(pen: Pen) -> None:
    """A lightning with three bends and an arrow's point."""
    pen.stroke([(0.42, 0.95), (-0.12, 0.42), (0.32, 0.22), (-0.22, -0.3), (0.12, -0.42), (-0.24, -0.72)], 0.17)
    pen.polygon([(-0.55, -0.52), (-0.45, -1.0), (0.06, -0.82)])


def _circle_disc(pen: Pen) -> None:
    pen.disc(0, 0, 1)


def _circle_ring(pen: Pen) -> None:
    pen.ring(0, 0, 0.82, 0.32)


def _circle_double(pen: Pen) -> None:
    pen.ring(0, 0, 0.9, 0.16)
    pen.ring(0, 0, 0.48, 0.16)


def _circle_dot(pen: Pen) -> None:
    pen.ring(0, 0, 0.88, 0.18)
    pen.disc(0, 0, 0.42)


def _circle_shaded(pen: Pen) -> None:
    """A ball: a lighter crescent on the side of the light."""
    pen.disc(0, 0, 1)
    pen.disc(-0.2, 0.2, 0.66, 0.75)
    pen.disc(-0.32, 0.32, 0.2, 0.1)


def _circle_target(pen: Pen) -> None:
    pen.disc(0, 0, 1)
    pen.disc(0, 0, 0.76, 0)
    pen.disc(0, 0, 0.56)
    pen.disc(0, 0, 0.26, 0)


def _circle_split(pen: Pen) -> None:
    """One half full, the other a line."""
    pen.ring(0, 0, 0.92, 0.13)
    pen.polygon(arc(0, 0, 0.92, -45, 135))


def _star_five(pen: Pen) -> None:
    pen.polygon(star(5, 0.4))


def _star_six(pen: Pen) -> None:
    pen.polygon(star(6, 0.56))


def _star_eight(pen: Pen) -> None:
    pen.polygon(star(8, 0.55))


def _star_outline(pen: Pen) -> None:
    pen.stroke(star(5, 0.42, 0.92), 0.13, closed=True)


def _star_round(pen: Pen) -> None:
    pen.stroke(star(5, 0.46, 0.78), 0.3, closed=True)
    pen.polygon(star(5, 0.46, 0.78))


def _star_four(pen: Pen) -> None:
    pen.polygon(star(4, 0.26))
    pen.polygon(star(4, 0.2, 0.52, 45))


def _star_inlaid(pen: Pen) -> None:
    """A five-pointed star with every other facet left light, like a compass rose."""
    outline = star(5, 0.4)
    pen.polygon(outline)
    for k in range(5):
        tip, inner = outline[2 * k], outline[2 * k + 1]
        pen.polygon([tuple(tip * 0.86), tuple(inner * 0.84), (0, 0)], 0.15)


def _pyramid_plain(pen: Pen) -> None:
    pen.polygon(_TRIANGLE)


def _pyramid_stepped(pen: Pen) -> None:
    for level in range(5):
        half = 0.98 - level * 0.2
        bottom = -0.75 + level * 0.31
        pen.polygon([(-half, bottom), (half, bottom), (half, bottom + 0.25), (-half, bottom + 0.25)])


def _pyramid_shaded(pen: Pen) -> None:
    pen.polygon([(-0.1, 0.85), (0.35, -0.8), (-0.95, -0.55)])
    pen.polygon([(-0.1, 0.85), (0.35, -0.8), (0.95, -0.4)], 0.55)


def _pyramid_outline(pen: Pen) -> None:
    pen.stroke(_TRIANGLE * 0.9, 0.14, closed=True)


def _pyramid_split(pen: Pen) -> None:
    """Two faces with a gap along the edge between them."""
    pen.polygon([(-0.06, 0.85), (-0.06, -0.85), (-0.95, -0.62)])
    pen.polygon([(0.06, 0.85), (0.06, -0.85), (0.95, -0.62)])


def _pyramid_eye(pen: Pen) -> None:
    """A cut top floating above the body."""
    pen.polygon([(0, 0.95), (0.36, 0.32), (-0.36, 0.32)])
    pen.polygon([(-0.45, 0.16), (0.45, 0.16), (0.98, -0.8), (-0.98, -0.8)])
    pen.disc(0, 0.5, 0.09, 0)


def _pyramid_bricks(pen: Pen) -> None:
    pen.polygon(_TRIANGLE)
    for level, offsets in ((-0.42, (0.0,)), (-0.08, (-0.28, 0.28)), (0.26, (0.0,))):
        pen.stroke([(-1, level), (1, level)], 0.07, 0)
        for x in offsets:
            pen.stroke([(x, level), (x, level + 0.34)], 0.07, 0)
    for x in (-0.45, 0.0, 0.45):
        pen.stroke([(x, -0.75), (x, -0.42)], 0.07, 0)


DRAWINGS: Final[dict[str, Drawing]] = {
    "bolt-plain": _bolt_plain,
    "bolt-slim": _bolt_slim,
    "bolt-wide": _bolt_wide,
    "bolt-double": _bolt_double,
    "bolt-outline": _bolt_outline,
    "bolt-ring": _bolt_ring,
    "bolt-jagged": _bolt_jagged,
    "circle-disc": _circle_disc,
    "circle-ring": _circle_ring,
    "circle-double": _circle_double,
    "circle-dot": _circle_dot,
    "circle-shaded": _circle_shaded,
    "circle-target": _circle_target,
    "circle-split": _circle_split,
    "star-five": _star_five,
    "star-six": _star_six,
    "star-eight": _star_eight,
    "star-outline": _star_outline,
    "star-round": _star_round,
    "star-four": _star_four,
    "star-inlaid": _star_inlaid,
    "pyramid-plain": _pyramid_plain,
    "pyramid-stepped": _pyramid_stepped,
    "pyramid-shaded": _pyramid_shaded,
    "pyramid-outline": _pyramid_outline,
    "pyramid-split": _pyramid_split,
    "pyramid-eye": _pyramid_eye,
    "pyramid-bricks": _pyramid_bricks,
}
