"""Step 5: the result as a picture, a sheet for the printer, and the position as a file."""

from __future__ import annotations

import json
from dataclasses import dataclass

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
    # Everything is made before anything is shown: a row of buttons that fills slowly would stand among what is left of
    # the step before.
    with st.spinner("Drawing the picture"):
        keep(case)
        picture = shared_picture(case)
        files, missing = _files(case)
    with st.container(horizontal=True):
        name = f"{case.game_name}-result.png"
        st.download_button("Picture of the result", picture, name, "image/png", type="primary", icon=":material/image:")
        for file in files:
            st.download_button(file.label, file.content, file.name, file.kind, icon=file.icon)
    for sentence in missing:
        st.caption(plain(sentence))
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


@dataclass(frozen=True, slots=True)
class _File:
    """Something to download."""

    label: str
    content: str
    name: str
    kind: str
    icon: str | None = None


def _files(case: Case) -> tuple[list[_File], list[str]]:
    """The files that the result can be handed on as, and a sentence for each that there cannot be."""
    verdict, score = case.judged(case.state)
    name = case.game_name
    sheet = sheet_html(case.game, case.state, score, verdict, case.kind.names(case.state))
    document = json.dumps(case.game.dump(case.state), indent=1, ensure_ascii=False)
    found = [
        _File("Sheet to print", sheet, f"{name}-sheet.html", "text/html", ":material/print:"),
        _File("Position (JSON)", document, f"{name}.json", "application/json"),
        _File("Position (text)", case.game.diagram(case.state), f"{name}.txt", "text/plain"),
    ]
    suffix = case.game.record_suffix
    if suffix is None:
        return found, []
    try:
        record = case.game.dump_record(case.state)
    except CityscanError as error:
        return found, [f"There is no game record: {error.message}"]
    return [*found, _File(f"Game record ({suffix[1:].upper()})", record, f"{name}{suffix}", "text/plain")], []


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
