"""From a scene to its picture: the order of the steps, and nothing of how each is done."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.synth.fast import faces as face_arrays
from vision.synth.fast import raster
from vision.synth.scene import Scene


def index_pass(scene: Scene) -> npt.NDArray[np.int32]:
    """The number of the nearest part in each pixel of the pinhole picture; everything counts as opaque."""
    faces = face_arrays.collect(scene.parts)
    view = raster.camera_view(scene.camera)
    polygons = raster.project(view, faces)
    polygons = raster.select(polygons, polygons.front)
    polygon, _ = raster.nearest(view.width * view.height, raster.fragments(view, polygons))
    # The last entry is what -1, the empty pixel, finds.
    numbers = np.append(faces.part[polygons.face], 0).astype(np.int32)
    return numbers[polygon].reshape(view.height, view.width)
