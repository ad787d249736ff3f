"""What is missing or inconsistent in a folder is found and named; good labels are left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.labels.check import Label, check_label, counts, failed_label, label_files, with_duplicates
from vision.labels.problems import KINDS

SAMPLES = Path(__file__).parents[3] / "sample_photos"


def checked(photo: Path) -> Label:
    return check_label((photo, photo.with_suffix(".json")))


def kinds(label: Label) -> list[str]:
    return [problem.kind for problem in label.problems]


@pytest.mark.parametrize("photo", sorted(SAMPLES.glob("*.jpg"))[::4], ids=lambda path: path.stem)
def test_rendered_photos_are_labels_without_a_fault(photo: Path) -> None:
    label = checked(photo)
    assert kinds(label) == []
    assert label.usable
    truth = json.loads(photo.with_suffix(".json").read_text())
    assert label.photo_size == (truth["camera"]["width"], truth["camera"]["height"])
    if label.focal is not None:
        assert label.focal == pytest.approx(truth["camera"]["matrix"][0][0], rel=0.05)


@pytest.mark.parametrize("game", ["sprawl", "alien-city"])
def test_a_plain_label_is_fine(make, states, game: str) -> None:
    label = checked(make("a.png", states[game]))
    assert kinds(label) == []
    assert (label.game, label.profile) == (game, "")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"corners": None}, ["corners-missing"]),
        ({"corners": [[1, 2]]}, ["corners-invalid"]),
        ({"corners": [[40, 30], [40, 150], [160, 150], [160, 30]]}, ["corners-anticlockwise"]),
        ({"camera": {"width": 400, "height": 320}}, ["size-mismatch"]),  # made smaller after it was labelled
        ({"camera": {"width": 200, "height": 160}}, []),
        ({"camera": "a phone"}, []),  # other fields are anybody's
        ({"cells": [{"at": "Z9", "stack": ["red3"]}]}, ["invalid-state"]),
        ({"game": "chess"}, ["invalid-state"]),
        ({"cells": [{"at": "C2", "stack": ["red1", "red3"]}]}, ["rules-broken"]),  # a large one on a small one
        ({"game": None, "negative": "no board"}, []),  # a photo without a board needs no corners
    ],
)
def test_what_a_state_may_lack(make, states, change: dict[str, Any], expected: list[str]) -> None:
    label = checked(make("a.png", {**states["sprawl"], **change}))
    assert kinds(label) == expected
    assert label.usable == (not expected or expected == ["rules-broken"])
    assert all(len(problem.message) > 20 and problem.message.endswith(".") for problem in label.problems)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"game": "sprawl"'])
def test_a_broken_state_file(make, text: str) -> None:
    photo = make("a.png")
    photo.with_suffix(".json").write_text(text)
    assert kinds(checked(photo)) == ["invalid-state"]


def test_both_halves_may_be_broken(make) -> None:
    photo = make("a.jpg", "{")
    photo.write_bytes(b"no picture")
    label = checked(photo)
    assert kinds(label) == ["unreadable-photo", "invalid-state"]
    assert {problem.file for problem in label.problems} == {photo, photo.with_suffix(".json")}
    assert not label.usable


def test_pixels_count_in_the_upright_photo(make, states) -> None:
    """A phone stores 160 x 200 lying on its side; the corners speak of what people see."""
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = make("a.jpg", states["sprawl"], size=(160, 200), exif=exif)
    label = checked(photo)
    assert label.photo_size == (200, 160)
    assert kinds(label) == []


# --- folders -----------------------------------------------------------------------------------
def test_halves_without_the_other(make, states, tmp_path: Path) -> None:
    whole = make("one/whole.png", states["sprawl"])
    lonely_photo = make("one/photo.JPG", shade=1)
    lonely_state = make("one/state.png", states["sprawl"], shade=None).with_suffix(".json")
    make("one/photo.overlay.jpg")  # what this program drew itself
    make("one/dataset.png", '{"made_by": "somebody"}', shade=None)  # no state at all
    make("positions/kept.png", states["sprawl"], shade=None)  # a folder without photos holds positions
    (tmp_path / "one" / ".hidden.jpg").write_bytes(b"")
    pairs, lonely = label_files(tmp_path)
    assert pairs == [(whole, whole.with_suffix(".json"))]
    assert {(p.file, p.kind) for p in lonely} == {
        (lonely_photo, "photo-without-state"),
        (lonely_state, "state-without-photo"),
    }


def test_two_photos_of_one_name(make, states, tmp_path: Path) -> None:
    first, second = make("a.jpg", states["sprawl"]), make("a.png")
    pairs, lonely = label_files(tmp_path)
    assert [photo for photo, _ in pairs] == [first]
    assert [(p.file, p.kind, p.warning) for p in lonely] == [(second, "two-photos", True)]


def test_the_same_photo_twice(make, states) -> None:
    """Pixels count, not files: PNG and another PNG of the same picture with other metadata are one photo."""
    other = {**states["sprawl"], "cells": states["sprawl"]["cells"][:1]}
    turned = {
        **states["sprawl"],
        "cells": [{"at": "B4", "stack": ["red3"]}, {"at": "B3", "lying": "red2", "points": "south"}],
    }
    photos = [
        make("a.png", states["sprawl"]),
        make("b.png", {**states["sprawl"], "variants": ["overload"]}, compress_level=1),  # rules are no pixels
        make("c.png", states["sprawl"], shade=99),  # another picture of the same position
        make("d.png", other, shade=50),
        make("e.png", states["sprawl"], shade=50),
    ]
    labels = with_duplicates([checked(photo) for photo in photos])
    assert [kinds(label) for label in labels] == [
        ["same-photo"],
        ["same-photo"],
        [],
        ["contradiction"],
        ["contradiction"],
    ]
    assert [label.usable for label in labels] == [True, True, True, False, False]
    assert labels[0].position == labels[2].position != labels[3].position
    seen_from_the_side = checked(make("f.png", turned, shade=7))
    assert seen_from_the_side.position == labels[0].position


def test_counts_are_of_usable_labels(make, states) -> None:
    labels = [
        checked(make("a.png", {**states["sprawl"], "profile": "my-set"})),
        checked(make("b.png", {**states["sprawl"], "profile": "my-set"}, shade=1)),
        checked(make("c.png", states["alien-city"])),
        checked(make("d.png", {"game": None})),
        checked(make("e.png", {**states["sprawl"], "corners": None})),
    ]
    assert counts(labels) == {("alien-city", ""): 1, ("none", ""): 1, ("sprawl", "my-set"): 2}


def test_a_check_that_breaks_down_is_a_label_that_cannot_be_used(make) -> None:
    photo = make("a.png")
    label = failed_label((photo, photo.with_suffix(".json")), MemoryError("too large"))
    assert not label.usable
    assert "MemoryError: too large" in label.problems[0].message
    assert label.problems[0].exit_code == 3


def test_every_kind_leads_to_an_exit_code_of_the_formats() -> None:
    assert set(KINDS.values()) == {0, 1, 3}


def test_large_photos_keep_their_full_size(make, states) -> None:
    corners = (np.array(states["sprawl"]["corners"]) * 25).tolist()
    photo = make("a.jpg", {**states["sprawl"], "corners": corners}, size=(5000, 4000))
    label = checked(photo)
    assert label.photo_size == (5000, 4000)
    assert kinds(label) == []
