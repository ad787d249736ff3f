"""The same board seen from another side: states, names and stages turned by quarter turns.

``quarters`` counts quarter turns counter-clockwise seen from above: after one of them, what lay in the east lies
in the north. FORMATS fixes which of the possible turns a reading takes; the studio turns its scenes accordingly,
so that everything in a scene (state, names of parts, world coordinates) is already as the truth tells it.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from vision.synth.scene import Array

_COMPASS: Final = ("north", "west", "south", "east")  # counter-clockwise: one quarter turn each


def possible_turns(state: Mapping[str, Any]) -> tuple[int, ...]:
    """The quarter turns after which the board's field covers the same ground."""
    columns, rows = field_size(state)
    return (0, 1, 2, 3) if columns == rows else (0, 2)


def field_size(state: Mapping[str, Any]) -> tuple[int, int]:
    """Columns and rows of the field of lots or squares."""
    if state["game"] == "alien-city":
        return 8, 10
    if state["game"] == "city-blocks":
        return 20, 20
    return int(state["columns"]), int(state["rows"])


def upright_turn(corners: Array, turns: tuple[int, ...]) -> int:
    """Which of the turns brings the edge whose middle is highest in the photo (then furthest left) to the north.

    ``corners`` are pixels of NW, NE, SE, SW as the board is named now.
    """
    # Side number q (0 north, 1 east, 2 south, 3 west) becomes the north side after q quarter turns.
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    return min(turns, key=lambda q: (round(float(middles[q][1]), 6), float(middles[q][0])))


def turn_corners(corners: Array, quarters: int) -> Array:
    """NW, NE, SE, SW of the turned board: the same points under their new names."""
    return np.roll(corners, -quarters, axis=0)


def turn_points(points: Array, quarters: int) -> Array:
    """World points after the turn about the board's middle."""
    return points @ turn_matrix(quarters)[:3, :3].T


def turn_matrix(quarters: int) -> Array:
    """The turn as a 4 x 4 pose, without rounding."""
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    pose = np.eye(4)
    pose[:2, :2] = [[cosine, -sine], [sine, cosine]]
    return pose


@dataclass(frozen=True, slots=True)
class Turner:
    """Turns what belongs to one board by a number of quarter turns."""

    game: str
    columns: int
    rows: int
    quarters: int

    @classmethod
    def of(cls, state: Mapping[str, Any], quarters: int) -> Turner:
        if quarters % 4 not in possible_turns(state):
            raise ValueError(f"a board of {field_size(state)} cannot be turned by {quarters} quarters")
        return cls(state["game"], *field_size(state), quarters % 4)

    def lot(self, name: str) -> str:
        """The name of a lot or square after the turn."""
        column = string.ascii_uppercase.index(name[0])
        row = int(name[1:]) - 1  # counted from the south, but from the north in City Blocks
        column, row = self._place(column, row, clockwise=self.game == "city-blocks")
        return f"{string.ascii_uppercase[column]}{row + 1}"

    def tile(self, name: str) -> str:
        """The name of an Alien City tile after the turn: again its south-west lot."""
        column, row = string.ascii_uppercase.index(name[0]), int(name[1:]) - 1
        lots = [self._place(column + i, row + j) for i in (0, 1) for j in (0, 1)]
        west, south = min(c for c, _ in lots), min(r for _, r in lots)
        return f"{string.ascii_uppercase[west]}{south + 1}"

    def name(self, name: str) -> str:
        """The name of a part or patch after the turn, such as ``structure:C9``, ``icon:A1`` or ``piece:C2:0``."""
        kind, colon, rest = name.partition(":")
        if not colon or kind == "clutter":
            return name
        at, colon, number = rest.partition(":")
        if not (at[:1] in string.ascii_uppercase and at[1:].isdecimal()):
            return name  # such as piece:blue:3, which says nothing about a place
        turned = self.tile(at) if kind in ("tile", "icon", "rank") else self.lot(at)
        return f"{kind}:{turned}{colon}{number}"

    def state(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The state after the turn."""
        turned = dict(state)
        if self.game == "alien-city":
            self._turn_alien_city(turned)
        elif self.game == "city-blocks":
            self._turn_city_blocks(turned)
        else:
            turned["cells"] = sorted((self._cell(cell) for cell in state["cells"]), key=_reading_order)
        return turned

    def _turn_alien_city(self, state: dict[str, Any]) -> None:
        state["structures"] = sorted(
            ({**entry, "at": self.lot(entry["at"])} for entry in state["structures"]), key=_reading_order
        )
        if "tiles" in state:
            tiles = [
                {**tile, "at": self.tile(tile["at"]), "icon": tile["icon"] and self.lot(tile["icon"])}
                for tile in state["tiles"]
            ]
            state["tiles"] = sorted(tiles, key=_reading_order)
        extras = state.get("extras", {})
        if "last_claim" in extras:
            state["extras"] = {**extras, "last_claim": self.lot(extras["last_claim"])}

    def _turn_city_blocks(self, state: dict[str, Any]) -> None:
        grid = np.array([list(row) for row in state["grid"]])
        state["grid"] = ["".join(row) for row in np.rot90(grid, self.quarters)]
        if "corner_colours" in state:
            colours = state["corner_colours"]
            state["corner_colours"] = [colours[(i + self.quarters) % 4] for i in range(4)]

    def _cell(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        turned = {**cell, "at": self.lot(cell["at"])}
        if "points" in cell:
            turned["points"] = _COMPASS[(_COMPASS.index(cell["points"]) + self.quarters) % 4]
        return turned

    def _place(self, column: int, row: int, clockwise: bool = False) -> tuple[int, int]:
        """Column and row after the turn. Rows that count from the north see the turn mirrored: clockwise."""
        columns, rows = self.columns, self.rows
        for _ in range(-self.quarters % 4 if clockwise else self.quarters):
            column, row = rows - 1 - row, column
            columns, rows = rows, columns
        return column, row


def _reading_order(entry: Mapping[str, Any]) -> tuple[int, str]:
    """Row by row from the south, west to east."""
    return int(entry["at"][1:]), entry["at"][0]
