"""What a physical set consists of, as a profile describes it. Colours are sRGB from 0 to 1, measures millimetres.

Colour names of tiles and coins are the guild's (``red`` suns, ``blue`` arms, ``green`` crowns, ``black`` moons,
whatever ink the set prints them in); those of pyramids are what a person would call the plastic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from calibration.looks import DIGITS, ENVIRONMENTS, ICONS, TABLES
from calibration.toml_reader import HexColour, Length, OneOf, Range
from engine.colours import COLOURS
from engine.game import game_names

GAMES: Final = game_names()
EDITIONS: Final = ("1.0", "2.2", "fr")
GUILD_COLOURS: Final = ("red", "blue", "green", "black")
BLOKUS_COLOURS: Final = ("blue", "green", "red", "yellow")
TOWER_COLOURS: Final = ("red", "blue", "green")

# The tables of a profile that each game is played with.
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "alien-city": ("tiles", "coins", "pyramids"),
    "city-blocks": ("blokus",),
    "sprawl": ("pyramids", "chess"),
}

Rgb: TypeAlias = Annotated[tuple[float, float, float], HexColour()]
Share: TypeAlias = Annotated[float, Range(0, 1)]
Millimetres: TypeAlias = Annotated[float, Range(0, 100)]
Colour: TypeAlias = Annotated[str, OneOf(COLOURS, "colour")]
GuildColour: TypeAlias = Annotated[str, OneOf(GUILD_COLOURS, "guild colour")]
BlokusColour: TypeAlias = Annotated[str, OneOf(BLOKUS_COLOURS, "Blokus colour")]
Game: TypeAlias = Annotated[str, OneOf(GAMES, "game")]
Edition: TypeAlias = Annotated[str, OneOf(EDITIONS, "edition")]


@dataclass(frozen=True, slots=True)
class TileSet:
    """Square tiles: the rank in the middle, the suit's icon in the top-left of four lots."""

    # "plain" prints coloured symbols on the ground colour, "wood" on grain; "inverted" prints symbols in
    # the ground colour on a field of the suit's colour.
    ground: Literal["plain", "wood", "inverted", "inverted-wood", "speckled"]
    ground_colour: Rgb
    material: Literal["card", "wood", "plastic"]
    colours: Mapping[GuildColour, Rgb]
    icons: Mapping[GuildColour, Annotated[str, OneOf(ICONS.all, "icon design")]]
    digits: Annotated[str, OneOf(DIGITS.all, "digit font")]
    ranks: bool = True  # some 2.2 sets print no ranks
    ace: Literal["A", "suit", "1"] = "A"
    rank_colour: Literal["suit", "black"] = "suit"
    thickness_mm: Annotated[float, Range(0.2, 12)] = 3.0
    size_mm: Annotated[float, Range(20, 100)] = 50.8
    icon_size: Annotated[float, Range(0.2, 0.9)] = 0.5  # share of a lot's side
    icon_margin: Annotated[float, Range(0.02, 0.2)] = 0.055  # from the edges, as a share of the tile's side
    rank_size: Annotated[float, Range(0.15, 0.75)] = 0.4  # height as a share of the tile's side
    frame: Literal["none", "line", "double", "rounded", "band"] = "none"
    lot_lines: Share = 0.0  # how strongly a cross divides the face into its lots
    corner_radius_mm: Annotated[float, Range(0, 8)] = 1.0
    gap_mm: Annotated[float, Range(0, 5)] = 0.5  # usual distance between neighbours
    shift_mm: Annotated[float, Range(0, 5)] = 0.5  # how carelessly tiles are laid
    turn_degrees: Annotated[float, Range(0, 10)] = 0.8
    wear: Share = 0.2
    gloss: Share = 0.2  # 0 = matt paper, 1 = polished


@dataclass(frozen=True, slots=True)
class CoinSet:
    """Round coins, the domes of Alien City: the suit in colour on one side, a black rank on the other."""

    ground: Literal["plain", "wood", "inverted"]
    ground_colour: Rgb
    material: Literal["wood", "plastic", "card", "metal"]
    diameter_mm: Annotated[float, Range(12, 25.4)] = 19.0
    thickness_mm: Annotated[float, Range(0.5, 8)] = 3.2
    rim: Literal["none", "groove", "raised", "ring", "dark"] = "none"
    relief_mm: Annotated[float, Range(0, 1)] = 0.0  # depth of engraved symbols
    icon_size: Annotated[float, Range(0.4, 0.9)] = 0.66  # share of the diameter
    wear: Share = 0.2
    gloss: Share = 0.2


