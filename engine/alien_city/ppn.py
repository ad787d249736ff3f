"""Game records in Portable Piecepack Notation (PPN).

    ---
    GameType: {Name: Alien City, Tiles: C3^Sa^S5vAa>/M4>S4>M3<A4^/...}
    ...
    1. B3x@e6 K1x@e6 {a bold claim} 1... R3x@f5
    2. S@c7 2... B3x@e5

Tiles stand row by row from the north: suit (S M C A: red, black, green, blue),
rank (n a 2-5) and the corner of the icon (``^`` top left, ``<`` bottom left, ``v``
bottom right, ``>`` top right). ``B3x`` is a large blue pyramid, ``K1x`` a black cap
(letters as in text diagrams), ``S`` a sun coin. ``n.`` and ``n...`` are the turns of
the first and the second player; where no ``n...`` occurs at all, the record does
not tell who played. ``a1-b2`` moves and ``*a1`` takes a piece away: PPN knows
both, Alien City forbids them, and a replay says so.

Beyond plain PPN, for what an Alien City position holds: ``?`` stands for an unseen
suit, rank or corner and ``---`` for a tile of which nothing is recorded; the
metadata may have ``Edition``, ``Variants`` and ``Extras`` as in the JSON form, and
names as ``White: Ann``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.alien_city.board import BOARD
from engine.alien_city.checking import structures_by_lot, tiles_of
from engine.alien_city.history import build_move, claim_move, play, removal_move, shift_move
from engine.alien_city.json_form import dump_extras, load_extras
from engine.alien_city.legality import build_all
from engine.alien_city.pieces import CAPS, DEFAULT_EDITION, EDITIONS, FIRST_PLAYER, KINDS, VARIANTS
from engine.alien_city.ppn_metadata import format_metadata, parse_metadata
from engine.alien_city.state import AlienCityState, Structure, Tile, lots_of_tile
from engine.colours import COLOUR_OF, COLOURS, LETTER_OF
from engine.errors import InvalidState
from engine.fields import Field
from engine.game import Record
from engine.sheet import Move
from engine.strict_json import printable

NAME = "Alien City"
MAX_MOVES = 1_000

SUIT_OF = {"red": "S", "black": "M", "green": "C", "blue": "A"}
COLOUR_OF_SUIT = {suit: colour for colour, suit in SUIT_OF.items()}
RANK_SIGNS = "na2345"
# The corners in the order of lots_of_tile: south-west, south-east, north-west, north-east.
CORNER_SIGNS = "<v^>"

_TILE = re.compile(r"---|([SMCA?])([na0-5?])([\^<v>?])?")
_ELEMENT = re.compile(r"\{[^{}]*\}|\S+")
_TURN = re.compile(r"(\w+)(\.+)")
_LOT = r"([a-h])(10|[1-9])"
_PYRAMID = re.compile(rf"(?:△([A-Z])([123])|([A-Z])([123])x)@{_LOT}")
_COIN = re.compile(rf"c?([SMCA])[\^<v>]?@{_LOT}")
_SHIFT = re.compile(rf"{_LOT}-{_LOT}")
_REMOVAL = re.compile(rf"\*{_LOT}")


# --- reading ----------------------------------------------------------------------------------


def load_record(text: str) -> Record[AlienCityState]:
    """The game in a PPN file: set-up, turns and where they led."""
    metadata_text, metadata_line, movetext, movetext_line = _split(text)
    start = _start(parse_metadata(metadata_text, metadata_line))
    turns = list(_read_turns(movetext, movetext_line))
    players = _players(turns, start.edition)
    played = tuple((players[turn.side] if players else None, tuple(turn.moves)) for turn in turns)
    labels = tuple(turn.number or f"move {i}" for i, turn in enumerate(turns, start=1))
    return Record(start, played, play(start, played), labels)


def _split(text: str) -> tuple[str, int, str, int]:
    """Metadata and move text, each with the number of its first line."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip()), 0)
    body = begin + 1 if lines and lines[begin].startswith("---") else begin
    end = next((i for i in range(body, len(lines)) if lines[i].startswith("...")), None)
    if end is None:
        # The closing dots may be left out where an empty line takes their place.
        end = next((i for i in range(body, len(lines)) if not lines[i].strip()), len(lines))
    for i in range(end + 1, len(lines)):
        if lines[i].startswith(("---", "...")):
            raise InvalidState(f"line {i + 1}", "a second game begins here; keep one game in a file.")
    return "\n".join(lines[body:end]), body + 1, "\n".join(lines[end + 1 :]), end + 2


