"""Labels turn with the board."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from engine.game import game
from vision.training.examples import Example
from vision.training.labels import labels_of, turned


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
