"""Table tops: what a photo shows around the board. Every name is a kind of table, every call another table of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from calibration.looks import TABLES
from vision.synth.art import tables_cloth, tables_stone, tables_wood
from vision.synth.art.table_look import TableLook

__all__ = ["TableLook", "table", "table_names"]

_MAKERS: Final[dict[str, Callable[[np.random.Generator], TableLook]]] = {
    **tables_wood.MAKERS,
    **tables_stone.MAKERS,
    **tables_cloth.MAKERS,
}


def table_names(held_out: bool | None = None) -> tuple[str, ...]:
    """All kinds of tables, or only those that are (or are not) kept away from training."""
    return TABLES.names(held_out)


def table(name: str, rng: np.random.Generator) -> TableLook:
    """A table top of the kind: 1024 x 1024 pixels that repeat seamlessly every ``repeat_mm``."""
    return _MAKERS[name](rng)
