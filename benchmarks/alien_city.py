"""How fast Alien City is judged: medians over random end positions, on one core."""

from __future__ import annotations

import importlib.util
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.alien_city import GAME, AlienCityState

POSITIONS = 1_000
PLAIN_RULES = Path(__file__).parents[1] / "tests" / "engine" / "alien_city" / "plain_rules.py"


def main() -> None:
    ends, middles = random_positions(POSITIONS)
    score = report("score", GAME.score, ends, limit=2.0)
    report("legal placements", GAME.moves, ends, limit=2.0)
    report("legal placements half-way", GAME.moves, middles, limit=2.0)
    report("legality with witness", GAME.check, ends, limit=20.0)
    documents = [json.loads(json.dumps(GAME.dump(state))) for state in ends]
    plain = report("plain breadth-first scorer", plain_rules().score, documents)
    print(f"{'plain scorer / score':34} {plain / score:8.2f} times as long (it gives totals only, no roads or notes)")


def random_positions(number: int) -> tuple[list[AlienCityState], list[AlienCityState]]:
    """The last positions of random games, and those half-way, where most is still possible."""
    ends, middles = [], []
    for seed in range(number):
        positions = list(GAME.random_game(random.Random(seed)))
        ends.append(positions[-1])
        middles.append(positions[len(positions) // 2])
    return ends, middles


def report(name: str, call: Callable[[Any], Any], inputs: Sequence[Any], limit: float | None = None) -> float:
    """Print and return the median time of a call in milliseconds."""
    times = []
    for value in inputs:
        begin = time.perf_counter()
        call(value)
        times.append((time.perf_counter() - begin) * 1_000)
    median, worst = statistics.median(times), max(times)
    allowed = f", limit {limit:g} ms" if limit else ""
    print(f"{name:34} {median:8.3f} ms median, {worst:8.3f} ms at most, {len(times)} positions{allowed}")
    return median


def plain_rules() -> ModuleType:
    """The independent slow rules of the tests."""
    spec = importlib.util.spec_from_file_location("plain_alien_city_rules", PLAIN_RULES)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
