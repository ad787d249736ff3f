"""Playing: what may be built now, and random legal games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.alien_city.board import BOARD, bits, lot_set
from engine.alien_city.pieces import (
    CAPS,
    CLAIMS_PER_PLAYER,
    EDITIONS,
    GUILDS,
    MORE_BLUE,
    MORE_RED,
    PIECES,
    RANKS,
    STOCK,
    STRICT_DISPLACED,
    TILES_PER_GUILD,
    Piece,
    piece_name,
)
from engine.alien_city.placement import ANY_COLOUR, Colours, Plan, Site
from engine.alien_city.state import AlienCityState, Structure, Tile, lots_of_tile
from engine.sheet import Move


def built_lots(state: AlienCityState) -> int:
    """The lots that carry a structure."""
    return lot_set([BOARD.number[structure.at] for structure in state.structures])


def possible_colours(state: AlienCityState) -> dict[int, Colours]:
    """What each tile's colour may be, given that the set has five tiles of each.

    On a board with more than five tiles of a colour that count is broken
    anyway and says nothing about the unseen tiles.
    """
    seen = Counter(tile.colour for tile in state.tiles if tile.colour)
    short = frozenset(guild for guild in GUILDS if seen[guild] < TILES_PER_GUILD)
    unseen = ANY_COLOUR if too_many_of_a_colour(state) else short
    colours = dict.fromkeys(BOARD.tiles, unseen)
    for tile in state.tiles:
        if tile.colour:
            colours[BOARD.number[tile.at]] = frozenset({tile.colour})
    return colours


def too_many_of_a_colour(state: AlienCityState) -> bool:
    """Whether more tiles of a colour were seen than the set has."""
    return any(n > TILES_PER_GUILD for n in Counter(tile.colour for tile in state.tiles if tile.colour).values())


def known_icons(state: AlienCityState) -> dict[int, int | None]:
    """The icon lot of each tile by number, None where it was not seen."""
    icons: dict[int, int | None] = dict.fromkeys(BOARD.tiles)
    for tile in state.tiles:
        if tile.icon:
            icons[BOARD.number[tile.at]] = BOARD.number[tile.icon]
    return icons


def plan_of(state: AlienCityState, doubt_helps: bool = True) -> Plan:
    """What the state's tiles say; the two plans are one where everything was seen."""
    strict = STRICT_DISPLACED in state.variants
    return Plan.of(BOARD, possible_colours(state), known_icons(state), strict, doubt_helps)


def everything_seen(state: AlienCityState) -> bool:
    """Whether all colours and icons are known."""
    return len(state.tiles) == len(BOARD.tiles) and all(tile.colour and tile.icon for tile in state.tiles)


def pieces_left(state: AlienCityState) -> dict[Piece, int]:
    """How many of each piece the whole set has beside the board."""
    used = Counter(structure.piece for structure in state.structures)
    return {piece: max(0, STOCK[piece] - used[piece]) for piece in PIECES}


@dataclass(frozen=True, slots=True)
class Placement:
    """A lot where a piece may be built; not ``certain`` where that hangs on an unseen tile."""

    lot: str
    piece: Piece
    certain: bool = True

    def to_move(self) -> Move:
        kind, colour = self.piece
        action = {"at": self.lot, "kind": kind, "colour": colour}
        text = f"{piece_name(self.piece)} on {self.lot}"
        if self.certain:
            return Move(text, action)
        return Move(f"{text} (if the unseen tiles allow it)", {**action, "certain": False})


def placements(state: AlienCityState) -> tuple[Placement, ...]:
    """All legal placements of the pieces that the set has left."""
    built = built_lots(state)
    left = [piece for piece, number in pieces_left(state).items() if number]
    best = Site(plan_of(state), built)
    worst = best if everything_seen(state) else Site(plan_of(state, doubt_helps=False), built)
    found = []
    for piece in left:
        certain = worst.places(piece)
        found += [Placement(BOARD.lots[lot], piece, bool(certain >> lot & 1)) for lot in bits(best.places(piece))]
    return tuple(found)


def random_tiles(rng: random.Random) -> tuple[Tile, ...]:
    """A shuffled set-up: five of the six ranks of each guild, every tile turned at random."""
    faces = [(guild, rank) for guild in GUILDS for rank in rng.sample(RANKS, TILES_PER_GUILD)]
    rng.shuffle(faces)
    return tuple(
        Tile(at, guild, rank, rng.choice(lots_of_tile(at)))
        for at, (guild, rank) in zip(BOARD.tile_names, faces, strict=True)
    )


class _Player:
    """One player of a random game: a stock, caps, and a taste for towers and claims."""

    def __init__(self, cap: str, stock: Mapping[Piece, int], rng: random.Random) -> None:
        self.cap = cap
        self.stock = dict(stock)
        self.claims_left = CLAIMS_PER_PLAYER
        # How much likelier a tower is than a dome of the same number of places; players differ.
        self.taste_for_towers = rng.choice((0.3, 1.0, 4.0))
        self.taste_for_claims = rng.uniform(0.05, 0.7)

    def options(self, site: Site) -> dict[Piece, int]:
        """The places of every piece in hand that has any."""
        places = {piece: site.places(piece) for piece, number in self.stock.items() if number}
        return {piece: lots for piece, lots in places.items() if lots}

    def choose(self, options: dict[Piece, int], rng: random.Random) -> Structure:
        weights = [self.stock[p] * (self.taste_for_towers if p[0] == "tower" else 1.0) for p in options]
        piece = rng.choices(list(options), weights)[0]
        self.stock[piece] -= 1
        kind, colour = piece
        return Structure(BOARD.lots[rng.choice(list(bits(options[piece])))], kind, colour)


def random_game(rng: random.Random) -> Iterator[AlienCityState]:
    """Every position of a random legal game: the set-up, then the position after each turn."""
    edition = rng.choice(EDITIONS)
    state = AlienCityState(tiles=random_tiles(rng), edition=edition)
    plan = plan_of(state)
    red, blue = CAPS[edition]
    players = [_Player(red, MORE_RED, rng), _Player(blue, MORE_BLUE, rng)]
    rng.shuffle(players)
    yield state
    site = Site(plan, 0)
    while True:
        able = [player for player in players if player.options(site)]
        if not able:
            return
        # A player who cannot build is skipped.
        mover = able[0]
        state = state.built(mover.choose(mover.options(site), rng))
        site = Site(plan, built_lots(state))
        if any(player.options(site) for player in players):  # the very last action may not be a claim
            state = _maybe_claim(state, mover, rng)
        yield state
        players = [player for player in players if player is not mover] + [mover]


def _maybe_claim(state: AlienCityState, player: _Player, rng: random.Random) -> AlienCityState:
    free = [s.at for s in state.structures if s.is_tower and not s.claimed_by]
    if not free or not player.claims_left or rng.random() > player.taste_for_claims:
        return state
    player.claims_left -= 1
    return state.claimed(rng.choice(free), player.cap)
