"""What a shipped network sees on a labelled photo, cut as the reader cuts it, and what it should have answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vision.boards import ALIEN_CITY, VIEWS, BoardView
from vision.finding import Array, Picture
from vision.networks import Logits
from vision.photo import Photo, load_photo
from vision.pose import view_of
from vision.rectify import rectify
from vision.training.examples import Example
from vision.training.labels import Labels, labels_of, turned, turned_part
from vision.training.samples import board_size, corner_error, vary

# The camera's focal length is this uncertain, and now and then it is not told at all.
FOCAL_ERROR = 0.03
WITHOUT_FOCAL = 0.2
# Pictures that go through a network at once: more would only take memory.
AT_ONCE = 4


class Sees(Protocol):
    """A network: pictures as bytes (N, H, W, C) in, what it answers and what it saw out."""

    def __call__(self, pictures: npt.NDArray[np.uint8], /) -> Mapping[str, Logits]: ...


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBoard:
    """A photo with its board's corners (NW, NE, SE, SW in its pixels) and the right answers."""

    name: str
    game: str
    photo: Photo
    corners: Array
    cells: tuple[int, int]
    labels: Labels


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What a network made of several cuts of one board.

    ``found`` holds its answers and what it saw, (cuts, channels, rows, columns); ``labels`` the right answers, and
    ``places`` the number of each cell on the board as the photo shows it, both (cuts, rows, columns).
    """

    found: Mapping[str, Logits]
    labels: Mapping[str, npt.NDArray[np.int64]]
    places: Mapping[str, npt.NDArray[np.int64]]


def labelled_board(example: Example, corners: Array) -> LabelledBoard:
    """The board of an example; corners are in pixels of the full photo, in the order of its state."""
    photo = load_photo(example.path).straightened()
    game = str(example.game)
    labels = dict(labels_of(example))
    if game == ALIEN_CITY.game and "visible" not in example.truth:
        labels = without_hidden_prints(labels, example.truth)
    return LabelledBoard(example.path.name, game, photo, photo.from_full(corners), board_size(example), labels)


def without_hidden_prints(labels: Labels, truth: Mapping[str, Any]) -> dict[str, npt.NDArray[np.int64]]:
    """People know what is printed under a tower; a photo does not show it, so it is not asked for."""
    rows = ALIEN_CITY.cells[1]
    occupied = {str(structure["at"]) for structure in truth.get("structures", ())}
    kept = {name: grid.copy() for name, grid in labels.items()}
    for tile in truth.get("tiles", ()):
        column, north = ord(tile["at"][0]) - ord("A"), rows - int(tile["at"][1:])
        at = north // ALIEN_CITY.block, column // ALIEN_CITY.block
        lots = {f"{chr(ord('A') + column + x)}{rows - north + y}" for x in (0, 1) for y in (0, 1)}
        if lots & occupied:
            kept["tile_rank"][at] = kept["tile_colour"][at] = -1
        if tile.get("icon") in occupied:
            kept["tile_icon"][at] = -1
    return kept


def look(board: LabelledBoard, network: Sees, number: int, rng: np.random.Generator) -> Looks:
    """Cuts of a board through its network: the first as careful as the reader's last look, the others varied."""
    view = VIEWS[board.game]
    pictures, labels, places = [], [], []
    for picture, turn in _cuts(view, board, number, rng):
        pictures.append(picture)
        labels.append(turned(view.game, board.labels, turn, board.cells))
        places.append(_places(view, board.labels, board.cells, turn))
    looks = [network(np.stack(pictures[first : first + AT_ONCE])) for first in range(0, number, AT_ONCE)]
    return Looks(
        found={name: np.concatenate([found[name] for found in looks]) for name in looks[0]},
        labels={name: np.stack([grids[name] for grids in labels]) for name in labels[0]},
        places={name: np.stack([grids[name] for grids in places]) for name in places[0]},
    )


def _cuts(
    view: BoardView, board: LabelledBoard, number: int, rng: np.random.Generator
) -> Iterator[tuple[Picture, int]]:
    """Rectified boards, and by how many quarters each is turned."""
    height, width = board.photo.pixels.shape[:2]
    size = float(board.cells[0]), float(board.cells[1])
    turns = (0, 1, 2, 3) if board.cells[0] == board.cells[1] else (0, 2)
    for cut in range(number):
        turn = turns[cut % len(turns)]
        corners, focal = np.roll(board.corners, -turn, axis=0), board.photo.focal_px
        if cut:
            corners = corners + corner_error(rng, corners, board.cells)
            focal = _uncertain(focal, rng)
        pose = view_of(corners, size, (width, height), focal)
        picture = rectify(
            board.photo.pixels, pose, board.cells, view.cell_px, view.heights, view.margin_px, frame=view.cells
        )
        yield (vary(picture, rng) if cut else picture), turn


def _uncertain(focal: float | None, rng: np.random.Generator) -> float | None:
    if focal is None or rng.random() < WITHOUT_FOCAL:
        return None
    return focal * float(np.exp(rng.normal(0, FOCAL_ERROR)))


def _places(view: BoardView, labels: Labels, cells: tuple[int, int], turn: int) -> dict[str, npt.NDArray[np.int64]]:
    """Which cell of the upright board each cell of a turned one is, for every question; -1 beyond the board."""
    numbers = {name: np.arange(grid.size).reshape(grid.shape) for name, grid in labels.items()}
    if view.game != "sprawl":
        return {name: np.rot90(grid, turn) for name, grid in numbers.items()}
    return {name: turned_part(grid, turn, cells) for name, grid in numbers.items()}
