"""Check a game in progress: what was played, and was it legal; what may be played."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.game import game_names
from page.case import Case
from page.flow import PLAY, Flow
from page.inputs import open_input
from page.keeping import saved_game
from page.store import open_store
from vision.reading import Candidate, Guess, Reading

PositionFile = Callable[[str, int], bytes]


def opened() -> AppTest:
    def script() -> None:
        from page.progress import show_progress_page

        show_progress_page()

    return AppTest.from_function(script, default_timeout=60).run()


def at_play(page: AppTest, content: bytes) -> AppTest:
    """Hand in a position and go to the last step."""
    page.file_uploader[0].upload("now.json", content, "application/json")
    return page.run().button(key=f"progress:step:{PLAY}").click().run()


def words(page: AppTest) -> str:
    elements = [*page.success, *page.error, *page.info, *page.caption, *page.subheader]
    return "\n".join(str(element.value) for element in elements).replace("\\", "")


@pytest.mark.parametrize("name", game_names())
def test_every_game_shows_what_may_be_played_and_what_is_left(name: str, position_file: PositionFile) -> None:
    page = at_play(opened(), position_file(name, 8))
    assert not page.exception
    assert "legal moves in all" in words(page)
    flow = page.session_state["flow:progress"]
    assert isinstance(flow, Flow)
    pieces = page.selectbox(key=f"{flow.case.number}:heat")  # type: ignore[union-attr]
    assert len(pieces.options) > 1
    page = pieces.select(pieces.options[-1]).run()
    assert not page.exception
    assert len(page.table) == 1


def test_what_was_played_in_between_is_told(position_file: PositionFile) -> None:
    page = at_play(opened(), position_file("alien-city", 14))
    number = page.session_state["flow:progress"].case.number
    page = page.button(key=f"{number}:remember").click().run()
    assert "This is the position from before" in words(page)
    page = page.button(key="progress:step:Photo").click().run()
    page = at_play(page, position_file("alien-city", 15))
    assert len(page.success) >= 1
    assert all(message.value.endswith("legal") for message in page.success)


def test_the_board_may_have_been_seen_from_the_other_side(position_file: PositionFile) -> None:
    from engine.documents import position_from_json

    before = position_from_json(position_file("alien-city", 14).decode())
    turned = json.dumps(before.game.dump(before.state.turned())).encode()
    page = at_play(opened(), position_file("alien-city", 15))
    page.file_uploader[0].upload("before.json", turned, "application/json")
    page = page.run()
    assert page.success
    assert not page.error


def test_an_illegal_move_is_explained(position_file: PositionFile) -> None:
    after = json.loads(position_file("alien-city", 4))
    # A dome that seals the corner lot A1 off, beside whatever was played: two domes on its neighbours.
    taken = {structure["at"] for structure in after["structures"]}
    for lot in ("A2", "B1"):
        if lot not in taken:
            after["structures"].append({"at": lot, "kind": "dome", "colour": "black"})
    page = at_play(opened(), json.dumps(after).encode())
    page.file_uploader[0].upload("before.json", position_file("alien-city", 4), "application/json")
    page = page.run()
    assert any("breaks [" in error.value.replace("\\", "") for error in page.error)


def test_a_saved_game_can_be_the_one_from_before(position_file: PositionFile) -> None:
    earlier = open_input("before.json", position_file("alien-city", 14), "c-1")
    number = open_store().save(saved_game(earlier))
    page = at_play(opened(), position_file("alien-city", 15))
    key = f"{page.session_state['flow:progress'].case.number}:saved"
    page = page.selectbox(key=key).select(number).run()
    assert page.success
    assert not page.error


def test_another_game_as_before_is_refused_with_a_sentence(position_file: PositionFile) -> None:
    page = at_play(opened(), position_file("alien-city", 8))
    page.file_uploader[0].upload("before.json", position_file("sprawl", 3), "application/json")
    page = page.run()
    assert not page.exception
    assert "is a game of Sprawl" in words(page)


def test_a_set_up_fills_in_hidden_tiles(position_file: PositionFile) -> None:
    document = json.loads(position_file("alien-city", 8))
    hidden = {**document, "tiles": [{**tile, "icon": None} for tile in document["tiles"]]}
    page = at_play(opened(), json.dumps(hidden).encode())
    page.file_uploader[1].upload("setup.json", json.dumps({**document, "structures": []}).encode(), "application/json")
    page = page.run()
    assert not page.exception
    state = page.session_state["flow:progress"].case.state
    assert all(tile.icon for tile in state.tiles)


def test_a_saved_game_can_be_the_set_up(position_file: PositionFile) -> None:
    document = json.loads(position_file("alien-city", 8))
    setup = open_input("setup.json", json.dumps({**document, "structures": []}).encode(), "c-1")
    number = open_store().save(saved_game(setup))
    hidden = {**document, "tiles": [{**tile, "icon": None} for tile in document["tiles"]]}
    page = at_play(opened(), json.dumps(hidden).encode())
    key = f"{page.session_state['flow:progress'].case.number}:setup-saved"
    page = page.selectbox(key=key).select(number).run()
    assert "filled in" in words(page)
    assert all(tile.icon for tile in page.session_state["flow:progress"].case.state.tiles)


def test_what_was_chosen_last_is_the_position_from_before(position_file: PositionFile) -> None:
    """An uploaded file stays on the page; it must not come back with every click."""
    page = at_play(opened(), position_file("alien-city", 15))
    page.file_uploader[0].upload("before.json", position_file("alien-city", 14), "application/json")
    page = page.run()
    assert page.success
    page = page.button(key=f"{page.session_state['flow:progress'].case.number}:remember").click().run()
    assert "This is the position from before" in words(page)


def test_a_photo_from_before_is_read_once_and_its_doubts_are_told(
    position_file: PositionFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens: list[str] = []

    def opening(name: str, content: bytes, number: str, *_: object, profile: str | None = None) -> Case:
        assert profile is None
        opens.append(name)
        case = open_input(name, content, number)
        if number.endswith("second"):
            guess = Guess((Candidate(None, 0.4), Candidate({"kind": "dome", "colour": "red"}, 0.3)))
            document = case.game.dump(case.state)
            case.reading = Reading(case.game_name, document, np.zeros((4, 2)), {"A1": guess}, ("A1",))
        return case

    monkeypatch.setattr("page.progress.open_input", opening)
    page = at_play(opened(), position_file("alien-city", 15))
    page.file_uploader[0].upload("before.json", position_file("alien-city", 14), "application/json")
    page = page.run().run().run()
    assert opens.count("before.json") == 1
    assert "read with doubts (A1)" in page.warning[0].value
