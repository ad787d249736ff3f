"""Saved games: kept, listed, searched, replaced and deleted."""

from __future__ import annotations

import io
import json
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from calibration.data_folder import data_folder
from page.saved_game import SavedGame
from page.store import Store, StoreError, open_store
from page.store_index import VERSION


def photo(shade: int = 120, size: tuple[int, int] = (640, 480)) -> bytes:
    noise = np.random.default_rng(shade).integers(0, 60, (size[1], size[0], 3))
    buffer = io.BytesIO()
    Image.fromarray((noise + shade).astype(np.uint8)).save(buffer, "JPEG")
    return buffer.getvalue()


def scored(**changes: object) -> SavedGame:
    base = SavedGame(
        game="alien-city",
        title="Alien City: Ann, Bob",
        state={"game": "alien-city", "edition": "2.2", "structures": [{"at": "A1", "kind": "dome", "colour": "red"}]},
        sheet={"totals": {"white": 12, "black": 7}, "winner": "white", "items": [], "notes": ["A note."], "over": True},
        names={"white": "Ann", "black": "Bob"},
        photo=photo(),
        corners=[[1.5, 2.0], [600.0, 3.0], [610.0, 470.0], [5.0, 460.0]],
        reading={"corners": [], "confidence": {"A1": 0.9}, "doubtful": ["A1"], "candidates": {}},
        read_state={"game": "alien-city", "structures": []},
        corrections=[{"at": "A1", "read": None, "now": {"kind": "dome", "colour": "red"}}],
    )
    return replace(base, **changes)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


def test_a_game_comes_back_as_it_was_saved(store: Store) -> None:
    game_id = store.save(scored())
    loaded = store.load(game_id)
    assert loaded.created
    assert loaded == scored(id=game_id, created=loaded.created)


def test_a_game_survives_a_new_start(tmp_path: Path) -> None:
    game_id = open_store(tmp_path).save(scored())
    again = open_store(tmp_path)
    assert [summary.id for summary in again.list()] == [game_id]
    assert again.load(game_id).photo == photo()


def test_the_list_tells_what_a_list_shows(store: Store) -> None:
    game_id = store.save(scored())
    (summary,) = store.list()
    assert (summary.id, summary.game, summary.title) == (game_id, "alien-city", "Alien City: Ann, Bob")
    assert (summary.totals, summary.winner) == ({"white": 12, "black": 7}, "white")
    assert summary.names == {"white": "Ann", "black": "Bob"}
    assert summary.has_photo
    assert summary.corrected
    assert summary.thumbnail is not None
    with Image.open(io.BytesIO(summary.thumbnail)) as small:
        assert max(small.size) == 320


def test_without_a_photo_the_thumbnail_is_the_drawn_board(store: Store) -> None:
    store.save(scored(photo=None, corners=None, reading=None, read_state=None, corrections=()))
    (summary,) = store.list()
    assert not summary.has_photo
    assert not summary.corrected
    assert summary.thumbnail is not None
    with Image.open(io.BytesIO(summary.thumbnail)) as small:
        assert len(small.getcolors(1 << 20) or ()) > 50  # not an empty sheet


def test_a_photo_that_nobody_can_open_is_kept_all_the_same(store: Store) -> None:
    game_id = store.save(scored(photo=b"not a picture"))
    assert store.load(game_id).photo == b"not a picture"
    assert store.list()[0].thumbnail is None


def test_saving_again_replaces_and_keeps_the_date(store: Store) -> None:
    game_id = store.save(scored(created="2026-01-02T03:04:05+00:00"))
    assert store.save(scored(id=game_id, title="Second", photo=photo(60))) == game_id
    (summary,) = store.list()
    assert (summary.title, summary.created) == ("Second", "2026-01-02T03:04:05+00:00")
    assert store.load(game_id).photo == photo(60)
    assert len(_folders(store)) == 1  # the older save leaves nothing behind


def test_the_newest_come_first_page_by_page(store: Store) -> None:
    ids = [store.save(scored(photo=None, created=f"2026-03-{day:02}T10:00:00+00:00")) for day in range(1, 8)]
    newest_first = ids[::-1]
    assert [s.id for s in store.list(limit=3)] == newest_first[:3]
    assert [s.id for s in store.list(limit=3, offset=3)] == newest_first[3:6]
    assert [s.id for s in store.list(limit=3, offset=6)] == newest_first[6:]
    assert store.list(limit=0) == []
    assert len(store.list(limit=-5)) == 0
    assert len(store.list(offset=-5)) == 7
    assert store.count() == 7


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("", True),
        ("ann", True),  # capitals do not matter
        ("ANN bob", True),  # every word must be there
        ("ann carol", False),
        ("alien", True),  # the game
        ("2.2", True),  # the edition
        ("2026-05-17", True),  # the date as kept
        ("17 may 2026", True),  # and as written
        ("17.5.", True),
        ("note", True),  # what the sheet noted
        ("%", False),  # no wildcards
        ("a%n", False),
        ("_nn", False),
        ("\\", False),
        ("' OR 1=1 --", False),  # bound, not pasted
        ('"; DROP TABLE games; --', False),
        ("straße", True),  # case folding, not lower case
        ("STRASSE", True),
    ],
)
def test_search(store: Store, query: str, finds: bool) -> None:
    names = {"white": "Ann", "black": "Bob Straße"}
    store.save(scored(photo=None, names=names, created="2026-05-17T20:00:00+00:00"))
    assert bool(store.list(query)) == finds
    assert store.count(query) == int(finds)
    assert store.count() == 1  # whatever was asked, nothing was harmed


