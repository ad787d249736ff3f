"""``cityscan models``: whole, damaged and foreign model files, shipped and of own sets."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import Unsupported
from vision import networks
from vision.model_files import CARDS, Model, installed_models, read_cards, read_model

CONTENT = b"weights"


def card(file="locator.onnx", content=CONTENT, **more):
    checksum = hashlib.sha256(content).hexdigest()
    return {"file": file, "sha256": checksum, "bytes": len(content), "date": "2026-01-02", "licence": "MIT", **more}


def fill(folder: Path, cards: object, models: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARDS).write_text(cards if isinstance(cards, str) else json.dumps(cards))
    for name, content in models.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder that stands for the shipped networks; the user's data folder is empty."""
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    networks.use_models(tmp_path / "models")
    yield tmp_path / "models"
    networks.use_models(Path(str(files("vision") / "models")))


WHOLE = card(
    photos=4037,
    seed=1,
    epochs=9,
    epochs_run=6,
    validation={"overlap": 0.98765, "worst_corner": 0.01},
    validation_photos=204,
    validation_profiles=["heraldry"],
    profiles=["cream-classic"],
    data=[{"folder": "train/sprawl", "photos": 40, "seed": 101, "backend": "fast", "mixed": True}],
)


def test_cards_are_listed_with_what_is_in_use(run, shipped):
    fill(shipped, {"locator": WHOLE}, {"locator.onnx": CONTENT})
    result = run("models")
    assert result.code == 0
    assert result.out.splitlines() == [
        "locator (shipped), in use: always",
        "    2026-01-02, 0.00 MB, MIT, checksum ok",
        "    learnt from 4,037 photos (studio seeds 101), 6 epochs, training seed 1",
        "    on 204 photos that it did not learn from: overlap 0.9877, worst corner 0.01",
    ]


def test_models_of_own_sets_are_listed_with_their_profile(run, shipped, tmp_path):
    fill(shipped, {"locator": WHOLE}, {"locator.onnx": CONTENT})
    own = card("board.npz", b"heads", photos=10)
    fill(tmp_path / "data" / "models" / "grandmas-set", {"board-alien-city": own}, {"board.npz": b"heads"})
    result = run("models", "--json")
    assert result.code == 0
    shipped_one, own_one = result.answer["models"]
    assert (shipped_one["name"], shipped_one["kind"], shipped_one["in_use"]) == ("locator", "shipped", "always")
    assert shipped_one["card"] == WHOLE
    assert own_one["profile"] == "grandmas-set"
    assert own_one["in_use"] == "with --profile grandmas-set"
    assert own_one["ok"] is True
    assert "own set grandmas-set" in run("models").out


@pytest.mark.parametrize(("base", "code"), [(WHOLE["sha256"], 0), ("of another network", 3)])
def test_an_own_set_needs_the_network_that_it_was_learnt_on(run, shipped, tmp_path, base, code):
    fill(shipped, {"board-sprawl": WHOLE}, {"locator.onnx": CONTENT})
    own = card("board.npz", b"heads", base=base)
    fill(tmp_path / "data" / "models" / "mine", {"board-sprawl": own}, {"board.npz": b"heads"})
    result = run("models")
    assert result.code == code
    assert ("belongs to other networks than the installed ones" in result.out) == bool(code)


@pytest.mark.parametrize(
    ("cards", "models", "sentence"),
    [
        # a byte was changed
        ({"locator": WHOLE}, {"locator.onnx": b"Weights"}, "is damaged or foreign; install Cityscan again."),
        # cut off while copying
        ({"locator": WHOLE}, {"locator.onnx": b""}, "is damaged or foreign"),
        # the file is gone
        ({"locator": WHOLE}, {}, '"locator.onnx" cannot be read (No such file or directory)'),
        # the cards are no JSON
        ("{", {}, "is damaged"),
        ("\x00\x01", {}, "is damaged"),
        # the cards are something else
        ({"locator": "a network"}, {}, "names no file with its checksum"),
        ({"locator": {"file": "locator.onnx"}}, {}, "names no file with its checksum"),
        # a card may not lead out of its folder
        ({"locator": card("../locator.onnx")}, {}, "names no file with its checksum"),
        ({"locator": card("/etc/passwd")}, {}, "names no file with its checksum"),
        # somebody put a file there
        ({}, {"foreign.onnx": b"?"}, '"foreign.onnx" has no card; it is not used.'),
    ],
)
def test_damaged_and_foreign_files_are_told_and_not_used(run, shipped, cards, models, sentence):
    fill(shipped, cards, models)
    result = run("models")
    assert result.code == 3
    assert sentence in result.out
    assert "Traceback" not in result.err
    (listed,) = run("models", "--json").answer["models"]
    assert listed["ok"] is False
    assert listed["in_use"] == "never"
    with pytest.raises(Unsupported):
        networks.network("locator")


