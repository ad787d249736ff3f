"""The recipe of the shipped networks: which photos they learn from, how long, and on which photos they are judged.

All numbers that ``cityscan train --full`` and ``python -m vision.training.test_sets`` use stand here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
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


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast a network learns."""

    epochs: int = 10
    batch: int = 8
    rate: float = 2e-3
    seed: int = 1
    # Processes that cut pictures out of photos, and threads that learn from them.
    workers: int = 1
    threads: int = 1
    # How often the learning rate goes up and down again; the epochs are shared out among the cycles.
    cycles: int = 1
    # Another network, trained before, whose weights are taken to begin with wherever they fit; None: from nothing.
    start: str | None = None
    # Stop when the figures on validation photos have not become better for so many epochs; None: never.
    patience: int | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that makes the networks what they are."""

    training: tuple[PhotoSet, ...]
    validation: tuple[PhotoSet, ...]
    networks: Mapping[str, Plan]  # in the order in which they are trained


# --- photos to learn from -----------------------------------------------------------------------

# The profiles as they are, and new sets that are mixed from their parts. Sprawl has few profiles: mixed sets only.
_FAST = (
    PhotoSet("train/alien-city", "alien-city", 1200, 101),
    PhotoSet("train/city-blocks", "city-blocks", 667, 101),
    PhotoSet("mix/alien-city", "alien-city", 600, 301, mixed=True),
    PhotoSet("mix/city-blocks", "city-blocks", 500, 301, mixed=True),
    PhotoSet("mix/sprawl", "sprawl", 1700, 301, mixed=True),
    PhotoSet("mix2/alien-city", "alien-city", 1100, 302, mixed=True),
    PhotoSet("mix2/city-blocks", "city-blocks", 700, 302, mixed=True),
    PhotoSet("mix3/alien-city", "alien-city", 900, 303, mixed=True),
    PhotoSet("mix2/sprawl", "sprawl", 818, 306, mixed=True, negatives="none"),
)
# What looks like a board and is none: parts of boards, chess, dominoes, empty tables.
_NEGATIVE = (
    PhotoSet("train-neg/alien-city", "alien-city", 220, 305, mixed=True, negatives="only"),
    PhotoSet("train-neg/city-blocks", "city-blocks", 220, 305, mixed=True, negatives="only"),
    PhotoSet("train-neg/sprawl", "sprawl", 360, 305, mixed=True, negatives="only"),
)
_TRACED = (
    PhotoSet("contact/alien-city", "alien-city", 40, 2024, "blender", TRACED_SIZE),
    PhotoSet("contact/city-blocks", "city-blocks", 40, 2024, "blender", TRACED_SIZE),
    PhotoSet("contact/sprawl", "sprawl", 40, 2024, "blender", TRACED_SIZE),
    PhotoSet("mixpt/alien-city", "alien-city", 80, 401, "blender", (640, 480), samples=6, mixed=True),
    PhotoSet("mixpt/city-blocks", "city-blocks", 30, 401, "blender", (640, 480), samples=6, mixed=True),
    PhotoSet("mixpt/sprawl", "sprawl", 48, 401, "blender", (640, 480), samples=6, mixed=True),
)

# --- photos on which training is watched, and on which temperatures and limits of doubt are fitted -

_VALIDATION = (
    PhotoSet("val/alien-city", "alien-city", 60, 900, held_out=True),
    PhotoSet("val/city-blocks", "city-blocks", 60, 900, held_out=True),
    PhotoSet("val/sprawl", "sprawl", 60, 900, held_out=True),
    PhotoSet("val-neg/alien-city", "alien-city", 40, 902, held_out=True, negatives="only"),
    PhotoSet("val-neg/city-blocks", "city-blocks", 40, 902, held_out=True, negatives="only"),
    PhotoSet("val-neg/sprawl", "sprawl", 40, 902, held_out=True, negatives="only"),
    PhotoSet("val-pt/alien-city", "alien-city", 24, 901, "blender", TRACED_SIZE, held_out=True),
)

# --- the networks -------------------------------------------------------------------------------

RECIPE = Recipe(
    training=_FAST + _NEGATIVE + _TRACED,
    validation=_VALIDATION,
    networks={
        "locator": Plan(epochs=15, batch=16, cycles=3),
        "aligner": Plan(epochs=18, batch=16, cycles=3),
        "board-alien-city": Plan(epochs=36, cycles=3),
        "board-city-blocks": Plan(epochs=20, cycles=2),
        # Pyramids look the same on lots and on squares: what was learnt on the ones helps with the others.
        "board-sprawl": Plan(epochs=20, cycles=2, start="board-alien-city"),
    },
)


def quick_recipe(whole: Recipe = RECIPE) -> Recipe:
    """The same in a couple of minutes, to see that everything works: what it makes reads nothing.

    A few small fast photos of each game, one epoch. Folders have names of their own.
    """
    return Recipe(
        training=_one_a_game(whole.training, "train", 12),
        validation=_one_a_game(whole.validation, "val", 4),
        networks={name: replace(plan, epochs=1, cycles=1, batch=4) for name, plan in whole.networks.items()},
    )


def _one_a_game(sets: tuple[PhotoSet, ...], kind: str, count: int) -> tuple[PhotoSet, ...]:
    """The first fast set of each game, small."""
    first: dict[str, PhotoSet] = {}
    for photos in sets:
        if photos.backend == "fast":
            first.setdefault(photos.game, photos)
    return tuple(
        replace(photos, name=str(PurePosixPath("quick", kind, game)), count=count, size=(400, 300))
        for game, photos in first.items()
    )


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
