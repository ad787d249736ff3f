"""Whether a position can have come about by legal play, with the cut that proves it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from engine.city_blocks.board import CENTRE_MASK, COLOURS, CORNERS, names_in, square_name
from engine.city_blocks.corners import Corners, begun_colours, begun_elsewhere, best_corners, possible_corners
from engine.city_blocks.cover import Answer, Placement, Problem, solve
from engine.city_blocks.inventory import OPEN_TEXT, SECONDS, Cut, Cutting, count_reason, cut, set_of
from engine.city_blocks.pieces import pieces
from engine.city_blocks.state import UNKNOWN, CityBlocks
from engine.sheet import Verdict, Violation

PLAIN_NOTE: Final = (
    "plain-blokus: the centre does not hold four different singles, so this counts as a plain Blokus board: "
    "each colour has 21 pieces, and its single may lie anywhere."
)
# Questions about unknown squares are asked for this many of them at most: beyond, nothing is certain.
_MOST_UNKNOWN: Final = 40


def check(state: CityBlocks) -> Verdict:
    """All broken rules and, if there are none, each colour's pieces in an order in which they can be played."""
    readings = [_judge(state, plain=plain) for plain in readings_of(state)]
    # Where the centre leaves open which game this is, a rule is broken only if it is in both.
    verdict = min(readings, key=lambda one: (one.certainly_illegal, len(one.violations)))
    notes = list(verdict.notes)
    unknown = state.unknown_squares
    if unknown:
        notes.append(
            f"{_count(unknown, 'square')} of unknown colour (?): a rule counts as broken for certain "
            "only if it is broken whatever their colours are."
        )
    return Verdict(verdict.violations, verdict.witness, tuple(notes))


def readings_of(state: CityBlocks) -> tuple[bool, ...]:
    """Whether the board is plain Blokus; both answers, City Blocks first, where the centre is not fully known."""
    if state.is_plain_blokus:
        return (True,)
    return (False, True) if state.may_be_plain_blokus else (False,)


def _judge(state: CityBlocks, *, plain: bool) -> Verdict:
    begun = begun_colours(state, plain=plain)
    violations = [*_corner_violations(state, begun)]
    cuts: dict[str, Cut] = {}
    for colour in COLOURS:
        cutting = cut(state.played(colour, plain=plain), set_of(plain=plain))
        if cutting.answer is Answer.YES:
            cuts[colour] = cutting.cut
        else:
            violations.append(_inventory_violation(state, colour, cutting, plain=plain))
    notes = [PLAIN_NOTE] if plain else []
    notes += [f"[inventory] {violation.message}" for violation in violations if OPEN_TEXT in violation.message]
    unknown = _unknown(state, plain=plain)
    if unknown and not violations:
        answer, cuts = _cut_all(state, unknown, plain=plain)
        if answer is Answer.NO:
            violations.append(_unknown_violation(unknown))
        elif answer is Answer.OPEN:
            notes.append(
                "[inventory] whether the unknown squares can belong to pieces stayed open: too much is unknown."
            )
    witness = None
    if not violations and (cuts or not unknown):
        witness = _witness(cuts, best_corners(state, begun)[0])
    return Verdict(tuple(violations), witness, tuple(notes))


# --- corner-first ----------------------------------------------------------------------------
def _corner_violations(state: CityBlocks, begun: frozenset[str]) -> list[Violation]:
    """Colours that began elsewhere; uncertain where a corner under an unknown colour may be theirs."""
    wrong = [set(begun_elsewhere(state, way, begun)) for way in best_corners(state, begun)]
    surely = set.intersection(*wrong)
    violations = [_corner_violation(state, colour, certain=True) for colour in COLOURS if colour in surely]
    if len(wrong[0]) > len(surely):
        # Some colours share too few possible corners: one of them began elsewhere, nobody knows which.
        among = [colour for colour in COLOURS if colour in set.union(*wrong) - surely]
        message = f"{' and '.join(among)} cannot all cover corners of their own."
        corners = tuple(square_name(square) for square in CORNERS if state.symbol(square) == UNKNOWN)
        return [*violations, Violation("corner-first", corners, message)]
    best_seen = best_corners(state, begun, trust_unknown=False)[0]
    seen = begun_elsewhere(state, best_seen, begun, trust_unknown=False)
    doubtful = [colour for colour in seen if colour not in surely]
    return violations + [_corner_violation(state, colour, certain=False) for colour in doubtful]


