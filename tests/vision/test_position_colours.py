"""Colours of pieces from a photo whose position is known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.colour_measures import distance
from calibration.profiles import load_profile
from calibration.set_profile import SetColours, dressed
from cityscan.cli import main
from engine.errors import InvalidState, Unreadable
from vision.photo import Photo, load_photo
from vision.position_colours import position_colours

SAMPLES = Path(__file__).parents[2] / "sample_photos"
CELL = 40


def sample(name: str) -> SetColours:
    truth = json.loads((SAMPLES / f"{name}.json").read_text())
    return position_colours(load_photo(SAMPLES / f"{name}.jpg"), truth, np.array(truth["corners"], dtype=float))


def board_of(colours: dict[str, tuple[int, int, int]], columns: int, rows: int) -> tuple[Photo, np.ndarray]:
    """A board from straight above: checkered, each named lot (rows from the bottom) filled with a colour."""
    picture = np.full(((rows + 2) * CELL, (columns + 2) * CELL, 3), 90, np.uint8)
    for row in range(rows):
        for column in range(columns):
            name = f"{chr(ord('A') + column)}{rows - row}"
            plain = (230, 220, 190) if (row + column) % 2 else (120, 80, 50)
            top, left = (row + 1) * CELL, (column + 1) * CELL
            picture[top : top + CELL, left : left + CELL] = colours.get(name, plain)
    left, top, right, bottom = CELL - 0.5, CELL - 0.5, (columns + 1) * CELL - 0.5, (rows + 1) * CELL - 0.5
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    return Photo(picture, (picture.shape[1], picture.shape[0])), corners


def near(seen: tuple[float, float, float] | None, wanted: tuple[int, int, int]) -> bool:
    return seen is not None and distance(seen, tuple(c / 255 for c in wanted)) < 3  # type: ignore[arg-type]


def test_pyramids_and_board_of_a_drawn_position() -> None:
    painted = {"B2": (200, 30, 30), "D5": (30, 40, 160), "E1": (30, 160, 60)}
    photo, corners = board_of(painted, 6, 6)
    state = {
        "game": "sprawl",
        "columns": 6,
        "rows": 6,
        "colours": ["red", "blue", "green"],
        "cells": [
            {"at": "B2", "stack": ["red3", "red2"]},
            {"at": "D5", "lying": "blue2", "points": "east"},
            {"at": "E1", "stack": ["green3", "red2"]},  # of a mixed stack nobody knows what is seen
        ],
        "variants": ["sprawlgami"],
    }
    found = position_colours(photo, state, corners)
    assert set(found.seen) == {("pyramid", "red"), ("pyramid", "blue"), ("board", "")}
    assert near(found.seen["pyramid", "red"].main, painted["B2"])
    assert near(found.seen["pyramid", "blue"].main, painted["D5"])
    board = found.seen["board", ""]
    pair = {(120, 80, 50), (230, 220, 190)}
    assert all(any(near(seen, colour) for seen in (board.main, board.second)) for colour in pair)
    assert found.cells == (6, 6)
    assert [(b.columns, b.rows) for b in dressed("mine", [found], None).profile.chess] == [(6, 6)]


def test_rows_of_city_blocks_count_from_the_north() -> None:
    photo, corners = board_of({"A20": (200, 30, 30), "T1": (30, 40, 160)}, 20, 20)  # drawn: rows from the bottom
    grid = ["R" + "." * 19, *["." * 20] * 18, "." * 19 + "B"]
    found = position_colours(photo, {"game": "city-blocks", "players": 4, "grid": grid}, corners)
    assert near(found.seen["piece", "red"].main, (200, 30, 30))
    assert near(found.seen["piece", "blue"].main, (30, 40, 160))


# Names of the samples, of a piece, and the name of the colour that its hue must be nearest to.
RENDERED = [
    ("alien-city-2.2-final", ("tower", "red"), "red"),
    ("alien-city-2.2-final", ("tower", "blue"), "blue"),
    ("alien-city-2.2-final", ("tower", "green"), "green"),
    ("alien-city-1.0-final", ("tower", "red"), "red"),
    ("city-blocks-four-players", ("piece", "yellow"), "yellow"),
    ("city-blocks-four-players", ("piece", "green"), "green"),
    ("sprawl-chess-board", ("pyramid", "purple"), "purple"),
]


@pytest.mark.parametrize(("name", "key", "colour"), RENDERED)
def test_rendered_photos_give_the_colours_of_their_pieces(name: str, key: Any, colour: str) -> None:
    hues = {"red": 0, "yellow": 50, "green": 130, "blue": 230, "purple": 275}
    red, green, blue = sample(name).seen[key].main
    hue = np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360
    nearest = min(hues, key=lambda known: abs((hue - hues[known] + 180) % 360 - 180))
    assert nearest == colour


def test_tiles_show_ground_and_ink() -> None:
    found = sample("alien-city-2.2-setup")
    tiles = found.of("tile")
    assert set(tiles) == {"red", "blue", "green", "black"}
    assert all(seen.second is not None for seen in tiles.values())
    grounds = [seen.main for seen in tiles.values()]
    assert max(distance(a, b) for a in grounds for b in grounds) < 8  # one wood
    red = tiles["red"].second
    assert red is not None
    assert red[0] > 2 * red[1]


def test_an_empty_board_gives_nothing_where_nothing_is_known() -> None:
    photo, corners = board_of({}, 8, 10)
    with pytest.raises(Unreadable, match="no pieces"):
        position_colours(photo, {"game": "alien-city", "structures": []}, corners)
    with pytest.raises(InvalidState):
        position_colours(photo, {"game": "alien-city", "structures": [{"at": "Z9"}]}, corners)


def test_the_command_takes_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with the corners of the state file, once with those of the command line."""
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("vision.reader.readable_games", lambda: ())  # colours alone: learning has its own tests
    photo = tmp_path / "game.jpg"
    shutil.copy(SAMPLES / "sprawl-chess-board.jpg", photo)
    truth = json.loads((SAMPLES / "sprawl-chess-board.json").read_text())
    corners = truth["corners"]
    photo.with_suffix(".json").write_text(json.dumps(truth))
    assert main(["calibrate", "set", "first", str(photo)]) == 0
    del truth["corners"]
    photo.with_suffix(".json").write_text(json.dumps(truth))
    points = [f"{x},{y}" for x, y in corners]
    assert main(["calibrate", "set", "second", str(photo), "--corners", *points]) == 0
    first, second = load_profile("first"), load_profile("second")
    assert first.pyramids == second.pyramids
    assert first.games == ("sprawl",)
    assert first.pyramids is not None
    assert set(first.pyramids.plastic) == {"pink", "purple", "black", "orange"}
