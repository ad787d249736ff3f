"""Whether structures can have been built one after the other: greedy building decides it.

Every condition that a placement has to meet stays met as more is built, so it
is enough to build whatever is allowed until nothing more is. Either everything
gets built, and that order is the witness, or what remains is the one set that
no order can place. The proof is in docs/legality.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.alien_city.board import Ground, lot_set
from engine.alien_city.pieces import GUILDS, TILES_PER_GUILD, Piece
from engine.alien_city.placement import Colours, Plan, Site

# How many partial colourings of unseen tiles are tried before the question is left open.
COLOURINGS_TRIED = 400


@dataclass(frozen=True)
class Building:
    """What greedy building came to: an order of lots, and the rules that hold the rest back."""

    order: tuple[int, ...]
    held: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return not self.held


def build_all(plan: Plan, structures: Mapping[int, Piece], built: int = 0, keep_roads: bool = False) -> Building:
    """Build the structures (lot -> piece) in any order that the rules allow, from a board with ``built``.

    [road] is not asked by default: subsets of a sound board are sound, so it
    holds in every order or is broken by the final board. With ``keep_roads``
    it is asked at every step, which only makes sense for a broken final board.
    """
    order: list[int] = []
    waiting = dict(structures)
    while waiting:
        site = Site(plan, built)
        allowed = [lot for lot, piece in waiting.items() if not site.hindrances(lot, piece)]
        if keep_roads:
            # One at a time: two builds that pass together need not pass one after the other.
            allowed = [lot for lot in allowed if site.roads.buildable >> lot & 1][:1]
        if not allowed:
            return Building(tuple(order), {lot: site.hindrances(lot, piece) for lot, piece in waiting.items()})
        for lot in allowed:
            del waiting[lot]
        order += allowed
        built |= lot_set(allowed)
    return Building(tuple(order))


@dataclass(frozen=True)
class Tiles:
    """What is known about the tiles of a board: possible colours and seen icons, by tile number."""

    ground: Ground
    colours: Mapping[int, Colours]
    icons: Mapping[int, int | None]
    strict_displaced: bool = False

    def plan(self, doubt_helps: bool = True) -> Plan:
        return Plan.of(self.ground, self.colours, self.icons, self.strict_displaced, doubt_helps)

    def with_colour(self, tile: int, colour: str) -> Tiles:
        colours = {**self.colours, tile: frozenset({colour})}
        return Tiles(self.ground, colours, self.icons, self.strict_displaced)

    @property
    def all_seen(self) -> bool:
        return self.colours_seen and None not in self.icons.values()

    @property
    def colours_seen(self) -> bool:
        return all(len(colours) == 1 for colours in self.colours.values())


@dataclass(frozen=True)
class Judgement:
    """The answer for a board with unseen tiles.

    ``certain`` are the structures that no order can place whatever the unseen
    tiles are; ``doubtful`` those that some tiles would forbid. ``order`` is a
    witness under ``colouring`` (tile -> colour), None where there is none or
    none was found; ``decided`` is false where the search was given up.
    ``joint`` marks certain structures of which each alone could be excused,
    but not all of them together.
    """

    order: tuple[int, ...] | None
    certain: Mapping[int, tuple[str, ...]]
    doubtful: Mapping[int, tuple[str, ...]]
    colouring: Mapping[int, str] = field(default_factory=dict)
    decided: bool = True
    joint: bool = False


def judge(tiles: Tiles, structures: Mapping[int, Piece]) -> Judgement:
    """Whether some order places all structures, for some or for all values of what was not seen."""
    best = build_all(tiles.plan(), structures)
    if tiles.all_seen:
        return Judgement(best.order if best.complete else None, best.held, {})
    worst = build_all(tiles.plan(doubt_helps=False), structures)
    doubtful = {lot: rules for lot, rules in worst.held.items() if lot not in best.held}
    if not best.complete:
        return Judgement(None, best.held, doubtful)
    if tiles.colours_seen:
        # Unseen icons alone: the lot that was built last on its tile, or is vacant, may be the icon.
        return Judgement(best.order, {}, doubtful)
    return _Colouring(structures).judge(tiles, doubtful)


class _Colouring:
    """Looks for colours of the unseen tiles, five of each guild, that make a board buildable.

    Depth first; the helping plan of a partial colouring is a relaxation of all
    its completions, so what it cannot build is never completed.
    """

    def __init__(self, structures: Mapping[int, Piece]) -> None:
        self.structures = structures
        self.tries_left = COLOURINGS_TRIED
        self.nearest: Mapping[int, tuple[str, ...]] = {}

    def judge(self, tiles: Tiles, doubtful: Mapping[int, tuple[str, ...]]) -> Judgement:
        unseen = [tile for tile, colours in tiles.colours.items() if len(colours) > 1]
        unseen.sort(key=lambda tile: -sum(tiles.ground.tile_of[lot] == tile for lot in self.structures))
        found = self._search(tiles, unseen)
        if found is not None:
            coloured, order = found
            return Judgement(order, {}, doubtful, {tile: next(iter(coloured.colours[tile])) for tile in unseen})
        if self.tries_left > 0:
            rest = {lot: rules for lot, rules in doubtful.items() if lot not in self.nearest}
            return Judgement(None, self.nearest, rest, joint=True)
        return Judgement(None, {}, doubtful, decided=False)

    def _search(self, tiles: Tiles, unseen: list[int]) -> tuple[Tiles, tuple[int, ...]] | None:
        self.tries_left -= 1
        building = build_all(tiles.plan(), self.structures)
        if not building.complete:
            if not self.nearest or len(building.held) < len(self.nearest):
                self.nearest = building.held
            return None
        if not unseen:
            return tiles, building.order
        tile, *rest = unseen
        for colour in self._candidates(tiles, tile):
            if self.tries_left <= 0:
                return None
            found = self._search(tiles.with_colour(tile, colour), rest)
            if found is not None:
                return found
        return None

    def _candidates(self, tiles: Tiles, tile: int) -> list[str]:
        """The colours that are left for the tile, those of the structures on it first."""
        used = Counter(next(iter(colours)) for colours in tiles.colours.values() if len(colours) == 1)
        # On other boards than the game's own, and where the count is broken anyway, it limits nothing.
        full_set = len(tiles.ground.tiles) == TILES_PER_GUILD * len(GUILDS)
        limited = full_set and all(number <= TILES_PER_GUILD for number in used.values())
        left = [c for c in GUILDS if c in tiles.colours[tile] and (not limited or used[c] < TILES_PER_GUILD)]
        on_tile = Counter(colour for lot, (_, colour) in self.structures.items() if tiles.ground.tile_of[lot] == tile)
        return sorted(left, key=lambda colour: -on_tile[colour])
