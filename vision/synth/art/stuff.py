"""What lies about on a game table: cards, papers, boxes, dice, books, a phone. Textures for the clutter."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.synth.art.digits import sign
from vision.synth.art.draw import Mask, Pen, arc, ink
from vision.synth.art.icons import icon
from vision.synth.art.noise import fractal, grain, smooth
from vision.synth.art.print import handwriting, headline, text_lines
from vision.synth.art.table_look import as_picture, gradient, random_tone
from vision.synth.art.wood import paint, varied
from vision.synth.scene import Picture, Rgb

_RED: Final[Rgb] = (0.78, 0.08, 0.1)
_BLACK: Final[Rgb] = (0.07, 0.07, 0.08)


def _sheet(shape: tuple[int, int], tone: Rgb, rng: np.random.Generator) -> Picture:
    """Blank paper."""
    factor = 1 + np.float32(0.012) * grain(rng, shape) + np.float32(0.012) * smooth(rng, (4, 4), shape)
    return as_picture(cv2.merge([cv2.convertScaleAbs(factor, alpha=255 * c) for c in tone]))


def _pip(suit: str, size: int) -> Mask:
    """A playing card's suit as a mask."""
    pen = Pen(size)
    if suit == "diamond":
        pen.polygon([(0, 0.95), (0.68, 0), (0, -0.95), (-0.68, 0)])
    elif suit == "heart":
        pen.disc(-0.42, 0.35, 0.45)
        pen.disc(0.42, 0.35, 0.45)
        pen.polygon([(-0.82, 0.18), (0.82, 0.18), (0, -0.95)])
    else:
        pen.polygon([(0, 0.05), (0.3, -0.95), (-0.3, -0.95)])
        if suit == "club":
            for x, y in ((0, 0.5), (-0.48, -0.15), (0.48, -0.15)):
                pen.disc(x, y, 0.4)
        else:
            pen.disc(-0.42, -0.2, 0.42)
            pen.disc(0.42, -0.2, 0.42)
            pen.polygon([(-0.82, -0.08), (0.82, -0.08), (0, 0.95)])
    return pen.mask()


