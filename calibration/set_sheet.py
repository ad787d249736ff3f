"""The piece-set sheets: where each game's sheet has its markers, its grey patches, and a place for each kind of piece.

One place for what the printed sheet and the reading of its photo must agree on. Millimetres from the top left of an
area that fits A4 and Letter alike, so that a photo need not tell the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from calibration.sets import BLOKUS_COLOURS, GUILD_COLOURS, TOWER_COLOURS
from engine.colours import COLOURS

AREA_MM: Final = (186.0, 255.0)
# A marker at each corner of the area: north-west, north-east, south-east, south-west.
MARKER_MM: Final = 20.0
MARKER_CORNERS: Final = (
    (0.0, 0.0),
    (AREA_MM[0] - MARKER_MM, 0.0),
    (AREA_MM[0] - MARKER_MM, AREA_MM[1] - MARKER_MM),
    (0.0, AREA_MM[1] - MARKER_MM),
)
# Printed greys (0 = black), each once at the top and once at the bottom; white is the paper itself.
GREYS: Final = (0.0, 0.25, 0.5, 0.75)
PATCH_MM: Final = 12.0
PATCH_ROWS: Final = (10.0, AREA_MM[1] - 10.0)
# Dots in every place: where they can still be seen, no piece lies there. Few enough to leave translucent
# pieces their white ground.
DOT_MM: Final = 1.2
DOT_PITCH_MM: Final = 3.25

GUILD_SYMBOLS: Final = {"red": "sun, bolt", "blue": "arms, circle", "green": "crown, star", "black": "moon, pyramid"}

Kind = Literal["tile", "dome", "tower", "cap", "pyramid", "piece", "board"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one piece lies. ``size`` is the side of a square (or, for round ones, the diameter of a disc) that the
    piece surely covers, around ``x`` and ``y``; ``outline`` that of what is drawn around it."""

    kind: Kind
    colour: str  # the guild's, the plastic's or the piece's; "" for the board
    x: float
    y: float
    size: float
    outline: float
    round: bool = False

    @property
    def name(self) -> str:
        """What errors call it, such as "red tower"."""
        return f"{self.colour} {self.kind}" if self.colour else self.kind

    @property
    def label(self) -> str:
        """What is printed under it. Guilds have their symbols named: some sets print crowns in yellow."""
        return f"{self.name} ({GUILD_SYMBOLS[self.colour]})" if self.kind in ("tile", "dome") else self.name

    def dots(self) -> list[tuple[float, float]]:
        """The centres of the dots."""
        count = int(self.size // DOT_PITCH_MM)
        steps = [(i - (count - 1) / 2) * DOT_PITCH_MM for i in range(count)]
        return [(self.x + across, self.y + down) for down in steps for across in steps]


@dataclass(frozen=True, slots=True)
class SetSheet:
    """The sheet of one game. Its markers' numbers tell which one it is."""

    game: str
    first_marker: int
    title: str
    advice: str
    places: tuple[Place, ...]

    @property
    def markers(self) -> tuple[int, ...]:
        """The numbers of the markers: north-west, north-east, south-east, south-west."""
        return tuple(range(self.first_marker, self.first_marker + 4))


def patches() -> list[tuple[float, float, float]]:
    """All printed patches: grey, and the centre."""
    return [(grey, 55.0 + 25.0 * i, row) for row in PATCH_ROWS for i, grey in enumerate(GREYS)]


def whites() -> list[tuple[float, float]]:
    """Spots of bare paper all around, for the light that falls on the sheet."""
    width, height = AREA_MM
    away = 4.0
    across = [(width * i / 3, edge) for edge in (-away, height + away) for i in range(4)]
    down = [(edge, height * i / 4) for edge in (-away, width + away) for i in range(1, 4)]
    return across + down


def _row(kind: Kind, colours: tuple[str, ...], y: float, size: float, outline: float) -> tuple[Place, ...]:
    """Places of equal distance across the whole area."""
    pitch = AREA_MM[0] / len(colours)
    return tuple(Place(kind, c, (i + 0.5) * pitch, y, size, outline) for i, c in enumerate(colours))


def _alien_city() -> tuple[Place, ...]:
    tiles = (*_row("tile", GUILD_COLOURS[:3], 58, 44, 54), Place("tile", GUILD_COLOURS[3], 31, 121, 44, 54))
    coins = tuple(
        Place("dome", colour, 76 + 30 * (i % 2), 104 + 34 * (i // 2), 15, 25, round=True)
        for i, colour in enumerate(GUILD_COLOURS)
    )
    towers = tuple(
        Place("tower", colour, 140 + 31 * (i % 2), 104 + 34 * (i // 2), 16.5, 28)
        for i, colour in enumerate(TOWER_COLOURS)
    )
    caps = (*_row("cap", COLOURS[:6], 172, 13, 20), *_row("cap", COLOURS[6:], 202, 13, 20))
    return (*tiles, *coins, *towers, *caps)


def _city_blocks() -> tuple[Place, ...]:
    return (*_row("piece", BLOKUS_COLOURS, 62, 26, 42), Place("board", "", 93, 155, 66, 70))


def _sprawl() -> tuple[Place, ...]:
    pyramids = (*_row("pyramid", COLOURS[:6], 52, 13, 28), *_row("pyramid", COLOURS[6:], 92, 13, 28))
    return (*pyramids, Place("board", "", 93, 160, 66, 70))


_WINDOW: Final = "Cut the large square out and lay the sheet on the board, or leave the board out."
SHEETS: Final[Mapping[str, SetSheet]] = {
    sheet.game: sheet
    for sheet in (
        SetSheet(
            "alien-city",
            0,
            "Cityscan: your Alien City set",
            "A tile, a coin and a tower of each suit; a small pyramid for each colour of cap that you use.",
            _alien_city(),
        ),
        SetSheet("city-blocks", 4, "Cityscan: your City Blocks set", f"A 2 x 2 piece each. {_WINDOW}", _city_blocks()),
        SetSheet("sprawl", 8, "Cityscan: your Sprawl set", f"A pyramid of each colour. {_WINDOW}", _sprawl()),
    )
}
