"""The header that all diagrams share."""

from __future__ import annotations

import pytest

from engine.diagram import extras_text, join_diagram, parse_extras, split_diagram
from engine.errors import InvalidState

KEYS = ("edition", "extras")


def test_header_and_board_come_back() -> None:
    text = join_diagram("toy", {"edition": "2", "extras": extras_text({"names": {"red": "A: b\n"}})}, ["x.", ".x"])
    parts = split_diagram(text, "toy", KEYS)
    assert parts.value("edition") == "2"
    assert parse_extras(parts.value("extras"), 3) == {"names": {"red": "A: b\n"}}
    assert [line for _, line in parts.board] == ["x.", ".x"]


def test_comments_and_empty_header_values_are_left_out() -> None:
    parts = split_diagram("# a game\n\ntoy\n# note\nedition: 1\n\n# board\n..\n", "toy", KEYS)
    assert parts.board == ((8, ".."),)
    assert join_diagram("toy", {"edition": None}, [".."]) == "toy\n\n..\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "line 1"),  # nothing
        ("other\n\n..", "line 1"),  # another game
        ("toy\nedition 2\n\n..", "line 2"),  # no colon
        ("toy\ncolour: red\n\n..", "line 2"),  # a key that the game does not have
        ("toy\nedition: 1\nedition: 2\n\n..", "line 3"),  # given twice
    ],
)
def test_mistakes_name_the_line(text: str, line: str) -> None:
    with pytest.raises(InvalidState) as caught:
        split_diagram(text, "toy", KEYS)
    assert caught.value.path == line
