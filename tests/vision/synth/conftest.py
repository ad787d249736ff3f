"""Small scenes with known answers for the tests of the studio."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from vision.synth.scene import Camera

Corners = Callable[[float, float], npt.NDArray[np.float64]]


@pytest.fixture(scope="session")
def corners_of() -> Corners:
    """NW, NE, SE, SW of a board by its width and depth in millimetres."""

    def corners(width: float, depth: float) -> npt.NDArray[np.float64]:
        x, y = width / 2, depth / 2
        return np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])

    return corners


@pytest.fixture(scope="session")
def overhead() -> Camera:
    """Straight above the origin, north up, one pixel a millimetre at z = 0, 400 x 300 pixels."""
    return Camera(
        matrix=np.array([[500.0, 0, 199.5], [0, 500.0, 149.5], [0, 0, 1]]),
        rotation=np.diag([1.0, -1.0, -1.0]),
        translation=np.array([0.0, 0.0, 500.0]),
        distortion=np.zeros(5),
        width=400,
        height=300,
        focus_mm=500.0,
        aperture_mm=0.0,
    )
