"""Bad photos at the command line: one clear sentence, the right exit code, no traceback, and no invented board."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from vision import reader
from vision.photo import load_photo

SAMPLES = Path(__file__).parents[2] / "sample_photos"
BOARD = SAMPLES / "alien-city-2.2-final.jpg"
OTHER_BOARD = SAMPLES / "sprawl-6x6.jpg"

needs_networks = pytest.mark.skipif(not reader.readable_games(), reason="no networks are installed")


# --- files that are no pictures -------------------------------------------------------------


def half_of_a_file() -> bytes:
    content = BOARD.read_bytes()
    return content[: len(content) // 2]


def huge_png() -> bytes:
    """A few bytes that promise 30,000 x 30,000 pixels."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    parts = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.jpg", lambda: b"", "empty"),
        ("words.jpg", lambda: b"Dear diary, today we played Alien City.", "not a picture"),
        ("page.png", lambda: b"<html><body>404</body></html>", "not a picture"),
        ("film.heic", lambda: b"\0\0\0\x18ftypmp42" + bytes(200), "not a picture"),
        ("header.jpg", lambda: b"\xff\xd8\xff", "not a picture"),
        ("truncated.jpg", half_of_a_file, "damaged or cut off"),
        ("bomb.png", huge_png, "more than 100 megapixels"),
    ],
)
def test_files_that_are_no_pictures(run, tmp_path: Path, name: str, content: Callable[[], bytes], words: str) -> None:
    path = tmp_path / name
    path.write_bytes(content())
    refused(run, path, 3, "unreadable", words)


def test_a_folder_called_like_a_photo(run, tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").mkdir()
    refused(run, tmp_path / "holiday.jpg", 3, "unreadable", "could not be opened")


def refused(run, path: Path, code: int, kind: str, words: str) -> None:
    """The command refuses a photo in one line, for programs and for people."""
    for command in ("read", "score", "check"):
        told = run(command, path, "--json")
        assert told.code == code, told.out
        assert told.err == ""
        assert told.answer["ok"] is False
        assert "state" not in told.answer
        assert told.answer["error"]["kind"] == kind
        message = told.answer["error"]["message"]
        assert words in message
        assert message.endswith(".")
        assert "\n" not in message
    for_people = run("score", path)
    assert for_people.code == code
    assert for_people.out == ""
    assert " ".join(message.split()) in " ".join(for_people.err.split())
    assert "Traceback" not in for_people.err


# --- pictures without a board, or with too much of one --------------------------------------


def plain(shade: int) -> Image.Image:
    return Image.new("RGB", (1200, 900), (shade, shade, shade))


def table() -> Image.Image:
    """Planks with a grain, and nothing on them."""
    rng = np.random.default_rng(1)
    grain = cv2.GaussianBlur(rng.normal(0, 30, (900, 1200)), (0, 0), sigmaX=25, sigmaY=1)
    planks = 10 * np.sin(np.arange(900) // 150 * 2.0)[:, None]
    wood = np.array([150, 105, 65]) + (3 * grain + planks)[:, :, None] + rng.normal(0, 4, (900, 1200, 1))
    wood[::150] -= 50
    return Image.fromarray(np.clip(wood, 0, 255).astype(np.uint8))


def screenshot() -> Image.Image:
    """A window with a menu, a list and a text."""
    image = Image.new("RGB", (1280, 800), (240, 240, 243))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 1280, 40), fill=(52, 58, 70))
    for i, word in enumerate(("File", "Edit", "View", "Help")):
        pen.text((20 + 70 * i, 14), word, fill="white")
    for i in range(14):
        pen.rectangle((0, 60 + 48 * i, 260, 100 + 48 * i), fill=(225, 228, 235) if i % 2 else (210, 220, 245))
        pen.text((16, 74 + 48 * i), f"Conversation number {i + 1}", fill=(30, 30, 30))
    for i in range(28):
        pen.text((300, 70 + 24 * i), "the quick brown fox jumps over the lazy dog " * 3, fill=(50, 50, 50))
    pen.rounded_rectangle((1080, 730, 1240, 775), 10, fill=(40, 110, 230))
    return image


def face() -> Image.Image:
    """A cartoon."""
    image = Image.new("RGB", (1000, 1200), (170, 205, 235))
    pen = ImageDraw.Draw(image)
    pen.ellipse((200, 200, 800, 1000), fill=(245, 205, 170), outline=(90, 60, 40), width=6)
    pen.pieslice((180, 130, 820, 700), 180, 360, fill=(80, 50, 30))
    for x in (370, 630):
        pen.ellipse((x - 55, 520, x + 55, 590), fill="white", outline="black", width=4)
        pen.ellipse((x - 20, 530, x + 20, 580), fill=(50, 90, 140))
    pen.polygon([(500, 600), (460, 730), (540, 730)], fill=(230, 180, 145))
    pen.arc((380, 690, 620, 870), 20, 160, fill=(180, 40, 50), width=14)
    return image


def blurred() -> Image.Image:
    pixels = load_photo(BOARD, working_side=1200).pixels
    return Image.fromarray(np.asarray(cv2.GaussianBlur(pixels, (0, 0), max(pixels.shape) / 25)))


def dark() -> Image.Image:
    return Image.fromarray((load_photo(BOARD).pixels * 0.15).astype(np.uint8))


