"""Labels turn with the board."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from engine.game import game
from vision.training.examples import Example
from vision.training.labels import labels_of, mirrored, turned


@pytest.mark.parametrize(("name", "quarters"), [("alien-city", 2), ("city-blocks", 1), ("sprawl", 1), ("sprawl", 2)])
@pytest.mark.parametrize("seed", range(4))
def test_turned_labels_are_the_labels_of_the_turned_board(name: str, quarters: int, seed: int) -> None:
    rules = game(name)
    state = list(rules.random_game(random.Random(seed)))[-1]
    truth = rules.dump(state)
    cells = (truth["columns"], truth["rows"]) if name == "sprawl" else (0, 0)
    if quarters == 1 and cells[0] != cells[1]:
        pytest.skip("this board has no quarter turn")
    mine = turned(name, labels_of(Example(Path("a.jpg"), truth)), quarters, cells)
    others = [labels_of(Example(Path("a.jpg"), rules.dump(turn))) for turn in rules.turns(state)[1:]]
    assert any(all(np.array_equal(mine[key], other[key]) for key in mine) for other in others)


def test_hidden_things_are_not_asked_for() -> None:
    truth = {
        "game": "alien-city",
        "tiles": [{"at": "A9", "colour": "red", "rank": 3, "icon": "B10"}],
        "structures": [{"at": "A9", "kind": "tower", "colour": "red"}, {"at": "C9", "kind": "dome", "colour": "blue"}],
        "visible": {"structure:C9": 0.05, "icon:A9": 0.05, "rank:A9": 0.3},
    }
    labels = labels_of(Example(Path("a.jpg"), truth))
    assert labels["kind"][1, 0] == 2  # the tower
    assert labels["cap"][1, 0] == 0  # without a cap
    assert labels["kind"][1, 2] == -1  # the dome that cannot be seen
    assert labels["kind"][9, 7] == 0  # an empty lot
    assert labels["tile_icon"][0, 0] == 4  # hidden is an answer of its own
    assert labels["tile_rank"][0, 0] == -1  # neither there nor hidden


@pytest.mark.parametrize("name", ["alien-city", "city-blocks", "sprawl"])
@pytest.mark.parametrize("seed", range(3))
def test_a_mirrored_board_upside_down_is_the_board_mirrored_at_the_other_axis(name: str, seed: int) -> None:
    truth = game(name).dump(list(game(name).random_game(random.Random(seed)))[-1])
    cells = (truth["columns"], truth["rows"]) if name == "sprawl" else (0, 0)
    labels = labels_of(Example(Path("a.jpg"), truth))
    once = mirrored(name, labels, cells)
    twice = mirrored(name, once, cells)
    assert any(not np.array_equal(labels[key], once[key]) for key in labels)
    asked = {key: twice[key] >= 0 for key in labels}  # digits are no longer asked for
    assert all(np.array_equal(labels[key][asked[key]], twice[key][asked[key]]) for key in labels)
    one = turned(name, once, 2, cells)
    other = mirrored(name, turned(name, labels, 2, cells), cells)
    assert all(np.array_equal(one[key], other[key]) for key in labels)


def test_a_mirror_swaps_east_and_west() -> None:
    truth = {"game": "sprawl", "columns": 5, "rows": 6, "colours": ["red"]}
    truth["cells"] = [{"at": "A1", "lying": "red2", "points": "east"}, {"at": "B1", "lying": "red1", "points": "north"}]
    labels = mirrored("sprawl", labels_of(Example(Path("a.jpg"), truth)), (5, 6))
    assert labels["points"][5].tolist() == [-1, -1, -1, 0, 3, -1, -1, -1]  # north stays north, east becomes west
    tile = {"at": "A9", "colour": "red", "rank": 3, "icon": "B10"}  # north-east of the north-west tile
    seen = labels_of(Example(Path("a.jpg"), {"game": "alien-city", "tiles": [tile], "structures": []}))
    seen = mirrored("alien-city", seen, (8, 10))
    assert seen["tile_icon"][0].tolist() == [-1, -1, -1, 2]  # north-west of the north-east tile
    assert (seen["tile_rank"] == -1).all()
