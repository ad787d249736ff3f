"""Step 1: a photo, a sample, a position in a file, or an empty board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import streamlit as st

from engine.game import game, game_names
from page.case import Case, History, jpeg_of
from page.flow import BOARD, CHECK, Flow, guarded
from page.inputs import PHOTO_TYPES, POSITION_TYPES, open_input, sample_photos
from page.profile import choose_set, chosen_set
from vision.photo import load_photo

THUMBNAIL_SIDE = 320
CARD_WIDTH = 160  # two beside each other on a phone


def show_photo_step(flow: Flow) -> None:
    """Everything one can begin with."""
    st.subheader("Photograph the board")
    uploaded = st.file_uploader(
        "A photo of the board, or a position (.json, .txt, .ppn)",
        type=[*PHOTO_TYPES, *POSITION_TYPES],
        key=f"{flow.slot}:upload:{flow.started}",
        help="On a phone this opens the camera or your photos.",
    )
    if uploaded is not None:
        begin(flow, uploaded.name, uploaded.getvalue())
    choose_set(flow.slot)
    st.caption("From above, the whole board in the picture with a little table around it, sharp, in even light.")
    _samples(flow)
    _empty_board(flow)
    if flow.case is not None:
        st.button("Back to the board that is open", on_click=flow.go, args=(CHECK,), key=f"{flow.slot}:back")


def begin(flow: Flow, name: str, content: bytes) -> None:
    """Open what was handed in and go on to the first step that needs a person."""
    bar = st.progress(0.0, "Opening")

    def progress(share: float, words: str) -> None:
        bar.progress(share, words)

    def work() -> None:
        case = open_input(name, content, flow.next_number(), progress, chosen_set())
        flow.open(case, CHECK if case.reading or case.photo is None else BOARD)

    done = guarded(flow, work)
    bar.empty()
    if not done:
        # A new key empties the uploader, so that the refused file does not come back with every click.
        flow.started += 1
    st.rerun()


def _samples(flow: Flow) -> None:
    paths = sample_photos()
    if not paths:
        return
    st.subheader("Or try a sample")
    with st.container(horizontal=True):
        for path in paths:
            with st.container(width=CARD_WIDTH):
                st.image(_thumbnail(str(path), path.stat().st_mtime_ns))
                name = path.stem.replace("-", " ").replace("_", " ")
                if st.button(name, key=f"{flow.slot}:sample:{path.name}", width="stretch"):
                    begin(flow, path.name, path.read_bytes())


@st.cache_data(max_entries=40, show_spinner=False)
def _thumbnail(path: str, changed: int) -> bytes:  # noqa: ARG001  (a changed file is another thumbnail)
    pixels = load_photo(Path(path), THUMBNAIL_SIDE).pixels
    side = min(pixels.shape[:2])  # the middle square: photos of all shapes then stand in one row
    top, left = (pixels.shape[0] - side) // 2, (pixels.shape[1] - side) // 2
    return jpeg_of(np.ascontiguousarray(pixels[top : top + side, left : left + side]), 80, THUMBNAIL_SIDE / side)


def _empty_board(flow: Flow) -> None:
    st.subheader("Or place the pieces by hand")
    with st.container(horizontal=True):
        for name in game_names():
            if st.button(f"Empty {game(name).title} board", key=f"{flow.slot}:empty:{name}"):
                flow.open(Case(flow.next_number(), name, History.beginning(game(name).empty())), CHECK)
                st.rerun()
