"""Writes a dataclass as the TOML that ``toml_reader`` reads back as the same object."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from calibration.toml_reader import HexColour


def to_toml(value: Any, without: tuple[str, ...] = ()) -> str:
    """The text for a dataclass. Fields that are None, and those that hold their default, are left out."""
    return "\n".join(_table(value, "", without)) + "\n"


def _table(value: Any, path: str, without: tuple[str, ...] = ()) -> Iterator[str]:
    """The lines of one table: plain values first, then the tables in it, as TOML demands."""
    entries = {name: entry for name, entry in _entries(value) if name not in without}
    plain = {name: text for name, entry in entries.items() if (text := _plain(*entry)) is not None}
    yield from (f"{name} = {text}" for name, text in plain.items())
    for name, (_, inner) in entries.items():
        if name in plain:
            continue
        place = f"{path}.{name}" if path else name
        if isinstance(inner, tuple):
            for part in inner:
                yield from ("", f"[[{place}]]", *_table(part, place))
        else:
            yield from ("", f"[{place}]", *_table(inner, place))


def _entries(value: Any) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Name, and type hint with value, of everything in a dataclass or in a mapping of a dataclass."""
    if isinstance(value, _Mapped):
        yield from ((str(name), (value.hint, entry)) for name, entry in value.table.items())
        return
    hints = typing.get_type_hints(type(value), include_extras=True)
    for field in dataclasses.fields(value):
        entry = getattr(value, field.name)
        if entry is None or entry == field.default:
            continue
        hint = hints[field.name]
        if isinstance(entry, Mapping):
            entry = _Mapped(typing.get_args(hint)[1], entry)
        yield field.name, (hint, entry)


@dataclasses.dataclass(frozen=True, slots=True)
class _Mapped:
    """A mapping that goes into a table of its own, and what its values are."""

    hint: Any
    table: Mapping[str, Any]


def _plain(hint: Any, value: Any) -> str | None:
    """The text of a value that fits on a line; None for what needs a table of its own."""
    if isinstance(value, _Mapped):  # first, because the hint of a mapping to colours speaks of colours, too
        return None
    if _is_colour(hint):
        return json.dumps(hex_colour(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, tuple):
        if any(map(dataclasses.is_dataclass, value)):
            return None
        return f"[{', '.join(str(_plain(None, entry)) for entry in value)}]"
    return None


def hex_colour(colour: tuple[float, float, float]) -> str:
    """A colour as profiles write it: ``#c81e28``."""
    return "#" + "".join(f"{round(255 * min(max(channel, 0.0), 1.0)):02x}" for channel in colour)


def _is_colour(hint: Any) -> bool:
    """Whether the hint is a colour, or a colour or None."""
    found = [hint, *typing.get_args(hint)]
    return any(isinstance(note, HexColour) for part in found for note in getattr(part, "__metadata__", ()))


def _text(value: str) -> str:
    # A JSON text is a TOML text, but for the one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
