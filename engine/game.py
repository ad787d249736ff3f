"""The interface that every game implements, and how a game is found.

A game is one folder in ``engine/`` whose package has a ``GAME``; nothing else
has to know about it.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

import engine
from engine.errors import UsageError
from engine.fields import Field
from engine.sheet import Comparison, Drawing, Move, Score, Verdict

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller states over the position itself; None leaves the position's own value."""

    edition: str | None = None
    players: int | None = None
    variants: tuple[str, ...] = ()
    board: tuple[int, int] | None = None  # columns, rows: the part of a larger board that is in play
    colours: tuple[str, ...] = ()  # the colours in play


@dataclass(frozen=True, slots=True)
class Record(Generic[S]):
    """A game with its history: the set-up, then every turn's moves in order, and where it led.

    ``turns`` holds (player, moves of that turn); the player is a cap colour or
    None where the record does not tell. ``labels`` are the turns' own numbers
    in the record, such as ``7...``, for messages.
    """

    start: S
    turns: tuple[tuple[str | None, tuple[Move, ...]], ...]
    final: S
    labels: tuple[str, ...] = ()


class Game(ABC, Generic[S]):
    """A game's rules over its own immutable state type ``S``."""

    name: ClassVar[str]
    title: ClassVar[str]
    editions: ClassVar[tuple[str, ...]] = ()
    variants: ClassVar[tuple[str, ...]] = ()
    # Rule id -> the rule in one sentence, for messages, page and docs.
    rules: ClassVar[Mapping[str, str]] = {}
    # The file ending of game records, such as ".ppn"; None where the game has no such notation.
    record_suffix: ClassVar[str | None] = None

    # --- placement: states and their notations -------------------------------------------
    @abstractmethod
    def load(self, document: Field) -> S:
        """The state in a parsed JSON document. Raises InvalidState with the field's path."""

    @abstractmethod
    def dump(self, state: S) -> dict[str, Any]:
        """The JSON object of a state; ``load`` of it gives the same state."""

    @abstractmethod
    def parse_diagram(self, text: str) -> S:
        """The state in a text diagram. Raises InvalidState with the line."""

    @abstractmethod
    def diagram(self, state: S) -> str:
        """The text diagram of a state; ``parse_diagram`` of it gives the same state."""

    @abstractmethod
    def empty(self) -> S:
        """A board before the first move, with nothing known about it."""

    @abstractmethod
    def with_options(self, state: S, options: Options) -> S:
        """The state with what the caller stated. Raises UsageError for options it does not have."""

    def with_setup(self, state: S, setup: S) -> S:
        """The state with what an earlier position of the same game shows and this one hides."""
        raise UsageError(f"--setup is of no use for {self.title}: nothing on its board hides the board.")

    @abstractmethod
    def put(self, state: S, place: str, value: Mapping[str, Any] | None) -> S:
        """The state with ``value`` in a place instead of what was there.

        A place is a lot or square, or ``tile:`` with the name of a tile; a value is the place's entry in the JSON
        object without ``at``, None for empty. Raises InvalidState where that cannot lie on a table.
        """

    @abstractmethod
    def turns(self, state: S) -> tuple[S, ...]:
        """The state as seen from every side that the board allows; the first is the state itself."""

    @abstractmethod
    def drawing(self, state: S) -> Drawing:
        """The board for a terminal."""

    # --- rules ----------------------------------------------------------------------------
    @abstractmethod
    def check(self, state: S, record: Record[S] | None = None) -> Verdict:
        """All broken rules, and a witness order where the position is legal."""

    @abstractmethod
    def score(self, state: S, record: Record[S] | None = None) -> Score:
        """The score sheet, also of a position that breaks rules, wherever that is possible."""

    def totals(self, state: S) -> Mapping[str, int]:
        """The totals of the score sheet alone, for callers that try many positions."""
        return self.score(state).totals

    @abstractmethod
    def moves(self, state: S) -> tuple[Move, ...]:
        """Everything that may legally be played now with the pieces that the set has left."""

    @abstractmethod
    def compare(self, before: S, after: S) -> Comparison:
        """What was played in between, and whether each step was legal in some order."""

    def compare_from_any_side(self, before: S, after: S) -> Comparison:
        """As ``compare``, where the earlier board may have been seen from another side of the table."""
        comparisons = (self.compare(turned, after) for turned in self.turns(before))
        return min(comparisons, key=lambda comparison: (len(comparison.violations), len(comparison.steps)))

    @abstractmethod
    def random_game(self, rng: random.Random) -> Iterator[S]:
        """Every position of a random legal game, from the set-up to the end."""

    # --- game records, for games that have a notation for them ------------------------------
    def load_record(self, text: str) -> Record[S]:
        raise UsageError(f"there is no notation for game records of {self.title}.")

    def dump_record(self, state: S) -> str:
        raise UsageError(f"there is no notation for game records of {self.title}.")


@cache
def game_names() -> tuple[str, ...]:
    """The names of all games, found by their folders."""
    return tuple(
        sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(engine.__path__) if module.ispkg)
    )


@cache
def game(name: str) -> Game[Any]:
    """The rules of one game. Imports only that game's folder."""
    if name not in game_names():
        raise UsageError(f'there is no game "{name}"; the games are {", ".join(game_names())}.')
    found = importlib.import_module(f"engine.{name.replace('-', '_')}").GAME
    assert isinstance(found, Game)
    return found


def check_variants(chosen: Sequence[str], of: type[Game[Any]] | Game[Any]) -> tuple[str, ...]:
    """The chosen variants, each once and in the game's order."""
    for name in chosen:
        if name not in of.variants:
            raise UsageError(f'{of.title} has no variant "{name}"; it has {", ".join(of.variants)}.')
    return tuple(name for name in of.variants if name in chosen)


def refuse_options(options: Options, of: Game[Any], *names: str) -> None:
    """Raises UsageError if an option was given that the game has no use for."""
    for name in names:
        if getattr(options, name):
            option = name.removesuffix("s") if name == "variants" else name
            raise UsageError(f"{of.title} has no use for --{option}; leave it out.")
