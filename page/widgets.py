"""Widgets that always show what the position says, also after an undo: the value flows one way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from page.mistakes import safely


def choose(
    label: str,
    options: Sequence[Any],
    current: Any,
    key: str,
    change: Callable[[Any], None],
    words: Callable[[Any], str] = str,
) -> None:
    """A choice of one; ``change`` gets what was chosen."""
    st.session_state[key] = current if current in options else options[0]
    st.selectbox(label, options, key=key, format_func=words, on_change=safely(lambda: change(st.session_state[key])))


def choose_several(
    label: str, options: Sequence[Any], current: Sequence[Any], key: str, change: Callable[[list[Any]], None]
) -> None:
    """A choice of several."""
    st.session_state[key] = [value for value in current if value in options]
    st.multiselect(label, options, key=key, on_change=safely(lambda: change(list(st.session_state[key]))))


def write(label: str, current: str, key: str, change: Callable[[str], None], most: int) -> None:
    """A line of text."""
    st.session_state[key] = current
    st.text_input(label, key=key, max_chars=most, on_change=safely(lambda: change(str(st.session_state[key]))))
