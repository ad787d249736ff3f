"""What the page hands to the store of saved games, and what a list of them shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SavedGame:
    """One scored game with everything that is needed to open it again or to learn from it.

    ``photo`` is an upright JPEG without EXIF; ``corners`` (north-west, north-east, south-east, south-west) are in its
    pixels. ``state`` is the position as corrected, ``read_state`` and ``reading`` what the reader made of the photo
    before (None where pieces were placed by hand); ``corrections`` lists where they differ, as
    ``{"at": "C9", "read": value or None, "now": value or None}``. ``sheet`` is the score's JSON form with ``notes``
    and ``over``. ``profile`` names the own set that the photo was read with. ``created`` is an ISO time in UTC. ``id``
    and ``created`` are given by the store where they are empty.
    """

    game: str
    title: str
    state: Mapping[str, Any]
    sheet: Mapping[str, Any]
    names: Mapping[str, str] = field(default_factory=dict)
    photo: bytes | None = None
    corners: Sequence[Sequence[float]] | None = None
    reading: Mapping[str, Any] | None = None
    read_state: Mapping[str, Any] | None = None
    corrections: Sequence[Mapping[str, Any]] = ()
    profile: str | None = None
    created: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A saved game in a list. ``thumbnail`` is a small JPEG or PNG; None where there was no photo."""

    id: str
    game: str
    title: str
    created: str
    totals: Mapping[str, int]
    winner: str | None
    names: Mapping[str, str]
    thumbnail: bytes | None = None
    has_photo: bool = False
    corrected: bool = False
    profile: str | None = None
