"""The lens of a camera from photos of the printed lens sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens import SAME_ASPECT, Array, Camera, Lens, aspect_of
from calibration.sheets import lens_board
from engine.errors import Unreadable, UsageError

Picture = npt.NDArray[np.uint8]

LEAST_PHOTOS: Final = 4
# Inner corners of the sheet that a photo must show, of 54: about two rows, and not all in one line.
LEAST_CORNERS: Final = 14
# The plane of the sheet must be seen from directions that differ by this many degrees: photos from one direction
# cannot tell a longer lens from a larger distance.
LEAST_TURN: Final = 20.0
# How uncertain the focal length may be, as a share of itself.
MOST_UNCERTAIN: Final = 0.01
# How far corners may lie from where the lens puts them, as a share of the longer side: 1 pixel of 1000.
MOST_ERROR: Final = 0.001
# How far out the sheet must reach, as a share of the way from the middle of the photo to its corners: a bend is not
# known where nothing was seen. The second term of the bend grows fast, so it is measured only by sheets that fill
# the photos.
LEAST_REACH: Final = 0.35
REACH_FOR_TWO_TERMS: Final = 0.5
# Lenses are fitted to photos of this longer side, whatever size they have.
FITTED_SIDE: Final = 2000.0
ROUND_LENS: Final = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K3
)


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """The corners of the lens sheet in one photo: in millimetres on the sheet, and in pixels of the photo."""

    name: str
    size: tuple[int, int]
    camera: Camera
    sheet: Array  # (N, 3)
    pixels: Array  # (N, 2)


def find_sheet(pixels: Picture, name: str, camera: Camera) -> SheetView:
    """The lens sheet in an RGB photo; ``name`` is what later errors call the photo."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(grey)
    found = 0 if numbers is None else len(numbers)
    if found < LEAST_CORNERS:
        what = "the lens sheet was not found" if found == 0 else f"only {found} corners of the lens sheet can be seen"
        raise Unreadable(
            f"{what}; print it (cityscan calibrate sheet, or My set in the app) and photograph all of it, sharp."
        )
    on_sheet = np.asarray(lens_board().getChessboardCorners(), dtype=np.float64)[np.ravel(numbers)]
    height, width = pixels.shape[:2]
    return SheetView(name, (width, height), camera, on_sheet, np.asarray(corners, dtype=np.float64).reshape(-1, 2))


def fit_lens(views: Sequence[SheetView], name: str | None = None) -> Lens:
    """The lens that took all of the photos. ``name`` says the camera's where the photos do not."""
    camera, aspect = _one_camera(views, name), _one_aspect(views)
    if len(views) < LEAST_PHOTOS:
        raise Unreadable(
            f"a lens needs at least {LEAST_PHOTOS} photos of the lens sheet, better ten, from different sides; "
            f"{'this is one' if len(views) == 1 else f'these are {len(views)}'}."
        )
    size = (round(FITTED_SIDE), round(FITTED_SIDE / aspect))
    points = [_lying(view) for view in views]
    reach = _reach(points, size)
    if reach < LEAST_REACH:
        raise Unreadable("the sheet is too small in the photos; go nearer, so that it fills them.")
    start = np.array([[FITTED_SIDE, 0, (size[0] - 1) / 2], [0, FITTED_SIDE, (size[1] - 1) / 2], [0, 0, 1]])
    flags = ROUND_LENS if reach >= REACH_FOR_TWO_TERMS else ROUND_LENS | cv2.CALIB_FIX_K2
    error, matrix, bend, turns, _, spread, _, _ = cv2.calibrateCameraExtended(
        [view.sheet.astype(np.float32) for view in views],
        [p.astype(np.float32) for p in points],
        size,
        start,
        np.zeros(5),
        flags=flags,
    )
    focal = float(matrix[0, 0])
    k1, k2 = (float(value) for value in np.ravel(bend)[:2])
    lens = Lens(
        camera=camera.name,
        aspect=round(aspect, 4),
        focal=round(focal / FITTED_SIDE, 5),
        k1=round(k1, 6),
        k2=round(k2, 6),
        focal_35mm=camera.focal_35mm,
        zoom=camera.zoom,
        photos=len(views),
        error_px=round(error * max(views[0].size) / FITTED_SIDE, 3),
    )
    _refuse_doubt(lens, error, float(np.ravel(spread)[0]) / focal, [np.asarray(turn, float) for turn in turns])
    return lens


