"""Positions as text that a person can read and type.

    alien-city
    edition: 2.2
    extras: {"last_claim": "E5"}

         A   B   C   D   E   F   G   H
    10   B   .   .*  r   .   .   .   r   | B? R? B? R3
     9   b*  .   RW  r   .*  BW  .*  r
     8   b   .   k   .   .*  g   .*  .   | B? K? G? --
    ... down to row 1

A lot is ``.`` (vacant), a small letter (dome) or a capital (tower), followed by
the letter of the cap on it; ``*`` marks the icon of a tile. Letters: R red, B blue,
G green, K black, and for caps also Y yellow, O orange, P purple, C cyan, I pink,
W white, E grey, L clear. Behind the upper row of each tile row stand its four
tiles: colour and rank (0 null, 1 ace, 2-5), ``?`` for what was not seen, ``--`` for a
tile of which nothing is recorded. The line of column letters may be left out,
and so may the tiles where nothing is recorded of any.
"""

from __future__ import annotations

from engine.alien_city.board import BOARD
from engine.alien_city.json_form import GAME_NAME, dump_extras, load_extras
from engine.alien_city.pieces import DEFAULT_EDITION, EDITIONS, GUILDS, RANKS, TOWER_COLOURS, VARIANTS
from engine.alien_city.state import AlienCityState, Structure, Tile, tile_name
from engine.colours import COLOUR_OF, LETTER_OF
from engine.diagram import extras_text, join_diagram, parse_extras, split_diagram
from engine.errors import InvalidState
from engine.fields import Field
from engine.strict_json import printable

COLUMNS = "ABCDEFGH"
_NOTHING = "--"
_ICON = "*"


def format_diagram(state: AlienCityState) -> str:
    """The text diagram of a position."""
    header = {
        "edition": state.edition,
        "variants": ", ".join(state.variants),
        "extras": extras_text(dump_extras(state)),
    }
    board = ["     " + "   ".join(COLUMNS)]
    for row in range(BOARD.rows, 0, -1):
        cells = "".join(f"{_cell(state, f'{column}{row}'):<4}" for column in COLUMNS)
        line = f"{row:>2}   {cells}"
        board.append((f"{line}| {_tile_row(state, row - 1)}" if row % 2 == 0 and state.tiles else line).rstrip())
    return join_diagram(GAME_NAME, header, board)


def _cell(state: AlienCityState, lot: str) -> str:
    structure = state.structure_at.get(lot)
    icon = _ICON if state.tile_under(lot).icon == lot else ""
    if structure is None:
        return f".{icon}"
    letter = LETTER_OF[structure.colour]
    cap = LETTER_OF[structure.claimed_by] if structure.claimed_by else ""
    return f"{letter if structure.is_tower else letter.lower()}{cap}{icon}"


def _tile_row(state: AlienCityState, row: int) -> str:
    return " ".join(_tile_code(state.tile_at.get(f"{column}{row}")) for column in COLUMNS[::2])


def _tile_code(tile: Tile | None) -> str:
    if tile is None:
        return _NOTHING
    return f"{LETTER_OF[tile.colour] if tile.colour else '?'}{'?' if tile.rank is None else tile.rank}"


def parse_diagram(text: str) -> AlienCityState:
    """The position in a text diagram. Errors name the line."""
    diagram = split_diagram(text, GAME_NAME, ("edition", "variants", "extras"))
    line = diagram.header["extras"][0] if "extras" in diagram.header else 0
    last_claim, names = load_extras(Field(parse_extras(diagram.value("extras"), line), "extras"))
    reader = _BoardReader()
    for number, row in diagram.board:
        reader.read(number, row)
    reader.must_be_complete()
    variants = [name.strip() for name in (diagram.value("variants") or "").split(",")]
    return AlienCityState(
        tiles=reader.tiles(),
        structures=tuple(reader.structures),
        edition=Field(diagram.value("edition") or DEFAULT_EDITION, "edition").choice(EDITIONS),
        variants=tuple(Field(name, "variants").choice(VARIANTS) for name in variants if name),
        last_claim=last_claim,
        names=names,
    )


