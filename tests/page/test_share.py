"""Pictures and sheets of a result: what is on them, that nothing else is, and that nothing people type does harm."""

from __future__ import annotations

import io
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine.documents import Position, load_position, position_from_document
from engine.game import Options, game
from engine.sheet import Score
from page.boards import board_kind
from page.boards.paint import FILL
from page.share import board_with_score, photo_with_score, result_picture, sheet_html
from page.share_words import contestants, headline, lines_for, named, ranking, short
from vision.pose import view_of

GAMES = ("alien-city", "city-blocks", "sprawl")
NASTY = '<script>alert("x")</script>&amp;\n\x00$x^2$ 漢字 Ž'


@pytest.fixture(scope="module")
def worked() -> Position:
    return load_position(Path(__file__).parents[1] / "engine" / "alien_city" / "worked-final.json")


def last_position(name: str, seed: int = 3) -> Any:
    *_, state = game(name).random_game(random.Random(seed))
    return state


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


def near(image: Image.Image, place: tuple[float, float], colour: str, tolerance: int = 40) -> bool:
    """Whether a pixel has about this colour."""
    wanted = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    pixel = image.convert("RGB").getpixel((round(place[0]), round(place[1])))
    assert isinstance(pixel, tuple)
    return max(abs(a - b) for a, b in zip(pixel, wanted, strict=True)) <= tolerance


# --- the picture --------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_the_picture_is_1200_wide_and_tells_nothing_but_itself(name: str) -> None:
    state = last_position(name)
    png = result_picture(None, None, game(name), state, game(name).score(state), {})
    image = opened(png)
    assert image.format == "PNG"
    assert image.width == 1200
    assert 600 < image.height < 2000
    assert image.info == {}
    assert not image.getexif()
    # Only the picture's own chunks: no text, no time, no EXIF.
    assert set(re.findall(rb"(?:IHDR|IDAT|IEND|tEXt|zTXt|iTXt|eXIf|tIME)", png)) == {b"IHDR", b"IDAT", b"IEND"}


def test_the_game_may_be_named_or_given(worked: Position) -> None:
    score = worked.game.score(worked.state)
    by_name = result_picture(None, None, "alien-city", worked.state, score, {})
    assert by_name == result_picture(None, None, worked.game, worked.state, score, {})


def test_names_and_points_change_the_picture(worked: Position) -> None:
    score = worked.game.score(worked.state)
    plain = result_picture(None, None, worked.game, worked.state, score, {})
    assert plain != result_picture(None, None, worked.game, worked.state, score, {"white": "Ann"})


@pytest.mark.parametrize("typed", [NASTY, "x" * 5000, "", " ", "\u202e\u200b", "🏙️", "a\u0301" * 300])
def test_any_name_can_be_drawn(worked: Position, typed: str) -> None:
    score = worked.game.score(worked.state)
    image = opened(result_picture(None, None, worked.game, worked.state, score, {"white": typed, "black": typed}))
    assert image.width == 1200


def test_a_drawn_board_shows_each_piece_in_its_place(worked: Position) -> None:
    kind = board_kind("alien-city")
    empty_score = Score({}, None, (), True)
    image = board_with_score(kind, worked.state, empty_score, 800)
    cell = (800 - 0.055 * 800 - 6) / 8
    for structure in worked.state.structures:
        column, row = ord(structure.at[0]) - ord("A"), 10 - int(structure.at[1:])
        # Left of the letter, low in the cell: there every piece is plain colour.
        x, y = 44 + (column + 0.22) * cell, 6 + (row + (0.85 if structure.is_tower else 0.5)) * cell
        assert near(image, (x, y), FILL[structure.colour]), structure


# --- on a photo ---------------------------------------------------------------------------------
CORNERS = np.array([[300.0, 200.0], [900.0, 260.0], [1000.0, 900.0], [180.0, 840.0]])


def grey_photo(width: int = 1200, height: int = 1000) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((height, width, 3), 128, np.uint8)


