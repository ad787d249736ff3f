"""What leaves the store: zips without metadata that evaluation and training understand."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps, PngImagePlugin

from engine.documents import position_from_document
from engine.game import game
from page.saved_game import SavedGame
from page.store import Store, StoreError, open_store
from page.store_export import without_metadata
from vision.labelled import labelled_photos
from vision.training.examples import find_examples
from vision.training.labels import labels_of

GPS = b"Praha 50.0755 N"
CORNERS = [[10.25, 12.5], [290.0, 14.0], [295.0, 390.0], [8.0, 388.0]]


def picture(width: int = 300, height: int = 400) -> Image.Image:
    """A picture whose four corners differ, so that a turn shows."""
    y, x = np.mgrid[0:height, 0:width]
    return Image.fromarray(np.stack([x * 255 // width, y * 255 // height, (x + y) % 256], axis=2).astype(np.uint8))


def encoded(format_name: str = "JPEG", orientation: int = 1, **options: object) -> bytes:
    """A photo with everything in it that a phone writes: place, camera, comment, and a film behind the picture."""
    image = picture()
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "Secret Phone"
    exif.get_ifd(0x8825)[0x001D] = GPS.decode()
    buffer = io.BytesIO()
    if format_name == "JPEG":
        options["comment"] = GPS
    if format_name == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", GPS.decode())
        options["pnginfo"] = text
    image.save(buffer, format_name, exif=exif, **options)
    return buffer.getvalue() + GPS


def game_with(photo: bytes | None, name: str = "alien-city") -> SavedGame:
    states = {
        "alien-city": {
            "game": "alien-city",
            "edition": "2.2",
            "tiles": [{"at": "A1", "colour": "red", "rank": None, "icon": "B1"}],
            "structures": [{"at": "C9", "kind": "tower", "colour": "red", "claimed_by": "white"}],
            "extras": {"names": {"white": "Ann Secret"}, "last_claim": "C9"},
        },
        "city-blocks": game("city-blocks").dump(game("city-blocks").empty()),
        "sprawl": {
            "game": "sprawl",
            "columns": 6,
            "rows": 6,
            "colours": ["red"],
            "cells": [{"at": "C2", "stack": ["red3", "red2"]}, {"at": "D2", "lying": "red2", "points": "east"}],
        },
    }
    return SavedGame(
        game=name,
        title="Ann Secret's game",
        state=states[name],
        sheet={"totals": {"white": 3}, "winner": "white", "items": []},
        names={"white": "Ann Secret"},
        photo=photo,
        corners=CORNERS if photo else None,
        corrections=[{"at": "C9", "read": None, "now": {"kind": "tower", "colour": "red"}}],
        read_state=states[name],
        reading={"doubtful": []},
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "data")


# --- photos -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("format_name", "orientation", "options"),
    [
        ("JPEG", 1, {}),
        ("JPEG", 1, {"progressive": True}),  # several scans with tables between them
        ("JPEG", 1, {"quality": 100, "subsampling": 0}),
        ("JPEG", 6, {}),  # lying on its side: has to be turned
        ("JPEG", 3, {}),
        ("PNG", 1, {}),
        ("WEBP", 1, {"lossless": True}),
    ],
)
def test_photos_leave_without_metadata(format_name: str, orientation: int, options: dict[str, object]) -> None:
    photo = encoded(format_name, orientation, **options)
    assert GPS in photo  # else the test would show nothing
    clean = without_metadata(photo)
    assert GPS not in clean
    assert b"Secret" not in clean
    with Image.open(io.BytesIO(clean)) as image, Image.open(io.BytesIO(photo)) as original:
        assert image.format == "JPEG"
        assert not image.getexif()
        upright = ImageOps.exif_transpose(original)
        assert image.size == upright.size
        difference = np.abs(np.asarray(image.convert("RGB"), int) - np.asarray(upright.convert("RGB"), int))
        assert difference.mean() < 2.5


def test_an_upright_jpeg_keeps_its_very_pixels() -> None:
    photo = encoded()
    with Image.open(io.BytesIO(photo)) as before, Image.open(io.BytesIO(without_metadata(photo))) as after:
        assert np.array_equal(np.asarray(before), np.asarray(after))


def test_a_colour_profile_stays_because_it_shows_the_picture() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    with Image.open(io.BytesIO(without_metadata(encoded(icc_profile=profile)))) as image:
        assert image.info["icc_profile"] == profile


@pytest.mark.parametrize("photo", [b"", b"no picture", encoded()[:300], b"\xff\xd8\xff\xe1\x00"])
def test_a_photo_that_cannot_be_read_is_never_handed_out(photo: bytes) -> None:
    with pytest.raises(StoreError, match="cannot be exported"):
        without_metadata(photo)


# --- one game -----------------------------------------------------------------------------------
def test_the_export_of_a_game_holds_everything(store: Store) -> None:
    game_id = store.save(game_with(encoded()))
    with zipfile.ZipFile(io.BytesIO(store.export(game_id))) as archive:
        assert archive.testzip() is None
        files = {Path(name).name: archive.read(name) for name in archive.namelist()}
        assert {Path(name).parent.as_posix() for name in archive.namelist()} == {f"alien-city-{game_id}"}
    assert set(files) == {"state.json", "sheet.json", "about.json", "reading.json", "photo.jpg"}
    assert json.loads(files["state.json"]) == game_with(None).state
    assert json.loads(files["sheet.json"])["totals"] == {"white": 3}
    assert json.loads(files["about.json"])["corrections"][0]["at"] == "C9"
    assert json.loads(files["about.json"])["names"] == {"white": "Ann Secret"}
    assert GPS not in files["photo.jpg"]
    assert store.load(game_id).photo == encoded()  # the store itself keeps what it was given


def test_a_game_without_photo_and_reading_exports_too(store: Store) -> None:
    game_id = store.save(replace(game_with(None), read_state=None, reading=None))
    with zipfile.ZipFile(io.BytesIO(store.export(game_id))) as archive:
        assert {Path(name).name for name in archive.namelist()} == {"state.json", "sheet.json", "about.json"}


# --- labelled photos ----------------------------------------------------------------------------
def test_training_data_is_what_evaluation_and_training_read(store: Store, tmp_path: Path) -> None:
    names = ("alien-city", "city-blocks", "sprawl")
    ids = [store.save(game_with(encoded(), name)) for name in names]
    ids.append(store.save(game_with(None)))  # nothing to learn from
    with zipfile.ZipFile(io.BytesIO(store.export_training(ids))) as archive:
        archive.extractall(tmp_path / "labelled")
    pairs = list(labelled_photos(tmp_path / "labelled"))
    assert [truth["game"] for _, truth in pairs] == list(names)
    for example in find_examples([tmp_path / "labelled"]):
        assert example.game is not None
        assert np.array_equal(example.corners, np.array(CORNERS))
        assert example.photo(2016).full_size == (300, 400)
        assert labels_of(example)
        assert GPS not in example.path.read_bytes()
        assert position_from_document(dict(example.truth)).game.name == example.game


def test_nobodys_name_is_in_training_data(store: Store) -> None:
    content = store.export_training([store.save(game_with(encoded()))])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        texts = b"".join(archive.read(name) for name in archive.namelist())
        labels = [json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")]
    assert b"Secret" not in texts
    assert labels[0]["extras"] == {"last_claim": "C9"}  # facts about the game stay


def test_nothing_to_learn_from_is_a_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="nothing to learn from"):
        store.export_training([store.save(game_with(None))])
    with pytest.raises(StoreError, match="nothing to learn from"):
        store.export_training([])
