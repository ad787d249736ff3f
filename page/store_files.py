"""Saved games as folders that are either complete or not there.

    games/
      index.sqlite                   what lists and searches need (page/store_index.py)
      0123456789abcdef-76543210/     one game: its id, and a number that is new with every save
        record.json                  everything but the pictures
        photo.jpg                    the photo as it was handed in
        thumbnail.jpg
      .new-...                       being written
      .gone-...                      being deleted

A folder is written under a hidden name, forced to the disk and then renamed, so a folder with a proper name is a
complete game whatever happened in between. The index can always be made again from the folders.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from engine.errors import CityscanError
from page.saved_game import SavedGame

RECORD: Final = "record.json"
THUMBNAIL: Final = "thumbnail.jpg"
# The version of record.json; a reader refuses what is newer than itself.
RECORD_FORMAT: Final = 1
# Half-written folders of others that are younger than this may still be worked on.
ABANDONED_SECONDS: Final = 3600

_NEW: Final = ".new-"
_GONE: Final = ".gone-"
_ID: Final = re.compile(r"[0-9a-f]{16}")
_FOLDER: Final = re.compile(r"([0-9a-f]{16})-[0-9a-f]{8}")
# How pictures begin; anything else is kept under a name without a meaning.
_BEGINNINGS: Final = ((b"\xff\xd8\xff", 0, "jpg"), (b"\x89PNG", 0, "png"), (b"WEBP", 8, "webp"), (b"ftyp", 4, "heic"))
_PHOTO_NAMES: Final = ("photo.jpg", "photo.png", "photo.webp", "photo.heic", "photo.bin")


class StoreError(CityscanError):
    """A saved game could not be written, found or read."""

    kind = "store"


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game together with the name of the folder that holds it, and when that was written."""

    game: SavedGame
    folder: str
    saved: float


def new_id() -> str:
    return secrets.token_hex(8)


def checked_id(text: str) -> str:
    """The id itself. Ids become names of folders, so nothing else than an id may pass."""
    if not isinstance(text, str) or not _ID.fullmatch(text):
        raise StoreError("this is not the number of a saved game; choose one from the list.")
    return text


def id_of_folder(name: str) -> str | None:
    """The id of the game in a folder of this name; None where no such folder holds a game."""
    match = _FOLDER.fullmatch(name)
    return match[1] if match else None