@pytest.mark.usefixtures("shipped")
def test_a_damaged_own_set_says_to_train_again(run, tmp_path):
    own = card("board.npz", b"heads")
    fill(tmp_path / "data" / "models" / "mine", {"board-sprawl": own}, {"board.npz": b"other"})
    assert "train the profile again" in run("models").out


def test_a_whole_file_that_is_no_network_is_refused_in_a_sentence(shipped):
    fill(shipped, {"locator": card()}, {"locator.onnx": CONTENT})
    with pytest.raises(Unsupported, match="cannot run a network"):
        networks.network("locator")


@pytest.mark.usefixtures("shipped")
def test_without_networks_a_sentence(run):
    assert "no networks are installed" in run("models").out
    assert run("models", "--json").answer == {"models": []}
    assert "no networks are installed" in run("models", "--markdown").out


def test_the_model_card_tells_data_seeds_figures_date_and_licence(run, shipped):
    fill(shipped, {"locator": WHOLE}, {"locator.onnx": CONTENT})
    text = run("models", "--markdown").out
    assert "| locator | 2026-01-02 | 0.00 | 4,037 | 6 | 1 | MIT |" in text
    assert "| train/sprawl | 40 | fast | 101 | mixed |" in text
    assert "| worst corner | 0.01 |" in text
    assert "On 204 photos of sets that it has never seen (heraldry):" in text
    assert WHOLE["sha256"] in text
    assert "cityscan models --markdown > vision/models/README.md" in text


def test_the_shipped_model_card_is_that_of_the_shipped_cards(run):
    """Made anew after every training, or it tells of other networks."""
    document = Path(str(files("vision") / "models" / "README.md"))
    if not document.exists():
        assert not networks.model_cards(), "make it: cityscan models --markdown > vision/models/README.md"
        pytest.skip("no networks are shipped yet")
    assert document.read_text(encoding="utf-8") == run("models", "--markdown").out


def test_the_shipped_networks_are_whole():
    folder = networks.models_folder()
    for model in installed_models(folder):
        assert model.kind == "own" or model.usable, model.problem
    for name, found in networks.model_cards().items():
        assert {"date", "seed", "data", "photos", "validation", "licence", "bytes"} <= set(found), name
        assert len(read_model(folder, found)) == found["bytes"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["date", "bytes", "photos", "data", "seed", "epochs", "validation", "licence"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(more=st.dictionaries(FIELDS, ANYTHING, max_size=4))
def test_no_card_breaks_the_list(run, shipped, more):
    fill(shipped, {"locator": {**card(), **more}}, {"locator.onnx": CONTENT})
    assert run("models").code == 0


@given(content=st.binary(max_size=40), at=st.integers(0, 39), flip=st.integers(1, 255))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changed_byte_is_noticed(tmp_path, content, at, flip):
    fill(tmp_path, {"net": card("net.onnx", content)}, {"net.onnx": content})
    found = read_cards(tmp_path)["net"]
    assert read_model(tmp_path, found) == content
    changed = bytearray(content or b"\0")
    changed[at % len(changed)] ^= flip
    (tmp_path / "net.onnx").write_bytes(changed)
    with pytest.raises(Unsupported, match="damaged or foreign"):
        read_model(tmp_path, found)


def test_when_a_model_is_used():
    assert Model("a", "shipped").in_use == "always"
    assert Model("a", "own", "mine").in_use == "with --profile mine"
    assert Model("a", "own", "mine", problem="broken").in_use == "never"
