"""A known lens photographs the printed sheet, and the measured lens is the known one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.camera import SheetView, find_sheet, fit_lens
from calibration.lens import Camera, Lens, lens_folder, lens_for, load_lens, save_lens
from calibration.sheets import lens_board, lens_sheet
from calibration.toml_reader import ProfileError
from cityscan.cli import main
from engine.errors import CityscanError, Unreadable
from vision.photo import load_photo

# Tilt, side and turn of the phone, and its distance: the sheet fills most photos.
POSES = [
    (0, 0, 90, 230),
    (30, 0, 90, 280),
    (30, 90, 90, 260),
    (30, 180, 80, 280),
    (30, 270, 95, 260),
    (20, 45, 90, 240),
    (25, 135, 85, 250),
    (35, 300, 90, 280),
]
ACME = Camera("Acme", "Acme One", 27)
BENT = {"bend": (-0.12, 0.03, 0.0, 0.0)}


@pytest.fixture(scope="module")
def photos(eye: Any, read_print: Callable[[bytes], Any]) -> Callable[..., list[Any]]:
    """Photos of the lens sheet from all poses."""
    page = read_print(lens_sheet("a4")).paint(6)

    def take(count: int = len(POSES), **camera: Any) -> list[Any]:
        names = ("tilt", "towards", "roll", "distance")
        return [eye(**dict(zip(names, pose, strict=True)), **camera).look_at(page, 6) for pose in POSES[:count]]

    return take


@pytest.fixture(scope="module")
def bent(photos: Callable[..., list[Any]]) -> list[Any]:
    return photos(**BENT)


def views_of(pictures: list[Any], camera: Camera = ACME) -> list[SheetView]:
    return [find_sheet(picture, f"{i}.jpg", camera) for i, picture in enumerate(pictures)]


LENSES = [
    # A lens without any bend, a strong barrel, and a phone's: shifted in its mount and not quite round.
    ({}, 0.75, (0.0, 0.0), 0.3),
    (BENT, 0.75, (-0.12, 0.03), 0.4),
    ({"bend": (-0.01, -0.002, 0.0006, -0.0002), "off_centre": (6.0, -6.0)}, 0.75, (-0.01, -0.002), 0.8),
]


@pytest.mark.parametrize(("camera", "focal", "bend", "error"), LENSES, ids=["straight", "barrel", "phone"])
def test_the_lens_comes_back(
    camera: dict[str, Any], focal: float, bend: tuple[float, float], error: float, photos: Callable[..., list[Any]]
) -> None:
    lens = fit_lens(views_of(photos(**camera)))
    assert lens.focal == pytest.approx(focal, rel=0.005)
    # What matters is where the lens puts things: up to the edge of the photo within two pixels of 1200.
    radius = np.linspace(0, 0.5 / focal, 20)
    wanted = 1 + bend[0] * radius**2 + bend[1] * radius**4
    assert np.abs((lens.bend(radius) - wanted) * radius * focal * 1200).max() < 2
    assert lens.error_px < error
    assert (lens.camera, lens.focal_35mm, lens.photos) == ("Acme One", 27, len(POSES))
    assert lens.aspect == pytest.approx(4 / 3, abs=0.001)


def test_turned_photos_give_the_same_lens(bent: list[Any]) -> None:
    """People turn the phone between photos: half of them upright, half lying, some upside down."""
    turned = [np.ascontiguousarray(np.rot90(picture, i % 4)) for i, picture in enumerate(bent)]
    lens, plain = fit_lens(views_of(turned)), fit_lens(views_of(bent))
    assert (lens.focal, lens.k1, lens.k2) == pytest.approx((plain.focal, plain.k1, plain.k2), abs=0.003)


def test_sizes_do_not_matter(bent: list[Any]) -> None:
    """Half of the photos went through a messenger that halved them."""
    views = views_of(bent)
    small = [replace(view, size=(600, 450), pixels=(view.pixels + 0.5) / 2 - 0.5) for view in views[::2]]
    lens, plain = fit_lens([*small, *views[1::2]]), fit_lens(views)
    assert (lens.focal, lens.k1, lens.k2) == pytest.approx((plain.focal, plain.k1, plain.k2), abs=0.002)


def view(name: str = "a.jpg", camera: Camera = ACME, size: tuple[int, int] = (1200, 900)) -> SheetView:
    """A view that has yet to be looked at."""
    sheet = np.asarray(lens_board().getChessboardCorners(), dtype=np.float64)
    return SheetView(name, size, camera, sheet, sheet[:, :2] * 4)


REFUSED = [
    # What is handed in; what the sentence says.
    ([], "found in no photo"),
    ([view()], "at least 4 photos.*this is one"),
    ([view()] * 3, "these are 3"),
    ([view(), view("b.jpg", Camera("Other", "Two", 27))], r'"Acme One" \(a.jpg\) and "Other Two" \(b.jpg\)'),
    ([view(), view("b.jpg", Camera())], r'different cameras, .*"no name" \(b.jpg\)'),
    ([view(), view("b.jpg", Camera("Acme", "Acme One", 13))], r"different lenses or zooms.*a.jpg: 27 mm, b.jpg: 13 mm"),
    ([view(), view("b.jpg", size=(1600, 900))], "b.jpg has another shape than a.jpg"),
    ([view(camera=Camera())] * 4, "--name"),
    ([view()] * 6, "too much alike"),  # all from straight above
]


@pytest.mark.parametrize(("views", "words"), REFUSED)
def test_what_cannot_be_measured_is_refused(views: list[SheetView], words: str) -> None:
    with pytest.raises(CityscanError, match=words) as caught:
        fit_lens(views)
    assert caught.value.message.endswith(".")


def test_photos_from_one_side_are_refused(bent: list[Any]) -> None:
    one = views_of(bent[1:2])[0]
    nearly = [replace(one, pixels=one.pixels * scale) for scale in (1.0, 0.99, 0.98, 0.97, 0.96)]
    with pytest.raises(Unreadable, match="too much alike"):
        fit_lens(nearly)


def test_a_small_sheet_is_refused(bent: list[Any]) -> None:
    middle = np.array([599.5, 449.5])
    views = [replace(v, pixels=middle + (v.pixels - v.pixels.mean(axis=0)) / 4) for v in views_of(bent)]
    with pytest.raises(Unreadable, match="go nearer"):
        fit_lens(views)


def test_photos_that_do_not_agree_are_refused(bent: list[Any]) -> None:
    rng = np.random.default_rng(1)
    views = [replace(v, pixels=v.pixels + rng.normal(0, 6, v.pixels.shape)) for v in views_of(bent)]
    with pytest.raises(Unreadable, match="do not agree on one lens"):
        fit_lens(views)


def test_other_pictures_are_no_sheet(bent: list[Any]) -> None:
    with pytest.raises(Unreadable, match="the lens sheet was not found; print it"):
        find_sheet(np.full((300, 400, 3), 90, np.uint8), "grey.jpg", ACME)
    with pytest.raises(Unreadable, match="corners of the lens sheet can be seen"):
        find_sheet(bent[0][:420, :420], "corner.jpg", ACME)


# --- keeping lenses, and finding them again --------------------------------------------------

LENS = Lens("Acme One", 1.3333, 0.75, -0.12, 0.03, focal_35mm=27.0, photos=8, error_px=0.4)

FITS = [
    # The camera, its photo's size, and whether the lens is used.
    (ACME, (1200, 900), True),
    (ACME, (3024, 4032), True),  # upright, full size
    (Camera("ACME", "ACME ONE", 27), (1200, 900), True),  # however it is written
    (Camera("Acme", "Acme One", 26), (1200, 900), True),  # focus moves the focal length a little
    (Camera("Acme", "Acme One", 13), (1200, 900), False),  # the wide lens
    (Camera("Acme", "Acme One", 54), (1200, 900), False),  # zoomed
    (Camera("Acme", "Acme One", 27, zoom=2.0), (1200, 900), False),
    (Camera("Acme", "Acme One"), (1200, 900), False),  # which lens is not said
    (Camera("Acme", "Acme Two", 27), (1200, 900), False),
    (ACME, (1600, 900), False),  # cropped
    (Camera(), (1200, 900), False),
]


@pytest.mark.parametrize(("camera", "size", "used"), FITS)
def test_a_lens_is_used_for_its_own_photos_only(camera: Camera, size: tuple[int, int], used: bool) -> None:
    save_lens(LENS)
    assert (lens_for(camera, size) == LENS) is used


def test_a_lens_without_a_known_focal_length_is_matched_by_the_measured_one() -> None:
    lens = replace(LENS, focal_35mm=None)
    assert lens.equivalent == pytest.approx(0.75 / 1.25 * 43.267, abs=0.01)
    assert lens.fits(Camera("Acme", "Acme One", 26), (1200, 900))
    assert not lens.fits(Camera("Acme", "Acme One", 52), (1200, 900))
    assert lens.fits(Camera("Acme", "Acme One"), (1200, 900))


def test_nothing_is_looked_for_where_nothing_is_kept() -> None:
    assert not lens_folder().exists()
    assert lens_for(ACME, (1200, 900)) is None


def test_a_damaged_lens_is_named() -> None:
    path = save_lens(LENS)
    for content, words in (
        (b"\xff\xfe", "cannot be read; measure it again"),
        (b"camera = ", "not valid TOML"),
        (path.read_bytes().replace(b"focal = 0.75", b"focal = 99"), "focal: must be from 0.3 to 10"),
        (path.read_bytes().replace(b"k1 = -0.12", b"k1 = -0.9"), "no lens bends so much"),
    ):
        damaged = path.with_name("damaged.toml")
        damaged.write_bytes(content)
        with pytest.raises(ProfileError, match=words):
            load_lens(damaged)
    assert load_lens(path) == LENS


def test_names_cannot_leave_the_folder() -> None:
    path = save_lens(replace(LENS, camera="../../etc/passwd"))
    assert path.parent == lens_folder()
    assert path.name == "etc-passwd-27mm-133.toml"


# --- the command -----------------------------------------------------------------------------


def test_the_whole_way(bent: list[Any], phone: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """From photos in files to a lens that the next photo of the phone is loaded with."""
    paths = [phone.save(picture, f"{i}.jpg", orientation=(1, 6, 8)[i % 3]) for i, picture in enumerate(bent)]
    not_a_sheet = phone.save(np.full((90, 120, 3), 99, np.uint8), "table.jpg")
    assert main(["calibrate", "camera", *map(str, paths), str(not_a_sheet)]) == 3  # one photo had no sheet
    said = capsys.readouterr()
    assert "Acme One: focal length 2" in said.out
    assert "table.jpg: the lens sheet was not found" in said.err
    photo = load_photo(paths[0])
    assert photo.lens is not None
    assert photo.focal_px == pytest.approx(900, rel=0.005)
    assert load_photo(phone.save(bent[0], "other.jpg", model="Acme Two")).lens is None


FAILING = [
    # Photos (changes to the phone), what is said, and the exit code.
    ([{}], "at least 4 photos", 3),
    ([{}, {"model": "Acme Two"}], "different cameras", 2),
    ([{"exif": False}] * 4, "--name", 2),
]


@pytest.mark.parametrize(("changes", "words", "code"), FAILING)
def test_bad_photos_get_a_sentence(
    changes: list[dict[str, Any]], words: str, code: int, bent: list[Any], phone: Any, capsys: Any
) -> None:
    pairs = enumerate(zip(bent, changes, strict=False))
    paths = [str(phone.save(picture, f"{i}.jpg", **change)) for i, (picture, change) in pairs]
    assert main(["calibrate", "camera", *paths]) == code
    assert words in capsys.readouterr().err
    assert not lens_folder().exists()


def test_photos_without_exif_can_be_named(bent: list[Any], phone: Any) -> None:
    paths = [str(phone.save(picture, f"{i}.jpg", exif=False)) for i, picture in enumerate(bent)]
    assert main(["calibrate", "camera", *paths, "--name", " Acme  One "]) == 0
    assert load_photo(phone.save(bent[0], "new.jpg", focal_35mm=26)).lens is not None


def test_unreadable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    assert main(["calibrate", "camera", str(tmp_path / "text.jpg"), str(tmp_path / "gone.jpg")]) == 3
    said = capsys.readouterr().err
    assert "text.jpg: this is not a picture" in said
    assert "gone.jpg: there is no such file" in said