@pytest.mark.parametrize("name", GAMES)
def test_the_overlay_stays_on_the_board(name: str) -> None:
    """Around the board the photo is as it was; on it something is drawn."""
    state = last_position(name)
    kind = board_kind(name)
    image = np.asarray(photo_with_score(grey_photo(), CORNERS, kind, state, game(name).score(state)), int)
    height, width = image.shape[:2]
    drawn = np.abs(image - 128).max(axis=2) > 12
    # Towers lean out of the board, but not further than the room around it.
    assert not drawn[:4].any()
    assert not drawn[-4:].any()
    assert not drawn[:, :4].any()
    assert not drawn[:, -4:].any()
    assert drawn[height // 4 : -height // 4, width // 4 : -width // 4].mean() > 0.03


def test_marks_lie_where_the_lots_are_in_the_photo() -> None:
    """The outline of a dome's lot is found at the pixels that the pose gives, whatever the cut and the scale."""
    rules = game("sprawl")
    state = rules.parse_diagram("sprawl\ncolours: red\n\n3 . . .\n2 . R1 .\n1 . . .\n")
    kind = board_kind("sprawl")
    image = photo_with_score(grey_photo(), CORNERS, kind, state, rules.score(state))
    drawn = np.abs(np.asarray(image, int) - 128).max(axis=2) > 12
    rows, columns = np.nonzero(drawn)
    view = view_of(CORNERS, (3.0, 3.0), (1200, 1000), None)
    lot = view.project(np.array([[1.0, 1, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0]]))
    board = view.project(np.array([[0.0, 0, 0], [3, 0, 0], [3, 3, 0], [0, 3, 0]]))
    room = 0.1 * (board.max(axis=0) - board.min(axis=0)).max()
    left, top = np.maximum(board.min(axis=0) - room, 0)
    right = min(board.max(axis=0)[0] + room, 1199)
    scale = image.width / (right - left)
    expected = (lot - np.array([left, top])) * scale
    found = columns.min(), columns.max(), rows.min()
    assert np.allclose(found, (expected[:, 0].min(), expected[:, 0].max(), expected[:, 1].min()), atol=0.08 * 250)


@pytest.mark.parametrize(
    "corners",
    [
        None,  # no board was found
        [[0, 0], [0, 0], [0, 0], [0, 0]],  # all in one place
        [[300, 200], [1000, 900], [900, 260], [180, 840]],  # crossed over
        [[900, 260], [300, 200], [180, 840], [1000, 900]],  # mirrored
        [[float("nan"), 0], [1, 0], [1, 1], [0, 1]],
        [[300, 200], [900, 260], [1000, 900]],  # one is missing
    ],
)
def test_corners_that_span_no_board_give_the_drawn_board(worked: Position, corners: Any) -> None:
    score = worked.game.score(worked.state)
    drawn = result_picture(None, None, worked.game, worked.state, score, {})
    assert result_picture(grey_photo(), corners, worked.game, worked.state, score, {}) == drawn


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS,
        CORNERS * 3,  # mostly outside of the photo
        CORNERS - 5000,  # quite outside
        [[0, 0], [1199, 0], [1199, 999], [0, 999]],  # the whole photo
        [[590, 490], [610, 492], [608, 512], [588, 510]],  # tiny
        [[500, 10], [700, 10], [1199, 999], [0, 999]],  # very slanted
    ],
)
def test_any_board_can_be_drawn_on(worked: Position, corners: Any) -> None:
    score = worked.game.score(worked.state)
    image = opened(result_picture(grey_photo(), corners, worked.game, worked.state, score, {}))
    assert image.width == 1200
    assert image.height < 4000


# --- words --------------------------------------------------------------------------------------
def test_the_worked_example_in_words(worked: Position) -> None:
    score = worked.game.score(worked.state)
    names = {"white": "Ann", "black": "Bob"}
    assert ranking(worked.game, score) == [("white", 89), ("black", 66)]
    assert headline(score, names) == ("Ann wins" if score.over else "Ann is ahead")
    assert headline(score, {}).startswith("White ")
    assert sorted(lines_for("white", score, {})) == [
        "C9: 4 customers × 4 = 16",
        "E3: 2 customers × 19 = 38",
        "F9: 7 customers × 5 = 35",
    ]


@pytest.mark.parametrize(
    ("totals", "winner", "over", "expected"),
    [
        ({"red": 5, "blue": 5}, None, True, "A draw"),
        ({"red": 5, "blue": 5}, None, False, "Level so far"),
        ({"red": 9, "blue": 5, "green": 2}, None, True, "No winner named"),  # the neutral colour is not known
        ({"red": 9, "blue": 5}, "red", True, "Red wins"),
        ({"red": 9, "blue": 5}, "red", False, "Red is ahead"),
        ({"red": 9, "blue": 5, "blue+red": 14, "green+yellow": 3}, "blue+red", True, "Blue + red wins"),
    ],
)
def test_headlines(totals: dict[str, int], winner: str | None, over: bool, expected: str) -> None:
    assert headline(Score(totals, winner, (), over), {}) == expected


