"""Learning an own set from labelled photos: look, learn, judge by what was held out, and keep what is not worse."""

from __future__ import annotations

import datetime
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.profiles import check_own_name
from engine.errors import CityscanError, Unreadable
from vision.adapt import store
from vision.adapt.cuts import Looks, labelled_board, look
from vision.adapt.fitting import Learnt, Rows, learn
from vision.adapt.heads import Adapter, questions_of, seen_by
from vision.adapt.judging import PARTS, Judgement, Score, ToRead, judge_parts, parts_of, read_and_judge
from vision.adapt.photos import Labelled, LeftOut, labelled_in
from vision.boards import CAPS, GAMES, VIEWS
from vision.jobs import in_order
from vision.networks import network

# Cuts of each photo, fewer where there are many photos: time is what limits them.
MOST_CUTS = 24
LEAST_CUTS = 4
ALL_CUTS = 160
MOST_FOLDS = 10
# Caps come in a few of the twelve colours: which ones, this many photos tell.
LACKING: Mapping[str, Sequence[int]] = {"cap": range(1, len(CAPS))}
LEAST_FOR_LACKING = 3
# Parts of one board are more alike than two photos are, so a single photo teaches only what the network is bad at:
# questions with at least this loss.
LEAST_LOSS_ALONE = 0.3
# Where additions to all questions make reading worse, those are tried that lower the held-out loss to this share.
CLEARLY = 0.8

Told = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one game's photos: how they are read by the shipped networks and by what was learnt without them.

    ``earlier`` compares with what was learnt for the set before, on photos that this has not seen either: its score,
    and the new one's.
    """

    game: str
    photos: int
    before: Score
    after: Score
    earlier: tuple[Score, Score] | None
    file: Path | None  # where it is kept; None: it is not
    questions: Mapping[str, Mapping[str, Any]]
    seconds: float

    @property
    def kept(self) -> bool:
        return self.file is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a folder."""

    profile: str
    outcomes: tuple[Outcome, ...]
    left_out: tuple[LeftOut, ...]


def learn_set(folder: Path, profile: str, seed: int = 1, jobs: int = 1, advance: Told = lambda: None) -> Report:
    """Learn a set from the labelled photos in a folder, for every game that they show.

    ``advance`` is called for each photo when it has been looked at, read as before, and read as learnt: three times,
    less often where nothing can be learnt, and once more where some additions are tried without the others.
    """
    check_own_name(profile)
    photos, left_out = labelled_in(folder)
    return learn_photos(photos, left_out, profile, seed, jobs, advance)


def learn_photos(
    photos: Sequence[Labelled],
    left_out: Sequence[LeftOut],
    profile: str,
    seed: int = 1,
    jobs: int = 1,
    advance: Told = lambda: None,
) -> Report:
    """Learn a set from these photos; ``left_out`` are those that were found to teach nothing."""
    check_own_name(profile)
    refused = list(left_out)
    outcomes = []
    for game in GAMES:
        mine = [photo for photo in photos if photo.game == game]
        if mine:
            outcome, failed = _learn_game(game, mine, profile, seed, jobs, advance)
            refused += failed
            outcomes += [] if outcome is None else [outcome]
    if not outcomes:
        problem = refused[0]
        raise Unreadable(f"nothing can be learnt from these photos. {problem.photo.name}: {problem.problem}")
    return Report(profile, tuple(outcomes), tuple(refused))


