"""A mistake of ours, as visitors see it: a sentence and a way on. Where in the code it lies is for the terminal.

Streamlit runs three kinds of code by itself, and shows its own message if one of them fails: the page, a fragment
that is run again without the page around it, and what a widget calls. Each of them is caught here.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, ParamSpec

import streamlit as st

from page.text import plain

P = ParamSpec("P")
_LAST = "mistake"


def show_mistake(error: Exception, place: str) -> None:
    """The sentence, and a button to begin anew. ``place`` keeps two such buttons on one page apart."""
    logging.getLogger("cityscan").error("mistake in the page", exc_info=error)
    st.error(plain(f"This is a mistake in Cityscan, not in your photo ({type(error).__name__}). Please report it."))
    if st.button("Start again", key=f"mistake:{place}", on_click=st.session_state.clear):
        st.rerun()  # all of the page: a fragment alone would go on with what it was given before


def part(show: Callable[P, None]) -> Callable[P, None]:
    """A fragment of the page (``st.fragment``) whose mistakes are told as anywhere else."""

    @st.fragment
    @functools.wraps(show)
    def guarded(*arguments: P.args, **named: P.kwargs) -> None:
        show_last_mistake()
        try:
            show(*arguments, **named)
        except Exception as error:  # Streamlit's own signals (stop, rerun) are no Exceptions
            show_mistake(error, show.__qualname__)

    return guarded


def safely(change: Callable[..., None]) -> Callable[..., None]:
    """What a widget calls. It runs before anything is shown, so its mistake is told by the next thing that is."""

    @functools.wraps(change)
    def guarded(*arguments: Any) -> None:
        try:
            change(*arguments)
        except Exception as error:
            st.session_state[_LAST] = error

    return guarded


def show_last_mistake() -> None:
    """Tell the mistake that a widget's call has made, if any, once."""
    error = st.session_state.pop(_LAST, None)
    if isinstance(error, Exception):
        show_mistake(error, "call")
