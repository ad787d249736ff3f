"""What lies on the table: tiles, structures and caps, and nothing about rules.

All values are immutable and validate themselves. A board that breaks the rules
(six red tiles, four white caps, caps of three colours) is still a board: photos
are read as they lie. Only what cannot lie on a table is refused: two structures
on one lot, a cap on a dome, a lot outside the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from engine.alien_city.board import BOARD
from engine.alien_city.pieces import (
    CAPS,
    DEFAULT_EDITION,
    EDITIONS,
    GUILDS,
    KINDS,
    RANKS,
    TOWER_COLOURS,
    VARIANTS,
    Piece,
)
from engine.colours import COLOURS
from engine.errors import InvalidState


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile, named by its south-west lot; what was not seen is None."""

    at: str
    colour: str | None = None
    rank: int | None = None
    icon: str | None = None

    def __post_init__(self) -> None:
        if self.at not in BOARD.tile_names:
            raise InvalidState("tiles", f'"{self.at}" is not the south-west lot of a tile.')
        if self.colour is not None and self.colour not in GUILDS:
            raise InvalidState("tiles", f'tile {self.at} cannot have the colour "{self.colour}".')
        if self.rank is not None and self.rank not in RANKS:
            raise InvalidState("tiles", f"tile {self.at} cannot have the rank {self.rank}.")
        if self.icon is not None and self.icon not in lots_of_tile(self.at):
            raise InvalidState("tiles", f"the icon {self.icon} does not lie on tile {self.at}.")


@dataclass(frozen=True, slots=True)
class Structure:
    """A tower or dome on its lot; ``claimed_by`` is the colour of the cap on a tower."""

    at: str
    kind: str
    colour: str
    claimed_by: str | None = None

    def __post_init__(self) -> None:
        if self.at not in BOARD.number:
            raise InvalidState("structures", f'there is no lot "{self.at}".')
        if self.kind not in KINDS or self.colour not in (TOWER_COLOURS if self.kind == "tower" else GUILDS):
            raise InvalidState("structures", f"there is no {self.colour} {self.kind} ({self.at}).")
        if self.claimed_by is not None and self.kind != "tower":
            raise InvalidState("structures", f"the dome on {self.at} cannot be claimed; only towers can.")
        if self.claimed_by is not None and self.claimed_by not in COLOURS:
            raise InvalidState("structures", f'no cap has the colour "{self.claimed_by}" ({self.at}).')

    @property
    def piece(self) -> Piece:
        return self.kind, self.colour

    @property
    def is_tower(self) -> bool:
        return self.kind == "tower"

    def __str__(self) -> str:
        return f"{self.colour} {self.kind} on {self.at}"


@dataclass(frozen=True)
class AlienCityState:
    """A position. Tiles and structures are kept row by row from the south, however they were given."""

    tiles: tuple[Tile, ...] = ()
    structures: tuple[Structure, ...] = ()
    edition: str = DEFAULT_EDITION
    variants: tuple[str, ...] = ()
    # Facts that no photo shows: the lot that the last action claimed, and the players' names.
    last_claim: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _refuse_duplicates("tiles", "two tiles lie", [tile.at for tile in self.tiles])
        _refuse_duplicates("structures", "two structures stand", [structure.at for structure in self.structures])
        if self.edition not in EDITIONS:
            raise InvalidState("edition", f"must be one of {', '.join(EDITIONS)}.")
        if any(variant not in VARIANTS for variant in self.variants):
            raise InvalidState("variants", f"must be among {', '.join(VARIANTS)}.")
        if self.last_claim is not None and self.last_claim not in BOARD.number:
            raise InvalidState("extras.last_claim", f'there is no lot "{self.last_claim}".')
        if any(cap not in COLOURS for cap in self.names):
            raise InvalidState("extras.names", "the keys are cap colours.")
        set_field = object.__setattr__  # the only way to put values in order in a frozen dataclass
        set_field(self, "tiles", tuple(sorted(self.tiles, key=lambda tile: BOARD.number[tile.at])))
        set_field(self, "structures", tuple(sorted(self.structures, key=lambda s: BOARD.number[s.at])))
        set_field(self, "variants", tuple(variant for variant in VARIANTS if variant in self.variants))
        set_field(self, "names", MappingProxyType(dict(self.names)))

    def __hash__(self) -> int:
        return hash((self.tiles, self.structures, self.edition, self.variants, self.last_claim))

    def __reduce__(self) -> tuple[object, ...]:
        # Mapping proxies cannot be pickled, and readers hand states to worker processes.
        fields = (self.tiles, self.structures, self.edition, self.variants, self.last_claim, dict(self.names))
        return AlienCityState, fields

    @cached_property
    def tile_at(self) -> Mapping[str, Tile]:
        """The tiles by name."""
        return {tile.at: tile for tile in self.tiles}

    @cached_property
    def structure_at(self) -> Mapping[str, Structure]:
        """The structures by lot."""
        return {structure.at: structure for structure in self.structures}

    def tile_under(self, lot: str) -> Tile:
        """The tile that a lot belongs to; one without any known value where it was not seen."""
        name = tile_name(lot)
        return self.tile_at.get(name) or Tile(name)

    @property
    def caps_in_play(self) -> tuple[str, ...]:
        """The cap colours on the board, in the order of the colour list."""
        seen = {structure.claimed_by for structure in self.structures}
        return tuple(colour for colour in COLOURS if colour in seen)

    @property
    def players(self) -> tuple[str, ...]:
        """The cap colours that take part: those on the board or named, else the edition's own pair."""
        known = {*self.caps_in_play, *self.names}
        pair = CAPS[self.edition]
        return pair if known <= set(pair) else tuple(colour for colour in COLOURS if colour in known)

    def with_structures(self, structures: Iterable[Structure]) -> AlienCityState:
        return replace(self, structures=tuple(structures))

    def built(self, structure: Structure) -> AlienCityState:
        """The position after one more structure."""
        return self.with_structures((*self.structures, structure))

    def claimed(self, lot: str, cap: str) -> AlienCityState:
        """The position after a cap was put on the tower on ``lot``."""
        return self.with_structures(replace(s, claimed_by=cap) if s.at == lot else s for s in self.structures)

    def turned(self) -> AlienCityState:
        """The position as seen from the other short side of the board."""
        return replace(
            self,
            tiles=tuple(replace(t, at=_turned_tile(t.at), icon=t.icon and turned_lot(t.icon)) for t in self.tiles),
            structures=tuple(replace(s, at=turned_lot(s.at)) for s in self.structures),
            last_claim=self.last_claim and turned_lot(self.last_claim),
        )


def tile_name(lot: str) -> str:
    """The name of the tile that a lot belongs to."""
    return BOARD.lots[BOARD.tile_of[BOARD.number[lot]]]


def lots_of_tile(tile: str) -> tuple[str, ...]:
    """The four lots of a tile: south-west, south-east, north-west, north-east."""
    return tuple(BOARD.lots[n] for n in BOARD.lots_of_tile[BOARD.number[tile]])


def turned_lot(lot: str) -> str:
    """The same lot when the board is turned by half a turn."""
    return BOARD.lots[BOARD.turned(BOARD.number[lot])]


def _turned_tile(tile: str) -> str:
    return turned_lot(lots_of_tile(tile)[-1])


def _refuse_duplicates(path: str, what: str, lots: list[str]) -> None:
    for lot in set(lots):
        if lots.count(lot) > 1:
            raise InvalidState(path, f"{what} on {lot}; keep one of them.")
