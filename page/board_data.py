"""Everything that the clickable board shows, as the JSON that its script gets; and its edits, applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.errors import CityscanError
from engine.sheet import Score, Verdict
from page.boards.base import Heat
from page.case import MARGIN_CELLS, Case, History
from page.component import picture_url
from page.text import sentence

MOST_PROBLEMS = 30
# Below this a candidate is not worth a button.
LEAST_PROBABILITY = 0.002
MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Show:
    """What a step wants of the board beyond the position itself."""

    editable: bool = False
    doubts: bool = False
    lines: Sequence[Mapping[str, Any]] = ()
    heat: Mapping[str, Heat] | None = None
    verdict: Verdict | None = None
    whole_photo: bool = False
    summary: str = ""


def board_data(case: Case, history: History, show: Show) -> dict[str, Any]:
    """The data of the board component."""
    kind, state = case.kind, history.moment.state
    columns, rows = kind.size(state)
    cells = kind.cells(state)
    candidates = _candidates(case) if show.doubts else {}
    return {
        "title": f"{case.game.title}, board of {columns} by {rows}",
        "columns": columns,
        "rows": rows,
        "columnLabels": kind.column_labels(state),
        "rowLabels": kind.row_labels(state),
        "cells": [asdict(cell) for cell in cells],
        "blocks": [asdict(block) for block in kind.blocks(state)],
        "tileOf": {cell.at: tile for cell in cells if f"tile:{(tile := kind.tile_of(cell.at))}" in candidates},
        "picture": _picture(case),
        "photo": _photo(case) if show.whole_photo else None,
        "palette": kind.palette(state).to_json(),
        "editable": show.editable,
        "canUndo": history.can_undo,
        "canRedo": history.can_redo,
        "asked": bool(show.doubts and case.reading and case.reading.doubtful),
        "doubtful": case.doubtful if show.doubts else [],
        "candidates": candidates,
        "problems": problems(case, show.verdict),
        "legal": legal_sentence(show.verdict),
        "lines": list(show.lines),
        "summary": show.summary,
        "heat": {at: asdict(heat) for at, heat in (show.heat or {}).items()},
    }


def problems(case: Case, verdict: Verdict | None) -> list[dict[str, Any]]:
    """The broken rules with their texts."""
    found = verdict.violations[:MOST_PROBLEMS] if verdict else ()
    return [
        {
            "title": violation.rule,
            "text": sentence(violation.message),
            "rule": case.game.rules.get(violation.rule, ""),
            "at": list(violation.at),
            "certain": violation.certain,
        }
        for violation in found
    ]


def legal_sentence(verdict: Verdict | None) -> str:
    return "No rule is broken." if verdict is not None and not verdict.violations else ""


def score_lines(case: Case, score: Score, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The lines of the score sheet with the lots that each rests on."""
    return [
        {
            "owner": owner_name(item.owner, names),
            "points": item.points,
            "text": item.text,
            "marks": [asdict(mark) for mark in case.kind.marks(item)],
            "legend": case.kind.legend(item),
        }
        for item in score.items
    ]


def owner_name(owner: str | None, names: Mapping[str, str]) -> str:
    """A player for people: the name, with the colour behind it."""
    if owner is None:
        return "nobody"
    return f"{names[owner]} ({owner})" if names.get(owner) else owner


def apply_edit(case: Case, history: History, edit: Mapping[str, Any]) -> None:
    """One tap, key or button of the board. What makes no position changes nothing but leaves a notice."""
    try:
        _apply(case, history, edit)
    except CityscanError as error:
        case.notices.append(error.message)
    except (KeyError, ValueError, TypeError, IndexError):
        # The browser sent something that the board never sends; there is nothing to tell a person about it.
        return


def _apply(case: Case, history: History, edit: Mapping[str, Any]) -> None:
    moment = history.moment
    if edit["kind"] == "step":
        history.step(edit["step"])
        return
    at = str(edit["at"])
    if edit["kind"] == "paint":
        state = case.kind.paint(moment.state, at, str(edit["brush"]))
        touched = {at}
        if str(edit["brush"]).partition(":")[0] in ("tile", "rank", "icon"):
            touched = {f"tile:{case.kind.tile_of(at)}"}
    else:
        assert case.reading is not None
        candidate = case.reading.guesses[at].candidates[int(edit["index"])]
        state = case.kind.put(moment.state, at, candidate.value)
        touched = {at}
    history.add(replace(moment, state=state, confirmed=moment.confirmed | touched))


def _candidates(case: Case) -> dict[str, list[dict[str, Any]]]:
    if case.reading is None:
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    for place in case.reading.doubtful:
        told = case.reading.guesses[place].candidates[:MOST_CANDIDATES]
        found[place] = [
            {
                "label": case.kind.words(candidate.value),
                "p": candidate.p,
                "layers": None if place.startswith("tile:") else case.kind.layers(candidate.value),
            }
            for number, candidate in enumerate(told)
            if number == 0 or candidate.p >= LEAST_PROBABILITY
        ]
    return found


def _picture(case: Case) -> dict[str, Any] | None:
    jpeg = case.board_picture()
    if jpeg is None:
        return None
    return {"url": picture_url(jpeg, f"board-{case.number}"), "margin": MARGIN_CELLS}


def _photo(case: Case) -> dict[str, Any] | None:
    picture = case.photo_picture()
    if picture is None or case.corners is None or case.photo is None:
        return None
    jpeg, scale = picture
    height, width = case.photo.pixels.shape[:2]
    return {
        "url": picture_url(jpeg, f"photo-{case.number}"),
        "width": round(width * scale),
        "height": round(height * scale),
        "corners": (case.corners * scale).tolist(),
    }
