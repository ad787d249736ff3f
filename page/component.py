"""The two pieces of the page that Streamlit does not have: the clickable board and the draggable outline.

Their HTML, CSS and JavaScript are the files in ``page/frontend``. They get plain JSON and send back a list of edits,
each with a number; what Python has applied it acknowledges with the number of the last one.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from page.mistakes import safely

BOARD = "cityscan_board"
OUTLINE = "cityscan_outline"
_SCRIPTS = {
    BOARD: ("symbols.js", "queue.js", "board.js", "panel.js", "main.js"),
    OUTLINE: ("symbols.js", "queue.js", "outline.js"),
}
_SHEETS = {BOARD: "board", OUTLINE: "outline"}


@cache
def _text(name: str) -> str:
    return (files("page") / "frontend" / name).read_text(encoding="utf-8")


def _mount(component: str, key: str, data: Mapping[str, Any], on_edits: Callable[[], None]) -> None:
    # Registering again on every run costs nothing when nothing changed, and survives a restarted server.
    renderer = st.components.v2.component(
        component,
        html=_text(f"{_SHEETS[component]}.html"),
        css=_text(f"{_SHEETS[component]}.css"),
        js="\n".join(_text(name) for name in _SCRIPTS[component]),
    )
    renderer(key=key, data=dict(data), on_edits_change=on_edits)


def mount_board(key: str, data: Mapping[str, Any], apply: Callable[[Mapping[str, Any]], None]) -> None:
    """Show the clickable board; ``apply`` gets each new edit once, in order."""
    _mount(BOARD, key, {**data, "key": key, "ack": acknowledged(key)}, safely(lambda: receive(key, apply)))


def mount_outline(key: str, data: Mapping[str, Any], apply: Callable[[Mapping[str, Any]], None]) -> None:
    """Show the photo with the board's four corners to drag."""
    _mount(OUTLINE, key, {**data, "key": key, "ack": acknowledged(key)}, safely(lambda: receive(key, apply)))


def acknowledged(key: str) -> int:
    """The number of the last edit that was applied."""
    return int(st.session_state.get(f"{key}:ack", 0))


def receive(key: str, apply: Callable[[Mapping[str, Any]], None]) -> None:
    """Apply what is newer than the last acknowledged edit. A malformed list is left aside: it is not ours."""
    sent = st.session_state.get(key) or {}
    edits = sent.get("edits") if isinstance(sent, Mapping) else None
    for edit in edits if isinstance(edits, list) else []:
        number = edit.get("seq") if isinstance(edit, Mapping) else None
        if isinstance(number, int) and number > acknowledged(key):
            # First the number: an edit that fails would otherwise come again with every click.
            st.session_state[f"{key}:ack"] = number
            apply(edit)


def picture_url(jpeg: bytes, name: str) -> str:
    """Where the browser finds a picture: at the server's own media address, so that a click need not send it again."""
    try:
        from streamlit.runtime import exists, get_instance

        if exists():
            return str(get_instance().media_file_mgr.add(jpeg, "image/jpeg", name))
    except (ImportError, AttributeError, TypeError):
        pass  # another version of Streamlit: the picture then travels with the data
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")
