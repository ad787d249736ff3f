"""A position seen by the scorer: who owns what, and what is how far from what.

Distance = number of vacant lots on the shortest road between two structures, at
least 1. Structures side by side are near only if a road makes them so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.alien_city.board import BOARD, bits
from engine.alien_city.pieces import GUILDS, TOWER_COLOURS
from engine.alien_city.playing import built_lots
from engine.alien_city.roads import Roads
from engine.alien_city.state import AlienCityState, Structure

CUSTOMER_DISTANCE = 2


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest of some structures: all that tie, their distance, and a road to the first of them."""

    lots: tuple[str, ...]
    distance: int
    road: tuple[str, ...]


class City:
    """Ownership and distances of one position."""

    def __init__(self, state: AlienCityState) -> None:
        self.state = state
        self.roads = Roads(BOARD, built_lots(state))
        # A claim as the very last action does not count.
        self.owner = {s.at: s.claimed_by if s.at != state.last_claim else None for s in state.structures}
        self.of_colour = dict.fromkeys(GUILDS, 0)
        self.towers = dict.fromkeys(TOWER_COLOURS, 0)
        for structure in state.structures:
            bit = 1 << BOARD.number[structure.at]
            self.of_colour[structure.colour] |= bit
            if structure.is_tower:
                self.towers[structure.colour] |= bit
        self._layers: dict[int, list[int]] = {}

    @cached_property
    def claimed(self) -> tuple[Structure, ...]:
        return tuple(s for s in self.state.structures if self.owner[s.at])

    @cached_property
    def unclaimed_green(self) -> tuple[Structure, ...]:
        return tuple(s for s in self.state.structures if s.piece == ("tower", "green") and not self.owner[s.at])

    def customers(self, tower: Structure) -> tuple[str, ...]:
        """The structures of another colour at distance 1 or 2."""
        near = 0
        for layer in self._layers_from(BOARD.number[tower.at])[:CUSTOMER_DISTANCE]:
            near |= BOARD.step(layer)
        return BOARD.names(near & self.roads.built & ~self.of_colour[tower.colour])

    def competition(self, tower: Structure) -> Nearest | None:
        """The nearest other tower of the same colour, whoever owns it."""
        return self.nearest(tower, self.towers[tower.colour])

    def nearest(self, start: Structure, among: int) -> Nearest | None:
        """The nearest structures of a set by road, the start aside; None where no road leads to any."""
        lot = BOARD.number[start.at]
        among &= ~(1 << lot)
        layers = self._layers_from(lot)
        for distance, layer in enumerate(layers, start=1):
            found = BOARD.step(layer) & among
            if found:
                road = self.roads.road_to(next(bits(found)), layers, distance)
                return Nearest(BOARD.names(found), distance, tuple(BOARD.lots[n] for n in road))
        return None

    def _layers_from(self, lot: int) -> list[int]:
        if lot not in self._layers:
            self._layers[lot] = self.roads.layers_from(lot)
        return self._layers[lot]
