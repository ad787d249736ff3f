"""Positions as JSON objects, and back. Errors carry the path of the field."""

from __future__ import annotations

from typing import Any

from engine.alien_city.board import BOARD
from engine.alien_city.pieces import DEFAULT_EDITION, EDITIONS, GUILDS, KINDS, RANKS, TOWER_COLOURS, VARIANTS
from engine.alien_city.state import AlienCityState, Structure, Tile, lots_of_tile
from engine.colours import COLOURS
from engine.fields import Field

GAME_NAME = "alien-city"


def load_state(document: Field) -> AlienCityState:
    """The position in a parsed JSON document; fields that it does not know are left aside."""
    edition = document.optional("edition")
    variants = document.optional("variants")
    tiles = document.optional("tiles")
    extras = document.optional("extras")
    last_claim, names = load_extras(extras) if extras else (None, {})
    return AlienCityState(
        tiles=_load_tiles(tiles) if tiles else (),
        structures=_load_structures(document.required("structures")),
        edition=edition.choice(EDITIONS) if edition else DEFAULT_EDITION,
        variants=tuple(variant.choice(VARIANTS) for variant in variants.items()) if variants else (),
        last_claim=last_claim,
        names=names,
    )


def dump_state(state: AlienCityState) -> dict[str, Any]:
    """The JSON object of a position; what is absent by the format is left out."""
    document: dict[str, Any] = {"game": GAME_NAME, "edition": state.edition}
    if state.variants:
        document["variants"] = list(state.variants)
    document["tiles"] = [
        {"at": tile.at, "colour": tile.colour, "rank": tile.rank, "icon": tile.icon} for tile in state.tiles
    ]
    document["structures"] = [dump_structure(structure) for structure in state.structures]
    extras = dump_extras(state)
    if extras:
        document["extras"] = extras
    return document


def dump_structure(structure: Structure) -> dict[str, Any]:
    """A structure as in the state; the claim is absent where there is none."""
    entry = {"at": structure.at, "kind": structure.kind, "colour": structure.colour}
    return {**entry, "claimed_by": structure.claimed_by} if structure.claimed_by else entry


def dump_extras(state: AlienCityState) -> dict[str, Any]:
    """The facts that no photo shows; empty where none is known."""
    extras: dict[str, Any] = {}
    if state.last_claim:
        extras["last_claim"] = state.last_claim
    if state.names:
        extras["names"] = dict(state.names)
    return extras


def _load_tiles(field: Field) -> tuple[Tile, ...]:
    tiles: dict[str, Tile] = {}
    for entry in field.items(most=len(BOARD.tiles)):
        at = entry.required("at")
        name = at.choice(BOARD.tile_names)
        if name in tiles:
            raise at.wrong(f"two tiles lie on {name}; keep one of them.")
        tiles[name] = Tile(
            at=name,
            colour=_unless_null(entry, "colour", lambda f: f.choice(GUILDS)),
            rank=_unless_null(entry, "rank", lambda f: f.integer(RANKS[0], RANKS[-1])),
            icon=_unless_null(entry, "icon", lambda f, name=name: f.choice(lots_of_tile(name))),
        )
    return tuple(tiles.values())


def _unless_null(entry: Field, key: str, read: Any) -> Any:
    field = entry.optional(key)
    return None if field is None or field.is_null() else read(field)


def _load_structures(field: Field) -> tuple[Structure, ...]:
    structures: dict[str, Structure] = {}
    for entry in field.items(most=BOARD.size):
        at = entry.required("at")
        lot = _load_lot(at)
        if lot in structures:
            raise at.wrong(f"two structures stand on {lot}; keep one of them.")
        kind = entry.required("kind").choice(KINDS)
        colour = entry.required("colour").choice(TOWER_COLOURS if kind == "tower" else GUILDS)
        cap = entry.optional("claimed_by")
        if cap is not None and cap.is_null():
            cap = None
        if cap is not None and kind == "dome":
            raise cap.wrong(f"the dome on {lot} cannot be claimed; only towers can.")
        structures[lot] = Structure(lot, kind, colour, cap.choice(COLOURS) if cap else None)
    return tuple(structures.values())


def _load_lot(field: Field) -> str:
    name = field.text()
    if name not in BOARD.number:
        raise field.wrong("must be a lot from A1 to H10.")
    return name


def load_extras(field: Field) -> tuple[str | None, dict[str, str]]:
    """The lot of the last claim and the players' names."""
    last_claim = field.optional("last_claim")
    names = field.optional("names")
    known: dict[str, str] = {}
    for cap, name in names.pairs() if names else ():
        if cap not in COLOURS:
            raise name.wrong(f"the key must be a cap's colour: {', '.join(COLOURS)}.")
        known[cap] = name.text()
    lot = None if last_claim is None or last_claim.is_null() else _load_lot(last_claim)
    return lot, known
