"""Positions in files: which game, which notation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import InvalidState, Unsupported
from engine.fields import Field
from engine.game import Game, Record, game, game_names
from engine.strict_json import parse_object, read_text


@dataclass(frozen=True, slots=True)
class Position:
    """A state with the game it belongs to and, where the file told it, its history."""

    game: Game[Any]
    state: Any
    record: Record[Any] | None = None


def load_position(path: Path) -> Position:
    """The position in a ``.json`` state, a ``.txt`` diagram or a game record such as ``.ppn``."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return position_from_json(read_text(path))
    if suffix == ".txt":
        return position_from_diagram(read_text(path))
    for name in game_names():
        if game(name).record_suffix == suffix:
            record = game(name).load_record(read_text(path))
            return Position(game(name), record.final, record)
    raise Unsupported(f'"{path.suffix}" is not a file ending that positions have; use .json, .txt or .ppn.')


def position_from_json(text: str) -> Position:
    """The position in the text of a state file."""
    return position_from_document(parse_object(text))


def position_from_document(document: dict[str, Any]) -> Position:
    """The position in a parsed state file."""
    root = Field(document)
    rules = game(root.required("game").choice(game_names()))
    return Position(rules, rules.load(root))


def position_from_diagram(text: str) -> Position:
    """The position in a text diagram; its first word is the game's name."""
    words = text.split(maxsplit=1)
    if not words or words[0] not in game_names():
        raise InvalidState("line 1", f"a diagram begins with the game's name: {', '.join(game_names())}.")
    rules = game(words[0])
    return Position(rules, rules.parse_diagram(text))
