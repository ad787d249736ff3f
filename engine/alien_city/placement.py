"""Where a piece may be built: [road], [dome-colour], [first-two] and [icon-last].

A :class:`Plan` is what the tiles say, compiled to sets of lots. Tiles whose
colour or icon was not seen make two plans of one board: in the plan where doubt
*helps* the builder every unseen value is whatever allows most, and in the plan
where doubt *harms* whatever forbids most, each question for itself. What the
helping plan forbids is forbidden for every possible value, and what the harming
plan allows is allowed for every possible value (docs/legality.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.alien_city.board import Ground, bits
from engine.alien_city.pieces import GUILDS, TOWER_COLOURS, Piece
from engine.alien_city.roads import Roads

# What a tile may be: its possible colours, and its icon lot where that is known.
Colours = frozenset[str]
ANY_COLOUR: Colours = frozenset(GUILDS)


@dataclass(frozen=True)
class Plan:
    """What the tiles say, as sets of lots."""

    ground: Ground
    # Where a dome of a guild is at home.
    home: Mapping[str, int]
    # The lots that keep a guild's domes from being displaced while one of them passes [road].
    zone: Mapping[str, int]
    # Where a tower of a colour may stand from the start: tiles of its colour and black ones.
    open_to: Mapping[str, int]
    # The lots that have to wait for the rest of their tile.
    icons: int
    strict_displaced: bool = False

    @classmethod
    def of(
        cls,
        ground: Ground,
        colours: Mapping[int, Colours],
        icons: Mapping[int, int | None],
        strict_displaced: bool = False,
        doubt_helps: bool = True,
    ) -> Plan:
        """The plan of tiles (by number) with these possible colours and these icons (None where not seen)."""

        def lots_where(fits: Iterable[bool]) -> int:
            return sum(ground.tile_sets[tile] for tile, fit in zip(ground.tiles, fits, strict=True) if fit)

        may_be = {guild: lots_where(guild in colours[t] for t in ground.tiles) for guild in GUILDS}
        must_be = {guild: lots_where(colours[t] == {guild} for t in ground.tiles) for guild in GUILDS}
        if doubt_helps:
            open_to = {c: may_be[c] | may_be["black"] for c in TOWER_COLOURS}
        else:
            open_to = {c: lots_where(colours[t] <= {c, "black"} for t in ground.tiles) for c in TOWER_COLOURS}
        waiting = 0
        for tile in ground.tiles:
            icon = icons[tile]
            if icon is not None:
                waiting |= 1 << icon
            elif not doubt_helps:
                waiting |= ground.tile_sets[tile]
        home, zone = (may_be, must_be) if doubt_helps else (must_be, may_be)
        return cls(ground, home, zone, open_to, waiting, strict_displaced)


class Site:
    """A plan with structures on the lots in ``built``: answers what may be built there next."""

    def __init__(self, plan: Plan, built: int) -> None:
        self.plan = plan
        self.built = built
        self.roads = Roads(plan.ground, built)

    @cached_property
    def settled(self) -> int:
        """The lots of tiles that hold two structures or more."""
        return sum(lots for lots in self.plan.ground.tile_sets.values() if (lots & self.built).bit_count() >= 2)

    @cached_property
    def waiting_icons(self) -> int:
        """The icon lots that [icon-last] forbids: another lot of their tile still passes [road]."""
        ground = self.plan.ground
        waiting = 0
        for icon in bits(self.plan.icons & ~self.built):
            if ground.tile_sets[ground.tile_of[icon]] & self.roads.buildable & ~(1 << icon):
                waiting |= 1 << icon
        return waiting

    def displaced(self, guild: str) -> bool:
        """Whether no vacant lot on tiles of the guild passes [road]."""
        return not self.plan.zone[guild] & self.roads.buildable

    def hindrances(self, lot: int, piece: Piece) -> tuple[str, ...]:
        """The rules, [road] aside, that forbid the piece on this vacant lot now."""
        found = self._colour_hindrances(lot, piece)
        # Roads are only looked at for icon lots: that is where nearly all the time would go.
        if self.plan.icons >> lot & 1 and self.waiting_icons >> lot & 1:
            found += ("icon-last",)
        return found

    def places(self, piece: Piece) -> int:
        """The lots on which the piece may be built now."""
        kind, colour = piece
        plan = self.plan
        if kind == "tower":
            allowed = plan.open_to[colour] | self.settled
        elif self.displaced(colour):
            allowed = plan.home[colour] | (self.settled if plan.strict_displaced else plan.ground.all_lots)
        else:
            allowed = plan.home[colour]
        return allowed & self.roads.buildable & ~self.waiting_icons

    def _colour_hindrances(self, lot: int, piece: Piece) -> tuple[str, ...]:
        kind, colour = piece
        plan = self.plan
        settled = self.settled >> lot & 1
        if kind == "tower":
            return () if settled or plan.open_to[colour] >> lot & 1 else ("first-two",)
        if plan.home[colour] >> lot & 1:
            return ()
        if not self.displaced(colour):
            return ("dome-colour",)
        return ("first-two",) if plan.strict_displaced and not settled else ()
