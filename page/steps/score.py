"""Step 4: who has how many points, why, and what if."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from engine.sheet import Score, Verdict
from page.board_data import Show, apply_edit, board_data, owner_name, score_lines
from page.boards.base import Question
from page.case import Case, History
from page.component import mount_board
from page.flow import CHECK, SHARE, Flow, guarded
from page.keeping import keep
from page.mistakes import part, safely
from page.text import MOST_NAME, name_of, plain, sentence
from page.widgets import choose, write
from vision.effects import sureness_words

# The last part of a note, if it names the field of a state file that the answer goes to.
_WHERE_IN_FILE = re.compile(r"[;:] [^;:]*\bextras\b.*$", re.DOTALL)


def show_score_step(flow: Flow) -> None:
    """The whole sheet."""
    case = flow.case
    assert case is not None
    st.subheader("The score")
    _sheet(flow)


@part
def _sheet(flow: Flow) -> None:
    case = flow.case
    if case is None:
        return
    with st.container(horizontal=True):
        if st.button("Share", type="primary", key="score:on", icon=":material/arrow_forward:"):
            case.what_if = None
            flow.go(SHARE)
            st.rerun()
        if st.button("Correct the board", key="score:back"):
            case.what_if = None
            flow.go(CHECK)
            st.rerun()
        st.toggle("What if?", key=f"{case.number}:what-if", on_change=safely(_switch_what_if), args=(case,))
    history = case.what_if or case.history
    verdict, score = case.judged(history.moment.state)
    _totals(case, score)
    if case.what_if is not None:
        _what_if_words(case)
    _warnings(case, verdict)
    show = Show(
        editable=case.what_if is not None,
        lines=score_lines(case, score, case.kind.names(case.state)),
        verdict=verdict,
        whole_photo=True,
        summary=_summary(case, score),
    )
    # A what-if board has its own queue of edits, so it is another component.
    key = f"score-{case.number}" if case.what_if is None else f"what-if-{case.number}"
    mount_board(key, board_data(case, history, show), lambda edit: apply_edit(case, history, edit))
    _ending(score)
    _questions(flow, case)
    _notes(case, verdict, score)
    _other_editions(case, score)
    with st.expander("The players' names", expanded=not case.kind.names(case.state)):
        _names(flow, case)
    keep(case)  # the last thing, so that nobody waits for the disk


def _switch_what_if(case: Case) -> None:
    wanted = st.session_state[f"{case.number}:what-if"]
    case.what_if = History.beginning(case.state) if wanted else None
    # The next what-if board begins to count its edits anew.
    st.session_state.pop(f"what-if-{case.number}:ack", None)


def _totals(case: Case, score: Score) -> None:
    names = case.kind.names(case.state)
    base = case.judged(case.state)[1].totals if case.what_if is not None else {}
    with st.container(horizontal=True):
        for owner, points in score.totals.items():
            moved = points - base[owner] if owner in base else None
            low_is_good = case.game_name == "sprawl"
            st.metric(
                plain(owner_name(owner, names)),
                points,
                delta=moved if moved else None,
                delta_color="inverse" if low_is_good else "normal",
                border=True,
                width=170,
            )
    st.markdown(f"**{plain(result_words(case, score))}**")


def result_words(case: Case, score: Score) -> str:
    """Who won, or who is ahead."""
    names = case.kind.names(case.state)
    if score.winner is None:
        return "The game is over: a draw." if score.over else "The game is not over; nobody is ahead."
    winner = owner_name(score.winner, names)
    return f"The game is over: {winner} wins." if score.over else f"The game is not over; {winner} is ahead."


def _summary(case: Case, score: Score) -> str:
    """The totals in a line, for the eyes of somebody who is tapping on the board."""
    names = case.kind.names(case.state)
    base = case.judged(case.state)[1].totals
    parts = []
    for owner, points in score.totals.items():
        moved = points - base.get(owner, points)
        parts.append(f"{owner_name(owner, names)} {points}" + (f" ({moved:+d})" if moved else ""))
    return ", ".join(parts)


def _what_if_words(case: Case) -> None:
    st.info("What if: change lots below and watch the points move. Nothing is kept unless you take it over.")
    with st.container(horizontal=True):
        st.button("Take this over", key="what-if:keep", on_click=safely(_take_over), args=(case,))
        st.button("Put it back", key="what-if:drop", on_click=safely(_put_back), args=(case,))


def _take_over(case: Case) -> None:
    if case.what_if is not None:
        case.change(case.what_if.moment.state)
    _leave_what_if(case)


def _put_back(case: Case) -> None:
    _leave_what_if(case)


def _leave_what_if(case: Case) -> None:
    case.what_if = None
    st.session_state[f"{case.number}:what-if"] = False


def _warnings(case: Case, verdict: Verdict) -> None:
    sureness = case.sureness()
    if sureness is not None and case.what_if is None:
        tell = st.warning if case.doubtful else st.caption
        tell(plain(sureness_words(sureness, [place.replace(":", " ") for place in case.doubtful])))
    if verdict.certainly_illegal:
        st.warning("The board breaks rules (see below); the score is that of the board as it lies.")


def _ending(score: Score) -> None:
    if score.could_play:
        with st.expander("What could still be played"):
            for text in score.could_play:
                st.write(plain(text))


def _notes(case: Case, verdict: Verdict, score: Score) -> None:
    asked = bool(case.kind.questions(case.state))
    notes = [note_for_people(note, asked) for note in dict.fromkeys((*verdict.notes, *score.notes))]
    if notes:
        st.markdown("**Notes**")
        for note in notes:
            st.markdown(f"- {plain(note)}")


def note_for_people(note: str, asked: bool) -> str:
    """A note, without where in a state file the answer goes if the question stands on the page."""
    return sentence(_WHERE_IN_FILE.sub("; say it above.", note) if asked else note)


def _other_editions(case: Case, score: Score) -> None:
    others: Mapping[str, Mapping[str, int]] = score.extra.get("other_editions", {})
    differing = {name: totals for name, totals in others.items() if dict(totals) != dict(score.totals)}
    if not others:
        return
    if not differing:
        st.caption("The other editions give the same result.")
        return
    st.markdown("**Under other editions**")
    names = case.kind.names(case.state)
    for edition, totals in differing.items():
        points = ", ".join(f"{owner_name(owner, names)} {number}" for owner, number in totals.items())
        st.markdown(f"- {plain(f'Edition {edition}: {points}')}")


def _questions(flow: Flow, case: Case) -> None:
    """What the photo cannot show, with the switch to answer it."""
    extras: dict[str, Any] = case.game.dump(case.state).get("extras", {})
    for question in case.kind.questions(case.state):
        field, _, part = question.fact.partition(".")
        current = extras.get(field, {}).get(part, 0) if part else extras.get(field)
        words = next((text for text, value in question.answers.items() if value == current), None)
        choose(
            question.text,
            list(question.answers),
            words,
            f"{case.number}:{question.fact}",
            partial(_answered, flow, case, question),
        )


def _answered(flow: Flow, case: Case, question: Question, words: str) -> None:
    answer(flow, case, question.fact, question.answers[words])


def answer(flow: Flow, case: Case, field: str, value: Any) -> None:
    """Write the answer to a question under the position's extras; ``coup.red`` is one entry of a list."""
    name, _, part = field.partition(".")
    if part:
        value = {**case.game.dump(case.state).get("extras", {}).get(name, {}), part: value}
    guarded(flow, lambda: case.change(case.kind.with_extras(case.state, **{name: value})))


def _names(flow: Flow, case: Case) -> None:
    names = case.kind.names(case.state)
    with st.container(horizontal=True):
        for owner in case.kind.owners(case.state):
            write(
                f"Name of {owner}",
                names.get(owner, ""),
                f"{case.number}:name:{owner}",
                partial(set_name, flow, case, owner),
                MOST_NAME,
            )


def set_name(flow: Flow, case: Case, owner: str, typed: str) -> None:
    """A player's name; an empty one takes it away."""
    names = {**case.kind.names(case.state), owner: name_of(typed)}
    kept = {colour: name for colour, name in names.items() if name}
    guarded(flow, lambda: case.change(case.kind.with_extras(case.state, names=kept)))