def _start(metadata: dict[str, Any]) -> AlienCityState:
    root = Field(metadata)
    game_type = root.required("GameType")
    name, tiles = game_type, None
    if isinstance(game_type.value, dict):
        name, tiles = game_type.required("Name"), game_type.optional("Tiles")
    if re.sub(r"[\s_-]+", " ", name.text()).strip().lower() != NAME.lower():
        raise name.wrong(f'must be "{NAME}", not "{printable(name.text())}".')
    edition, variants, extras = root.optional("Edition"), root.optional("Variants"), root.optional("Extras")
    last_claim, names = load_extras(extras) if extras else (None, {})
    for colour in COLOURS:
        titled = root.optional(colour.title())
        if titled and not titled.is_null() and colour not in names:
            names[colour] = titled.text()
    return AlienCityState(
        tiles=_read_tiles(tiles) if tiles else (),
        edition=edition.choice(EDITIONS) if edition else DEFAULT_EDITION,
        variants=tuple(variant.choice(VARIANTS) for variant in variants.items()) if variants else (),
        last_claim=last_claim,
        names=names,
    )


def _read_tiles(field: Field) -> tuple[Tile, ...]:
    rows = field.text().split("/")
    if len(rows) != BOARD.rows // 2:
        raise field.wrong(f"has {len(rows)} rows of tiles; the board has {BOARD.rows // 2}, divided by /.")
    tiles = []
    for number, row in enumerate(rows):
        codes = list(_TILE.finditer(row.strip()))
        if "".join(code.group() for code in codes) != row.strip() or len(codes) != BOARD.columns // 2:
            raise field.wrong(f'row {number + 1} ("{printable(row)}") must hold four tiles such as C3^ or Sa>.')
        south = BOARD.rows - 1 - 2 * number
        tiles += [_read_tile(f"{column}{south}", code) for column, code in zip("ACEG", codes, strict=True)]
    return tuple(tile for tile in tiles if tile)


def _read_tile(at: str, code: re.Match[str]) -> Tile | None:
    suit, rank, corner = code.groups()
    if suit is None:
        return None
    signs = {**{sign: number for number, sign in enumerate(RANK_SIGNS)}, "0": 0, "1": 1}
    # A tile without a direction lies upright, which is the top left corner.
    icon = None if corner == "?" else lots_of_tile(at)[CORNER_SIGNS.index(corner or "^")]
    return Tile(at, COLOUR_OF_SUIT.get(suit), signs.get(rank), icon)


@dataclass
class _Turn:
    """``number`` is the turn's own in the record; None where the moves carry none."""

    number: str | None
    side: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def has_build(self) -> bool:
        return any(move.action["kind"] in KINDS for move in self.moves)


def _read_turns(text: str, first_line: int) -> Iterator[_Turn]:
    """The turns of the move text. Numbers may be left out: then every build begins a turn."""
    turn = _Turn(None)
    count = 0
    for element in _ELEMENT.finditer(text):
        word = element.group()
        if (word.startswith("{") and word.endswith("}")) or set(word) <= set("!?"):
            continue
        number = _TURN.fullmatch(word)
        if number:
            if turn.moves or turn.number:
                yield turn
            # A word instead of a number, such as "setup.", is no turn.
            turn = _Turn(word, 1 if len(number[2]) > 1 else 0) if number[1].isdigit() else _Turn(None)
            continue
        line = first_line + text.count("\n", 0, element.start())
        count += 1
        if count > MAX_MOVES:
            raise InvalidState(f"line {line}", f"there are more than {MAX_MOVES} moves; no game is that long.")
        move = _read_move(word, line)
        if turn.number is None and turn.has_build and move.action["kind"] in KINDS:
            yield turn
            turn = _Turn(None)
        turn.moves.append(move)
    if turn.moves or turn.number:
        yield turn


def _read_move(word: str, line: int) -> Move:
    if found := _PYRAMID.fullmatch(word):
        letter, size, lot = found[1] or found[3], found[2] or found[4], _lot(found[5], found[6])
        if size == "1" and letter in COLOUR_OF:
            return claim_move(lot, COLOUR_OF[letter])
        if size != "1" and letter in "RBG":
            return build_move(Structure(lot, "tower", COLOUR_OF[letter]))
    elif found := _COIN.fullmatch(word):
        return build_move(Structure(_lot(found[2], found[3]), "dome", COLOUR_OF_SUIT[found[1]]))
    elif found := _SHIFT.fullmatch(word):
        return shift_move(_lot(found[1], found[2]), _lot(found[3], found[4]))
    elif found := _REMOVAL.fullmatch(word):
        return removal_move(_lot(found[1], found[2]))
    problem = "is not a move of Alien City such as B3x@e6, K1x@e6 or S@c7 on a1 to h10."
    raise InvalidState(f"line {line}", f'"{printable(word)}" {problem}')


