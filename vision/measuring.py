"""Measuring an own camera and an own set from photos: what the command and the page do alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.camera import SheetView, find_sheet
from calibration.profiles import check_own_name, load_profile, own_profile, save_profile
from calibration.set_photo import read_set_sheet
from calibration.set_profile import SetColours, dressed
from calibration.sets import Profile
from vision.photo import Photo


@dataclass(frozen=True, slots=True)
class KeptSet:
    """An own set that was measured and kept, with a sentence for each thing that no photo showed."""

    profile: Profile
    path: Path
    notes: tuple[str, ...]


def lens_view(photo: Photo, name: str) -> SheetView:
    """The lens sheet in a photo; ``name`` is what later errors call the photo."""
    return find_sheet(photo.pixels, name, photo.camera)


def sheet_colours(photo: Photo) -> SetColours:
    """The colours of the pieces that lie on a photographed piece-set sheet."""
    return read_set_sheet(photo.straightened().pixels)


def check_set(name: str, like: str | None = None) -> Profile | None:
    """Raises where no own set can have that name; gives the set that unmeasured things are taken from, if named."""
    check_own_name(name)
    return None if like is None else load_profile(like)


def keep_set(name: str, measured: Sequence[SetColours], like: Profile | None = None) -> KeptSet:
    """Add what was measured to the own set of that name, which begins with it where it is new."""
    result = dressed(name, measured, own_profile(name), like)
    return KeptSet(result.profile, save_profile(result.profile), result.notes)
