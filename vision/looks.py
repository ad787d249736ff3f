"""The same board looked at several times: from the north and the south, and in a mirror.

What all looks agree on is the surer, and a mistake that one of them makes is mostly not made by the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.boards import DIRECTIONS, ICON_CORNERS, BoardView
from vision.finding import Array, Picture
from vision.networks import Logits

# Digits cannot be read in a mirror.
NOT_IN_A_MIRROR: Final = ("tile_rank",)


@dataclass(frozen=True, slots=True)
class Look:
    """From the south instead of the north, and in a mirror or not."""

    from_south: bool = False
    mirrored: bool = False

    def corners(self, corners: Array) -> Array:
        """The board's corners in the order in which they are cut."""
        return np.roll(corners, 2, axis=0) if self.from_south else corners

    def picture(self, board: Picture, view: BoardView, cells: tuple[int, int]) -> Picture:
        """A board that was cut from this side, mirrored if it is to be; a small board stays in its frame's corner."""
        if not self.mirrored:
            return board
        width = cells[0] * view.cell_px + 2 * view.margin_px
        seen = board.copy()
        seen[:, :width] = board[:, :width][:, ::-1]
        return seen

    def told(self, view: BoardView, question: str, answers: Logits, cells: tuple[int, int]) -> Logits:
        """The answers (answers, rows, columns) of this look as the board lies."""
        told = answers
        if self.mirrored:
            told = _mirrored_back(view, question, told, cells)
        return turned_back(view, question, told, cells) if self.from_south else told


FIRST: Final = (Look(),)
ALL: Final = (Look(), Look(from_south=True), Look(mirrored=True), Look(from_south=True, mirrored=True))


def together(
    view: BoardView, looks: tuple[Look, ...], logits: Mapping[str, Logits], cells: tuple[int, int]
) -> dict[str, Logits]:
    """What was answered in all looks (one board each) as the answers (1, answers, rows, columns) for one board."""
    merged = {}
    for question, answers in logits.items():
        told = [
            look.told(view, question, one, cells)
            for look, one in zip(looks, answers, strict=True)
            if not (look.mirrored and question in NOT_IN_A_MIRROR)
        ]
        merged[question] = np.mean(told, axis=0)[None]
    return merged


def turned_back(view: BoardView, question: str, answers: Logits, cells: tuple[int, int]) -> Logits:
    """The answers (answers, rows, columns) for a board cut upside down, told the right way up."""
    told = _part_reversed(view, question, answers, cells, both=True)
    if question == "points":
        told = np.roll(told, len(DIRECTIONS) // 2, axis=0)
    elif question == "tile_icon":
        corners = len(ICON_CORNERS)
        told[:corners] = told[corners - 1 :: -1].copy()
    return told


def _mirrored_back(view: BoardView, question: str, answers: Logits, cells: tuple[int, int]) -> Logits:
    """The answers for a board seen in a mirror that stands in the east, told as it lies."""
    told = _part_reversed(view, question, answers, cells, both=False)
    if question == "points":
        east, west = DIRECTIONS.index("east"), DIRECTIONS.index("west")
        told[[east, west]] = told[[west, east]]
    elif question == "tile_icon":
        # Corners come in pairs of west and east.
        told[: len(ICON_CORNERS)] = told[[number ^ 1 for number in range(len(ICON_CORNERS))]]
    return told


def _part_reversed(view: BoardView, question: str, answers: Logits, cells: tuple[int, int], *, both: bool) -> Logits:
    """The part of a grid that the board covers from east to west, and from south to north as well."""
    told: Logits = answers.copy()
    part = (slice(None), slice(cells[1]), slice(cells[0])) if question in view.heads else (slice(None),) * 3
    told[part] = answers[part][:, ::-1, ::-1] if both else answers[part][:, :, ::-1]
    return told
