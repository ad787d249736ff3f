"""What both exports share: which labels are exported, on which side of the split, and as what picture."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import ExifTags, Image

from engine.errors import Unreadable, UsageError
from vision.labels.boxes import Box, boxes_of
from vision.labels.check import Label
from vision.labels.sight import sight_of
from vision.photo import MOST_MEGAPIXELS, load_photo

TRAIN: Final = "train"
VAL: Final = "val"
# One position in five is kept for validation.
VAL_SHARE: Final = 0.2
# Formats that every trainer opens.
COMMON_FORMATS: Final = ("JPEG", "PNG")
JPEG_QUALITY: Final = 95


@dataclass(frozen=True, slots=True, eq=False)
class Exported:
    """A usable label on its way out."""

    label: Label
    side: str
    boxes: tuple[Box, ...]


def exported(labels: Sequence[Label]) -> list[Exported]:
    """All usable labels with their boxes and sides, in order."""
    usable = [label for label in labels if label.usable]
    if not usable:
        raise UsageError("there is no label to export; mend what is listed first.")
    sides = split(usable)
    return [Exported(label, sides[label.position], tuple(_boxes(label))) for label in usable]


def split(labels: Sequence[Label]) -> dict[str, str]:
    """The side of every position. All photos of a position, from wherever they were taken, are on one side, or
    validation would ask for what was learnt by heart. Which side depends on the positions alone, not on file names."""
    by_game: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        by_game[label.game].add(label.position)
    kept: set[str] = set()
    for positions in by_game.values():
        kept |= set(sorted(positions)[: max(1, round(VAL_SHARE * len(positions))) if len(positions) > 1 else 0])
    everything = sorted(set().union(*by_game.values()))
    if not kept and len(everything) > 1:  # one position of each game
        kept = {everything[0]}
    return {position: VAL if position in kept else TRAIN for position in everything}


def _boxes(label: Label) -> list[Box]:
    assert label.truth is not None
    if label.truth["game"] is None:  # a photo without a board: nothing may be found on it
        return []
    return boxes_of(label.truth, sight_of(label.truth, label.photo_size, label.focal), label.photo_size)


def stored_as_seen(photo: Path) -> bool:
    """Whether a program that knows neither EXIF nor HEIC sees the photo as the label means it."""
    try:
        with Image.open(photo) as image:
            return image.format in COMMON_FORMATS and image.getexif().get(ExifTags.Base.Orientation, 1) == 1
    except (OSError, ValueError, SyntaxError) as error:
        raise Unreadable(f'"{photo}" cannot be opened any more ({error}).') from None


def upright_jpeg(photo: Path) -> bytes:
    """The photo at its full size as an upright JPEG without EXIF."""
    pixels = load_photo(photo, working_side=MOST_MEGAPIXELS * 1_000_000).pixels
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return buffer.getvalue()
