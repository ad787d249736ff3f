"""The recipe of the shipped networks: which photos they learn from, how long, and on which photos they are judged.

All numbers that ``cityscan train --full`` and ``python -m vision.training.test_sets`` use stand here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.synth.studio import Backend, NegativeShare

# Path-traced photos are dear: smaller than what phones take, but large enough for every network's view of a board.
TRACED_SIZE = (800, 600)


@dataclass(frozen=True, slots=True)
class PhotoSet:
    """A folder of rendered photos; the same fields always give the same photos."""

    name: str  # the folder, below the one for all data
    game: str
    count: int
    seed: int
    backend: Backend = "fast"
    size: tuple[int, int] | None = None  # None: various shapes of 0.8 megapixels
    samples: int = 12
    mixed: bool = False  # a new set of pieces for every photo, instead of the profiles as they are
    held_out: bool = False  # in the profiles that nothing is ever trained on
    negatives: NegativeShare = "some"


# --- held-out test photos: what the figures in the docs are measured on -------------------------


def _test_sets(game: str, count: int) -> tuple[PhotoSet, PhotoSet]:
    """Boards only, so that every share in the figures has the same number of photos below the line."""
    fast = PhotoSet(f"{game}-fast", game, count, 7000, held_out=True, negatives="none")
    traced = PhotoSet(
        f"{game}-traced", game, count, 7001, "blender", TRACED_SIZE, samples=12, held_out=True, negatives="none"
    )
    return fast, traced


def _test_negatives(game: str, count: int) -> PhotoSet:
    return PhotoSet(f"negatives/{game}", game, count, 7002, held_out=True, negatives="only")


TEST = (
    *_test_sets("alien-city", 100),
    *_test_sets("city-blocks", 75),
    *_test_sets("sprawl", 75),
    _test_negatives("alien-city", 67),
    _test_negatives("city-blocks", 67),
    _test_negatives("sprawl", 66),
)
