"""The stages of reading a photo as pictures, for people who want to know where a reading went wrong.

Nothing here is part of reading: the stages are computed again from the photo and from what was read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.errors import CityscanError, Unreadable
from engine.fields import Field
from engine.game import game
from engine.sheet import Drawing
from vision.boards import GAMES, VIEWS
from vision.finding import Array, Picture, letterbox
from vision.locate import Found, align, first_guesses, locator_maps
from vision.networks import model_cards
from vision.photo import Photo
from vision.pose import View, view_of
from vision.reading import Reading
from vision.rectify import rectify

_Colour = tuple[int, int, int]

GREEN: Final = (60, 220, 90)
RED: Final = (255, 60, 60)
ORANGE: Final = (255, 160, 40)
WHITE: Final = (255, 255, 255)
BLACK: Final = (0, 0, 0)
# What was read is drawn on a board of about this many pixels.
READING_SIDE: Final = 1000
# The terminal's signs, as far as they are not ASCII, in letters that a picture can show.
_PLAIN: Final = str.maketrans({"▲": "^", "●": "o", "·": " "})
_LONGEST_NAME: Final = 100


def folder_for(parent: Path, name: str) -> Path:
    """A folder for the stages of one input, of which only letters, digits, dots and dashes are kept."""
    return parent / (re.sub(r"[^\w.-]+", "-", name).strip("-.")[-_LONGEST_NAME:] or "photo")


def write_stages(folder: Path, photo: Photo, outcome: Reading | CityscanError) -> None:
    """Write what there is to see of a photo that was read, or of one that could not be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder, "01-photo", photo.pixels)
        straight = photo.straightened()
        if "locator" in model_cards():
            _write(folder, "02-locator", located(straight.pixels))
        if isinstance(outcome, Reading):
            _write_reading(folder, straight, outcome)
            document = _in_full(outcome)
        else:
            if "aligner" in model_cards():
                suspects = [align(straight.pixels, quad) for quad in first_guesses(straight.pixels)]
                _write(folder, "03-outline", suspected(straight.pixels, suspects))
            document = {"ok": False, "error": {"kind": outcome.kind, "message": outcome.message}}
        (folder / "reading.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unreadable(f'the stages cannot be written to "{folder}" ({reason}); name another folder.') from None


def _write_reading(folder: Path, photo: Photo, reading: Reading) -> None:
    rules = game(reading.game)
    drawing = rules.drawing(rules.load(Field(dict(reading.state))))
    cells = (len(drawing.column_labels), len(drawing.row_labels))
    height, width = photo.pixels.shape[:2]
    corners = photo.from_full(reading.corners)
    view = view_of(corners, (float(cells[0]), float(cells[1])), (width, height), photo.focal_px)
    _write(folder, "03-outline", outlined(photo.pixels, view, cells))
    shown = VIEWS[reading.game]
    planes = rectify(photo.pixels, view, cells, shown.cell_px, shown.heights, shown.margin_px)
    for number, level in enumerate(shown.heights):
        _write(folder, f"04-rectified-{level:.2f}", planes[:, :, 3 * number : 3 * number + 3])
    cell_px = READING_SIDE // max(cells)
    straight = rectify(photo.pixels, view, cells, cell_px, (0.0,), cell_px // 2)
    _write(folder, "05-reading", read_over(straight, drawing, reading, cell_px))


def _in_full(reading: Reading) -> dict[str, Any]:
    """Everything that was thought of, not only what is doubtful."""
    return {
        "ok": True,
        "state": dict(reading.state),
        "reading": reading.to_json(),
        "probabilities": {
            place: [candidate.to_json() for candidate in guess.candidates] for place, guess in reading.guesses.items()
        },
        "milliseconds": {stage: round(spent, 2) for stage, spent in reading.milliseconds.items()},
        "networks": {name: card.get("sha256") for name, card in model_cards().items()},
    }


# --- pictures -------------------------------------------------------------------------------


def located(pixels: Picture) -> Picture:
    """What the locator takes for a board in green, for corners in red, over a small copy of the photo."""
    square, scale = letterbox(pixels)
    board, corners = locator_maps(square)
    picture = cv2.resize(square, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR).astype(np.float64)
    for marks, colour in ((board, GREEN), (corners, RED)):
        share = cv2.resize(marks, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)[:, :, None] * 0.6
        picture = picture * (1 - share) + np.array(colour) * share
    height, width = (max(1, round(2 * scale * side)) for side in pixels.shape[:2])
    return np.ascontiguousarray(picture[:height, :width].astype(np.uint8))


def outlined(pixels: Picture, view: View, cells: tuple[int, int]) -> Picture:
    """The found board with its lattice over the photo; the north-west corner is marked."""
    picture = pixels.copy()
    thick = max(1, max(pixels.shape) // 700)
    columns, rows = cells
    ends = [([x, 0, 0], [x, rows, 0]) for x in range(columns + 1)]
    ends += [([0, y, 0], [columns, y, 0]) for y in range(rows + 1)]
    for pair in ends:
        _line(picture, view.project(np.array(pair, dtype=np.float64)), GREEN, thick)
    corners = view.project(np.array([[0, 0, 0], [columns, 0, 0], [columns, rows, 0], [0, rows, 0]], dtype=np.float64))
    _line(picture, corners, GREEN, 2 * thick, closed=True)
    for name, corner in zip(("NW", "NE", "SE", "SW"), corners, strict=True):
        colour = RED if name == "NW" else GREEN
        cv2.circle(picture, _point(corner), 8 * thick, colour, 2 * thick, cv2.LINE_AA)
        _text(picture, name, corner + np.array([10 * thick, -10 * thick]), colour, 0.8 * thick)
    return picture


def suspected(pixels: Picture, boards: Sequence[Found]) -> Picture:
    """What was taken for boards at first, with what the aligner says that it is."""
    picture = pixels.copy()
    thick = max(1, max(pixels.shape) // 700)
    for board in boards:
        _line(picture, board.quad, ORANGE, 2 * thick, closed=True)
        best = int(board.games.argmax())
        words = f"{(*GAMES, 'no board')[best]} {board.games[best]:.0%}"
        _text(picture, words, board.quad.mean(axis=0), ORANGE, 0.8 * thick)
    return picture


def read_over(straight: Picture, drawing: Drawing, reading: Reading, cell_px: int) -> Picture:
    """What was read, over the straightened board: the signs of the text diagram, the confidence, and doubt framed."""
    picture = (straight * 0.75).astype(np.uint8)
    size, margin = cell_px / 80, cell_px // 2
    for y, row_name in enumerate(drawing.row_labels):
        for x, column_name in enumerate(drawing.column_labels):
            place = f"{column_name}{row_name}"
            corner = np.array([margin + x * cell_px, margin + y * cell_px])
            sign = drawing.rows[y][x].text.translate(_PLAIN).strip()
            _text(picture, sign, corner + cell_px * np.array([0.12, 0.55]), WHITE, size)
            if place in reading.guesses and (sign or place in reading.doubtful):
                sure = f"{100 * reading.guesses[place].confidence:.4g}"
                _text(picture, sure, corner + cell_px * np.array([0.12, 0.88]), WHITE, 0.55 * size)
            if place in reading.doubtful:
                _frame(picture, corner, 1, cell_px, RED, reading.doubtful.index(place) + 1)
            if f"tile:{place}" in reading.doubtful:  # a tile is named by its south-west lot
                above = corner - np.array([0, cell_px])
                _frame(picture, above, 2, cell_px, ORANGE, reading.doubtful.index(f"tile:{place}") + 1)
    for x, name in enumerate(drawing.column_labels):
        _text(picture, name, np.array([margin + (x + 0.4) * cell_px, margin * 0.8]), WHITE, 0.7 * size)
    for y, name in enumerate(drawing.row_labels):
        _text(picture, name, np.array([margin * 0.1, margin + (y + 0.6) * cell_px]), WHITE, 0.7 * size)
    return picture


# --- pens -----------------------------------------------------------------------------------


def _write(folder: Path, name: str, pixels: Picture) -> None:
    ok, data = cv2.imencode(".jpg", cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2BGR))
    assert ok
    (folder / f"{name}.jpg").write_bytes(data.tobytes())


def _frame(picture: Picture, corner: Array, cells: int, cell_px: int, colour: _Colour, rank: int) -> None:
    """A frame around a doubtful place, with its number in the order in which to look at them."""
    inset = np.array([cell_px // 20, cell_px // 20])
    cv2.rectangle(picture, _point(corner + inset), _point(corner + cells * cell_px - inset), colour, 2, cv2.LINE_AA)
    _text(picture, f"?{rank}", corner + cell_px * np.array([cells - 0.5, 0.32]), colour, cell_px / 110)


def _line(picture: Picture, points: Array, colour: _Colour, thick: int, closed: bool = False) -> None:
    cv2.polylines(picture, [np.round(points).astype(np.int32)], closed, colour, thick, cv2.LINE_AA)


def _text(picture: Picture, text: str, at: Array, colour: _Colour, size: float) -> None:
    """Letters with a dark rim, so that they can be read on any ground."""
    thick = max(1, round(2 * size))
    for rim, ink in ((thick + 2, BLACK), (thick, colour)):
        cv2.putText(picture, text, _point(at), cv2.FONT_HERSHEY_SIMPLEX, size, ink, rim, cv2.LINE_AA)


def _point(at: Array) -> tuple[int, int]:
    # Corners far outside of the photo would not fit into OpenCV's numbers.
    x, y = np.clip(np.round(at), -30_000, 30_000).astype(int)
    return int(x), int(y)
