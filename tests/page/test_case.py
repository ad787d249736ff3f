"""The case that a visitor works on: edits, undo, doubts, turning, pictures."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from calibration.lens import Lens
from engine.fields import Field
from engine.game import game, game_names
from page import component
from page.board_data import Show, apply_edit, board_data, owner_name, problems
from page.case import MOST_STEPS, Case, History, Moment
from page.keeping import reopened, saved_game
from page.steps.outline import is_outline, move_corners
from page.turning import rotate, turned_places
from vision.lens import Straightening
from vision.photo import Photo
from vision.reading import Candidate, Guess, Reading


def case_of(name: str, share: float = 1.0) -> Case:
    played = list(game(name).random_game(random.Random(3)))
    return Case("c-1", name, History.beginning(played[round(share * (len(played) - 1))]))


def with_photo(case: Case) -> Case:
    pixels = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    case.photo = Photo(pixels, (800, 600))
    case.corners = np.array([[60, 40], [340, 45], [350, 260], [50, 255]], dtype=np.float64)
    return case


def with_doubt(case: Case) -> Case:
    """An Alien City case whose reader was not sure about C3 and about the tile A1."""
    guesses = {
        "C3": Guess((Candidate({"kind": "dome", "colour": "blue"}, 0.6), Candidate(None, 0.4))),
        "D4": Guess((Candidate(None, 1.0),)),
        "tile:A1": Guess(
            (
                Candidate({"colour": "red", "rank": 2, "icon": "A2"}, 0.7),
                Candidate({"colour": "blue", "rank": 2, "icon": "B1"}, 0.3),
            )
        ),
    }
    state = case.kind.put(case.game.empty(), "C3", {"kind": "dome", "colour": "blue"})
    case.history = History.beginning(state)
    case.reading = Reading("alien-city", case.game.dump(state), np.zeros((4, 2)), guesses, ("C3", "tile:A1"))
    return case


# --- history -----------------------------------------------------------------------------------
def test_undo_and_redo_walk_and_a_new_edit_forgets_what_was_undone() -> None:
    history = History.beginning("a")
    for state in "bcd":
        history.add(Moment(state))
    history.step("undo")
    history.step("undo")
    assert (history.moment.state, history.can_undo, history.can_redo) == ("b", True, True)
    history.step("redo")
    assert history.moment.state == "c"
    history.add(Moment("x"))
    assert ([m.state for m in history.moments], history.can_redo) == (["a", "b", "c", "x"], False)


def test_history_ends_where_it_ends() -> None:
    history = History.beginning("a")
    history.step("undo")
    history.step("redo")
    assert history.moment.state == "a"
    history.add(Moment("a"))
    assert len(history.moments) == 1, "what changes nothing is no step"


def test_reset_can_be_undone() -> None:
    history = History.beginning("a")
    history.add(Moment("b"))
    history.step("reset")
    assert history.moment.state == "a"
    history.step("undo")
    assert history.moment.state == "b"


def test_a_long_history_forgets_its_middle_and_keeps_its_beginning() -> None:
    history = History.beginning(-1)
    for number in range(MOST_STEPS + 50):
        history.add(Moment(number))
    assert len(history.moments) == MOST_STEPS + 2
    assert (history.moments[0].state, history.moment.state) == (-1, MOST_STEPS + 49)


# --- edits from the browser ----------------------------------------------------------------------
def test_edits_are_applied_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(component, "st", SimpleNamespace(session_state=session))
    seen: list[int] = []

    def apply(edit: Mapping[str, Any]) -> None:
        seen.append(edit["seq"])

    for sent in ([1, 2], [1, 2, 3], [2, 3], [3, 4, 5]):  # the browser repeats what was not acknowledged yet
        session["b"] = {"edits": [{"seq": number} for number in sent]}
        component.receive("b", apply)
    assert seen == [1, 2, 3, 4, 5]
    assert component.acknowledged("b") == 5


@pytest.mark.parametrize(
    "sent", [None, {}, {"edits": None}, {"edits": "x"}, {"edits": [1, None, {"seq": "1"}, {}]}, {"edits": {"seq": 1}}]
)
def test_lists_that_the_board_never_sends_do_nothing(monkeypatch: pytest.MonkeyPatch, sent: Any) -> None:
    monkeypatch.setattr(component, "st", SimpleNamespace(session_state={"b": sent}))
    component.receive("b", lambda edit: pytest.fail(f"applied {edit}"))


@pytest.mark.parametrize(
    "edit",
    [
        {},
        {"kind": "paint"},
        {"kind": "paint", "at": "Z99", "brush": "tower:red"},
        {"kind": "paint", "at": "A1", "brush": "tower:black"},
        {"kind": "paint", "at": "A1", "brush": "rank:9"},
        {"kind": "paint", "at": "A1", "brush": "rank:x"},
        {"kind": "value", "at": "A1", "index": 0},
        {"kind": "step", "step": ["undo"]},
    ],
)
def test_an_edit_that_makes_no_position_changes_nothing(edit: Mapping[str, Any]) -> None:
    case = with_doubt(case_of("alien-city"))
    before = case.state
    apply_edit(case, case.history, edit)
    assert case.state == before
    assert not case.history.can_undo


def test_a_refused_edit_leaves_a_sentence() -> None:
    case = case_of("sprawl", 0.0)
    for _ in range(6):
        apply_edit(case, case.history, {"kind": "paint", "at": "A1", "brush": "1|red|upright"})
    assert any("does not stand" in notice for notice in case.notices)


def test_a_doubt_ends_when_somebody_has_looked() -> None:
    case = with_doubt(case_of("alien-city"))
    assert case.doubtful == ["C3", "tile:A1"]
    apply_edit(case, case.history, {"kind": "value", "at": "C3", "index": 0})  # as it was read: no change but a look
    assert case.doubtful == ["tile:A1"]
    assert case.corrections() == []
    apply_edit(case, case.history, {"kind": "value", "at": "tile:A1", "index": 1})
    assert case.doubtful == []
    assert case.corrections() == [
        {
            "at": "tile:A1",
            "read": {"colour": None, "rank": None, "icon": None},
            "now": {"colour": "blue", "rank": 2, "icon": "B1"},
        }
    ]
    case.history.step("undo")
    assert case.doubtful == ["tile:A1"], "undo also takes back that somebody looked"


def test_changing_a_tile_confirms_the_tile() -> None:
    case = with_doubt(case_of("alien-city"))
    apply_edit(case, case.history, {"kind": "paint", "at": "B2", "brush": "tile:green"})
    assert case.doubtful == ["C3"]


def test_the_score_is_the_surer_the_more_was_looked_at() -> None:
    case = with_doubt(case_of("alien-city"))
    assert case_of("alien-city").sureness() is None, "no photo was read"
    # Two towers that sell to the customer on C3, so that the doubt there is one about points.
    for at, brush in (("C2", "tower:red"), ("C2", "cap:white"), ("C9", "tower:red"), ("C9", "cap:black")):
        case.history.moments[0] = Moment(case.kind.paint(case.state, at, brush))
    assert case.sureness() == pytest.approx(0.6), "the tile's doubt has no effect without the location bonus"
    apply_edit(case, case.history, {"kind": "value", "at": "C3", "index": 0})
    assert case.sureness() == 1.0
    case.history.step("undo")
    apply_edit(case, case.history, {"kind": "paint", "at": "C3", "brush": "dome:green"})
    assert case.sureness() == 1.0, "what a person put there is not doubted"


# --- what the board is told ----------------------------------------------------------------------
def test_candidates_come_with_words_and_probabilities() -> None:
    case = with_doubt(case_of("alien-city"))
    data = board_data(case, case.history, Show(editable=True, doubts=True))
    assert [(c["label"], c["p"]) for c in data["candidates"]["C3"]] == [("blue dome", 0.6), ("vacant", 0.4)]
    assert data["tileOf"] == {"A1": "A1", "B1": "A1", "A2": "A1", "B2": "A1"}
    assert board_data(case, case.history, Show())["doubtful"] == []


def test_doubts_stand_in_the_readers_order() -> None:
    case = with_doubt(case_of("alien-city"))
    assert case.reading is not None
    for order in (("C3", "tile:A1", "D4"), ("D4", "tile:A1", "C3")):
        case.reading = replace(case.reading, doubtful=order)
        assert board_data(case, case.history, Show(editable=True, doubts=True))["doubtful"] == list(order)


def test_broken_rules_come_with_their_text_and_lots() -> None:
    case = case_of("alien-city")
    state = case.game.empty()
    for lot in ("A2", "B1"):  # they seal A1 off
        state = case.kind.paint(state, lot, "dome:red")
    case.history = History.beginning(state)
    verdict, _ = case.judged(state)
    road = next(problem for problem in problems(case, verdict) if problem["title"] == "road")
    assert "A1" in road["at"]
    assert road["certain"]
    assert road["rule"] == case.game.rules["road"]


@pytest.mark.parametrize(
    ("owner", "names", "shown"),
    [("red", {}, "red"), ("red", {"red": "Ann"}, "Ann (red)"), (None, {}, "nobody"), ("red", {"red": ""}, "red")],
)
def test_players_have_names_and_colours(owner: str | None, names: dict[str, str], shown: str) -> None:
    assert owner_name(owner, names) == shown


# --- turning ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", game_names())
def test_turning_all_the_way_round_changes_nothing(name: str) -> None:
    case = with_photo(case_of(name))
    state, corners = case.state, case.corners
    for _ in range(4 // case.kind.turn_step):
        rotate(case)
    assert case.state == state
    assert case.corners is not None
    np.testing.assert_array_equal(case.corners, corners)


@pytest.mark.parametrize("name", game_names())
def test_pieces_turn_with_the_photo(name: str) -> None:
    """A piece stays on the same spot of the photo, whatever its lot is called afterwards."""
    case = with_photo(case_of(name))
    names = turned_places(case.kind, case.state)
    held = {cell.at: bool(cell.layers) for cell in case.kind.cells(case.state)}
    middles = _middles(case)
    rotate(case)
    after = {cell.at: bool(cell.layers) for cell in case.kind.cells(case.state)}
    for at, there in held.items():
        assert after[names[at]] == there
        np.testing.assert_allclose(_middles(case)[names[at]], middles[at], atol=1e-6)


def _middles(case: Case) -> dict[str, np.ndarray[Any, Any]]:
    """The middle of every cell by bilinear interpolation between the corners, which turning must not change."""
    assert case.corners is not None
    columns, rows = case.kind.size(case.state)
    nw, ne, se, sw = case.corners
    found = {}
    for cell in case.kind.cells(case.state):
        u, v = (cell.x + 0.5) / columns, (cell.y + 0.5) / rows
        found[cell.at] = (1 - u) * (1 - v) * nw + u * (1 - v) * ne + u * v * se + (1 - u) * v * sw
    return found


def test_doubts_turn_too() -> None:
    case = with_doubt(case_of("alien-city"))
    apply_edit(case, case.history, {"kind": "paint", "at": "A5", "brush": "tower:red"})
    rotate(case)
    assert case.doubtful == ["F8", "tile:G9"]
    assert case.reading is not None
    assert case.reading.guesses["tile:G9"].chosen.value == {"colour": "red", "rank": 2, "icon": "H9"}
    assert [correction["at"] for correction in case.corrections()] == ["H6"]


# --- outline and pictures --------------------------------------------------------------------------
def test_corners_come_back_in_pixels_of_the_photo() -> None:
    case = with_photo(case_of("alien-city"))
    picture = case.photo_picture()
    assert picture is not None
    wanted = [[10, 10], [300, 12], [310, 200], [5, 190]]
    move_corners(case, {"corners": wanted})
    assert case.corners is not None
    np.testing.assert_allclose(case.corners * picture[1], wanted)


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"corners": "x"},
        {"corners": [[0, 0]] * 4},
        {"corners": [[0, 0], [float("nan"), 0], [9, 9], [0, 9]]},
        {"corners": [[0, 0], [9, 9], [9, 0], [0, 9]]},  # crossed
        {"corners": [[0, 0], [0, 9], [9, 9], [9, 0]]},  # a mirror image
        {"corners": [[0, 0], [90, 0], [20, 20], [0, 90]]},  # a dent
    ],
)
def test_corners_that_make_no_outline_are_left_aside(bad: Mapping[str, Any]) -> None:
    case = with_photo(case_of("alien-city"))
    before = case.corners
    move_corners(case, bad)
    assert case.corners is before


def test_an_outline_may_begin_at_any_corner() -> None:
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], dtype=np.float64)
    assert all(is_outline(np.roll(square, turns, axis=0)) for turns in range(4))


def test_a_measured_lens_straightens_the_board_picture() -> None:
    case = with_photo(case_of("alien-city"))
    assert case.photo is not None
    # A board that nearly fills the photo, dark on its left; the lens has bent the straight edge between dark and light.
    lens = Lens("Acme", 4 / 3, 0.8, -0.2, 0.0)
    down, across = np.mgrid[0:300, 0:400].astype(np.float64)
    seen = Straightening.of(lens, (400, 300)).straighten(np.stack([across.ravel(), down.ravel()], axis=1))
    straight = seen[:, 0].reshape(300, 400)
    pixels = np.where(straight > straight[150, 70], 255, 0).astype(np.uint8)
    for measured, bent in ((None, True), (lens, False)):
        case.photo = Photo(np.repeat(pixels[..., None], 3, axis=2), (800, 600), lens=measured)
        case.corners = np.array([[30, 20], [370, 20], [370, 280], [30, 280]], dtype=np.float64)
        case._pictures.clear()
        picture = np.asarray(Image.open(io.BytesIO(case.board_picture() or b"")).convert("L"))
        edges = [int(np.argmax(row > 128)) for row in picture[60:-60:40]]
        assert (max(edges) - min(edges) > 6) == bent, edges


def test_the_board_picture_is_made_once_for_an_outline() -> None:
    case = with_photo(case_of("sprawl"))
    first = case.board_picture()
    assert first is not None
    assert case.board_picture() is first
    rotate(case)
    assert case.board_picture() != first


# --- saving -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", game_names())
def test_a_saved_game_opens_as_it_was(name: str) -> None:
    case = with_photo(case_of(name))
    case.change(case.kind.with_extras(case.state, names={case.kind.owners(case.state)[0]: "Ann"}))
    saved = saved_game(case)
    assert saved.title.endswith(": Ann")
    again = reopened(saved, "c-2")
    assert again.state == case.state
    assert again.photo is not None
    assert again.corners is not None
    assert case.corners is not None
    np.testing.assert_allclose(again.corners, case.corners)


def test_a_reopened_game_keeps_what_was_read_and_its_photo() -> None:
    case = with_photo(case_of("sprawl"))
    read = {**case.game.dump(case.state), "cells": []}
    first = replace(saved_game(case), reading={"doubtful": []}, read_state=read)
    again = saved_game(reopened(first, "c-2"))
    assert again.reading == first.reading
    assert again.read_state == case.game.dump(case.game.load(Field(read)))
    assert again.photo == first.photo
    assert len(again.corrections) == len(case.state.cells)
    assert again.corners is not None
    np.testing.assert_allclose(again.corners, first.corners)


def test_a_reopened_game_that_is_turned_keeps_its_corrections() -> None:
    case = with_photo(case_of("sprawl"))
    first = replace(saved_game(case), read_state=case.game.dump(case.state))
    again = reopened(first, "c-2")
    assert again.corrections() == []
    rotate(again)
    assert again.corrections() == []


def test_a_saved_photo_carries_no_metadata() -> None:
    photo = saved_game(with_photo(case_of("sprawl"))).photo
    assert photo is not None
    assert b"Exif" not in photo
