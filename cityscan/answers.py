"""One answer for each input: everything that a command found out, ready to be printed or sent as JSON."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cityscan.inputs import Loaded, Request, load_input
from engine.documents import Position
from engine.errors import CityscanError
from engine.sheet import Comparison, Move, Score, Verdict

if TYPE_CHECKING:
    from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about one input. Fields that the command did not ask for are None."""

    name: str
    position: Position | None = None
    reading: Reading | None = None
    verdict: Verdict | None = None
    score: Score | None = None
    score_sureness: float | None = None  # for photos: the probability that the totals are exact
    moves: tuple[Move, ...] | None = None
    comparison: Comparison | None = None
    error: CityscanError | None = None
    milliseconds: dict[str, float] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        return self.error.exit_code if self.error else 0

    @property
    def illegal(self) -> bool:
        """Whether a rule was certainly broken, on the board or between two positions."""
        verdict = self.verdict is not None and self.verdict.certainly_illegal
        between = self.comparison is not None and (
            any(violation.certain for violation in self.comparison.violations)
            or not all(step.legal for step in self.comparison.steps)
        )
        return verdict or between

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes, each once, in the order in which they were made."""
        parts = (self.reading, self.verdict, self.score, self.comparison)
        return tuple(dict.fromkeys(note for part in parts if part is not None for note in part.notes))

    def to_json(self) -> dict[str, Any]:
        if self.error is not None or self.position is None:
            error = self.error or CityscanError("nothing was read.")
            return {"input": self.name, "ok": False, "error": {"kind": error.kind, "message": error.message}}
        answer: dict[str, Any] = {
            "input": self.name,
            "ok": True,
            "state": self.position.game.dump(self.position.state),
        }
        if self.reading is not None:
            answer["reading"] = self.reading.to_json()
        if self.score_sureness is not None:
            answer["reading"]["score_sureness"] = round(self.score_sureness, 4)
        if self.verdict is not None:
            answer["violations"] = [violation.to_json() for violation in self.verdict.violations]
            answer["witness"] = None if self.verdict.witness is None else list(self.verdict.witness)
        if self.comparison is not None:
            answer["between"] = [step.to_json() for step in self.comparison.steps]
            answer["between_violations"] = [violation.to_json() for violation in self.comparison.violations]
        if self.moves is not None:
            answer["moves"] = [move.to_json() for move in self.moves]
        if self.score is not None:
            answer["score"] = self.score.to_json()
            answer["over"] = self.score.over
            answer["could_play"] = list(self.score.could_play)
            answer["left"] = dict(self.score.left)
        answer["notes"] = list(self.notes)
        answer["milliseconds"] = {stage: round(spent, 2) for stage, spent in self.milliseconds.items()}
        return answer


Fill = Callable[[Answer, Position], Answer]


def answer_input(name: str, request: Request, fill: Fill) -> Answer:
    """Load one input and let ``fill`` find out what the command wants to know."""
    start = time.perf_counter()
    loaded = load_input(name, request)
    answer = fill(Answer(name, position=loaded.position, reading=loaded.reading), loaded.position)
    if answer.score is not None:
        answer = replace(answer, score_sureness=_sureness(loaded))
    spent = {**loaded.milliseconds, "total": 1000 * (time.perf_counter() - start)}
    return replace(answer, milliseconds=spent)


def _sureness(loaded: Loaded) -> float | None:
    """How sure the score is; None for positions that no photo was read for."""
    if loaded.reading is None:
        return None
    from vision.effects import score_sureness

    reading = loaded.reading
    return score_sureness(reading.game, reading.state, reading.guesses, loaded.finish)


def failed_answer(name: str, error: Exception) -> Answer:
    """The answer to an input that something went wrong with: one bad input never stops the others."""
    return Answer(name, error=error if isinstance(error, CityscanError) else _bug(error))


def with_score(answer: Answer, position: Position) -> Answer:
    verdict = position.game.check(position.state, position.record)
    return replace(answer, verdict=verdict, score=position.game.score(position.state, position.record))


def with_check(answer: Answer, position: Position) -> Answer:
    return replace(answer, verdict=position.game.check(position.state, position.record))


def with_moves(answer: Answer, position: Position) -> Answer:
    return replace(answer, moves=position.game.moves(position.state))


def with_state_only(answer: Answer, position: Position) -> Answer:  # noqa: ARG001  (every command fills an answer)
    return answer


def with_comparison(before: str, request: Request) -> Fill:
    """A check that also tells what was played since the position in ``before``."""

    def fill(answer: Answer, position: Position) -> Answer:
        try:
            earlier = load_input(before, replace(request, game=position.game.name)).position
        except CityscanError as error:
            error.message = f"--before {before}: {error.message}"
            raise
        comparison = position.game.compare_from_any_side(earlier.state, position.state)
        return replace(with_check(answer, position), comparison=comparison)

    return fill


def _bug(error: Exception) -> CityscanError:
    bug = CityscanError(
        f"this is a mistake in Cityscan, not in your file ({type(error).__name__}: {error}). "
        "Please report it with the file; CITYSCAN_DEBUG=1 shows where it happened."
    )
    bug.kind = "internal"
    return bug
