"""Learning an addition: multinomial logistic regression that starts from the network's own answers.

How far it may go from them is chosen by what was held out, for every question by itself; a question whose held-out
answers no addition makes better gets none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize, minimize_scalar

from vision.adapt.heads import Addition
from vision.networks import Logits

Numbers = npt.NDArray[np.int64]
Shown = npt.NDArray[np.bool_]
Chosen = npt.NDArray[np.bool_] | Numbers

# How strongly additions are held near to nothing, strongest first: each is found from the one before.
STRENGTHS = (300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3)
# How much the network's own answers count to begin with: a set with other colours is learnt faster without them.
TRUSTS = (1.0, 0.3)
# The own answers are few and well chosen, so changing their meaning is this much cheaper than using what was seen.
OWN_LOUDNESS = 3.0
MOST_STEPS = 100
# Cells are mostly empty and mostly right already: more than this many rows say the same again.
MOST_ROWS = 9000
# Rows that the network answers this surely and rightly are the first to be left out.
EASY = 0.98
# An addition must lower the mean held-out loss by this share of it, and by this much: one that is nothing to begin
# with cannot be made better.
LEAST_GAIN = 0.01
LEAST_DIFFERENCE = 5e-4
# Channels that hardly vary are not blown up to be as loud as the others.
QUIETEST = 0.1
# The logit of what cannot be.
NEVER = np.float32(-1e4)
# Of an answer there must be this many examples.
LEAST_CELLS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The cells of which one question was asked, a row each; rows of a group are held out together."""

    seen: Logits  # (rows, channels)
    answers: Logits  # (rows, answers), as the network gave them
    right: Numbers  # (rows,)
    weight: Logits  # (rows,): 1 for each cell of a photo, shared by its cuts
    group: Numbers  # (rows,)

    def __len__(self) -> int:
        return len(self.right)

    def __getitem__(self, chosen: Chosen) -> Rows:
        return Rows(
            self.seen[chosen], self.answers[chosen], self.right[chosen], self.weight[chosen], self.group[chosen]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """An addition for one question (None: none is better), and how it did on rows that were held out.

    ``unseen`` has for each group the addition that was learnt without it; losses are means over held-out rows.
    """

    addition: Addition | None
    unseen: Mapping[int, Addition]
    strength: float | None
    trust: float | None
    loss_before: float
    loss_after: float


def learn(
    rows: Rows,
    folds: Sequence[Sequence[int]],
    lacking: Sequence[int] = (),
    least_loss: float = 0.0,
    seed: int = 0,
) -> Learnt:
    """The addition for one question, as strong as is best for folds of groups that are held out in turn.

    ``lacking`` are answers that a set may lack (a colour of caps): these are learnt from examples of others alone.
    Below ``least_loss`` the network is good enough, and nothing is learnt.
    """
    shown = shown_answers(rows, lacking)
    rows = thinned(rows[shown[rows.right]], np.random.default_rng(seed))
    if shown.sum() < 2 or not len(rows):
        return Learnt(None, {}, None, None, 0.0, 0.0)
    before = mean_loss(rows.answers, rows)
    if before < least_loss:
        return Learnt(None, {}, None, None, before, before)
    trials = [_trial(rows, folds, shown, trust) for trust in TRUSTS]
    losses = np.array([[mean_loss(answers, rows) for answers in trial.held_out] for trial in trials])
    which, level = (int(i) for i in np.unravel_index(int(losses.argmin()), losses.shape))
    if before - losses[which, level] < max(LEAST_GAIN * before, LEAST_DIFFERENCE):
        return Learnt(None, {}, None, None, before, before)
    trial = trials[which]
    # Answers to what was learnt are too sure; those to what was held out tell by how much.
    sureness = _sureness(trial.held_out[level], rows)
    addition = additions(rows, shown, TRUSTS[which], STRENGTHS[: level + 1])[-1]
    return Learnt(
        addition=addition.times(sureness),
        unseen={group: out.times(sureness) for group, out in trial.unseen[level].items()},
        strength=STRENGTHS[level],
        trust=TRUSTS[which],
        loss_before=before,
        loss_after=mean_loss(np.float32(sureness) * trial.held_out[level], rows),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """For every strength: the answers to held-out rows, and the additions that gave them, by group."""

    held_out: list[Logits]
    unseen: list[dict[int, Addition]]


def _trial(rows: Rows, folds: Sequence[Sequence[int]], shown: Shown, trust: float) -> _Trial:
    trial = _Trial([rows.answers.copy() for _ in STRENGTHS], [{} for _ in STRENGTHS])
    for fold in folds:
        held = np.isin(rows.group, fold)
        if held.all():
            continue
        for level, addition in enumerate(additions(rows[~held], shown, trust)):
            trial.held_out[level][held] = addition.added_to_rows(rows.answers[held], rows.seen[held])
            trial.unseen[level].update(dict.fromkeys(fold, addition))
    return trial


def shown_answers(rows: Rows, lacking: Sequence[int] = ()) -> Shown:
    """The answers of which there are examples enough, and those that need none."""
    cells = np.bincount(rows.right, weights=rows.weight, minlength=rows.answers.shape[1])
    shown = cells > LEAST_CELLS - 0.5
    shown[list(lacking)] = True
    return np.asarray(shown)


def additions(rows: Rows, shown: Shown, trust: float = 1.0, strengths: Sequence[float] = STRENGTHS) -> list[Addition]:
    """The best additions for every strength, strongest first."""
    channels, answers = rows.seen.shape[1], rows.answers.shape[1]
    known = np.concatenate([rows.seen, rows.answers], axis=1)
    middle, factor = _scale(known)
    factor[channels:] *= OWN_LOUDNESS
    inputs = np.concatenate([(known - middle) * factor, np.ones((len(rows), 1), np.float32)], axis=1)
    start = np.where(shown, np.float32(trust) * rows.answers, NEVER)
    problem = _Problem(inputs, start, rows)
    values = np.zeros((channels + answers + 1) * answers)
    found = []
    for strength in strengths:
        how = {"maxiter": MOST_STEPS, "ftol": 1e-6}
        values = minimize(problem, values, (strength,), "L-BFGS-B", jac=True, options=how).x
        matrix = values.reshape(-1, answers).astype(np.float32)
        weights = (matrix[:-1] * factor[:, None]).T
        own = weights[:, channels:] + np.float32(trust) * np.eye(answers, dtype=np.float32)
        found.append(Addition(weights[:, :channels].copy(), own, matrix[-1] - weights @ middle, shown))
    return found


class _Problem:
    """The loss of additions and its slope, for the optimiser."""

    def __init__(self, inputs: Logits, start: Logits, rows: Rows) -> None:
        self.inputs, self.start, self.weight = inputs, start, rows.weight
        self.wanted = np.eye(start.shape[1], dtype=np.float32)[rows.right]

    def __call__(self, values: npt.NDArray[np.float64], strength: float) -> tuple[float, npt.NDArray[np.float64]]:
        logits = self.start + self.inputs @ values.reshape(self.inputs.shape[1], -1).astype(np.float32)
        logits -= logits.max(axis=1, keepdims=True)
        grown = np.exp(logits)
        sums = grown.sum(axis=1, keepdims=True)
        surprise = np.log(sums[:, 0]) - (logits * self.wanted).sum(axis=1)
        slope = self.inputs.T @ ((grown / sums - self.wanted) * self.weight[:, None])
        loss = float(np.dot(self.weight, surprise)) + strength / 2 * float(np.dot(values, values))
        return loss, slope.astype(np.float64).ravel() + strength * values


def thinned(rows: Rows, rng: np.random.Generator, most: int = MOST_ROWS) -> Rows:
    """At most ``most`` rows: the hard ones first, then some of the easy ones, which count for those left out."""
    if len(rows) <= most:
        return rows
    easy = _surprise(rows.answers, rows.right) < -np.log(EASY)
    parts = []
    weight = rows.weight.copy()
    for among, room in ((np.flatnonzero(~easy), most // 2), (np.flatnonzero(easy), most - most // 2)):
        chosen = among if len(among) <= room else rng.choice(among, room, replace=False)
        if len(chosen):
            weight[chosen] *= rows.weight[among].sum() / rows.weight[chosen].sum()
        parts.append(chosen)
    return replace(rows, weight=weight)[np.sort(np.concatenate(parts))]


def mean_loss(answers: Logits, rows: Rows) -> float:
    """How surprising the right answers are, on average."""
    return float(np.average(_surprise(answers, rows.right), weights=rows.weight))


def _surprise(answers: Logits, right: Numbers) -> Logits:
    top = answers.max(axis=1, keepdims=True)
    sums = np.log(np.exp(answers - top).sum(axis=1)) + top[:, 0]
    return np.asarray(sums - answers[np.arange(len(right)), right], dtype=np.float32)


def _sureness(held_out: Logits, rows: Rows) -> float:
    """By how much answers to what was held out should be surer: never more than they are, which would need proof."""
    found = minimize_scalar(lambda s: mean_loss(np.float32(s) * held_out, rows), bounds=(0.25, 1.0), method="bounded")
    return float(found.x)


def _scale(known: Logits) -> tuple[Logits, Logits]:
    """What makes the mean of each channel zero and all channels equally loud."""
    spread = known.std(axis=0)
    return known.mean(axis=0), (1 / np.maximum(spread, QUIETEST * spread.mean() + 1e-6)).astype(np.float32)
