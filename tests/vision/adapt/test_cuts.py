"""Cuts of labelled photos: whatever the turn, picture, labels and places belong together."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from engine.game import game
from vision.adapt.cuts import Looks, _places, labelled_board, look, without_hidden_prints
from vision.adapt.judging import PARTS, judge_parts, parts_of
from vision.boards import VIEWS
from vision.training.examples import Example
from vision.training.labels import labels_of, turned


class Brightness:
    """Sees how bright each cell of the lowest plane is, and answers nothing."""

    def __call__(self, pictures: np.ndarray) -> dict[str, np.ndarray]:
        view = VIEWS["city-blocks"]
        edge, px = view.margin_px, view.cell_px
        board = pictures[:, edge:-edge, edge:-edge, :3].astype(np.float32).mean(axis=-1)
        cells = board.reshape(len(board), 20, px, 20, px)[:, :, 5:-5, :, 5:-5].mean(axis=(2, 4))
        return {"square": np.zeros((len(board), 6, 20, 20), np.float32), "seen_cells": cells[:, None]}


@pytest.fixture
def example(paint) -> Example:
    grey = {".": (230, 230, 230), "B": (20, 20, 20), "G": (20, 20, 20), "R": (20, 20, 20), "Y": (20, 20, 20)}
    path = paint("one", 3, grey)
    return Example(path, json.loads(path.with_suffix(".json").read_text()))


def looks_of(example: Example, number: int, seed: int = 0) -> Looks:
    board = labelled_board(example, example.corners)
    return look(board, Brightness(), number, np.random.default_rng(seed))


def test_every_cut_shows_what_its_labels_say(example: Example) -> None:
    looks = looks_of(example, 12)
    bright, occupied = looks.found["seen_cells"][:, 0], looks.labels["square"] > 0
    assert bright.shape == occupied.shape == (12, 20, 20)
    assert (bright[0][~occupied[0]].min() - bright[0][occupied[0]].max()) > 60  # the careful cut is clean
    for cut in range(12):
        middle = (bright[cut][occupied[cut]].mean() + bright[cut][~occupied[cut]].mean()) / 2
        # Some cuts are off by a third of a square; labels of another turn would fit half of the squares.
        assert ((bright[cut] < middle) == occupied[cut]).mean() > 0.8


def test_cuts_differ_and_come_again_with_their_seed(example: Example) -> None:
    one, again, other = (looks_of(example, 5, seed).found["seen_cells"] for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert np.array_equal(one[0], other[0])  # the careful one has nothing random
    assert not np.array_equal(one[1:], other[1:])


@pytest.mark.parametrize(("name", "seed"), [("alien-city", 1), ("city-blocks", 2), ("sprawl", 3), ("sprawl", 4)])
def test_places_turn_with_the_labels(name: str, seed: int) -> None:
    rules = game(name)
    truth = rules.dump(list(rules.random_game(random.Random(seed)))[-1])
    labels = labels_of(Example(Path("a.jpg"), truth))
    cells = (truth.get("columns", 0), truth.get("rows", 0)) if name == "sprawl" else VIEWS[name].cells
    question = next(iter(VIEWS[name].heads))
    turns = (0, 1, 2, 3) if cells[0] == cells[1] else (0, 2)
    for turn in turns:
        places = _places(VIEWS[name], labels, cells, turn)[question]
        there = places >= 0
        assert there.sum() == cells[0] * cells[1]
        seen = turned(name, labels, turn, cells)[question]
        assert np.array_equal(seen[there], labels[question].ravel()[places[there]])


def test_what_stands_on_a_print_hides_it() -> None:
    truth = {
        "game": "alien-city",
        "tiles": [
            {"at": "A1", "colour": "red", "rank": 2, "icon": "B2"},
            {"at": "C1", "colour": "blue", "rank": 3, "icon": "C1"},
            {"at": "E1", "colour": "green", "rank": 4, "icon": "E2"},
        ],
        "structures": [{"at": "B2", "kind": "dome", "colour": "red"}, {"at": "D2", "kind": "tower", "colour": "red"}],
    }
    labels = labels_of(Example(Path("a.jpg"), truth))
    asked = {name: (grid[-1, :3] >= 0).tolist() for name, grid in without_hidden_prints(labels, truth).items()}
    # The icon of the first is covered; something stands on the first two; the third is free.
    assert asked["tile_icon"] == [False, True, True]
    assert asked["tile_rank"] == asked["tile_colour"] == [False, False, True]
    assert (labels["tile_rank"][-1, :3] >= 0).all()  # the labels themselves are not touched


def test_parts_cover_the_board_evenly() -> None:
    for rows, columns in ((10, 8), (5, 4), (20, 20), (8, 8)):
        parts = parts_of(np.arange(rows * columns), (rows, columns))
        _, sizes = np.unique(parts, return_counts=True)
        assert len(sizes) == PARTS[0] * PARTS[1]
        assert sizes.max() <= 2 * sizes.min()


def test_a_board_is_judged_by_every_question_of_its_cells(example: Example) -> None:
    looks = looks_of(example, 1)
    found = {**looks.found, "mark": np.zeros((1, 5, 20, 20), np.float32)}
    right = looks.labels["square"]
    found["square"] = np.moveaxis(np.eye(6, dtype=np.float32)[right], -1, 1)
    assert judge_parts(Looks(found, looks.labels, looks.places), "city-blocks", {}).wrong == 0
    found["square"][0, :, 4, 4] = np.eye(6)[(right[0, 4, 4] + 1) % 6]
    judgement = judge_parts(Looks(found, looks.labels, looks.places), "city-blocks", {})
    assert (judgement.cells, judgement.wrong) == (400, 1)
