"""Score a photo: the five steps."""

from __future__ import annotations

from page.flow import BOARD, CHECK, PHOTO, SCORE, SHARE
from page.steps.first import begin_page, show_first_steps
from page.steps.score import show_score_step
from page.steps.share import show_share_step

STEPS = (PHOTO, BOARD, CHECK, SCORE, SHARE)


def show_scoring_page() -> None:
    """The step that the visitor is at."""
    current = begin_page("score", "Score a photo", STEPS)
    if show_first_steps(current, SCORE):
        return
    if current.step == SCORE:
        show_score_step(current)
    else:
        show_share_step(current)
