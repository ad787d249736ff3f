"""Letters for drawn pictures: the page's own typeface where Streamlit brings it, else the one inside Pillow."""

from __future__ import annotations

import importlib.util
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Streamlit's own text typeface; the rest of the file name is a checksum that changes with every release.
_PATTERN: Final = "static/static/media/SourceSansVF-Upright*.woff2"
_BOLD: Final = "Bold"
_USUAL: Final = "Medium"
# No line of a picture holds more; measuring far longer texts would take long.
_MOST_LETTERS: Final = 300
_NO_CHARACTER: Final = "\uffff"
# What a typeface without these letters shows instead; accents are taken off by rule.
_PLAIN: Final = {
    **{"×": "x", "–": "-", "−": "-", "…": "...", "→": ">", "←": "<", "↑": "^", "↓": "v"},
    **{"↩": "<", "✓": "v", "ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "æ": "ae"},
}


@lru_cache(maxsize=64)
def font(size: int, bold: bool = False) -> Font:
    """The typeface at a size in pixels."""
    path = _typeface()
    if path is None:
        return ImageFont.load_default(max(6, size))
    chosen = ImageFont.truetype(str(path), max(6, size))
    chosen.set_variation_by_name(_BOLD if bold else _USUAL)
    return chosen


def drawable(text: str) -> str:
    """The text with every letter that the typeface lacks replaced by its nearest plain one, or by a question mark.

    Control characters and line breaks become spaces: a drawn line is one line.
    """
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "".join(_nearest(letter) for letter in clean)


def text_width(text: str, size: int, bold: bool = False) -> float:
    return float(font(size, bold).getlength(text))


def fitted(text: str, size: int, width: float, bold: bool = False) -> str:
    """The drawable text, cut with an ellipsis where it is wider than ``width`` pixels."""
    text = drawable(text[:_MOST_LETTERS])
    if text_width(text, size, bold) <= width:
        return text
    end = drawable("…")
    while text and text_width(text + end, size, bold) > width:
        text = text[:-1].rstrip()
    return text + end


@cache
def _typeface() -> Path | None:
    spec = importlib.util.find_spec("streamlit")  # looks for the folder only; importing it takes long
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob(_PATTERN)):
            try:
                ImageFont.truetype(str(path), 20).set_variation_by_name(_BOLD)
            except (OSError, ValueError):
                continue  # a Pillow that cannot open packed or variable typefaces
            return path
    return None


@lru_cache(maxsize=4096)
def _nearest(letter: str) -> str:
    if letter == " " or _has(letter):
        return letter
    plain = _PLAIN.get(letter)
    if plain is None:
        plain = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    if not plain and unicodedata.combining(letter):
        return ""  # an accent of its own
    return plain if plain and all(part == " " or _has(part) for part in plain) else "?"


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    """Whether the typeface draws the letter as something else than a missing one."""
    chosen = font(24)
    return bytes(chosen.getmask(letter)) != bytes(chosen.getmask(_NO_CHARACTER))
