"""Tileable noise: the raw material of grain, stains, weave and stone."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]


def smooth(rng: np.random.Generator, cells: tuple[int, int], shape: tuple[int, int]) -> Field:
    """Noise from -1 to 1 with ``cells`` (down, across) random values over the shape; wraps around at the edges."""
    down, across = cells
    grid = rng.random((down, across), dtype=np.float32) * 2 - 1
    pad = 3
    padded = np.pad(grid, pad, mode="wrap")
    scale_y, scale_x = shape[0] / down, shape[1] / across
    # Sampling the padded grid so that the cells keep their phase makes opposite edges meet.
    matrix = np.array([[1 / scale_x, 0, pad - 0.5 + 0.5 / scale_x], [0, 1 / scale_y, pad - 0.5 + 0.5 / scale_y]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    field = cv2.warpAffine(padded, matrix, (shape[1], shape[0]), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(field, np.float32)


def fractal(
    rng: np.random.Generator, cells: tuple[int, int], shape: tuple[int, int], octaves: int = 4, gain: float = 0.5
) -> Field:
    """Octaves of smooth noise, each twice as fine and ``gain`` times as strong; about -1 to 1."""
    total = np.zeros(shape, np.float32)
    strength, sum_of_squares = 1.0, 0.0
    for octave in range(octaves):
        fine = (min(cells[0] << octave, shape[0]), min(cells[1] << octave, shape[1]))
        # Coarse octaves are drawn small and enlarged: four times faster, and nobody can tell.
        small = (max(fine[0], shape[0] // 4), max(fine[1], shape[1] // 4)) if max(fine) * 8 <= max(shape) else shape
        layer = smooth(rng, fine, small)
        if small != shape:
            layer = enlarge(layer, shape)
        total += layer * np.float32(strength)
        sum_of_squares += strength**2
        strength *= gain
    return total / np.float32(sum_of_squares**0.5)


def enlarge(field: Field, shape: tuple[int, int]) -> Field:
    """A tileable field at a larger size, still tileable."""
    padded = np.pad(field, 2, mode="wrap")
    fy, fx = shape[0] / field.shape[0], shape[1] / field.shape[1]
    matrix = np.array([[1 / fx, 0, 1.5 + 0.5 / fx], [0, 1 / fy, 1.5 + 0.5 / fy]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(padded, matrix, (shape[1], shape[0]), flags=flags), np.float32)


def grain(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """White noise from -1 to 1, one value a pixel."""
    values = np.frombuffer(rng.bytes(shape[0] * shape[1]), np.uint8).reshape(shape)
    return values.astype(np.float32) * np.float32(2 / 255) - 1


def streaks(rng: np.random.Generator, shape: tuple[int, int], length: int, width: int = 1) -> Field:
    """Grain drawn out along x: fibres. Wraps around."""
    rows, columns = max(1, shape[0] // width), max(2, shape[1] // length)
    return smooth(rng, (rows, columns), shape)
