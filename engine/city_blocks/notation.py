"""City Blocks positions as JSON and as text diagrams.

    city-blocks
    players: 2
    pairs: blue+red, green+yellow
    corners: blue, yellow, red, ?

       ABCDEFGHIJKLMNOPQRST
     1 BB..................
     2 .B..................

Whoever types a diagram may leave out the letters above and the row numbers,
write small letters, and put spaces between squares.
"""

from __future__ import annotations

import re
from typing import Any, TypedDict, cast

from engine.city_blocks.board import COLOURS, COLUMNS, SIZE
from engine.city_blocks.state import UNKNOWN, CityBlocks, CornerColours, Pairs
from engine.diagram import DiagramText, extras_text, join_diagram, parse_extras, split_diagram
from engine.errors import InvalidState
from engine.fields import Field

NAME = "city-blocks"
_KEYS = ("players", "pairs", "neutral", "corners", "extras")
_ROW = re.compile(r"\s*(\d+)?\s*(.*)")


def load(document: Field) -> CityBlocks:
    """The position in a parsed JSON document."""
    variants = document.optional("variants")
    if variants is not None and variants.items():
        raise variants.wrong("City Blocks has no variants; leave the list empty.")
    players = document.optional("players")
    return CityBlocks(
        grid=tuple(row.text() for row in document.required("grid").items(most=SIZE)),
        players=4 if players is None else players.integer(2, 4),
        pairs=_load_pairs(document.optional("pairs")),
        neutral=_load_colour(document.optional("neutral")),
        corner_colours=_load_corners(document.optional("corner_colours")),
        **_load_extras(document.optional("extras")),
    )


def dump(state: CityBlocks) -> dict[str, Any]:
    """The JSON object of a position; what is not known is left out."""
    document: dict[str, Any] = {"game": NAME, "players": state.players, "grid": list(state.grid)}
    if state.pairs is not None:
        document["pairs"] = [list(pair) for pair in state.pairs]
    if state.neutral is not None:
        document["neutral"] = state.neutral
    if any(state.corner_colours):
        document["corner_colours"] = list(state.corner_colours)
    if extras := _extras(state):
        document["extras"] = extras
    return document


def diagram(state: CityBlocks) -> str:
    """The position as a text that a person can read and type."""
    corners = ", ".join(colour or UNKNOWN for colour in state.corner_colours)
    header = {
        "players": str(state.players),
        "pairs": ", ".join("+".join(pair) for pair in state.pairs) if state.pairs else None,
        "neutral": state.neutral,
        "corners": corners if any(state.corner_colours) else None,
        "extras": extras_text(_extras(state)),
    }
    rows = [f"{number:2} {row}" for number, row in enumerate(state.grid, start=1)]
    return join_diagram(NAME, header, [f"   {COLUMNS}", *rows])


def parse_diagram(text: str) -> CityBlocks:
    """The position in a text diagram."""
    parts = split_diagram(text, NAME, _KEYS)
    players = parts.value("players")
    try:
        return CityBlocks(
            grid=_parse_board(parts),
            players=4 if players is None else int(players) if players in {"2", "3", "4"} else 0,
            pairs=_parse_pairs(parts.value("pairs")),
            neutral=parts.value("neutral"),
            corner_colours=_parse_corners(parts.value("corners")),
            **_parse_extras(parts),
        )
    except InvalidState as error:
        key = "corners" if error.path == "corner_colours" else error.path
        if key in parts.header:
            raise InvalidState(f"line {parts.header[key][0]}", f"{key} {error.problem}") from None
        raise


# --- JSON fields -----------------------------------------------------------------------------
def _load_colour(field: Field | None) -> str | None:
    return None if field is None or field.is_null() else field.choice(COLOURS)


def _load_pairs(field: Field | None) -> Pairs | None:
    if field is None or field.is_null():
        return None
    pairs = [tuple(colour.choice(COLOURS) for colour in pair.items(most=2)) for pair in field.items(most=2)]
    if [len(pair) for pair in pairs] != [2, 2]:
        raise field.wrong('must be two pairs of colours, such as [["blue", "red"], ["green", "yellow"]].')
    return cast(Pairs, tuple(pairs))


def _load_corners(field: Field | None) -> CornerColours:
    if field is None or field.is_null():
        return (None, None, None, None)
    # The constructor says what is wrong with a list of another length.
    return cast(CornerColours, tuple(_load_colour(corner) for corner in field.items(most=4)))


class _Extras(TypedDict):
    names: tuple[tuple[str, str], ...]
    all_passed: bool


def _load_extras(extras: Field | None) -> _Extras:
    """What no photo shows; facts of other games are left aside."""
    if extras is None or extras.is_null():
        return {"names": (), "all_passed": False}
    names = extras.optional("names")
    passed = extras.optional("all_passed")
    if passed is not None and not isinstance(passed.value, bool):
        raise passed.wrong("must be true or false.")
    return {
        "names": () if names is None else tuple(sorted((key, name.text()) for key, name in names.pairs())),
        "all_passed": passed is not None and passed.value,
    }


def _extras(state: CityBlocks) -> dict[str, Any]:
    extras: dict[str, Any] = {"names": dict(state.names)} if state.names else {}
    return extras | ({"all_passed": True} if state.all_passed else {})


# --- diagrams --------------------------------------------------------------------------------
def _parse_board(parts: DiagramText) -> tuple[str, ...]:
    grid: list[str] = []
    for line, text in parts.board:
        symbols = text.replace(" ", "").upper()
        if symbols == COLUMNS:
            continue
        found = _ROW.fullmatch(symbols)
        assert found is not None
        label, row = found.groups()
        if label is not None and int(label[:4]) != len(grid) + 1:
            raise InvalidState(f"line {line}", f"this is row {len(grid) + 1} from the top, not row {label[:4]}.")
        try:
            CityBlocks(tuple([row] * SIZE))
        except InvalidState as error:
            raise InvalidState(f"line {line}", f"the row {error.problem}") from None
        grid.append(row)
    return tuple(grid)


def _parse_pairs(text: str | None) -> Pairs | None:
    if text is None:
        return None
    pairs = tuple(tuple(colour.strip() for colour in pair.split("+")) for pair in text.split(","))
    if [len(pair) for pair in pairs] != [2, 2]:
        raise InvalidState("pairs", 'must look like "blue+red, green+yellow".')
    return cast(Pairs, pairs)


def _parse_corners(text: str | None) -> CornerColours:
    if text is None:
        return (None, None, None, None)
    corners = tuple(None if word.strip() == UNKNOWN else word.strip() for word in text.split(","))
    return cast(CornerColours, corners)


def _parse_extras(parts: DiagramText) -> _Extras:
    if "extras" not in parts.header:
        return _load_extras(None)
    line, text = parts.header["extras"]
    return _load_extras(Field(parse_extras(text, line), f"line {line}"))
