"""Outlines from the locator's maps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.guessing import quads_in

QUAD = np.array([[20.0, 15], [60, 20], [55, 62], [16, 56]])
SIDE = 80


def board_map(*quads: np.ndarray, inside: float = 0.97, outside: float = 0.02) -> np.ndarray:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return np.where(mask > 0, inside, outside).astype(np.float64)


def corner_map(*corners: np.ndarray) -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE]
    bumps = [0.9 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4) for cx, cy in corners]
    return np.max([np.zeros((SIDE, SIDE)), *bumps], axis=0)


def worst(quad: np.ndarray, other: np.ndarray = QUAD) -> float:
    return min(np.linalg.norm(np.roll(quad, turn, axis=0) - other, axis=1).max() for turn in range(4))


def test_a_clear_board_is_the_first_guess_and_clockwise() -> None:
    guesses = quads_in(board_map(QUAD), corner_map(*QUAD))
    assert worst(guesses[0]) < 1
    x, y = guesses[0].T
    assert np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)) > 0  # clockwise where y runs down


@pytest.mark.parametrize("hidden", range(4))
def test_a_hidden_corner_is_found_from_the_mask(hidden: int) -> None:
    corners = [corner for i, corner in enumerate(QUAD) if i != hidden]
    assert min(worst(guess) for guess in quads_in(board_map(QUAD), corner_map(*corners))) < 4


def test_a_mask_that_spills_over_is_put_right_by_the_corners() -> None:
    spilt = np.maximum(board_map(QUAD), board_map(np.array([[50.0, 30], [78, 30], [78, 50], [50, 50]]), inside=0.8))
    assert min(worst(guess) for guess in quads_in(spilt, corner_map(*QUAD))) < 1.5


def test_two_boards_are_two_guesses_and_nothing_is_none() -> None:
    one, other = QUAD * 0.5, QUAD * 0.5 + 38
    guesses = quads_in(board_map(one, other), corner_map(*one, *other))
    assert min(worst(guess, one) for guess in guesses) < 1.5
    assert min(worst(guess, other) for guess in guesses) < 1.5
    assert quads_in(np.full((SIDE, SIDE), 0.1), np.zeros((SIDE, SIDE))) == []
