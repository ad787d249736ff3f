"""Several looks at a board: what each of them sees is told as the board lies."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boards import VIEWS
from vision.looks import ALL, FIRST, NOT_IN_A_MIRROR, Look, together
from vision.training.labels import mirrored, turned

BOARDS = [("alien-city", (8, 10)), ("city-blocks", (20, 20)), ("sprawl", (8, 8)), ("sprawl", (5, 6))]


def random_labels(game: str, cells: tuple[int, int]) -> dict[str, np.ndarray]:
    """An answer to every question for every cell; beyond a small board nothing is asked."""
    view, rng = VIEWS[game], np.random.default_rng(1)
    columns, rows = view.cells
    labels = {}
    for name, answers in (*view.heads.items(), *view.block_heads.items()):
        side = view.block if name in view.block_heads else 1
        labels[name] = rng.integers(0, answers, (rows // side, columns // side))
        if name in view.heads:
            labels[name][cells[1] :] = labels[name][:, cells[0] :] = -1
    return labels


def one_hot(grid: np.ndarray, answers: int) -> np.ndarray:
    return (np.arange(answers)[:, None, None] == grid).astype(np.float32)


@pytest.mark.parametrize(("game", "cells"), BOARDS)
@pytest.mark.parametrize("look", ALL)
def test_every_look_tells_the_board_as_it_lies(game: str, cells: tuple[int, int], look: Look) -> None:
    view, true = VIEWS[game], random_labels(game, cells)
    seen = turned(game, true, 2, cells) if look.from_south else true
    seen = mirrored(game, seen, cells) if look.mirrored else seen
    for name, answers in (*view.heads.items(), *view.block_heads.items()):
        if look.mirrored and name in NOT_IN_A_MIRROR:
            continue
        told = look.told(view, name, one_hot(seen[name], answers), cells)
        assert np.array_equal(told, one_hot(true[name], answers)), name


def test_looks_are_averaged_and_digits_are_not_read_in_a_mirror() -> None:
    view, cells = VIEWS["alien-city"], (8, 10)
    kind = np.zeros((4, 3, 10, 8), np.float32)
    kind[0, 1, 0, 0] = 4.0  # only the first look sees something in the north-west
    rank = np.zeros((4, 7, 5, 4), np.float32)
    rank[2:] = 9.0
    merged = together(view, ALL, {"kind": kind, "tile_rank": rank}, cells)
    assert merged["kind"].shape == (1, 3, 10, 8)
    assert merged["kind"][0, 1, 0, 0] == 1.0
    assert not merged["tile_rank"].any()
    assert np.array_equal(together(view, FIRST, {"kind": kind[:1]}, cells)["kind"], kind[:1])


def test_a_small_board_stays_in_its_corner_in_the_mirror() -> None:
    view = VIEWS["sprawl"]
    side = 8 * view.cell_px + 2 * view.margin_px
    board = np.zeros((side, side, 9), np.uint8)
    board[view.margin_px : view.margin_px + view.cell_px, view.margin_px : view.margin_px + view.cell_px] = 200
    seen = Look(mirrored=True).picture(board, view, (5, 6))
    west = view.margin_px + 4 * view.cell_px
    assert (seen[view.margin_px + 1, west : west + view.cell_px] == 200).all()
    assert seen.sum() == board.sum()
