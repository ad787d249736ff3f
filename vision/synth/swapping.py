"""Sets whose colours are named otherwise than they look: two colours of pieces and inks change places.

A reader that knows colours reads such a set wrongly from the first piece to the last, until it is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from calibration.profiles import Profile
from calibration.toml_writer import to_toml

T = TypeVar("T")


def swapped(profile: Profile, one: str = "red", other: str = "blue") -> Profile:
    """The same set with two colours of pyramids, tiles and Blokus pieces exchanged; the printed icons stay."""
    tiles, pyramids, blokus = profile.tiles, profile.pyramids, profile.blokus
    return replace(
        profile,
        tiles=tiles and replace(tiles, colours=_exchanged(tiles.colours, one, other)),
        pyramids=pyramids and replace(pyramids, plastic=_exchanged(pyramids.plastic, one, other)),
        blokus=blokus and replace(blokus, piece_colours=_exchanged(blokus.piece_colours, one, other)),
    )


def write_swapped(profile: Profile, folder: Path) -> Path:
    """The swapped set as a profile of its own in a folder; ``Order.profiles`` takes the path."""
    path = folder / f"{profile.name}-swapped.toml"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(to_toml(swapped(profile), without=("name",)), encoding="utf-8")
    return path


def _exchanged(table: Mapping[str, T], one: str, other: str) -> dict[str, T]:
    if one not in table or other not in table:
        return dict(table)
    return {**table, one: table[other], other: table[one]}
