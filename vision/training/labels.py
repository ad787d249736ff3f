"""What a network should answer on a labelled photo; -1 where nothing can be seen and no answer is asked for.

All grids have row 0 in the north and column 0 in the west.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from engine.colours import COLOURS
from vision.boards import (
    ALIEN_CITY,
    CAPS,
    CELLS,
    CITY_BLOCKS,
    DIRECTIONS,
    GUILDS,
    ICON_CORNERS,
    KINDS,
    LEVELS,
    MARKS,
    RANKS,
    SHAPES,
    SPRAWL,
    SQUARES,
)
from vision.training.examples import Example

Grid = npt.NDArray[np.int64]
Labels = Mapping[str, Grid]
Cell = tuple[int, int]

# Below this visible share a piece cannot be asked for.
LEAST_VISIBLE_PIECE = 0.12
# A print is there to be read above the first share, hidden below the second, and not asked for in between.
VISIBLE_PRINT = 0.45
HIDDEN_PRINT = 0.12


def labels_of(example: Example) -> Labels:
    """The right answers for a photo's own game."""
    assert example.game is not None
    return _LABELS[example.game](example)


def turned(game: str, labels: Labels, quarters: int, cells: tuple[int, int]) -> Labels:
    """The labels of a board of ``cells`` turned counter-clockwise: what lay in the east then lies in the north."""
    if game != "sprawl":
        rotated = {name: np.rot90(grid, quarters).copy() for name, grid in labels.items()}
    else:
        rotated = {name: turned_part(grid, quarters, cells) for name, grid in labels.items()}
        points = rotated["points"]
        rotated["points"] = np.where(points >= 0, (points - quarters) % len(DIRECTIONS), points)
    if game == "alien-city" and quarters % 4 == 2:
        icon = rotated["tile_icon"]
        on_the_tile = (icon >= 0) & (icon < len(ICON_CORNERS))
        rotated["tile_icon"] = np.where(on_the_tile, len(ICON_CORNERS) - 1 - icon, icon)
    return rotated


def mirrored(game: str, labels: Labels, cells: tuple[int, int]) -> Labels:
    """The labels of a board seen in a mirror: east and west change places, and digits cannot be asked for."""
    flipped = {}
    for name, grid in labels.items():
        part = grid[:, : cells[0]] if game == "sprawl" else grid
        flipped[name] = np.concatenate([part[:, ::-1], grid[:, part.shape[1] :]], axis=1)
    if game == "sprawl":
        points = flipped["points"]
        sideways = (points >= 0) & (points % 2 == DIRECTIONS.index("east") % 2)
        flipped["points"] = np.where(sideways, (points + 2) % len(DIRECTIONS), points)
    elif game == "alien-city":
        icon, rank = flipped["tile_icon"], flipped["tile_rank"]
        # Corners come in pairs of west and east.
        flipped["tile_icon"] = np.where((icon >= 0) & (icon < len(ICON_CORNERS)), icon ^ 1, icon)
        flipped["tile_rank"] = np.where((rank > 0) & (rank < len(RANKS)), -1, rank)
    return flipped


def turned_part(grid: Grid, quarters: int, cells: tuple[int, int]) -> Grid:
    """A smaller board stays in the north-west of the grid when it is turned."""
    part = np.rot90(grid[: cells[1], : cells[0]], quarters)
    whole = np.full_like(grid, -1)
    whole[: part.shape[0], : part.shape[1]] = part
    return whole


def alien_city_labels(example: Example) -> Labels:
    columns, rows = ALIEN_CITY.cells
    kind = np.zeros((rows, columns), np.int64)
    colour, cap = _unasked(ALIEN_CITY.cells), _unasked(ALIEN_CITY.cells)
    for structure in example.truth.get("structures", ()):
        at = _cell(structure["at"], rows)
        if example.visible(f"structure:{structure['at']}") < LEAST_VISIBLE_PIECE:
            kind[at] = -1
            continue
        kind[at] = KINDS.index(structure["kind"])
        colour[at] = GUILDS.index(structure["colour"])
        if structure["kind"] == "tower":
            cap[at] = CAPS.index(structure.get("claimed_by", "none"))
    return {"kind": kind, "colour": colour, "cap": cap, **_tile_labels(example)}


