"""How long ``cityscan score`` takes from process start on a state file of each game."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.game import game, game_names

RUNS = 9
LIMIT_S = 0.6


def main() -> None:
    """Print the median time for each game."""
    with tempfile.TemporaryDirectory() as folder:
        for name in game_names():
            end = list(game(name).random_game(random.Random(1)))[-1]
            file = Path(folder) / f"{name}.json"
            file.write_text(json.dumps(game(name).dump(end)), encoding="utf-8")
            times = [_seconds([sys.executable, "-m", "cityscan", "score", str(file)]) for _ in range(RUNS)]
            print(f"cityscan score, {name:12} {statistics.median(times):6.2f} s median (limit {LIMIT_S} s)")


def _seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
