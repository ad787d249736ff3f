"""The reader checks a table against any dataclass, not only against those of profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from calibration.toml_reader import HexColour, Length, OneOf, ProfileError, Range, read_table


@dataclass(frozen=True)
class Leaf:
    width: Annotated[float, Range(1, 2)]
    shape: Literal["round", "flat"] = "round"


@dataclass(frozen=True)
class Tree:
    name: str
    age: Annotated[int, Range(0, 1000)]
    leaf: Leaf
    colour: Annotated[tuple[float, float, float], HexColour()] = (0.0, 0.0, 0.0)
    others: tuple[Leaf, ...] = ()
    by_month: Mapping[Annotated[str, OneOf(("may", "june"), "month")], float] = field(default_factory=dict)
    rings: Annotated[tuple[int, ...], Length(2, 3)] = (1, 2)
    evergreen: bool = False
    nest: Leaf | None = None


GOOD: dict[str, Any] = {"name": "oak", "age": 80, "leaf": {"width": 1.5}}


def read(**changes: Any) -> Tree:
    return read_table(Tree, {**GOOD, **changes}, "tree.toml")


def test_defaults_and_nested_tables() -> None:
    tree = read(nest={"width": 2}, others=[{"width": 1}, {"width": 2, "shape": "flat"}])
    assert tree.leaf == Leaf(1.5)
    assert tree.nest == Leaf(2.0)
    assert tree.others == (Leaf(1.0), Leaf(2.0, "flat"))
    assert tree.rings == (1, 2)
    assert not tree.evergreen


def test_colours_are_read_as_shares() -> None:
    assert read(colour="#ff8000").colour == (1.0, 128 / 255, 0.0)
    assert read(colour="#FF8000").colour == read(colour="#ff8000").colour


def test_mappings_keep_their_keys() -> None:
    assert read(by_month={"may": 1, "june": 2.5}).by_month == {"may": 1.0, "june": 2.5}


WRONG = [
    # (changes, the field that is named, the sentence)
    ({"age": 80.5}, "age", "must be a whole number, not 80.5."),
    ({"age": True}, "age", "must be a whole number, not true."),
    ({"age": -1}, "age", "must be from 0 to 1000, not -1."),
    ({"name": ["oak"]}, "name", "must be a text, not a list."),
    ({"evergreen": 1}, "evergreen", "must be true or false, not 1."),
    ({"leaf": "green"}, "leaf", 'must be a table, not the text "green".'),
    ({"leaf": {}}, "leaf.width", "this field is missing."),
    ({"leaf": {"width": 3}}, "leaf.width", "must be from 1 to 2, not 3."),
    ({"leaf": {"width": 1, "shape": "wavy"}}, "leaf.shape", 'there is no choice "wavy"; possible are round, flat.'),
    ({"leaf": {"width": float("inf")}}, "leaf.width", "must be a number, not inf."),
    ({"others": [{"width": 1}, {"width": 9}]}, "others[1].width", "must be from 1 to 2, not 9."),
    ({"by_month": {"july": 1}}, "by_month", 'there is no month "july"; possible are may, june.'),
    ({"by_month": {"may": "warm"}}, "by_month.may", 'must be a number, not the text "warm".'),
    ({"rings": [1]}, "rings", "must have 2 to 3 entries, not 1."),
    ({"rings": [1, "x"]}, "rings[1]", 'must be a whole number, not the text "x".'),
    ({"colour": "#12345g"}, "colour", 'must be a colour such as "#c81e28", not "#12345g".'),
    ({"colour": "1234567"}, "colour", 'must be a colour such as "#c81e28", not "1234567".'),
    ({"colour": {}}, "colour", "must be a text, not a table."),
]


@pytest.mark.parametrize(("changes", "path", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(changes: dict[str, Any], path: str, sentence: str) -> None:
    with pytest.raises(ProfileError) as caught:
        read(**changes)
    assert caught.value.field == path
    assert caught.value.problem == sentence
    assert caught.value.message == f"tree.toml: {path}: {sentence}"
    assert caught.value.exit_code == 3


def test_an_unknown_field_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ProfileError, match=r"tree\.toml: hight: there is no such field; possible are name, age, leaf"):
        read(hight=3)
