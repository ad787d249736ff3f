"""Learning from labelled photos: saved games teach the reader an own set, if held-out photos read better for it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from calibration.profiles import LONGEST_NAME, check_own_name
from engine.errors import Unsupported, UsageError
from engine.game import game
from page import reader
from page.own_set.labels import labelled_games, title_of, write_labels
from page.own_set.outcome import Outcome, attempt, show_outcome
from page.profile import chosen_set, own_sets, read_with
from page.saved_game import Summary
from page.text import plain

if TYPE_CHECKING:
    from vision.adapt.training import Outcome as Learnt
    from vision.adapt.training import Report

PART = "learning"
CARD_WIDTH = 160  # two beside each other on a phone
STAGES = ("Looking at the photos", "Learning, and reading the photos as before", "Reading the photos as learnt")
_REPORT = "learning:report"


def show_learning() -> None:
    """Which photos to learn from, for which set; and whether that made the reading better."""
    st.subheader("Learn from your photos")
    st.markdown(
        "Score photos of your set and correct what was read wrongly: every saved game with a photo is a labelled "
        "photo. Two help already, ten are better, of different positions. Photos are held out in turn to measure "
        "whether reading gets better; if it does not, nothing is changed."
    )
    saved = labelled_games()
    if not saved:
        st.info("No saved game has a photo yet. Score a photo of your set first; it is then listed here.")
        return
    name = st.text_input(
        "Name of your set",
        value=chosen_set() or next(iter(own_sets()), ""),
        placeholder="my-set",
        max_chars=LONGEST_NAME,
        key="set:learn:name",
    ).strip()
    chosen = _photos(saved, name)
    words = "Learn from 1 photo" if len(chosen) == 1 else f"Learn from {len(chosen)} photos"
    if st.button(words, type="primary", disabled=not chosen, key="set:learn:go"):
        st.session_state.pop(_REPORT, None)
        attempt(PART, lambda outcome: _learn(outcome, name, chosen))
    show_outcome(PART)
    _show_report()


def _photos(saved: dict[str, Summary], name: str) -> list[str]:
    """The games to learn from. Photos of another set are left out unless somebody puts them in."""
    st.markdown("**Labelled photos** (tick those that show your set and whose positions are right)")
    chosen = []
    with st.container(horizontal=True):
        for number, summary in saved.items():
            with st.container(width=CARD_WIDTH):
                if summary.thumbnail is not None:
                    st.image(summary.thumbnail)
                fits = summary.profile in (None, name)
                # The name is part of the key: for another set other photos fit.
                if st.checkbox(plain(title_of(summary)), value=fits, key=f"set:learn:{name}:{number}"):
                    chosen.append(number)
    return chosen


def _learn(outcome: Outcome, name: str, games: list[str]) -> None:
    if not name:
        raise UsageError("your set needs a name; write one above.")
    check_own_name(name)
    if not reader.readable_games():
        raise Unsupported("nothing can be learnt with this version: no networks are installed.")
    from vision.adapt.training import learn_set

    with tempfile.TemporaryDirectory() as folder, _bar(len(games)) as advance:
        write_labels(games, Path(folder))
        report = learn_set(Path(folder), name, advance=advance)
    st.session_state[_REPORT] = report
    outcome.refused += [f"{photo.photo.name} was left out: {photo.problem}" for photo in report.left_out]
    if any(learnt.kept for learnt in report.outcomes):
        read_with(name)
        outcome.done.append(f'What was learnt is kept, and your photos are read with "{name}" from now on.')


@contextmanager
def _bar(photos: int) -> Iterator[Callable[[], None]]:
    """What moves a progress bar on; every photo is looked at, read as before and read as learnt. Photos that are left
    out, or from which nothing can be learnt, end earlier, so the bar goes when the work is over."""
    bar, done = st.progress(0.0, STAGES[0]), 0

    def advance() -> None:
        nonlocal done
        done += 1
        bar.progress(min(1.0, done / (3 * photos)), STAGES[min(2, done // photos)])

    try:
        yield advance
    finally:
        bar.empty()


def _show_report() -> None:
    report: Report | None = st.session_state.get(_REPORT)
    if report is None:
        return
    st.markdown("**Photos that were held out, before and after**")
    st.table([_row(learnt) for learnt in report.outcomes])
    for learnt in report.outcomes:
        title = game(learnt.game).title
        if learnt.earlier is not None:
            old, new = learnt.earlier
            photos = "1 photo" if old.boards == 1 else f"{old.boards} photos"
            told = f"on {photos}: {old.wrong} wrong then, {new.wrong} now."
            st.caption(f"{title}: lots against what was learnt earlier, {told}")
        if not learnt.kept:
            st.info(f"{title}: nothing is changed. {_why_not(learnt)}")


def _row(learnt: Learnt) -> dict[str, str]:
    before, after = learnt.before, learnt.after
    return {
        "game": game(learnt.game).title,
        "photos": str(learnt.photos),
        "lots read wrongly": f"{before.wrong} of {before.cells}, then {after.wrong}",
        "boards without a mistake": f"{before.faultless} of {before.boards}, then {after.faultless}",
        "kept": "yes" if learnt.kept else "no",
    }


def _why_not(learnt: Learnt) -> str:
    if not learnt.questions:
        return "There was nothing to learn: these photos are read well already."
    return "Reading did not get better; take more photos, of different positions."
