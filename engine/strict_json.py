"""JSON without surprises: size, depth, duplicate keys and NaN are refused by name."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import InvalidState, Unreadable

# The largest honest state is a few kilobytes; labels with extra fields stay far below this.
MAX_BYTES = 4_000_000
MAX_DEPTH = 40

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def read_text(path: Path, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file, or an error that says what is wrong with the file."""
    try:
        with path.open("rb") as file:
            raw = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise Unreadable("there is no such file; check the name.") from None
    except IsADirectoryError:
        raise Unreadable("this is a folder; name a file in it.") from None
    except PermissionError:
        raise Unreadable("this file may not be read; check its permissions.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Unreadable(f"the file could not be opened ({reason}).") from None
    return decode_text(raw, max_bytes)


def decode_text(raw: bytes, max_bytes: int = MAX_BYTES) -> str:
    """The text in a file's bytes, of which the caller read at most one more than ``max_bytes``."""
    if len(raw) > max_bytes:
        raise Unreadable(f"the file is larger than {max_bytes // 1_000_000} MB; no position needs that much.")
    if not raw.strip():
        raise Unreadable("the file is empty.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("this is not a text file (it is not UTF-8); a position is plain text.") from None
    if "\0" in text:
        raise Unreadable("this is not a text file (it has zero bytes in it); a position is plain text.")
    return text


def parse_object(text: str) -> dict[str, Any]:
    """The JSON object in ``text``."""
    _refuse_deep_nesting(text)
    try:
        value = json.loads(
            text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_float=_finite_float
        )
    except json.JSONDecodeError as error:
        raise InvalidState("", f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise InvalidState("", f"not usable JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidState("", f'a position is one JSON object such as {{"game": "alien-city"}}, not {kind_of(value)}.')
    return value


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list | tuple):
        return "a list"
    return "an object"


def _refuse_deep_nesting(text: str) -> None:
    # Python's parser recurses, so depth has to be checked before it runs.
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise InvalidState("", f"nested more than {MAX_DEPTH} levels deep; a position needs five.")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InvalidState(printable(key), "this key stands twice in one object; keep one of them.")
        result[key] = value
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidState("", f"{name} is not a number that a position can hold.")


def _finite_float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise InvalidState("", f"{digits[:40]} is too large a number.")
    return value


def printable(value: object, limit: int = 40) -> str:
    """A value for an error message: short, on one line, without control characters."""
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