def _lot(column: str, row: str) -> str:
    return f"{column.upper()}{row}"


def _players(turns: list[_Turn], edition: str) -> tuple[str | None, str | None] | None:
    """Who plays the first and who the second turns: by the caps they place, else by the edition."""
    if all(turn.side == 0 for turn in turns):
        return None
    caps: list[Counter[str]] = [Counter(), Counter()]
    for turn in turns:
        caps[turn.side].update(m.action["claimed_by"] for m in turn.moves if m.action["kind"] == "claim")
    # Where a side placed caps of both colours, the more frequent are its own.
    first, second = (side.most_common(1)[0][0] if side else None for side in caps)
    pair = CAPS[edition]
    if first is None and second is None:
        first = FIRST_PLAYER[edition]
    elif first is not None and first == second:
        # Both sides cannot own a colour: it belongs to who placed more of it, else to who begins with it.
        lead = caps[0][first] - caps[1][first]
        if lead > 0 or (lead == 0 and FIRST_PLAYER[edition] in (first, None)):
            second = None
        else:
            first = None
    if first is None and second in pair:
        first = pair[1 - pair.index(second)]
    if second is None and first in pair:
        second = pair[1 - pair.index(first)]
    return first, second


# --- writing ----------------------------------------------------------------------------------


def dump_record(state: AlienCityState) -> str:
    """A record that leads to the position, in an order that is legal if any is.

    A position does not tell who played, so the turns are numbered through.
    """
    game_type: dict[str, Any] = {"Name": NAME}
    if state.tiles:
        game_type["Tiles"] = _format_tiles(state)
    metadata: dict[str, Any] = {"GameType": game_type, "Edition": state.edition}
    if state.variants:
        metadata["Variants"] = list(state.variants)
    if extras := dump_extras(state):
        metadata["Extras"] = extras
    turns = [f"{number}. {_format_build(s)}" for number, s in enumerate(_building_order(state), start=1)]
    lines = [" ".join(turns[i : i + 6]) for i in range(0, len(turns), 6)]
    return "\n".join(["---", format_metadata(metadata).rstrip("\n"), "...", *lines]) + "\n"


def _building_order(state: AlienCityState) -> list[Structure]:
    """The structures in a legal order, what no order can place at the end.

    Caps go on as soon as their tower stands; a record may not end with that,
    so the last structure is one without a cap where the rules leave a choice.
    """
    structures = structures_by_lot(state)
    plan = tiles_of(state).plan()
    building = build_all(plan, structures)
    lots = [*building.order, *building.held]
    if lots and building.complete and state.structure_at[BOARD.lots[lots[-1]]].claimed_by:
        for last in (lot for lot in reversed(lots) if not state.structure_at[BOARD.lots[lot]].claimed_by):
            others = build_all(plan, {lot: piece for lot, piece in structures.items() if lot != last})
            if others.complete:
                lots = [*others.order, last]
                break
    return [state.structure_at[BOARD.lots[lot]] for lot in lots]


def _format_build(structure: Structure) -> str:
    lot = structure.at.lower()
    if not structure.is_tower:
        return f"{SUIT_OF[structure.colour]}@{lot}"
    tower = f"{LETTER_OF[structure.colour]}3x@{lot}"
    return f"{tower} {LETTER_OF[structure.claimed_by]}1x@{lot}" if structure.claimed_by else tower


def _format_tiles(state: AlienCityState) -> str:
    rows = range(BOARD.rows - 1, 0, -2)
    return "/".join("".join(_format_tile(state.tile_at.get(f"{column}{row}")) for column in "ACEG") for row in rows)


def _format_tile(tile: Tile | None) -> str:
    if tile is None:
        return "---"
    suit = SUIT_OF[tile.colour] if tile.colour else "?"
    rank = "?" if tile.rank is None else RANK_SIGNS[tile.rank]
    corner = CORNER_SIGNS[lots_of_tile(tile.at).index(tile.icon)] if tile.icon else "?"
    return f"{suit}{rank}{corner}"
