"""The texts of the help page that are not drawn: the rules in full, how to take a photo, how accurate readings are.

The rules are docs/rules.md itself, and the figures are those that were measured with the networks that are installed,
so nothing is told in two places.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.game import Game
from vision.networks import model_cards
from vision.quality import MOST_TILT

RULES_PAGE: Final = "rules.md"
ACCURACY_PAGE: Final = "accuracy.md"
NOT_MEASURED: Final = (
    "No accuracy has been measured for this installation yet. `cityscan evaluate FOLDER` measures it on photos "
    "that have a state file of the same name beside them, such as those that My games exports."
)

PHOTO_TIPS: Final = (
    (
        "The whole board",
        "Show all four corners and a hand's breadth of table around them. Do not crop the photo afterwards.",
    ),
    (
        "From above",
        "Stand over the board and hold the phone flat; a slant of 20 or 30 degrees is fine, more than "
        f"{MOST_TILT:.0f} hides lots behind towers.",
    ),
    ("Near enough", "Let the board fill most of the picture. Go nearer rather than zoom."),
    (
        "Even light",
        "Daylight or a lamp from the side. No flash: it makes white spots on glossy pieces, and white spots read as "
        "white pieces. Mind your own shadow.",
    ),
    ("Sharp", "Hold still and tap the board to focus. The page says so at once if a photo is blurred or dark."),
    ("Clear", "Take hands, cups, boxes and spare pieces off the board; beside it they do no harm."),
    (
        "The original",
        "Use the photo from the phone itself. Messengers shrink pictures, and a lot then has too few pixels.",
    ),
    (
        "Alien City: a photo before the first build",
        "Towers hide the tile under them. A photo of the empty board, given as set-up, supplies what they hide.",
    ),
    (
        "If the reading is wrong",
        "Drag the corners onto the corners of the board first: most mistakes come from there. Then look at the "
        "doubtful lots, which are shown before all others.",
    ),
)

_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*\)")


@cache
def document(name: str) -> str | None:
    """A page of the documentation, from the project's folder or from the installed package; None without either."""
    for place in (files("page") / "docs" / name, files("page") / ".." / "docs" / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    return None


def rules_of(game: Game[Any]) -> str:
    """A game's rules as Markdown: its chapter of the rules page, or at least every rule by its id."""
    page = document(RULES_PAGE)
    chapter = chapter_of(page, game.title) if page else None
    if chapter is None:
        return "\n".join(f"- **{rule}**: {text}" for rule, text in game.rules.items())
    return without_links(chapter)


def chapter_of(page: str, title: str) -> str | None:
    """The text below a heading of the second level, up to the next one."""
    match = re.search(rf"^## {re.escape(title)}\s*\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return match[1].strip() if match else None


def without_links(text: str) -> str:
    """Links to other files of the project lead nowhere on the page; their words stay."""
    return _LINK.sub(r"\1", text)


def accuracy() -> str:
    """The measured figures as Markdown, or a sentence that there are none."""
    page = document(ACCURACY_PAGE)
    if page is not None:
        text = _COMMENT.sub("", re.sub(r"^# .*\n", "", page))
        # Its headings stand under one of the help page.
        return without_links(re.sub(r"^(#+ )", r"##\1", text, flags=re.MULTILINE).strip())
    rows = card_rows(model_cards())
    return rows or NOT_MEASURED


def card_rows(cards: Mapping[str, Mapping[str, Any]]) -> str:
    """What the cards of the networks say about their own test, as a table; empty without any figure."""
    lines = []
    for name, card in sorted(cards.items()):
        figures = card.get("validation") or {}
        shown = ", ".join(f"{key} {_number(value)}" for key, value in sorted(figures.items()) if _usable(value))
        if shown:
            photos = f"{card.get('validation_photos', '?')} photos, sets: {_sets(card)}"
            lines.append(f"| {name} | {shown} | {photos} |")
    if not lines:
        return ""
    return "\n".join(["| network | figures | measured on |", "|---|---|---|", *lines])


def _sets(card: Mapping[str, Any]) -> str:
    names = [str(name) for name in card.get("validation_profiles") or ()]
    return ", ".join(names) or "not named"


def _usable(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: float) -> str:
    return json.dumps(round(value, 4))
