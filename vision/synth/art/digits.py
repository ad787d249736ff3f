"""Digit fonts: skeletons of the signs, and pens that walk along them.

A font is a few numbers (which skeleton, how wide a nib at which angle, slant, serifs); together they give
shapes as far apart as those of printed sets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from calibration.looks import DIGITS
from vision.synth.art.draw import Mask, Pen, Points, arc
from vision.synth.art.glyphs import angular_skeleton, round_skeleton, segment_skeleton

_FULL_SIZE = 256
_CUT = "/"  # between a font's name and the number of one of its cuts
_REACH = 0.72  # where the skeleton ends in the drawing frame; the rest is room for the nib


@dataclass(frozen=True, slots=True)
class Font:
    """How a font looks. Widths are shares of half the sign's height."""

    nib: tuple[float, float]  # width and height of the pen's tip
    nib_angle: float = 0.0
    ends: Literal["round", "cut", "nib"] = "cut"
    skeleton: Literal["round", "angular", "segment"] = "round"
    width: float = 1.0
    slant: float = 0.0  # degrees
    open_four: bool = False
    flat_three: bool = False
    low_waist: float = 0.0  # moves the middle of the signs down
    serif: float = 0.0  # length of slabs at the ends of upright strokes
    ball: float = 0.0  # radius of balls at the ends of curves
    stencil: float = 0.0  # width of the bridges
    hollow: float = 0.0  # line width of an outline font
    wobble: float = 0.0


FONTS: Final[dict[str, Font]] = {
    "grotesk": Font(nib=(0.25, 0.25)),
    "condensed": Font(nib=(0.28, 0.28), width=0.7),
    "rounded": Font(nib=(0.36, 0.36), ends="round", width=1.08, open_four=True),
    "roman": Font(nib=(0.28, 0.1), nib_angle=18, ends="nib", serif=0.2, ball=0.1),
    "didone": Font(nib=(0.31, 0.06), ends="nib", serif=0.24, ball=0.15, width=0.95),
    "slab": Font(nib=(0.22, 0.22), serif=0.26, flat_three=True, width=1.1),
    "octagon": Font(nib=(0.32, 0.32), skeleton="angular", ends="cut"),
    "stencil": Font(nib=(0.38, 0.26), ends="nib", stencil=0.13),
    "script": Font(nib=(0.2, 0.09), nib_angle=42, ends="nib", slant=13, open_four=True, wobble=0.05, width=0.95),
    "deco": Font(nib=(0.15, 0.15), low_waist=0.3, width=0.84, flat_three=True),
    "hollow": Font(nib=(0.44, 0.44), hollow=0.09, width=1.1),
    "typewriter": Font(nib=(0.13, 0.13), ends="round", serif=0.2, width=1.15, flat_three=True, ball=0.1),
    "segment": Font(nib=(0.26, 0.26), skeleton="segment", slant=8),
}


def font_names(held_out: bool | None = None) -> tuple[str, ...]:
    """All fonts, or only those that are (or are not) kept away from training."""
    return DIGITS.names(held_out)


def varied(font: str, number: int) -> str:
    """The name of another cut of a font: other weight, width, slant, waist and serifs."""
    return f"{font}{_CUT}{number}"


def base_font(name: str) -> str:
    """The font that a cut belongs to."""
    return name.partition(_CUT)[0]


def _font(name: str) -> Font:
    font, number = FONTS[base_font(name)], name.partition(_CUT)[2]
    return _another_cut(font, int(number)) if number else font


def _another_cut(font: Font, number: int) -> Font:
    rng = np.random.default_rng(number)
    weight, flat = rng.uniform(0.65, 1.3), rng.uniform(0.8, 1.25)
    return replace(
        font,
        nib=(font.nib[0] * weight, font.nib[1] * weight * flat),
        nib_angle=font.nib_angle + rng.normal(0, 8),
        width=font.width * rng.uniform(0.8, 1.2),
        slant=font.slant + rng.normal(0, 5),
        open_four=bool(rng.random() < 0.4),
        flat_three=bool(rng.random() < 0.4),
        low_waist=rng.uniform(-0.1, 0.15),
        serif=font.serif * rng.uniform(0.5, 1.4),
        ball=font.ball * rng.uniform(0.5, 1.3),
        wobble=font.wobble + max(0.0, rng.normal(0, 0.03)),
    )


def sign(font: str, text: str, height: int) -> Mask:
    """One digit or letter (0-9, A-H, J, K, Q) as a mask of the given height that its ink just fills."""
    full = _full(font, text)
    width = max(1, round(full.shape[1] * height / full.shape[0]))
    return np.asarray(cv2.resize(full, (width, height), interpolation=cv2.INTER_AREA), np.float32)


