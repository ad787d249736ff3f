"""How each game's board is shown to its network: cells, planes, and the questions asked of every cell.

One place for what training and reading must agree on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.colours import COLOURS

# Trained networks answer in this order, so it is fixed here and does not follow the engine's list.
GAMES: Final = ("alien-city", "city-blocks", "sprawl")

# Alien City
GUILDS: Final = ("red", "blue", "green", "black")
KINDS: Final = ("empty", "dome", "tower")
# What is on a tower: nothing, or a cap of one of the colours.
CAPS: Final = ("none", *COLOURS)
# Where a tile's icon is, seen with north up.
ICON_CORNERS: Final = ("south-west", "south-east", "north-west", "north-east")
RANKS: Final = (0, 1, 2, 3, 4, 5)

# City Blocks
# A square may be occupied by a stand-in for a lost piece, of no colour that is known.
SQUARES: Final = (".", "B", "G", "R", "Y", "?")
MARKS: Final = SQUARES[:-1]

# Sprawl
CELLS: Final = ("empty", "stack", "lying")
# The sizes of a stack, bottom first; the last answer is any stack that the rules do not allow.
SHAPES: Final = ((1,), (2,), (3,), (2, 1), (3, 2), (3, 2, 1), ())
LEVELS: Final = ("bottom", "middle", "top")
# Clockwise, so that a quarter turn of the board is a step in this list.
DIRECTIONS: Final = ("north", "east", "south", "west")


@dataclass(frozen=True, slots=True)
class BoardView:
    """The rectified board that a network looks at.

    ``heights`` are the planes' heights in cells. ``heads`` ask something of every cell, ``block_heads`` of every
    block of ``block`` x ``block`` cells (a tile); both map a question to its number of answers.
    """

    game: str
    cells: tuple[int, int]
    heights: tuple[float, ...]
    cell_px: int
    margin_px: int
    heads: Mapping[str, int]
    # How many pixels the network's first layer takes for one; the layers after it halve twice.
    coarsening: int = 2
    # Whether the size of a cell is unknown, so that pieces must be compared to tell their sizes.
    scaled: bool = False
    block: int = 1
    block_heads: Mapping[str, int] = field(default_factory=dict)

    @property
    def channels(self) -> int:
        return 3 * len(self.heights)

    @property
    def reduction(self) -> int:
        """Pixels that are one place in what the network sees."""
        return 4 * self.coarsening


ALIEN_CITY: Final = BoardView(
    game="alien-city",
    cells=(8, 10),
    # The tiles, the middle of a large pyramid, and its tip (44.5 mm over lots of 25.4 mm).
    heights=(0.0, 0.9, 1.75),
    cell_px=48,
    margin_px=24,
    coarsening=3,
    heads={"kind": len(KINDS), "colour": len(GUILDS), "cap": len(CAPS)},
    block=2,
    # Every question about a tile has one more answer, the last: it cannot be seen, something stands on it.
    block_heads={"tile_colour": len(GUILDS) + 1, "tile_icon": len(ICON_CORNERS) + 1, "tile_rank": len(RANKS) + 1},
)

CITY_BLOCKS: Final = BoardView(
    game="city-blocks",
    cells=(20, 20),
    # Pieces are 4 mm thick on squares of 15 to 20 mm.
    heights=(0.0, 0.22),
    cell_px=16,
    margin_px=16,
    # The mark is the colour of a board's corner square, or none.
    heads={"square": len(SQUARES), "mark": len(MARKS)},
)

# Smaller boards lie in the north-west of this one; the cells beyond them are not asked for.
SPRAWL: Final = BoardView(
    game="sprawl",
    cells=(8, 8),
    # Squares are 25 to 57 mm wide, pyramids up to 44.5 mm high and stacks a little higher.
    heights=(0.0, 0.5, 1.1),
    # A large pyramid on a chess board's squares has as many pixels as one on Alien City's lots.
    cell_px=56,
    margin_px=16,
    heads={
        "cell": len(CELLS),
        "shape": len(SHAPES),
        **{level: len(COLOURS) for level in LEVELS},
        "size": 3,
        "points": len(DIRECTIONS),
    },
    scaled=True,
)

VIEWS: Final = {view.game: view for view in (ALIEN_CITY, CITY_BLOCKS, SPRAWL)}
