"""The frame around the pages: settings of the server, and a mistake of ours as visitors see it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from cityscan.page import SHARE_ADDRESS as ADDRESS_OF_THE_LAUNCHER
from page import main
from page.flow import BOARD, SCORE
from page.steps import check, outline

ROOT = Path(__file__).parents[3]


def test_the_server_is_closed_quiet_and_limited() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["address"] == "localhost"
    assert settings["server"]["maxUploadSize"] <= 50
    assert settings["client"]["showErrorDetails"] == "none"


def test_launcher_and_page_speak_of_the_same_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert main.SHARE_ADDRESS == ADDRESS_OF_THE_LAUNCHER
    monkeypatch.setenv(main.SHARE_ADDRESS, "http://192.168.1.23:8501")
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert not page.exception
    assert "http://192.168.1.23:8501" in [code.value for code in page.code]


def test_a_mistake_of_ours_is_a_sentence_and_a_way_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("secret path")

    monkeypatch.setattr(main, "show_scoring_page", broken)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert not page.exception
    (error,) = page.error
    assert "mistake in Cityscan" in error.value
    assert "secret" not in error.value
    assert [button.label for button in page.button] == ["Start again"]
    monkeypatch.undo()
    assert not page.button[0].click().run().error


def broken(*_arguments: Any) -> None:
    raise ZeroDivisionError("secret path")


def test_a_mistake_in_a_fragment_leaves_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    monkeypatch.setattr(check, "show_board", broken)
    page = page.button(key="score:empty:sprawl").click().run()
    assert not page.exception
    (error,) = page.error
    assert "mistake in Cityscan" in error.value
    assert page.button(key=f"score:step:{SCORE}"), "the steps are still there"
    monkeypatch.undo()
    page = page.button(key="mistake:_board").click().run()
    assert not page.error
    assert page.session_state["flow:score"].case is None


def test_a_mistake_in_what_a_widget_calls_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    page = page.button(key="score:empty:alien-city").click().run().button(key=f"score:step:{BOARD}").click().run()
    number = page.session_state["flow:score"].case.number
    monkeypatch.setattr(outline, "change_game", broken)
    page = page.selectbox(key=f"{number}:game").select("sprawl").run()
    assert not page.exception
    assert ["mistake in Cityscan" in error.value for error in page.error] == [True]
    assert not page.run().error
