"""The part of a text diagram that all games share.

    alien-city
    edition: 2.2
    variants: location-bonus
    extras: {"names": {"white": "Ann"}}

    10 ...the board, in the game's own drawing

The first line names the game, then come ``key: value`` lines, then an empty
line and the board. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidState
from engine.strict_json import parse_object


@dataclass(frozen=True, slots=True)
class DiagramText:
    """A diagram split into its header and the numbered lines of its board."""

    header: Mapping[str, tuple[int, str]]
    board: tuple[tuple[int, str], ...]

    def value(self, key: str) -> str | None:
        return self.header[key][1] if key in self.header else None


def split_diagram(text: str, game_name: str, keys: tuple[str, ...]) -> DiagramText:
    """Header and board of a diagram; ``keys`` are the header lines that the game knows."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    while lines and not lines[0][1]:
        lines.pop(0)
    if not lines or lines[0][1].strip() != game_name:
        raise InvalidState("line 1", f'a diagram of this game begins with the line "{game_name}".')
    header: dict[str, tuple[int, str]] = {}
    rest = lines[1:]
    while rest and rest[0][1]:
        number, line = rest.pop(0)
        key, colon, value = line.partition(":")
        key = key.strip()
        if not colon or key not in keys:
            raise InvalidState(f"line {number}", f'expected "key: value" with one of {", ".join(keys)}.')
        if key in header:
            raise InvalidState(f"line {number}", f'"{key}" was given before, in line {header[key][0]}.')
        header[key] = (number, value.strip())
    return DiagramText(header, tuple((number, line) for number, line in rest if line))


def join_diagram(game_name: str, header: Mapping[str, str | None], board: list[str]) -> str:
    """The diagram's text; header lines without a value are left out."""
    head = [f"{key}: {value}" for key, value in header.items() if value]
    return "\n".join([game_name, *head, "", *board]) + "\n"


def extras_text(extras: Mapping[str, Any]) -> str | None:
    """Extras as one header value (JSON, because names may be any text)."""
    return json.dumps(extras, ensure_ascii=True, sort_keys=True) if extras else None


def parse_extras(text: str | None, line: int) -> dict[str, Any]:
    """The extras of a header line; the game validates them like those of a JSON state."""
    if text is None:
        return {}
    try:
        return parse_object(text)
    except InvalidState as error:
        raise InvalidState(f"line {line}", error.message) from None
