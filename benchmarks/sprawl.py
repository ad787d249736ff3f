"""Times of the Sprawl engine: medians over the last positions of random games.

python -m benchmarks.sprawl [games]
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from engine.sprawl import GAME
from engine.sprawl.state import State

DEFAULT_GAMES = 1000


def milliseconds(action: Callable[[State], object], states: list[State]) -> list[float]:
    """How long an action takes on each position."""
    spent = []
    for state in states:
        fresh = GAME.turns(state)[-1]  # an equal position without anything remembered from before
        began = time.perf_counter()
        action(fresh)
        spent.append((time.perf_counter() - began) * 1000)
    return spent


def main() -> None:
    """Print one line for each thing that is measured."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_GAMES
    began = time.perf_counter()
    finals = [list(GAME.random_game(random.Random(seed)))[-1] for seed in range(games)]
    print(f"random game  {(time.perf_counter() - began) / games * 1000:7.2f} ms mean over {games}")
    cells = statistics.median(len(state.cells) for state in finals)
    print(f"positions    {cells:7.0f} squares in use (median)")
    for name, action in (("score", GAME.score), ("check", GAME.check), ("moves", GAME.moves)):
        spent = sorted(milliseconds(action, finals))
        slow = spent[int(len(spent) * 0.99)]
        print(f"{name:12} {statistics.median(spent):7.2f} ms median, {slow:.2f} ms at the 99th percentile")


if __name__ == "__main__":
    main()
