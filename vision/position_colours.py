"""The colours of a set from a photo of a position that is known: every piece is where the state says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.colour_measures import ONE_COLOUR, Seen, disc, distance, one_colour, two_colours
from calibration.set_profile import SetColours
from calibration.set_sheet import Kind
from engine.colours import COLOUR_OF
from engine.documents import position_from_document
from engine.errors import Unreadable
from vision.photo import Photo
from vision.pose import view_of
from vision.rectify import rectify
from vision.synth.turning import field_size

Array = npt.NDArray[np.float64]

CELL_PX: Final = 24
# Heights of what is looked at, in cells: the board, a coin's or piece's top, and a cap on a large pyramid.
GROUND: Final = 0.0
COIN_TOP: Final = 0.13
PIECE_TOP: Final = 0.22
CAP: Final = 1.4
# The part of a cell, around its middle, that the piece fills.
TOWER_SHARE: Final = 0.35
COIN_SHARE: Final = 0.66
CAP_SHARE: Final = 0.2
PIECE_SHARE: Final = 0.5
PYRAMID_SHARE: Final = 0.15
SQUARE_SHARE: Final = 0.6

Found = Iterator[tuple[Kind, str, Seen]]


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """The board from straight above, at each height that was asked for; sRGB from 0 to 1."""

    planes: Mapping[float, Array]
    rows: int
    rows_from_north: bool

    def cell(self, at: str, height: float, share: float = 1.0) -> Array:
        """The pixels of a lot or square, or of the part around its middle."""
        column, row = ord(at[0]) - ord("A"), int(at[1:]) - 1
        down = row if self.rows_from_north else self.rows - 1 - row
        edge = round(CELL_PX * (1 - share) / 2)
        top, left = down * CELL_PX + edge, column * CELL_PX + edge
        return self.planes[height][top : top + CELL_PX - 2 * edge, left : left + CELL_PX - 2 * edge]


def position_colours(photo: Photo, truth: Mapping[str, Any], corners: Array) -> SetColours:
    """The colours of all pieces of a position; ``corners`` are NW, NE, SE, SW in pixels of the full photo."""
    position = position_from_document(dict(truth))
    state = position.game.dump(position.state)
    game = position.game.name
    cells = field_size(state)
    board = _board(photo.straightened(), corners, cells, rows_from_north=game == "city-blocks")
    look = {"alien-city": _alien_city, "city-blocks": _city_blocks, "sprawl": _sprawl}[game]
    samples: dict[tuple[Kind, str], list[Seen]] = defaultdict(list)
    for kind, colour, seen in look(board, state):
        samples[kind, colour].append(seen)
    if not samples:
        raise Unreadable("the position has no pieces to take colours from.")
    return SetColours(
        game,
        {key: _together(seen) for key, seen in samples.items()},
        cells if game == "sprawl" else None,
        tuple(colour or "" for colour in state.get("corner_colours") or ()),
    )


def _board(photo: Photo, corners: Array, cells: tuple[int, int], rows_from_north: bool) -> _Board:
    height, width = photo.pixels.shape[:2]
    view = view_of(photo.from_full(corners), (float(cells[0]), float(cells[1])), (width, height), photo.focal_px)
    heights = (GROUND, COIN_TOP, PIECE_TOP, CAP)
    stacked = rectify(photo.pixels, view, cells, CELL_PX, heights).astype(np.float64) / 255
    planes = {at: stacked[..., 3 * i : 3 * i + 3] for i, at in enumerate(heights)}
    return _Board(planes, cells[1], rows_from_north)


def _alien_city(board: _Board, state: Mapping[str, Any]) -> Found:
    taken = {structure["at"] for structure in state["structures"]}
    for structure in state["structures"]:
        at, colour = structure["at"], structure["colour"]
        if structure["kind"] == "dome":
            yield "dome", colour, two_colours(disc(board.cell(at, COIN_TOP, COIN_SHARE)))
        elif "claimed_by" in structure:
            yield "cap", structure["claimed_by"], one_colour(board.cell(at, CAP, CAP_SHARE))
        else:
            # Whatever stands on a lot hides its ground from every side: these are pixels of the tower itself.
            yield "tower", colour, one_colour(board.cell(at, GROUND, TOWER_SHARE))
    for tile in state.get("tiles", ()):
        column, row = ord(tile["at"][0]), int(tile["at"][1:])
        lots = [f"{chr(column + across)}{row + up}" for across in (0, 1) for up in (0, 1)]
        # The icon shows the ink; a tile without it may show a bare corner only.
        if tile["colour"] is not None and tile["icon"] is not None and tile["icon"] not in taken:
            pixels = [board.cell(lot, GROUND).reshape(-1, 3) for lot in lots if lot not in taken]
            yield "tile", tile["colour"], two_colours(np.concatenate(pixels))


def _city_blocks(board: _Board, state: Mapping[str, Any]) -> Found:
    grid = state["grid"]
    lonely: list[Array] = []
    empty: list[Array] = []
    for row, line in enumerate(grid):
        for column, square in enumerate(line):
            at = f"{chr(ord('A') + column)}{row + 1}"
            around = {c for near in grid[max(0, row - 1) : row + 2] for c in near[max(0, column - 1) : column + 2]}
            if square in COLOUR_OF:
                yield "piece", COLOUR_OF[square], one_colour(board.cell(at, PIECE_TOP, PIECE_SHARE))
            elif around == {"."}:
                lonely.append(board.cell(at, GROUND).reshape(-1, 3))
            elif square == ".":
                empty.append(board.cell(at, GROUND, PIECE_SHARE).reshape(-1, 3))
    # Light through a piece colours the ribs beside it: only squares far from pieces show the board's two colours.
    if lonely:
        yield "board", "", two_colours(np.concatenate(lonely))
    elif empty:
        yield "board", "", one_colour(np.concatenate(empty))


def _sprawl(board: _Board, state: Mapping[str, Any]) -> Found:
    taken = {cell["at"] for cell in state["cells"]}
    for cell in state["cells"]:
        pieces = cell.get("stack") or [cell["lying"]]
        colours = {piece[:-1] for piece in pieces}
        if len(colours) == 1:  # of a mixed stack nobody knows which piece the middle shows
            yield "pyramid", colours.pop(), one_colour(board.cell(cell["at"], GROUND, PYRAMID_SHARE))
    squares: tuple[list[Array], list[Array]] = ([], [])
    for column in range(int(state["columns"])):
        for row in range(int(state["rows"])):
            at = f"{chr(ord('A') + column)}{row + 1}"
            if at not in taken:
                squares[(column + row) % 2].append(board.cell(at, GROUND, SQUARE_SHARE).reshape(-1, 3))
    if squares[0] and squares[1]:
        dark, light = (one_colour(np.concatenate(pixels)).main for pixels in squares)
        yield "board", "", Seen(light, dark if distance(light, dark) > ONE_COLOUR else None)


def _together(samples: list[Seen]) -> Seen:
    """The usual colours of many pieces of one kind: one in the shade or half hidden does not count."""
    main = one_colour(np.array([seen.main for seen in samples])).main
    seconds = [seen.second for seen in samples if seen.second is not None]
    return Seen(main, one_colour(np.array(seconds)).main if 2 * len(seconds) >= len(samples) else None)
