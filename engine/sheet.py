"""What the engine answers: broken rules, scores, moves. Plain values with a JSON form each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule. ``certain`` is false where an unseen fact could still excuse it."""

    rule: str
    at: tuple[str, ...]
    message: str
    certain: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"rule": self.rule, "at": list(self.at), "certain": self.certain, "message": self.message}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a position can have come about by legal play.

    ``witness`` is an order of play that proves it (None where there is none,
    or where the game needs no order).
    """

    violations: tuple[Violation, ...] = ()
    witness: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def certainly_illegal(self) -> bool:
        return any(violation.certain for violation in self.violations)


@dataclass(frozen=True, slots=True)
class Item:
    """One scored thing, with the numbers and the lots it rests on.

    ``text`` is the reckoning in words, for people who want to recount it.
    """

    kind: str
    owner: str | None
    points: int
    details: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "owner": self.owner, **self.details, "points": self.points, "text": self.text}


@dataclass(frozen=True, slots=True)
class Score:
    """The score sheet.

    ``over`` says whether the game has ended; ``could_play`` what could still
    be played if not, in words; ``left`` the pieces that are not on the board.
    """

    totals: Mapping[str, int]
    winner: str | None
    items: tuple[Item, ...]
    over: bool
    could_play: tuple[str, ...] = ()
    left: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    # What one game has to say beyond the others, as further fields of the JSON form.
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "totals": dict(self.totals),
            "winner": self.winner,
            "items": [item.to_json() for item in self.items],
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Move:
    """Something that may be played: ``action`` is its JSON form in FORMATS, ``text`` the same for people."""

    text: str
    action: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return dict(self.action)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was played between two positions, and whether it was legal then."""

    move: Move
    legal: bool
    rule: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {**self.move.to_json(), "legal": self.legal, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was played between two positions, in an order that is legal if any is."""

    steps: tuple[Step, ...]
    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Glyph:
    """How one lot looks in a drawing: two or three characters, a piece colour and the ground's colour."""

    text: str
    colour: str | None = None
    ground: str | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board for a terminal: rows from the top, with a label before each row and under each column."""

    rows: tuple[tuple[Glyph, ...], ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
