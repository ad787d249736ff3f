"""The road network: all vacant lots, and what it allows and measures.

[road] After a build, all vacant lots form one orthogonally connected component,
and every structure faces at least one vacant lot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.alien_city.board import Ground, bits, lot_set


@dataclass(frozen=True)
class Roads:
    """The roads of a board whose lots in ``built`` carry a structure each."""

    ground: Ground
    built: int

    @property
    def vacant(self) -> int:
        return self.ground.all_lots & ~self.built

    @cached_property
    def components(self) -> tuple[int, ...]:
        """The separate pieces of the network, the largest first."""
        found = []
        rest = self.vacant
        while rest:
            piece = self._flood(rest & -rest)
            found.append(piece)
            rest &= ~piece
        return tuple(sorted(found, key=int.bit_count, reverse=True))

    @property
    def cut_off(self) -> int:
        """The vacant lots outside the largest component."""
        return lot_set([n for piece in self.components[1:] for n in bits(piece)])

    @property
    def walled_in(self) -> int:
        """The structures that face no vacant lot."""
        return self.built & ~self.ground.step(self.vacant)

    @cached_property
    def sound(self) -> bool:
        """Whether [road] holds as the board lies."""
        return len(self.components) <= 1 and not self.walled_in

    @cached_property
    def buildable(self) -> int:
        """The vacant lots that pass [road], all found in one pass.

        Building on a lot splits the network exactly if the lot is an
        articulation point of it, and walls a structure in exactly if it is
        the only vacant lot that the structure faces. A broken network cannot
        be mended by building, so nothing passes there.
        """
        if not self.sound or self.vacant.bit_count() <= 1:
            return 0
        return self.vacant & ~self.ground.bottlenecks(self.vacant) & ~self._only_faces()

    def layers_from(self, lot: int) -> list[int]:
        """The vacant lots at 1, 2, 3 ... steps from the structure on ``lot``; its own sides are the first layer."""
        layers = []
        frontier = self.ground.neighbour_sets[lot] & self.vacant
        unseen = self.vacant
        while frontier:
            layers.append(frontier)
            unseen &= ~frontier
            frontier = self.ground.step(frontier) & unseen
        return layers

    def road_to(self, lot: int, layers: list[int], distance: int) -> list[int]:
        """One shortest road to ``lot`` over the layers of another structure, from that structure's side."""
        road: list[int] = []
        beside = self.ground.neighbour_sets[lot]
        for layer in reversed(layers[:distance]):
            place = next(bits(layer & beside))
            road.append(place)
            beside = self.ground.neighbour_sets[place]
        return road[::-1]

    def _flood(self, lots: int) -> int:
        frontier = lots
        while frontier:
            frontier = self.ground.step(frontier) & self.vacant & ~lots
            lots |= frontier
        return lots

    def _only_faces(self) -> int:
        found = 0
        for structure in bits(self.built):
            faces = self.ground.neighbour_sets[structure] & self.vacant
            if faces & (faces - 1) == 0:
                found |= faces
        return found
