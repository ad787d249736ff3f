"""``cityscan calibrate``: sheets to print, the lens of a camera, and the looks of an own set."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cityscan.points import point
from engine.errors import CityscanError, Unreadable, UsageError
from vision.jobs import add_jobs_option, progress_bar

if TYPE_CHECKING:
    from calibration.set_profile import SetColours
    from vision.photo import Photo

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The commands under ``cityscan calibrate``."""
    parser.description = "Measure your own camera and your own pieces. See docs/own-set.md for the whole way."
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    sheet = commands.add_parser("sheet", help="write the sheets to print, as PDF", allow_abbrev=False)
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4")
    sheet.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to (default: here)")
    sheet.set_defaults(run=_run_sheet)
    camera = commands.add_parser("camera", help="measure a lens from photos of the lens sheet", allow_abbrev=False)
    camera.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    camera.add_argument("--name", metavar="MODEL", help="the camera's model, where the photos do not say it")
    camera.set_defaults(run=_run_camera)
    own = commands.add_parser("set", help="measure the colours and looks of an own set", allow_abbrev=False)
    own.description = (
        "Photos of piece-set sheets, or of positions with their state (same name, .json) beside them. Sheets give the "
        "colours; from positions the networks learn the looks, too."
    )
    own.add_argument("name", metavar="NAME", help="small letters, digits and hyphens")
    own.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    own.add_argument(
        "--like", metavar="PROFILE", help="the set to take from what no photo shows (default: the nearest)"
    )
    corners = "where the board is, if the state does not say: north-west, north-east, south-east, south-west"
    own.add_argument("--corners", nargs=4, type=point, metavar="x,y", help=corners)
    add_jobs_option(own)
    own.set_defaults(run=_run_set)


def _run_sheet(options: argparse.Namespace) -> int:
    from calibration.sheets import sheets

    for name, content in sheets(options.paper).items():
        path = options.out / name
        try:
            options.out.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise Unreadable(f"{path} could not be written ({error.strerror}); choose another folder.") from None
        print(path)
    print("Print at 100 %, without fitting to the page.", file=sys.stderr)
    return 0


def _run_camera(options: argparse.Namespace) -> int:
    """Photos without the sheet are named and left out; the others must be enough."""
    from calibration.camera import SheetView, fit_lens
    from calibration.lens import save_lens
    from vision.measuring import lens_view
    from vision.photo import load_photo

    def view(path: Path) -> SheetView:
        found = lens_view(load_photo(path), path.name)
        print(f"{path.name}: {len(found.pixels)} corners")
        return found

    views, code = _each(options.photos, view)
    if not views:
        return code  # every photo has had its sentence
    lens = fit_lens(views, options.name)
    path = save_lens(lens)
    print(
        f"{lens.camera}: focal length {lens.equivalent:.1f} mm on 35 mm film, bend k1 {lens.k1:+.4f} k2 {lens.k2:+.4f};"
    )
    print(f"corners lie {lens.error_px:.2f} pixels from where this lens puts them, in {lens.photos} photos.")
    print(f"Kept in {path}")
    return code


def _run_set(options: argparse.Namespace) -> int:
    from vision.measuring import check_set, keep_set

    like = check_set(options.name, options.like)
    if options.corners is not None and len(options.photos) > 1:
        raise UsageError("--corners goes with one PHOTO.")
    measured, code = _each(options.photos, lambda path: (path, _set_colours(path, options.corners)))
    if not measured:
        return code
    kept = keep_set(options.name, [colours for _, colours in measured], like)
    for note in kept.notes:
        print(f"note: {note}")
    print(f"Kept in {kept.path}; use it with --profile {options.name}.")
    positions = [path for path, _ in measured if _state_of(path).is_file()]
    return max(code, _learn_looks(positions, options)) if positions else code


def _learn_looks(positions: Sequence[Path], options: argparse.Namespace) -> int:
    """Photos of known positions tell more than colours: what the networks make of the set is learnt from them, too."""
    from cityscan.training import SOME_LEFT_OUT, told
    from vision.adapt.photos import labelled_among
    from vision.adapt.training import learn_photos
    from vision.reader import readable_games

    if not readable_games():
        print("note: only colours were measured; no networks are installed that could learn the looks.")
        return 0
    photos, left_out = labelled_among([(path, _state_of(path)) for path in positions], options.corners)
    # Every photo is looked at, read as before and read as learnt.
    with progress_bar("photos", 3 * len(photos)) as advance:
        report = learn_photos(photos, left_out, options.name, jobs=options.jobs, advance=advance)
    for photo in report.left_out:
        print(f"cityscan: {photo.photo.name}: not learnt from: {photo.problem}", file=sys.stderr)
    print("\n".join(line for outcome in report.outcomes for line in told(outcome, options.name)))
    return SOME_LEFT_OUT if report.left_out else 0


def _state_of(photo: Path) -> Path:
    """Where the position on a photo is written, if it is known."""
    return photo.with_suffix(".json")


def _set_colours(path: Path, corners: Sequence[tuple[float, float]] | None) -> SetColours:
    """The colours of the set on a photo: of a position where its state lies beside it, else of a piece-set sheet."""
    from vision.measuring import sheet_colours
    from vision.photo import load_photo

    photo = load_photo(path)
    truth = _state_of(path)
    if truth.is_file():
        found = _position_colours(photo, truth, corners)
    elif corners is not None:
        raise Unreadable(f"--corners needs the position: put its state beside the photo, as {truth.name}.")
    else:
        found = sheet_colours(photo)
    print(f"{path.name}: {found.game}, {len(found.seen)} colours")
    return found


def _position_colours(photo: Photo, truth: Path, corners: Sequence[tuple[float, float]] | None) -> SetColours:
    import numpy as np

    from vision.labelled import read_truth
    from vision.labels.corners import corners_of
    from vision.position_colours import position_colours

    try:
        state = read_truth(truth)
        where = corners_of(state.get("corners")) if corners is None else np.array(corners, dtype=np.float64)
        if where is None:
            raise Unreadable("it does not say where the board is; add --corners.")
        return position_colours(photo, state, where)
    except CityscanError as error:
        error.message = f"{truth.name}: {error.message}"
        raise


def _each(photos: Sequence[Path], work: Callable[[Path], T]) -> tuple[list[T], int]:
    """What the work gives for each photo, and the exit code; a photo that fails is named and never stops the rest."""
    results, code = [], 0
    for path in photos:
        try:
            results.append(work(path))
        except CityscanError as error:
            print(f"cityscan: {path.name}: {error.message}", file=sys.stderr)
            code = max(code, error.exit_code)
    return results, code
