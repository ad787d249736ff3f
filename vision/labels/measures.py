"""How large the board's lots and its pieces are, from what a label tells about its set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.profiles import BlokusSet, CoinSet, Profile, PyramidSet, load_profile
from engine.errors import CityscanError
from vision.synth.turning import field_size

# Two lots are one piecepack tile. Chess boards differ widely: this is between a roll-up board and a small wooden one.
LOT_MM: Final = 25.4
CHESS_SQUARE_MM: Final = 45.0

# What sets have that say nothing else: the profiles' own defaults.
_COINS: Final = CoinSet("plain", (1.0, 1.0, 1.0), "wood")
_PYRAMIDS: Final = PyramidSet({})
_BLOKUS: Final = BlokusSet("plastic-ribs", (1.0, 1.0, 1.0), {})


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes in millimetres; the kinds of pyramids by name, as in profiles."""

    cell_mm: float
    coins: CoinSet = _COINS
    pyramids: PyramidSet = _PYRAMIDS
    blokus: BlokusSet = _BLOKUS


def measures_of(truth: Mapping[str, Any]) -> Measures:
    """The measures of a label's set: those of its profile where it names one that is known."""
    profile = _profile(truth)
    return Measures(
        _cell_mm(truth, profile),
        profile.coins if profile and profile.coins else _COINS,
        profile.pyramids if profile and profile.pyramids else _PYRAMIDS,
        profile.blokus if profile and profile.blokus else _BLOKUS,
    )


def _profile(truth: Mapping[str, Any]) -> Profile | None:
    name = truth.get("profile")
    if not isinstance(name, str) or name.endswith(".toml"):  # a name, never a path from a foreign file
        return None
    try:
        return load_profile(name)
    except CityscanError:  # somebody else's set, or one that was mixed for a photo
        return None


def _cell_mm(truth: Mapping[str, Any], profile: Profile | None) -> float:
    """The side of a lot or square: measured (rendered photos), stated (``square_mm``), the profile's, or usual."""
    columns, rows = field_size(truth)
    if "world_corners" in truth:
        world = np.array(truth["world_corners"], dtype=np.float64)
        sides = np.linalg.norm(world - np.roll(world, -1, axis=0), axis=1)
        return float(sides.sum() / (2 * (columns + rows)))
    stated = truth.get("square_mm")
    if isinstance(stated, int | float) and not isinstance(stated, bool) and 5 <= stated <= 200:
        return float(stated)
    if truth["game"] == "alien-city":
        return profile.tiles.size_mm / 2 if profile and profile.tiles else LOT_MM
    if truth["game"] == "city-blocks":
        return (profile.blokus if profile and profile.blokus else _BLOKUS).square_mm
    boards = profile.chess if profile else ()
    sizes = [b.square_mm for b in boards if (b.columns, b.rows) == (columns, rows)] or [b.square_mm for b in boards]
    return sizes[0] if sizes else CHESS_SQUARE_MM