def half_a_board() -> Image.Image:
    image = Image.fromarray(load_photo(BOARD).pixels)
    return image.crop((0, 0, image.width // 2, image.height))


def two_boards() -> Image.Image:
    image = Image.new("RGB", (2000, 1300))
    for i, path in enumerate((BOARD, OTHER_BOARD)):
        image.paste(Image.fromarray(load_photo(path).pixels).resize((1000, 1300)), (1000 * i, 0))
    return image


BOARDLESS = [
    ("table", table, ""),
    ("screenshot", screenshot, ""),
    ("face", face, ""),
    ("black", lambda: plain(0), "dark all over"),
    ("white", lambda: plain(255), "bright all over"),
    ("grey", lambda: plain(128), "grey all over"),
    ("one-pixel", lambda: plain(90).resize((1, 1)), "only 1 pixel;"),
    ("one-row", lambda: plain(90).resize((100, 1)), "only 100 x 1 pixels"),
    ("blurred", blurred, "looks blurred"),
]
# Here a board is in the photo, so that one may well be found.
HARD = [("dark", dark, "more light")]


def each(*pictures: tuple[str, Callable[[], Image.Image], str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "draw", "cause"), pictures, ids=[name for name, _, _ in pictures])


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks that see no board anywhere."""
    monkeypatch.setattr(reader, "readable_games", lambda: reader.GAMES)
    monkeypatch.setattr(reader, "find_boards", lambda _: [])
    monkeypatch.setattr(reader, "first_guesses", lambda _: [])


@each(*BOARDLESS, *HARD)
@pytest.mark.usefixtures("blind")
def test_why_no_board_was_found_is_told(
    run, tmp_path: Path, name: str, draw: Callable[[], Image.Image], cause: str
) -> None:
    path = tmp_path / f"{name}.png"
    draw().save(path)
    refused(run, path, 4, "no-board", "no board was found; take the photo from above")
    assert cause in run("read", path, "--json").answer["error"]["message"]


@needs_networks
@each(*BOARDLESS)
def test_no_board_is_invented(run, tmp_path: Path, name: str, draw: Callable[[], Image.Image], cause: str) -> None:
    path = tmp_path / f"{name}.png"
    draw().save(path)
    refused(run, path, 4, "no-board", cause)


@needs_networks
def test_half_a_board(run, tmp_path: Path) -> None:
    half_a_board().save(tmp_path / "half.png")
    refused(run, tmp_path / "half.png", 4, "no-board", "whole board")


@needs_networks
def test_two_boards(run, tmp_path: Path) -> None:
    two_boards().save(tmp_path / "two.jpg", quality=95)
    refused(run, tmp_path / "two.jpg", 4, "several-boards", "one at a time")


@needs_networks
def test_a_bad_photo_does_not_stop_the_others(run, tmp_path: Path) -> None:
    plain(0).save(tmp_path / "black.png")
    told = run("score", tmp_path / "black.png", BOARD, tmp_path / "missing.jpg", "--json")
    assert [answer["ok"] for answer in told.answers] == [False, True, False]
    assert told.code == 4


# --- odd pictures of a board that can be read -----------------------------------------------


def odd_pictures(folder: Path) -> Iterator[Path]:
    """The same photo in every way that phones and programs write it."""
    photo = Image.fromarray(load_photo(BOARD).pixels)
    lying = photo.transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter before it is looked at
    lying.save(folder / "turned.jpg", quality=95, exif=exif)
    photo.save(folder / "photo.webp", quality=95)
    photo.save(folder / "photo.heic", quality=90)
    opaque = photo.copy()
    opaque.putalpha(255)
    opaque.save(folder / "alpha.png")
    deep = np.asarray(photo, dtype=np.uint16)[:, :, ::-1] * 257
    cv2.imwrite(str(folder / "deep.png"), deep)
    yield from sorted(folder.iterdir())


@needs_networks
def test_odd_pictures_of_a_board_are_read_like_any_other(run, tmp_path: Path) -> None:
    expected = run("score", BOARD, "--json").answer
    for path in odd_pictures(tmp_path):
        told = run("score", path, "--json")
        assert told.code == 0, path
        assert told.answer["state"]["game"] == "alien-city"
        assert told.answer["score"]["totals"] == expected["score"]["totals"], path
        assert np.abs(np.array(told.answer["reading"]["corners"]) - corners_in_working_size(expected)).max() < 12, path


def corners_in_working_size(answer: dict) -> np.ndarray:
    return np.array(answer["reading"]["corners"]) / load_photo(BOARD).scale


@needs_networks
def test_a_photo_without_colours_is_never_read_without_a_doubt(run, tmp_path: Path) -> None:
    for name, image in (("grey.jpg", Image.open(BOARD).convert("L")), ("deep.png", deep_grey())):
        image.save(tmp_path / name)
        told = run("score", tmp_path / name, "--json")
        assert told.code in (0, 4)
        if told.code == 0:
            assert told.answer["reading"]["doubtful"]
            assert told.answer["reading"]["score_sureness"] < 0.9


def deep_grey() -> Image.Image:
    grey = np.asarray(Image.open(BOARD).convert("L"), dtype=np.uint16) * 257
    return Image.fromarray(grey)
