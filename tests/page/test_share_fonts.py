"""Letters on pictures, with the page's typeface and with the one inside Pillow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from page import share_fonts
from page.share_fonts import drawable, fitted, text_width


@pytest.fixture
def only_pillow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if Streamlit brought no typeface."""
    _forget()
    monkeypatch.setattr(share_fonts, "_PATTERN", "no/such/file")
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for remembered in (share_fonts.font, share_fonts._typeface, share_fonts._nearest, share_fonts._has):
        remembered.cache_clear()


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("Ann", "Ann"),
        ("Ann\nBob\t!", "Ann Bob !"),  # one line
        ("  a   b ", "a b"),
        ("漢", "?"),  # no typeface here has it
        ("a\x00b", "a b"),
    ],
)
def test_drawable(typed: str, drawn: str) -> None:
    assert drawable(typed) == drawn


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("Jiří Łukasz", "Jiri Lukasz"),  # accents go
        ("4 × 4 – 2", "4 x 4 - 2"),
        ("R2→", "R2>"),
        ("Straße", "Strasse"),
    ],
)
@pytest.mark.usefixtures("only_pillow")
def test_without_the_pages_typeface_letters_become_plain(typed: str, drawn: str) -> None:
    assert drawable(typed) == drawn


def test_the_pages_typeface_has_accents_and_signs() -> None:
    if share_fonts._typeface() is None:
        pytest.skip("this Streamlit brings its typeface in another form.")
    assert drawable("Jiří Łukasz 4 × 4 →") == "Jiří Łukasz 4 × 4 →"
    assert text_width("mmm", 30, bold=True) > text_width("mmm", 30)


@given(st.text(max_size=60), st.integers(20, 300))
def test_a_fitted_text_fits(typed: str, room: int) -> None:
    shown = fitted(typed, 20, room)
    assert text_width(shown, 20) <= max(room, text_width(drawable("…"), 20))
    assert "\n" not in shown