class _BoardReader:
    """Reads the rows of a diagram from the north."""

    def __init__(self) -> None:
        self.next_row = BOARD.rows
        self.structures: list[Structure] = []
        # Tile -> (line, code) and tile -> (line, icon lot).
        self.codes: dict[str, tuple[int, str]] = {}
        self.icons: dict[str, tuple[int, str]] = {}

    def read(self, line: int, text: str) -> None:
        cells, bar, codes = text.partition("|")
        label, *lots = cells.split() or [""]
        if [label, *lots] == list(COLUMNS):
            return
        if not self.next_row or label != str(self.next_row) or len(lots) != len(COLUMNS):
            wanted = f"row {self.next_row}" if self.next_row else "nothing more"
            raise InvalidState(f"line {line}", f"expected {wanted}: the row's number and {len(COLUMNS)} lots.")
        for column, cell in zip(COLUMNS, lots, strict=True):
            self._read_lot(line, f"{column}{label}", cell)
        if bar:
            self._read_codes(line, codes.split())
        self.next_row -= 1

    def must_be_complete(self) -> None:
        if self.next_row:
            raise InvalidState("", f"the diagram ends before row {self.next_row}; it has the rows {BOARD.rows} to 1.")

    def tiles(self) -> tuple[Tile, ...]:
        found = []
        for name, (line, code) in self.codes.items():
            if code != _NOTHING:
                found.append(self._tile(line, name, code))
        for name, (line, lot) in self.icons.items():
            if self.codes.get(name, (0, _NOTHING))[1] == _NOTHING:
                raise InvalidState(f"line {line}", f"{lot} has an icon, but nothing else is said of tile {name}.")
        return tuple(found)

    def _tile(self, line: int, name: str, code: str) -> Tile:
        colour, rank = COLOUR_OF.get(code[0]), code[1:]
        if (colour not in GUILDS and code[0] != "?") or (rank not in map(str, RANKS) and rank != "?"):
            raise InvalidState(f"line {line}", f'"{printable(code)}" is not a tile such as R2, K?, ?? or --.')
        icon = self.icons[name][1] if name in self.icons else None
        return Tile(name, colour, None if rank == "?" else int(rank), icon)

    def _read_codes(self, line: int, codes: list[str]) -> None:
        if self.next_row % 2 or len(codes) != len(COLUMNS) // 2:
            raise InvalidState(f"line {line}", "four tiles stand behind the even rows, and nowhere else.")
        for column, code in zip(COLUMNS[::2], codes, strict=True):
            self.codes[f"{column}{self.next_row - 1}"] = (line, code)

    def _read_lot(self, line: int, lot: str, cell: str) -> None:
        piece = cell.removesuffix(_ICON)
        if piece != cell:
            tile = tile_name(lot)
            if tile in self.icons:
                raise InvalidState(f"line {line}", f"tile {tile} has two icons, on {self.icons[tile][1]} and {lot}.")
            self.icons[tile] = (line, lot)
        if piece != ".":
            self.structures.append(self._structure(line, lot, piece))

    def _structure(self, line: int, lot: str, text: str) -> Structure:
        letter, cap = text[:1], text[1:]
        colour = COLOUR_OF.get(letter.upper())
        kind = "tower" if letter.isupper() else "dome"
        fits = colour in (TOWER_COLOURS if kind == "tower" else GUILDS)
        if not fits or colour is None or (cap and (kind == "dome" or cap not in COLOUR_OF)):
            message = (
                f'"{printable(text)}" on {lot} is not ".", a dome (r b g k) or a tower (R B G) with or without a cap.'
            )
            raise InvalidState(f"line {line}", message)
        return Structure(lot, kind, colour, COLOUR_OF[cap] if cap else None)
