"""The printed sheets have exact sizes, hold what they promise, and are PDF files that any viewer opens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import set_sheet
from calibration.pdf import Page
from calibration.set_sheet import SHEETS
from calibration.sets import GAMES
from calibration.sheets import LENS_SQUARES, PAPERS, lens_board, lens_sheet, piece_sheet, set_markers, sheets
from cityscan.cli import main
from engine.colours import COLOURS
from engine.errors import UsageError

ReadPrint = Callable[[bytes], Any]
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_their_paper(paper: str, read_print: ReadPrint) -> None:
    for name, content in sheets(paper).items():
        page = read_print(content)
        assert (page.width, page.height) == pytest.approx(SIZES[paper], abs=0.001), name


@pytest.mark.parametrize("paper", PAPERS)
def test_lens_squares_have_the_size_that_the_sheet_says(paper: str, read_print: ReadPrint) -> None:
    page = read_print(lens_sheet(paper))
    squares = [box for box in page.boxes if box[2] == pytest.approx(box[3]) and box[2] > 20]
    assert len(squares) == LENS_SQUARES[0] * LENS_SQUARES[1] // 2
    assert all(box[2:4] == pytest.approx((25, 25), abs=0.001) for box in squares)
    columns, rows = {round(box[0], 2) for box in squares}, {round(box[1], 2) for box in squares}
    assert np.diff(sorted(columns)) == pytest.approx(25, abs=0.02)
    assert np.diff(sorted(rows)) == pytest.approx(25, abs=0.02)
    assert any("25 mm" in line for line in page.words)


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_printed_where_printers_do_not_print(paper: str, read_print: ReadPrint) -> None:
    for name, content in sheets(paper).items():
        page = read_print(content)
        for x, y, width, height, _ in page.boxes:
            assert min(x, y, page.width - x - width, page.height - y - height) > 8, name


@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_lens_sheet_is_the_board_that_is_looked_for(paper: str, read_print: ReadPrint) -> None:
    picture = read_print(lens_sheet(paper)).paint(6)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(picture[..., 0])
    assert len(numbers) == 54
    points = np.asarray(corners).reshape(-1, 2)[np.argsort(np.ravel(numbers))].reshape(9, 6, 2)
    assert np.diff(points[..., 0], axis=1) == pytest.approx(150, abs=1)
    assert np.diff(points[..., 1], axis=0) == pytest.approx(150, abs=1)


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_markers_lie_at_the_corners_of_the_area(paper: str, game: str, read_print: ReadPrint) -> None:
    page = read_print(piece_sheet(SHEETS[game], paper))
    corners, numbers, _ = cv2.aruco.ArucoDetector(set_markers()).detectMarkers(page.paint(6)[..., 0])
    assert sorted(np.ravel(numbers).tolist()) == sorted(SHEETS[game].markers)
    found = {int(n): np.asarray(quad).reshape(4, 2) / 6 for n, quad in zip(np.ravel(numbers), corners, strict=True)}
    west, north, east, south = SHEETS[game].markers[0], *SHEETS[game].markers[1:]
    width, height = (page.width - 186) / 2, (page.height - 255) / 2
    assert found[west][0] == pytest.approx((width, height), abs=0.3)
    assert found[north][1] == pytest.approx((page.width - width, height), abs=0.3)
    assert found[east][2] == pytest.approx((page.width - width, page.height - height), abs=0.3)
    assert found[south][3] == pytest.approx((width, page.height - height), abs=0.3)


def test_sheets_are_told_apart_by_their_markers() -> None:
    numbers = [number for sheet in SHEETS.values() for number in sheet.markers]
    assert len(set(numbers)) == len(numbers) == 4 * len(GAMES)
    assert set(SHEETS) == set(GAMES)


WANTED = [
    # Every guild has a tile and a coin, three have towers, and caps are a free choice of all colours.
    ("alien-city", "tile", ("red", "blue", "green", "black")),
    ("alien-city", "dome", ("red", "blue", "green", "black")),
    ("alien-city", "tower", ("red", "blue", "green")),
    ("alien-city", "cap", COLOURS),
    ("city-blocks", "piece", ("blue", "green", "red", "yellow")),
    ("city-blocks", "board", ("",)),
    ("sprawl", "pyramid", COLOURS),
    ("sprawl", "board", ("",)),
]


@pytest.mark.parametrize(("game", "kind", "colours"), WANTED)
def test_every_kind_of_piece_has_a_labelled_place(
    game: str, kind: str, colours: tuple[str, ...], read_print: ReadPrint
) -> None:
    places = [place for place in SHEETS[game].places if place.kind == kind]
    assert {place.colour for place in places} == set(colours)
    words = read_print(piece_sheet(SHEETS[game], "a4")).words
    assert all(place.label in words for place in places)


@pytest.mark.parametrize("game", SHEETS)
def test_nothing_on_a_sheet_overlaps(game: str) -> None:
    side, patch = set_sheet.MARKER_MM, set_sheet.PATCH_MM
    boxes = [(x, y, x + side, y + side) for x, y in set_sheet.MARKER_CORNERS]
    boxes += [(x - patch / 2, y - patch / 2, x + patch / 2, y + patch / 2) for _, x, y in set_sheet.patches()]
    for place in SHEETS[game].places:
        half = place.outline / 2
        assert place.size < place.outline
        boxes.append((place.x - half, place.y - half, place.x + half, place.y + half + 3.2))  # with its label
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert right <= set_sheet.AREA_MM[0]
        for other in boxes[:i]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]


def test_places_are_as_large_as_their_pieces() -> None:
    places = {place.kind: place for sheet in SHEETS.values() for place in sheet.places}
    # Outlines are larger than the largest piece (mm); what is measured is smaller than the smallest.
    for kind, least, most in (("tile", 45, 50.8), ("dome", 16, 24), ("tower", 19.8, 25.4), ("cap", 14.3, 19.8)):
        assert places[kind].size < least, kind  # type: ignore[index]
        assert places[kind].outline > most, kind  # type: ignore[index]


def test_the_file_s_table_points_at_its_objects() -> None:
    page = Page(100, 50)
    page.text(1, 1, "brackets (here) and \\ there: é")
    content = page.to_bytes("a (title)")
    table = int(re.findall(rb"startxref\n(\d+)\n%%EOF", content)[0])
    assert content[table:].startswith(b"xref\n0 7\n")
    starts = [int(line) for line in re.findall(rb"(\d{10}) 00000 n ", content)]
    for number, start in enumerate(starts, start=1):
        assert content[start:].startswith(b"%d 0 obj\n" % number)
    length, stream = re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", content, re.DOTALL)[0]
    assert int(length) == len(stream)
    assert b"(brackets \\(here\\) and \\\\ there: \xe9) Tj" in stream
    assert b"/PrintScaling /None" in content


def test_a_page_without_size_is_refused() -> None:
    with pytest.raises(ValueError, match="positive size"):
        Page(0, 10)


def test_the_command_writes_all_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "folder"
    assert main(["calibrate", "sheet", "--paper", "letter", "--out", str(out)]) == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(["cityscan-camera-letter.pdf", *(f"cityscan-set-{game}-letter.pdf" for game in GAMES)])
    (tmp_path / "file").write_text("")
    assert main(["calibrate", "sheet", "--out", str(tmp_path / "file")]) == 3
    assert "could not be written" in capsys.readouterr().err


def test_unknown_paper() -> None:
    with pytest.raises(UsageError, match="a4, letter"):
        sheets("a5")
