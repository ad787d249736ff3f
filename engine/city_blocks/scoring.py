"""The score sheet: largest area plus free edges of every colour, and whether the game is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.city_blocks.board import (
    COLOURS,
    CORNERS,
    areas,
    free_edges,
    moved_east,
    moved_north,
    moved_south,
    moved_west,
    names_in,
    square_name,
    squares_in,
)
from engine.city_blocks.checking import PLAIN_NOTE, readings_of
from engine.city_blocks.corners import begun_colours, best_corners
from engine.city_blocks.moves import could_be_played, what_is_left
from engine.city_blocks.state import CityBlocks, Pairs
from engine.sheet import Item, Score

# Moving the EMPTY squares one way finds the squares whose opposite side is free.
_SIDES: Final = (("north", moved_south), ("east", moved_west), ("south", moved_north), ("west", moved_east))
_DOCUMENT_PAIRS: Final[Pairs] = (("blue", "red"), ("green", "yellow"))


def score(state: CityBlocks) -> Score:
    """Areas and free edges of the four colours, the winner, and what could still be played."""
    items = tuple(item for colour in COLOURS for item in _items(state, colour))
    colours = {colour: sum(item.points for item in items if item.owner == colour) for colour in COLOURS}
    contest = _contest(state, colours)
    playable = could_be_played(state)
    over = state.all_passed or not playable
    return Score(
        totals={**colours, **(contest.totals if state.players == 2 else {})},
        winner=contest.winner,
        items=items,
        over=over,
        could_play=() if over else tuple(f"{colour}: {', '.join(names)}" for colour, names in playable.items()),
        left=_left(state),
        notes=(*contest.notes, *_notes(state, over=over)),
    )


def totals(state: CityBlocks) -> dict[str, int]:
    """The totals of ``score`` without the sheet around them."""
    empty = state.empty_squares
    colours = {}
    for colour in COLOURS:
        own = state.squares(colour)
        colours[colour] = _largest_area(own) + free_edges(own, empty)
    return {**colours, **(_contest(state, colours).totals if state.players == 2 else {})}


# --- a colour's points -----------------------------------------------------------------------
def _items(state: CityBlocks, colour: str) -> Iterator[Item]:
    own = state.squares(colour)
    largest, *others = areas(own) or [0]
    size = largest.bit_count()
    text = f"largest area of {size} squares" if size != 1 else "largest area of 1 square"
    if others:
        text += f" (then {', '.join(str(other.bit_count()) for other in others)})"
    yield Item("area", colour, size, {"squares": list(names_in(largest))}, text)
    empty = state.empty_squares
    edges = [[square_name(square), side] for square, side in _edges(own, empty)]
    number = free_edges(own, empty)
    yield Item("edges", colour, number, {"edges": edges}, f"{number} edges that face an empty square")


@lru_cache(maxsize=64)  # positions that are tried one after the other differ in a colour or two
def _largest_area(own: int) -> int:
    return areas(own)[0].bit_count() if own else 0


def _edges(own: int, empty: int) -> list[tuple[int, str]]:
    """Every side of the colour's squares that faces an empty square, for a person to recount."""
    return sorted((square, side) for side, moved in _SIDES for square in squares_in(own & moved(empty)))


# --- who wins --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Contest:
    """Who plays for which points."""

    totals: Mapping[str, int]
    winner: str | None
    notes: tuple[str, ...] = ()


def _contest(state: CityBlocks, colours: Mapping[str, int]) -> _Contest:
    if state.players == 2:
        pairs, why = _pairs(state)
        totals = {"+".join(pair): sum(colours[colour] for colour in pair) for pair in pairs}
        return _Contest(totals, _highest(totals), (why,) if why else ())
    if state.players == 4:
        return _Contest(colours, _highest(colours))
    if state.neutral is None:
        winners = {colour: _highest(_without(colours, colour)) or "a draw" for colour in COLOURS}
        told = "; ".join(f"{winner} if {neutral} is neutral" for neutral, winner in winners.items())
        note = (
            f'three players, but the neutral colour is not known (field "neutral"), so nobody is named winner: {told}.'
        )
        return _Contest(colours, None, (note,))
    note = f"three players: {state.neutral} is played by all and scores for nobody (our reading of the rules)."
    return _Contest(colours, _highest(_without(colours, state.neutral)), (note,))


def _without(colours: Mapping[str, int], neutral: str) -> dict[str, int]:
    return {colour: points for colour, points in colours.items() if colour != neutral}


def _highest(totals: Mapping[str, int]) -> str | None:
    """The one with the most points; None for a draw."""
    most = max(totals.values())
    first = [name for name, points in totals.items() if points == most]
    return first[0] if len(first) == 1 else None


def _pairs(state: CityBlocks) -> tuple[Pairs, str]:
    """Who plays which two colours: as stated, else by the diagonals of the corners, else as in the rules' text."""
    if state.pairs is not None:
        return state.pairs, ""
    plain = readings_of(state)[0]
    diagonals = {_diagonals(corners) for corners in best_corners(state, begun_colours(state, plain=plain))}
    if len(diagonals) == 1:
        (pairs,) = diagonals
        return pairs, f"the pairs {_named(pairs)} follow from the corners."
    note = f'who plays which two colours is not known (field "pairs"); {_named(_DOCUMENT_PAIRS)} as in the rules.'
    return _DOCUMENT_PAIRS, note


def _diagonals(corners: Mapping[str, int]) -> Pairs:
    """The colours in opposite corners; blue's pair first."""
    colour_in = {square: colour for colour, square in corners.items()}
    opposite = {colour: colour_in[CORNERS[(CORNERS.index(square) + 2) % 4]] for colour, square in corners.items()}
    others = [colour for colour in COLOURS if colour not in ("blue", opposite["blue"])]
    return ("blue", opposite["blue"]), (others[0], others[1])


def _named(pairs: Pairs) -> str:
    return " and ".join("+".join(pair) for pair in pairs)


# --- the rest of the sheet -------------------------------------------------------------------
def _left(state: CityBlocks) -> dict[str, Any]:
    return {
        colour: {
            "squares": left.squares,
            "pieces": list(left.surely),
            "maybe": list(left.maybe),
            "certain": left.certain,
        }
        for colour, left in what_is_left(state).items()
    }


def _notes(state: CityBlocks, *, over: bool) -> Iterator[str]:
    if state.is_plain_blokus:
        yield PLAIN_NOTE
    unknown = state.unknown_squares.bit_count()
    if unknown:
        squares = "1 square" if unknown == 1 else f"{unknown} squares"
        yield f"{squares} of unknown colour (?) score for nobody: enter their colours for the full score."
    if state.all_passed:
        yield "the game is over because everybody passed (extras.all_passed)."
    elif not over:
        yield (
            "pieces could still be played. The game is also over once all players pass in one round, which no "
            'photo shows: state it with "extras": {"all_passed": true}.'
        )
    if any(not left.certain for left in what_is_left(state).values()):
        yield "the borders between pieces are not known: some pieces may or may not have been played already."
