"""Painted City Blocks boards and a network that knows usual colours: everything about learning without trained ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import reader
from vision.adapt import store, training
from vision.boards import CITY_BLOCKS, SQUARES
from vision.finding import SPRAWL_SIZES
from vision.locate import Found

USUAL = {".": (190, 190, 190), "B": (40, 70, 200), "G": (40, 160, 70), "R": (200, 40, 40), "Y": (230, 200, 40)}
SWAPPED = USUAL | {"B": USUAL["R"], "R": USUAL["B"]}
CORNERS = np.array([[60.0, 40], [700, 70], [720, 560], [30, 540]])
BASE = "b" * 64


class ColourNetwork:
    """Sees the mean colour of each square and answers with the nearest usual one."""

    def __call__(self, pictures: np.ndarray) -> dict[str, np.ndarray]:
        edge, px = CITY_BLOCKS.margin_px, CITY_BLOCKS.cell_px
        columns, rows = CITY_BLOCKS.cells
        board = pictures[:, edge:-edge, edge:-edge, :3].astype(np.float32) / 255
        cells = board.reshape(len(board), rows, px, columns, px, 3)[:, :, 4:-4, :, 4:-4].mean(axis=(2, 4))
        # Light differs from photo to photo: colours are told by their hue more than by their brightness.
        tint = cells / (cells.sum(axis=-1, keepdims=True) + 0.05)
        seen = np.concatenate([cells, tint, tint**2, cells * tint], axis=-1)
        known = np.array([*USUAL.values(), (255, 0, 255)], np.float32) / 255
        known_tint = known / (known.sum(axis=-1, keepdims=True) + 0.05)
        distance = ((tint[..., None, :] - known_tint) ** 2).sum(axis=-1)
        square = np.moveaxis(-60 * distance, -1, 1)
        mark = np.zeros((len(board), 5, rows, columns), np.float32)
        return {
            "square": square.astype(np.float32),
            "mark": mark,
            "shift": np.zeros((len(board), 2, rows, columns), np.float32),
            "seen_cells": np.moveaxis(seen, -1, 1).astype(np.float32),
        }


def random_grid(seed: int, share: float = 0.45) -> list[str]:
    rng = np.random.default_rng(seed)
    pieces = rng.choice(list("BGRY"), (20, 20))
    return ["".join(row) for row in np.where(rng.random((20, 20)) < share, pieces, ".")]


Paint = Callable[..., Path]


@pytest.fixture
def paint(tmp_path: Path) -> Paint:
    """Writes a photo of a board with its state beside it; returns the photo."""

    def painted(name: str, seed: int, colours: dict = SWAPPED, grid: list[str] | None = None, **more: object) -> Path:
        grid = grid or random_grid(seed)
        # A lone square in a corner would count as print.
        grid = [f".{row[1:-1]}." if number in (0, 19) else row for number, row in enumerate(grid)]
        flat = np.array([[colours[c] for c in row] for row in grid], np.uint8)
        flat = cv2.resize(flat, (600, 600), interpolation=cv2.INTER_NEAREST)
        outline = np.array([[0, 0], [600, 0], [600, 600], [0, 600]], np.float32)
        to_photo = cv2.getPerspectiveTransform(outline, CORNERS.astype(np.float32))
        photo = cv2.warpPerspective(flat, to_photo, (760, 600), borderValue=(90, 80, 70))
        rng = np.random.default_rng(seed)
        photo = np.clip(photo * rng.uniform(0.7, 1.05) + rng.normal(0, 4, photo.shape), 0, 255).astype(np.uint8)
        folder = tmp_path / "photos"
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), photo[:, :, ::-1])
        truth = {"game": "city-blocks", "grid": grid, "corners": CORNERS.tolist(), **more}
        truth = {key: value for key, value in truth.items() if value is not None}
        path.with_suffix(".json").write_text(json.dumps(truth))
        return path

    return painted


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The colour network is installed, boards are found where they are painted, and the data folder is empty."""
    cards = {name: {"sha256": BASE} for name in ("locator", "aligner", "board-city-blocks")}
    for module in (reader, store):
        monkeypatch.setattr(module, "model_cards", lambda: cards)
    for module in (reader, training):
        monkeypatch.setattr(module, "network", lambda _: ColourNetwork())
    games = np.array([0.005, 0.985, 0.005, 0.005])
    board = Found(CORNERS, games, 0.0, np.full(len(SPRAWL_SIZES), 0.25))
    monkeypatch.setattr(reader, "find_boards", lambda _: [board])
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path / "data"))
    assert SQUARES[:5] == tuple(USUAL)
