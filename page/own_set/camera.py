"""The lens of one's own camera, from photos of the printed lens sheet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from calibration.camera import LEAST_PHOTOS, fit_lens
from calibration.lens import Lens, lens_folder, load_lens, save_lens
from engine.errors import CityscanError
from page.inputs import PHOTO_TYPES
from page.mistakes import safely
from page.own_set.outcome import Outcome, attempt, each_photo, show_outcome
from page.text import MOST_NAME, name_of, plain
from vision.measuring import lens_view

PART = "camera"


def show_camera() -> None:
    """Photos in, a lens out; and the lenses that are known."""
    st.subheader("Measure the camera")
    st.markdown(
        "Optional: phones bend straight lines a little, wide-angle lenses a lot. Lay the lens sheet flat and take ten "
        "photos that it fills: one from straight above, the others from all four sides, tilted by about a third of a "
        "right angle. The same lens as at the game table, no zoom, no crop."
    )
    photos = st.file_uploader(
        "Photos of the lens sheet",
        type=list(PHOTO_TYPES),
        accept_multiple_files=True,
        key="set:lens:photos",
        help=f"At least {LEAST_PHOTOS}, better ten, straight from the phone: messengers take out which camera it was.",
    )
    name = st.text_input(
        "Model of the camera (only where the photos do not say it)", max_chars=MOST_NAME, key="set:lens:name"
    )
    if st.button("Measure the lens", type="primary", disabled=not photos, key="set:lens:measure"):
        attempt(PART, lambda outcome: _measure(outcome, photos or [], name_of(name)))
    show_outcome(PART)
    _known()


def _measure(outcome: Outcome, photos: list[UploadedFile], name: str) -> None:
    views = each_photo(photos, outcome, "Looking for the sheet", lens_view)
    if not views:
        return  # every photo has had its sentence
    lens = fit_lens(views, name or None)
    save_lens(lens)
    outcome.done.append(f"{lens.camera} is measured: {lens_words(lens)}. It is used for every photo of this camera.")


def lens_words(lens: Lens) -> str:
    """A lens in a line."""
    return (
        f"focal length {lens.equivalent:.1f} mm on 35 mm film, bend k1 {lens.k1:+.3f} k2 {lens.k2:+.3f}, "
        f"corners within {lens.error_px:.2f} pixels in {lens.photos} photos"
    )


def _known() -> None:
    paths = sorted(lens_folder().glob("*.toml")) if lens_folder().is_dir() else []
    if not paths:
        return
    st.markdown("**Measured lenses**")
    for path in paths:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            try:
                lens = load_lens(path)
                st.markdown(f"**{plain(lens.camera)}**, {plain(lens_words(lens))}", width="stretch")
            except CityscanError as error:
                st.markdown(plain(error.message), width="stretch")
            st.button("Forget", key=f"set:lens:forget:{path.name}", on_click=safely(_forget), args=(path,))


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
