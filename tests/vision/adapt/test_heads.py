"""Additions: nothing learnt is nothing changed, and what was not shown keeps its probability."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.adapt.heads import Adapter, Addition, questions_of, seen_by
from vision.boards import ALIEN_CITY, GAMES, VIEWS
from vision.networks import softmax


def random_addition(answers: int, channels: int, seed: int, shown: list[bool] | None = None) -> Addition:
    rng = np.random.default_rng(seed)
    return Addition(
        weights=rng.normal(0, 1, (answers, channels)).astype(np.float32),
        own=rng.normal(0, 1, (answers, answers)).astype(np.float32),
        bias=rng.normal(0, 1, answers).astype(np.float32),
        shown=np.array(shown if shown is not None else [True] * answers),
    )


def some_logits(answers: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 3, (2, answers, 3, 4)).astype(np.float32), rng.normal(0, 1, (2, 7, 3, 4)).astype(np.float32)


def test_an_adapter_without_additions_changes_nothing() -> None:
    logits, seen = some_logits(3, 1)
    result = Adapter("alien-city").apply({"kind": logits}, {"kind": logits, "seen_cells": seen})
    assert result["kind"] is logits


def test_one_and_nothing_are_the_network_itself() -> None:
    logits, seen = some_logits(4, 2)
    neutral = Addition(
        np.zeros((4, 7), np.float32), np.eye(4, dtype=np.float32), np.zeros(4, np.float32), np.ones(4, bool)
    )
    assert neutral.added(logits, seen) == pytest.approx(logits, abs=1e-5)


@given(seed=st.integers(0, 999), shown=st.lists(st.booleans(), min_size=5, max_size=5).filter(any))
def test_answers_that_were_not_shown_keep_their_probability(seed: int, shown: list[bool]) -> None:
    logits, seen = some_logits(5, seed)
    addition = random_addition(5, 7, seed, shown)
    before, after = softmax(logits), softmax(addition.added(logits, seen))
    hidden = ~np.array(shown)
    assert after[:, hidden] == pytest.approx(before[:, hidden], abs=1e-4)
    sharper = softmax(addition.times(3.0).added(logits, seen))
    assert sharper[:, hidden] == pytest.approx(before[:, hidden], abs=1e-4)
    assert sharper[:, ~hidden].max() >= after[:, ~hidden].max() - 1e-4


def test_it_is_linear_in_what_was_seen_and_answered() -> None:
    logits, seen = some_logits(4, 3)
    addition = random_addition(4, 7, 3)
    by_hand = addition.own @ logits[1, :, 2, 1] + addition.weights @ seen[1, :, 2, 1] + addition.bias
    after = addition.added(logits, seen)[1, :, 2, 1]
    # Equal up to a constant, which probabilities do not know.
    assert after - after[0] == pytest.approx(by_hand - by_hand[0], abs=1e-3)


def test_tiles_are_answered_by_what_was_seen_of_tiles() -> None:
    cells, blocks = some_logits(3, 4), some_logits(5, 5)
    found = {"seen_cells": np.zeros_like(cells[1]), "seen_blocks": blocks[1]}
    addition = random_addition(5, 7, 6)
    result = Adapter("alien-city", {"tile_colour": addition}).apply({"kind": cells[0], "tile_colour": blocks[0]}, found)
    assert result["kind"] is cells[0]
    assert result["tile_colour"] == pytest.approx(addition.added(blocks[0], blocks[1]))


@pytest.mark.parametrize("game", GAMES)
def test_every_question_has_something_seen(game: str) -> None:
    view = VIEWS[game]
    assert {seen_by(view, question) for question in view.heads} == {"seen_cells"}
    assert all(seen_by(view, question) == "seen_blocks" for question in view.block_heads)
    assert questions_of(ALIEN_CITY)["tile_rank"] == 7
