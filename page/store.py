"""My games: every scored game, kept on this machine so that no crash and no full disk takes an earlier one along.

The photo and the record of a game are a folder (page/store_files.py); the index (page/store_index.py) only makes
lists and searches quick. A game is saved in this order, and may be interrupted at any point:

1. the folder is written under a hidden name and forced to the disk;
2. the index is locked against all other writers;
3. the folder gets its proper name: from here on the game exists;
4. its row is written and committed.

Deleting goes the other way: the folder is hidden, the row removed, then the folder's content.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from calibration.data_folder import data_folder
from page import store_index
from page.saved_game import SavedGame, Summary
from page.store_export import game_zip, training_zip
from page.store_files import GameFolders, StoredGame, StoreError, checked_id, new_id
from page.store_index import Index, NewerIndex
from page.store_thumbnail import thumbnail_of

__all__ = ["Store", "StoreError", "open_store"]

GAMES_FOLDER: Final = "games"
INDEX_NAME: Final = "index.sqlite"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# How often a game is looked up again that somebody else is just saving anew.
_LOOKS: Final = 5


def open_store(folder: Path | None = None) -> Store:
    """The saved games under the user's data folder, or under another one; mends what a crash left behind."""
    store = Store((data_folder() if folder is None else folder) / GAMES_FOLDER)
    store.recover()
    return store


