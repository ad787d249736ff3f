"""My games: the list of what was scored on this server, to be opened, exported or deleted."""

from __future__ import annotations

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
    _training(store, found[:PER_PAGE])


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
        if st.session_state.get("games:export") == summary.id:
            st.download_button("Download", store.export(summary.id), f"{summary.id}.zip", "application/zip")
        else:
            st.button("Export", key=f"games:export:{summary.id}", on_click=_choose, args=("games:export", summary.id))
        if st.session_state.get("games:delete") == summary.id:
            if st.button("Really delete", key=f"games:sure:{summary.id}", type="primary"):
                store.delete(summary.id)
                st.rerun()
        else:
            st.button("Delete", key=f"games:delete:{summary.id}", on_click=_choose, args=("games:delete", summary.id))


def _choose(key: str, value: str) -> None:
    st.session_state[key] = value


def _open(store: Store, number: str) -> None:
    current = flow("score", STEPS)
    current.open(reopened(store.load(number), current.next_number()), SCORE)
    from page.main import page_named

    st.switch_page(page_named("score"))


def _training(store: Store, found: list[Summary]) -> None:
    ids = [summary.id for summary in found if summary.has_photo]
    if not ids:
        return
    st.subheader("Teach Cityscan your set")
    if st.session_state.get("games:training"):
        content = store.export_training(ids)
        st.download_button("Download the training data", content, "cityscan-training.zip", "application/zip")
    else:
        words = f"Export the {len(ids)} games with photos on this page as training data"
        st.button(words, key="games:train", on_click=_choose, args=("games:training", "yes"))
