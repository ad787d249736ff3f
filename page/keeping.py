"""From a case to a saved game and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from engine.documents import position_from_document
from engine.errors import CityscanError
from engine.game import game
from page.case import Case, History
from page.saved_game import SavedGame
from page.store import open_store
from page.text import plain
from vision.photo import load_photo

# Photos are kept for learning from, so they lose as little as a JPEG can.
KEPT_QUALITY = 95


def saved_game(case: Case) -> SavedGame:
    """Everything about a case that is worth keeping."""
    verdict, score = case.judged(case.state)
    names = case.kind.names(case.state)
    players = [names[owner] for owner in case.kind.owners(case.state) if names.get(owner)]
    notes = list(dict.fromkeys((*verdict.notes, *score.notes)))
    photo, corners = _photo_and_corners(case)
    read = case.read_state()
    return SavedGame(
        id=case.saved_as or "",
        game=case.game_name,
        title=f"{case.game.title}: {', '.join(players)}" if players else case.game.title,
        state=case.game.dump(case.state),
        sheet={**score.to_json(), "over": score.over, "notes": notes},
        names=names,
        photo=photo,
        corners=corners,
        reading=_reading(case),
        read_state=None if read is None else case.game.dump(read),
        corrections=case.corrections(),
        profile=case.profile,
    )


def _reading(case: Case) -> Mapping[str, Any] | None:
    if case.kept is not None:
        return case.kept.reading
    return None if case.reading is None else case.reading.to_json()


def _photo_and_corners(case: Case) -> tuple[bytes | None, list[list[float]] | None]:
    """The photo to keep, and the board's corners in its pixels. One that is kept already is not written anew."""
    if case.photo is None:
        return None, None
    corners = case.corners
    if case.kept is not None and case.kept.photo is not None:
        photo = case.kept.photo
        corners = None if corners is None else case.photo.to_full(corners)
    else:
        whole = case.whole_photo(KEPT_QUALITY)
        assert whole is not None
        photo = whole
    return photo, None if corners is None else corners.tolist()


def keep(case: Case) -> None:
    """Save the case among the games unless it is there already as it is now, or tell why that failed; the score is
    shown either way."""
    if not case.unsaved:
        return
    try:
        case.mark_saved(open_store().save(saved_game(case)))
    except (CityscanError, OSError) as error:
        st.warning(plain(f"The game could not be saved: {error}"))


def reopened(saved: SavedGame, number: str) -> Case:
    """A saved game as a case again. Doubts are not asked a second time: the position is as it was corrected."""
    state = position_from_document(dict(saved.state)).state
    case = Case(
        number, game(saved.game).name, History.beginning(state), saved_as=saved.id, kept=saved, profile=saved.profile
    )
    if saved.photo is not None:
        case.photo = load_photo(saved.photo)
        if saved.corners is not None:
            # Loading may reduce a large photo; its corners go with it.
            case.corners = case.photo.from_full(np.asarray(saved.corners, dtype=np.float64))
    case.mark_saved(saved.id)
    return case
