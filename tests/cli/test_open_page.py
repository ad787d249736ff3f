"""Opening the page: who can reach it, on which port, and the QR code for phones."""

from __future__ import annotations

import socket

import cv2
import numpy as np
import pytest

from cityscan import page
from cityscan.cli import main
from engine.errors import Unsupported


def test_only_this_machine_can_open_the_page_unless_it_is_shared() -> None:
    own = page.command("app.py", share=False, port=8501)
    assert own[own.index("--server.address") + 1] == "localhost"
    shared = page.command("app.py", share=True, port=8501)
    assert shared[shared.index("--server.address") + 1] == "0.0.0.0"
    # Told its address, Streamlit does not ask a server elsewhere for it.
    assert shared[shared.index("--browser.serverAddress") + 1] == page.network_address()
    for arguments in (own, shared):
        assert arguments[arguments.index("--browser.gatherUsageStats") + 1] == "false"


def test_a_port_that_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        number = taken.getsockname()[1]
        monkeypatch.setattr(page, "FIRST_PORT", number)
        assert page.free_port("localhost") > number
        monkeypatch.setattr(page, "PORTS_TRIED", 1)
        with pytest.raises(Unsupported, match="--port"):
            page.free_port("localhost")


@pytest.mark.parametrize("address", ["http://192.168.1.23:8501", "http://10.0.0.7:8502"])
def test_the_code_in_the_terminal_can_be_scanned(address: str) -> None:
    text = page.invitation(address)
    assert address in text
    lines = [line[2:] for line in text.splitlines() if set(line) & set("█▀▄")]
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    width = max(len(line) for line in lines)
    rows = []
    for line in lines:
        padded = line.ljust(width)
        rows.append([light[letter][0] for letter in padded])
        rows.append([light[letter][1] for letter in padded])
    picture = np.kron(np.array(rows, dtype=np.uint8) * 255, np.ones((8, 8), dtype=np.uint8))
    picture = np.asarray(cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255))
    decoded, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert decoded == address


@pytest.mark.parametrize(
    ("arguments", "share", "port"),
    [(["app"], False, None), (["app", "--share"], True, None), (["app", "--port", "9000"], False, 9000)],
)
def test_the_command_hands_its_options_on(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], share: bool, port: int | None
) -> None:
    calls: list[tuple[bool, int | None]] = []

    def opened(share: bool, port: int | None) -> int:
        calls.append((share, port))
        return 0

    monkeypatch.setattr(page, "open_page", opened)
    assert main(arguments) == 0
    assert calls == [(share, port)]


def test_sharing_tells_the_page_its_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: dict[str, str] = {}

    def call(_command: list[str], env: dict[str, str]) -> int:
        seen.update(env)
        return 0

    monkeypatch.setattr(page.subprocess, "call", call)
    assert page.open_page(share=True, port=8765) == 0
    address = seen[page.SHARE_ADDRESS]
    assert address.endswith(":8765")
    assert address in capsys.readouterr().out
    seen.clear()
    page.open_page(share=False, port=8765)
    assert page.SHARE_ADDRESS not in seen
