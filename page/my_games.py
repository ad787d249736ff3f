"""My games: the list of what was scored on this server, to be opened, exported or deleted."""

from __future__ import annotations

from functools import partial

import streamlit as st

from engine.errors import CityscanError
from engine.game import game
from page.flow import SCORE, flow
from page.keeping import reopened
from page.saved_game import Summary
from page.scoring import STEPS
from page.store import Store, open_store
from page.text import plain

PER_PAGE = 12
MOST_FOR_TRAINING = 1000


def show_my_games() -> None:
    """Thumbnails, search, and what to do with each game."""
    st.title("My games")
    st.caption("Saved games are kept on this computer and shared by all who use this server.")
    try:
        _list(open_store())
    except (CityscanError, OSError) as error:
        st.error(plain(f"The saved games could not be opened: {error}"))


def _list(store: Store) -> None:
    query = st.text_input("Search", key="games:search", placeholder="a name, a game, a date", max_chars=80)
    start = int(st.session_state.get("games:start", 0))
    found = store.list(query, PER_PAGE + 1, start)
    if not found:
        st.info("No game fits." if query else "Nothing has been scored yet. Every scored game is kept here.")
    for summary in found[:PER_PAGE]:
        _entry(store, summary)
    with st.container(horizontal=True):
        if start:
            st.button("Newer games", on_click=_turn_to, args=(start - PER_PAGE,), key="games:newer")
        if len(found) > PER_PAGE:
            st.button("Older games", on_click=_turn_to, args=(start + PER_PAGE,), key="games:older")
    _training(store, query)


def _turn_to(start: int) -> None:
    st.session_state["games:start"] = max(0, start)


def _entry(store: Store, summary: Summary) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        if summary.thumbnail is not None:
            st.image(summary.thumbnail, width=110)
        with st.container(width=330):
            totals = ", ".join(
                f"{summary.names.get(owner) or owner} {points}" for owner, points in summary.totals.items()
            )
            st.markdown(f"**{plain(summary.title)}**")
            st.caption(plain(f"{game(summary.game).title}, {summary.created[:16].replace('T', ' ')}. {totals}"))
        if st.button("Open", key=f"games:open:{summary.id}"):
            _open(store, summary.id)
        # The file is made when somebody presses the button, not for every game in the list.
        content = partial(store.export, summary.id)
        st.download_button("Export", content, f"{summary.id}.zip", "application/zip", key=f"games:export:{summary.id}")
        if st.session_state.get("games:delete") == summary.id:
            if st.button("Really delete", key=f"games:sure:{summary.id}", type="primary"):
                store.delete(summary.id)
                st.rerun()
        else:
            st.button("Delete", key=f"games:delete:{summary.id}", on_click=_ask_about, args=(summary.id,))


def _ask_about(number: str) -> None:
    st.session_state["games:delete"] = number


def _open(store: Store, number: str) -> None:
    current = flow("score", STEPS)
    current.open(reopened(store.load(number), current.next_number()), SCORE)
    from page.main import page_named

    st.switch_page(page_named("score"))


def _training(store: Store, query: str) -> None:
    ids = [summary.id for summary in store.list(query, MOST_FOR_TRAINING) if summary.has_photo]
    if not ids:
        return
    st.subheader("Teach Cityscan your set")
    st.caption("Photos with their corrected positions, as the training of the reader takes them.")
    which = "the game with a photo" if len(ids) == 1 else f"all {len(ids)} games with photos"
    st.download_button(
        f"Export {which} as training data",
        partial(store.export_training, ids),
        "cityscan-training.zip",
        "application/zip",
        key="games:training",
    )
