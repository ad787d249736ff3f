"""What a person hands in, as positions: state files, diagrams, game records, photos."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.documents import Position, load_position, position_from_diagram, position_from_document, position_from_json
from engine.errors import CityscanError, InvalidState, Unsupported
from engine.game import Game, Options
from engine.strict_json import MAX_BYTES, decode_text
from vision import PHOTO_SUFFIXES

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.reader import ReadRequest
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
    debug: Path | None = None  # a folder for the stages of reading as pictures
    profile: str | None = None  # the own set on the photo


@dataclass(frozen=True, slots=True)
class Loaded:
    """A position, how it was read where it comes from a photo, and how long each stage took.

    ``finish`` is what options made of the position as it lies.
    """

    position: Position
    reading: Reading | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    finish: Callable[[Any], Any] | None = None


def load_input(name: str, request: Request) -> Loaded:
    """The position in a named file, or on standard input for the name "-"."""
    began = time.perf_counter()
    loaded = Loaded(_from_standard_input()) if name == STANDARD_INPUT else _from_file(Path(name), request)
    position = loaded.position
    if request.game is not None and position.game.name != request.game:
        raise InvalidState("game", f'is "{position.game.name}", but --game says "{request.game}".')
    reading = loaded.reading
    if request.setup is not None:
        position, reading = _with_setup(position, reading, _setup(request.setup, position.game.name, request.profile))
    finish = _finishing(position.game, request)
    finished = Position(position.game, finish(position.state), position.record)
    stages = loaded.milliseconds or {"decode": 1000 * (time.perf_counter() - began)}
    return replace(loaded, position=finished, reading=reading, milliseconds=stages, finish=finish)


def _with_setup(position: Position, reading: Reading | None, setup: Loaded) -> tuple[Position, Reading | None]:
    """The position and its reading with what the board before the game tells."""
    from vision.reading import Guess
    from vision.setup import fill_from_setup

    doubts = [() if seen is None else seen.doubtful for seen in (reading, setup.reading)]
    filled = fill_from_setup(position.game, position.state, setup.position.state, *doubts)
    if reading is not None:
        left = tuple(place for place in reading.doubtful if place not in filled.settled)
        known = {place: Guess((replace(reading.guesses[place].chosen, p=1.0),)) for place in filled.settled}
        # The score's sureness is reckoned with the position as it is known now.
        state = position.game.dump(filled.state)
        reading = replace(reading, state=state, doubtful=left, guesses={**reading.guesses, **known})
    return replace(position, state=filled.state), reading


def _finishing(rules: Game[Any], request: Request) -> Callable[[Any], Any]:
    """How a position becomes what the request states about it."""

    def finish(state: Any) -> Any:
        return state if request.options == Options() else rules.with_options(state, request.options)

    return finish


def _from_file(path: Path, request: Request) -> Loaded:
    if path.suffix.lower() not in PHOTO_SUFFIXES:
        return Loaded(load_position(path))
    return _from_photo(path, request)


def _from_photo(path: Path, request: Request) -> Loaded:
    import numpy as np

    from vision.debug import folder_for
    from vision.photo import load_photo
    from vision.reader import ReadRequest, readable_games

    began = time.perf_counter()
    photo = load_photo(path)
    decoded = 1000 * (time.perf_counter() - began)
    if not readable_games():
        raise Unsupported("photos cannot be read by this version; hand in the position as a .json, .txt or .ppn file.")
    corners = None if request.corners is None else np.array(request.corners, dtype=np.float64)
    asked = ReadRequest(request.game, corners, colours=request.options.colours, profile=request.profile)
    reading = _read(photo, asked, None if request.debug is None else folder_for(request.debug, str(path)))
    position = position_from_document(dict(reading.state))
    return Loaded(position, reading, {"decode": decoded, **reading.milliseconds})


def _read(photo: Photo, asked: ReadRequest, stages: Path | None) -> Reading:
    """The reading of a photo; where a folder is named, its stages go there, of a photo that fails those so far."""
    from vision.reader import read_photo

    if stages is None:
        return read_photo(photo, asked)
    from vision.debug import write_stages

    try:
        reading = read_photo(photo, asked)
    except CityscanError as error:
        write_stages(stages, photo, error)
        raise
    write_stages(stages, photo, reading)
    return reading


def _from_standard_input() -> Position:
    text = decode_text(sys.stdin.buffer.read(MAX_BYTES + 1))
    start = text.lstrip()
    if start.startswith("{"):
        return position_from_json(text)
    return position_from_diagram(text)


def _setup(name: str, game_name: str, profile: str | None) -> Loaded:
    try:
        return load_input(name, Request(game=game_name, profile=profile))
    except CityscanError as error:
        error.message = f"--setup {name}: {error.message}"
        raise
