"""Score a photo: the five steps."""

from __future__ import annotations

import streamlit as st

from page.flow import BOARD, CHECK, PHOTO, SCORE, SHARE, flow, show_error, show_steps
from page.steps.check import show_check_step
from page.steps.outline import show_outline_step
from page.steps.photo import show_photo_step
from page.steps.score import show_score_step
from page.steps.share import show_share_step

STEPS = (PHOTO, BOARD, CHECK, SCORE, SHARE)


def show_scoring_page() -> None:
    """The step that the visitor is at."""
    current = flow("score", STEPS)
    st.title("Score a photo")
    show_steps(current)
    show_error(current)
    if current.case is None or current.step == PHOTO:
        show_photo_step(current)
    elif current.step == BOARD:
        show_outline_step(current)
    elif current.step == CHECK:
        show_check_step(current, SCORE)
    elif current.step == SCORE:
        show_score_step(current)
    else:
        show_share_step(current)