class GameFolders:
    """The folders of all games under one root."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def create_root(self) -> None:
        # Photos of people's tables are nobody else's business.
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)

    def names(self) -> list[str]:
        """The folders that hold a complete game."""
        return sorted(entry.name for entry in os.scandir(self.root) if id_of_folder(entry.name) and entry.is_dir())

    # --- writing ----------------------------------------------------------------------------
    def prepare(self, game: SavedGame, thumbnail: bytes | None) -> Path:
        """Write a game under a hidden name and force it to the disk. Leaves nothing behind where that fails."""
        hidden = self.root / f"{_NEW}{checked_id(game.id)}-{secrets.token_hex(4)}"
        photo_name = _photo_name(game.photo) if game.photo is not None else None
        record = json.dumps(_record(game, photo_name), ensure_ascii=False, indent=1, allow_nan=False)
        try:
            hidden.mkdir(mode=0o700)
            _write(hidden / RECORD, record.encode("utf-8"))
            if photo_name is not None and game.photo is not None:
                _write(hidden / photo_name, game.photo)
            if thumbnail is not None:
                _write(hidden / THUMBNAIL, thumbnail)
            _sync_folder(hidden)
        except BaseException:
            self.discard(hidden)
            raise
        return hidden

    def publish(self, hidden: Path) -> str:
        """Give a prepared folder its proper name, which is returned."""
        name = hidden.name.removeprefix(_NEW)
        self.rename(hidden, self.root / name)
        return name

    def retract(self, name: str) -> Path:
        """Hide a complete folder, so that it no longer counts as a game."""
        hidden = self.root / f"{_GONE}{name}"
        self.rename(self.root / name, hidden)
        return hidden

    def rename(self, old: Path, new: Path) -> None:
        """Rename a folder for good, or not at all."""
        os.replace(old, new)
        try:
            _sync_folder(self.root)
        except OSError:
            os.replace(new, old)
            raise

    def discard(self, hidden: Path) -> None:
        """Remove a hidden folder; what cannot be removed now is removed at the next start."""
        shutil.rmtree(hidden, ignore_errors=True)

    def discard_leftovers(self) -> None:
        """Remove what crashes left behind, but nothing that somebody may be writing."""
        for entry in list(os.scandir(self.root)):
            if entry.name.startswith(_GONE) or (entry.name.startswith(_NEW) and _age(entry) > ABANDONED_SECONDS):
                self.discard(Path(entry.path))

    # --- reading ----------------------------------------------------------------------------
    def read(self, name: str, with_photo: bool = True) -> StoredGame:
        """The game in a folder. Raises StoreError where it is damaged, FileNotFoundError where it is gone."""
        document, saved = self._document(name)
        photo_name = document.get("photo")
        if photo_name is not None and photo_name not in _PHOTO_NAMES:
            raise StoreError("this saved game is damaged: its photo has a strange name.")
        photo = (self.root / name / photo_name).read_bytes() if photo_name and with_photo else None
        known = {field.name for field in fields(SavedGame)} - {"photo"}
        try:
            game = SavedGame(**{key: value for key, value in document.items() if key in known})
        except TypeError:
            raise StoreError("this saved game is damaged: part of its record is missing.") from None
        if game.id != id_of_folder(name):
            raise StoreError("this saved game is damaged: its record belongs to another game.")
        return StoredGame(replace(game, photo=photo), name, saved)

    def holds(self, name: str) -> bool:
        return (self.root / name / RECORD).is_file()

    def has_photo(self, name: str) -> bool:
        return any((self.root / name / photo).is_file() for photo in _PHOTO_NAMES)

    def thumbnail(self, name: str) -> bytes | None:
        try:
            return (self.root / name / THUMBNAIL).read_bytes()
        except OSError:
            return None

    def readable(self) -> Iterator[StoredGame]:
        """Every complete game that can be read, without its photo."""
        for name in self.names():
            try:
                yield self.read(name, with_photo=False)
            except (StoreError, OSError):
                continue  # it stays where it is, for a person to look at

    def _document(self, name: str) -> tuple[dict[str, Any], float]:
        path = self.root / name / RECORD
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise StoreError("this saved game is damaged: its record cannot be read.") from None
        if not isinstance(document, dict) or not isinstance(document.get("format"), int):
            raise StoreError("this saved game is damaged: its record is something else.")
        if document["format"] > RECORD_FORMAT:
            raise StoreError("this game was saved by a newer version of Cityscan; update to open it.")
        return document, path.stat().st_mtime


def _record(game: SavedGame, photo_name: str | None) -> dict[str, Any]:
    whole = asdict(replace(game, photo=None, state={}, sheet={}, reading=None, read_state=None))
    plain: Mapping[str, Any] = {
        "state": game.state,
        "sheet": game.sheet,
        "reading": game.reading,
        "read_state": game.read_state,
    }
    return {"format": RECORD_FORMAT, **whole, **plain, "photo": photo_name}


def _photo_name(photo: bytes) -> str:
    for beginning, offset, suffix in _BEGINNINGS:
        if photo[offset : offset + len(beginning)] == beginning:
            return f"photo.{suffix}"
    return "photo.bin"


def _age(entry: os.DirEntry[str]) -> float:
    try:
        return time.time() - entry.stat().st_mtime
    except OSError:
        return 0.0


def _write(path: Path, content: bytes) -> None:
    """A new file whose content has reached the disk when this returns."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Force names, not only contents, to the disk. Windows has no such call and does it by itself."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
