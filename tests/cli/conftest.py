"""Runs the command as a user does, in this process for speed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cityscan.cli import main
from engine.game import game, game_names


@dataclass(frozen=True)
class Outcome:
    """What a command printed and returned."""

    code: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def answer(self) -> dict[str, Any]:
        (only,) = self.answers
        return only


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse's own way out
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """For each game three files: an early, a middle and the last position of one random legal game."""
    folder = tmp_path_factory.mktemp("games")
    files: dict[str, list[Path]] = {}
    for name in game_names():
        positions = list(game(name).random_game(random.Random(7)))
        files[name] = []
        for number in (len(positions) // 2, len(positions) // 2 + 1, len(positions) - 1):
            path = folder / f"{name}-{number}.json"
            path.write_text(json.dumps(game(name).dump(positions[number])), encoding="utf-8")
            files[name].append(path)
    return files