def _learn_game(
    game: str, photos: list[Labelled], profile: str, seed: int, jobs: int, advance: Told
) -> tuple[Outcome | None, list[LeftOut]]:
    began = time.perf_counter()
    random.Random(seed).shuffle(photos)
    number = max(LEAST_CUTS, min(MOST_CUTS, ALL_CUTS // len(photos)))
    results = _counted(in_order(partial(_look, number=number, seed=seed), photos, jobs, _failed_look), advance)
    seen = [(photo, looks) for photo, looks in zip(photos, results, strict=True) if isinstance(looks, Looks)]
    failed = [looks for looks in results if isinstance(looks, LeftOut)]
    if not seen:
        return None, failed
    photos, looks = [photo for photo, _ in seen], [look for _, look in seen]
    course = _Course(game, profile, photos, looks, jobs, advance)
    learnt = course.learn(seed)
    before = course.before()
    chosen, after = _better(course, learnt, before)
    score = Score.of(before), Score.of(after)
    earlier = course.earlier(after)
    facts = {question: _facts(learnt[question]) for question in chosen}
    file = None
    if chosen and all(new.not_worse_than(old) for old, new in (score, earlier or score)):
        adapter = Adapter(game, {q: a for q in chosen if (a := learnt[q].addition) is not None})
        file = store.save(profile, adapter, _card(photos, score, after, facts, seed))
    return Outcome(game, len(photos), *score, earlier, file, facts, time.perf_counter() - began), failed


def _better(
    course: _Course, learnt: Mapping[str, Learnt], before: Sequence[Judgement]
) -> tuple[list[str], list[Judgement]]:
    """The questions whose additions make reading best, and how photos that they have not seen are read with them."""
    every = [question for question, found in learnt.items() if found.addition is not None]
    clear = [q for q in every if learnt[q].loss_after < CLEARLY * learnt[q].loss_before]
    if not every:
        return [], list(before)
    after = course.after({q: learnt[q] for q in every})
    if clear and clear != every and not Score.of(after).not_worse_than(Score.of(before)):
        again = course.after({q: learnt[q] for q in clear})
        if Score.of(again).not_worse_than(Score.of(before)):
            return clear, again
    return every, after


@dataclass(frozen=True, slots=True, eq=False)
class _Course:
    """The photos of one game, looked at, and everything that is done with them."""

    game: str
    profile: str
    photos: list[Labelled]
    looks: list[Looks]
    jobs: int
    advance: Told

    @property
    def alone(self) -> bool:
        """A single photo cannot be held out: parts of its board are."""
        return len(self.photos) == 1

    def learn(self, seed: int) -> dict[str, Learnt]:
        groups = PARTS[0] * PARTS[1] if self.alone else len(self.photos)
        folds = [range(groups)[first::MOST_FOLDS] for first in range(min(groups, MOST_FOLDS))]
        lacking = LACKING if len(self.photos) >= LEAST_FOR_LACKING else {}
        least = LEAST_LOSS_ALONE if self.alone else 0.0
        return {
            question: learn(self.rows(question), folds, lacking.get(question, ()), least, seed)
            for question in questions_of(VIEWS[self.game])
        }

    def rows(self, question: str) -> Rows:
        """All cells of which the question was asked, on all cuts."""
        seen = seen_by(VIEWS[self.game], question)
        parts: list[tuple[Any, ...]] = []
        for number, looks in enumerate(self.looks):
            labels = looks.labels[question]
            asked = labels >= 0
            places = looks.places[question][asked]
            parts.append(
                (
                    np.moveaxis(looks.found[seen], 1, -1)[asked],
                    np.moveaxis(looks.found[question], 1, -1)[asked],
                    labels[asked],
                    np.full(len(places), 1 / len(labels), np.float32),
                    parts_of(places, labels.shape[1:]) if self.alone else np.full(len(places), number),
                )
            )
        return Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def before(self) -> list[Judgement]:
        """How the photos are read by the shipped networks."""
        if self.alone:
            self.advance()
            return [judge_parts(self.looks[0], self.game, {})]
        return self._read([ToRead(photo, self.profile) for photo in self.photos])

    def earlier(self, after: Sequence[Judgement]) -> tuple[Score, Score] | None:
        """What was learnt before, and now, on photos that it was not learnt from; where it knows all of them, what it
        made of them when they were held out counts."""
        card = store.card_in_use(self.profile, self.game)
        if card is None:
            return None
        adapter = store.adapter_for(self.profile, self.game)
        known = _held_out(card)
        new = [number for number, photo in enumerate(self.photos) if photo.digest not in known]
        if not new:
            return Score.of([known[photo.digest] for photo in self.photos]), Score.of(after)
        if self.alone:
            parts = range(PARTS[0] * PARTS[1])
            everywhere = {q: dict.fromkeys(parts, a) for q, a in adapter.additions.items()} if adapter else {}
            read = [judge_parts(self.looks[0], self.game, everywhere)]
        else:
            tasks = [ToRead(self.photos[number], self.profile, adapter) for number in new]
            read = list(in_order(read_and_judge, tasks, self.jobs, _not_read))
        return Score.of(read), Score.of([after[number] for number in new])

    def after(self, learnt: Mapping[str, Learnt]) -> list[Judgement]:
        """How the photos are read by additions that were learnt without them."""
        if self.alone:
            self.advance()
            return [judge_parts(self.looks[0], self.game, {q: found.unseen for q, found in learnt.items()})]
        tasks = []
        for number, photo in enumerate(self.photos):
            additions = {q: found.unseen[number] for q, found in learnt.items() if number in found.unseen}
            tasks.append(ToRead(photo, self.profile, Adapter(self.game, additions)))
        return self._read(tasks)

    def _read(self, tasks: list[ToRead]) -> list[Judgement]:
        return _counted(in_order(read_and_judge, tasks, self.jobs, _not_read), self.advance)


def _look(photo: Labelled, number: int, seed: int) -> Looks | LeftOut:
    board = labelled_board(photo.example, photo.example.corners)
    rng = np.random.default_rng([seed, int(photo.digest[:8], 16)])
    return look(board, network(store.model_name(photo.game)), number, rng)


def _failed_look(photo: Labelled, error: Exception) -> Looks | LeftOut:
    if isinstance(error, CityscanError):
        return LeftOut(photo.example.path, error.message)
    return LeftOut(
        photo.example.path, f"its label and its photo do not fit together ({type(error).__name__}: {error})."
    )


def _not_read(task: ToRead, error: Exception) -> Judgement:  # noqa: ARG001
    raise error


def _counted(results: Iterator[Any], advance: Told) -> list[Any]:
    found = []
    for result in results:
        found.append(result)
        advance()
    return found


def _held_out(card: Mapping[str, Any]) -> dict[str, Judgement]:
    """What the card of an earlier adapter says about photos that it was learnt from, when they were held out."""
    entries = card.get("data")
    found = {}
    for entry in entries if isinstance(entries, list) else ():
        try:
            found[str(entry["digest"])] = Judgement(int(entry["cells"]), int(entry["wrong"]))
        except (TypeError, KeyError, ValueError):
            continue  # people may have changed it
    return found


def _facts(learnt: Learnt) -> dict[str, Any]:
    return {
        "strength": learnt.strength,
        "trust": learnt.trust,
        "held_out_loss_before": round(learnt.loss_before, 5),
        "held_out_loss": round(learnt.loss_after, 5),
    }


def _card(
    photos: Sequence[Labelled],
    score: tuple[Score, Score],
    after: Sequence[Judgement],
    questions: Mapping[str, Any],
    seed: int,
) -> dict[str, Any]:
    before, now = score
    return {
        "date": datetime.date.today().isoformat(),
        "licence": "yours",
        "seed": seed,
        "photos": len(photos),
        "held_out": "parts of the board in turn" if len(photos) == 1 else "photos in turn",
        "validation_photos": len(photos),
        "validation": {
            "cells": now.cells,
            "cells_wrong_before": before.wrong,
            "cells_wrong": now.wrong,
            "boards_without_a_mistake_before": before.faultless,
            "boards_without_a_mistake": now.faultless,
        },
        "questions": dict(questions),
        "data": [
            {"photo": photo.example.path.name, "digest": photo.digest, "cells": result.cells, "wrong": result.wrong}
            for photo, result in zip(photos, after, strict=True)
        ],
    }
