"""Typed text on the page: shown as it is, whatever it contains."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from page.text import MOST_NAME, name_of, plain, sentence


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("**bold**", r"\*\*bold\*\*"),
        ("<b>x</b>", r"\<b\>x\</b\>"),
        ("![x](http://a.b/c.png)", r"\!\[x\]\(http\://a\.b/c\.png\)"),  # no picture is fetched
        (":red[x]", r"\:red\[x\]"),  # Streamlit's own directives
        ("$x^2$", r"\$x^2\$"),
        ("one\n# two", r"one \# two"),  # no new paragraph, so no heading either
    ],
)
def test_nothing_typed_is_markup(typed: str, shown: str) -> None:
    assert plain(typed) == shown


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_escaping_loses_nothing_but_the_kind_of_space(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", plain(text)) == " ".join(text.split())


@given(st.text())
def test_names_are_one_short_printable_line(typed: str) -> None:
    name = name_of(typed)
    assert len(name) <= MOST_NAME
    assert name.isprintable()
    assert name == name_of(name) or len(" ".join(typed.split())) > MOST_NAME


def test_sentences_begin_with_a_capital() -> None:
    assert sentence("the board") == "The board"
    assert sentence("") == ""
