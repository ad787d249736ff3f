"""Learn and help: the rules as implemented with drawn examples, how to take a good photo, how accurate readings are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

import streamlit as st

from engine.game import game, game_names
from page import help_alien_city, help_city_blocks, help_sprawl
from page.help_pictures import Example
from page.help_texts import PHOTO_TIPS, accuracy, rules_of

EXAMPLES: Final[Mapping[str, Callable[[], Iterator[Example]]]] = {
    "alien-city": help_alien_city.examples,
    "city-blocks": help_city_blocks.examples,
    "sprawl": help_sprawl.examples,
}


def show_help() -> None:
    """The help page."""
    st.title("Learn and help")
    names = game_names()
    places = st.tabs(["Taking a photo", *(game(name).title for name in names), "Accuracy"])
    with places[0]:
        _photo_tips()
    for place, name in zip(places[1:-1], names, strict=True):
        with place:
            _rules(name)
    with places[-1]:
        _accuracy()


@cache
def examples_of(name: str) -> tuple[Example, ...]:
    """A game's examples; drawn once, because they never change."""
    return tuple(EXAMPLES[name]())


def _photo_tips() -> None:
    st.subheader("How to take a good photo")
    for title, text in PHOTO_TIPS:
        st.markdown(f"- **{title}.** {text}")


def _rules(name: str) -> None:
    rules = game(name)
    if rules.editions:
        st.caption(f"Editions: {', '.join(rules.editions)}. Where they differ, the text says so.")
    st.subheader("By example")
    for example in examples_of(name):
        with st.container(border=True):
            st.markdown(f"**{example.title}**")
            st.image(example.picture)
            st.markdown(example.text)
            with st.expander("The picture in words"):
                st.text(example.alt)
    st.subheader("The rules as implemented")
    st.markdown(rules_of(rules))


def _accuracy() -> None:
    st.subheader("How accurate readings are")
    st.markdown(accuracy())
    st.markdown(
        "A reading never hides its doubt: lots that it is not sure of are shown first, with what else they may be, "
        "and a tap puts them right."
    )
