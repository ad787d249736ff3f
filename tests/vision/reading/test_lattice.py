"""Corners are put in line with what the cells say about their places."""

from __future__ import annotations

import numpy as np
import pytest

from vision.lattice import in_line
from vision.training.samples import shifts

TRUE = np.array([[120.0, 80], [700, 110], [760, 560], [60, 520]])
OFF = TRUE + np.array([[9.0, -6], [-5, 8], [4, 7], [-8, -3]])


@pytest.mark.parametrize("cells", [(8, 10), (5, 6), (20, 20)])
def test_corners_that_are_off_come_back(cells: tuple[int, int]) -> None:
    shift = shifts(OFF, TRUE, cells, (20, 20)).astype(float)
    lattice = in_line(OFF, cells, shift)
    assert lattice.corners == pytest.approx(TRUE, abs=0.05)
    assert lattice.agreeing == 1.0
    assert lattice.moved > 0.05


def test_cells_that_are_wrong_about_their_place_do_not_count() -> None:
    rng = np.random.default_rng(1)
    shift = shifts(OFF, TRUE, (8, 10), (8, 10)).astype(float) + rng.normal(0, 0.01, (2, 10, 8))
    shift[:, :, 5:] += rng.uniform(0.2, 0.5, (2, 10, 3))  # more than a third of the board
    lattice = in_line(OFF, (8, 10), shift)
    assert np.abs(lattice.corners - TRUE).max() < 3  # of 65 pixels a cell
    assert 0.5 < lattice.agreeing < 0.7


def test_nothing_moves_where_cells_do_not_agree_or_would_move_too_far() -> None:
    rng = np.random.default_rng(2)
    noise = in_line(OFF, (8, 10), rng.uniform(-0.5, 0.5, (2, 10, 8)))
    assert noise.corners is OFF
    assert noise.agreeing < 0.4
    far = in_line(OFF, (8, 10), np.full((2, 10, 8), 0.9))
    assert far.corners is OFF
    assert far.moved == pytest.approx(0.9 * 2**0.5)
    assert far.further is not None  # it can still be tried
    assert in_line(OFF, (8, 10), np.full((2, 10, 8), 3.5)).further is None
