"""A full disk or a kill at any step of saving and deleting: earlier games stay whole, and no half game is listed.

Every step that touches the disk or the index is a point at which things can fail. Each operation is run once to count
its points, and then once for each of them, failing there.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from page import store_files
from page.saved_game import SavedGame
from page.store import Store, StoreError, open_store

EARLIER = tuple(f"{number:016x}" for number in range(3))
NEW = "f" * 16
KILLED = 9


def game_of(game_id: str, title: str = "first") -> SavedGame:
    return SavedGame(
        game="sprawl",
        title=title,
        state={"game": "sprawl", "columns": 3, "rows": 3, "cells": []},
        sheet={"totals": {"red": 30}, "winner": "red", "items": []},
        photo=b"\xff\xd8\xff" + bytes.fromhex(game_id) * 500 + title.encode(),
        created="2026-01-01T00:00:00+00:00",
        id=game_id,
    )


class Faults:
    """Counts the points at which an operation could fail, and fails at the one that it is armed for."""

    def __init__(self) -> None:
        self.seen = 0
        self.at: int | None = None
        self.kill = False

    def point(self, error: Exception, before_failing: Callable[[], object] = lambda: None) -> None:
        self.seen += 1
        if self.at is None or self.seen != self.at:
            return
        before_failing()
        if self.kill:
            os._exit(KILLED)
        raise error


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    found = Faults()
    full = OSError(errno.ENOSPC, "No space left on device")
    really_write = store_files._write

    def write(path: Path, content: bytes) -> None:
        # A disk does not fill up between files but in the middle of one.
        found.point(full, lambda: path.write_bytes(content[: len(content) // 2]))
        really_write(path, content)

    def watched(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            found.point(full)
            return call(*arguments, **named)

        return wrapped

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            if sql.split()[0] in ("BEGIN", "INSERT", "DELETE", "COMMIT"):
                found.point(sqlite3.OperationalError("database or disk is full"))
            return super().execute(sql, *arguments)

    really_connect = sqlite3.connect
    monkeypatch.setattr(store_files, "_write", write)
    for name in ("fsync", "replace", "mkdir", "rmdir", "unlink"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **named: really_connect(*a, factory=Connection, **named))
    yield found
    found.at = None


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three games in it."""
    folder = tmp_path_factory.mktemp("prepared")
    store = open_store(folder)
    for game_id in EARLIER:
        store.save(game_of(game_id))
    return folder


def save_new(store: Store) -> None:
    store.save(game_of(NEW))


def save_again(store: Store) -> None:
    store.save(game_of(EARLIER[1], "second"))


def delete(store: Store) -> None:
    store.delete(EARLIER[1])


Operation = Callable[[Store], None]
# What the game in question is before and after: nothing, or exactly one of its saves. There is no third state.
OUTCOMES: dict[Operation, tuple[str | None, str | None]] = {
    save_new: (None, "first"),
    save_again: ("first", "second"),
    delete: ("first", None),
}
OPERATIONS = pytest.mark.parametrize("operation", OUTCOMES, ids=lambda operation: operation.__name__)


def titles(store: Store) -> dict[str, str]:
    """Title by id of everything that is listed. Whatever is listed can be opened and is whole."""
    found = {}
    for summary in store.list():
        game = store.load(summary.id)
        assert replace(game, corrections=()) == game_of(game.id, summary.title)
        found[game.id] = game.title
    return found


def check(store: Store, operation: Operation, where: str) -> str | None:
    concerned = NEW if operation is save_new else EARLIER[1]
    listed = titles(store)
    for game_id in EARLIER:
        if game_id != concerned:
            assert listed.pop(game_id) == "first", where
    outcome = listed.pop(concerned, None)
    assert outcome in OUTCOMES[operation], where
    assert listed == {}, where
    return outcome


def number_of_points(folder: Path, operation: Operation, faults: Faults) -> int:
    store = open_store(folder)
    faults.seen = 0
    operation(store)
    return faults.seen


