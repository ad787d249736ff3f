"""Whether structures can have been built one after the other: greedy building decides it.

Every condition that a placement has to meet stays met as more is built, so it
is enough to build whatever is allowed until nothing more is. Either everything
gets built, and that order is the witness, or what remains is the one set that
no order can place. The proof is in docs/legality.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

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
    # More tiles of a colour were seen than the set has.
    count_broken: bool = False

    def plan(self, doubt_helps: bool = True) -> Plan:
        return Plan.of(self.ground, self.colours, self.icons, self.strict_displaced, doubt_helps)

    def with_colour(self, tile: int, *possible: str) -> Tiles:
        return replace(self, colours={**self.colours, tile: frozenset(possible)})

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
    return _Colouring(tiles.ground, structures).judge(tiles, doubtful)


class _Colouring:
    """Looks for colours of the unseen tiles, five of each guild, that make a board buildable.

    Depth first. The helping plan of a partial colouring relaxes all its
    completions, so what it cannot build is never completed; neither is what
    leaves more tiles to a group of guilds than these have.
    """

    def __init__(self, ground: Ground, structures: Mapping[int, Piece]) -> None:
        self.ground = ground
        self.structures = structures
        self.tries_left = COLOURINGS_TRIED

    def judge(self, tiles: Tiles, doubtful: Mapping[int, tuple[str, ...]]) -> Judgement:
        """The judgement on a board that each unseen tile for itself could excuse."""
        unseen = [tile for tile, colours in tiles.colours.items() if len(colours) > 1]
        found = self._search(self._narrowed(tiles, unseen))
        if found is not None:
            coloured, order = found
            return Judgement(order, {}, doubtful, {tile: min(coloured.colours[tile]) for tile in unseen})
        if self.tries_left <= 0:
            return Judgement(None, {}, doubtful, decided=False)
        # Icons excuse themselves (see judge), so it is the colours that contradict each other.
        together = {lot: _but_icons(rules) for lot, rules in doubtful.items() if _but_icons(rules)}
        rest = {lot: rules for lot, rules in doubtful.items() if lot not in together}
        return Judgement(None, together, rest, joint=True)

    def _narrowed(self, tiles: Tiles, unseen: list[int]) -> Tiles:
        """The tiles without the colours that their own structures exclude."""
        for tile in unseen:
            if any(self.ground.tile_of[lot] == tile for lot in self.structures):
                possible = [colour for colour in tiles.colours[tile] if self._builds(tiles, tile, colour)]
                tiles = tiles.with_colour(tile, *possible)
        return tiles

    def _builds(self, tiles: Tiles, tile: int, colour: str) -> bool:
        return self._order(tiles.with_colour(tile, colour)) is not None

    def _order(self, tiles: Tiles) -> tuple[int, ...] | None:
        building = build_all(tiles.plan(), self.structures)
        return building.order if building.complete else None

    def _search(self, tiles: Tiles) -> tuple[Tiles, tuple[int, ...]] | None:
        self.tries_left -= 1
        order = self._order(tiles) if _enough_of_each(tiles) else None
        if order is None:
            return None
        if tiles.colours_seen:
            return tiles, order
        tile = max((t for t, colours in tiles.colours.items() if len(colours) > 1), key=self._clearness.__getitem__)
        for colour in self._likeliest_first(tiles, tile):
            if self.tries_left <= 0:
                return None
            found = self._search(tiles.with_colour(tile, colour))
            if found is not None:
                return found
        return None

    def _likeliest_first(self, tiles: Tiles, tile: int) -> list[str]:
        return sorted(tiles.colours[tile], key=lambda colour: (-self._signs[tile][colour], colour))

    @cached_property
    def _signs(self) -> Mapping[int, Counter[str]]:
        """How much speaks for each colour of a tile: domes are nearly always at home, towers often not."""
        signs: dict[int, Counter[str]] = {tile: Counter() for tile in self.ground.tiles}
        for lot, (kind, colour) in self.structures.items():
            signs[self.ground.tile_of[lot]][colour] += 2 if kind == "dome" else 1
        return signs

    @cached_property
    def _clearness(self) -> Mapping[int, int]:
        """By how much the likeliest colour of a tile leads; the clearest tiles are coloured first."""
        ranked = {tile: [*(number for _, number in signs.most_common(2)), 0, 0] for tile, signs in self._signs.items()}
        return {tile: first - second for tile, (first, second, *_) in ranked.items()}


def _but_icons(rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if rule != "icon-last")


def _enough_of_each(tiles: Tiles) -> bool:
    """Whether five tiles of each guild can be dealt to the places that may have them (Hall's condition).

    Boards of another size than the game's own have no such count, and where
    too many tiles of a colour were seen it is broken anyway.
    """
    groups = [frozenset(group) for size in range(1, len(GUILDS)) for group in combinations(GUILDS, size)]
    confined = {group: sum(colours <= group for colours in tiles.colours.values()) for group in groups}
    if len(tiles.ground.tiles) != TILES_PER_GUILD * len(GUILDS) or tiles.count_broken:
        return True
    return all(number <= TILES_PER_GUILD * len(group) for group, number in confined.items())
