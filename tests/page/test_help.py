"""The help page: its examples are what the engine says, its rules are those of the documentation."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from engine.game import game, game_names
from page import help_alien_city, help_city_blocks, help_sprawl, help_texts
from page.help import EXAMPLES, examples_of
from page.help_pictures import Example
from page.help_texts import NOT_MEASURED, accuracy, card_rows, chapter_of, rules_of, without_links

ROOT = Path(__file__).parents[2]
ALL = [example for name in game_names() for example in examples_of(name)]


def text_of(name: str, title: str) -> str:
    return next(example.text for example in examples_of(name) if example.title == title)


def test_every_game_is_explained() -> None:
    assert set(EXAMPLES) == set(game_names())


@pytest.mark.parametrize("example", ALL, ids=lambda example: example.title)
def test_every_example_has_a_picture_with_something_on_it(example: Example) -> None:
    with Image.open(io.BytesIO(example.picture)) as picture:
        assert 150 < picture.width < 900
        assert 100 < picture.height < 900
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 20
    assert len(example.text) > 60
    assert "marked" in example.alt or "tower" in example.alt  # the same in words, for those who cannot see it


@pytest.mark.parametrize(
    ("name", "title", "sentence"),
    [
        # Counted by hand on the drawings.
        ("alien-city", "Distance", "they are 2 apart"),
        ("alien-city", "Distance", "B3: distance 1"),
        ("alien-city", "Customers and competition", "A2, E2, C4"),
        ("alien-city", "Customers and competition", "G3, 4 lots away"),
        ("alien-city", "Customers and competition", "3 × 4 = 12"),
        ("alien-city", "Bonus", "white gets 8 points (8, 6, 4, 2"),
        ("alien-city", "Bonus when towers tie", "1.0 pays nothing; edition 2.2 pays 8; edition fr pays nothing"),
        ("alien-city", "Lots that nobody may build on", "B1 would cut off A1"),
        ("alien-city", "Lots that nobody may build on", "F1 is the only road of E1"),
        ("city-blocks", "The largest area", "the larger one has 6 squares"),
        ("city-blocks", "Free edges", "Here red has 12 such edges, and its single in the centre of the board has 2"),
        ("city-blocks", "Free edges", "6 + 14 = 20"),
        ("city-blocks", "Every piece once", "I3"),
        ("city-blocks", "Begin in your corner", "A1"),
        ("sprawl", "Attack and neutralised towers", "on C3 is neutralised"),
        ("sprawl", "Target and spore", "targets D1"),
        ("sprawl", "How long a chain may be", "number 2 in its chain"),
        ("sprawl", "The score", "30 - 5 = 25"),
    ],
)
def test_the_examples_say_what_is_right(name: str, title: str, sentence: str) -> None:
    assert sentence in text_of(name, title)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        *(("alien-city", help_alien_city.city(text)) for text in (help_alien_city.DISTANCE, help_alien_city.CUSTOMERS)),
        *(("alien-city", help_alien_city.city(text)) for text in (help_alien_city.BONUS, help_alien_city.TIE)),
        ("alien-city", help_alien_city.city(help_alien_city.FORBIDDEN)),
        ("alien-city", help_alien_city.city(help_alien_city.PLACES, help_alien_city.all_tiles())),
        ("sprawl", help_sprawl.board(help_sprawl.BRANCH)),
        ("sprawl", help_sprawl.board(help_sprawl.ATTACK)),
        ("sprawl", help_sprawl.board(help_sprawl.TARGET)),
    ],
)
def test_positions_that_teach_break_no_rule(name: str, state: Any) -> None:
    # Red's towers in the attack stand apart to be seen; who spored them is not the point there.
    broken = {violation.rule for violation in game(name).check(state).violations if violation.certain}
    assert broken <= {"first-tower"}


def test_where_a_tower_may_go() -> None:
    """On red and black tiles and where two blue domes stand, never on an icon while other lots are free."""
    alt = next(e.alt for e in examples_of("alien-city") if e.title == "Where a tower may be built")
    marked = {part.split()[0] for part in alt.split("; ") if "is marked" in part}
    assert marked == {"B1", "A2", "B2", "D1", "C2", "D2", "B3"}


def test_the_branches_of_the_example() -> None:
    alt = next(e.alt for e in examples_of("sprawl") if e.title == "Branch")
    for words in ("B3 is marked: branch red2 ←", "C4 is marked: branch red2 ↑", "E3 is marked: branch red2 ↑→↓"):
        assert words in alt
    assert alt.count("is marked") == 6


# --- texts --------------------------------------------------------------------------------------
def test_the_rules_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    for name in game_names():
        shown = rules_of(game(name))
        assert len(shown) > 800
        assert shown[:60] in page
        for other in game_names():
            assert other == name or f"## {game(other).title}" not in shown
        # Every rule that the checker can name is explained.
        assert [rule for rule in game(name).rules if f"[{rule}]" not in shown] == []


def test_without_the_documentation_every_rule_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_texts, "document", lambda _name: None)
    for name in game_names():
        assert all(text in rules_of(game(name)) for text in game(name).rules.values())


def test_a_chapter_ends_where_the_next_begins() -> None:
    page = "# All\n\n## One\n\nfirst\n\n### Part\n\nmore\n\n## Two\n\nsecond\n"
    assert chapter_of(page, "One") == "first\n\n### Part\n\nmore"
    assert chapter_of(page, "Two") == "second"
    assert chapter_of(page, "Three") is None


def test_links_within_the_project_become_words() -> None:
    assert without_links("see [legality](legality.md), [x](../a.json).") == "see legality, x."
    assert without_links("[out](https://example.org) and [road]") == "[out](https://example.org) and [road]"


def test_accuracy_is_told_only_where_it_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_texts, "document", lambda _name: None)
    monkeypatch.setattr(help_texts, "model_cards", dict)
    assert accuracy() == NOT_MEASURED
    cards = {"board": {"validation": {"kind": 0.98765}, "validation_photos": 20, "validation_profiles": ["oak"]}}
    monkeypatch.setattr(help_texts, "model_cards", lambda: cards)
    assert "kind 0.9877" in accuracy()
    assert "20 photos" in accuracy()
    page = "# Accuracy\n\n<!-- begin -->\n## Here\nMeasured [here](x.csv): 97 %.\n<!-- end -->\n"
    monkeypatch.setattr(help_texts, "document", lambda _name: page)
    assert accuracy() == "#### Here\nMeasured here: 97 %."


def test_the_pages_that_help_shows_are_part_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in (help_texts.RULES_PAGE, help_texts.ACCURACY_PAGE):
        assert included[f"docs/{name}"] == f"page/docs/{name}"
        assert (ROOT / "docs" / name).is_file(), "a wheel cannot be built without it"


@pytest.mark.parametrize(
    "cards",
    [{}, {"board": {}}, {"board": {"validation": {}}}, {"board": {"validation": {"kind": float("nan"), "x": "y"}}}],
)
def test_cards_without_figures_tell_none(cards: dict[str, dict[str, object]]) -> None:
    assert card_rows(cards) == ""


def test_the_page_shows_it_all() -> None:
    page = AppTest.from_string("from page.help import show_help\nshow_help()", default_timeout=60).run()
    assert not page.exception
    shown = "\n".join(element.value for element in page.markdown)
    for name in game_names():
        assert all(example.text in shown for example in examples_of(name))
    assert "How to take a good photo" in "".join(element.value for element in page.subheader)


def test_small_boards_are_what_they_say() -> None:
    state = help_city_blocks.board(("RR",), ("red", None, None, None))
    assert state.grid[0].startswith("RR.")
    assert not state.is_plain_blokus
    assert len(help_alien_city.all_tiles()) == 20
    assert not game("alien-city").check(help_alien_city.city("A2 r", help_alien_city.all_tiles())).certainly_illegal
