"""The interface between a game and the clickable board: what is drawn, what can be put where, what lights up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, TypeVar

from engine.documents import position_from_document
from engine.game import Game, game
from engine.sheet import Item, Move
from page.boards.paint import Layer

S = TypeVar("S")
# What a place holds, as its entry in the state without "at"; None: nothing.
Value = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A lot or square: column and row from the north-west, how it is drawn, and its description for a screen reader."""

    at: str
    x: int
    y: int
    label: str
    layers: Sequence[Layer] = ()
    icon: bool = False
    corner: Mapping[str, Any] | None = None  # a small text and where in the cell it stands


@dataclass(frozen=True, slots=True)
class Block:
    """A coloured ground under several cells, such as a tile."""

    x: int
    y: int
    width: int
    height: int
    fill: str


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose in the palette. ``left`` is how many the set still has; below zero they are too many.

    ``brush`` marks an option that is a whole brush by itself where the others are combined.
    """

    id: str
    label: str
    key: str | None = None
    layers: Sequence[Layer] | None = None
    left: int | None = None
    rare: bool = False
    brush: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A row of the palette. The keys of a section that ``puts`` place a piece, those of others only choose."""

    name: str
    options: Sequence[Option]
    folded: bool = False
    puts: bool = False


@dataclass(frozen=True, slots=True)
class Brush:
    """What one tap does: ``layers`` replace the lot's or lie ``over`` them; ``ground`` brushes change what is below."""

    label: str
    layers: Sequence[Layer] = ()
    over: bool = False
    ground: bool = False


@dataclass(frozen=True, slots=True)
class Palette:
    """Everything that can be put on the board. With ``combine`` a brush is one option of each section, joined by |."""

    sections: Sequence[Section]
    brushes: Mapping[str, Brush]
    combine: bool = False
    over: Sequence[str] = ()  # sentences about pieces that the set does not have

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Mark:
    """A lot that a line of the score rests on. ``role`` decides the shape, ``text`` stands on it."""

    at: str
    role: str
    text: str = ""
    words: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Heat:
    """How much a lot invites a piece: from 0 to 1, with a text on the lot and words for a screen reader."""

    level: float
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that no photo shows. ``answers`` maps what people choose to the value that goes under ``extras``."""

    fact: str
    text: str
    answers: Mapping[str, Any]


class BoardKind(ABC, Generic[S]):
    """How one game's positions are drawn, edited and explained on the page."""

    name: str
    turn_step = 1  # quarter turns that "rotate" makes

    @property
    def game(self) -> Game[S]:
        return game(self.name)

    # --- drawing ----------------------------------------------------------------------------
    @abstractmethod
    def size(self, state: S) -> tuple[int, int]:
        """Columns and rows."""

    @abstractmethod
    def cells(self, state: S) -> list[Cell]: ...

    def blocks(self, state: S) -> list[Block]:
        return []

    @abstractmethod
    def row_labels(self, state: S) -> list[str]:
        """From the north edge."""

    def column_labels(self, state: S) -> list[str]:
        return [chr(ord("A") + number) for number in range(self.size(state)[0])]

    @abstractmethod
    def words(self, value: Value) -> str:
        """What lies there, in words."""

    @abstractmethod
    def layers(self, value: Value) -> list[Layer]: ...

    # --- editing ----------------------------------------------------------------------------
    @abstractmethod
    def palette(self, state: S) -> Palette: ...

    @abstractmethod
    def paint(self, state: S, at: str, brush: str) -> S:
        """The position after a tap with a brush. Raises CityscanError where that makes no position."""

    @abstractmethod
    def value(self, state: S, place: str) -> Value:
        """What a place holds (a lot, or a tile as ``tile:A1``)."""

    def put(self, state: S, place: str, value: Value) -> S:
        """The position with ``value`` in that place instead of what was there."""
        changed: S = game(self.name).put(state, place, value)
        return changed

    @abstractmethod
    def turned(self, state: S) -> S:
        """The position after the board was turned clockwise by ``turn_step`` quarters."""

    def places(self, state: S) -> list[str]:
        """All places that can differ between a reading and its correction."""
        return [cell.at for cell in self.cells(state)]

    def tile_of(self, at: str) -> str | None:
        return None

    # --- explaining -------------------------------------------------------------------------
    @abstractmethod
    def marks(self, item: Item) -> list[Mark]:
        """The lots that a line of the score rests on."""

    @abstractmethod
    def legend(self, item: Item) -> str:
        """What those marks mean."""

    @abstractmethod
    def heat(self, moves: Sequence[Move]) -> dict[str, dict[str, Heat]]:
        """For each piece that can be played, in words: where."""

    @abstractmethod
    def left(self, left: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What is left in the set, as rows of a table."""

    @abstractmethod
    def owners(self, state: S) -> list[str]:
        """Who can be given a name."""

    def questions(self, state: S) -> list[Question]:
        return []

    # --- whole documents --------------------------------------------------------------------
    def with_document(self, state: S, **fields: Any) -> S:
        """The position with fields of its document changed; None removes a field."""
        document = {**self.game.dump(state), **fields}
        kept = {key: value for key, value in document.items() if value is not None}
        changed: S = position_from_document(kept).state
        return changed

    def with_extras(self, state: S, **facts: Any) -> S:
        """The position with facts that no photo shows; None takes one back."""
        extras = {**self.game.dump(state).get("extras", {}), **facts}
        kept = {key: value for key, value in extras.items() if value not in (None, {}, "")}
        return self.with_document(state, extras=kept or None)

    def names(self, state: S) -> dict[str, str]:
        found: dict[str, str] = self.game.dump(state).get("extras", {}).get("names", {})
        return dict(found)


def rings(lots: Iterable[str], role: str, text: str, words: str) -> list[Mark]:
    """The same mark on several lots."""
    return [Mark(at, role, text, words) for at in lots]