@pytest.mark.parametrize("sign", ["%", "_", "\\", "100%_\\"])
def test_signs_that_sql_knows_are_found_as_themselves(store: Store, sign: str) -> None:
    store.save(scored(photo=None, names={"white": "Ann"}))
    wanted = store.save(scored(photo=None, names={"white": f"x{sign}y"}))
    assert [summary.id for summary in store.list(sign)] == [wanted]


def test_deleting(store: Store) -> None:
    kept, gone = store.save(scored()), store.save(scored())
    store.delete(gone)
    assert [summary.id for summary in store.list()] == [kept]
    assert len(_folders(store)) == 1
    with pytest.raises(StoreError, match="no longer there"):
        store.load(gone)
    store.delete(gone)  # another page was quicker: nothing to complain about


@pytest.mark.parametrize(
    "bad",
    ["", "..", "../../etc/passwd", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdef/", "0123456789abcdef\n", 7],
)
def test_only_ids_are_ids(store: Store, bad: str) -> None:
    for use in (store.load, store.delete, store.export):
        with pytest.raises(StoreError, match="not the number of a saved game"):
            use(bad)
    if bad:
        with pytest.raises(StoreError):
            store.save(scored(id=bad))


def test_a_record_cannot_lead_out_of_its_folder(store: Store, tmp_path: Path) -> None:
    game_id = store.save(scored())
    (tmp_path / "secret").write_text("secret")
    (folder,) = _folders(store)
    document = json.loads((folder / "record.json").read_text())
    (folder / "record.json").write_text(json.dumps({**document, "photo": "../../secret"}))
    with pytest.raises(StoreError, match="damaged"):
        store.load(game_id)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"format": 1}', '{"format": 99}', '{"format": "1"}'],
)
def test_a_damaged_record_is_a_sentence_and_harms_no_other(tmp_path: Path, content: str) -> None:
    store = open_store(tmp_path)
    broken = store.save(scored())
    (folder,) = _folders(store)
    (folder / "record.json").write_text(content)
    sound = store.save(scored(title="Sound"))
    with pytest.raises(StoreError, match=r"damaged|newer"):
        store.load(broken)
    (tmp_path / "games" / "index.sqlite").unlink()
    again = open_store(tmp_path)
    assert [summary.id for summary in again.list()] == [sound]
    assert folder.exists()  # left for a person to look at


# --- the index ----------------------------------------------------------------------------------
def _drop(index: Path) -> None:
    for path in index.parent.glob("index.sqlite*"):
        path.unlink()


def _scribble(index: Path) -> None:
    _drop(index)
    index.write_bytes(b"this is no database at all" * 200)


def _scribble_inside(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(index.read_bytes())
    content[100:3000] = b"\xaa" * 2900
    index.write_bytes(content)


def _older_version(index: Path) -> None:
    with sqlite3.connect(index) as connection:
        connection.execute("DROP TABLE games")
        connection.execute("CREATE TABLE games (id TEXT, caption TEXT)")
        connection.execute("INSERT INTO games VALUES ('0123456789abcdef', 'of an older form')")
        connection.execute("PRAGMA user_version = 0")


@pytest.mark.parametrize("harm", [_drop, _scribble, _scribble_inside, _older_version])
def test_the_index_is_made_again_from_the_games(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    store = open_store(tmp_path)
    ids = {store.save(scored()) for _ in range(3)}
    before = store.list()
    harm(tmp_path / "games" / "index.sqlite")
    again = open_store(tmp_path)
    assert again.list() == before
    assert {summary.id for summary in again.list("ann")} == ids
    with sqlite3.connect(tmp_path / "games" / "index.sqlite") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_games_of_a_newer_program_are_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).save(scored())
    index = tmp_path / "games" / "index.sqlite"
    with sqlite3.connect(index) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="newer version"):
        open_store(tmp_path)
    with sqlite3.connect(index) as connection:
        assert connection.execute("SELECT COUNT(*) FROM games").fetchone() == (1,)


def test_a_folder_that_may_not_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="saved games cannot be opened"):
        open_store(tmp_path)


# --- several at once ----------------------------------------------------------------------------
def test_threads_save_list_and_delete_at_the_same_time(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    failures: list[BaseException] = []
    kept: list[str] = []

    def work(number: int) -> None:
        try:
            own = store if number % 2 else open_store(tmp_path)
            for turn in range(4):
                game_id = own.save(scored(photo=photo(number), title=f"{number}/{turn}"))
                assert own.load(game_id).title == f"{number}/{turn}"
                own.save(scored(id=game_id, photo=photo(number), title="again"))
                own.list("again")
                if turn % 2:
                    own.delete(game_id)
                else:
                    kept.append(game_id)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {summary.id for summary in store.list()} == set(kept)
    assert len(_folders(store)) == len(kept)


# --- where it all lies --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"CITYSCAN_DATA": "/data"}, "/data"),
        ("linux", {"XDG_DATA_HOME": "/xdg"}, "/xdg/cityscan"),
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/share/cityscan"),
        ("darwin", {"HOME": "/home/ann"}, "/home/ann/Library/Application Support/cityscan"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/cityscan"),
    ],
)
def test_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("CITYSCAN_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert data_folder() == Path(expected)


def test_without_a_folder_the_games_lie_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "mine"))
    open_store().save(scored())
    assert (tmp_path / "mine" / "games" / "index.sqlite").is_file()


def _folders(store: Store) -> list[Path]:
    return [path for path in store.root.iterdir() if path.is_dir()]
