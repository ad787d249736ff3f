"""My set: Cityscan learns one's own camera, pieces and photos, one part after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from page.own_set.camera import show_camera
from page.own_set.learning import show_learning
from page.own_set.networks import show_networks
from page.own_set.pieces import show_pieces
from page.own_set.sheets import show_sheets

PARTS: Mapping[str, Callable[[], None]] = {
    "Sheets": show_sheets,
    "Camera": show_camera,
    "Pieces": show_pieces,
    "Learn": show_learning,
    "Networks": show_networks,
}
_PART = "set:part"


def show_my_set() -> None:
    """The part that the visitor is at."""
    st.title("My set")
    st.caption(
        "Other tiles, other pyramids, another board: Cityscan can learn how yours look. What is measured and learnt is "
        "kept on this computer, shared by all who use this server, and changes nothing where your set is not chosen."
    )
    here = str(st.session_state.get(_PART, next(iter(PARTS))))
    with st.container(horizontal=True, gap="small"):
        for number, name in enumerate(PARTS, start=1):
            st.button(
                f"{number} {name}",
                key=f"set:go:{name}",
                type="primary" if name == here else "secondary",
                help="You are here" if name == here else None,
                on_click=_go,
                args=(name,),
            )
    PARTS[here]()


def _go(name: str) -> None:
    st.session_state[_PART] = name
