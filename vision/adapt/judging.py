"""How well photos are read before and after learning, always by additions that have not seen them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.adapt.cuts import Looks
from vision.adapt.heads import Adapter, Addition
from vision.adapt.photos import Labelled
from vision.adapt.store import on_trial
from vision.boards import GAMES, VIEWS
from vision.evaluate import evaluate_photo
from vision.reader import ReadRequest
from vision.training.samples import board_size

# A single photo is judged by parts of its board: this many across and down, held out in turns of five.
PARTS = (4, 5)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One board: its cells, and how many of them were read wrongly."""

    cells: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Score:
    """Several boards together."""

    boards: int
    faultless: int
    cells: int
    wrong: int

    @classmethod
    def of(cls, judgements: Sequence[Judgement]) -> Score:
        return cls(
            boards=len(judgements),
            faultless=sum(judgement.wrong == 0 for judgement in judgements),
            cells=sum(judgement.cells for judgement in judgements),
            wrong=sum(judgement.wrong for judgement in judgements),
        )

    def not_worse_than(self, other: Score) -> bool:
        return self.faultless >= other.faultless and self.wrong <= other.wrong


@dataclass(frozen=True, slots=True, eq=False)
class ToRead:
    """A photo, and the adapter to read it with."""

    photo: Labelled
    profile: str
    adapter: Adapter | None = None


def read_and_judge(task: ToRead) -> Judgement:
    """Read a photo as ``cityscan evaluate`` does; a board that cannot be read is wrong in every cell."""
    example, game = task.photo.example, task.photo.game
    columns, rows = board_size(example)
    with on_trial(task.profile, dict.fromkeys(GAMES, None) | {game: task.adapter}):
        result = evaluate_photo(example.path, example.truth, ReadRequest(profile=task.profile))
    read = not result.error and result.read_as == game
    return Judgement(columns * rows, result.lots_wrong if read else columns * rows)


def parts_of(places: npt.NDArray[np.int64], shape: tuple[int, int]) -> npt.NDArray[np.int64]:
    """The part of the board that numbered cells of a grid belong to."""
    rows, columns = shape
    across, down = PARTS
    return np.asarray((places // columns) * down // rows * across + (places % columns) * across // columns)


def judge_parts(looks: Looks, game: str, additions: Mapping[str, Mapping[int, Addition]]) -> Judgement:
    """One board by its careful cut, each part answered by additions that have not seen it (none: by the network)."""
    view = VIEWS[game]
    first = next(iter(view.heads))
    wrong = np.zeros(looks.labels[first].shape[1:], bool)
    for question in view.heads:
        right, places = looks.labels[question][0], looks.places[question][0]
        answers = np.moveaxis(looks.found[question][0], 0, -1).copy()
        seen = np.moveaxis(looks.found["seen_cells"][0], 0, -1)
        part = parts_of(places, right.shape)
        for number, addition in additions.get(question, {}).items():
            here = part == number
            answers[here] = addition.added_to_rows(answers[here], seen[here])
        wrong |= (answers.argmax(axis=-1) != right) & (right >= 0)
    asked = int((looks.places[first][0] >= 0).sum())
    return Judgement(asked, int(wrong.sum()))
