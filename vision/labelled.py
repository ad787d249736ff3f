"""Labelled photos: pictures with their truth in a state file of the same name beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import CityscanError
from engine.strict_json import parse_object, read_text
from vision import PHOTO_SUFFIXES


def labelled_photos(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The photos of a folder, and of those in it, with the truth beside each, in order of their names."""
    for photo, truth in labelled_files(folder):
        try:
            yield photo, read_truth(truth)
        except CityscanError as error:
            error.message = f"{truth}: {error.message}"
            raise


def labelled_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The photos of a folder, and of those in it, with the file of the truth beside each, in order of their names."""
    for truth in sorted(folder.rglob("*.json")):
        photo = next(iter(photos_beside(truth)), None)
        if photo is not None:
            yield photo, truth


def photos_beside(truth: Path) -> list[Path]:
    """The photos with the name of a truth file; the first is the one that it is about."""
    suffixes = [variant for suffix in PHOTO_SUFFIXES for variant in (suffix, suffix.upper())]
    return [photo for suffix in suffixes if (photo := truth.with_suffix(suffix)).is_file()]


def read_truth(path: Path) -> dict[str, Any]:
    """What a truth file says. Raises CityscanError with a sentence about the file."""
    return parse_object(read_text(path))
