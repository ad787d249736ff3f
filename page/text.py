"""What people typed, shown as they typed it: never as Markdown, HTML or a Streamlit directive."""

from __future__ import annotations

import re

MOST_NAME = 40
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|>~$:<&@])")


def plain(text: str) -> str:
    """The text so that Markdown shows exactly it."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def name_of(typed: str) -> str:
    """A player's name as it is kept: one line, no control characters, not too long."""
    printable = "".join(letter for letter in typed if letter.isprintable())
    return " ".join(printable.split())[:MOST_NAME]


def sentence(message: str) -> str:
    """A message with a capital letter, as a page shows it."""
    return message[:1].upper() + message[1:]
