"""Depth of field: what is nearer or farther than the focus is blurred."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.scene import Camera

Floats = npt.NDArray[np.float32]

# Radii of the prepared blurs in pixels; between them pictures are mixed.
_RADII = (0.0, 1.0, 2.2, 4.5, 9.0)
_SEEN = 0.3  # smaller circles of confusion cannot be seen


def refocus(image: Floats, near: Floats, camera: Camera) -> Floats:
    """Blur the picture (H, W, 3) as the lens does, given 1 / depth of each pixel."""
    if camera.aperture_mm <= 0:
        return image
    radius = np.abs(near - np.float32(1.0 / camera.focus_mm))
    radius *= np.float32(camera.matrix[0, 0] * camera.aperture_mm / 2)
    radius[near <= 0] = 0.0
    largest = float(np.percentile(radius[::4, ::4], 99.5))
    if largest < _SEEN:
        return image
    # Edges of blurred things are blurred, too.
    radius = np.asarray(cv2.blur(radius, (5, 5)), np.float32)
    result, sharper = image, image
    for below, here in pairwise(_RADII):
        softer = _disc_blur(image, here)
        share = np.clip((radius - np.float32(below)) * np.float32(1.0 / (here - below)), 0, 1)
        weight = cv2.merge([share, share, share])
        result = result + weight * (softer - sharper)
        sharper = softer
        if largest <= here:
            break
    return result


def _disc_blur(image: Floats, radius: float) -> Floats:
    """Two boxes come near enough to a disc of this radius."""
    width = 2 * round(radius * 0.7) + 1
    if width <= 3:
        return np.asarray(cv2.GaussianBlur(image, (3, 3), radius / 2), np.float32)
    once = cv2.blur(image, (width, width), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.blur(once, (width, width), borderType=cv2.BORDER_REPLICATE), np.float32)
