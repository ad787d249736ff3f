"""With a reader: the photo leads straight to the check step, doubts first. This reader knows its answer by heart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from page import reader
from page.flow import BOARD, CHECK, SCORE, Flow
from page.store import open_store
from vision.photo import Photo
from vision.reading import Candidate, Guess, NoBoard, Reading

Open = Callable[[], AppTest]
CORNERS = np.array([[100.0, 60.0], [500.0, 70.0], [520.0, 430.0], [90.0, 420.0]])


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch, worked_example: bytes) -> list[dict[str, Any]]:
    """Install a reader of Alien City that is not sure about C9; what it was asked."""
    asked: list[dict[str, Any]] = []
    state = json.loads(worked_example)

    def read(
        _photo: Photo, game: str | None = None, corners: Any = None, _board: Any = None, profile: str | None = None
    ) -> Reading:
        asked.append({"game": game, "corners": corners, "profile": profile})
        tower = {"kind": "tower", "colour": "red", "claimed_by": "white"}
        guess = Guess((Candidate(tower, 0.62), Candidate({"kind": "tower", "colour": "red"}, 0.38)))
        return Reading("alien-city", state, CORNERS, {"C9": guess}, ("C9",), ("It is dark there.",))

    monkeypatch.setattr(reader, "readable_games", lambda: ("alien-city",))
    monkeypatch.setattr(reader, "read", read)
    return asked


def photographed(open_page: Open, photo_bytes: bytes) -> AppTest:
    page = open_page()
    page.file_uploader[0].upload("table.jpg", photo_bytes, "image/jpeg")
    return page.run()


def flow_of(page: AppTest) -> Flow:
    found = page.session_state["flow:score"]
    assert isinstance(found, Flow)
    return found


def test_a_photo_is_read_and_checked_at_once(open_page: Open, photo_bytes: bytes, reads: list[dict[str, Any]]) -> None:
    page = photographed(open_page, photo_bytes)
    assert flow_of(page).step == CHECK
    assert reads == [{"game": None, "corners": None, "profile": None}]
    assert any("It is dark there" in info.value for info in page.info)
    case = flow_of(page).case
    assert case is not None
    assert case.doubtful == ["C9"]
    assert case.corners is not None
    np.testing.assert_allclose(case.corners, CORNERS)


@pytest.mark.usefixtures("reads")
def test_the_score_says_that_something_is_doubtful(open_page: Open, photo_bytes: bytes) -> None:
    page = photographed(open_page, photo_bytes).button(key=f"score:step:{SCORE}").click().run()
    assert [warning.value.replace("\\", "") for warning in page.warning] == [
        "The score is right with about 62 % (1 place to look at: C9)."
    ]
    assert [metric.value for metric in page.metric] == ["89", "66"]


def test_the_outline_can_be_read_again(open_page: Open, photo_bytes: bytes, reads: list[dict[str, Any]]) -> None:
    page = photographed(open_page, photo_bytes).button(key=f"score:step:{BOARD}").click().run()
    page = page.button(key="outline:read").click().run()
    assert reads[-1]["game"] == "alien-city"
    np.testing.assert_allclose(reads[-1]["corners"], CORNERS)
    assert flow_of(page).step == CHECK


def test_the_chosen_set_is_read_with_and_kept_with_the_game(
    open_page: Open, photo_bytes: bytes, reads: list[dict[str, Any]], tmp_path: Path
) -> None:
    for name in ("lent", "mine"):
        (tmp_path / "data" / "models" / name).mkdir(parents=True)
    page = open_page()
    assert page.selectbox(key="score:own-set").options == ["any set", "lent", "mine"]
    page = page.selectbox(key="score:own-set").select("mine").run()
    page.file_uploader[0].upload("table.jpg", photo_bytes, "image/jpeg")
    page = page.run()
    assert [asked["profile"] for asked in reads] == ["mine"]
    case = flow_of(page).case
    assert case is not None
    page = page.button(key=f"score:step:{SCORE}").click().run()
    assert [game.profile for game in open_store().list()] == ["mine"]
    page = page.button(key=f"score:step:{BOARD}").click().run()
    page = page.selectbox(key=f"{case.number}:own-set").select("lent").run()
    page.button(key="outline:read").click().run()
    assert [asked["profile"] for asked in reads] == ["mine", "lent"]


@pytest.mark.usefixtures("reads")
def test_turning_keeps_the_doubts(open_page: Open, photo_bytes: bytes) -> None:
    page = photographed(open_page, photo_bytes).button(key=f"score:step:{BOARD}").click().run()
    page.button(key="outline:turn").click().run()
    case = flow_of(page).case
    assert case is not None
    assert case.doubtful == ["F2"]
    assert case.kind.value(case.state, "F2") == {"kind": "tower", "colour": "red", "claimed_by": "white"}


@pytest.mark.usefixtures("reads")
def test_what_the_reader_cannot_do_a_person_can(
    open_page: Open, photo_bytes: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_arguments: Any, **_more: Any) -> Reading:
        raise NoBoard("no board was found; take the photo from above.")

    monkeypatch.setattr(reader, "read", none)
    page = photographed(open_page, photo_bytes)
    assert flow_of(page).step == BOARD
    (info,) = page.info
    assert info.value.replace("\\", "").startswith("No board was found; take the photo from above. Or drag the corners")
    page = page.button(key="outline:read").click().run()
    assert any("No board was found" in error.value for error in page.error)
    assert flow_of(page).step == BOARD
