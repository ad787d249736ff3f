"""``cityscan calibrate``: sheets to print, the lens of a camera, and the looks of an own set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.errors import CityscanError, Unreadable


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
    from calibration.camera import SheetView, find_sheet, fit_lens
    from calibration.lens import save_lens
    from vision.photo import load_photo

    views: list[SheetView] = []
    problem: CityscanError | None = None
    for path in options.photos:
        try:
            photo = load_photo(path)
            views.append(find_sheet(photo.pixels, path.name, photo.camera))
            print(f"{path.name}: {len(views[-1].pixels)} corners")
        except CityscanError as error:
            error.message = f"{path.name}: {error.message.removeprefix(f'{path.name}: ')}"
            print(f"cityscan: {error.message}", file=sys.stderr)
            problem = error
    if not views and problem is not None:
        return problem.exit_code  # every photo has had its sentence
    lens = fit_lens(views, options.name)
    path = save_lens(lens)
    print(
        f"{lens.camera}: focal length {lens.equivalent:.1f} mm on 35 mm film, bend k1 {lens.k1:+.4f} k2 {lens.k2:+.4f};"
    )
    print(f"corners lie {lens.error_px:.2f} pixels from where this lens puts them, in {lens.photos} photos.")
    print(f"Kept in {path}")
    return 0
