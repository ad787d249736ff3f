"""Bad files get one sentence, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import CityscanError, InvalidState, Unreadable
from engine.strict_json import MAX_BYTES, parse_object, printable, read_text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1, 2]", "not a list"),  # an array is no position
        ("null", "not null"),
        ('"alien-city"', "not a text"),
        ("{", "line 1"),  # cut off
        ('{"a": 1,}', "not JSON"),  # trailing comma
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1e999}', "too large"),  # would become infinity
        ('{"a": ' + "9" * 5000 + "}", "not usable JSON"),  # beyond Python's limit for whole numbers
        ('{"a": 1, "a": 2}', "twice"),
        ('{"x": {"a": 1, "a": 1}}', "twice"),  # also further in, and also with equal values
        ("[" * 100_000, "levels deep"),
        ('{"a":' * 1000 + "1" + "}" * 1000, "levels deep"),
    ],
)
def test_bad_json_is_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(InvalidState) as caught:
        parse_object(text)
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_brackets_inside_texts_are_no_nesting() -> None:
    assert parse_object('{"a": "' + "[" * 500 + '\\"{"}')["a"].startswith("[[")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (b"\xff\xd8\xff\xe0JFIF", "not a text file"),  # a JPEG
        ('{"game": "sprawl"}'.encode("utf-16"), "not a text file"),
        (b'{"game"\0: 1}', "zero bytes"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    with pytest.raises(Unreadable) as caught:
        read_text(path)
    assert words in caught.value.message


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(Unreadable, match=f"larger than {MAX_BYTES // 1_000_000} MB"):
        read_text(path)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, tmp_path / ("x" * 5000), Path("a\0b.json")):
        with pytest.raises(CityscanError):
            read_text(path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"a": 1}')
    assert parse_object(read_text(path)) == {"a": 1}


def test_printable_is_short_and_on_one_line() -> None:
    assert printable("a\nb\x1b[31m") == "a?b?[31m"
    assert len(printable("x" * 1000)) == 40
