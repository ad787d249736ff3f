"""Alien City once more, slowly and without the engine: breadth-first searches over (column, row) pairs.

Tests hold the engine against it and the benchmark times it. It knows the JSON
form of a position and nothing of the engine's types, sets of bits or graphs.
"""

from __future__ import annotations

import itertools
from collections import deque

FULL = (8, 10)


def place(name):
    return ord(name[0]) - 65, int(name[1:]) - 1


def name_of(lot):
    return f"{chr(65 + lot[0])}{lot[1] + 1}"


def all_lots(size=FULL):
    return [(column, row) for row in range(size[1]) for column in range(size[0])]


def beside(lot, size=FULL):
    column, row = lot
    around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [(c, r) for c, r in around if 0 <= c < size[0] and 0 <= r < size[1]]


def tile_of(lot):
    return lot[0] // 2 * 2, lot[1] // 2 * 2


# --- scoring ----------------------------------------------------------------------------------


def distances(start, built):
    """Structure -> number of vacant lots on the shortest road from the structure on ``start``."""
    steps = {lot: 1 for lot in beside(start) if lot not in built}
    queue = deque(steps)
    found = {}
    while queue:
        lot = queue.popleft()
        for other in beside(lot):
            if other in built:
                if other != start:
                    found.setdefault(other, steps[lot])
            elif other not in steps:
                steps[other] = steps[lot] + 1
                queue.append(other)
    return found


def score(document):
    """Cap colour -> points, for every cap on the board."""
    edition = document.get("edition", "2.2")
    built = {place(entry["at"]): entry for entry in document["structures"]}
    last = document.get("extras", {}).get("last_claim")
    owner = {lot: e.get("claimed_by") for lot, e in built.items() if e["at"] != last}
    totals = {e["claimed_by"]: 0 for e in built.values() if e.get("claimed_by")}
    for lot, entry in built.items():
        if entry["kind"] != "tower":
            continue
        reach = distances(lot, built)
        if owner.get(lot):
            customers = [o for o, d in reach.items() if d <= 2 and built[o]["colour"] != entry["colour"]]
            rivals = [d for o, d in reach.items() if _is_tower(built[o], entry["colour"])]
            totals[owner[lot]] += len(customers) * min(rivals, default=0)
        elif entry["colour"] == "green":
            for colour in ("red", "blue"):
                near = {o: d for o, d in reach.items() if _is_tower(built[o], colour)}
                first = [o for o in near if near[o] == min(near.values())]
                owners = {owner.get(o) for o in first}
                if len(owners) == 1 and None not in owners and (len(first) == 1 or edition == "2.2"):
                    totals[owners.pop()] += max(0, 10 - 2 * near[first[0]])
    if "location-bonus" in document.get("variants", []):
        ranks = {place(tile["at"]): tile["rank"] for tile in document["tiles"]}
        claimed = {lot: ranks.get(tile_of(lot)) for lot in owner if owner[lot]}
        for lot, rank in claimed.items():
            if rank is not None and list(claimed.values()).count(rank) == 1:
                totals[owner[lot]] += rank
    return totals


def _is_tower(entry, colour):
    return entry["kind"] == "tower" and entry["colour"] == colour


# --- rules ------------------------------------------------------------------------------------


def roads_hold(built, size=FULL):
    """[road] as the board lies, by one flood."""
    vacant = [lot for lot in all_lots(size) if lot not in built]
    if any(all(other in built for other in beside(lot, size)) for lot in built):
        return False
    seen = set(vacant[:1])
    queue = deque(seen)
    while queue:
        for other in beside(queue.popleft(), size):
            if other not in built and other not in seen:
                seen.add(other)
                queue.append(other)
    return len(seen) == len(vacant)


def passes_road(lot, built, size=FULL):
    """Whether a vacant lot may be built on as far as [road] goes: one search a lot."""
    return lot not in built and roads_hold({*built, lot}, size)


class Board:
    """Tiles of a board of any size: ``colours`` and ``icons`` by (column, row) of the tile's south-west lot."""

    def __init__(self, size, colours, icons, strict=False):
        self.size = size
        self.colours = colours
        self.icons = icons
        self.strict = strict

    def lots_of(self, tile):
        return [lot for lot in all_lots(self.size) if tile_of(lot) == tile]

    def allows(self, lot, piece, built):
        """The placement rules word by word."""
        kind, colour = piece
        tile = tile_of(lot)
        if not passes_road(lot, built, self.size):
            return False
        standing = sum(other in built for other in self.lots_of(tile))
        if kind == "tower":
            if standing < 2 and self.colours[tile] not in (colour, "black"):
                return False
        elif self.colours[tile] != colour:
            own = [o for t in self.colours if self.colours[t] == colour for o in self.lots_of(t)]
            if any(passes_road(o, built, self.size) for o in own):
                return False
            if self.strict and standing < 2:
                return False
        if self.icons.get(tile) == lot:
            others = [o for o in self.lots_of(tile) if o != lot]
            return not any(passes_road(o, built, self.size) for o in others)
        return True

    def placeable(self, structures):
        """By search over all orders: whether all can be built, and every structure that some order places."""
        reached = {frozenset()}
        frontier = [frozenset()]
        while frontier:
            built = frontier.pop()
            for lot, piece in structures.items():
                if lot not in built and self.allows(lot, piece, built) and built | {lot} not in reached:
                    reached.add(built | {lot})
                    frontier.append(built | {lot})
        return frozenset(structures) in reached, frozenset(itertools.chain.from_iterable(reached))


def board_of(document):
    """The board of a position whose tiles are all known."""
    tiles = document["tiles"]
    return Board(
        FULL,
        {place(tile["at"]): tile["colour"] for tile in tiles},
        {place(tile["at"]): place(tile["icon"]) for tile in tiles},
        "strict-displaced" in document.get("variants", []),
    )


STOCK = {
    **{("tower", colour): number for colour, number in (("red", 5), ("blue", 5), ("green", 4))},
    **{("dome", colour): 6 for colour in ("red", "blue", "green", "black")},
}


def moves(document):
    """All legal placements, lot by lot."""
    board = board_of(document)
    built = {place(entry["at"]) for entry in document["structures"]}
    used = [(entry["kind"], entry["colour"]) for entry in document["structures"]]
    left = [piece for piece, number in STOCK.items() if used.count(piece) < number]
    return {
        (name_of(lot), *piece)
        for lot in all_lots()
        for piece in left
        if lot not in built and board.allows(lot, piece, built)
    }
