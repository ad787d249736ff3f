"""Tables that nobody rendered: boards are cut out of their photos and laid on drawn grounds.

The studio has some dozen tables; a network that has seen only those takes planks and terrazzo for boards. These grounds
look like nothing in particular, but there are endlessly many of them: stripes, checks, planks, speckles, clouds.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding import Array, Picture

Field = npt.NDArray[np.float32]


def on_another_table(pixels: Picture, corners: Array, rng: np.random.Generator) -> Picture:
    """The board inside its corners (clockwise, pixels) on a drawn ground, with a little of what was around it."""
    height, width = pixels.shape[:2]
    ground = table(rng, width, height).astype(np.float32)
    middle = corners.mean(axis=0)
    outline = middle + (corners - middle) * rng.uniform(1.0, 1.06)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, lineType=cv2.LINE_AA, shift=4)
    if rng.random() < 0.6:  # the board's shadow
        reach = rng.uniform(-0.03, 0.03, 2) * width
        moved = cv2.warpAffine(mask, np.array([[1, 0, reach[0]], [0, 1, reach[1]]]), (width, height))
        soft = cv2.GaussianBlur(moved, (0, 0), rng.uniform(1, 0.02 * width)).astype(np.float32) / 255
        ground *= 1 - rng.uniform(0.1, 0.6) * soft[..., None]
    share = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.2)).astype(np.float32)[..., None] / 255
    return np.asarray(pixels * share + ground * (1 - share), np.float32).clip(0, 255).astype(np.uint8)


def table(rng: np.random.Generator, width: int, height: int) -> Picture:
    """A ground of no particular stuff."""
    angle = rng.uniform(0, np.pi)
    y, x = np.mgrid[:height, :width].astype(np.float32) / max(width, height)
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    draw = (_plain, _stripes, _checks, _planks, _speckles, _clouds)[int(rng.integers(6))]
    field = draw(rng, along, across)
    colours = _palette(rng)
    shown = np.clip(field, 0, 1)[..., None] * (colours[1] - colours[0]) + colours[0]
    shown += _noise(rng, width, height, int(rng.integers(3, 12)))[..., None] * rng.uniform(0, 25)
    shown += rng.normal(0, rng.uniform(0, 8), (height, width, 1)).astype(np.float32)
    picture = shown.clip(0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 7))):
        _something(rng, picture)
    return picture


def _palette(rng: np.random.Generator) -> Field:
    """Two colours of a table: any hue, rarely gaudy, alike or far apart."""
    first = np.array([rng.uniform(0, 180), 255 * rng.beta(1.2, 2), 255 * rng.beta(2, 1.3)])
    second = first + np.array([rng.normal(0, 25), rng.normal(0, 60), rng.normal(0, 70)])
    both = np.stack([first, second]).clip([0, 0, 10], [179, 255, 255]).astype(np.uint8)
    return cv2.cvtColor(both[None], cv2.COLOR_HSV2RGB)[0].astype(np.float32)


def _plain(rng: np.random.Generator, along: Field, across: Field) -> Field:
    return np.asarray(along * rng.uniform(-1, 1) + across * rng.uniform(-1, 1) + 0.3, np.float32)


def _wave(rng: np.random.Generator, place: Field) -> Field:
    """Stripes with soft or hard edges, some of them uneven."""
    turns = rng.uniform(3, 40)
    phase = 2 * np.pi * (turns * place + rng.uniform(0, 1))
    wave = np.sin(phase) + rng.uniform(0, 0.8) * np.sin(phase * rng.uniform(0.2, 3))
    return np.asarray(0.5 + 0.5 * np.tanh(wave * rng.choice([0.5, 2.0, 10.0])), np.float32)


def _stripes(rng: np.random.Generator, along: Field, _across: Field) -> Field:
    return _wave(rng, along)


def _checks(rng: np.random.Generator, along: Field, across: Field) -> Field:
    one, other = _wave(rng, along), _wave(rng, across)
    return np.asarray((one + other) / 2 if rng.random() < 0.5 else np.abs(one - other), np.float32)


def _planks(rng: np.random.Generator, along: Field, across: Field) -> Field:
    """Boards side by side with dark seams and grain along them."""
    number = rng.uniform(3, 16)
    plank = np.floor(across * number + rng.uniform(0, 1))
    shade = np.sin(plank * rng.uniform(10, 99)) * rng.uniform(0, 0.4)
    place = (across * number) % 1.0
    seam = np.minimum(place, 1 - place) < rng.uniform(0.01, 0.08)
    grain = np.sin(2 * np.pi * (across * rng.uniform(20, 80) + 0.3 * np.sin(along * rng.uniform(3, 12))))
    return np.asarray(0.55 + shade + rng.uniform(0, 0.25) * grain - rng.uniform(0.3, 1) * seam, np.float32)


def _speckles(rng: np.random.Generator, along: Field, _across: Field) -> Field:
    height, width = along.shape
    noise = _noise(rng, width, height, int(rng.integers(15, 120)))
    level = rng.uniform(0.2, 1.5)
    return np.asarray(0.5 + 0.5 * np.tanh((noise - level) * rng.uniform(2, 20)), np.float32)


def _clouds(rng: np.random.Generator, along: Field, _across: Field) -> Field:
    height, width = along.shape
    layers = [_noise(rng, width, height, cells) / (i + 1) for i, cells in enumerate((4, 9, 21, 50))]
    return np.asarray(0.5 + 0.3 * np.sum(layers, axis=0), np.float32)


def _noise(rng: np.random.Generator, width: int, height: int, cells: int) -> Field:
    """Smooth noise, about normal, with so many bumps along the longer side, sometimes stretched."""
    stretch = float(np.exp(rng.normal(0, 0.6)))
    shape = max(2, round(cells * stretch)), max(2, round(cells / stretch))
    return np.asarray(
        cv2.resize(rng.normal(0, 1, shape).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    )


def _something(rng: np.random.Generator, picture: Picture) -> None:
    """A card, a coin, a pen, a cup: something that lies about."""
    height, width = picture.shape[:2]
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    centre = int(rng.uniform(0, width)), int(rng.uniform(0, height))
    size = width * rng.uniform(0.01, 0.18, 2)
    angle = float(rng.uniform(0, 180))
    if rng.random() < 0.5:
        box = cv2.boxPoints((centre, (float(size[0]), float(size[1])), angle))
        cv2.fillConvexPoly(picture, np.round(box).astype(np.int32), colour, cv2.LINE_AA)
    else:
        axes = int(size[0] / 2), int(size[0 if rng.random() < 0.7 else 1] / 2)
        cv2.ellipse(picture, centre, axes, angle, 0, 360, colour, -1, cv2.LINE_AA)
