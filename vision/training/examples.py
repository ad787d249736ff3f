"""Labelled photos: a picture with its truth beside it, as the studio writes them and people label them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.labelled import labelled_photos
from vision.photo import Photo, load_photo

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled photo; ``truth`` is the parsed state file beside it."""

    path: Path
    truth: Mapping[str, Any]

    @property
    def game(self) -> str | None:
        """The game on the photo, None for a negative."""
        game = self.truth.get("game")
        return str(game) if game is not None else None

    @property
    def corners(self) -> Array:
        """Pixels of the NW, NE, SE, SW corners in the full upright photo."""
        return np.array(self.truth["corners"], dtype=np.float64)

    @property
    def focal(self) -> float | None:
        """The true focal length in pixels of the full photo, where the truth tells it."""
        camera = self.truth.get("camera")
        return float(camera["matrix"][0][0]) if camera else None

    def visible(self, name: str) -> float:
        """The visible share of a piece or patch; 1 where the truth does not tell."""
        return float(self.truth.get("visible", {}).get(name, 1.0))

    def photo(self, working_side: int) -> Photo:
        return load_photo(self.path, working_side)


def find_examples(folders: list[Path]) -> list[Example]:
    """All photos in the folders that have a state file of the same name beside them, in order of their names."""
    return [Example(photo, truth) for folder in folders for photo, truth in labelled_photos(folder)]
