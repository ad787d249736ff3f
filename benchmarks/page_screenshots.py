"""Screenshots of every step of the page for the documentation: ``python -m benchmarks.page_screenshots``.

Needs Debian's chromium and the package playwright. A sample photo is opened and, where its reading differs from its
truth, corrected as a person would; the pictures go to ``docs/images``.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from engine.documents import position_from_document
from page.boards import board_kind
from page.reader import readable_games
from vision.photo import load_photo

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_photos" / "alien-city-2.2-final.jpg"
MIDGAME = ROOT / "sample_photos" / "alien-city-2.2-midgame.json"
IMAGES = ROOT / "docs" / "images"
QUALITY = 80


@contextmanager
def served() -> Iterator[str]:
    """The page with an empty folder of saved games; its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", str(port)]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [*command, "--server.headless", "true"],
            env={**os.environ, "CITYSCAN_DATA": folder},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            address = f"http://localhost:{port}"
            for _ in range(200):
                try:
                    urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait()


def shoot(page: Any, name: str) -> None:
    page.wait_for_timeout(900)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.save(IMAGES / f"page-{name}.webp", quality=QUALITY)
    print(f"page-{name}.webp")


def set_outline(page: Any, corners: list[list[float]]) -> None:
    full = load_photo(SAMPLE).full_size
    frame = page.locator("svg.photo image").first.bounding_box()
    for name, (x, y) in zip(("NW", "NE", "SE", "SW"), corners, strict=True):
        dot = page.locator(f'.corner[data-corner="{name}"] .dot').bounding_box()
        page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
        page.mouse.down()
        page.mouse.move(frame["x"] + x / full[0] * frame["width"], frame["y"] + y / full[1] * frame["height"])
        page.mouse.up()
        page.wait_for_timeout(200)


def correct(page: Any, truth: dict[str, Any]) -> None:
    kind = board_kind("alien-city")
    state = position_from_document(truth).state
    for cell in kind.cells(state):
        wanted = kind.value(state, cell.at)
        lot = page.locator(f'.cell[data-at="{cell.at}"]')
        if f"{cell.at}: {kind.words(wanted)}," in str(lot.get_attribute("aria-label")):
            continue
        lot.click()
        brushes = ["empty"] if wanted is None else [f"{wanted['kind']}:{wanted['colour']}"]
        if wanted and wanted.get("claimed_by"):
            brushes.append(f"cap:{wanted['claimed_by']}")
        for brush in brushes:
            page.locator(f'[data-id$="-{brush}"].piece-button').click()
        page.get_by_role("button", name="Close").click()


def walk(page: Any, address: str) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    page.goto(address)
    page.get_by_text("Or try a sample").wait_for()
    shoot(page, "photo")
    page.get_by_role("button", name=SAMPLE.stem.replace("-", " "), exact=True).click()
    if "alien-city" in readable_games():
        page.locator(".board .cell").first.wait_for()
        page.get_by_role("button", name="2 Board").click()
    page.locator(".corner").first.wait_for()
    page.wait_for_timeout(500)
    if "alien-city" not in readable_games():
        set_outline(page, truth["corners"])
    shoot(page, "board")
    page.get_by_role("button", name="Check the pieces").click()
    page.locator(".board .cell").first.wait_for()
    page.wait_for_timeout(500)
    if page.locator(".chip").count():
        page.locator(".chip").first.click()
    shoot(page, "check")
    correct(page, truth)
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator('[data-id="line-1"]').click()
    shoot(page, "score")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_text("Share the result").wait_for()
    page.wait_for_timeout(1500)
    shoot(page, "share")


def check(page: Any, address: str) -> None:
    page.goto(f"{address}/check")
    page.get_by_text("Photograph the board").wait_for()
    page.locator("input[type=file]").set_input_files(str(MIDGAME))
    page.locator(".board .cell").first.wait_for()
    page.get_by_role("button", name="4 What now").click()
    page.get_by_text("legal moves in all").wait_for()
    shoot(page, "moves")


def own_set(page: Any, address: str) -> None:
    page.goto(f"{address}/set")
    page.get_by_text("Print the sheets").wait_for()
    page.get_by_role("button", name="4 Learn").click()
    page.get_by_text("Labelled photos").wait_for()
    shoot(page, "set")


def main() -> int:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium was found; install it (Debian: apt-get install chromium).", file=sys.stderr)
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        wide = browser.new_page(viewport={"width": 1280, "height": 1150})
        walk(wide, address)
        check(wide, address)
        own_set(wide, address)
        phone = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=1.5, color_scheme="dark")
        phone.goto(address)
        phone.get_by_text("Photograph the board").wait_for()
        phone.locator("input[type=file]").set_input_files(str(MIDGAME))
        phone.locator(".board .cell").first.wait_for()
        phone.locator('.cell[data-at="E5"]').click()
        shoot(phone, "phone")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
