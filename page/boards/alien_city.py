"""Alien City on the page: lots on tiles, towers with caps, domes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.alien_city.board import BOARD
from engine.alien_city.pieces import (
    CAPS,
    CLAIMS_PER_PLAYER,
    GUILDS,
    PIECES,
    RANKS,
    STOCK,
    TILES_PER_GUILD,
    piece_name,
)
from engine.alien_city.state import AlienCityState, Structure, Tile, tile_name
from engine.colours import COLOURS, LETTER_OF
from engine.sheet import Item, Move
from page.boards.base import Block, BoardKind, Brush, Cell, Heat, Mark, Option, Palette, Question, Section, Value, rings
from page.boards.paint import GROUND, Layer, layer

EMPTY: Final = "empty"
RANK_NAMES: Final = {0: "null", 1: "ace", **{rank: str(rank) for rank in RANKS[2:]}}
_RANK_LETTERS: Final = {0: "0", 1: "A", **{rank: str(rank) for rank in RANKS[2:]}}


class AlienCityBoard(BoardKind[AlienCityState]):
    """8 x 10 lots on 4 x 5 tiles."""

    name = "alien-city"
    turn_step = 2

    # --- drawing ----------------------------------------------------------------------------
    def size(self, state: AlienCityState) -> tuple[int, int]:
        return BOARD.columns, BOARD.rows

    def cells(self, state: AlienCityState) -> list[Cell]:
        return [self._cell(state, n) for n in range(BOARD.size)]

    def _cell(self, state: AlienCityState, number: int) -> Cell:
        lot = BOARD.lots[number]
        x, y = _place(number)
        tile = state.tile_under(lot)
        value = self.value(state, lot)
        label = f"{lot}: {self.words(value)}, on {_tile_words(tile)}"
        corner = None
        if tile.at == lot:  # the tile's colour and rank stand where its four lots meet
            letter = LETTER_OF[tile.colour] if tile.colour else "?"
            rank = "" if tile.rank is None else _RANK_LETTERS[tile.rank]
            corner = {"text": f"{letter}{rank}", "at": [98, 10]}
        icon = tile.icon == lot
        return Cell(lot, x, y, f"{label}, icon" if icon else label, self.layers(value), icon and value is None, corner)

    def blocks(self, state: AlienCityState) -> list[Block]:
        found = []
        for name in BOARD.tile_names:
            x, y = _place(BOARD.number[name])
            found.append(Block(x, y - 1, 2, 2, GROUND[state.tile_under(name).colour]))
        return found

    def row_labels(self, state: AlienCityState) -> list[str]:
        return [str(row) for row in range(BOARD.rows, 0, -1)]

    def words(self, value: Value) -> str:
        if value is None:
            return "vacant"
        if "kind" not in value:
            return _tile_words(Tile("A1", value.get("colour"), value.get("rank"))) + (
                f", icon on {value['icon']}" if value.get("icon") else ""
            )
        claim = f" claimed by {value['claimed_by']}" if value.get("claimed_by") else ""
        return f"{value['colour']} {value['kind']}{claim}"

    def layers(self, value: Value) -> list[Layer]:
        if value is None or "kind" not in value:
            return []
        if value["kind"] == "dome":
            return [layer("dome", value["colour"], LETTER_OF[value["colour"]].lower())]
        cap = [layer("cap", value["claimed_by"])] if value.get("claimed_by") else []
        return [layer("tower", value["colour"]), *cap]

    # --- editing ----------------------------------------------------------------------------
    def palette(self, state: AlienCityState) -> Palette:
        placed = Counter(structure.piece for structure in state.structures)
        claims = Counter(structure.claimed_by for structure in state.structures)
        pieces = [Option(EMPTY, "vacant", ".")]
        for kind, colour in PIECES:
            letter = LETTER_OF[colour]
            key = letter if kind == "tower" else letter.lower()
            left = STOCK[kind, colour] - placed[kind, colour]
            pieces.append(Option(f"{kind}:{colour}", f"{colour} {kind}", key, None, left))
        caps = [Option("cap:none", "no cap", "0")]
        usual = list(dict.fromkeys((*state.players, *CAPS[state.edition])))
        for number, cap in enumerate([*usual, *(c for c in COLOURS if c not in usual)]):
            option = Option(f"cap:{cap}", cap, layers=[layer("dome", cap)], rare=number >= len(usual))
            if not option.rare:
                option = replace(option, key=str(number + 1), left=CLAIMS_PER_PLAYER - claims[cap])
            caps.append(option)
        tiles = Counter(tile.colour for tile in state.tiles)
        colours = [Option(f"tile:{g}", g, None, [layer("block", g)], TILES_PER_GUILD - tiles[g]) for g in GUILDS]
        unknown = Option("tile:unknown", "not seen")
        ranks = [Option(f"rank:{rank}", RANK_NAMES[rank]) for rank in RANKS]
        sections = [
            Section("Piece", pieces, puts=True),
            Section("Cap on a tower", caps, puts=True),
            Section("Tile under the lot", [*colours, unknown, Option("icon", "icon on this lot", "*")], folded=True),
            Section("Rank of the tile", [*ranks, Option("rank:unknown", "not seen")], folded=True),
        ]
        return Palette(sections, _brushes(sections, self), over=_too_many(state, placed, claims))

    def paint(self, state: AlienCityState, at: str, brush: str) -> AlienCityState:
        kind, _, what = brush.partition(":")
        there = state.structure_at.get(at)
        if kind == "cap":
            if there is None or not there.is_tower:
                return state  # nothing to put a cap on: the tap does nothing
            return self._replaced(state, replace(there, claimed_by=None if what == "none" else what))
        if kind in ("tile", "rank", "icon"):
            return _with_tile(state, _changed_tile(state.tile_under(at), kind, what, at))
        if kind == EMPTY:
            return self.put(state, at, None)
        cap = there.claimed_by if there and there.is_tower and kind == "tower" else None
        return self._replaced(state, Structure(at, kind, what, cap))

    def value(self, state: AlienCityState, place: str) -> Value:
        if place.startswith("tile:"):
            tile = state.tile_under(place.removeprefix("tile:"))
            return {"colour": tile.colour, "rank": tile.rank, "icon": tile.icon}
        there = state.structure_at.get(place)
        if there is None:
            return None
        cap = {"claimed_by": there.claimed_by} if there.claimed_by else {}
        return {"kind": there.kind, "colour": there.colour, **cap}

    def _replaced(self, state: AlienCityState, structure: Structure) -> AlienCityState:
        return state.with_structures((*(s for s in state.structures if s.at != structure.at), structure))

    def turned(self, state: AlienCityState) -> AlienCityState:
        return state.turned()

    def places(self, state: AlienCityState) -> list[str]:
        return [*BOARD.lots, *(f"tile:{name}" for name in BOARD.tile_names)]

    def tile_of(self, at: str) -> str | None:
        return tile_name(at)

    # --- explaining -------------------------------------------------------------------------
    def marks(self, item: Item) -> list[Mark]:
        facts = item.details
        road = [Mark(at, "road", str(n), f"road {n}") for n, at in enumerate(facts.get("road", ()), start=1)]
        own = Mark(facts["at"], "own", "", "the tower")
        if item.kind == "tower":
            competitor = [Mark(facts["competitor"], "competitor", "×", "competitor")] if facts["competitor"] else []
            return [own, *road, *rings(facts["customers"], "customer", "C", "customer"), *competitor]
        return [own, *road, *rings(facts.get("nearest", ()), "customer", "N", "nearest tower")]

    def legend(self, item: Item) -> str:
        if item.kind == "tower":
            return "C: customers. Numbers: the road to the competitor ×."
        if item.kind == "bonus":
            return "N: the nearest tower. Numbers: the road to the unclaimed green tower."
        return "The tower on the tile whose rank counts."

    def heat(self, moves: Sequence[Move]) -> dict[str, dict[str, Heat]]:
        found: dict[str, dict[str, Heat]] = {}
        for move in moves:
            action = move.action
            sure = action.get("certain", True)
            heat = Heat(1.0 if sure else 0.4, "✓" if sure else "?", "may be built" if sure else "perhaps")
            found.setdefault(f"{action['colour']} {action['kind']}", {})[action["at"]] = heat
        return found

    def left(self, left: Mapping[str, Any]) -> list[dict[str, Any]]:
        rows = []
        for piece, number in left["set"].items():
            players = {player: _range(own[piece]) for player, own in left["players"].items()}
            rows.append({"piece": piece, "in the set": str(number), **players})
        claims = {player: str(own["claims"]) for player, own in left["players"].items()}
        return [*rows, {"piece": "claims", "in the set": "", **claims}]

    def owners(self, state: AlienCityState) -> list[str]:
        return list(state.players)

    def questions(self, state: AlienCityState) -> list[Question]:
        claimed = [s for s in state.structures if s.claimed_by]
        if not claimed:
            return []
        lots = {f"{s.at} ({s.colour} tower, {s.claimed_by})": s.at for s in claimed}
        text = "Was the very last action of the game a claim? It is forbidden, so that tower would count as unclaimed."
        return [Question("last_claim", text, {"No, or nobody knows": None, **lots})]


def _place(number: int) -> tuple[int, int]:
    return number % BOARD.columns, BOARD.rows - 1 - number // BOARD.columns


def _tile_words(tile: Tile) -> str:
    rank = "" if tile.rank is None else f" {RANK_NAMES[tile.rank]}"
    return f"{tile.colour}{rank} tile" if tile.colour else f"an unknown tile{rank and ' of rank' + rank}"


def _with_tile(state: AlienCityState, tile: Tile) -> AlienCityState:
    return replace(state, tiles=(*(t for t in state.tiles if t.at != tile.at), tile))


def _changed_tile(tile: Tile, kind: str, what: str, at: str) -> Tile:
    if kind == "tile":
        return replace(tile, colour=None if what == "unknown" else what)
    if kind == "rank":
        return replace(tile, rank=None if what == "unknown" else int(what))
    return replace(tile, icon=None if tile.icon == at else at)


def _brushes(sections: Sequence[Section], kind: AlienCityBoard) -> dict[str, Brush]:
    found: dict[str, Brush] = {}
    for option in (option for section in sections for option in section.options):
        what, _, which = option.id.partition(":")
        if what in ("tower", "dome"):
            found[option.id] = Brush(option.label, kind.layers({"kind": what, "colour": which}))
        elif what == "cap":
            cap = [] if which == "none" else [layer("cap", which)]
            found[option.id] = Brush(f"{option.label} cap" if cap else "no cap", cap, over=True)
        else:
            found[option.id] = Brush(option.label, ground=what != EMPTY)
    return found


def _too_many(state: AlienCityState, placed: Counter[Any], claims: Counter[Any]) -> list[str]:
    found = [
        f"{placed[piece]} {piece_name(piece)}s are on the board; the set has {most}."
        for piece, most in STOCK.items()
        if placed[piece] > most
    ]
    return found + [
        f"{cap} has claimed {claims[cap]} towers; a player may claim {CLAIMS_PER_PLAYER}."
        for cap in state.caps_in_play
        if claims[cap] > CLAIMS_PER_PLAYER
    ]


def _range(number: int | list[int]) -> str:
    return str(number) if isinstance(number, int) else f"{number[0]} to {number[-1]}"


KIND: Final = AlienCityBoard()
