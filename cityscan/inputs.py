"""What a person hands in, as positions: state files, diagrams, game records, photos."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.documents import Position, load_position, position_from_diagram, position_from_document, position_from_json
from engine.errors import CityscanError, InvalidState, Unreadable, Unsupported
from engine.game import Options
from engine.strict_json import MAX_BYTES, decode_text
from vision import PHOTO_SUFFIXES

if TYPE_CHECKING:
    from vision.reading import Reading

STANDARD_INPUT = "-"

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What the options of the command ask for, beside the inputs themselves."""

    options: Options = field(default_factory=Options)
    game: str | None = None
    setup: str | None = None
    corners: Corners | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A position, how it was read where it comes from a photo, and how long each stage took."""

    position: Position
    reading: Reading | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict)


def load_input(name: str, request: Request) -> Loaded:
    """The position in a named file, or on standard input for the name "-"."""
    began = time.perf_counter()
    loaded = Loaded(_from_standard_input()) if name == STANDARD_INPUT else _from_file(Path(name), request)
    position = loaded.position
    if request.game is not None and position.game.name != request.game:
        raise InvalidState("game", f'is "{position.game.name}", but --game says "{request.game}".')
    state = position.state
    if request.setup is not None:
        state = position.game.with_setup(state, _setup_state(request.setup, position.game.name))
    state = position.game.with_options(state, request.options)
    stages = loaded.milliseconds or {"decode": 1000 * (time.perf_counter() - began)}
    return replace(loaded, position=Position(position.game, state, position.record), milliseconds=stages)


def _from_file(path: Path, request: Request) -> Loaded:
    if path.suffix.lower() not in PHOTO_SUFFIXES:
        return Loaded(load_position(path))
    if not path.is_file():
        raise Unreadable("there is no such file; check the name.")
    return _from_photo(path, request)


def _from_photo(path: Path, request: Request) -> Loaded:
    import numpy as np

    from vision.photo import load_photo
    from vision.reader import ReadRequest, read_photo, readable_games

    if not readable_games():
        raise Unsupported("photos cannot be read by this version; hand in the position as a .json, .txt or .ppn file.")
    began = time.perf_counter()
    photo = load_photo(path)
    decoded = 1000 * (time.perf_counter() - began)
    corners = None if request.corners is None else np.array(request.corners, dtype=np.float64)
    reading = read_photo(photo, ReadRequest(request.game, corners, colours=request.options.colours))
    position = position_from_document(dict(reading.state))
    return Loaded(position, reading, {"decode": decoded, **reading.milliseconds})


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
    return setup.position.state
