"""Which networks are installed, what their cards say, and whether their files are whole."""

from __future__ import annotations

import streamlit as st

from page.text import plain, sentence
from vision.model_files import Model, installed_models
from vision.model_words import facts, whose
from vision.networks import models_folder

NONE = "No networks are installed: photos cannot be read; pieces can be placed by hand."


def show_networks() -> None:
    """Every model with its card."""
    st.subheader("Networks")
    models = installed_models(models_folder())
    if not any(model.kind == "shipped" for model in models):
        st.info(NONE)
    for model in models:
        _model(model)
    if models:
        st.caption("Every file's checksum was compared with its card; a damaged or foreign file is never used.")


def _model(model: Model) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(model.name)}** ({plain(whose(model))})")
        if model.problem is not None:
            st.error(plain(f"Not used: {model.problem}"))
            return
        used = "Used for every photo" if model.profile is None else f"Used where your set {model.profile} is chosen"
        st.markdown("\n".join(f"- {plain(sentence(fact))}" for fact in (used, *facts(model))))
