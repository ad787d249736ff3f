"""The page as a whole: five places, one of them shown."""

from __future__ import annotations

import os

import streamlit as st
from PIL import Image, ImageDraw

from page.mistakes import show_last_mistake, show_mistake
from page.progress import show_progress_page
from page.scoring import show_scoring_page

SHARE_ADDRESS = "CITYSCAN_SHARE_ADDRESS"
# Less white above the board, and on paper neither buttons nor menus.
_STYLE = """<style>.stMainBlockContainer { padding-top: 4rem; }
@media (max-width: 640px) { .stMainBlockContainer h1 { font-size: 1.7rem; padding: 0.4rem 0; } }
@media print {
  header, [data-testid="stSidebar"], [data-testid="stToolbar"] { display: none !important; }
  .stButton, .stDownloadButton, .stFileUploader { display: none !important; }
  .stMainBlockContainer { padding: 0 !important; max-width: none !important; }
}</style>"""


def run() -> None:
    """Show the place that the address names."""
    st.set_page_config(page_title="Cityscan", page_icon=icon(), layout="wide")
    st.html(_STYLE)
    current = st.navigation(list(pages().values()), position="top")
    show_last_mistake()
    try:
        current.run()
    except Exception as error:  # Streamlit's own signals (stop, rerun) are no Exceptions
        show_mistake(error, "page")
    _phone()


def icon() -> Image.Image:
    """A small skyline. Drawn here, because Streamlit fetches emoji and symbols for the tab from other servers."""
    picture = Image.new("RGB", (32, 32), "#f4efe2")
    draw = ImageDraw.Draw(picture)
    for left, top, colour in ((3, 14, "#1f5fbf"), (12, 5, "#c62828"), (21, 18, "#2e7d32")):
        draw.rectangle((left, top, left + 8, 31), fill=colour)
    return picture


def pages() -> dict[str, st.Page]:
    """The places by name."""
    return {
        "score": st.Page(show_scoring_page, title="Score a photo", icon=":material/photo_camera:", default=True),
        "progress": st.Page(show_progress_page, title="Check a game", icon=":material/rule:", url_path="check"),
        "games": st.Page(_my_games, title="My games", icon=":material/folder:", url_path="games"),
        "set": st.Page(_my_set, title="My set", icon=":material/palette:", url_path="set"),
        "help": st.Page(_help, title="Learn and help", icon=":material/help:", url_path="help"),
    }


def page_named(name: str) -> st.Page:
    return pages()[name]


def _my_games() -> None:
    from page.my_games import show_my_games

    show_my_games()


def _my_set() -> None:
    from page.my_set import show_my_set

    show_my_set()


def _help() -> None:
    from page.help import show_help

    show_help()


def _phone() -> None:
    """Where phones find this page, if it listens on the network."""
    address = os.environ.get(SHARE_ADDRESS)
    if not address:
        return
    import segno

    with st.expander("Open this page on a phone"):
        st.image(segno.make(address).svg_inline(scale=5, light="white", border=2), width=220)
        st.code(address, language=None)
