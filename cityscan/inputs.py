"""What a person hands in, as positions: state files, diagrams, game records, photos."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from engine.documents import Position, load_position, position_from_diagram, position_from_json
from engine.errors import CityscanError, InvalidState, Unreadable, Unsupported
from engine.game import Options
from engine.strict_json import MAX_BYTES, decode_text
from vision import PHOTO_SUFFIXES


@dataclass(frozen=True, slots=True)
class Request:
    """What the options of the command ask for, beside the inputs themselves."""

    options: Options = field(default_factory=Options)
    game: str | None = None
    setup: str | None = None


def load_input(name: str, request: Request) -> Position:
    """The position in a named file, or on standard input for the name "-"."""
    position = _from_standard_input() if name == "-" else _from_file(Path(name))
    if request.game is not None and position.game.name != request.game:
        raise InvalidState("game", f'is "{position.game.name}", but --game says "{request.game}".')
    state = position.state
    if request.setup is not None:
        state = position.game.with_setup(state, _setup_state(request.setup, position.game.name))
    state = position.game.with_options(state, request.options)
    return Position(position.game, state, position.record)


def _from_file(path: Path) -> Position:
    if path.suffix.lower() not in PHOTO_SUFFIXES:
        return load_position(path)
    if not path.is_file():
        raise Unreadable("there is no such file; check the name.")
    raise Unsupported("photos cannot be read by this version; hand in the position as a .json, .txt or .ppn file.")


def _from_standard_input() -> Position:
    text = decode_text(sys.stdin.buffer.read(MAX_BYTES + 1))
    start = text.lstrip()
    if start.startswith("{"):
        return position_from_json(text)
    return position_from_diagram(text)


def _setup_state(name: str, game_name: str) -> object:
    try:
        setup = load_input(name, Request(game=game_name))
    except CityscanError as error:
        error.message = f"--setup {name}: {error.message}"
        raise
    return setup.state
