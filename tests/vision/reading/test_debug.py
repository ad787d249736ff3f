"""The stages as pictures: they are there, and what they mark is where it should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.errors import Unreadable
from engine.fields import Field
from engine.game import game
from vision import debug, locate
from vision.boards import VIEWS
from vision.debug import folder_for, located, outlined, read_over, suspected, write_stages
from vision.locate import Found
from vision.photo import Photo, load_photo
from vision.pose import view_of
from vision.reading import Candidate, Guess, NoBoard, Reading

SAMPLES = Path(__file__).parents[3] / "sample_photos"
DOUBT = {
    "alien-city-2.2-final": ("H10", "tile:C3"),
    "city-blocks-ivory": ("C4",),
    "sprawl-6x6": ("D1",),
}
STATE_FIELDS = ("game", "edition", "tiles", "structures", "players", "grid", "columns", "rows", "colours", "cells")


def sample(name: str) -> tuple[Photo, Reading]:
    """A sample photo, small, with its truth as the reading; a few places are doubtful."""
    truth = json.loads((SAMPLES / f"{name}.json").read_text())
    state = {key: truth[key] for key in STATE_FIELDS if key in truth}
    guesses = {place: Guess((Candidate(None, 0.61), Candidate(None, 0.3))) for place in DOUBT[name]}
    corners = np.array(truth["corners"], dtype=np.float64)
    reading = Reading(state["game"], state, corners, guesses, DOUBT[name], milliseconds={"locate": 1.0})
    return load_photo(SAMPLES / f"{name}.jpg", working_side=700), reading


@pytest.fixture
def no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debug, "model_cards", dict)


@pytest.fixture
def blind_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A locator that sees a board in the left half with one corner in the middle, and an aligner that sees none."""

    def locator(pictures: np.ndarray) -> dict[str, np.ndarray]:
        side = pictures.shape[1] // 4
        masks = np.zeros((1, 4, side, side), np.float32)
        masks[0, 0, :, side // 2 :] = 20.0
        masks[0, 1, :, : side // 2] = 20.0
        corners = np.full((1, 1, side, side), -20.0, np.float32)
        corners[0, 0, side // 4 : side // 4 + 3, side // 4 : side // 4 + 3] = 20.0
        return {"masks": masks, "corners": corners}

    quad = np.array([[50.0, 50], [250, 50], [250, 250], [50, 250]])
    none = Found(quad, np.array([0.01, 0.01, 0.01, 0.97]), 0.5, np.full(4, 0.25))
    monkeypatch.setattr(debug, "model_cards", lambda: {"locator": {"sha256": "1"}, "aligner": {"sha256": "2"}})
    monkeypatch.setattr(locate, "network", lambda _: locator)
    monkeypatch.setattr(debug, "first_guesses", lambda _: [quad])
    monkeypatch.setattr(debug, "align", lambda *_: none)


def pictures(folder: Path) -> dict[str, np.ndarray]:
    return {path.stem: np.asarray(cv2.imread(str(path))) for path in sorted(folder.glob("*.jpg"))}


def share_of(colour: tuple[int, int, int], pixels: np.ndarray) -> float:
    """The share of pixels of about that colour."""
    return float((np.abs(pixels.astype(int) - np.array(colour)).max(axis=-1) < 60).mean())


@pytest.mark.usefixtures("no_networks")
@pytest.mark.parametrize("name", DOUBT)
def test_a_reading_leaves_all_its_stages(name: str, tmp_path: Path) -> None:
    photo, reading = sample(name)
    write_stages(tmp_path / "stages", photo, reading)
    found = pictures(tmp_path / "stages")
    view = VIEWS[reading.game]
    planes = [f"04-rectified-{height:.2f}" for height in view.heights]
    assert list(found) == ["01-photo", "03-outline", *planes, "05-reading"]
    assert found["01-photo"].shape == found["03-outline"].shape == photo.pixels.shape
    assert len({found[plane].tobytes() for plane in planes}) == len(planes)  # each height has a view of its own
    document = json.loads((tmp_path / "stages" / "reading.json").read_text())
    assert document["state"] == reading.state
    assert document["reading"]["doubtful"] == list(reading.doubtful)
    assert set(document["probabilities"]) == set(reading.guesses)
    assert document["milliseconds"] == {"locate": 1.0}


@pytest.mark.usefixtures("blind_networks")
def test_networks_show_what_they_see(tmp_path: Path) -> None:
    photo, reading = sample("sprawl-6x6")
    write_stages(tmp_path, photo, reading)
    assert "02-locator" in pictures(tmp_path)
    assert json.loads((tmp_path / "reading.json").read_text())["networks"] == {"locator": "1", "aligner": "2"}


@pytest.mark.usefixtures("blind_networks")
def test_a_photo_without_a_board_leaves_the_stages_so_far(tmp_path: Path) -> None:
    photo, _ = sample("sprawl-6x6")
    write_stages(tmp_path, photo, NoBoard("no board was found."))
    assert list(pictures(tmp_path)) == ["01-photo", "02-locator", "03-outline"]
    document = json.loads((tmp_path / "reading.json").read_text())
    assert document == {"ok": False, "error": {"kind": "no-board", "message": "no board was found."}}


@pytest.mark.usefixtures("blind_networks")
def test_the_locators_marks_lie_over_the_photo() -> None:
    grey = np.full((300, 400, 3), 100, np.uint8)  # wider than high: the mask's left half is the photo's left half
    picture = located(grey)
    middle = picture.shape[1] // 2
    assert picture.shape[:2] == (480, 640)
    left, right = picture[:, : middle - 20].mean(axis=(0, 1)), picture[:, middle + 20 :].mean(axis=(0, 1))
    assert left[1] > right[1] + 40  # greener
    assert np.abs(right - 100).max() < 3
    assert picture[170:185, 160:175, 0].mean() > left[0] + 50  # the corner is red


def test_the_outline_follows_the_corners_and_marks_north_west() -> None:
    grey = np.full((800, 800, 3), 100, np.uint8)
    corners = np.array([[600.0, 200], [600, 600], [200, 600], [200, 200]])  # turned by a quarter
    picture = outlined(grey, view_of(corners, (8.0, 8.0), (800, 800), 700.0), (8, 8))
    reds = [share_of(debug.RED, picture[y - 12 : y + 12, x - 12 : x + 12]) for x, y in corners.astype(int)]
    assert reds[0] > 0.05
    assert reds[1:] == [0, 0, 0]
    for x in range(200, 601, 50):  # the lattice
        assert share_of(debug.GREEN, picture[420:430, x - 1 : x + 2]) > 0.25
    assert share_of(debug.GREEN, picture[:150]) == 0


def test_suspects_are_told_for_what_they_are() -> None:
    grey = np.full((400, 400, 3), 100, np.uint8)
    quad = np.array([[50.0, 50], [350, 50], [350, 350], [50, 350]])
    picture = suspected(grey, [Found(quad, np.array([0.9, 0.05, 0.03, 0.02]), 0.5, np.full(4, 0.25))])
    assert share_of(debug.ORANGE, picture[48:53, 60:340]) > 0.3
    assert np.array_equal(suspected(grey, []), grey)


@pytest.mark.parametrize(
    ("doubtful", "framed", "colour"),
    [
        ("H10", (0, 7, 1), debug.RED),  # row from the north, column, size in lots
        ("A1", (9, 0, 1), debug.RED),
        ("tile:C3", (6, 2, 2), debug.ORANGE),  # C3, D3, C4 and D4
    ],
)
def test_doubtful_places_are_framed(doubtful: str, framed: tuple[int, int, int], colour: tuple[int, int, int]) -> None:
    rules = game("alien-city")
    state: dict[str, Any] = {"game": "alien-city", "structures": []}
    guesses = {doubtful: Guess((Candidate(None, 0.5),))}
    reading = Reading("alien-city", state, np.zeros((4, 2)), guesses, (doubtful,))
    ground = np.full((11 * 80, 9 * 80, 3), 90, np.uint8)
    picture = read_over(ground, rules.drawing(rules.load(Field(state))), reading, cell_px=80)
    row, column, size = framed
    top, left = 40 + row * 80, 40 + column * 80
    inside = picture[top : top + size * 80, left : left + size * 80]
    assert share_of(colour, inside) > 0.02
    outside = picture.copy()
    outside[top : top + size * 80, left : left + size * 80] = 0
    assert share_of(colour, outside) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("table.jpg", "table.jpg"),
        ("photos/a/table.jpg", "photos-a-table.jpg"),  # two photos of one name in two folders
        ("../../etc/x.jpg", "etc-x.jpg"),  # stays in its folder
        ("/tmp/Zoë's game.jpg", "tmp-Zoë-s-game.jpg"),
        ("..", "photo"),
        ("x" * 300 + ".jpg", "x" * 96 + ".jpg"),
    ],
)
def test_every_input_has_its_folder(name: str, expected: str, tmp_path: Path) -> None:
    assert folder_for(tmp_path, name) == tmp_path / expected


@pytest.mark.usefixtures("no_networks")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    photo, reading = sample("sprawl-6x6")
    with pytest.raises(Unreadable, match="name another folder"):
        write_stages(tmp_path / "file", photo, reading)
