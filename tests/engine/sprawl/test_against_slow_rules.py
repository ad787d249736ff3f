"""The engine agrees with a second, slow set of rules on thousands of positions, played and thrown together.

The slow rules are written over plain JSON documents and coordinates, without
the engine's types: every choice of sources is tried in full, every move on
every square. Both would have to make the same mistake.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.sprawl import GAME
from engine.sprawl.play import random_game
from engine.sprawl.state import VARIANTS, State

MOST_CHOICES = 500
BRANCHING = ((), ("strict-branching",), ("loose-branching",))
OTHERS = tuple(name for name in VARIANTS if not name.endswith("branching"))


Doc = dict[str, Any]
At = tuple[int, int]
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class SlowBoard:
    """One position with all the readings of its sources."""

    def __init__(self, document: Doc) -> None:
        self.width, self.height = document["columns"], document["rows"]
        self.colours: list[str] = document["colours"]
        self.options = set(document.get("variants", []))
        self.coup = document.get("extras", {}).get("coup", {})
        self.stacks: dict[At, list[tuple[str, int]]] = {}
        self.lying: dict[At, tuple[str, int, str]] = {}
        for cell in document["cells"]:
            at = (ord(cell["at"][0]) - 65, int(cell["at"][1:]) - 1)
            if "stack" in cell:
                self.stacks[at] = [(name[:-1], int(name[-1])) for name in cell["stack"]]
            else:
                self.lying[at] = (cell["lying"][:-1], int(cell["lying"][-1]), cell["points"])

    # --- attacks -----------------------------------------------------------------------------
    def falls(self, at: At, stack: list[tuple[str, int]]) -> bool:
        hits = [
            (colour, size)
            for here, (colour, size, way) in self.lying.items()
            if (here[0] + STEPS[way][0], here[1] + STEPS[way][1]) == at
        ]
        if "own-branch-harmless" in self.options:
            hits = [hit for hit in hits if hit[0] != stack[-1][0]]
        if "superior-forces" in self.options:
            return sum(size for _, size in hits) > sum(size for _, size in stack)
        return not {size for _, size in hits} <= {size for _, size in stack}

    def fallen(self) -> set[At]:
        return {at for at, stack in self.stacks.items() if self.falls(at, stack)}

    # --- sources -----------------------------------------------------------------------------
    def sources(self, at: At, colour: str, size: int, way: str) -> list[tuple[At, bool]]:
        """Possible sources of a lying piece, and whether each lies straight behind it."""
        found = []
        for dx, dy in STEPS.values():
            other = (at[0] + dx, at[1] + dy)
            if (dx, dy) == STEPS[way]:
                continue  # it would point back at its source
            behind = (-dx, -dy) == STEPS[way]
            loose = "loose-branching" in self.options
            if other in self.stacks:
                fine = (behind or loose) and colour in [name for name, _ in self.stacks[other]]
            elif other in self.lying:
                its_colour, its_size, its_way = self.lying[other]
                in_front = (other[0] + STEPS[its_way][0], other[1] + STEPS[its_way][1]) == at
                allowed = behind or loose or (in_front and "strict-branching" not in self.options)
                fine = allowed and its_colour == colour and its_size == size + 1
            else:
                fine = False
            if fine:
                found.append((other, behind))
        return found

    def readings(self, colour: str) -> list[dict[At, tuple[At | None, int]]]:
        """All kept readings of a colour's branches: each branch's tower and place in the chain.

        Groups that do not touch are read apart from each other, as the rules do, and then multiplied out.
        """
        own = {at: self.sources(at, *lying) for at, lying in self.lying.items() if lying[0] == colour}
        result: list[dict[At, tuple[At | None, int]]] = [{}]
        for group in self._groups(own):
            kept = self._kept({at: own[at] for at in group})
            result = [{**one, **other} for one in result for other in kept]
        return result

    @staticmethod
    def _groups(own: dict[At, list[tuple[At, bool]]]) -> list[list[At]]:
        groups: list[set[At]] = []
        for at, sources in own.items():
            touching = {at, *(source for source, _ in sources if source in own)}
            joined = [group for group in groups if group & touching]
            groups = [group for group in groups if not group & touching] + [touching.union(*joined)]
        return [sorted(group) for group in groups]

    def _kept(self, own: dict[At, list[tuple[At, bool]]]) -> list[dict[At, tuple[At | None, int]]]:
        squares = list(own)
        judged = []
        nowhere: list[tuple[At | None, bool]] = [(None, True)]
        for choice in itertools.product(*([*own[at]] or nowhere for at in squares)):
            parent: dict[At, At | None] = {at: source for at, (source, _) in zip(squares, choice, strict=True)}
            hangs = {at: self._climb(at, parent) for at in squares}
            too_long = any(tower is not None and depth > len(self.stacks[tower]) for tower, depth in hangs.values())
            passed_over = 0
            if "loose-branching" not in self.options:
                for at, (_, behind) in zip(squares, choice, strict=True):
                    passed_over += not behind and any(straight for _, straight in own[at])
            judged.append((too_long, passed_over, hangs))
        if all(too_long for too_long, _, _ in judged):
            return [hangs for _, passed_over, hangs in judged if passed_over == 0]
        fewest = min(passed_over for too_long, passed_over, _ in judged if not too_long)
        return [hangs for too_long, passed_over, hangs in judged if not too_long and passed_over == fewest]

    def _climb(self, at: At, parent: dict[At, At | None]) -> tuple[At | None, int]:
        depth = 1
        above = parent[at]
        while above is not None and above in self.lying:
            depth, above = depth + 1, parent[above]
        return above, depth

    def count_of_choices(self) -> int:
        """How many readings would have to be tried."""
        total = 1
        for at, lying in self.lying.items():
            total *= max(1, len(self.sources(at, *lying)))
        return total

    # --- score ---------------------------------------------------------------------------------
    def possible_points(self, colour: str) -> list[int]:
        fallen = self.fallen()
        upright = sum(
            size for at, stack in self.stacks.items() if at not in fallen for name, size in stack if name == colour
        )
        cards = self.coup.get(colour, 0) if "counting-coup" in self.options else 0
        return sorted(
            {
                30 - cards - upright - sum(self.lying[at][1] for at, (tower, _) in hangs.items() if tower not in fallen)
                for hangs in self.readings(colour)
            }
        )

    # --- moves ---------------------------------------------------------------------------------
    def moves(self, colour: str) -> set[tuple[Any, ...]]:
        """All legal moves as (action, at, size, points or None, sizes built at once)."""
        fallen = self.fallen()
        hangs = self.readings(colour)
        may_live = {at for at in self.lying if any(at in h and h[at][0] not in fallen for h in hangs)}
        found: set[tuple[Any, ...]] = set()
        for x, y, size in itertools.product(range(self.width), range(self.height), (1, 2, 3)):
            at = (x, y)
            if self._stock(colour, size) < 1:
                continue
            if at in self.stacks:
                if self._may_build(at, colour, size, may_live) and at not in fallen:
                    found.add(("build", at, size, None, ()))
            elif at not in self.lying:
                ways = (way for way in STEPS if self._may_branch(at, colour, size, way, fallen, hangs))
                found |= {("branch", at, size, way, ()) for way in ways}
                found |= {("spore", at, size, None, more) for more in self._spores(at, colour, size, may_live)}
        return found

    def _stock(self, colour: str, size: int) -> int:
        pieces = [piece for stack in self.stacks.values() for piece in stack]
        pieces += [(name, n) for name, n, _ in self.lying.values()]
        return 5 - pieces.count((colour, size))

    def _targets(self, at: At, colour: str) -> set[At]:
        return {
            here
            for here, (name, size, way) in self.lying.items()
            if name == colour and (here[0] + size * STEPS[way][0], here[1] + size * STEPS[way][1]) == at
        }

    def _may_build(self, at: At, colour: str, size: int, may_live: set[At]) -> bool:
        top = self.stacks[at][-1]
        mine = top[0] == colour or ("sprawlgami" in self.options and bool(self._targets(at, colour) & may_live))
        return mine and top[1] == size + 1

    def _may_branch(self, at: At, colour: str, size: int, way: str, fallen: set[At], hangs: list[Any]) -> bool:
        ahead = (at[0] + STEPS[way][0], at[1] + STEPS[way][1])
        if not (0 <= ahead[0] < self.width and 0 <= ahead[1] < self.height):
            return False
        for source, _ in self.sources(at, colour, size, way):
            if source in self.stacks:
                if source not in fallen and self.stacks[source][-1][0] == colour:
                    return True
            else:
                for reading in hangs:
                    tower, depth = reading[source]
                    if tower is None or (tower not in fallen and depth < len(self.stacks[tower])):
                        return True
        return False

    def _spores(self, at: At, colour: str, size: int, may_live: set[At]) -> list[tuple[int, ...]]:
        if not any(colour == name for stack in self.stacks.values() for name, _ in stack):
            return [()]
        live = len(self._targets(at, colour) & may_live)
        if not live:
            return []
        most = live - 1 if "overload" in self.options else 0
        result = []
        for count in range(min(most, size - 1) + 1):
            more = tuple(range(size - 1, size - 1 - count, -1))
            stack = [(colour, n) for n in (size, *more)]
            if all(self._stock(colour, n) > 0 for n in more) and not self.falls(at, stack):
                result.append(more)
        return result


# --- the comparison -------------------------------------------------------------------------
def some_variants(rng: random.Random) -> tuple[str, ...]:
    return (*rng.choice(BRANCHING), *(name for name in OTHERS if rng.random() < 0.3))


def thrown(throw: Callable[..., State], seed: int, count: int, side: int) -> Iterator[State]:
    rng = random.Random(seed)
    made = 0
    while made < count:
        state = throw(rng, some_variants(rng), side=side)
        if SlowBoard(GAME.dump(state)).count_of_choices() <= MOST_CHOICES:
            made += 1
            yield state


def played(seed: int, games: int) -> Iterator[State]:
    rng = random.Random(seed)
    for _ in range(games):
        positions = list(random_game(rng, variants=some_variants(rng)))
        yield from rng.sample(positions, 3)
        yield positions[-1]


def named(move: dict[str, Any]) -> tuple[Any, ...]:
    at = (ord(move["at"][0]) - 65, int(move["at"][1:]) - 1)
    builds = tuple(int(piece[-1]) for piece in move.get("builds", []))
    return move["action"], at, int(move["piece"][-1]), move.get("points"), builds


def assert_same_score(state: State) -> int:
    """Compares all possible points; returns how many colours have more than one result."""
    slow = SlowBoard(GAME.dump(state))
    score = GAME.score(state)
    undecided = 0
    for item in score.items:
        expected = slow.possible_points(str(item.owner))
        assert item.details["possible_points"] == expected, GAME.diagram(state)
        assert item.points == score.totals[str(item.owner)] == expected[0]
        assert item.details["all_readings"]
        undecided += len(expected) > 1
    return undecided


def assert_same_moves(state: State) -> int:
    slow = SlowBoard(GAME.dump(state))
    engine = [move.to_json() for move in GAME.moves(state)]
    assert len(engine) == len({(*named(move), move["piece"]) for move in engine})
    for colour in state.colours:
        mine = {named(move) for move in engine if move["piece"][:-1] == colour}
        assert mine == slow.moves(colour), GAME.diagram(state)
    stuck = [colour for colour in state.colours if not slow.moves(colour)]
    assert GAME.score(state).over == bool(stuck)
    return len(engine)


def test_scores_of_thrown_positions(arbitrary: Callable[..., State]) -> None:
    for state in thrown(arbitrary, 1, 3000, side=5):
        assert_same_score(state)


def test_scores_where_sources_abound(rooted: Callable[..., State]) -> None:
    undecided = sum(assert_same_score(state) for state in thrown(rooted, 5, 1500, side=6))
    assert undecided > 50  # the comparison is worth something only if open sources occur


def test_scores_of_played_positions() -> None:
    for state in played(2, 50):
        assert_same_score(state)


def test_moves_of_thrown_positions(arbitrary: Callable[..., State]) -> None:
    assert sum(assert_same_moves(state) for state in thrown(arbitrary, 3, 500, side=4)) > 1000


def test_moves_where_sources_abound(rooted: Callable[..., State]) -> None:
    assert sum(assert_same_moves(state) for state in thrown(rooted, 6, 200, side=5)) > 1000


def test_moves_of_played_positions() -> None:
    assert sum(assert_same_moves(state) for state in played(4, 15)) > 1000


@pytest.mark.parametrize("variants", BRANCHING)
def test_the_slow_rules_know_an_open_source(variants: tuple[str, ...]) -> None:
    state = GAME.parse_diagram("sprawl\n\n3 B3> . . . B1\n2 R21 R2> R1^ R2< R21\n1 . . . . .\n")
    with_options = State(state.columns, state.rows, state.colours, state.cells, variants)
    readings = SlowBoard(GAME.dump(with_options)).readings("red")
    assert len(readings) == (1 if variants == ("strict-branching",) else 2)
