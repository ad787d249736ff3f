"""Check a game in progress: broken rules, what was played since before, and what may be played now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

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
from page.text import plain, sentence
from vision.setup import fill_from_setup

STEPS = (PHOTO, BOARD, CHECK, PLAY)
MOST_SAVED = 50
MOST_DOUBTS = 5
MOST_SECOND = 3  # photos are large


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
        earlier = _loaded(current, uploaded, case)
        if earlier is not None:
            _take_if_new(current, "upload", uploaded.file_id, earlier.state, case)
            _tell_doubts(earlier)
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
    key = f"{case.number}:saved"
    earlier = _saved_choice(case, "Or a saved game", key)
    if earlier is not None:
        _take_if_new(current, "saved", str(st.session_state[key]), earlier, case)


def _saved_choice(case: Case, label: str, key: str) -> Any | None:
    """The position of a saved game of the same kind, if somebody chooses one."""
    try:
        store = open_store()
        saved = {summary.id: summary for summary in store.list(limit=MOST_SAVED) if summary.game == case.game_name}
        if not saved:
            return None
        chosen = st.selectbox(
            label,
            [None, *saved],
            key=key,
            format_func=lambda number: f"{saved[number].title}, {saved[number].created[:10]}" if number else "none",
        )
        return position_from_document(dict(store.load(chosen).state)).state if chosen else None
    except (CityscanError, OSError) as error:
        st.caption(plain(f"The saved games could not be opened: {error}"))
        return None


def _take_if_new(current: Flow, source: str, number: str, earlier: Any, case: Case) -> None:
    """What was chosen last is the position from before, wherever it came from; a file that is still there is not."""
    mark = f"before:{source}"
    if current.extra.get(mark) != number:
        current.extra[mark] = number
        current.extra["before"] = (case.game_name, earlier)


def _loaded(current: Flow, uploaded: UploadedFile, case: Case) -> Case | None:
    """A second upload, which is taken as it is read, and read once: it stays on the page while people click."""
    key = ("second", uploaded.file_id, chosen_set())
    try:
        if key not in current.extra:
            for old in [kept for kept in current.extra if isinstance(kept, tuple)][: -MOST_SECOND + 1]:
                del current.extra[old]
            with st.spinner("Reading"):
                number = f"{current.slot}-second"
                current.extra[key] = open_input(uploaded.name, uploaded.getvalue(), number, profile=chosen_set())
        earlier: Case = current.extra[key]
        if earlier.photo is not None and earlier.reading is None:
            raise UsageError(
                f"{earlier.notices[0]} Then remember that position with the button, and open the later photo."
            )
        if earlier.game_name != case.game_name:
            name = PurePath(uploaded.name).name
            raise UsageError(f"{name} is a game of {earlier.game.title}, not of {case.game.title}.")
    except CityscanError as error:
        st.error(plain(sentence(error.message)))
        return None
    return earlier


def _tell_doubts(earlier: Case) -> None:
    """A step that nobody made may be a mistake of the reader: say where it was not sure."""
    if earlier.doubtful:
        places = ", ".join(place.replace(":", " ") for place in earlier.doubtful[:MOST_DOUBTS])
        more = f" and {len(earlier.doubtful) - MOST_DOUBTS} more" if len(earlier.doubtful) > MOST_DOUBTS else ""
        st.warning(
            f"The photo from before was read with doubts ({places}{more}). If what is said below is not what was "
            "played, score that photo first, correct it, and choose it here as a saved game."
        )


def _comparison(case: Case, earlier: Any) -> None:
    try:
        comparison = case.game.compare_from_any_side(earlier, case.state)
    except CityscanError as error:
        st.error(plain(error.message))
        return
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
        if uploaded is not None:
            setup = _loaded(current, uploaded, case)
            if setup is not None:
                _fill(current, case, setup.state, setup.doubtful)
        saved = _saved_choice(case, "Or a saved game", f"{case.number}:setup-saved")
        if saved is not None:
            _fill(current, case, saved, ())


def _fill(current: Flow, case: Case, setup: Any, doubtful: Sequence[str]) -> None:
    def change() -> None:
        filled = fill_from_setup(case.game, case.state, setup, case.doubtful, doubtful)
        moment = case.history.moment
        case.history.add(replace(moment, state=filled.state, confirmed=moment.confirmed | filled.settled))

    before = case.state
    if guarded(current, change):
        if case.state != before:
            st.rerun()  # what may be played was shown without these tiles
        st.success("The tiles that were hidden are filled in.")
    else:
        st.error(plain(current.error or ""))
        current.error = None  # it is told here, not above the page
