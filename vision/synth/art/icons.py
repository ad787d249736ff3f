"""The suits' symbols. A design is a small drawing; its name says the motif and the variant (``crown-balls``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from calibration.looks import ICONS
from vision.synth.art import icons_geometric, icons_piecepack
from vision.synth.art.draw import Mask, Pen

_FULL_SIZE = 256

_DRAWINGS: dict[str, Callable[[Pen], None]] = {**icons_piecepack.DRAWINGS, **icons_geometric.DRAWINGS}


def icon_names(held_out: bool | None = None) -> tuple[str, ...]:
    """All designs, or only those that are (or are not) kept away from training."""
    return ICONS.names(held_out)


def icon(name: str, size: int) -> Mask:
    """The design as a square coverage mask that its ink just fills (at least in one direction)."""
    return np.asarray(cv2.resize(_full(name), (size, size), interpolation=cv2.INTER_AREA), np.float32)


@lru_cache(maxsize=128)
def _full(name: str) -> Mask:
    """The design at full size, moved and scaled so that its ink touches the frame."""
    pen = Pen(_FULL_SIZE)
    _DRAWINGS[name](pen)
    mask = pen.mask()
    rows, columns = np.flatnonzero(mask.max(1) > 0.1), np.flatnonzero(mask.max(0) > 0.1)
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    side = max(cut.shape)
    framed = np.zeros((side, side), np.float32)
    top, left = (side - cut.shape[0]) // 2, (side - cut.shape[1]) // 2
    framed[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    return np.asarray(cv2.resize(framed, (_FULL_SIZE, _FULL_SIZE), interpolation=cv2.INTER_LINEAR), np.float32)
