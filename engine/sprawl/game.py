"""Sprawl behind the interface that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from engine.errors import InvalidState, UsageError
from engine.fields import Field
from engine.game import Game, Options, Record, check_variants, refuse_options
from engine.sheet import Comparison, Drawing, Move, Score, Verdict
from engine.sprawl import notation
from engine.sprawl.board import Square
from engine.sprawl.options import with_board, with_colours
from engine.sprawl.rules import RULES
from engine.sprawl.state import LOOSE_BRANCHING, STRICT_BRANCHING, VARIANTS, State, colours_of

# The modules with the rules are imported where they are used: they need networkx, which takes
# longer to load than a position takes to read.


class Sprawl(Game[State]):
    """Invisible City's free game 43."""

    name = "sprawl"
    title = "Sprawl"
    variants: ClassVar[tuple[str, ...]] = VARIANTS
    rules = RULES

    # --- placement --------------------------------------------------------------------------
    def load(self, document: Field) -> State:
        return notation.load(document)

    def dump(self, state: State) -> dict[str, Any]:
        return notation.dump(state)

    def parse_diagram(self, text: str) -> State:
        return notation.parse_diagram(text)

    def diagram(self, state: State) -> str:
        return notation.diagram(state)

    def empty(self) -> State:
        """The middle board of the rules, before anybody chose a colour."""
        return State(6, 6)

    def with_options(self, state: State, options: Options) -> State:
        refuse_options(options, self, "edition")
        state = with_board(with_colours(state, options.colours), options.board)
        if options.players is not None and options.players != len(state.colours):
            raise UsageError(
                f"the position has {len(state.colours)} colours in play, not {options.players}; "
                "name the colours of all players with --colours."
            )
        chosen = check_variants(options.variants, self)
        if STRICT_BRANCHING in chosen and LOOSE_BRANCHING in chosen:
            raise UsageError(f"{STRICT_BRANCHING} and {LOOSE_BRANCHING} exclude each other; choose one.")
        kept = [name for name in state.variants if name not in _overruled_by(chosen)]
        return replace(state, variants=(*kept, *(name for name in chosen if name not in kept)))

    def put(self, state: State, place: str, value: Mapping[str, Any] | None) -> State:
        square = Square.parse(place)
        if square is None:
            raise InvalidState(place, "is not a square.")
        if value is None:
            return replace(state, cells=tuple(entry for entry in state.cells if entry[0] != square))
        cell = notation.load_cell(Field(dict(value)))
        # A colour that is put on the board is in play.
        colours = tuple(dict.fromkeys((*state.colours, *colours_of([cell]))))
        return replace(state, colours=colours).with_cell(square, cell)

    def turns(self, state: State) -> tuple[State, ...]:
        """Four on a square board; on others the two that keep columns and rows."""
        quarter = state.turned()
        half = quarter.turned()
        return (state, quarter, half, half.turned()) if state.columns == state.rows else (state, half)

    def drawing(self, state: State) -> Drawing:
        return notation.drawing(state)

    # --- rules ------------------------------------------------------------------------------
    def check(self, state: State, record: Record[State] | None = None) -> Verdict:
        from engine.sprawl.judge import check

        return check(state)

    def score(self, state: State, record: Record[State] | None = None) -> Score:
        from engine.sprawl.scoring import score

        return score(state)

    def totals(self, state: State) -> Mapping[str, int]:
        from engine.sprawl.scoring import totals

        return totals(state)

    def moves(self, state: State) -> tuple[Move, ...]:
        from engine.sprawl.forest import Forest
        from engine.sprawl.moves import legal_moves

        forest = Forest(state)
        return tuple(placement.move for colour in state.colours for placement in legal_moves(forest, colour))

    def compare(self, before: State, after: State) -> Comparison:
        from engine.sprawl.compare import compare

        return compare(before, after)

    def random_game(self, rng: random.Random) -> Iterator[State]:
        from engine.sprawl.play import random_game

        return random_game(rng)


def _overruled_by(chosen: tuple[str, ...]) -> set[str]:
    opposite = {STRICT_BRANCHING: LOOSE_BRANCHING, LOOSE_BRANCHING: STRICT_BRANCHING}
    return {opposite[name] for name in chosen if name in opposite}
