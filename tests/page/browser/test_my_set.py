"""My set in a browser: every part at both widths, and a set measured by clicking."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Visit  # type: ignore[import-not-found]

PARTS = {
    "1 Sheets": "Print the sheets",
    "2 Camera": "Measure the camera",
    "3 Pieces": "Measure the pieces",
    "4 Learn": "Learn from your photos",
    "5 Networks": "Networks",
}


@pytest.mark.parametrize("width", [390, 1280])
def test_every_part_fits_the_screen(visit: Visit, width: int) -> None:
    visitor = visit(width, 844).open("set", "Print the sheets")
    for button, title in PARTS.items():
        visitor.press(button)
        visitor.page.get_by_role("heading", name=title, exact=True).wait_for()
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), title
        assert visitor.page.locator('[data-testid="stException"]').count() == 0


def test_a_sheet_is_downloaded_and_a_set_measured_on_a_phone(visit: Visit, tmp_path: Path, piece_photo: bytes) -> None:
    visitor = visit(390, 844).open("set", "Print the sheets")
    with visitor.page.expect_download() as waiting:
        visitor.press("Pieces of City Blocks")
    assert Path(waiting.value.path()).read_bytes().startswith(b"%PDF-")
    photo = tmp_path / "sheet.jpg"
    photo.write_bytes(piece_photo)
    visitor.press("3 Pieces")
    visitor.see("Measure the pieces")
    visitor.page.get_by_label("Name of your set", exact=True).fill("table-set")
    visitor.upload(photo)
    visitor.press("Measure the set")
    visitor.see('"table-set" is kept')
    visitor.see("yellow")  # every colour has its name beside it
    # From now on it can be chosen where photos are read.
    visitor.open()
    visitor.page.get_by_label("Your set").click()
    visitor.page.get_by_role("option", name="table-set").wait_for()
