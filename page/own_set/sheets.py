"""The sheets to print."""

from __future__ import annotations

import streamlit as st

from calibration.set_sheet import SHEETS
from calibration.sheets import LENS_SQUARE_MM, PAPERS, sheets
from engine.game import game

PAPER_NAMES = {"a4": "A4", "letter": "US Letter"}


def show_sheets() -> None:
    """A sheet for the camera and one for the pieces of each game, as PDF."""
    st.subheader("Print the sheets")
    st.markdown(
        "Print them at 100 %, without *fit to page*. "
        f"A square of the lens sheet is then {LENS_SQUARE_MM:g} mm wide; lay a ruler beside it."
    )
    paper = st.radio("Paper", list(PAPERS), format_func=PAPER_NAMES.__getitem__, horizontal=True, key="set:paper")
    with st.container(horizontal=True):
        for name, content in _sheets(paper).items():
            st.download_button(
                _title(name), content, name, "application/pdf", key=f"set:sheet:{name}", icon=":material/print:"
            )
    st.caption("The lens sheet is for the camera, which is optional. The others have a place for each kind of piece.")


@st.cache_data(show_spinner=False)
def _sheets(paper: str) -> dict[str, bytes]:
    return sheets(paper)


def _title(file_name: str) -> str:
    games = (sheet.game for sheet in SHEETS.values())
    found = next((game(name).title for name in games if f"-{name}-" in file_name), None)
    return "Lens sheet" if found is None else f"Pieces of {found}"
