"""``cityscan label`` as a user calls it: the list, the exit code, the files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from page.saved_game import SavedGame
from page.store_export import training_zip
from vision import reader

SAMPLES = Path(__file__).parents[2] / "sample_photos"
GOOD = ("alien-city-2.2-midgame", "sprawl-5x6")
STATE = {"game": "sprawl", "columns": 6, "rows": 6, "cells": [{"at": "C2", "stack": ["red3"]}]}
CORNERS = [[40, 30], [160, 30], [160, 150], [40, 150]]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """Two rendered photos with their truth."""
    folder = tmp_path / "good"
    folder.mkdir()
    for name in GOOD:
        for ending in (".jpg", ".json"):
            shutil.copy(SAMPLES / f"{name}{ending}", folder)
    return folder


def label(folder: Path, name: str, state: dict[str, Any] | None, shade: int = 0) -> None:
    Image.new("RGB", (200, 160), (shade, 90, 90)).save(folder / f"{name}.png")
    if state is not None:
        (folder / f"{name}.json").write_text(json.dumps(state))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with everything that can happen to labels."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    label(folder, "fine", {**STATE, "corners": CORNERS, "profile": "my-set"})
    label(folder, "bare", STATE, 1)
    label(folder, "lonely", None, 2)
    label(folder, "mirrored", {**STATE, "corners": CORNERS[::-1]}, 3)
    label(folder, "odd", {**STATE, "cells": [{"at": "C2", "stack": ["red1", "red3"]}], "corners": CORNERS}, 4)
    label(folder, "one", {**STATE, "corners": CORNERS}, 5)
    label(folder, "other", {**STATE, "cells": [], "corners": CORNERS}, 5)
    (folder / "state.json").write_text(json.dumps(STATE))
    return folder


def test_a_folder_without_a_fault(run, good) -> None:
    result = run("label", good, "--jobs", 1)
    assert result.code == 0
    assert result.out.splitlines() == [
        "1 of alien-city, alien-2004-birch",
        "1 of sprawl, stash-rainbow",
        "2 labels, 2 of them usable; 0 to mend, 0 to look at.",
    ]
    assert result.err == ""


def test_one_line_for_each_thing_to_mend(run, mixed) -> None:
    result = run("label", mixed, "--jobs", 1)
    assert result.code == 1
    *listed, counted, broken, summary = result.out.splitlines()
    found = {Path(line.removeprefix("look at ").split(":")[0]).name: line.split("[")[-1].rstrip("]") for line in listed}
    assert found == {
        "lonely.png": "photo-without-state",
        "state.json": "state-without-photo",
        "bare.json": "corners-missing",
        "mirrored.json": "corners-anticlockwise",
        "odd.json": "rules-broken",
        "one.json": "contradiction",
        "other.json": "contradiction",
    }
    assert [line for line in listed if line.startswith("look at ")] == [line for line in listed if "odd.json" in line]
    assert (counted, broken) == ("1 of sprawl", "1 of sprawl, my-set")
    assert summary == "6 labels, 2 of them usable; 6 to mend, 1 to look at."


def test_json_says_the_same(run, mixed) -> None:
    result = run("label", mixed, "--json", "--jobs", 1)
    assert result.code == 1
    report = result.answer
    assert (report["ok"], report["labels"], report["usable"]) == (False, 6, 2)
    assert {"game": "sprawl", "profile": "my-set", "labels": 1} in report["counts"]
    assert len(report["problems"]) == 7
    for problem in report["problems"]:
        assert set(problem) == {"file", "kind", "warning", "message"}
        assert Path(problem["file"]).exists()


def test_processes_make_no_difference(run, mixed) -> None:
    assert run("label", mixed, "--json", "--jobs", 2) == run("label", mixed, "--json", "--jobs", 1)


def test_what_cannot_be_opened_is_code_three(run, mixed) -> None:
    (mixed / "fine.png").write_bytes(b"no picture")
    result = run("label", mixed, "--jobs", 1, "--json")
    assert result.code == 3
    assert "unreadable-photo" in {problem["kind"] for problem in result.answer["problems"]}


def test_overlays_and_exports(run, mixed, tmp_path) -> None:
    out = tmp_path / "out"
    options = ["--overlay", out / "seen", "--coco", out / "coco.json", "--yolo", out / "yolo"]
    result = run("label", mixed, *options, "--json", "--jobs", 1)
    assert result.code == 1  # what is wrong stays wrong, the rest is exported
    written = result.answer["written"]
    assert {kind: about["photos"] for kind, about in written.items()} == {"overlay": 4, "coco": 2, "yolo": 2}
    assert written["coco"]["validation"] == 1
    document = json.loads((out / "coco.json").read_text())
    assert [image["file_name"] for image in document["images"]] == ["fine.png", "odd.png"]
    assert len(document["annotations"]) == written["coco"]["boxes"]
    names = {path.name for path in (out / "seen").iterdir()}
    assert names == {f"{name}.overlay.jpg" for name in ("fine", "odd", "one", "other")}
    assert yaml.safe_load((out / "yolo" / "data.yaml").read_text())["names"][0] == "board"
    again = run("label", mixed, "--yolo", out / "yolo", "--jobs", 1)
    assert again.code == 2
    assert "not an empty folder" in again.err


def test_overlays_beside_the_photos_are_not_taken_for_photos(run, good) -> None:
    assert run("label", good, "--overlay", good, "--jobs", 1).code == 0
    assert (good / "sprawl-5x6.overlay.jpg").exists()
    assert run("label", good, "--json", "--jobs", 1).answer["problems"] == []


def test_a_summary_of_exports_for_people(run, good, tmp_path) -> None:
    result = run("label", good, "--coco", tmp_path / "deep" / "coco.json", "--jobs", 1)
    assert result.out.splitlines()[-1].startswith("coco: 2 photos with ")
    assert "1 for validation" in result.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["missing"], "is not a folder"),
        (["empty"], "no photos in"),
        (["mixed", "--yolo", "mixed/yolo"], "lies in the labelled folder"),
        (["mixed", "--overlay", "mixed/fine.png"], "is a file; --overlay names a folder"),
        (["mixed", "--coco", "mixed/fine.png/coco.json"], "cannot be written"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(run, mixed, tmp_path, monkeypatch, options, sentence) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    result = run("label", *options, "--jobs", 1)
    assert result.code in (2, 3)
    assert sentence in result.err
    assert result.out == ""
    assert "Traceback" not in result.err
    assert mixed.exists()


def test_reading_needs_networks(run, mixed, monkeypatch) -> None:
    monkeypatch.setattr(reader, "readable_games", lambda: ())
    result = run("label", mixed, "--read")
    assert result.code == 3
    assert "networks" in result.err


def test_what_the_page_exports_are_labels(run, tmp_path) -> None:
    """Corrected games leave the page as labels without a fault, corners included."""
    import io
    import zipfile

    photo = SAMPLES / "alien-city-2.2-midgame.jpg"
    truth = json.loads(photo.with_suffix(".json").read_text())
    state = {key: truth[key] for key in ("game", "edition", "tiles", "structures")}
    changes = [{"at": "C9", "read": None, "now": {"kind": "dome", "colour": "red"}}]
    game = SavedGame(
        "alien-city",
        "A game",
        state,
        {},
        photo=photo.read_bytes(),
        corners=truth["corners"],
        corrections=changes,
        id="7",
    )
    with zipfile.ZipFile(io.BytesIO(training_zip([game]))) as archive:
        archive.extractall(tmp_path)
    result = run("label", tmp_path, "--overlay", tmp_path / "seen", "--json", "--jobs", 1)
    assert result.code == 0
    assert result.answer["problems"] == []
    assert (result.answer["labels"], result.answer["usable"]) == (1, 1)
    assert (tmp_path / "seen" / "alien-city-7.overlay.jpg").exists()
