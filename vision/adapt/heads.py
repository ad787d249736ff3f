"""Additions to a network's answers: for every question, something that is linear in what the network saw.

``answers' = own @ answers + weights @ seen + bias``. With nothing learnt, ``own`` is one and the others are nothing:
the network's own answers. Answers of which no photo showed an example keep the probability that the network gives
them: from photos of full boards alone, nobody can learn what an empty cell does not look like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.boards import VIEWS, BoardView
from vision.networks import Logits


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """How the answers to one question change."""

    weights: Logits  # (answers, channels): what the network saw counts for another answer
    own: Logits  # (answers, answers): what it calls red may be blue here
    bias: Logits  # (answers,)
    shown: npt.NDArray[np.bool_]  # (answers,): those that the photos showed; the others keep their probability

    def added(self, answers: Logits, seen: Logits) -> Logits:
        """New answers in place of (N, answers, rows, columns), where (N, channels, rows, columns) was seen."""
        flat = self.added_to_rows(*(np.moveaxis(part, 1, -1) for part in (answers, seen)))
        return np.moveaxis(flat, -1, 1)

    def added_to_rows(self, answers: Logits, seen: Logits) -> Logits:
        """The same for (..., answers) and (..., channels)."""
        new = answers @ self.own.T + seen @ self.weights.T + self.bias
        same = _mass(answers[..., self.shown]) - _mass(new[..., self.shown])
        return np.asarray(np.where(self.shown, new + same, answers), dtype=np.float32)

    def times(self, factor: float) -> Addition:
        """The same, with the answers among those shown as much surer."""
        amount = np.float32(factor)
        return Addition(amount * self.weights, amount * self.own, amount * self.bias, self.shown)


def _mass(logits: Logits) -> Logits:
    """The logarithm of what some answers weigh together."""
    top = logits.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(logits - top).sum(axis=-1, keepdims=True)) + top)


@dataclass(frozen=True, slots=True, eq=False)
class Adapter:
    """The additions for one game's network; questions without one keep their answers."""

    game: str
    additions: Mapping[str, Addition] = field(default_factory=dict)

    def apply(self, logits: Mapping[str, Logits], found: Mapping[str, Logits]) -> dict[str, Logits]:
        """The answers of a network with the additions; ``found`` is all that it gave, what it saw included."""
        view = VIEWS[self.game]
        return {
            question: addition.added(answers, found[seen_by(view, question)])
            if (addition := self.additions.get(question)) is not None
            else answers
            for question, answers in logits.items()
        }


def seen_by(view: BoardView, question: str) -> str:
    """The name of what the network saw of the things that a question is about: cells, or blocks of them."""
    return "seen_cells" if question in view.heads else "seen_blocks"


def questions_of(view: BoardView) -> dict[str, int]:
    """Every question with its number of answers."""
    return {**view.heads, **view.block_heads}
