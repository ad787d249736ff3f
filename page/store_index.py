"""The index of saved games: SQLite in WAL mode, made again from the folders whenever it does not fit."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from page.saved_game import SavedGame
from page.store_files import StoredGame, StoreError

# Raised with every change of the table below. An older index is made again from the records.
VERSION: Final = 2
BUSY_SECONDS: Final = 30.0
MOST_LISTED: Final = 500
MOST_WORDS: Final = 12

# Not strftime's names: those follow the server's language, and searches would differ from server to server.
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_TABLE: Final = """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    created TEXT NOT NULL,
    totals TEXT NOT NULL,
    winner TEXT,
    names TEXT NOT NULL,
    has_photo INTEGER NOT NULL,
    corrected INTEGER NOT NULL,
    profile TEXT,
    words TEXT NOT NULL
)
"""
_COLUMNS: Final = (
    "id", "folder", "game", "title", "created", "totals", "winner", "names", "has_photo", "corrected",
    "profile", "words",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """What the index knows about a game."""

    id: str
    folder: str
    game: str
    title: str
    created: str
    totals: dict[str, int]
    winner: str | None
    names: dict[str, str]
    has_photo: bool
    corrected: bool
    profile: str | None


class NewerIndex(StoreError):
    """The index was written by a newer program."""


class Index:
    """One SQLite file. Every use opens its own connection, so threads and processes never share one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        connection = self._connect()
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that excludes all other writers from its beginning on, also in other processes."""
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        finally:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            # WAL lets lists be read while a game is saved. FULL: a commit is on the disk when it returns.
            _patiently(connection, "PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def make_anew(connection: sqlite3.Connection) -> None:
    """An empty table of today's form in place of whatever there was."""
    connection.execute("DROP TABLE IF EXISTS games")
    connection.execute(_TABLE)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def put(connection: sqlite3.Connection, stored: StoredGame, has_photo: bool) -> None:
    """Add a game, or replace its row."""
    game = stored.game
    values = (
        game.id,
        stored.folder,
        game.game,
        game.title,
        game.created,
        json.dumps(dict(game.sheet.get("totals") or {})),
        game.sheet.get("winner"),
        json.dumps(dict(game.names), ensure_ascii=False),
        int(has_photo),
        int(bool(game.corrections)),
        game.profile,
        words_of(game),
    )
    places = ", ".join("?" * len(_COLUMNS))
    connection.execute(f"INSERT OR REPLACE INTO games ({', '.join(_COLUMNS)}) VALUES ({places})", values)


def remove(connection: sqlite3.Connection, game_id: str) -> None:
    connection.execute("DELETE FROM games WHERE id = ?", (game_id,))


def folders(connection: sqlite3.Connection) -> dict[str, str]:
    """The folder of every game by its id."""
    return dict(connection.execute("SELECT id, folder FROM games").fetchall())


def folder_of(connection: sqlite3.Connection, game_id: str) -> str | None:
    found = connection.execute("SELECT folder FROM games WHERE id = ?", (game_id,)).fetchone()
    return None if found is None else str(found[0])


def count(connection: sqlite3.Connection, query: str) -> int:
    condition, values = _condition(query)
    return int(connection.execute(f"SELECT COUNT(*) FROM games WHERE {condition}", values).fetchone()[0])


def rows(connection: sqlite3.Connection, query: str, limit: int, offset: int) -> list[Row]:
    """The games that hold every word of the query, the newest first."""
    condition, values = _condition(query)
    page = (max(0, min(limit, MOST_LISTED)), max(0, offset))
    found = connection.execute(
        f"SELECT {', '.join(_COLUMNS[:-1])} FROM games WHERE {condition} ORDER BY created DESC, id LIMIT ? OFFSET ?",
        (*values, *page),
    )
    return [_row(values) for values in found.fetchall()]


def words_of(game: SavedGame) -> str:
    """What a search looks through: game, edition, players, dates and notes, without capitals."""
    texts: list[str] = [game.title, game.game, str(game.state.get("edition", "")), *game.names.values(), *game.names]
    texts += [*_dates(game.created), *(str(variant) for variant in game.state.get("variants") or ())]
    texts += [str(note) for note in game.sheet.get("notes") or ()]
    return "\n".join(texts).casefold()


def _dates(created: str) -> list[str]:
    """A date as it is kept, and as people write it."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return [created]
    month = _MONTHS[moment.month - 1]
    return [created, f"{moment.day} {month} {moment.year}", f"{moment.day}.{moment.month}."]


def _condition(query: str) -> tuple[str, tuple[str, ...]]:
    """SQL that holds for games with every word of the query; the words themselves are always bound."""
    wanted = query.casefold().split()[:MOST_WORDS]
    escaped = [word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") for word in wanted]
    condition = " AND ".join([r"words LIKE ? ESCAPE '\'"] * len(escaped)) or "1"
    return condition, tuple(f"%{word}%" for word in escaped)


def _row(values: tuple[Any, ...]) -> Row:
    game_id, folder, game, title, created, totals, winner, names, has_photo, corrected, profile = values
    totals, names = json.loads(totals), json.loads(names)
    return Row(game_id, folder, game, title, created, totals, winner, names, bool(has_photo), bool(corrected), profile)


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    # The very first change to WAL does not wait for others that try the same, so this does.
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.02)
