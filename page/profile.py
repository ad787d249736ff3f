"""The visitor's own sets, and which of them lies on the photos that are read."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import streamlit as st

from calibration.profiles import built_in_names, check_own_name, profile_names, user_folder
from engine.errors import UsageError
from page.widgets import choose
from vision.model_files import learnt_sets, user_models

_CHOSEN = "own-set"
ANY_SET = "any set"


def measured_sets() -> list[str]:
    """The own sets whose pieces were measured."""
    return sorted(set(profile_names()) - set(built_in_names()))


def own_sets() -> list[str]:
    """All sets of the visitor's that photos can be read with."""
    return sorted({*measured_sets(), *learnt_sets()})


def chosen_set() -> str | None:
    """The set that photos are read with; None: whatever lies on them."""
    chosen = st.session_state.get(_CHOSEN)
    return chosen if chosen in own_sets() else None


def read_with(name: str | None) -> None:
    """Read the visitor's photos with this set from now on."""
    st.session_state[_CHOSEN] = name


def choose_set(place: str, changed: Callable[[], None] | None = None) -> bool:
    """The choice, and whether there is anything to choose from. ``changed`` is called after another set was chosen."""
    sets = own_sets()
    if not sets:
        return False

    def change(name: str | None) -> None:
        read_with(name)
        if changed is not None:
            changed()

    choose("Your set", [None, *sets], chosen_set(), f"{place}:own-set", change, lambda name: name or ANY_SET)
    return True


def forget_set(name: str) -> None:
    """Delete an own set, and what was learnt for it."""
    try:
        check_own_name(name)
    except UsageError:
        return  # the page never offers another one
    (user_folder() / f"{name}.toml").unlink(missing_ok=True)
    shutil.rmtree(user_models() / name, ignore_errors=True)
