"""All broken rules of a position, without its history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.alien_city.board import BOARD
from engine.alien_city.legality import Judgement, Tiles, build_all, judge
from engine.alien_city.pieces import (
    CLAIMS_PER_PLAYER,
    STOCK,
    STRICT_DISPLACED,
    TILES_PER_GUILD,
    Piece,
    piece_name,
)
from engine.alien_city.playing import built_lots, known_icons, placements, possible_colours, too_many_of_a_colour
from engine.alien_city.roads import Roads
from engine.alien_city.state import AlienCityState
from engine.sheet import Verdict, Violation

UNKNOWN_LAST_CLAIM = (
    "No photo shows whether the very last action was a claim, which is forbidden; "
    "if it was, give its lot as extras.last_claim and the tower counts as unclaimed."
)


def check_position(state: AlienCityState) -> Verdict:
    """All broken rules, and an order of building where the position is legal."""
    roads = Roads(BOARD, built_lots(state))
    counts = (*_tile_violations(state), *_stock_violations(state))
    if roads.sound:
        judgement = judge(tiles_of(state), structures_by_lot(state))
        order = (*_held(state, judgement), *_doubtful(state, judgement))
        notes = [*_judgement_notes(judgement), *_choice_notes(state, judgement)]
    else:
        judgement = Judgement(None, {}, {})
        order = tuple(_order_violations_of_broken_roads(state))
        notes = []
    last_claim, last_claim_notes = _last_claim(state)
    violations = (*counts, *_road_violations(state, roads), *order, *last_claim)
    certain = any(violation.certain for violation in violations)
    witness = None if certain or judgement.order is None else tuple(BOARD.lots[lot] for lot in judgement.order)
    return Verdict(violations, witness, (*notes, *last_claim_notes))


def tiles_of(state: AlienCityState) -> Tiles:
    """What the state knows about its tiles, for the rule core."""
    return Tiles(
        BOARD,
        possible_colours(state),
        known_icons(state),
        strict_displaced=STRICT_DISPLACED in state.variants,
        count_broken=too_many_of_a_colour(state),
    )


def structures_by_lot(state: AlienCityState) -> dict[int, Piece]:
    """The structures for the rule core."""
    return {BOARD.number[structure.at]: structure.piece for structure in state.structures}


def _tile_violations(state: AlienCityState) -> Iterator[Violation]:
    of_colour: dict[str, list[str]] = defaultdict(list)
    of_face: dict[tuple[str, int], list[str]] = defaultdict(list)
    for tile in state.tiles:
        if tile.colour:
            of_colour[tile.colour].append(tile.at)
            if tile.rank is not None:
                of_face[tile.colour, tile.rank].append(tile.at)
    for colour, at in of_colour.items():
        if len(at) > TILES_PER_GUILD:
            yield Violation("tiles", tuple(at), f"{len(at)} tiles are {colour}; the set has {TILES_PER_GUILD}.")
    for (colour, rank), at in of_face.items():
        if len(at) > 1:
            message = f"the tile {colour} {rank} lies on {' and '.join(at)}; the set has it once."
            yield Violation("tiles", tuple(at), message)


def _stock_violations(state: AlienCityState) -> Iterator[Violation]:
    of_piece: dict[Piece, list[str]] = defaultdict(list)
    of_cap: dict[str, list[str]] = defaultdict(list)
    for structure in state.structures:
        of_piece[structure.piece].append(structure.at)
        if structure.claimed_by:
            of_cap[structure.claimed_by].append(structure.at)
    for piece, at in of_piece.items():
        if len(at) > STOCK[piece]:
            message = f"there are {len(at)} {piece_name(piece)}s; the set has {STOCK[piece]}."
            yield Violation("stock", tuple(at), message)
    for cap, at in of_cap.items():
        if len(at) > CLAIMS_PER_PLAYER:
            message = f"{cap} has claimed {len(at)} towers; a player claims at most {CLAIMS_PER_PLAYER}."
            yield Violation("stock", tuple(at), message)
    if len(of_cap) > 2:
        at = [lot for lots in of_cap.values() for lot in lots]
        yield Violation("stock", tuple(at), f"there are caps of {', '.join(of_cap)}; only two players take part.")


def _road_violations(state: AlienCityState, roads: Roads) -> Iterator[Violation]:
    cut_off = BOARD.names(roads.cut_off)
    if cut_off:
        message = f"no road leads from {_listed(cut_off)} to the rest of the vacant lots."
        yield Violation("road", cut_off, message)
    walled_in = BOARD.names(roads.walled_in)
    if walled_in:
        names = [str(state.structure_at[lot]) for lot in walled_in]
        faces = "faces" if len(names) == 1 else "face"
        yield Violation("road", walled_in, f"{_listed(names)} {faces} no vacant lot.")


def _held(state: AlienCityState, judgement: Judgement) -> Iterator[Violation]:
    if judgement.joint:
        for rule, lots in _by_rule(judgement.certain).items():
            names = _listed([str(state.structure_at[lot]) for lot in lots])
            message = f"whatever the unseen tiles are, {names} cannot all have been built."
            yield Violation(rule, lots, message)
        return
    yield from _explained(state, judgement.certain)


def _explained(state: AlienCityState, held: Mapping[int, tuple[str, ...]], unless: str = "") -> Iterator[Violation]:
    for lot, rules in held.items():
        name = BOARD.lots[lot]
        for rule in rules:
            yield Violation(rule, (name,), _reason(state, name, rule) + unless, certain=not unless)


def _reason(state: AlienCityState, lot: str, rule: str) -> str:
    structure = state.structure_at[lot]
    tile = state.tile_under(lot)
    ground = f"the {tile.colour} tile {tile.at}" if tile.colour else f"tile {tile.at}"
    if rule == "dome-colour":
        return f"no order of play allows the {structure} on {ground}: its own tiles still have lots to build on."
    if rule == "first-two":
        return f"no order of play allows the {structure}: {ground} has not two structures before it."
    return f"no order of play allows the {structure}, the icon lot of {ground}: another lot of the tile comes first."


def _doubtful(state: AlienCityState, judgement: Judgement) -> Iterator[Violation]:
    for rule, lots in _by_rule(judgement.doubtful).items():
        tiles = _listed(sorted({state.tile_under(lot).at for lot in lots}, key=BOARD.number.__getitem__))
        message = (
            f"depending on tiles that were not fully seen, the rule may be broken on {_listed(lots)} (on {tiles})."
        )
        yield Violation(rule, lots, message, certain=False)


def _order_violations_of_broken_roads(state: AlienCityState) -> Iterator[Violation]:
    """What else is wrong where the road is cut.

    By the letter nothing passes [road] once it is cut, which frees icon lots
    and displaced domes. So what cannot be built even then is certain; what could
    only be built after the cut is doubtful.
    """
    structures = structures_by_lot(state)
    plan = tiles_of(state).plan()
    hopeless = build_all(plan, structures).held
    yield from _explained(state, hopeless)
    before_the_cut = build_all(plan, structures, keep_roads=True).held
    late = {lot: rules for lot, rules in before_the_cut.items() if rules and lot not in hopeless}
    yield from _explained(state, late, unless=" (It is excused if the road was cut before.)")


def _judgement_notes(judgement: Judgement) -> Iterator[str]:
    if judgement.colouring and judgement.order is not None:
        colours = ", ".join(f"{BOARD.lots[tile]} {colour}" for tile, colour in sorted(judgement.colouring.items()))
        yield f"The witness order holds for one possible choice of the unseen tiles: {colours}."
    if not judgement.decided:
        yield "Too many tiles are unseen to decide whether some choice of them makes every structure legal."


def _choice_notes(state: AlienCityState, judgement: Judgement) -> Iterator[str]:
    if judgement.order is None or STRICT_DISPLACED in state.variants or not _has_foreign_domes(state):
        return
    strict = tiles_of(replace(state, variants=(*state.variants, STRICT_DISPLACED)))
    held = judge(strict, structures_by_lot(state)).certain
    if held:
        lots = _listed([BOARD.lots[lot] for lot in held])
        yield (
            f"Choice: displaced domes may be the first or second structure of a tile, which {lots} "
            f"{'rests' if len(held) == 1 else 'rest'} on; the variant strict-displaced forbids it."
        )


def _has_foreign_domes(state: AlienCityState) -> bool:
    return any(not s.is_tower and state.tile_under(s.at).colour not in (s.colour, None) for s in state.structures)


def _last_claim(state: AlienCityState) -> tuple[list[Violation], list[str]]:
    claims = [s.at for s in state.structures if s.claimed_by]
    lot = state.last_claim
    if lot is not None and lot not in claims:
        return [], [f"extras.last_claim names {lot}, where no claimed tower stands; it changes nothing."]
    if not claims or placements(state):
        return [], []
    if lot is None:
        return [], [UNKNOWN_LAST_CLAIM]
    message = f"the last action claimed the tower on {lot}; it counts as unclaimed."
    return [Violation("last-claim", (lot,), message)], []


def _by_rule(held: Mapping[int, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for lot, rules in sorted(held.items()):
        for rule in rules:
            found[rule] = (*found.get(rule, ()), BOARD.lots[lot])
    return found


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
