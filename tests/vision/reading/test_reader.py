"""The way from a found board to a reading, with networks that answer what the truth says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import UsageError
from engine.fields import Field
from engine.game import game
from vision import reader
from vision.boards import VIEWS
from vision.finding import SPRAWL_SIZES
from vision.lattice import Lattice
from vision.locate import Found, turned
from vision.photo import Photo
from vision.reader import ReadRequest, read_photo
from vision.reading import NoBoard, SeveralBoards
from vision.training.examples import Example
from vision.training.labels import labels_of
from vision.training.labels import turned as turned_labels

PHOTO = Photo(np.random.default_rng(0).integers(60, 120, (600, 800, 3)).astype(np.uint8), (1600, 1200))
# A board of 320 x 400 pixels that lies on its side: its north-west corner is at the bottom left.
LYING = np.array([[200.0, 500], [200, 180], [600, 180], [600, 500]])


def found(quad: np.ndarray, name: str = "alien-city", lying: float = 0.0, size: tuple[int, int] = (8, 8)) -> Found:
    games = np.full(4, 0.005)
    games[reader.GAMES.index(name)] = 0.985
    sizes = np.array([0.97 if s == size else 0.01 for s in SPRAWL_SIZES])
    return Found(np.asarray(quad, float), games, lying, sizes, moved=0.0)


class Oracle:
    """A network that knows the truth, from the north and, for a second picture, from the south."""

    def __init__(self, truth: dict) -> None:
        self.view = VIEWS[truth["game"]]
        cells = (truth.get("columns", 0), truth.get("rows", 0))
        north = labels_of(Example(Path("a.jpg"), truth))
        self.sides = [north, turned_labels(truth["game"], north, 2, cells)]

    def __call__(self, pictures: np.ndarray) -> dict[str, np.ndarray]:
        assert pictures.dtype == np.uint8
        columns, rows = self.view.cells
        answers = {"shift": np.zeros((len(pictures), 2, rows, columns), np.float32)}
        for name, number in {**self.view.heads, **self.view.block_heads}.items():
            answers[name] = np.zeros((len(pictures), number, *self.sides[0][name].shape), np.float32)
            for side, labels in enumerate(self.sides[: len(pictures)]):
                for at in np.argwhere(labels[name] >= 0):
                    answers[name][(side, labels[name][tuple(at)], *at)] = 12.0
        return answers


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch):
    def put(boards: list[Found], truth: dict) -> None:
        cards = {name: {} for name in ("locator", "aligner", *(f"board-{g}" for g in reader.GAMES))}
        monkeypatch.setattr(reader, "model_cards", lambda: cards)
        monkeypatch.setattr(reader, "find_boards", lambda _: boards)
        monkeypatch.setattr(reader, "first_guesses", lambda _: [])
        monkeypatch.setattr(reader, "align", lambda _, quad: found(quad, truth["game"]))
        # The last look sees what the first did, wherever the corners are now.
        monkeypatch.setattr(reader, "look", lambda _, quad: replace(boards[0], quad=quad))
        monkeypatch.setattr(reader, "network", lambda _: Oracle(truth))

    return put


def last_position(name: str, seed: int = 2) -> dict:
    rules = game(name)
    return rules.dump(list(rules.random_game(random.Random(seed)))[-1])


@pytest.mark.parametrize("name", reader.GAMES)
def test_a_found_board_is_read(install, name: str) -> None:
    truth = last_position(name)
    size = (truth.get("columns", 8), truth.get("rows", 8))
    install([found(LYING if name == "alien-city" else LYING[[1, 2, 3, 0]], name, size=size)], truth)
    reading = read_photo(PHOTO)
    rules = game(name)
    assert reading.game == name
    assert rules.score(rules.load(Field(dict(reading.state)))).totals == rules.score(rules.load(Field(truth))).totals
    assert reading.doubtful == ()
    assert set(reading.milliseconds) == {"locate", "classify", "settle"}


def test_north_is_the_highest_edge_that_the_board_allows(install) -> None:
    truth = last_position("alien-city")
    install([found(LYING)], truth)
    corners = read_photo(PHOTO).corners
    # Told in the full photo, twice the size. The short sides are left and right and equally high: left is north.
    assert corners[0] == pytest.approx((LYING[0] + 0.5) * 2 - 0.5)
    tilted = LYING + np.array([[0, 30], [0, 30], [0, -30], [0, -30]])  # now the right side is higher
    install([found(tilted)], truth)
    assert read_photo(PHOTO).corners[0] == pytest.approx((tilted[2] + 0.5) * 2 - 0.5)


def test_corners_of_a_person_say_which_way_is_up(install) -> None:
    truth = last_position("city-blocks")
    install([], truth)
    mine = np.array([[900.0, 900], [300, 900], [300, 300], [900, 300]])  # upside down
    reading = read_photo(PHOTO, ReadRequest(game="city-blocks", corners=mine))
    assert reading.corners == pytest.approx(mine)


def test_corners_that_make_no_board_are_refused(install) -> None:
    install([], last_position("city-blocks"))
    with pytest.raises(UsageError, match="in this order"):
        read_photo(PHOTO, ReadRequest(corners=np.zeros((4, 2))))


def test_no_board_two_boards_and_half_a_board(install) -> None:
    truth = last_position("alien-city")
    install([], truth)
    with pytest.raises(NoBoard, match="no board was found"):
        read_photo(PHOTO)
    install([found(LYING * 0.4), found(LYING * 0.4 + 300)], truth)
    with pytest.raises(SeveralBoards, match="one at a time"):
        read_photo(PHOTO)
    install([found(LYING - np.array([300, 0]))], truth)
    with pytest.raises(NoBoard, match="cut off"):
        read_photo(PHOTO)


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (np.zeros((600, 800, 3), np.uint8), "dark all over"),
        (np.full((600, 800, 3), 254, np.uint8), "bright all over"),
        (PHOTO.pixels[:1, :1], "only 1 pixel"),
    ],
)
def test_where_there_is_nothing_to_see_no_network_sees_a_board(install, pixels: np.ndarray, words: str) -> None:
    install([found(LYING)], last_position("alien-city"))
    with pytest.raises(NoBoard, match=words):
        read_photo(Photo(pixels, (pixels.shape[1], pixels.shape[0])))


def test_turning_a_found_board_turns_its_answers() -> None:
    board = found(LYING, "sprawl", lying=0.8, size=(5, 6))
    quarter = turned(board, 1)
    assert quarter.quad[0] == pytest.approx(LYING[1])
    assert quarter.lying == pytest.approx(0.2)
    assert quarter.size == (6, 5)
    assert turned(board, 2).size == (5, 6)


def test_sides_are_moved_by_whole_cells() -> None:
    square = np.array([[0.0, 0], [80, 0], [80, 100], [0, 100]])
    moved = reader.sides_moved(square, (8, 10))
    assert len(moved) == 16
    assert any(np.allclose(q, [[0, -20], [80, -20], [80, 100], [0, 100]]) for q in moved)  # north, two further out
    assert any(np.allclose(q, [[0, 0], [70, 0], [70, 100], [0, 100]]) for q in moved)  # east, one further in
    # Seen from aslant a side cannot be moved behind the horizon.
    slanted = np.array([[38.0, 40], [42, 40], [80, 100], [0, 100]])
    assert 0 < len(reader.sides_moved(slanted, (8, 10))) < 16


def test_what_only_looks_like_a_board_is_refused(install, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = last_position("city-blocks")
    square = LYING[[1, 2, 3, 0]]
    install([found(square, "city-blocks")], truth)
    assert read_photo(PHOTO).game == "city-blocks"
    install([replace(found(square, "city-blocks"), clear=0.2)], truth)  # no corners to be seen
    with pytest.raises(NoBoard, match="could not be read"):
        read_photo(PHOTO)
    install([found(np.array([[200.0, 1], [560, 1], [560, 400], [200, 400]]), "city-blocks")], truth)
    with pytest.raises(NoBoard, match="cut off"):  # its north side is the photo's upper edge
        read_photo(PHOTO)
    # The cells contradict each other about their places.
    lost = Lattice(square, 0.0, 0.3)
    install([found(square, "city-blocks")], truth)
    monkeypatch.setattr(reader, "in_line", lambda *_: lost)
    with pytest.raises(NoBoard, match="could not be read"):
        read_photo(PHOTO)
