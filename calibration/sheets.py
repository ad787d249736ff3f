"""The sheets to print: one for the camera's lens, and one for the pieces of each game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from calibration import set_sheet
from calibration.pdf import Page
from calibration.set_sheet import SHEETS, Place, SetSheet
from engine.errors import UsageError

# Width and height in millimetres.
PAPERS: Final[Mapping[str, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

# The lens sheet: squares across and down, and their sides. It fits both papers.
LENS_SQUARES: Final = (7, 10)
LENS_SQUARE_MM: Final = 25.0
LENS_MARKER_MM: Final = 18.0


@cache
def lens_board() -> Any:
    """The pattern of the lens sheet, as OpenCV knows it (a ``CharucoBoard``)."""
    import cv2

    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard(LENS_SQUARES, LENS_SQUARE_MM, LENS_MARKER_MM, dictionary)


@cache
def set_markers() -> Any:
    """The markers of the piece-set sheets: another family than the lens sheet's, so that nothing mixes them up."""
    import cv2

    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)


def sheets(paper: str) -> dict[str, bytes]:
    """All sheets as PDF files, by file name."""
    if paper not in PAPERS:
        raise UsageError(f'there is no paper "{paper}"; possible are {", ".join(PAPERS)}.')
    files = {f"cityscan-camera-{paper}.pdf": lens_sheet(paper)}
    for sheet in SHEETS.values():
        files[f"cityscan-set-{sheet.game}-{paper}.pdf"] = piece_sheet(sheet, paper)
    return files


def lens_sheet(paper: str) -> bytes:
    """The chess board with markers from which a camera's lens is measured."""
    page = Page(*PAPERS[paper])
    columns, rows = LENS_SQUARES
    left = (page.width_mm - columns * LENS_SQUARE_MM) / 2
    top = (page.height_mm - rows * LENS_SQUARE_MM) / 2
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                page.rectangle(
                    left + column * LENS_SQUARE_MM, top + row * LENS_SQUARE_MM, LENS_SQUARE_MM, LENS_SQUARE_MM
                )
    board = lens_board()
    for number, corners in zip(board.getIds().ravel().tolist(), board.getObjPoints(), strict=True):
        x, y, _ = corners[0]
        _marker(page, board.getDictionary(), number, left + float(x), top + float(y), LENS_MARKER_MM)
    words = f"Cityscan: lens sheet. Print at 100 %; a square is {LENS_SQUARE_MM:g} mm wide. Lay it flat, photograph it"
    page.text(left, top - 3.5, f"{words} from many sides.", 3.0)
    return page.to_bytes("Cityscan lens sheet")


def piece_sheet(sheet: SetSheet, paper: str) -> bytes:
    """The sheet with a marked place for each kind of piece of a game."""
    page = Page(*PAPERS[paper])
    left = (page.width_mm - set_sheet.AREA_MM[0]) / 2
    top = (page.height_mm - set_sheet.AREA_MM[1]) / 2
    side = set_sheet.MARKER_MM
    for number, (x, y) in zip(sheet.markers, set_sheet.MARKER_CORNERS, strict=True):
        _marker(page, set_markers(), number, left + x, top + y, side)
    half = set_sheet.PATCH_MM / 2
    for grey, x, y in set_sheet.patches():
        page.rectangle(left + x - half, top + y - half, 2 * half, 2 * half, grey)
    page.text(left + side + 5, top + 20.5, sheet.title, 3.6)
    page.text(left + side + 5, top + 25, sheet.advice, 2.7)
    for place in sheet.places:
        _place(page, place, left, top)
    end = "Photograph it from straight above, in even light, with all four markers in the picture and no glare."
    page.text(left + side + 5, top + set_sheet.AREA_MM[1] - 19, end, 2.7)
    return page.to_bytes(sheet.title)


def _place(page: Page, place: Place, left: float, top: float) -> None:
    half = place.outline / 2
    if place.round:
        page.circle(left + place.x, top + place.y, half)
    else:
        page.outline(left + place.x - half, top + place.y - half, place.outline, place.outline)
    dot = set_sheet.DOT_MM
    for x, y in place.dots():
        page.rectangle(left + x - dot / 2, top + y - dot / 2, dot, dot)
    page.text(left + place.x - half, top + place.y + half + 3.2, place.label, 2.4)


def _marker(page: Page, dictionary: Any, number: int, x: float, y: float, side: float) -> None:
    """The black cells of a marker. Neighbours in a row are one rectangle, so that no hairline shows between them."""
    import cv2

    cells = dictionary.markerSize + 2
    pixels = cv2.aruco.generateImageMarker(dictionary, number, cells)
    cell = side / cells
    for row in range(cells):
        column = 0
        while column < cells:
            start = column
            while column < cells and pixels[row, column] == 0:
                column += 1
            if column > start:
                page.rectangle(x + start * cell, y + row * cell, (column - start) * cell, cell)
            column += 1
