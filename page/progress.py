"""Check a game in progress: broken rules, what was played since before, and what may be played now."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import streamlit as st

from engine.documents import position_from_document
from engine.errors import CityscanError, UsageError
from page.board_data import Show, board_data
from page.case import Case
from page.component import mount_board
from page.flow import BOARD, CHECK, PHOTO, PLAY, Flow, guarded
from page.inputs import PHOTO_TYPES, POSITION_TYPES, open_input
from page.profile import chosen_set
from page.steps.first import begin_page, show_first_steps
from page.store import open_store
from page.text import plain

STEPS = (PHOTO, BOARD, CHECK, PLAY)
MOST_SAVED = 50


def show_progress_page() -> None:
    """A photo or position now, perhaps one from before, and what the rules say."""
    current = begin_page("progress", "Check a game in progress", STEPS)
    if not show_first_steps(current, PLAY) and current.case is not None:
        _what_now(current, current.case)


def _what_now(current: Flow, case: Case) -> None:
    verdict, score = case.judged(case.state)
    st.subheader("What may be played now")
    moves = case.game.moves(case.state)
    by_piece = case.kind.heat(moves)
    heat = None
    if by_piece:
        piece = st.selectbox("Piece", list(by_piece), key=f"{case.number}:heat")
        heat = by_piece[piece]
        st.caption(f"{len(heat)} places for {piece}; {len(moves)} legal moves in all.")
    else:
        st.info("Nothing can legally be played any more.")
    show = Show(heat=heat, verdict=verdict)
    mount_board(f"play-{case.number}", board_data(case, case.history, show), lambda _edit: None)
    _before(current, case)
    _setup(current, case)
    st.subheader("What is left in the set")
    st.table(case.kind.left(score.left))
    for note in dict.fromkeys((*verdict.notes, *score.notes)):
        st.caption(plain(note))


def _before(current: Flow, case: Case) -> None:
    st.subheader("What was played since?")
    uploaded = st.file_uploader(
        "The photo or position from before",
        type=[*PHOTO_TYPES, *POSITION_TYPES],
        key=f"{case.number}:before:{current.started}",
    )
    st.button(
        "Remember this position as the one from before",
        key=f"{case.number}:remember",
        on_click=lambda: current.extra.update(before=(case.game_name, case.state)),
    )
    if uploaded is not None:
        earlier = _loaded(current, uploaded.name, uploaded.getvalue(), case)
        if earlier is not None:
            current.extra["before"] = (case.game_name, earlier)
    _saved_before(current, case)
    remembered = current.extra.get("before")
    if remembered is None:
        return
    name, earlier = remembered
    if name != case.game_name:
        st.info("The position from before belongs to another game.")
    elif earlier == case.state:
        st.info("This is the position from before; play on, take a new photo, and come back here.")
    else:
        _comparison(case, earlier)


def _saved_before(current: Flow, case: Case) -> None:
    """A game that was saved earlier may be the position from before."""
    try:
        store = open_store()
        saved = {summary.id: summary for summary in store.list(limit=MOST_SAVED) if summary.game == case.game_name}
        if not saved:
            return
        chosen = st.selectbox(
            "Or a saved game",
            [None, *saved],
            key=f"{case.number}:saved",
            format_func=lambda number: f"{saved[number].title}, {saved[number].created[:10]}" if number else "none",
        )
        if chosen:
            earlier = position_from_document(dict(store.load(chosen).state))
            current.extra["before"] = (case.game_name, earlier.state)
    except (CityscanError, OSError) as error:
        st.caption(plain(f"The saved games could not be opened: {error}"))


def _loaded(current: Flow, name: str, content: bytes, case: Case) -> Any | None:
    """The position in a second upload, which is taken as it is read."""
    try:
        earlier = open_input(name, content, f"{current.slot}-second", profile=chosen_set())
        if earlier.photo is not None and earlier.reading is None:
            raise UsageError(
                f"{earlier.notices[0]} Then remember that position with the button, and open the later photo."
            )
        if earlier.game_name != case.game_name:
            raise UsageError(f"{PurePath(name).name} is a game of {earlier.game.title}, not of {case.game.title}.")
    except CityscanError as error:
        st.error(plain(error.message))
        return None
    return earlier.state


def _comparison(case: Case, earlier: Any) -> None:
    try:
        # The photo from before may have been taken from another side of the table.
        comparisons = [case.game.compare(turned, case.state) for turned in case.game.turns(earlier)]
    except CityscanError as error:
        st.error(plain(error.message))
        return
    comparison = min(comparisons, key=lambda c: (len(c.violations), len(c.steps)))
    if not comparison.steps:
        st.info("Nothing was played in between.")
    for step in comparison.steps:
        if step.legal:
            st.success(plain(f"{step.move.text}: legal"), icon=":material/check:")
        else:
            rule = case.game.rules.get(step.rule or "", "")
            st.error(plain(f"{step.move.text}: breaks [{step.rule}]. {rule}"), icon=":material/close:")
    for violation in comparison.violations:
        st.error(plain(f"[{violation.rule}] {violation.message}"))
    for note in comparison.notes:
        st.caption(plain(note))


def _setup(current: Flow, case: Case) -> None:
    if case.game_name != "alien-city":
        return
    with st.expander("Tiles that towers hide: use a photo of the board before the game"):
        uploaded = st.file_uploader(
            "The photo or position of the empty board",
            type=[*PHOTO_TYPES, *POSITION_TYPES],
            key=f"{case.number}:setup:{current.started}",
        )
        if uploaded is None:
            return
        setup = _loaded(current, uploaded.name, uploaded.getvalue(), case)
        if setup is None:
            return
        if guarded(current, lambda: case.change(case.game.with_setup(case.state, setup))):
            st.success("The tiles that were hidden are filled in.")
        else:
            st.error(plain(current.error or ""))