class Store:
    """Saved games. May be used by any number of threads and processes at the same time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders = GameFolders(root)
        self._index = Index(root / INDEX_NAME)

    # --- the games --------------------------------------------------------------------------
    def save(self, game: SavedGame) -> str:
        """Keep a game and return its id; one that has an id already replaces what was kept under it."""
        game = replace(game, id=checked_id(game.id) if game.id else new_id())
        with _in_words("the game was not saved"):
            game = replace(game, created=game.created or self._created(game.id) or _now())
            hidden = self._folders.prepare(game, thumbnail_of(game))
            try:
                self._enter(game, hidden)
            finally:
                self._folders.discard(hidden)  # gone already where all went well
        return game.id

    def list(self, query: str = "", limit: int = 50, offset: int = 0) -> list[Summary]:
        """The games that hold every word of the query, the newest first."""
        with _in_words("the saved games cannot be listed"), self._index.reading() as connection:
            found = store_index.rows(connection, query, limit, offset)
        return [
            Summary(
                id=row.id,
                game=row.game,
                title=row.title,
                created=row.created,
                totals=row.totals,
                winner=row.winner,
                names=row.names,
                thumbnail=self._folders.thumbnail(row.folder),
                has_photo=row.has_photo,
                corrected=row.corrected,
                profile=row.profile,
            )
            for row in found
            if self._folders.holds(row.folder)  # else it is being deleted
        ]

    def count(self, query: str = "") -> int:
        """How many games hold every word of the query."""
        with _in_words("the saved games cannot be counted"), self._index.reading() as connection:
            return store_index.count(connection, query)

    def load(self, game_id: str) -> SavedGame:
        """A game with its photo. Raises StoreError where there is none of that id."""
        checked_id(game_id)
        with _in_words("the saved game cannot be opened"):
            # Between the index and the folder somebody may have saved the game anew, under another folder name.
            for _ in range(_LOOKS):
                with self._index.reading() as connection:
                    folder = store_index.folder_of(connection, game_id)
                if folder is None:
                    break
                with contextlib.suppress(FileNotFoundError):
                    return self._folders.read(folder).game
        raise StoreError("this game is no longer there; it may have been deleted from another page.")

    def delete(self, game_id: str) -> None:
        """Remove a game for good. One that is gone already is no error: two pages may delete the same."""
        checked_id(game_id)
        with _in_words("the game was not deleted"):
            hidden = folder = None
            try:
                with self._index.writing() as connection:
                    folder = store_index.folder_of(connection, game_id)
                    if folder is None:
                        return
                    with contextlib.suppress(FileNotFoundError):
                        hidden = self._folders.retract(folder)
                    store_index.remove(connection, game_id)
            except Exception:
                if hidden is not None and folder is not None:
                    os.replace(hidden, self.root / folder)
                raise
            if hidden is not None:
                self._folders.discard(hidden)

    # --- taking games along -----------------------------------------------------------------
    def export(self, game_id: str) -> bytes:
        """A zip of everything about one game; the photo goes without its EXIF data."""
        return game_zip(self.load(game_id))

    def export_training(self, ids: Sequence[str]) -> bytes:
        """A zip of labelled photos for ``cityscan evaluate`` and training. Games without a photo are left out."""
        return training_zip(self.load(game_id) for game_id in ids)

    # --- staying whole ----------------------------------------------------------------------
    def recover(self) -> None:
        """Bring folders and index into agreement, and remove what crashes left behind."""
        with _in_words("the saved games cannot be opened"):
            self._folders.create_root()
            try:
                self._agree()
            except NewerIndex:
                raise
            except sqlite3.OperationalError:
                raise  # locked, full or unwritable: the index itself is sound
            except sqlite3.DatabaseError:
                self._set_index_aside()
                self._agree()
            self._folders.discard_leftovers()

    def _agree(self) -> None:
        with self._index.writing() as connection:
            version = store_index.version_of(connection)
            if version > store_index.VERSION:
                raise NewerIndex("the saved games belong to a newer version of Cityscan; update to open them.")
            if version < store_index.VERSION:
                store_index.make_anew(connection)
            # Nobody is between steps 3 and 4 while this holds the lock, so a folder without a row was interrupted.
            listed = store_index.folders(connection)
            present = set(self._folders.names())
            for game_id, folder in listed.items():
                if folder not in present:
                    store_index.remove(connection, game_id)
            if present - set(listed.values()):
                self._adopt(connection, {i: f for i, f in listed.items() if f in present})

    def _adopt(self, connection: sqlite3.Connection, listed: dict[str, str]) -> None:
        """List complete folders that no row knows, and hide older saves of games that are listed."""
        newest: dict[str, StoredGame] = {}
        for stored in sorted(self._folders.readable(), key=lambda stored: stored.saved):
            newest[stored.game.id] = stored
        for name in self._folders.names():
            game_id = name.partition("-")[0]
            if game_id in listed and name != listed[game_id]:
                self._folders.retract(name)
        for game_id, stored in newest.items():
            if game_id not in listed:
                store_index.put(connection, stored, self._folders.has_photo(stored.folder))

    def _enter(self, game: SavedGame, hidden: Path) -> None:
        """Steps 2 to 4. Where the row cannot be written the folder is hidden again, and an older save stays."""
        name = None
        try:
            with self._index.writing() as connection:
                before = store_index.folder_of(connection, game.id)
                name = self._folders.publish(hidden)
                store_index.put(connection, StoredGame(game, name, 0.0), game.photo is not None)
        except Exception:
            if name is not None:
                os.replace(self.root / name, hidden)
            raise
        if before is not None:
            with contextlib.suppress(OSError):  # otherwise the next start does it
                self._folders.discard(self._folders.retract(before))

    def _created(self, game_id: str) -> str:
        """When the game of this id was first saved; empty where it is new."""
        try:
            return self.load(game_id).created
        except StoreError:
            return ""

    def _set_index_aside(self) -> None:
        """A damaged index is kept under another name; the folders hold all that it held."""
        path = self._index.path
        os.replace(path, path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"))
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextlib.contextmanager
def _in_words(what: str) -> Iterator[None]:
    """Errors of disk and database as one sentence each."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreError(f"{what}: the disk is full. Free some space and try again.") from error
        if isinstance(error, PermissionError):
            raise StoreError(f"{what}: the data folder may not be written; check its permissions.") from error
        raise StoreError(f"{what}: {error.strerror or error}.") from error
    except sqlite3.Error as error:
        if "full" in str(error):
            raise StoreError(f"{what}: the disk is full. Free some space and try again.") from error
        if "locked" in str(error):
            raise StoreError(f"{what}: another program is using the saved games. Try again.") from error
        raise StoreError(f"{what}: the index of saved games answers {error}.") from error