@dataclass(frozen=True, slots=True)
class Plastic:
    """What pyramids or pieces of one colour are made of. ``density`` matters for translucent plastic only:
    how strongly it colours the light (0 = window glass, 1 = nearly opaque)."""

    colour: Rgb
    translucent: bool = True
    density: Share = 0.7
    roughness: Share = 0.15


@dataclass(frozen=True, slots=True)
class PyramidSet:
    """Nesting pyramids: towers and caps of Alien City, all pieces of Sprawl."""

    plastic: Mapping[Colour, Plastic]
    caps: Annotated[tuple[Colour, ...], Length(0, 12)] = ()  # the colours that are used as caps
    tower_size: Literal["large", "medium"] = "large"
    cap_size: Literal["small", "medium"] = "small"
    pips: Literal["moulded", "printed", "drilled", "none"] = "moulded"
    wall_mm: Annotated[float, Range(0.5, 4)] = 1.5


@dataclass(frozen=True, slots=True)
class BlokusSet:
    """A Blokus board of 20 x 20 squares and its pieces."""

    make: Literal["plastic-ribs", "printed-card"]
    board_colour: Rgb
    piece_colours: Mapping[BlokusColour, Rgb]
    square_mm: Annotated[float, Range(10, 25)] = 18.0
    rib_colour: Rgb = (0.9, 0.9, 0.9)  # on printed card: the lines
    rib_height_mm: Annotated[float, Range(0, 4)] = 1.2
    rib_width_mm: Annotated[float, Range(0.2, 3)] = 1.0
    border_mm: Annotated[float, Range(0, 60)] = 8.0
    border_colour: Rgb = (0.92, 0.92, 0.92)
    board_thickness_mm: Annotated[float, Range(0.3, 20)] = 6.0
    piece_material: Literal["translucent", "opaque", "card", "wood"] = "translucent"
    piece_density: Share = 0.8
    piece_roughness: Share = 0.12
    piece_thickness_mm: Annotated[float, Range(0.3, 8)] = 4.0
    bevel_mm: Annotated[float, Range(0, 3)] = 1.2
    inner_mark: Share = 0.0  # how far a raised or sunken square on every unit of a piece stands out
    corner_marks: Literal["none", "dot", "square", "wedge", "border"] = "none"
    # North-west, north-east, south-east, south-west; sets differ.
    corners: Annotated[tuple[BlokusColour, ...], Length(4, 4)] = ("blue", "yellow", "red", "green")
    centre: Literal["placed", "printed"] = "placed"  # the four singles
    gloss: Share = 0.4


@dataclass(frozen=True, slots=True)
class ChessBoard:
    """A board of squares for Sprawl; ``rows`` run north-south."""

    columns: Annotated[int, Range(3, 12)]
    rows: Annotated[int, Range(3, 12)]
    square_mm: Annotated[float, Range(20, 70)]
    material: Literal["wood", "vinyl", "paper", "card", "marble", "glass"]
    light: Rgb
    dark: Rgb
    # "lines": squares of the light colour divided by lines of the dark one; "pastel": a mix of soft colours.
    pattern: Literal["checkered", "lines", "pastel", "dots"] = "checkered"
    border_mm: Annotated[float, Range(0, 80)] = 15.0
    border_colour: Rgb | None = None  # default: the light colour on vinyl and paper, the dark one elsewhere
    line_mm: Annotated[float, Range(0, 3)] = 0.0  # line around squares
    notation: Literal["none", "letters", "letters-all-sides"] = "none"
    emblem: bool = False  # a maker's mark in the border
    thickness_mm: Annotated[float, Range(0.1, 40)] = 3.0
    gloss: Share = 0.3
    wear: Share = 0.15


@dataclass(frozen=True, slots=True)
class Profile:
    """One physical set, with the tables and the light it is photographed on and in."""

    name: str
    title: str
    games: Annotated[tuple[Game, ...], Length(1, 3)]
    tables: Annotated[tuple[Annotated[str, OneOf(TABLES.all, "table")], ...], Length(1, 99)]
    environments: Annotated[tuple[Annotated[str, OneOf(ENVIRONMENTS.all, "environment")], ...], Length(1, 99)]
    held_out: bool = False
    editions: tuple[Edition, ...] = ()
    tiles: TileSet | None = None
    coins: CoinSet | None = None
    pyramids: PyramidSet | None = None
    blokus: BlokusSet | None = None
    chess: tuple[ChessBoard, ...] = ()