def test_pairs_compete_as_pairs() -> None:
    rules = game("city-blocks")
    state = rules.with_options(last_position("city-blocks"), Options(players=2))
    score = rules.score(state)
    assert set(contestants(score)) == {owner for owner in score.totals if "+" in owner}
    (pair, *_) = contestants(score)
    one, other = pair.split("+")
    assert named(pair, {one: "Ann", other: "Ann"}) == "Ann"
    assert named(pair, {one: "Ann"}) == f"Ann + {other}"
    assert len(lines_for(pair, score, {})) == 2


def test_in_sprawl_the_fewest_come_first() -> None:
    rules = game("sprawl")
    score = rules.score(last_position("sprawl"))
    points = [points for _, points in ranking(rules, score)]
    assert points == sorted(points)


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_sheet_has_a_short_form(name: str) -> None:
    for seed in range(4):
        score = game(name).score(last_position(name, seed))
        assert all(0 < len(short(item)) < 60 for item in score.items)


# --- the printed sheet --------------------------------------------------------------------------
class Structure(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Structure:
    structure = Structure()
    structure.feed(html)
    return structure


def test_the_sheet_holds_totals_breakdown_and_notes(worked: Position) -> None:
    score, verdict = worked.game.score(worked.state), worked.game.check(worked.state)
    page = parsed(sheet_html(worked.game, worked.state, score, verdict, {"white": "Ann"}, "2026-01-02"))
    for wanted in ("Ann (white)", "89", "66", "2026-01-02", "edition 2.2", "No rule is broken.", *score.notes):
        assert wanted in page.text
    assert all(item.text in page.text for item in score.items)


ILLEGAL: dict[str, dict[str, Any]] = {
    # A row of domes from edge to edge cuts the road.
    "alien-city": {"structures": [{"at": f"{column}2", "kind": "dome", "colour": "red"} for column in "ABCDEFGH"]},
    # Red has not begun in its corner.
    "city-blocks": {
        "grid": [
            *["." * 20] * 2,
            "....RRR.............",
            *["." * 20] * 6,
            *(f"{'.' * 9}{centre}{'.' * 9}" for centre in ("RB", "GY")),
            *["." * 20] * 9,
        ]
    },
    # A piece under a larger one.
    "sprawl": {"columns": 2, "rows": 2, "cells": [{"at": "A1", "stack": ["red2", "red3"]}]},
}


@pytest.mark.parametrize("name", GAMES)
def test_broken_rules_stand_on_the_sheet_with_their_text(name: str) -> None:
    rules = game(name)
    state = position_from_document({"game": name, **ILLEGAL[name]}).state
    verdict = rules.check(state)
    assert verdict.violations
    page = parsed(sheet_html(rules, state, rules.score(state), verdict))
    for violation in verdict.violations:
        assert violation.message in page.text
        assert rules.rules[violation.rule] in page.text


def test_nothing_that_was_typed_becomes_html(worked: Position) -> None:
    score = worked.game.score(worked.state)
    plain = parsed(sheet_html(worked.game, worked.state, score))
    for typed in (NASTY, '"><img src=x onerror=alert(1)>', "</title><script>", "' onload='x"):
        html = sheet_html(worked.game, worked.state, score, None, {"white": typed, "black": typed}, typed)
        page = parsed(html)
        assert page.elements == plain.elements
        assert [name for name, _ in page.attributes] == [name for name, _ in plain.attributes]
        assert "script" not in page.elements
        assert typed.strip().replace("\x00", "")[:8] in page.text.replace("\x00", "")


def test_the_sheet_needs_nothing_from_elsewhere(worked: Position) -> None:
    html = sheet_html(worked.game, worked.state, worked.game.score(worked.state))
    assert not re.search(r"https?:|//|url\(|@import", re.sub(r"data:image/png;base64,[^\"]*", "", html))
    pictures = [value for name, value in parsed(html).attributes if name == "src"]
    assert all(value is not None and value.startswith("data:image/png;base64,") for value in pictures)
    described = [value for name, value in parsed(html).attributes if name == "alt"]
    assert described[0] is not None
    assert "C9: red tower claimed by white" in described[0]
