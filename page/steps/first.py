"""What every way through the page begins with: a photo, its board, and the check of what was read."""

from __future__ import annotations

import streamlit as st

from page.flow import BOARD, CHECK, PHOTO, Flow, flow, show_error, show_steps
from page.steps.check import show_check_step
from page.steps.outline import show_outline_step
from page.steps.photo import show_photo_step


def begin_page(slot: str, title: str, steps: tuple[str, ...]) -> Flow:
    """The flow of a page, under its title and its steps."""
    current = flow(slot, steps)
    st.title(title)
    show_steps(current)
    show_error(current)
    return current


def show_first_steps(current: Flow, following: str) -> bool:
    """Show the step that the visitor is at, if it is one of the first three; ``following`` comes after them."""
    if current.case is None or current.step == PHOTO:
        show_photo_step(current)
    elif current.step == BOARD:
        show_outline_step(current)
    elif current.step == CHECK:
        show_check_step(current, following)
    else:
        return False
    return True
