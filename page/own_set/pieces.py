"""A profile of one's own pieces, from photos of the piece-set sheets or of games that were corrected here."""

from __future__ import annotations

import html

import numpy as np
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from calibration.profiles import LONGEST_NAME, built_in_names, load_profile
from calibration.set_profile import SetColours, named_colours
from calibration.sets import Profile
from engine.errors import CityscanError, UsageError
from engine.game import game
from page.inputs import PHOTO_TYPES
from page.mistakes import safely
from page.own_set.labels import labelled_games, title_of
from page.own_set.outcome import Outcome, attempt, each_photo, show_outcome
from page.profile import forget_set, measured_sets
from page.store import open_store
from page.store_export import label_of
from page.text import plain, sentence
from vision.measuring import check_set, keep_set, sheet_colours
from vision.photo import Photo, load_photo
from vision.position_colours import position_colours

PART = "pieces"


def show_pieces() -> None:
    """Photos in, the looks of a set out; and the own sets that are known."""
    st.subheader("Measure the pieces")
    st.markdown(
        "Lay a piece on each place of the game's sheet that your set has, leave the others empty, and photograph the "
        "sheet from straight above with all four markers in the picture. The lamp does not matter; glare does. Several "
        "photos and later ones add up: the sheets of three games make one set."
    )
    name = st.text_input(
        "Name of your set",
        placeholder="my-set",
        max_chars=LONGEST_NAME,
        key="set:pieces:name",
        help="Small letters, digits and hyphens. The name of a set that is there already adds to it.",
    )
    photos = st.file_uploader(
        "Photos of piece-set sheets", type=list(PHOTO_TYPES), accept_multiple_files=True, key="set:pieces:photos"
    )
    games = _games()
    with st.expander("What no photo shows"):
        like = st.selectbox(
            "Thickness, fonts and icon designs are taken from",
            [None, *built_in_names()],
            format_func=lambda choice: choice or "the set whose colours are nearest",
            key="set:pieces:like",
        )
    if st.button("Measure the set", type="primary", disabled=not (photos or games), key="set:pieces:measure"):
        attempt(PART, lambda outcome: _measure(outcome, name.strip(), photos or [], games, like))
    show_outcome(PART)
    _known()


def _games() -> list[str]:
    """Saved games that may take the place of a sheet."""
    saved = labelled_games()
    if not saved:
        return []
    return st.multiselect(
        "Or saved games, whose positions are known",
        list(saved),
        format_func=lambda number: title_of(saved[number]),
        key="set:pieces:games",
        help="Their colours are as the photo shows them: without a white sheet nobody knows the light.",
    )


def _measure(outcome: Outcome, name: str, photos: list[UploadedFile], games: list[str], like: str | None) -> None:
    if not name:
        raise UsageError("your set needs a name; write one above.")
    base = check_set(name, like)

    def colours(photo: Photo, file: str) -> SetColours:
        found = sheet_colours(photo)
        outcome.notes.append(f"{file}: {len(found.seen)} colours of {game(found.game).title}.")
        return found

    measured = each_photo(photos, outcome, "Measuring colours", colours)
    measured += [_saved_colours(number) for number in games]
    if not measured:
        return
    kept = keep_set(name, measured, base)
    outcome.done.append(f'"{name}" is kept. Next: score photos of it, correct them, and let them be learnt from.')
    outcome.notes += map(sentence, kept.notes)


def _saved_colours(number: str) -> SetColours:
    saved = open_store().load(number)
    if saved.photo is None or saved.corners is None:
        raise UsageError(f'"{saved.title}" has no photo with a board on it; choose another game.')
    corners = np.asarray(saved.corners, dtype=np.float64)
    return position_colours(load_photo(saved.photo), label_of(saved), corners)


# --- the sets that are there --------------------------------------------------------------------
def _known() -> None:
    names = measured_sets()
    if not names:
        return
    st.markdown("**Your sets**")
    for name in names:
        with st.container(border=True):
            st.markdown(f"**{plain(name)}**")
            try:
                _colours(load_profile(name))
            except CityscanError as error:
                st.error(plain(error.message))
            _delete(name)


def _colours(profile: Profile) -> None:
    for name in profile.games:
        # Every colour with its name beside it: colour is never the only sign.
        boxes = "".join(
            f'<span style="display:inline-flex;align-items:center;margin:0 0.7rem 0.3rem 0;gap:0.3rem">'
            f'<span style="width:1.1rem;height:1.1rem;border-radius:3px;border:1px solid #8888;'
            f'background:rgb({",".join(str(round(255 * part)) for part in colour)})"></span>{html.escape(what)}</span>'
            for what, colour in named_colours(profile, name).items()
        )
        st.caption(game(name).title)
        st.html(f"<div>{boxes}</div>")


def _delete(name: str) -> None:
    asked = st.session_state.get("set:forget") == name
    label = "Really delete, with what was learnt for it" if asked else "Delete"
    st.button(label, key=f"set:forget:{name}:{asked}", on_click=safely(_forget), args=(name, asked))


def _forget(name: str, sure: bool) -> None:
    if sure:
        forget_set(name)
    st.session_state["set:forget"] = None if sure else name
