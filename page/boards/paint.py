"""Layers: what a piece looks like, as values that the page's SVG draws. Every piece carries its letter."""

from __future__ import annotations

from typing import Any, Final

from engine.colours import LETTER_OF

Layer = dict[str, Any]

FILL: Final = {
    "red": "#c62828",
    "yellow": "#f2c200",
    "green": "#2e7d32",
    "blue": "#1f5fbf",
    "orange": "#e8833a",
    "purple": "#7b3fa0",
    "cyan": "#19a7b8",
    "pink": "#f29bc1",
    "white": "#fafafa",
    "black": "#222222",
    "grey": "#9a9a9a",
    "clear": "#e3eef2",
}
# Letters on these are dark, on all others white.
_PALE: Final = {"yellow", "orange", "cyan", "pink", "white", "grey", "clear"}
# Grounds of tiles, pale enough for pieces of the same colour to stand out.
GROUND: Final = {"red": "#eec9c4", "blue": "#c4d5f0", "green": "#c8e3ca", "black": "#bdbdbd", None: "#efe9dc"}


def ink(colour: str) -> str:
    return "#111111" if colour in _PALE else "#ffffff"


def layer(shape: str, colour: str, text: str | None = None, **more: Any) -> Layer:
    """A coloured shape with the colour's letter on it, or another text."""
    letter = LETTER_OF[colour] if text is None else text
    return {"shape": shape, "fill": FILL[colour], "ink": ink(colour), "text": letter, **more}


def unknown() -> Layer:
    """Something of a colour that nobody knows."""
    return {"shape": "block", "fill": "#ffffff", "ink": "#111111", "text": "?"}
