"""Which towers can have been spored from which: the spread of each colour over the board.

Tower -> branch point on it -> next in the chain, and branch point -> the tower
on the square that it targets. Every possible source counts that leaves its
chain short enough (or any, where none does and [chain-length] is broken):
whichever it was, the branch point can have been used as soon as its source was
reached.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import networkx as nx

from engine.sprawl.attack import target
from engine.sprawl.board import Square, Tower
from engine.sprawl.forest import Forest
from engine.sprawl.state import SPRAWLGAMI


class Reach:
    """The spread of every colour in one position."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.state = forest.state

    def missed(self, colour: str) -> set[Square]:
        """The towers of a colour that its best starting tower cannot reach."""
        return self._best(colour)[1]

    def starts(self, colour: str) -> tuple[Square, ...]:
        """The towers that may have been a colour's first: those that reach as many others as any does."""
        return self._best(colour)[0]

    def depending_on(self, square: Square) -> set[Square]:
        """Everything that hangs on a tower or can have been spored from there, whatever its colour."""
        return set(nx.descendants(self._graph, square))

    def _best(self, colour: str) -> tuple[tuple[Square, ...], set[Square]]:
        towers = {square for square, tower in self.state.towers.items() if self._belongs(tower, colour)}
        own = nx.subgraph_view(self._graph, filter_node=lambda square: self._is_step(square, colour))
        starts: list[Square] = []
        missed = towers
        for start in sorted(square for square in towers if self.state.towers[square].pieces[0].colour == colour):
            found = towers - {start} - nx.descendants(own, start)
            if len(found) < len(missed):
                starts, missed = [start], found
            elif len(found) == len(missed):
                starts.append(start)
        return tuple(starts), missed

    def _belongs(self, tower: Tower, colour: str) -> bool:
        """Whether a colour must have reached the tower: it started it or, with Sprawlgami, capped it."""
        return tower.pieces[0].colour == colour or (SPRAWLGAMI in self.state.variants and colour in tower.colours)

    def _is_step(self, square: Square, colour: str) -> bool:
        branch = self.state.branches.get(square)
        return branch is None or branch.piece.colour == colour

    @cached_property
    def _graph(self) -> Any:
        graph: Any = nx.DiGraph()
        graph.add_nodes_from(self.state.at)
        too_long = set(self.forest.too_long)
        for square, branch in self.state.branches.items():
            for source in self.forest.sources[square]:
                if source.square in self.state.towers or square in too_long or self._carries_more(source.square):
                    graph.add_edge(source.square, square)
            if target(square, branch) in self.state.towers:
                graph.add_edge(square, target(square, branch))
        return graph

    def _carries_more(self, source: Square) -> bool:
        return self.forest.room(self.forest.shortest[source]) > 0
