"""Turns a TOML table into a dataclass, checking every value against the type that the class declares.

The dataclass is the one place that says what a field may hold; this module only compares, and words what is
wrong as a sentence with the file and the field.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.errors import Unreadable

T = TypeVar("T")


class ProfileError(Unreadable):
    """A profile cannot be used. ``file`` and ``field`` say where the mistake is."""

    def __init__(self, file: str, field: str, problem: str) -> None:
        super().__init__(f"{file}: {field}: {problem}" if field else f"{file}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem


@dataclasses.dataclass(frozen=True, slots=True)
class Range:
    """Annotates a number with its limits (both included)."""

    least: float
    most: float


@dataclasses.dataclass(frozen=True, slots=True)
class OneOf:
    """Annotates a text with the names that it may be."""

    names: tuple[str, ...]
    what: str


@dataclasses.dataclass(frozen=True, slots=True)
class HexColour:
    """Annotates a colour, which the file writes as ``"#rrggbb"``."""


@dataclasses.dataclass(frozen=True, slots=True)
class Length:
    """Annotates a list with the number of entries it must have."""

    least: int
    most: int


def read_toml(kind: type[T], text: str, file: str) -> T:
    """The TOML text as an object of the dataclass ``kind``."""
    return read_table(kind, parse_toml(text, file), file)


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """The table that a TOML text holds."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(file, "", f"this is not valid TOML: {error}.") from error


def read_table(kind: type[T], table: Mapping[str, Any], file: str, path: str = "") -> T:
    """The table as an object of the dataclass ``kind``; unknown, missing and wrong fields are errors."""
    assert dataclasses.is_dataclass(kind)
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    for name in table:
        if name not in fields:
            raise ProfileError(file, _join(path, name), f"there is no such field; possible are {', '.join(fields)}.")
    values = {}
    for name, field in fields.items():
        if name in table:
            values[name] = _value(hints[name], table[name], file, _join(path, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ProfileError(file, _join(path, name), "this field is missing.")
    return kind(**values)


def _value(hint: Any, value: Any, file: str, path: str) -> Any:
    """One value checked against one type hint."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _annotated(arguments[0], arguments[1:], value, file, path)
    if origin in (typing.Union, types.UnionType):  # only "X | None", and TOML has no null
        return _value(next(a for a in arguments if a is not type(None)), value, file, path)
    if origin is typing.Literal:
        return _choice(tuple(map(str, arguments)), "", value, file, path)
    if origin is tuple:
        return _list(arguments, value, file, path)
    if origin in (dict, Mapping):
        return _mapping(arguments, value, file, path)
    if dataclasses.is_dataclass(hint):
        assert isinstance(hint, type)
        return read_table(hint, _must_be(dict, value, file, path), file, path)
    if hint is float:
        return _number(value, file, path)
    return _must_be(hint, value, file, path)


def _annotated(hint: Any, notes: Sequence[Any], value: Any, file: str, path: str) -> Any:
    note = notes[0]
    if isinstance(note, HexColour):
        return _colour(value, file, path)
    if isinstance(note, OneOf):
        return _choice(note.names, note.what, value, file, path)
    checked = _value(hint, value, file, path)
    if isinstance(note, Range) and not note.least <= checked <= note.most:
        raise ProfileError(file, path, f"must be from {note.least:g} to {note.most:g}, not {value}.")
    if isinstance(note, Length) and not note.least <= len(checked) <= note.most:
        wanted = f"{note.least}" if note.least == note.most else f"{note.least} to {note.most}"
        raise ProfileError(file, path, f"must have {wanted} entries, not {len(checked)}.")
    return checked


def _choice(names: Sequence[str], what: str, value: Any, file: str, path: str) -> str:
    text = _must_be(str, value, file, path)
    if text not in names:
        raise ProfileError(file, path, f'there is no {what or "choice"} "{text}"; possible are {", ".join(names)}.')
    return str(text)


def _colour(value: Any, file: str, path: str) -> tuple[float, float, float]:
    text = _must_be(str, value, file, path)
    digits = text.removeprefix("#")
    if len(text) != 7 or len(digits) != 6 or not all(c in "0123456789abcdefABCDEF" for c in digits):
        raise ProfileError(file, path, f'must be a colour such as "#c81e28", not "{text}".')
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def _number(value: Any, file: str, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ProfileError(file, path, f"must be a number, not {_kind(value)}.")
    return float(value)


def _list(arguments: tuple[Any, ...], value: Any, file: str, path: str) -> tuple[Any, ...]:
    entries = _must_be(list, value, file, path)
    return tuple(_value(arguments[0], entry, file, f"{path}[{i}]") for i, entry in enumerate(entries))


def _mapping(arguments: tuple[Any, ...], value: Any, file: str, path: str) -> dict[str, Any]:
    table = _must_be(dict, value, file, path)
    return {
        _value(arguments[0], key, file, path): _value(arguments[1], entry, file, _join(path, key))
        for key, entry in table.items()
    }


def _must_be(kind: Any, value: Any, file: str, path: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        wanted = {str: "a text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}[kind]
        raise ProfileError(file, path, f"must be {wanted}, not {_kind(value)}.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str):
        return f'the text "{value}"'
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else str(value)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
