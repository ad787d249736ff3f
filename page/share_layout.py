"""The picture of a result as a whole: headline, board, and a panel with everybody's points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, ImageDraw

from engine.colours import LETTER_OF
from engine.game import Game
from engine.sheet import Score
from page.boards.paint import FILL, ink
from page.share_fonts import drawable, fitted, font, text_width
from page.share_words import (
    colours_of,
    contestants,
    fewest_win,
    headline,
    lines_for,
    named,
    ranking,
    subtitle,
    unit,
)

WIDTH: Final = 1200
MARGIN: Final = 40
GAP: Final = 32
PAPER: Final = "#faf7ef"
INK: Final = "#23211d"
QUIET: Final = "#6a6457"
CARD: Final = "#ffffff"
RULE: Final = "#d9d1be"
WINNER: Final = "#fff3c9"
WINNER_RULE: Final = "#d3a518"
# Wider boards than this get the panel below them, others beside them.
BESIDE_UP_TO: Final = 740
OVERSAMPLING: Final = 2
CARD_PADDING: Final = 16
_MOST_LINES: Final = 7


@dataclass(frozen=True, slots=True)
class Card:
    """One contestant in the panel."""

    owner: str
    name: str
    points: int
    lines: tuple[str, ...]
    wins: bool

    @property
    def height(self) -> int:
        return 2 * CARD_PADDING + 40 + (10 + 25 * len(self.lines) if self.lines else 0)


def composed(
    board: Image.Image, game: Game[Any], document: Mapping[str, Any], score: Score, names: Mapping[str, str]
) -> Image.Image:
    """The whole picture, 1200 pixels wide."""
    beside = board.width <= BESIDE_UP_TO
    panel_width = WIDTH - 2 * MARGIN - board.width - GAP if beside else WIDTH - 2 * MARGIN
    columns = 1 if beside else min(4, max(2, len(contestants(score))))
    panel = _panel(_cards(game, document, score, names), columns, panel_width)
    top = 148
    below = max(board.height, panel.height) if beside else board.height + GAP + panel.height
    page = Image.new("RGB", (WIDTH, top + below + 68), PAPER)
    _head(page, game, document, score, names)
    page.paste(board, (MARGIN if beside else (WIDTH - board.width) // 2, top))
    page.paste(panel, (MARGIN + board.width + GAP, top) if beside else (MARGIN, top + board.height + GAP))
    words = ["Final score" if score.over else "The game is not over", "counted with Cityscan"]
    if fewest_win(game):
        words.insert(1, unit(game))
    _write(page, (MARGIN, page.height - 36), " · ".join(words), 20, QUIET)
    return page


def _head(
    page: Image.Image, game: Game[Any], document: Mapping[str, Any], score: Score, names: Mapping[str, str]
) -> None:
    _write(page, (MARGIN, 46), subtitle(game, document), 24, QUIET)
    ranked = ranking(game, score)
    # More than two numbers in a row tell nobody whose they are; the best one does.
    numbers = " : ".join(str(points) for _, points in (ranked if len(ranked) == 2 else ranked[:1]))
    room = WIDTH - 2 * MARGIN - text_width(numbers, 56, True) - GAP
    _write(page, (MARGIN, 100), headline(score, names), 56, INK, True, room)
    _write(page, (WIDTH - MARGIN, 100), numbers, 56, INK, True, anchor="rm")


def _cards(game: Game[Any], document: Mapping[str, Any], score: Score, names: Mapping[str, str]) -> list[Card]:
    """Everybody's card, the best first."""
    cards = []
    for owner, points in ranking(game, score):
        lines = lines_for(owner, score, document)
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], f"and {len(lines) - _MOST_LINES + 1} more"]
        cards.append(Card(owner, named(owner, names), points, tuple(lines), owner == score.winner))
    return cards


def _panel(cards: list[Card], columns: int, width: int) -> Image.Image:
    """The cards in rows of ``columns``, drawn large and reduced because of their round corners."""
    if not cards:
        return Image.new("RGB", (width, 1), PAPER)
    card_width = (width - 16 * (columns - 1)) / columns
    rows = [cards[start : start + columns] for start in range(0, len(cards), columns)]
    heights = [max(card.height for card in row) for row in rows]
    size = width, sum(heights) + 16 * (len(rows) - 1)
    large = Image.new("RGB", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING), PAPER)
    y = 0
    for row, height in zip(rows, heights, strict=True):
        for number, card in enumerate(row):
            _draw_card(large, card, number * (card_width + 16), y, card_width, height)
        y += height + 16
    return large.resize(size, Image.Resampling.BOX)


def _draw_card(image: Image.Image, card: Card, x: float, y: float, width: float, height: float) -> None:
    draw = ImageDraw.Draw(image)
    z = OVERSAMPLING
    box = (x * z, y * z, (x + width) * z - 1, (y + height) * z - 1)
    fill, line = (WINNER, WINNER_RULE) if card.wins else (CARD, RULE)
    draw.rounded_rectangle(box, 14 * z, fill=fill, outline=line, width=(3 if card.wins else 2) * z)
    left, middle = x + CARD_PADDING, y + CARD_PADDING + 20
    for colour in colours_of(card.owner):
        _disc(draw, colour, (left + 18) * z, middle * z, 18 * z)
        left += 42
    points = str(card.points)
    right = x + width - CARD_PADDING
    _write_large(draw, (right, middle), points, 42, INK, True, anchor="rm")
    room = right - text_width(points, 42, True) - 12 - left
    size = 28 if text_width(drawable(card.name), 28, True) <= room else 22
    _write_large(draw, (left, middle), fitted(card.name, size, room, True), size, INK, True)
    for number, text in enumerate(card.lines):
        place = (x + CARD_PADDING, middle + 42 + 25 * number)
        _write_large(draw, place, fitted(text, 20, width - 2 * CARD_PADDING), 20, QUIET)


def _disc(draw: ImageDraw.ImageDraw, colour: str, x: float, y: float, radius: float) -> None:
    """A player's colour with its first letter, because colours are never the only sign."""
    fill = FILL.get(colour, CARD)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=INK, width=3)
    letter = LETTER_OF.get(colour, "?")
    draw.text((x, y), letter, fill=ink(colour), font=font(round(radius * 1.15), True), anchor="mm")


def _write(
    page: Image.Image,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: str,
    bold: bool = False,
    room: float | None = None,
    anchor: str = "lm",
) -> None:
    shown = fitted(text, size, WIDTH if room is None else room, bold)
    ImageDraw.Draw(page).text(at, shown, fill=colour, font=font(size, bold), anchor=anchor)


def _write_large(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: str,
    bold: bool = False,
    anchor: str = "lm",
) -> None:
    place = at[0] * OVERSAMPLING, at[1] * OVERSAMPLING
    draw.text(place, drawable(text), fill=colour, font=font(size * OVERSAMPLING, bold), anchor=anchor)
