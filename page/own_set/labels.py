"""Labelled photos: saved games whose photo has a board on it, with the position as it was corrected."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from engine.errors import CityscanError
from engine.game import game
from page.saved_game import Summary
from page.store import open_store
from page.store_export import training_files
from page.text import plain

MOST_LISTED = 200


def labelled_games() -> dict[str, Summary]:
    """The saved games with photos by their ids, the newest first; a sentence where they cannot be opened."""
    try:
        return {saved.id: saved for saved in open_store().list(limit=MOST_LISTED) if saved.has_photo}
    except (CityscanError, OSError) as error:
        st.caption(plain(f"The saved games could not be opened: {error}"))
        return {}


def title_of(saved: Summary) -> str:
    """A saved game in a line."""
    looked = "corrected" if saved.corrected else "as it was read"
    return f"{game(saved.game).title}, {saved.created[:16].replace('T', ' ')}, {looked}"


def write_labels(ids: list[str], folder: Path) -> None:
    """Photos of these games with a state file beside each, as ``cityscan train --photos`` takes them."""
    store = open_store()
    for name, content in training_files(store.load(number) for number in ids).items():
        (folder / name).write_bytes(content)