def _lying(view: SheetView) -> Array:
    """The pixels in a photo of the fitted size that lies on its longer side; upright photos are turned."""
    width, height = view.size
    middle = view.pixels - np.array([(width - 1) / 2, (height - 1) / 2])
    if height > width:
        middle = np.stack([middle[:, 1], -middle[:, 0]], axis=1)
    fitted = np.array([FITTED_SIDE, FITTED_SIDE / aspect_of(view.size)])
    return np.asarray(middle * FITTED_SIDE / max(width, height) + (np.round(fitted) - 1) / 2)


def _reach(points: Sequence[Array], size: tuple[int, int]) -> float:
    """How far out the sheet's corners lie, but for the outermost twentieth."""
    away = np.linalg.norm(np.concatenate(points) - (np.array(size) - 1) / 2, axis=1)
    return float(np.percentile(away, 95) / (np.hypot(*size) / 2))


def _refuse_doubt(lens: Lens, error: float, uncertain: float, turns: Sequence[Array]) -> None:
    """Raises where the fit rests on too little, or does not fit."""
    if not np.isfinite(error) or error > MOST_ERROR * FITTED_SIDE or lens.folds:
        raise Unreadable(
            "the photos do not agree on one lens; lay the sheet flat, hold the phone still, and do not zoom."
        )
    axes = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    widest = float(np.degrees(np.arccos(np.clip(axes @ axes.T, -1, 1))).max())
    if widest < LEAST_TURN or uncertain > MOST_UNCERTAIN:
        raise Unreadable(
            "the photos are too much alike; photograph the sheet from straight above and from all four sides, "
            "tilted by a third of a right angle."
        )


def _one_camera(views: Sequence[SheetView], name: str | None) -> Camera:
    """The camera of all photos."""
    if not views:
        raise Unreadable("the lens sheet was found in no photo.")
    cameras = list(dict.fromkeys(view.camera for view in views))
    names = list(dict.fromkeys(camera.name for camera in cameras))
    if len(names) > 1:
        listed = " and ".join(f'"{found or "no name"}" ({_first(views, found)})' for found in names)
        raise UsageError(f"the photos are from different cameras, {listed}; measure one at a time.")
    if len(cameras) > 1:
        listed = ", ".join(f"{view.name}: {view.camera.focal_35mm or 'unknown'} mm" for view in views)
        raise UsageError(f"the photos are from different lenses or zooms of one camera ({listed}); use one.")
    camera = cameras[0]
    if camera.name:
        return camera
    if not name or not name.strip():
        raise UsageError(
            "the photos do not say which camera took them; use photos straight from the phone, "
            "or name the model as such photos do (on the command line: --name)."
        )
    return Camera("", " ".join(name.split()), camera.focal_35mm, camera.zoom)


def _first(views: Sequence[SheetView], camera_name: str) -> str:
    return next(view.name for view in views if view.camera.name == camera_name)


def _one_aspect(views: Sequence[SheetView]) -> float:
    aspects = [aspect_of(view.size) for view in views]
    odd = next((v for v, a in zip(views, aspects, strict=True) if abs(a / aspects[0] - 1) > SAME_ASPECT), None)
    if odd is not None:
        raise UsageError(
            f"{odd.name} has another shape than {views[0].name}; photos of one lens must not be cropped differently."
        )
    return aspects[0]
