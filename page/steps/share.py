"""Step 5: the result as a picture, the position as a file, and a sheet for the printer."""

from __future__ import annotations

import json

import streamlit as st

from engine.errors import CityscanError
from page.board_data import Show, board_data, owner_name
from page.case import Case
from page.component import mount_board
from page.flow import PHOTO, SCORE, Flow
from page.keeping import keep
from page.steps.score import result_words
from page.text import plain


def show_share_step(flow: Flow) -> None:
    """Downloads, and the sheet as it prints."""
    case = flow.case
    assert case is not None
    st.subheader("Share the result")
    keep(case)
    with st.container(horizontal=True):
        _picture(case)
        _files(case)
    with st.container(horizontal=True):
        st.button("Back to the score", on_click=flow.go, args=(SCORE,), key="share:back")
        st.button("Score another photo", on_click=flow.go, args=(PHOTO,), key="share:again")
    st.caption("The game is kept under My games. To print this sheet, use the browser's print command.")
    _sheet(case)


def _picture(case: Case) -> None:
    try:
        from page.share import result_picture
    except ImportError:
        return
    _, score = case.judged(case.state)
    pixels = None if case.photo is None else case.photo.pixels
    picture = result_picture(pixels, case.corners, case.game, case.state, score, case.kind.names(case.state))
    st.download_button("Picture of the result (PNG)", picture, f"{case.game_name}-result.png", "image/png")
    st.session_state[f"{case.number}:picture"] = picture


def _files(case: Case) -> None:
    document = json.dumps(case.game.dump(case.state), indent=1, ensure_ascii=False)
    st.download_button("Position (JSON)", document, f"{case.game_name}.json", "application/json")
    st.download_button("Position (text)", case.game.diagram(case.state), f"{case.game_name}.txt", "text/plain")
    if case.game.record_suffix is None:
        return
    try:
        record = case.game.dump_record(case.state)
    except CityscanError as error:
        st.caption(plain(f"No game record: {error.message}"))
        return
    suffix = case.game.record_suffix
    st.download_button(f"Game record ({suffix[1:].upper()})", record, f"{case.game_name}{suffix}", "text/plain")


def _sheet(case: Case) -> None:
    verdict, score = case.judged(case.state)
    names = case.kind.names(case.state)
    st.markdown(f"### {plain(case.game.title)}: {plain(result_words(case, score))}")
    totals = ", ".join(f"{owner_name(owner, names)} {points}" for owner, points in score.totals.items())
    st.markdown(plain(totals))
    st.table(
        [
            {"for": owner_name(item.owner, names), "what": item.kind, "reckoning": item.text, "points": item.points}
            for item in score.items
        ]
    )
    picture = st.session_state.get(f"{case.number}:picture")
    if picture is not None:
        st.image(picture, caption="The picture to share")
    mount_board(f"sheet-{case.number}", board_data(case, case.history, Show(verdict=verdict)), lambda _edit: None)
