"""The seam to the reader of photos: one call, whatever is installed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.photo import Photo
from vision.reader import ReadRequest, read_photo, readable_games
from vision.reading import Reading

__all__ = ["NO_NETWORKS", "corners_in", "read", "readable_games"]

NO_NETWORKS = (
    "No networks are installed, so the photo is not read. Drag the corners onto the board, then place the pieces by "
    "hand on the straightened photo."
)


def read(
    photo: Photo,
    game: str | None = None,
    corners: npt.NDArray[np.float64] | None = None,
    board: tuple[int, int] | None = None,
    profile: str | None = None,
) -> Reading:
    """The position on a photo. ``corners`` are in pixels of ``photo.pixels``, ``profile`` is the own set that lies
    there. Raises CityscanError with a sentence."""
    full = None if corners is None else photo.to_full(corners)
    return read_photo(photo, ReadRequest(game=game, corners=full, board=board, profile=profile))


def corners_in(photo: Photo, reading: Reading) -> npt.NDArray[np.float64]:
    """A reading's corners in pixels of ``photo.pixels``."""
    return photo.from_full(reading.corners)
