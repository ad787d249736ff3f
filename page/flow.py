"""A way through steps: which case a visitor works on, at which step, and how to get on and back."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine.errors import CityscanError
from page.case import Case
from page.text import plain, sentence

PHOTO, BOARD, CHECK, SCORE, SHARE, PLAY = "Photo", "Board", "Check", "Score", "Share", "What now"


@dataclass(slots=True)
class Flow:
    """One visitor's way; it lives in the session and nowhere else."""

    slot: str
    steps: tuple[str, ...]
    step: str = PHOTO
    case: Case | None = None
    started: int = 0
    error: str | None = None
    extra: dict[Any, Any] = field(default_factory=dict)

    def next_number(self) -> str:
        """A name for the next case, so that its widgets are its own."""
        self.started += 1
        # Not the count alone: after "start again" it would name a board that the browser still remembers.
        return f"{self.slot}-{self.started}-{secrets.token_hex(3)}"

    def open(self, case: Case, step: str) -> None:
        self.case = case
        self.error = None
        self.go(step)

    def go(self, step: str) -> None:
        self.step = step


def flow(slot: str, steps: tuple[str, ...]) -> Flow:
    """The visitor's flow with this name."""
    key = f"flow:{slot}"
    if key not in st.session_state:
        st.session_state[key] = Flow(slot, steps)
    found = st.session_state[key]
    assert isinstance(found, Flow)
    return found


def show_steps(current: Flow) -> None:
    """The steps as buttons: where one is, and where one can go."""
    with st.container(horizontal=True, gap="small"):
        for number, step in enumerate(current.steps, start=1):
            here = step == current.step
            st.button(
                f"{number} {step}",
                key=f"{current.slot}:step:{step}",
                type="primary" if here else "secondary",
                disabled=current.case is None and step != PHOTO,
                help="You are here" if here else None,
                on_click=current.go,
                args=(step,),
            )


def show_error(current: Flow) -> None:
    """What went wrong last, as a sentence; it goes away with the next thing that works."""
    if current.error:
        st.error(plain(current.error), icon=":material/error:")


def guarded(current: Flow, action: Callable[[], None]) -> bool:
    """Run something that may refuse its input; what it says becomes the flow's error."""
    try:
        action()
    except CityscanError as error:
        current.error = sentence(error.message)
        return False
    current.error = None
    return True
