"""Saved games to take along: everything about one, or labelled photos of many. Photos go without their EXIF data."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any, Final

from PIL import Image

from engine.errors import Unreadable
from page.saved_game import SavedGame
from page.store_files import StoreError
from vision.photo import MOST_MEGAPIXELS, load_photo

# Quality for photos that have to be written anew because their own bytes cannot be handed out.
JPEG_QUALITY: Final = 95
# Segments of a JPEG that say what the picture looks like: JFIF, colour profile, Adobe's colour transform.
_PICTURE_SEGMENTS: Final = (0xE0, 0xE2, 0xEE)
_COMMENT: Final = 0xFE
_SCAN: Final = 0xDA
# Zip keeps times from 1980 on; a fixed one makes equal games equal files.
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)


def game_zip(game: SavedGame) -> bytes:
    """Everything about one game: photo, position, sheet, and what was read and corrected."""
    about = {
        "game": game.game,
        "title": game.title,
        "created": game.created,
        "names": game.names,
        "corners": game.corners,
        "corrections": game.corrections,
    }
    files: dict[str, bytes] = {
        "state.json": _json(game.state),
        "sheet.json": _json(game.sheet),
        "about.json": _json(about),
    }
    if game.reading is not None or game.read_state is not None:
        files["reading.json"] = _json({"state": game.read_state, "reading": game.reading})
    if game.photo is not None:
        files["photo.jpg"] = without_metadata(game.photo)
    return _zip({f"{game.game}-{game.id}/{name}": content for name, content in files.items()})


def training_zip(games: Iterable[SavedGame]) -> bytes:
    """The training data of games as one file."""
    return _zip(training_files(games))


def training_files(games: Iterable[SavedGame]) -> dict[str, bytes]:
    """Photos with a state file of the same name beside each, which holds the corners too, by file name."""
    files: dict[str, bytes] = {}
    for game in games:
        if game.photo is None or game.corners is None:
            continue
        name = f"{game.game}-{game.id}"
        files[f"{name}.jpg"] = without_metadata(game.photo)
        files[f"{name}.json"] = _json(label_of(game))
    if not files:
        raise StoreError("none of these games has a photo with a board on it; there is nothing to learn from.")
    return files


def label_of(game: SavedGame) -> dict[str, Any]:
    """The truth about a photo: the position as corrected and the board's corners. Nobody's name is part of it."""
    extras = {key: value for key, value in (game.state.get("extras") or {}).items() if key != "names"}
    label = {key: value for key, value in game.state.items() if key != "extras"}
    if extras:
        label["extras"] = extras
    corners = [[round(float(x), 2), round(float(y), 2)] for x, y in game.corners or ()]
    if game.profile is not None:
        label["profile"] = game.profile
    return {**label, "corners": corners, "source": "corrected by hand" if game.corrections else "confirmed by hand"}


def without_metadata(photo: bytes) -> bytes:
    """The photo, upright, as a JPEG that tells nothing but the picture: no place, no time, no camera.

    A JPEG that stands upright already keeps its very pixels; anything else is written anew.
    """
    try:
        with Image.open(io.BytesIO(photo), formats=("JPEG",)) as image:
            upright = image.getexif().get(0x0112, 1) == 1
        if upright:
            return _stripped(photo)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        pass  # not a JPEG, or a strange one
    try:
        pixels = load_photo(photo, working_side=MOST_MEGAPIXELS * 1_000_000).pixels
    except Unreadable as error:
        raise StoreError(f"the photo of this game cannot be exported: {error.message}") from None
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return buffer.getvalue()


def _stripped(jpeg: bytes) -> bytes:
    """The same JPEG without the segments that are not the picture, and without what follows its end."""
    kept = [jpeg[:2]]
    at = 2
    while at + 4 <= len(jpeg):
        if jpeg[at] != 0xFF:
            raise ValueError("no marker where one must be")
        marker = jpeg[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker == _SCAN:
            # Phones append whole films behind the picture; they may tell the place too.
            end = _end_of_picture(jpeg, at)
            return b"".join(kept) + jpeg[at:end]
        length = 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        application = 0xE0 <= marker <= 0xEF
        if marker != _COMMENT and (not application or _shows(marker, jpeg[at + 4 : at + length])):
            kept.append(jpeg[at : at + length])
        at += length
    raise ValueError("the picture never begins")


def _shows(marker: int, content: bytes) -> bool:
    """Whether an application segment is needed to show the picture. (APP2 also holds lists of further pictures.)"""
    return marker in _PICTURE_SEGMENTS and (marker != 0xE2 or content.startswith(b"ICC_PROFILE\0"))


def _end_of_picture(jpeg: bytes, at: int) -> int:
    """Where the picture ends whose first scan begins at ``at``; progressive ones have several scans."""
    at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    while True:
        at = jpeg.find(b"\xff", at)
        if at < 0 or at + 1 >= len(jpeg):
            raise ValueError("the picture never ends")
        marker = jpeg[at + 1]
        if marker == 0xD9:
            return at + 2
        if marker in (0x00, 0xFF) or 0xD0 <= marker <= 0xD7:  # data, fill, restart
            at += 1 if marker == 0xFF else 2
        elif marker == _COMMENT or 0xE0 <= marker <= 0xEF:
            raise ValueError("metadata between the scans")
        else:
            at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            # Photos do not get smaller by packing, texts do.
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()
