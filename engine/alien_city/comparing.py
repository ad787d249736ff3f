"""What was played between two positions, and whether it was legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.alien_city.board import BOARD
from engine.alien_city.checking import tiles_of
from engine.alien_city.history import build_move, claim_move
from engine.alien_city.legality import build_all
from engine.alien_city.pieces import CLAIMS_PER_PLAYER, STOCK
from engine.alien_city.playing import built_lots
from engine.alien_city.roads import Roads
from engine.alien_city.state import AlienCityState, Structure, Tile
from engine.sheet import Comparison, Step, Violation


def compare_positions(before: AlienCityState, after: AlienCityState) -> Comparison:
    """What was played in between, in an order that is legal if any is.

    The second position may have been seen from the other side of the board:
    of its two turns that which explains more is taken.
    """
    straight, turned = list(_contradictions(before, after)), list(_contradictions(before, after.turned()))
    if len(turned) < len(straight):
        after, found = after.turned(), turned
        notes = ["The second position was turned by half a turn to fit the first."]
    else:
        found, notes = straight, []
    ground = replace(after, tiles=_known_of_both(before, after))
    builds, doubtful = _build_steps(before, ground)
    steps = tuple(_with_claims(builds, _claim_steps(before, after)))
    if doubtful:
        notes.append(f"Whether {', '.join(doubtful)} was legal hangs on tiles that were not fully seen.")
    return Comparison(steps, (*found, *_too_many_claims(steps)), tuple(notes))


def _contradictions(before: AlienCityState, after: AlienCityState) -> Iterator[Violation]:
    """What cannot have happened: tiles that differ, structures and caps that moved, changed or vanished."""
    for tile in before.tiles:
        later = after.tile_at.get(tile.at)
        if later and any(_differ(tile, later, name) for name in ("colour", "rank", "icon")):
            yield Violation("tiles", (tile.at,), f"tile {tile.at} was {_described(tile)} and is {_described(later)}.")
    for old in before.structures:
        new = after.structure_at.get(old.at)
        if new is None:
            yield Violation("moved", (old.at,), f"the {old} is gone; structures are never taken away.")
        elif new.piece != old.piece:
            yield Violation("moved", (old.at,), f"the {old} has become a {new.colour} {new.kind}.")
        elif old.claimed_by and new.claimed_by != old.claimed_by:
            now = f"carries a {new.claimed_by} cap" if new.claimed_by else "carries no cap"
            yield Violation("moved", (old.at,), f"the {old} was claimed by {old.claimed_by} and now {now}; caps stay.")


def _differ(one: Tile, other: Tile, name: str) -> bool:
    values = (getattr(one, name), getattr(other, name))
    return None not in values and values[0] != values[1]


def _described(tile: Tile) -> str:
    rank = "?" if tile.rank is None else tile.rank
    return f"{tile.colour or 'of unseen colour'} {rank} with its icon on {tile.icon or 'an unseen lot'}"


def _known_of_both(before: AlienCityState, after: AlienCityState) -> tuple[Tile, ...]:
    """What either position knows about the tiles; an earlier photo shows icons that are built over now."""
    known = dict(before.tile_at)
    for tile in after.tiles:
        old = known.get(tile.at, tile)
        known[tile.at] = Tile(
            tile.at,
            tile.colour or old.colour,
            old.rank if tile.rank is None else tile.rank,
            tile.icon or old.icon,
        )
    return tuple(known.values())


def _build_steps(before: AlienCityState, after: AlienCityState) -> tuple[list[Step], list[str]]:
    """The new structures in a legal order with what holds the others back, and those that unseen tiles decide."""
    new = {BOARD.number[s.at]: s for s in after.structures if s.at not in before.structure_at}
    pieces = {lot: structure.piece for lot, structure in new.items()}
    built = built_lots(before)
    tiles = tiles_of(after)
    sound = Roads(BOARD, built_lots(after)).sound
    building = build_all(tiles.plan(), pieces, built, keep_roads=not sound)
    worst = build_all(tiles.plan(doubt_helps=False), pieces, built, keep_roads=not sound)
    doubtful = [BOARD.lots[lot] for lot in worst.held if lot not in building.held]
    used = Counter(structure.piece for structure in before.structures)
    steps = []
    for lot in (*building.order, *building.held):
        structure = new[lot]
        used[structure.piece] += 1
        # Held back by no other rule means held back by the road.
        rules = building.held.get(lot, ()) or (("road",) if lot in building.held else ())
        if not rules and used[structure.piece] > STOCK[structure.piece]:
            rules = ("stock",)
        steps.append(Step(build_move(structure), not rules, rules[0] if rules else None))
    return steps, doubtful


def _claim_steps(before: AlienCityState, after: AlienCityState) -> list[Step]:
    claims = Counter(s.claimed_by for s in before.structures if s.claimed_by)
    steps = []
    for structure in after.structures:
        cap = structure.claimed_by
        if cap and _is_new_claim(structure, before.structure_at.get(structure.at)):
            claims[cap] += 1
            legal = claims[cap] <= CLAIMS_PER_PLAYER and len(claims) <= 2
            steps.append(Step(claim_move(structure.at, cap), legal, None if legal else "stock"))
    return steps


def _is_new_claim(structure: Structure, old: Structure | None) -> bool:
    return old is None or (old.piece == structure.piece and old.claimed_by is None)


def _with_claims(builds: list[Step], claims: list[Step]) -> Iterator[Step]:
    """The claims between the builds: one a turn, and not before the tower stands."""
    unbuilt = {step.move.action["at"] for step in builds}
    waiting = list(claims)
    for build in builds:
        yield build
        unbuilt.discard(build.move.action["at"])
        ready = next((claim for claim in waiting if claim.move.action["at"] not in unbuilt), None)
        if ready:
            waiting.remove(ready)
            yield ready
    yield from waiting


def _too_many_claims(steps: tuple[Step, ...]) -> Iterator[Violation]:
    """One claim a turn; the first position may have been seen in the middle of a turn, so one more is possible."""
    claims = [step.move.action["at"] for step in steps if step.move.action["kind"] == "claim"]
    builds = len(steps) - len(claims)
    if len(claims) > builds + 1:
        message = f"{len(claims)} towers were claimed with {builds} builds; a turn has one build and one claim at most."
        yield Violation("turn", tuple(claims), message)
