"""What was learnt is kept and found again; what is damaged, foreign or out of date is refused with a sentence."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from engine.errors import CityscanError, Unreadable, Unsupported, UsageError
from vision.adapt import store
from vision.adapt.heads import Adapter, Addition
from vision.model_files import installed_models, user_models

GAME = "city-blocks"


def some_adapter(seed: int = 0) -> Adapter:
    rng = np.random.default_rng(seed)
    part = lambda *shape: rng.normal(0, 1, shape).astype(np.float32)  # noqa: E731
    return Adapter(GAME, {"square": Addition(part(6, 8), part(6, 6), part(6), np.array([True] * 5 + [False]))})


@pytest.fixture
def saved(installed: None) -> Path:  # noqa: ARG001
    return store.save("my-set", some_adapter(), {"date": "2026-01-02", "photos": 2})


def test_what_was_kept_comes_back(saved: Path) -> None:
    found = store.adapter_for("my-set", GAME)
    assert found is not None
    mine, theirs = some_adapter().additions["square"], found.additions["square"]
    for part in store.PARTS:
        assert np.array_equal(getattr(mine, part), getattr(theirs, part))
    card = store.card_in_use("my-set", GAME)
    assert card is not None
    assert (card["photos"], card["base"], card["bytes"]) == (2, "b" * 64, saved.stat().st_size)


@pytest.mark.usefixtures("saved")
def test_a_new_one_takes_the_place_of_the_old() -> None:
    before = store.adapter_for("my-set", GAME)
    store.save("my-set", some_adapter(9), {})
    after = store.adapter_for("my-set", GAME)
    assert before is not None
    assert after is not None
    assert not np.array_equal(before.additions["square"].bias, after.additions["square"].bias)


@pytest.mark.usefixtures("saved")
def test_it_is_listed_with_the_other_models(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"net")
    shipped = {"board-city-blocks": {"file": "net.onnx", "sha256": hashlib.sha256(b"net").hexdigest()}}
    (tmp_path / "cards.json").write_text(json.dumps(shipped))
    network, mine = installed_models(tmp_path)
    assert (mine.name, mine.profile) == (network.name, "my-set")
    assert "other networks" in str(mine.problem)  # those of this folder are not the ones that it was learnt on


@pytest.mark.usefixtures("saved")
def test_answers_change_with_the_set_alone() -> None:
    rng = np.random.default_rng(1)
    found = {
        "square": rng.normal(0, 1, (1, 6, 20, 20)).astype(np.float32),
        "seen_cells": rng.normal(0, 1, (1, 8, 20, 20)).astype(np.float32),
    }
    logits = {"square": found["square"]}
    assert store.adapted(GAME, None, logits, found)["square"] is found["square"]
    assert store.adapted(GAME, "blokus-grey", logits, found)["square"] is found["square"]
    assert store.adapted("sprawl", "my-set", logits, found)["square"] is found["square"]
    assert not np.array_equal(store.adapted(GAME, "my-set", logits, found)["square"], found["square"])


@pytest.mark.usefixtures("saved")
def test_a_trial_is_read_with_and_leaves_nothing() -> None:
    other = some_adapter(5)
    with store.on_trial("my-set", {GAME: other}):
        assert store.adapter_for("my-set", GAME) is other
    with store.on_trial("no-set-yet", {GAME: None}):
        assert store.adapter_for("no-set-yet", GAME) is None
    assert store.adapter_for("my-set", GAME) is not other


def archive(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def parts(**changes: np.ndarray) -> dict[str, np.ndarray]:
    addition = some_adapter().additions["square"]
    return {f"square.{part}": getattr(addition, part) for part in store.PARTS} | {
        f"square.{name}": value for name, value in changes.items()
    }


class Harmful:
    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("raise SystemExit('unpickled')",))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        # no archive at all
        (b"", "does not hold"),
        (b"PK nothing", "does not hold"),
        # something that would run code when unpickled
        (pickle.dumps(Harmful()), "does not hold"),
        (archive(**parts(bias=np.array([Harmful()] * 6, dtype=object))), "does not hold"),
        # a part is missing, or has another shape, kind or number of answers
        (archive(**{"square.bias": np.zeros(6, np.float32)}), "does not hold"),
        (archive(**parts(bias=np.zeros(5, np.float32))), "shapes"),
        (archive(**parts(weights=np.zeros((6, 8, 1), np.float32))), "shapes"),
        (archive(**parts(bias=np.zeros(6, np.float64))), "shapes"),
        # numbers that would spoil every answer
        (archive(**parts(bias=np.full(6, np.nan, np.float32))), "numbers that are none"),
        (archive(**parts(shown=np.zeros(6, bool))), "no answer"),
        # a question of another game
        (archive(**{name.replace("square", "kind"): part for name, part in parts().items()}), "no question"),
        # far too large
        (archive(**parts(weights=np.zeros((6, 400_000), np.float32))), "too large"),
    ],
)
def test_foreign_files_are_refused_even_with_a_fitting_card(saved: Path, content: bytes, words: str) -> None:
    saved.write_bytes(content)
    cards = saved.with_name("cards.json")
    card = json.loads(cards.read_text())
    card["board-city-blocks"]["sha256"] = hashlib.sha256(content).hexdigest()
    cards.write_text(json.dumps(card))
    with pytest.raises(Unsupported, match=words):
        store.adapter_for("my-set", GAME)


def test_a_damaged_file_is_refused(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    content[len(content) // 2] ^= 1
    saved.write_bytes(content)
    with pytest.raises(Unsupported, match="damaged or foreign"):
        store.adapter_for("my-set", GAME)
    assert store.card_in_use("my-set", GAME) is None


@pytest.mark.usefixtures("saved")
def test_what_belongs_to_other_networks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "model_cards", lambda: {"board-city-blocks": {"sha256": "c" * 64}})
    with pytest.raises(Unsupported, match=r"other networks .* cityscan train --photos DIR --profile my-set"):
        store.check_profile("my-set")


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("no-such-set", Unreadable),
        ("../outside", UsageError),
        ("", UsageError),
        ("Mine", UsageError),
    ],
)
def test_no_such_set(name: str, kind: type[CityscanError]) -> None:
    with pytest.raises(kind):
        store.adapter_for(name, GAME)


@pytest.mark.usefixtures("installed")
def test_built_in_names_are_taken() -> None:
    with pytest.raises(UsageError, match="comes with Cityscan"):
        store.save("blokus-grey", some_adapter(), {})
    assert not user_models().exists()


@pytest.mark.usefixtures("installed")
def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "file"))
    with pytest.raises(Unreadable, match="could not be written"):
        store.save("my-set", some_adapter(), {})
