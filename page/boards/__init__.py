"""What the clickable board has to know about each game, one module a game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from page.boards.base import BoardKind


@cache
def board_kind(game: str) -> BoardKind[Any]:
    """How a game's board is drawn and edited."""
    found = import_module(f"page.boards.{game.replace('-', '_')}").KIND
    assert isinstance(found, BoardKind)
    return found
