"""COCO and YOLO as other programs expect them: whole, consistent, with nothing on both sides of the split."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine.errors import UsageError
from vision.labels.boxes import CATEGORIES
from vision.labels.check import Label, check_label, with_duplicates
from vision.labels.coco import coco_document
from vision.labels.export import TRAIN, VAL, Exported, exported, split
from vision.labels.yolo import _flat_name, write_yolo

SAMPLES = Path(__file__).parents[3] / "sample_photos"
CHOSEN = ("alien-city-1.0-final", "city-blocks-two-players", "sprawl-5x6", "sprawl-chess-board", "sprawl-marble")


@pytest.fixture(scope="module")
def items() -> list[Exported]:
    """Five sample photos; two of them show the same position on other boards and from other sides."""
    return exported([check_label((SAMPLES / f"{name}.jpg", SAMPLES / f"{name}.json")) for name in CHOSEN])


# --- COCO --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def coco(items: list[Exported]) -> dict[str, Any]:
    return json.loads(json.dumps(coco_document(items, SAMPLES)))


def test_ids_are_unique_and_lead_somewhere(coco: dict[str, Any]) -> None:
    assert set(coco) == {"info", "licenses", "images", "annotations", "categories"}
    ids = {part: [entry["id"] for entry in coco[part]] for part in ("images", "annotations", "categories")}
    for part, numbers in ids.items():
        assert len(set(numbers)) == len(numbers) > 0, part
        assert min(numbers) == 1
    assert {a["image_id"] for a in coco["annotations"]} == set(ids["images"])
    assert {a["category_id"] for a in coco["annotations"]} <= set(ids["categories"])
    assert [category["name"] for category in coco["categories"]] == list(CATEGORIES)
    assert all(isinstance(category["supercategory"], str) for category in coco["categories"])


def test_images_are_named_from_the_folder_with_their_size(coco: dict[str, Any]) -> None:
    for image in coco["images"]:
        with Image.open(SAMPLES / image["file_name"]) as photo:
            # The sample's EXIF says which way up it is; COCO speaks of it upright.
            turned = photo.getexif().get(0x0112, 1) in (6, 8)
            assert (image["width"], image["height"]) == (photo.size[::-1] if turned else photo.size)


def test_boxes_and_outlines_agree_and_stay_inside(coco: dict[str, Any]) -> None:
    sizes = {image["id"]: (image["width"], image["height"]) for image in coco["images"]}
    for annotation in coco["annotations"]:
        left, top, width, height = annotation["bbox"]
        assert min(left, top) >= 0
        assert min(width, height) > 0
        assert left + width <= sizes[annotation["image_id"]][0] + 0.02
        assert top + height <= sizes[annotation["image_id"]][1] + 0.02
        assert 0 < annotation["area"] <= width * height + 0.1
        assert annotation["iscrowd"] == 0
        (outline,) = annotation["segmentation"]
        points = np.array(outline).reshape(-1, 2)
        assert len(points) >= 3
        assert np.allclose([*points.min(axis=0), *np.ptp(points, axis=0)], annotation["bbox"], atol=0.03)


def test_the_board_has_its_corners_as_keypoints(coco: dict[str, Any], items: list[Exported]) -> None:
    (board,) = [category for category in coco["categories"] if "keypoints" in category]
    assert (board["name"], len(board["keypoints"]), len(board["skeleton"])) == ("board", 4, 4)
    boards = [a for a in coco["annotations"] if a["category_id"] == board["id"]]
    assert len(boards) == len(items)
    for annotation, item in zip(boards, items, strict=True):
        assert item.label.truth is not None
        found = np.array(annotation["keypoints"]).reshape(4, 3)
        assert (found[:, 2] == 2).all()
        assert annotation["num_keypoints"] == 4
        assert found[:, :2] == pytest.approx(np.array(item.label.truth["corners"]) + 0.5, abs=0.01)
    assert all("keypoints" not in a for a in coco["annotations"] if a["category_id"] != board["id"])


def test_corners_beyond_the_photo_are_no_keypoints(make, states, tmp_path: Path) -> None:
    corners = [[-2.0, 30.0], [118.0, 30.0], [118.0, 150.0], [-2.0, 150.0]]
    photo = make("a.png", {**states["sprawl"], "corners": corners})
    document = coco_document(exported([check_label((photo, photo.with_suffix(".json")))]), tmp_path)
    board = document["annotations"][0]
    assert board["num_keypoints"] == 2
    assert board["keypoints"][:3] == [0, 0, 0]
    assert board["bbox"][0] == 0


# --- YOLO --------------------------------------------------------------------------------------
def test_a_yolo_folder_is_whole(items: list[Exported], tmp_path: Path) -> None:
    out = tmp_path / "yolo"
    write_yolo(items, SAMPLES, out)
    about = yaml.safe_load((out / "data.yaml").read_text())
    assert list(about["names"].values()) == list(CATEGORIES)
    assert list(about["names"]) == list(range(len(CATEGORIES)))
    photos = {side: {path.stem: path for path in (out / about[side]).iterdir()} for side in (TRAIN, VAL)}
    texts = {side: {path.stem: path for path in (out / "labels" / side).iterdir()} for side in (TRAIN, VAL)}
    assert photos.keys() == texts.keys()
    assert {**photos[TRAIN], **photos[VAL]}.keys() == set(CHOSEN)
    assert not photos[TRAIN].keys() & photos[VAL].keys()
    for item in items:
        name = item.label.photo.stem
        with Image.open(photos[item.side][name]) as image:
            assert image.size == item.label.photo_size  # also for a program that knows no EXIF
            assert image.getexif().get(0x0112, 1) == 1
        lines = texts[item.side][name].read_text().splitlines()
        assert len(lines) == len(item.boxes)
        for line, box in zip(lines, item.boxes, strict=True):
            number, *shares = line.split()
            assert about["names"][int(number)] == box.category
            x, y, width, height = map(float, shares)
            assert x - width / 2 + 1e-5 >= 0
            assert x + width / 2 <= 1 + 1e-5
            assert y - height / 2 + 1e-5 >= 0
            assert y + height / 2 <= 1 + 1e-5
            left, top, right, bottom = box.bounds
            size = item.label.photo_size
            assert (x * size[0], y * size[1]) == pytest.approx(((left + right) / 2, (top + bottom) / 2), abs=0.01)
            assert (width * size[0], height * size[1]) == pytest.approx((right - left, bottom - top), abs=0.01)


def test_turned_and_foreign_formats_are_written_upright(make, states, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photos = [
        make("in/a.jpg", states["sprawl"], size=(160, 200), exif=exif),  # stored on its side
        make("in/b.webp", states["sprawl"], shade=9, lossless=True),
        make("in/deep/a.png", states["sprawl"], shade=30),  # the same name in another folder
        make("in/deep+a.png", states["sprawl"], shade=31),  # and one that looks like it when joined
    ]
    labels = [check_label((photo, photo.with_suffix(".json"))) for photo in photos]
    write_yolo(exported(labels), tmp_path / "in", tmp_path / "out")
    found = {path.name: path for path in (tmp_path / "out" / "images" / TRAIN).iterdir()}
    assert set(found) == {"a.jpg", "b.jpg", "deep+a.png", "deep++a.png"}
    for path in found.values():
        with Image.open(io.BytesIO(path.read_bytes())) as image:
            assert image.size == (200, 160)
            assert image.format in ("JPEG", "PNG")
    # Stored lying, its bright half is at the left; upright it is at the right.
    with Image.open(found["a.jpg"]) as image:
        pixels = np.asarray(image.convert("L"), dtype=int)
    assert pixels[:, -20:].mean() > pixels[:, :20].mean() + 10


# Everything that could be mixed up when folders are joined into a name.
parts = st.lists(st.text("a+%", min_size=1, max_size=4), min_size=1, max_size=3)


@given(parts, parts)
def test_no_two_photos_share_a_name(one: list[str], other: list[str]) -> None:
    names = [_flat_name(Path(*parts, "x.jpg")) for parts in (one, other)]
    assert (names[0] == names[1]) == (one == other)


def test_negatives_are_photos_without_boxes(make, tmp_path: Path) -> None:
    photo = make("in/a.png", {"game": None, "negative": "cut"})
    write_yolo(exported([check_label((photo, photo.with_suffix(".json")))]), tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "labels" / TRAIN / "a.txt").read_text() == ""


def test_folders_that_would_mix_exports_are_refused(items: list[Exported], tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("")
    with pytest.raises(UsageError, match="not an empty folder"):
        write_yolo(items, SAMPLES, tmp_path)
    with pytest.raises(UsageError, match="lies in the labelled folder"):
        write_yolo(items, SAMPLES, SAMPLES / "yolo")
    assert not (SAMPLES / "yolo").exists()


# --- which labels, and on which side -----------------------------------------------------------
def test_only_usable_labels_are_exported(make, states) -> None:
    good = make("a.png", states["sprawl"])
    bad = make("b.png", {**states["sprawl"], "corners": None}, shade=1)
    labels = with_duplicates([check_label((photo, photo.with_suffix(".json"))) for photo in (good, bad)])
    assert [item.label.photo for item in exported(labels)] == [good]
    with pytest.raises(UsageError, match="no label to export"):
        exported(labels[1:])


def test_photos_of_one_position_are_on_one_side(items: list[Exported]) -> None:
    sides = {item.label.photo.stem: item.side for item in items}
    assert sides["sprawl-chess-board"] == sides["sprawl-marble"]
    assert {TRAIN, VAL} == set(sides.values())


def stub(game: str, position: str, number: int) -> Label:
    photo = Path(f"{game}-{position}-{number}.jpg")
    return Label(photo, photo.with_suffix(".json"), {"game": game}, position=f"{game}:{position}")


@given(
    st.lists(
        st.tuples(st.sampled_from(["sprawl", "alien-city"]), st.sampled_from("abcdefghij"), st.integers(0, 3)),
        min_size=1,
        unique=True,
    )
)
def test_the_split(photos: list[tuple[str, str, int]]) -> None:
    labels = [stub(*photo) for photo in photos]
    sides = split(labels)
    assert set(sides) == {label.position for label in labels}
    assert sides == split(labels[::-1])  # whatever the order of files
    kept = sum(side == VAL for side in sides.values())
    assert (kept >= 1) == (len(sides) > 1)
    assert kept <= max(1, len(sides) / 2)
