"""Putting pieces down without two in the same place."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.synth.stages.settle import Footprints, gaps, near_pairs, rectangles, settle


def _prints(rows: list[tuple[float, float, float, float, float, bool]]) -> Footprints:
    table = np.array([row[:5] for row in rows], dtype=np.float64)
    discs = np.array([row[5] for row in rows])
    return Footprints(table[:, :2], table[:, 2], rectangles(table[:, 3:5]), np.where(discs, table[:, 3], 0.0))


def _outline(prints: Footprints, i: int) -> np.ndarray:
    if prints.radius[i]:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        points = prints.radius[i] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    else:
        points = cv2.convexHull(prints.outline[i].astype(np.float32))[:, 0]
    angle = np.radians(prints.turn[i])
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    outline: np.ndarray = (points @ turn.T + prints.centre[i]).astype(np.float32)
    return outline


def _overlap(prints: Footprints) -> float:
    count = len(prints.centre)
    shared = [
        cv2.intersectConvexConvex(_outline(prints, i), _outline(prints, j))[0] for i in range(count) for j in range(i)
    ]
    return max(shared, default=0.0)


# two footprints (x, y, turn, half width, half depth, round), gap between them
GAPS = [
    ([(0, 0, 0, 5, 5, False), (12, 0, 0, 5, 5, False)], 2.0),  # side by side
    ([(0, 0, 0, 5, 5, False), (9, 0, 0, 5, 5, False)], -1.0),  # overlapping by one
    ([(0, 0, 0, 5, 5, True), (12, 0, 0, 5, 5, True)], 2.0),  # discs
    ([(0, 0, 45, 5, 5, False), (12.5, 0, 0, 5, 5, False)], 0.43),  # a corner towards a side
    ([(0, 0, 0, 5, 5, False), (10, 10, 0, 4, 4, True)], 1.0),  # a disc at a corner: safe by the axes alone
]


@pytest.mark.parametrize(("rows", "gap"), GAPS)
def test_gaps(rows: list[tuple[float, float, float, float, float, bool]], gap: float) -> None:
    found, axis = gaps(_prints(rows), np.array([(0, 1)]))
    assert found[0] == pytest.approx(gap, abs=0.01) or (found[0] > gap > 0)
    assert np.linalg.norm(axis[0]) == pytest.approx(1.0)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-40, 40), st.floats(-40, 40), st.floats(0, 360), st.booleans()), min_size=2, max_size=9
    )
)
def test_pairs_without_a_gap_overlap_and_the_others_do_not(rows: list[tuple[float, float, float, bool]]) -> None:
    prints = _prints([(x, y, turn, 10, 10 if disc else 6, disc) for x, y, turn, disc in rows])
    every = np.array([(i, j) for i in range(len(rows)) for j in range(i)])
    found, _ = gaps(prints, every)
    for (i, j), gap in zip(every, found, strict=True):
        shared = cv2.intersectConvexConvex(_outline(prints, i), _outline(prints, j))[0]
        if gap > 0.01:
            assert shared < 0.01
        elif not prints.radius[i] and not prints.radius[j] and gap < -0.1:
            assert shared > 0


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 8), st.floats(0, 6), st.floats(0, 60))
def test_a_full_block_of_lots_settles(seed: int, side: int, careless: float, askew: float) -> None:
    """Squares as large as their lots, all lots taken: only the straight lattice has room for all of them."""
    rng = np.random.default_rng(seed)
    home = np.array([(column, row) for column in range(side) for row in range(side)]) * 25.45
    count = len(home)
    prints = Footprints(
        home + rng.normal(0, careless, (count, 2)),
        rng.normal(0, askew, count),
        rectangles(np.full((count, 2), 12.7)),
        np.zeros(count),
    )
    placed = settle(prints, home, np.zeros(count), 8.0)
    assert _overlap(placed) < 0.05
    assert (np.abs(placed.centre - home) < 8.0 + 1e-9).all()


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_loose_pieces_stay_where_they_were_put(seed: int) -> None:
    rng = np.random.default_rng(seed)
    home = np.array([(column, row) for column in range(4) for row in range(4)]) * 40.0
    turn = rng.uniform(0, 360, 16)
    prints = Footprints(home + rng.uniform(-1, 1, (16, 2)), turn, rectangles(np.full((16, 2), 12.7)), np.zeros(16))
    placed = settle(prints, home, np.zeros(16), 8.0)
    assert np.array_equal(placed.centre, prints.centre)
    assert np.array_equal(placed.turn, turn)


def test_a_crowd_is_only_straightened_where_it_is_tight() -> None:
    # two squares in lots that just hold them, one far away
    rows = [(0, 0, 20, 12.7, 12.7, False), (25.4, 0, 70, 12.7, 12.7, False), (200, 0, 33, 12.7, 12.7, False)]
    prints = _prints([(float(a), float(b), float(c), d, e, f) for a, b, c, d, e, f in rows])
    placed = settle(prints, prints.centre.copy(), np.zeros(3), 8.0)
    assert placed.turn[2] == 33
    assert _overlap(placed) < 0.05


def test_without_room_the_overlap_is_as_small_as_pushing_makes_it() -> None:
    # three bars of 46 mm in a row of squares of 40 mm
    home = np.array([(0.0, 0.0), (40.0, 0.0), (80.0, 0.0)])
    prints = Footprints(home.copy(), np.zeros(3), rectangles(np.tile([23.0, 12.0], (3, 1))), np.zeros(3))
    placed = settle(prints, home, np.zeros(3), 14.0)
    assert _overlap(placed) < 0.05
    assert _overlap(settle(prints, home, np.zeros(3), 1.0)) < _overlap(prints)


def test_settling_leaves_its_input_alone() -> None:
    prints = _prints([(0, 0, 0, 5, 5, False), (6, 0, 0, 5, 5, False)])
    before = prints.centre.copy()
    assert settle(prints, before, np.zeros(2), 4.0) is not prints
    assert np.array_equal(prints.centre, before)


def test_near_pairs_leave_out_what_cannot_meet() -> None:
    rows = [(0, 0, 0, 5, 5, False), (20, 0, 0, 5, 5, False), (300, 0, 0, 5, 5, False)]
    prints = _prints([(float(a), float(b), float(c), float(d), float(e), f) for a, b, c, d, e, f in rows])
    assert near_pairs(prints, 8.0).tolist() == [[0, 1]]


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(N, 2\)"):
        Footprints(np.zeros((3, 2)), np.zeros(2), np.zeros((3, 6, 2)), np.zeros(3))