def city_blocks_labels(example: Example) -> Labels:
    square = np.array([[SQUARES.index(c) for c in row] for row in example.truth["grid"]])
    mark = _unasked(CITY_BLOCKS.cells)
    corners = ((0, 0), (0, -1), (-1, -1), (-1, 0))  # north-west, north-east, south-east, south-west
    for at, colour in zip(corners, example.truth.get("corner_colours") or (None,) * 4, strict=True):
        if square[at] == 0:
            mark[at] = MARKS.index(colour[0].upper()) if colour else 0
    return {"square": square.astype(np.int64), "mark": mark}


def sprawl_labels(example: Example) -> Labels:
    columns, rows = int(example.truth["columns"]), int(example.truth["rows"])
    grids = {name: _unasked(SPRAWL.cells) for name in SPRAWL.heads}
    grids["cell"][:rows, :columns] = CELLS.index("empty")
    for cell in example.truth["cells"]:
        at = _cell(cell["at"], rows)
        pieces = cell.get("stack") or [cell["lying"]]
        if max(example.visible(f"piece:{cell['at']}:{level}") for level in range(len(pieces))) < LEAST_VISIBLE_PIECE:
            grids["cell"][at] = -1
            continue
        sizes = tuple(int(piece[-1]) for piece in pieces)
        for level, piece in zip(LEVELS, pieces, strict=False):
            grids[level][at] = COLOURS.index(piece[:-1])
        if "stack" in cell:
            grids["cell"][at] = CELLS.index("stack")
            grids["shape"][at] = SHAPES.index(sizes if sizes in SHAPES else ())
        else:
            grids["cell"][at] = CELLS.index("lying")
            grids["size"][at] = sizes[0] - 1
            grids["points"][at] = DIRECTIONS.index(cell["points"])
    return grids


_LABELS: Mapping[str, Callable[[Example], Labels]] = {
    "alien-city": alien_city_labels,
    "city-blocks": city_blocks_labels,
    "sprawl": sprawl_labels,
}


def _tile_labels(example: Example) -> Labels:
    columns, rows = ALIEN_CITY.cells
    grids = {name: _unasked((columns // 2, rows // 2)) for name in ALIEN_CITY.block_heads}
    for tile in example.truth.get("tiles", ()):
        row, column = _cell(tile["at"], rows)
        at = row // 2, column // 2
        icon = example.visible(f"icon:{tile['at']}")
        centre = example.visible(f"rank:{tile['at']}")
        # A null has nothing in its centre that could tell the colour.
        rank = centre if tile["rank"] else 0.0
        if tile["colour"] is not None:
            grids["tile_colour"][at] = _seen(max(icon, rank), GUILDS.index(tile["colour"]), len(GUILDS))
        if tile["icon"] is not None:
            grids["tile_icon"][at] = _seen(icon, _icon_corner(tile["icon"], row, column), len(ICON_CORNERS))
        if tile["rank"] is not None:
            grids["tile_rank"][at] = _seen(centre, RANKS.index(tile["rank"]), len(RANKS))
    return grids


def _seen(visible: float, answer: int, hidden: int) -> int:
    if visible >= VISIBLE_PRINT:
        return answer
    return hidden if visible <= HIDDEN_PRINT else -1


def _icon_corner(icon: str, row: int, column: int) -> int:
    """The number of the icon's corner on the tile whose south-west lot is in this row and column."""
    icon_row, icon_column = _cell(icon, ALIEN_CITY.cells[1])
    north = icon_row == row - 1
    return 2 * north + (icon_column - column)


def _unasked(cells: tuple[int, int]) -> Grid:
    return np.full((cells[1], cells[0]), -1, np.int64)


def _cell(name: str, rows: int) -> Cell:
    """Row from the north and column from the west of a lot such as C9, which counts rows from the south."""
    return rows - int(name[1:]), ord(name[0]) - ord("A")