# Where the pips of the cards 1 to 10 stand: column (-1 to 1) and height (1 = top row, -1 = bottom row).
_PIPS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((0, 0),),
    2: ((0, 1), (0, -1)),
    3: ((0, 1), (0, 0), (0, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
    7: ((-1, 1), (1, 1), (0, 0.5), (-1, 0), (1, 0), (-1, -1), (1, -1)),
    8: ((-1, 1), (1, 1), (0, 0.5), (-1, 0), (1, 0), (0, -0.5), (-1, -1), (1, -1)),
    9: ((-1, 1), (1, 1), (-1, 0.33), (1, 0.33), (0, 0), (-1, -0.33), (1, -0.33), (-1, -1), (1, -1)),
}


def card_face(rng: np.random.Generator) -> Picture:
    """A playing card, 2 to 9, ace, jack, queen or king (250 x 350)."""
    suit = str(rng.choice(["heart", "diamond", "club", "spade"]))
    colour = _RED if suit in ("heart", "diamond") else _BLACK
    rank = int(rng.integers(1, 13))
    canvas = _sheet((350, 250), (0.97, 0.97, 0.95), rng)
    text = {1: "A", 10: "J", 11: "Q", 12: "K"}.get(rank, str(rank))
    for flip in (False, True):
        corner = np.zeros((350, 250), np.float32)
        mark, small = sign("roman", text, 34), _pip(suit, 24)
        corner[12:46, 12 : 12 + mark.shape[1]] = mark
        corner[52:76, 12:36] = small
        ink(canvas, np.ascontiguousarray(corner[::-1, ::-1]) if flip else corner, colour, 0, 0)
    if rank < 10:
        size = 110 if rank == 1 else 44
        for x, y in _PIPS[rank]:
            mask = _pip(suit, size)
            mask = mask if y >= 0 else np.ascontiguousarray(mask[::-1])
            ink(canvas, mask, colour, round(125 + 48 * x - size / 2), round(175 - 108 * y - size / 2))
    else:
        _court(canvas, rng)
    return canvas


def _court(canvas: Picture, rng: np.random.Generator) -> None:
    """A court card's picture, as much of it as one sees from afar: a frame, a figure, its mirror image."""
    cv2.rectangle(canvas, (48, 30), (201, 319), (38, 51, 128), 2, cv2.LINE_AA)
    robe, trim = random_tone(rng, (0.6, 0.9), (0.5, 0.85)), (0.9, 0.75, 0.2)
    pen = Pen(145)
    pen.polygon([(-0.9, -1), (0.9, -1), (0.55, -0.1), (-0.55, -0.1)])
    ink(canvas, pen.mask(), robe, 53, 31)
    for mask, tone, y in ((icon("crown-five", 54), trim, 34), (_disc(60), (0.93, 0.8, 0.7), 62)):
        ink(canvas, mask, tone, 125 - mask.shape[1] // 2, y)
    canvas[175:319] = canvas[31:175][::-1, ::-1]


def _disc(size: int) -> Mask:
    pen = Pen(size)
    pen.disc(0, 0, 0.9)
    return pen.mask()


def card_back(rng: np.random.Generator) -> Picture:
    """The back of a playing card: a lattice or rings within a white margin (250 x 350)."""
    tone = random_tone(rng, (0.5, 0.9), (0.3, 0.7))
    picture = _sheet((350, 250), (0.96, 0.96, 0.95), rng)
    inner = np.empty((322, 222, 3), np.uint8)
    inner[:] = np.clip(np.asarray(tone) * 255, 0, 255).astype(np.uint8)
    light = tuple(255 * (0.45 + 0.55 * c) for c in tone)
    step = int(rng.integers(10, 24))
    if rng.random() < 0.6:
        for offset in range(-322, 560, step):
            cv2.line(inner, (offset, 0), (offset + 322, 322), light, 2, cv2.LINE_AA)
            cv2.line(inner, (offset, 322), (offset + 322, 0), light, 2, cv2.LINE_AA)
    else:
        for radius in range(step, 220, step):
            cv2.ellipse(inner, (111, 161), (radius, radius), 0, 0, 360, light, 2, cv2.LINE_AA)
    cv2.rectangle(inner, (5, 5), (216, 316), light, 3, cv2.LINE_AA)
    picture[14:336, 14:236] = inner
    return picture


def note_paper(rng: np.random.Generator) -> Picture:
    """A sheet from a pad: ruled, squared or blank, with handwriting on most (360 x 500)."""
    yellow = rng.random() < 0.25
    picture = _sheet((500, 360), varied(rng, (0.96, 0.91, 0.6) if yellow else (0.96, 0.96, 0.94), 0.02), rng)
    pitch, style = int(rng.integers(20, 32)), rng.random()
    blue = (160, 185, 215)
    if style < 0.75:
        for y in range(pitch * 2, 500, pitch):
            cv2.line(picture, (0, y), (360, y), blue, 1, cv2.LINE_AA)
    if style < 0.3:
        for x in range(pitch, 360, pitch):
            cv2.line(picture, (x, 0), (x, 500), blue, 1, cv2.LINE_AA)
    elif style < 0.75:
        cv2.line(picture, (46, 0), (46, 500), (215, 120, 130), 1, cv2.LINE_AA)
    if rng.random() < 0.85:
        pen: Rgb = (0.1, 0.14, 0.5) if rng.random() < 0.5 else (0.15, 0.15, 0.17)
        handwriting(picture, (56, pitch, 290, int(rng.uniform(80, 440))), pitch, pen, rng)
    return picture


def score_sheet(rng: np.random.Generator) -> Picture:
    """A pad for keeping score: a printed table, some of it filled in (360 x 500)."""
    picture = _sheet((500, 360), (0.96, 0.96, 0.93), rng)
    columns, rows = int(rng.integers(3, 7)), int(rng.integers(8, 16))
    tone = tuple(255 * c for c in random_tone(rng, (0.1, 0.6), (0.2, 0.55)))
    headline(picture, (22, 22), 22, 8, (0.2, 0.2, 0.2), rng)
    xs, ys = np.linspace(20, 340, columns + 1).astype(int), np.linspace(60, 480, rows + 1).astype(int)
    for x in xs:
        cv2.line(picture, (int(x), 60), (int(x), 480), tone, 1, cv2.LINE_AA)
    for y in ys:
        cv2.line(picture, (20, int(y)), (340, int(y)), tone, 1, cv2.LINE_AA)
    filled = int(rng.integers(0, rows))
    for row in range(filled):
        for column in range(columns):
            area = (int(xs[column]) + 5, int(ys[row]) - 2, max(8, int(xs[column + 1] - xs[column]) - 14), 28)
            handwriting(picture, area, 24, (0.12, 0.13, 0.35), rng)
    return picture


def rules_page(rng: np.random.Generator) -> Picture:
    """A page of printed rules with a headline and a figure (360 x 500)."""
    picture = _sheet((500, 360), varied(rng, (0.95, 0.94, 0.9), 0.02), rng)
    colour: Rgb = _BLACK if rng.random() < 0.7 else random_tone(rng, (0.4, 0.9), (0.2, 0.5))
    headline(picture, (24, 22), 24, 9, colour, rng)
    columns = int(rng.integers(1, 3))
    width = (312 - 16 * (columns - 1)) // columns
    for column in range(columns):
        text_lines(picture, (24 + column * (width + 16), 64, width, 410), int(rng.integers(9, 13)), _BLACK, rng)
    if rng.random() < 0.7:
        x, y = 24 + int(rng.integers(0, 120)), int(rng.integers(90, 330))
        tone = tuple(255 * c for c in random_tone(rng, (0.1, 0.5), (0.6, 0.95)))
        cv2.rectangle(picture, (x, y), (x + 160, y + 110), tone, -1)
        cv2.rectangle(picture, (x, y), (x + 160, y + 110), (60, 60, 60), 1)
    return picture


def box_lid(rng: np.random.Generator) -> Picture:
    """The top of a game's box: a painted landscape under its sky, and a title (512 x 512)."""
    sky = [random_tone(rng, (0.1, 0.7), (0.35, 0.95)) for _ in range(3)]
    field = np.linspace(0.0, 1.0, 512, dtype=np.float32)[:, None] + 0.12 * fractal(rng, (2, 2), (512, 512), 5)
    picture = paint(field, gradient(*sky))
    x, y, size = int(rng.integers(60, 450)), int(rng.integers(60, 240)), int(rng.integers(20, 60))
    cv2.circle(
        picture, (x, y), size, tuple(255 * c for c in random_tone(rng, (0.0, 0.4), (0.85, 1.0))), -1, cv2.LINE_AA
    )
    tone = random_tone(rng, (0.2, 0.7), (0.05, 0.4))
    ridges = int(rng.integers(2, 6))
    for ridge in range(ridges):
        nearness = (ridge + 1) / ridges
        colour = tuple(255 * (sky[-1][c] * (1 - nearness) + tone[c] * nearness) for c in range(3))
        cells = int(rng.integers(2, 9))
        height = 512 * (0.45 + 0.42 * nearness) + 60 * fractal(rng, (1, cells), (1, 512), 5, 0.55)[0]
        outline = np.stack([np.arange(512), height], 1).astype(np.int32)
        cv2.fillPoly(picture, [np.vstack([outline, [(511, 511), (0, 511)]]).astype(np.int32)], colour, cv2.LINE_AA)
    title: Rgb = (0.97, 0.95, 0.85) if rng.random() < 0.6 else (0.1, 0.08, 0.1)
    height = int(rng.integers(44, 80))
    headline(picture, (36, int(rng.choice([30, 400]))), height, int(rng.integers(5, 9)), title, rng)
    return picture


def book_cover(rng: np.random.Generator) -> Picture:
    """A paperback or cloth-bound book (360 x 500)."""
    tone = random_tone(rng, (0.05, 0.65), (0.15, 0.85))
    picture = _sheet((500, 360), tone, rng)
    if rng.random() < 0.7:
        y0, y1 = sorted(rng.integers(0, 500, 2).tolist())
        cv2.rectangle(
            picture, (0, y0), (360, y1), tuple(255 * c for c in random_tone(rng, (0.05, 0.6), (0.1, 0.9))), -1
        )
    light: Rgb = (0.96, 0.95, 0.9) if sum(tone) < 1.6 else (0.1, 0.1, 0.12)
    top, height = int(rng.integers(40, 120)), int(rng.integers(24, 46))
    for line in range(int(rng.integers(1, 4))):
        headline(picture, (36, top + line * height * 3 // 2), height, int(rng.integers(4, 9)), light, rng)
    headline(picture, (110, 450), 16, 10, light, rng)
    return picture


def coaster(rng: np.random.Generator) -> Picture:
    """A beer mat: rings, a word, or the stain of a glass (256 x 256)."""
    picture = _sheet((256, 256), varied(rng, (0.93, 0.9, 0.82), 0.05), rng)
    tone = random_tone(rng, (0.4, 0.85), (0.2, 0.7))
    colour = tuple(255 * c for c in tone)
    cv2.circle(picture, (128, 128), 116, colour, int(rng.integers(4, 24)), cv2.LINE_AA)
    filled = rng.random() < 0.6
    if filled:
        cv2.circle(picture, (128, 128), int(rng.integers(60, 90)), colour, -1, cv2.LINE_AA)
    headline(picture, (72, 112), 32, 4, (0.95, 0.93, 0.86) if filled else tone, rng)
    if rng.random() < 0.5:
        ring = arc(128 + float(rng.normal(0, 12)), 128 + float(rng.normal(0, 12)), 86, 0, 360)
        cv2.polylines(picture, [ring.astype(np.int32)], True, (150, 120, 85), 3, cv2.LINE_AA)
    return picture


def die_face(pips: int, ground: Rgb, dots: Rgb) -> Picture:
    """One face of a die, 1 to 6 (96 x 96)."""
    columns = {
        1: (),
        2: ((-1, 1),),
        3: ((-1, 1),),
        4: ((-1, 1), (1, 1)),
        5: ((-1, 1), (1, 1)),
        6: ((-1, 1), (1, 1), (-1, 0)),
    }
    places = [p for at in columns[pips] for p in (at, (-at[0], -at[1]))] + ([(0, 0)] if pips % 2 else [])
    canvas = np.empty((96, 96, 3), np.uint8)
    canvas[:] = np.clip(np.asarray(ground) * 255, 0, 255).astype(np.uint8)
    pen = Pen(96)
    for x, y in places:
        pen.disc(0.5 * x, 0.5 * y, 0.18)
    ink(canvas, pen.mask(), dots, 0, 0)
    return canvas


def phone_screen(rng: np.random.Generator) -> Picture:
    """A phone lying there: dark, or showing a wall of app icons (240 x 500)."""
    if rng.random() < 0.5:
        return _sheet((500, 240), (0.03, 0.03, 0.04), rng)
    stops = [random_tone(rng, (0.3, 0.9), (0.1, 0.9)) for _ in range(3)]
    field = 0.5 + 0.6 * fractal(rng, (2, 2), (500, 240), 3)
    picture = paint(field, gradient(*stops))
    for row in range(int(rng.integers(2, 7))):
        for column in range(4):
            tone = tuple(255 * c for c in random_tone(rng, (0.2, 0.9), (0.5, 1.0)))
            x, y = 18 + column * 54, 60 + row * 62
            cv2.rectangle(picture, (x, y), (x + 38, y + 38), tone, -1, cv2.LINE_AA)
    cv2.rectangle(picture, (0, 0), (239, 499), (8, 8, 10), 12)
    return picture
