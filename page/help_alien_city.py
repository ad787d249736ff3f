"""Alien City explained: small positions, each scored or judged by the engine itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.alien_city import GAME
from engine.alien_city.board import BOARD, bits
from engine.alien_city.city import City
from engine.alien_city.pieces import EDITIONS
from engine.alien_city.playing import built_lots
from engine.alien_city.roads import Roads
from engine.alien_city.scoring import bonus_points
from engine.alien_city.state import AlienCityState, Structure, Tile
from engine.colours import COLOUR_OF
from engine.game import Options
from page.boards import board_kind
from page.boards.base import Mark
from page.help_pictures import Example, Window, example

NAME: Final = GAME.name
# The south-west of the board: columns A to F or G, rows 1 to 4.
CORNER: Final[Window] = (0, 6, 6, 10)
WIDER_CORNER: Final[Window] = (0, 6, 8, 10)

_ROW_OF_TILES: Final = ("red", "black", "blue", "green")

DISTANCE: Final = "B2 R, C2 b, B4 g"
CUSTOMERS: Final = "C2 RW, A2 B, C4 b, E2 g, D1 r, E4 k, G3 R"
BONUS: Final = "D3 G, B3 RW, F3 B"
TIE: Final = "D3 G, B3 RW, F3 RW"
FORBIDDEN: Final = "A2 g, C1 r, C2 b, D1 g, E1 r, E2 k"
PLACES: Final = "A4 b, B4 b, D4 g"


def city(text: str, tiles: tuple[Tile, ...] = ()) -> AlienCityState:
    """A position from lots and pieces such as ``C2 RW``: capitals are towers, with the letter of their cap."""
    structures = []
    for entry in text.split(", "):
        at, piece = entry.split()
        kind = "tower" if piece[0].isupper() else "dome"
        cap = COLOUR_OF[piece[1]] if len(piece) > 1 else None
        structures.append(Structure(at, kind, COLOUR_OF[piece[0].upper()], cap))
    return AlienCityState(tiles, tuple(structures))


def all_tiles() -> tuple[Tile, ...]:
    """Twenty tiles, every colour once in each row; the icon is always in the south-west."""
    found = []
    for number, name in enumerate(BOARD.tile_names):
        row, column = divmod(number, len(_ROW_OF_TILES))
        found.append(Tile(name, _ROW_OF_TILES[(column + 2 * row) % len(_ROW_OF_TILES)], row, name))
    return tuple(found)


def examples() -> Iterator[Example]:
    """All examples, in the order in which a newcomer needs them."""
    yield distance()
    yield customers()
    yield bonus()
    yield tie()
    yield forbidden()
    yield places()


def distance() -> Example:
    state = city(DISTANCE)
    tower = state.structure_at["B2"]
    found = {at: City(state).nearest(tower, 1 << BOARD.number[at]) for at in ("C2", "B4")}
    beside, across = found["C2"], found["B4"]
    assert beside is not None
    assert across is not None
    marks = [Mark(at, "road", str(n), f"road {n}") for n, at in enumerate(beside.road, start=1)]
    text = (
        "Distance is the number of vacant lots on the shortest road, never diagonally. The tower on B2 and the dome "
        f"on C2 stand side by side, yet they are {beside.distance} apart: by {' and '.join(beside.road)}. The tower "
        f"and the dome on B4 face the same vacant lot, {across.road[0]}: distance {across.distance}, the least."
    )
    return example(NAME, "Distance", text, state, marks, CORNER)


def customers() -> Example:
    state = city(CUSTOMERS)
    (item,) = (item for item in GAME.score(state).items if item.kind == "tower")
    facts = item.details
    text = (
        f"White has claimed the red tower on {facts['at']}. Its customers (C) are the structures of another colour at "
        f"distance 1 or 2: {', '.join(facts['customers'])}. The red dome on D1 has the tower's own colour, and the "
        "black dome on E4 is too far away. The competition (×) is the nearest other red tower, whoever owns it: "
        f"{facts['competitor']}, {facts['distance']} lots away. So the tower is worth "
        f"{len(facts['customers'])} × {facts['distance']} = {item.points} points."
    )
    return example(NAME, "Customers and competition", text, state, board_kind(NAME).marks(item), WIDER_CORNER)


def bonus() -> Example:
    state = city(BONUS)
    (item,) = (item for item in GAME.score(state).items if item.kind == "bonus")
    steps = ", ".join(str(bonus_points(distance)) for distance in range(1, 6) if bonus_points(distance))
    text = (
        f"The green tower on {item.details['at']} is unclaimed, so for red and for blue the nearest tower counts. The "
        f"nearest red one, {item.details['nearest'][0]}, is {item.details['distance']} away and claimed: {item.owner} "
        f"gets {item.points} points ({steps} for distances 1, 2, 3, ...). The nearest blue one, F3, is unclaimed: "
        "nobody gets anything for blue, and the next blue tower does not count instead."
    )
    return example(NAME, "Bonus", text, state, board_kind(NAME).marks(item), WIDER_CORNER)


def tie() -> Example:
    state = city(TIE)
    paid = {}
    for edition in EDITIONS:
        score = GAME.score(GAME.with_options(state, Options(edition=edition)))
        paid[edition] = sum(item.points for item in score.items if item.kind == "bonus")
    told = "; ".join(f"edition {edition} pays {points or 'nothing'}" for edition, points in paid.items())
    text = (
        "Two red towers are equally near to the green one, and both are white's. Here the editions differ: "
        f"{told}. With two different owners no edition pays."
    )
    marks = [Mark(at, "customer", "N", "nearest tower") for at in ("B3", "F3")]
    return example(NAME, "Bonus when towers tie", text, state, marks, WIDER_CORNER)


def forbidden() -> Example:
    state = city(FORBIDDEN)
    built = built_lots(state)
    roads = Roads(BOARD, built)
    lots = list(bits(roads.vacant & ~roads.buildable))
    marks = [Mark(BOARD.lots[lot], "problem", "!", "may not be built on") for lot in lots]
    harms = [_harm(lot, Roads(BOARD, built | 1 << lot)) for lot in lots]
    text = (
        f"{GAME.rules['road']} So nobody may build on the marked lots: {'; '.join(harms)}. What the road forbids stays "
        "forbidden for the rest of the game."
    )
    return example(NAME, "Lots that nobody may build on", text, state, marks, CORNER)


def _harm(lot: int, after: Roads) -> str:
    """What a structure on this lot would do to the road."""
    if after.cut_off:
        return f"{BOARD.lots[lot]} would cut off {' and '.join(BOARD.names(after.cut_off))}"
    return f"{BOARD.lots[lot]} is the only road of {' and '.join(BOARD.names(after.walled_in))}"


def places() -> Example:
    state = city(PLACES, all_tiles())
    lots = [m.action["at"] for m in GAME.moves(state) if (m.action["kind"], m.action["colour"]) == ("tower", "red")]
    marks = [Mark(at, "may", "✓", "a red tower may be built here") for at in lots]
    text = (
        f"Where may a red tower go in this corner? {GAME.rules['first-two']} The blue tile in the north-west holds two "
        f"structures already, so it is open to any tower. {GAME.rules['icon-last']} (A star marks the icon.)"
    )
    return example(NAME, "Where a tower may be built", text, state, marks, (0, 6, 4, 10))