@lru_cache(maxsize=256)
def _full(name: str, text: str) -> Mask:
    font = _font(name)
    pen = Pen(_FULL_SIZE)
    _write(pen, font, text)
    mask = pen.mask()
    rows, columns = np.flatnonzero(mask.max(1) > 0.1), np.flatnonzero(mask.max(0) > 0.1)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _write(pen: Pen, font: Font, text: str) -> None:
    if font.skeleton == "segment":
        for bar in segment_skeleton(text):
            _segment(pen, _shaped(bar, font), font.nib[0])
        return
    if font.skeleton == "angular":
        paths = angular_skeleton(text)
    else:
        paths = round_skeleton(text, font.open_four, font.flat_three)
    shaped = [_shaped(path, font) for path in paths]
    for path in shaped:
        _walk(pen, font, path)
    if font.ends == "cut":
        for side in (-1, 1):
            level = _REACH + font.nib[0] / 2
            pen.polygon([(-1, side * level), (1, side * level), (1, side * 1.2), (-1, side * 1.2)], 0)
    for path in shaped:
        _finish_ends(pen, font, path)
    if font.stencil:
        pen.polygon(_bridge(font.stencil), 0)
    if font.hollow:
        pen.outline(font.hollow)


def _walk(pen: Pen, font: Font, path: Points) -> None:
    if font.ends == "round":
        pen.stroke(path, font.nib[0])
    elif font.ends == "cut":
        pen.band(_lengthened(path, font.nib[0] / 2), font.nib[0])
    else:
        pen.sweep(path, _nib(font))


def _lengthened(path: Points, length: float) -> Points:
    """Straight ends at the top or the bottom reach as far as horizontal strokes do (and are cut off level there)."""
    longer = path.copy()
    for end, inner in ((0, 1), (-1, -2)):
        step = path[end] - path[inner]
        if abs(abs(path[end, 1]) - _REACH) < 0.02 and abs(step[1]) > abs(step[0]) and np.hypot(*step) > 0.2:
            longer[end] += step * 2 * length / abs(step[1])
    return longer


def _nib(font: Font) -> Points:
    ellipse = arc(0, 0, 0.5, 0, 360, 20) * font.nib
    c, s = np.cos(np.radians(font.nib_angle)), np.sin(np.radians(font.nib_angle))
    return np.asarray(ellipse @ np.array([[c, s], [-s, c]]))


def _shaped(path: Points, font: Font) -> Points:
    """The skeleton narrowed, slanted, with its waist moved, inside the frame with room for the nib."""
    x, y = path[:, 0] * font.width, path[:, 1].copy()
    y = y - font.low_waist * (1 - np.clip(np.abs(y), 0, 1))
    if font.wobble:
        x = x + font.wobble * np.sin(3.1 * y + 0.6)
        y = y + font.wobble * 0.6 * np.sin(4.3 * x + 1.1)
    x = x + y * np.tan(np.radians(font.slant))
    return np.stack([x, y], 1) * _REACH


def _finish_ends(pen: Pen, font: Font, path: Points) -> None:
    """Serifs on straight ends and balls on curved ones."""
    if np.allclose(path[0], path[-1]):
        return
    for end, inner, further in (
        (path[0], path[1], path[2] if len(path) > 2 else path[1]),
        (path[-1], path[-2], path[-3]) if len(path) > 2 else (path[-1], path[-2], path[-2]),
    ):
        step = end - inner
        curved = bool(np.hypot(*step) < 0.12) and bool(np.hypot(*(inner - further)) < 0.12)
        thin = font.nib[1]
        if curved and font.ball:
            pen.disc(end[0], end[1], font.ball)
        elif not curved and font.serif and abs(step[1]) > 0.5 * abs(step[0]) and abs(end[1]) > 0.5:
            pen.band(np.array([(end[0] - font.serif, end[1]), (end[0] + font.serif, end[1])]), max(thin, 0.09))
        elif not curved and font.serif and abs(end[1]) > 0.5:
            pen.band(np.array([(end[0], end[1]), (end[0], end[1] + np.sign(-end[1]) * font.serif)]), max(thin, 0.09))


def _segment(pen: Pen, bar: Points, width: float) -> None:
    """One bar of a seven-segment sign: pointed ends, a gap to its neighbours."""
    (x0, y0), (x1, y1) = bar[0], bar[-1]
    along = np.array([x1 - x0, y1 - y0])
    along /= np.hypot(*along)
    across = np.array([-along[1], along[0]]) * width / 2
    start, end = bar[0] + along * 0.06, bar[-1] - along * 0.06
    inset = along * width / 2
    pen.polygon(
        np.array(
            [start, start + inset + across, end - inset + across, end, end - inset - across, start + inset - across]
        )
    )


def _bridge(width: float) -> Points:
    return np.array([(-width / 2 - 0.04, -1), (width / 2 - 0.04, -1), (width / 2 + 0.04, 1), (-width / 2 + 0.04, 1)])
