"""The JSON cursor names the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.errors import InvalidState
from engine.fields import Field

DOCUMENT = Field({"size": 3, "names": ["a", 1], "flag": True, "inner": {"colour": None}})


@pytest.mark.parametrize(
    ("read", "path", "words"),
    [
        (lambda d: d.required("edition"), "", '"edition" is missing'),
        (lambda d: d.required("size").text(), "size", "not a number"),
        (lambda d: d.required("flag").integer(0, 5), "flag", "not true"),  # Python's True is an int
        (lambda d: d.required("size").integer(0, 2), "size", "from 0 to 2"),
        (lambda d: d.required("names").items()[1].text(), "names[1]", "must be a text"),
        (lambda d: d.required("names").items(most=1), "names", "at most 1"),
        (lambda d: d.required("names").required("x"), "names", "must be an object"),
        (lambda d: d.required("inner").items(), "inner", "must be a list"),
        (lambda d: d.required("inner").required("colour").choice(("red",)), "inner.colour", "not null"),
        (lambda d: d.required("names").items()[0].choice(("red", "blue")), "names[0]", 'red, blue, not "a"'),
    ],
)
def test_errors_name_the_field(read: Callable[[Field], object], path: str, words: str) -> None:
    with pytest.raises(InvalidState) as caught:
        read(DOCUMENT)
    assert caught.value.path == path
    assert words in caught.value.message


def test_absent_and_null_are_different() -> None:
    inner = DOCUMENT.required("inner")
    assert inner.optional("rank") is None
    colour = inner.optional("colour")
    assert colour is not None
    assert colour.is_null()