@OPERATIONS
def test_a_full_disk_at_any_step(tmp_path: Path, prepared: Path, faults: Faults, operation: Operation) -> None:
    shutil.copytree(prepared, tmp_path / "counting")
    points = number_of_points(tmp_path / "counting", operation, faults)
    assert points >= 7
    failures = 0
    for point in range(1, points + 1):
        folder = tmp_path / str(point)
        shutil.copytree(prepared, folder)
        store = open_store(folder)
        where = f"{operation.__name__}, point {point} of {points}"
        faults.seen, faults.at = 0, point
        error = _error_of(lambda store=store: operation(store))  # type: ignore[misc]
        faults.at = None
        before, after = OUTCOMES[operation]
        if error is not None:
            assert "disk is full" in error, where
            failures += 1
        # An error means that nothing has changed, at once and after a new start; then the person tries again.
        assert check(store, operation, where) == (before if error else after), where
        assert check(open_store(folder), operation, where) == (before if error else after), where
        operation(store)
        assert check(store, operation, where + ", tried again") == after
        assert leftovers(open_store(folder)) == [], where
    assert failures >= 4


def _error_of(call: Callable[[], None]) -> str | None:
    try:
        call()
    except StoreError as error:
        return error.message
    return None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can only be killed in the middle where they can fork")
@OPERATIONS
def test_a_kill_at_any_step(tmp_path: Path, prepared: Path, faults: Faults, operation: Operation) -> None:
    shutil.copytree(prepared, tmp_path / "counting")
    points = number_of_points(tmp_path / "counting", operation, faults)
    seen = set()
    for point in range(1, points + 1):
        folder = tmp_path / str(point)
        shutil.copytree(prepared, folder)
        where = f"{operation.__name__}, killed at point {point} of {points}"
        assert _killed_at(point, folder, operation, faults), where
        running = Store(folder / "games")  # a page that was open all the time
        check(running, operation, where)
        seen.add(check(open_store(folder), operation, where + ", after a new start"))
        assert running.count() == len(running.list()), where
        operation(open_store(folder))
        check(open_store(folder), operation, where + ", tried again")
        for path in hidden(folder / "games"):  # an hour later nothing is left of it
            os.utime(path, (0, 0))
        assert leftovers(open_store(folder)) == [], where
    assert seen == set(OUTCOMES[operation])  # some kills come before and some after the point of no return


def _killed_at(point: int, folder: Path, operation: Operation, faults: Faults) -> bool:
    store = open_store(folder)
    child = os.fork()
    if child == 0:
        faults.seen, faults.at, faults.kill = 0, point, True
        try:
            operation(store)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == KILLED


def hidden(root: Path) -> list[Path]:
    return [path for path in root.iterdir() if path.name.startswith(".")]


def leftovers(store: Store) -> list[str]:
    """What lies in the folder beside the index and the games that are listed."""
    ids = {summary.id for summary in store.list()}
    names = [path.name for path in store.root.iterdir() if not path.name.startswith("index.sqlite")]
    return [name for name in names if name.partition("-")[0] not in ids or names.count(name) > 1] + [
        game_id for game_id in ids if sum(name.startswith(game_id) for name in names) != 1
    ]


def test_a_folder_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    being_written = store.root / f".new-{NEW}-00000000"
    being_written.mkdir()
    open_store(tmp_path)
    assert being_written.exists()
    os.utime(being_written, (0, 0))
    open_store(tmp_path)
    assert not being_written.exists()


# --- several processes --------------------------------------------------------------------------
def _save_many(folder: Path, number: int) -> None:
    store = open_store(folder)
    for turn in range(5):
        store.save(game_of(f"{number:08x}{turn:08x}"))
        store.save(game_of("a" * 16, f"{number}/{turn}"))  # all of them save this one too
        store.list()


def test_processes_save_at_the_same_time(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_save_many, args=(tmp_path, number)) for number in range(1, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    store = open_store(tmp_path)
    assert set(titles(store)) == {f"{n:08x}{t:08x}" for n in range(1, 4) for t in range(5)} | {"a" * 16}
    assert leftovers(store) == []
