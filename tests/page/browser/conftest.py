"""The page in a real browser: Debian's chromium, driven by Playwright, against a server of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 30_000
SERVER_SECONDS = 60


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str | None:
    return next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that keeps its games in a folder of this test run; its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    environment = {**os.environ, "CITYSCAN_DATA": str(folder / "data")}
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += ["--server.port", str(port), "--server.headless", "true"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            _wait_until_up(f"http://localhost:{port}/_stcore/health")
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_until_up(address: str) -> None:
    until = time.monotonic() + SERVER_SECONDS
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(f"the page did not answer at {address}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium()
    if path is None:
        pytest.skip("no chromium was found; to test the page in a browser, install it (apt-get install chromium).")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (pip install playwright)."
    )
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


class Visitor:
    """Somebody with a browser window of their own."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2].split(":")[0]))

    def open(self, path: str = "", waits_for: str = "Photograph the board") -> Visitor:
        self.page.goto(f"{self.address}/{path}")
        self.page.get_by_text(waits_for).first.wait_for()
        return self

    def upload(self, file: Path, number: int = 0) -> None:
        self.page.locator("input[type=file]").nth(number).set_input_files(str(file))

    def see(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    def press(self, text: str) -> None:
        self.page.get_by_role("button", name=text, exact=True).first.click()

    # --- the board ---------------------------------------------------------------------------
    def wait_for_board(self) -> None:
        self.page.locator(".board .cell").first.wait_for()

    def cell(self, at: str) -> Any:
        return self.page.locator(f'.board .cell[data-at="{at}"]')

    def label(self, at: str) -> str:
        return str(self.cell(at).get_attribute("aria-label"))

    def tap(self, at: str) -> None:
        self.cell(at).click()

    def brush(self, name: str) -> None:
        self.page.locator(f'[data-id$="-{name}"].piece-button').click()

    def until(self, condition: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE_MS / 1000
        while not condition():
            assert time.monotonic() < until, f"never came true: {what}"
            self.page.wait_for_timeout(30)

    def holds(self, at: str, words: str) -> None:
        """Python, too, says that this lies there: labels come from it alone."""
        self.until(lambda: words in self.label(at), f"{at} holds {words}")


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Visit]:
    """Open windows; whatever went wrong in their scripts fails the test."""
    visitors: list[Visitor] = []
    with ExitStack() as stack:

        def opened(width: int = 1280, height: int = 900, dark: bool = False) -> Visitor:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                has_touch=width < 500,
            )
            stack.callback(context.close)
            visitors.append(Visitor(context.new_page(), server))
            return visitors[-1]

        yield opened
        assert [error for visitor in visitors for error in visitor.errors] == []
