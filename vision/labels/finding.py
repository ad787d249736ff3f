"""Corners that a label lacks, found by the reader, where it reads what the label says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.documents import position_from_document
from engine.errors import CityscanError
from vision.evaluate import cells_of
from vision.labels.check import Label, check_label
from vision.labels.problems import Problem
from vision.labels.sight import Array
from vision.photo import load_photo
from vision.reader import ReadRequest, read_photo
from vision.synth.saving import write_whole
from vision.synth.truth import truth_text

# The reader may misread this share of the places and is still believed about the corners.
MOST_MISREAD: Final = 0.25


def find_corners(label: Label) -> Label:
    """The label with corners, written into its state file; or with the reason why the reader could not find them."""
    if label.truth is None or not label.fingerprint or not any(p.kind == "corners-missing" for p in label.problems):
        return label
    try:
        corners = _corners_by_reading(label)
    except CityscanError as error:
        return _told(label, "corners-missing", f'it has no "corners", and they were not found: {error.message}')
    truth = {**label.truth, "corners": np.round(corners, 2).tolist()}
    try:
        write_whole(label.state, truth_text(truth).encode())
    except OSError as error:
        return _told(label, "corners-missing", f'its "corners" cannot be written ({error.strerror}).')
    checked = check_label((label.photo, label.state))
    found = Problem(label.state, "corners-read", "its corners were found by reading and written; look at the overlay.")
    return replace(checked, problems=(found, *checked.problems))


def _corners_by_reading(label: Label) -> Array:
    """The corners in the order of the label's own north."""
    assert label.truth is not None
    position = position_from_document(dict(label.truth))
    state = position.game.dump(position.state)
    board = (int(state["columns"]), int(state["rows"])) if label.game == "sprawl" else None
    reading = read_photo(load_photo(label.photo), ReadRequest(game=label.game, board=board))
    read = _places(position.game.dump(position_from_document(dict(reading.state)).state))
    turns = [_places(position.game.dump(turn)) for turn in position.game.turns(position.state)]
    differences = [sum(read.get(p) != turn.get(p) for p in {*read, *turn}) for turn in turns]
    best = int(np.argmin(differences))
    if differences[best] > MOST_MISREAD * max(1, len(turns[best])):
        raise CityscanError("the reader sees another position on this photo; mark the corners in the app.")
    # Seen from the next side (a quarter turn, or a half where the board is oblong) the corners have moved on by one.
    quarters = best * (4 // len(turns))
    return np.roll(reading.corners, -quarters, axis=0)


def _places(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is where; of the tiles, what tells one side from the other."""
    tiles = {f"tile:{tile['at']}": (tile["colour"], tile["icon"]) for tile in state.get("tiles") or ()}
    return {**cells_of(state), **{name: facts for name, facts in tiles.items() if None not in facts}}


def _told(label: Label, kind: str, message: str) -> Label:
    others = tuple(problem for problem in label.problems if problem.kind != kind)
    return replace(label, problems=(*others, Problem(label.state, kind, message)))
