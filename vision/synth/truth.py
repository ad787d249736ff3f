"""The truth beside a photo: the state, where its corners are, how it was taken, and how much of everything shows.

A piece's visible share is its pixels in the object-index pass over the pixels that it would have if it stood there
alone and the photo had no edges. A patch (icon, rank, lot, square) has no pixels of its own: its share is that
of its points whose pixel shows the part that it lies on. Everything counts as opaque.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.camera import project, tilt_of
from vision.synth.scene import Array, Camera, Part, Scene

IndexPass = npt.NDArray[np.int32]

POSE_CONVENTION: Final = (
    "pixel = K distort(R world + t), OpenCV: (0, 0) is the centre of the top left pixel, y down, z away from the eye; "
    "world in mm from the board's middle, x east, y north, z up from the surface that pieces stand on; "
    "distortion k1 k2 p1 p2 k3"
)
# Parts whose visible share is told; tiles, board, table and clutter are no pieces.
PIECES: Final = ("structure", "cap", "piece")

# Silhouettes are drawn this much finer than the photo's pixels: odd, so that a pixel's centre has a place of its own.
_FINER: Final = 9
_FINER_LARGE: Final = 3
_LARGE_PX: Final = 60
_SHIFT: Final = 4


def truth_of(scene: Scene, index: IndexPass, *, backend: str, kind: str, frame: int = 0) -> dict[str, Any]:
    """The truth of a photo from the scene and the object-index pass of the photo (lens model applied).

    ``kind`` is the layout's: for a negative it says what there is instead of a board.
    """
    if index.shape != (scene.camera.height, scene.camera.width):
        raise ValueError(
            f"the index pass has the shape {index.shape}, the photo {(scene.camera.height, scene.camera.width)}"
        )
    taken = {
        "camera": camera_json(scene.camera),
        "tilt": round(tilt_of(scene.camera), 2),
        "profile": scene.profile,
        "seed": scene.seed,
        "frame": frame,
        "backend": backend,
        "layout": kind,
    }
    if scene.state is None or scene.corners is None:
        decoy = {} if scene.decoy is None else {"decoy": _rounded(project(scene.camera, scene.decoy), 2)}
        return {"game": None, "negative": kind, **decoy, **taken}
    return {
        **scene.state,
        "corners": _rounded(project(scene.camera, scene.corners), 2),
        "world_corners": _rounded(scene.corners, 4),
        **taken,
        "visible": visible_shares(scene, index),
        "boxes": piece_boxes(scene),
    }


def camera_json(camera: Camera) -> dict[str, Any]:
    """The camera as the truth tells it; ``camera_from_json`` gives it back."""
    return {
        "matrix": _rounded(camera.matrix, 5),
        "rotation": _rounded(camera.rotation, 10),
        "translation": _rounded(camera.translation, 5),
        "distortion": _rounded(camera.distortion, 8),
        "width": camera.width,
        "height": camera.height,
        "pose": POSE_CONVENTION,
    }


def camera_from_json(entry: Mapping[str, Any]) -> Camera:
    """A camera to project with; focus and aperture are not part of the truth."""
    return Camera(
        matrix=np.array(entry["matrix"], dtype=np.float64),
        rotation=np.array(entry["rotation"], dtype=np.float64),
        translation=np.array(entry["translation"], dtype=np.float64),
        distortion=np.array(entry["distortion"], dtype=np.float64),
        width=int(entry["width"]),
        height=int(entry["height"]),
        focus_mm=0.0,
        aperture_mm=0.0,
    )


def truth_text(truth: Mapping[str, Any]) -> str:
    """The truth as JSON with a line for each field, so that people can read it and diffs stay short."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in truth.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def visible_shares(scene: Scene, index: IndexPass) -> dict[str, float]:
    """The visible share, from 0 to 1, of every piece and every patch."""
    numbers = {part.name: number for number, part in enumerate(scene.parts, start=1)}
    shown = np.bincount(index.ravel(), minlength=len(scene.parts) + 1)
    shares: dict[str, float] = {}
    pieces = _pieces(scene)
    for part, pixels in zip(pieces, _project_all(scene.camera, pieces), strict=True):
        alone = silhouette_area(part, pixels)
        shares[part.name] = _share(float(shown[numbers[part.name]]), alone)
    for name, points in scene.patches.items():
        own = numbers[scene.surfaces[name]]
        shares[name] = _share(_points_showing(scene.camera, points, index, own), len(points))
    return shares


def piece_boxes(scene: Scene) -> dict[str, Any]:
    """Left, top, right and bottom of every piece in pixels, whole: also where it is hidden or beyond the edge."""
    pieces = _pieces(scene)
    pixels = _project_all(scene.camera, pieces)
    bounds = (np.concatenate([points.min(axis=0), points.max(axis=0)]) for points in pixels)
    return {part.name: _rounded(box, 1) for part, box in zip(pieces, bounds, strict=True)}


def _pieces(scene: Scene) -> list[Part]:
    return [part for part in scene.parts if part.name.split(":")[0] in PIECES]


def silhouette_area(part: Part, pixels: Array) -> float:
    """How many pixels a part alone would cover, given its vertices' pixels: those whose centre it covers."""
    low = np.floor(pixels.min(axis=0)) - 1
    extent = np.ceil(pixels.max(axis=0)) + 2 - low
    finer = _FINER_LARGE if extent.max() > _LARGE_PX else _FINER
    mask = np.zeros((int(extent[1]) * finer, int(extent[0]) * finer), dtype=np.uint8)
    # Pixel n of the photo becomes the finer pixels n * finer ... n * finer + finer - 1, its centre in the middle one.
    fine = (pixels - low) * finer + finer // 2
    places = np.round(fine * (1 << _SHIFT)).astype(np.int32)
    for face in _front_faces(part, fine):
        cv2.fillConvexPoly(mask, places[face], 1, lineType=cv2.LINE_8, shift=_SHIFT)
    return float(np.count_nonzero(mask[finer // 2 :: finer, finer // 2 :: finer]))


def _front_faces(part: Part, pixels: Array) -> Iterable[npt.NDArray[np.int32]]:
    """The faces that look at the eye: together they are the silhouette of a closed mesh."""
    faces = part.mesh.faces
    closing = np.where(faces[:, 3] < 0, faces[:, 0], faces[:, 3])
    # Half the product of the diagonals is the area (a triangle's second one leads back to its first corner);
    # counter-clockwise from outside is clockwise, so negative, where y grows downwards.
    across = pixels[faces[:, 2]] - pixels[faces[:, 0]]
    over = pixels[closing] - pixels[faces[:, 1]]
    turning = across[:, 0] * over[:, 1] - across[:, 1] * over[:, 0]
    for face in faces[turning < 0]:
        yield face[face >= 0]


def _project_all(camera: Camera, parts: list[Part]) -> list[Array]:
    """The pixels of all vertices of each part, in one call: there may be hundreds of parts."""
    if not parts:
        return []
    world = [part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3] for part in parts]
    pixels = project(camera, np.concatenate(world))
    return np.split(pixels, np.cumsum([len(points) for points in world])[:-1])


def _points_showing(camera: Camera, points: Array, index: IndexPass, own: int) -> int:
    column, row = np.round(project(camera, points)).astype(int).T
    inside = (column >= 0) & (column < camera.width) & (row >= 0) & (row < camera.height)
    return int((index[row[inside], column[inside]] == own).sum())


def _share(shown: float, whole: float) -> float:
    return round(min(1.0, shown / whole), 3) if whole > 0 else 0.0


def _rounded(values: Array, digits: int) -> Any:
    return np.round(values, digits).tolist()
