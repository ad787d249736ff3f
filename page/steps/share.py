"""Step 5: the result as a picture, a sheet for the printer, and the position as a file."""

from __future__ import annotations

import json

import streamlit as st

from engine.errors import CityscanError
from page.board_data import owner_name
from page.case import Case
from page.flow import PHOTO, SCORE, Flow
from page.keeping import keep
from page.share import result_picture, sheet_html
from page.steps.score import result_words
from page.text import plain


def show_share_step(flow: Flow) -> None:
    """Downloads, and the result as others will see it."""
    case = flow.case
    assert case is not None
    st.subheader("Share the result")
    keep(case)
    picture = shared_picture(case)
    with st.container(horizontal=True):
        st.download_button(
            "Picture of the result",
            picture,
            f"{case.game_name}-result.png",
            "image/png",
            type="primary",
            icon=":material/image:",
        )
        _files(case)
    with st.container(horizontal=True):
        st.button("Back to the score", on_click=flow.go, args=(SCORE,), key="share:back")
        st.button("Score another photo", on_click=flow.go, args=(PHOTO,), key="share:again")
    if case.saved_as:
        st.caption("The game is kept under My games.")
    st.image(picture, caption=plain(result_words(case, case.judged(case.state)[1])))
    _table(case)


def shared_picture(case: Case) -> bytes:
    """The picture, drawn again only when the position has changed."""
    _, score = case.judged(case.state)
    photo = case.photo
    pixels, focal = (None, None) if photo is None else (photo.pixels, photo.focal_px)
    names = case.kind.names(case.state)
    return case.picture_of(
        "result", lambda: result_picture(pixels, case.corners, case.game, case.state, score, names, focal)
    )


def _files(case: Case) -> None:
    verdict, score = case.judged(case.state)
    name = case.game_name
    sheet = sheet_html(case.game, case.state, score, verdict, case.kind.names(case.state))
    st.download_button("Sheet to print", sheet, f"{name}-sheet.html", "text/html", icon=":material/print:")
    document = json.dumps(case.game.dump(case.state), indent=1, ensure_ascii=False)
    st.download_button("Position (JSON)", document, f"{name}.json", "application/json")
    st.download_button("Position (text)", case.game.diagram(case.state), f"{name}.txt", "text/plain")
    suffix = case.game.record_suffix
    if suffix is None:
        return
    try:
        record = case.game.dump_record(case.state)
    except CityscanError as error:
        st.caption(plain(f"There is no game record: {error.message}"))
        return
    st.download_button(f"Game record ({suffix[1:].upper()})", record, f"{name}{suffix}", "text/plain")


def _table(case: Case) -> None:
    _, score = case.judged(case.state)
    names = case.kind.names(case.state)
    st.table(
        [
            {
                "for": plain(owner_name(item.owner, names)),
                "what": item.kind,
                "reckoning": plain(item.text),
                "points": str(item.points),
            }
            for item in score.items
        ]
    )
