"""Overlays show the truth where it is, whatever size the photo was reduced to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.labels.overlay import draw_truth, write_overlay

SAMPLES = Path(__file__).parents[3] / "sample_photos"
FRAME = 8


def changed_around(photo: np.ndarray, drawn: np.ndarray, x: float, y: float) -> bool:
    column, row = round(x), round(y)
    window = np.s_[max(0, row - FRAME) : row + FRAME, max(0, column - FRAME) : column + FRAME]
    return bool((photo[window] != drawn[window]).any())


@pytest.mark.parametrize("name", ["alien-city-fr-end", "city-blocks-ivory", "sprawl-5x6"])
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("rendered", [True, False])
def test_corners_and_pieces_are_marked(name: str, scale: int, rendered: bool) -> None:
    truth = json.loads((SAMPLES / f"{name}.json").read_text())
    full = truth["camera"]["width"], truth["camera"]["height"]
    known = truth["boxes"]
    if not rendered:
        truth = {k: v for k, v in truth.items() if k not in ("camera", "world_corners", "boxes", "visible", "tilt")}
    photo = np.full((full[1] // scale, full[0] // scale, 3), 90, np.uint8)
    drawn = draw_truth(photo, truth, full)
    assert drawn.shape == photo.shape
    assert (photo == 90).all()  # a copy
    for x, y in truth["corners"]:
        assert changed_around(photo, drawn, x / scale, y / scale)
    for left, top, right, bottom in (np.array(box) / scale for box in list(known.values())[::5]):
        inside = np.s_[int(top) : int(bottom), int(left) : int(right)]
        assert (drawn[inside] != photo[inside]).any()
        if rendered and truth["game"] != "city-blocks":  # an outline just as far as the piece reaches
            edge = drawn[int(top) - 2 : int(bottom) + 3, round(left) - 2 : round(left) + 3].astype(int)
            assert ((edge[..., 1] - edge[..., 0]) > 60).any()
    assert not changed_around(photo, drawn, 20, 20)  # the table is left alone


def test_a_photo_without_a_board_says_so() -> None:
    photo = np.zeros((100, 300, 3), np.uint8)
    assert (draw_truth(photo, {"game": None}) != photo).any()


def test_unknown_tiles_can_be_drawn(make, states, tmp_path: Path) -> None:
    state = dict(states["alien-city"])
    state["tiles"] = [{"at": "C3", "colour": None, "rank": None, "icon": None}]
    target = tmp_path / "new" / "folder" / "a.overlay.jpg"
    write_overlay(make("a.png", state, size=(200, 160)), state, target)
    with Image.open(target) as image:
        assert image.size == (200, 160)
