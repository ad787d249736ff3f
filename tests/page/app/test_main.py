"""The frame around the pages: settings of the server, and a mistake of ours as visitors see it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from cityscan.page import SHARE_ADDRESS as ADDRESS_OF_THE_LAUNCHER
from page import main

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