def _corner_violation(state: CityBlocks, colour: str, *, certain: bool) -> Violation:
    own = sorted({way[colour] for way in possible_corners(state)}, key=CORNERS.index)
    if len(own) == 1:
        problem = f"does not cover its own corner {square_name(own[0])}"
    else:
        problem = "covers no corner that could be its own"
    doubt = "" if certain else ", unless it is the unknown colour in a corner"
    message = f"{colour} has pieces on the board but {problem}{doubt}."
    return Violation("corner-first", tuple(square_name(square) for square in own), message, certain)


# --- inventory -------------------------------------------------------------------------------
def _inventory_violation(state: CityBlocks, colour: str, cutting: Cutting, *, plain: bool) -> Violation:
    """The violation for squares that cannot be cut, or not in time, or only with unknown squares' help."""
    certain = cutting.answer is Answer.NO
    unknown = _unknown(state, plain=plain)
    if certain and unknown:
        helped = _cut_with_help(state.played(colour, plain=plain), set_of(plain=plain), unknown)
        if helped.answer is Answer.NO:
            cutting = helped
        else:
            certain = False
            cutting = replace(cutting, reason=f"{cutting.reason}, unless squares of unknown colour belong to it")
    return Violation("inventory", names_in(cutting.at), f"{colour}: {cutting.reason}.", certain)


def _cut_with_help(own: int, names: tuple[str, ...], unknown: int) -> Cutting:
    if unknown.bit_count() > _MOST_UNKNOWN and not count_reason(own.bit_count(), names, unknown.bit_count()):
        return Cutting(Answer.OPEN)
    return cut(own, names, unknown)


def _cut_all(state: CityBlocks, unknown: int, *, plain: bool) -> tuple[Answer, dict[str, Cut]]:
    """All colours cut at once, with every unknown square in a piece of some colour."""
    if unknown.bit_count() > _MOST_UNKNOWN:
        return Answer.OPEN, {}
    must = unknown
    placements: list[Placement] = []
    for colour in COLOURS:
        own = state.played(colour, plain=plain)
        must |= own
        for name in reversed(set_of(plain=plain)):
            placements += (Placement((colour, name), mask) for mask in pieces()[name].placements(own | unknown))
    found = solve(Problem(must, tuple(placements)), time.monotonic() + SECONDS)
    cuts: dict[str, Cut] = dict.fromkeys(COLOURS, ()) if found.answer is Answer.YES else {}
    for placement in found.chosen:
        assert isinstance(placement.piece, tuple)
        colour, name = placement.piece
        cuts[colour] += (Placement(name, placement.mask),)
    return found.answer, cuts


def _unknown_violation(unknown: int) -> Violation:
    message = "whatever colours the unknown squares have, the board cannot be cut into different pieces."
    return Violation("inventory", names_in(unknown), message)


def _unknown(state: CityBlocks, *, plain: bool) -> int:
    """The unknown squares that pieces cover; those in the centre of a City Blocks board are singles."""
    return state.unknown_squares if plain else state.unknown_squares & ~CENTRE_MASK


# --- witness ---------------------------------------------------------------------------------
def _witness(cuts: dict[str, Cut], corners: Corners) -> tuple[str, ...] | None:
    """An order in which the pieces can be played: each colour's corner piece first, colours in turn.

    None where unknown squares were given to a colour that could not have begun with them.
    """
    orders = {colour: corner_first(cuts[colour], corners[colour]) for colour in COLOURS if cuts[colour]}
    if not all(order[0].mask >> corners[colour] & 1 for colour, order in orders.items()):
        return None
    longest = max((len(order) for order in orders.values()), default=0)
    return tuple(
        piece_text(colour, order[turn])
        for turn in range(longest)
        for colour, order in orders.items()
        if turn < len(order)
    )


def corner_first(played: Cut, corner: int) -> list[Placement]:
    """The pieces with the one over the corner first, then from the north-west on."""
    return sorted(played, key=lambda placement: (not placement.mask >> corner & 1, placement.mask & -placement.mask))


def piece_text(colour: str, placement: Placement) -> str:
    """A piece on the board for people: ``blue V3 A1 B1 A2``."""
    return f"{colour} {placement.piece} {' '.join(names_in(placement.mask))}"


def _count(mask: int, noun: str) -> str:
    number = mask.bit_count()
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
