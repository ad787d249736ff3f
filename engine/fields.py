"""A cursor over parsed JSON that knows its own path, so that errors name the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import InvalidState
from engine.strict_json import kind_of, printable


class Field:
    """One value of a JSON document and where it stands (``structures[3].colour``)."""

    __slots__ = ("path", "value")

    def __init__(self, value: Any, path: str = "") -> None:
        self.value = value
        self.path = path

    def wrong(self, message: str) -> InvalidState:
        """The error to raise for this field."""
        return InvalidState(self.path, message)

    def required(self, key: str) -> Field:
        self._must_be_object()
        if key not in self.value:
            raise self.wrong(f'the field "{key}" is missing.')
        return self._at(key)

    def optional(self, key: str) -> Field | None:
        """The field, or None where it is absent. (A field that is null is present.)"""
        self._must_be_object()
        return self._at(key) if key in self.value else None

    def pairs(self) -> Iterator[tuple[str, Field]]:
        self._must_be_object()
        for key in self.value:
            yield key, self._at(key)

    def items(self, most: int | None = None) -> list[Field]:
        if not isinstance(self.value, list):
            raise self.wrong(f"must be a list, not {kind_of(self.value)}.")
        if most is not None and len(self.value) > most:
            raise self.wrong(f"holds {len(self.value)} entries; at most {most} are possible.")
        return [Field(value, f"{self.path}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong(f"must be a text, not {kind_of(self.value)}.")
        return self.value

    def integer(self, least: int, most: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong(f"must be a whole number from {least} to {most}, not {self._shown()}.")
        if not least <= self.value <= most:
            raise self.wrong(f"must be from {least} to {most}, not {self._shown()}.")
        return self.value

    def choice(self, options: Sequence[str]) -> str:
        if not isinstance(self.value, str) or self.value not in options:
            raise self.wrong(f"must be one of {', '.join(options)}, not {self._shown()}.")
        return self.value

    def is_null(self) -> bool:
        return self.value is None

    def _at(self, key: str) -> Field:
        name = printable(key)
        return Field(self.value[key], f"{self.path}.{name}" if self.path else name)

    def _must_be_object(self) -> None:
        if not isinstance(self.value, dict):
            raise self.wrong(f"must be an object, not {kind_of(self.value)}.")

    def _shown(self) -> str:
        if isinstance(self.value, str):
            return f'"{printable(self.value)}"'
        if isinstance(self.value, bool) or self.value is None or isinstance(self.value, int | float):
            return printable(self.value)
        return kind_of(self.value)
