"""Step 2: where the board is, which way round, which game and edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from engine.errors import CityscanError
from engine.game import game, game_names
from page import reader
from page.case import Case, History
from page.component import mount_outline, picture_url
from page.flow import CHECK, Flow, guarded
from page.inputs import hints, read_case
from page.mistakes import part, safely
from page.profile import choose_set, chosen_set
from page.settings import show_settings
from page.text import plain, sentence
from page.turning import rotate


def show_outline_step(flow: Flow) -> None:
    """The outline on the photo, and what the photo does not tell."""
    case = flow.case
    assert case is not None
    if case.photo is None:
        st.subheader("Game and rules")
        _game_choice(flow, case)
        show_settings(flow, case)
        st.button("Check the pieces", type="primary", on_click=flow.go, args=(CHECK,))
        return
    st.subheader("Is this the board?")
    _notices(case)
    left, right = st.columns([3, 2])
    with left:
        _outline(flow)
    with right:
        _game_choice(flow, case)
        _set_choice(case)
        show_settings(flow, case)


@part
def _outline(flow: Flow) -> None:
    case = flow.case
    if case is None or case.photo is None or case.corners is None:
        return
    with st.container(horizontal=True):
        if st.button("Check the pieces", type="primary", key="outline:on"):
            flow.go(CHECK)
            st.rerun()
        turn = "Turn by half" if case.kind.turn_step == 2 else "Turn by a quarter"
        st.button(turn, icon=":material/rotate_right:", on_click=safely(rotate), args=(case,), key="outline:turn")
        if case.game_name in reader.readable_games():
            read_again = st.button("Read again with this outline", key="outline:read")
            if read_again and guarded(flow, lambda: _read_again(flow, case)):
                st.rerun()
    if flow.error:
        st.error(plain(flow.error))
    mount_outline(f"outline-{case.number}", _outline_data(case), lambda edit: move_corners(case, edit))
    for hint in hints(case, outline=True):
        st.warning(hint, icon=":material/lightbulb:")


def _outline_data(case: Case) -> dict[str, Any]:
    picture = case.photo_picture()
    assert picture is not None
    assert case.photo is not None
    assert case.corners is not None
    jpeg, scale = picture
    height, width = case.photo.pixels.shape[:2]
    columns, rows = case.kind.size(case.state)
    return {
        "url": picture_url(jpeg, f"photo-{case.number}"),
        "width": round(width * scale),
        "height": round(height * scale),
        "corners": (case.corners * scale).tolist(),
        "columns": columns,
        "rows": rows,
    }


def move_corners(case: Case, edit: Mapping[str, Any]) -> None:
    """Corners as they were dragged; numbers that make no outline are left aside."""
    picture = case.photo_picture()
    try:
        corners = np.array(edit["corners"], dtype=np.float64).reshape(4, 2)
    except (KeyError, TypeError, ValueError):
        return
    if picture is not None and np.isfinite(corners).all() and is_outline(corners):
        case.corners = corners / picture[1]


def is_outline(corners: np.typing.NDArray[np.float64]) -> bool:
    """Whether the four points go once round a shape that bulges outwards everywhere, as any photo of a board does."""
    sides = np.roll(corners, -1, axis=0) - corners
    ahead = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * ahead[:, 1] - sides[:, 1] * ahead[:, 0]
    return bool((turns > 1.0).all())


def _read_again(flow: Flow, case: Case) -> None:
    assert case.photo is not None
    assert case.corners is not None
    board = case.kind.size(case.state) if case.game_name == "sprawl" else None
    number, own = flow.next_number(), chosen_set()
    fresh = read_case(case.photo, case.photo_name, number, case.game_name, case.corners, board, own)
    flow.open(fresh, CHECK)


def _game_choice(flow: Flow, case: Case) -> None:
    key = f"{case.number}:game"
    st.session_state[key] = case.game_name
    st.selectbox(
        "Game",
        game_names(),
        key=key,
        format_func=lambda name: game(name).title,
        on_change=safely(lambda: change_game(flow, case, st.session_state[key])),
    )


def _set_choice(case: Case) -> None:
    """Which of the visitor's own sets lies there. What was read and corrected stays until it is read again."""

    def changed() -> None:
        case.profile = chosen_set()

    if choose_set(case.number, changed) and case.reading is not None:
        st.caption("Another set is used when the photo is read again.")


def change_game(flow: Flow, case: Case, name: str) -> None:
    """Another game on the same photo: read again where that is possible, else an empty board of it."""
    if name == case.game_name:
        return
    fresh = Case(
        flow.next_number(), name, History.beginning(game(name).empty()), case.photo, case.photo_name, case.corners
    )
    if case.photo is not None and name in reader.readable_games():
        try:
            fresh = read_case(case.photo, case.photo_name, fresh.number, name, case.corners, profile=chosen_set())
        except CityscanError as error:
            fresh.notices.append(sentence(error.message))
    flow.case = fresh


def _notices(case: Case) -> None:
    for notice in case.notices:
        st.info(plain(notice))
