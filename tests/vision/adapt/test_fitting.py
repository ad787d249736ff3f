"""Learning from rows: what is swapped is put right, what is right is left alone, what lacks examples is no proof."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import check_grad

from vision.adapt import fitting
from vision.adapt.fitting import Rows, learn, mean_loss, shown_answers, thinned

FOLDS = [[0], [1], [2]]


def rows_of(right: np.ndarray, named: np.ndarray, seed: int = 0, confidence: float = 6.0, spread: float = 0.6) -> Rows:
    """Cells whose look tells their class; the network calls it ``named``."""
    rng = np.random.default_rng(seed)
    answers = int(max(right.max(), named.max())) + 1
    looks = rng.normal(0, 2, (answers, 10))
    seen = looks[right] + rng.normal(0, spread, (len(right), 10))
    logits = rng.normal(0, 1, (len(right), answers))
    logits[np.arange(len(right)), named] += confidence
    return Rows(
        seen.astype(np.float32),
        logits.astype(np.float32),
        right.astype(np.int64),
        np.ones(len(right), np.float32),
        np.arange(len(right)) % 3,
    )


def wrong(logits: np.ndarray, rows: Rows) -> int:
    return int((logits.argmax(axis=1) != rows.right).sum())


def test_swapped_answers_are_put_right_for_cells_that_were_not_seen() -> None:
    right = np.random.default_rng(1).integers(0, 3, 150)
    named = np.array([1, 0, 2])[right]
    rows, fresh = rows_of(right[:90], named[:90]), rows_of(right[90:], named[90:])
    assert wrong(fresh.answers, fresh) > 30
    learnt = learn(rows, FOLDS)
    assert learnt.addition is not None
    assert wrong(learnt.addition.added_to_rows(fresh.answers, fresh.seen), fresh) <= 2
    assert learnt.loss_after < 0.3 * learnt.loss_before
    assert set(learnt.unseen) == {0, 1, 2}


def test_what_a_group_is_judged_by_has_not_seen_it() -> None:
    right = np.random.default_rng(2).integers(0, 2, 60)
    rows = rows_of(right, 1 - right)
    # In group 2 everything is the other way round: whoever has seen it knows, the others are wrong there.
    odd = rows.group == 2
    rows = Rows(rows.seen, rows.answers, np.where(odd, 1 - rows.right, rows.right), rows.weight, rows.group)
    learnt = learn(rows, FOLDS)
    assert learnt.addition is not None
    held_out = learnt.unseen[2].added_to_rows(rows.answers[odd], rows.seen[odd])
    assert wrong(held_out, rows[odd]) > 15


def test_a_network_that_is_right_is_left_alone() -> None:
    right = np.random.default_rng(3).integers(0, 3, 120)
    learnt = learn(rows_of(right, right, confidence=14.0), FOLDS)
    assert learnt.addition is None
    assert learnt.loss_after == learnt.loss_before


def test_what_the_network_is_good_enough_at_is_not_learnt() -> None:
    right = np.random.default_rng(3).integers(0, 3, 120)
    rows = rows_of(right, right, confidence=3.0)
    loss = mean_loss(rows.answers, rows)
    assert learn(rows, FOLDS, least_loss=0.9 * loss).addition is not None
    assert learn(rows, FOLDS, least_loss=1.1 * loss).addition is None


def test_noise_teaches_nothing() -> None:
    rng = np.random.default_rng(4)
    right = rng.integers(0, 3, 120)
    rows = rows_of(right, right, confidence=1.5)
    rows = Rows(
        rng.normal(0, 1, rows.seen.shape).astype(np.float32),
        *(getattr(rows, n) for n in ("answers", "right", "weight", "group")),
    )
    learnt = learn(rows, FOLDS)
    assert learnt.loss_after <= learnt.loss_before


@pytest.mark.parametrize(
    ("right", "lacking", "expected"),
    [
        # a photo of an empty board: nothing to tell apart
        ([0] * 50, (), None),
        # two examples of a second answer are too few
        ([0] * 50 + [1] * 2, (), None),
        # three are enough; the third answer was not shown
        ([0] * 30 + [1] * 3, (), [True, True, False]),
        # a set may lack the third answer: then it is learnt, too
        ([0] * 30 + [1] * 3, (2,), [True, True, True]),
    ],
)
def test_examples_that_lack(right: list[int], lacking: tuple[int, ...], expected: list[bool] | None) -> None:
    answer = np.array(right)
    rows = rows_of(answer, np.full(len(answer), 2))  # the network takes everything for the third answer
    learnt = learn(rows, FOLDS, lacking)
    if expected is None:
        assert learnt.addition is None
    else:
        assert learnt.addition is not None or expected == [True, True, False]
        assert shown_answers(rows, lacking).tolist() == expected


def test_nothing_asked_is_nothing_learnt() -> None:
    rows = rows_of(np.array([0, 1, 2]), np.array([0, 1, 2]))
    assert learn(rows[np.zeros(3, bool)], FOLDS).addition is None


def test_answers_sound_as_sure_as_they_are_when_held_out() -> None:
    # Labels that are wrong now and then: nothing that is learnt may be sure of the others.
    rng = np.random.default_rng(5)
    right = rng.integers(0, 2, 300)
    rows = rows_of(right, 1 - right, spread=3.0)
    learnt = learn(rows, FOLDS)
    assert learnt.addition is not None
    held = np.concatenate(
        [learnt.unseen[g].added_to_rows(rows.answers[rows.group == g], rows.seen[rows.group == g]) for g in range(3)]
    )
    there = np.concatenate([rows.right[rows.group == g] for g in range(3)])
    p = np.exp(held - held.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    assert p.max(axis=1).mean() == pytest.approx((held.argmax(axis=1) == there).mean(), abs=0.08)


def test_thinning_keeps_the_hard_rows_and_everything_in_proportion() -> None:
    right = np.zeros(5000, np.int64)
    named = np.where(np.arange(5000) < 100, 1, 0)
    rows = rows_of(right, named, confidence=12.0)
    few = thinned(rows, np.random.default_rng(0), most=1000)
    assert len(few) <= 1000
    assert wrong(few.answers, few) >= 99
    assert few.weight.sum() == pytest.approx(rows.weight.sum())
    assert mean_loss(few.answers, few) == pytest.approx(mean_loss(rows.answers, rows), rel=0.05)
    assert thinned(rows, np.random.default_rng(0), most=6000) is rows


def test_the_slope_is_the_loss_s_slope() -> None:
    rows = rows_of(np.array([0, 1, 2, 1, 0, 2]), np.array([1, 1, 2, 0, 0, 2]))
    inputs = np.concatenate([rows.seen, np.ones((6, 1), np.float32)], axis=1)
    problem = fitting._Problem(inputs, rows.answers, rows)
    at = np.random.default_rng(6).normal(0, 0.3, 11 * 3)
    error = check_grad(lambda v: problem(v, 0.7)[0], lambda v: problem(v, 0.7)[1], at, epsilon=1e-3)
    assert error < 0.02 * np.linalg.norm(problem(at, 0.7)[1])
