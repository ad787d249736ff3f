"""Step 3: what was read, over the straightened photo, to be looked at and corrected."""

from __future__ import annotations

import streamlit as st

from page.board_data import Show, apply_edit, board_data
from page.case import Case
from page.component import mount_board
from page.flow import BOARD, Flow
from page.inputs import hints
from page.mistakes import part
from page.text import plain


def show_check_step(flow: Flow, following: str) -> None:
    """The board with everything that can be changed on it."""
    case = flow.case
    assert case is not None
    st.subheader("Is everything right?")
    if case.reading is not None and hints(case, outline=True):
        with st.expander("The photo could be better"):
            for hint in hints(case, outline=True):
                st.write(hint)
    _board(flow, following)


@part
def _board(flow: Flow, following: str) -> None:
    case = flow.case
    if case is None:
        return
    with st.container(horizontal=True):
        if st.button(following, type="primary", key="check:on", icon=":material/arrow_forward:"):
            case.notices.clear()
            flow.go(following)
            st.rerun()
        words = "Outline, game and edition" if case.photo is not None else "Game and edition"
        if st.button(words, key="check:back"):
            flow.go(BOARD)
            st.rerun()
    for notice in case.notices[-3:]:
        st.info(plain(notice))
    show_board(case)


def show_board(case: Case) -> None:
    """The clickable board, with doubts, stock and broken rules."""
    verdict, _ = case.judged(case.state)
    show = Show(editable=True, doubts=True, verdict=verdict)
    data = board_data(case, case.history, show)
    mount_board(f"board-{case.number}", data, lambda edit: apply_edit(case, case.history, edit))
