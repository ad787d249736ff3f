"""Whatever a person hands to the page, as a case: photos are read, positions loaded. Refusals are sentences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath

import numpy as np

from engine.documents import Position, position_from_diagram, position_from_document, position_from_json
from engine.errors import CityscanError, Unreadable
from engine.game import game, game_names
from engine.strict_json import MAX_BYTES, decode_text
from page import reader
from page.case import Case, Corners, History
from page.text import sentence
from vision.photo import Photo, load_photo
from vision.quality import outline_hints, photo_hints

PHOTO_TYPES = ("jpg", "jpeg", "png", "webp", "heic", "heif")
POSITION_TYPES = ("json", "txt", "ppn")
SAMPLES = Path(__file__).resolve().parents[1] / "sample_photos"
# Where the corners wait for somebody to drag them, as shares of the photo.
FIRST_INSET = 0.15

Progress = Callable[[float, str], None]


def no_progress(_share: float, _words: str) -> None:
    """For callers that show none."""


def sample_photos() -> list[Path]:
    """The photos that come with Cityscan."""
    if not SAMPLES.is_dir():
        return []
    return sorted(path for path in SAMPLES.iterdir() if path.suffix.lower().removeprefix(".") in PHOTO_TYPES)


def open_input(
    name: str, content: bytes, number: str, progress: Progress = no_progress, profile: str | None = None
) -> Case:
    """The case for an upload: a photo or a position, told apart by the file's ending."""
    suffix = PurePath(name).suffix.lower()
    if suffix.removeprefix(".") in POSITION_TYPES:
        return Case.of_position(number, load_position_bytes(suffix, content))
    return open_photo(name, content, number, progress, profile)


def load_position_bytes(suffix: str, content: bytes) -> Position:
    """The position in an uploaded file."""
    if len(content) > MAX_BYTES:
        raise Unreadable(f"a position has at most {MAX_BYTES // 1000} kB; this file is larger.")
    text = decode_text(content)
    if suffix == ".json":
        return position_from_json(text)
    for name in game_names():
        if game(name).record_suffix == suffix:
            record = game(name).load_record(text)
            return Position(game(name), record.final, record)
    return position_from_diagram(text)


def open_photo(
    name: str, content: bytes, number: str, progress: Progress = no_progress, profile: str | None = None
) -> Case:
    """The case of a photo: read where that is possible, else ready for corners and pieces by hand."""
    progress(0.1, "Opening the photo")
    photo = load_photo(content)
    games = reader.readable_games()
    if not games:
        return by_hand(photo, name, number, reader.NO_NETWORKS)
    progress(0.4, "Finding and reading the board")
    try:
        return read_case(photo, name, number, profile=profile)
    except CityscanError as error:
        return by_hand(
            photo,
            name,
            number,
            f"{sentence(error.message)} Or drag the corners onto the board and let it be read again.",
        )


def read_case(
    photo: Photo,
    name: str,
    number: str,
    game_name: str | None = None,
    corners: Corners | None = None,
    board: tuple[int, int] | None = None,
    profile: str | None = None,
) -> Case:
    """A case from what the reader says. Raises CityscanError where it finds no board."""
    reading = reader.read(photo, game_name, corners, board, profile)
    rules = game(reading.game)
    state = position_from_document(dict(reading.state)).state
    return Case(
        number,
        rules.name,
        History.beginning(state),
        photo=photo,
        photo_name=name,
        corners=reader.corners_in(photo, reading),
        reading=reading,
        profile=profile,
        notices=list(reading.notes),
    )


def by_hand(photo: Photo, name: str, number: str, notice: str) -> Case:
    """A case whose outline and pieces a person places."""
    height, width = photo.pixels.shape[:2]
    first = game_names()[0]
    case = Case(number, first, History.beginning(game(first).empty()), photo, name, first_corners(width, height))
    case.notices.append(notice)
    return case


def first_corners(width: int, height: int) -> Corners:
    """A rectangle in the middle of the photo."""
    left, top = FIRST_INSET * width, FIRST_INSET * height
    return np.array([[left, top], [width - left, top], [width - left, height - top], [left, height - top]])


def hints(case: Case, outline: bool) -> list[str]:
    """What makes this photo hard to read."""
    if case.photo is None:
        return []
    found = [hint.message for hint in photo_hints(case.photo)]
    if outline and case.corners is not None:
        found += [hint.message for hint in outline_hints(case.photo, case.corners, case.kind.size(case.state))]
    return found
