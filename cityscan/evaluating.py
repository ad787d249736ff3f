"""``cityscan evaluate``: reads every labelled photo of a folder and reports how well."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from engine.errors import Unreadable, Unsupported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan evaluate``."""
    parser.description = "Read every photo that has its truth (NAME.json) beside it, and print the accuracy report."
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write one line for each photo")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Evaluate a folder; photos that cannot be read are part of the report and never stop the rest."""
    from joblib import Parallel, delayed

    from vision.evaluate import evaluate_photo, figures, write_csv
    from vision.labelled import labelled_photos
    from vision.reader import readable_games

    if not options.folder.is_dir():
        raise Unreadable(f'"{options.folder}" is not a folder.')
    if not readable_games():
        raise Unsupported("photos cannot be read by this version: no networks are installed.")
    photos = list(labelled_photos(options.folder))
    if not photos:
        raise Unreadable(f'no photo in "{options.folder}" has a truth file of the same name beside it.')
    work = Parallel(n_jobs=options.jobs, return_as="generator")(delayed(evaluate_photo)(*photo) for photo in photos)
    results = []
    for number, result in enumerate(work, start=1):
        results.append(result)
        if sys.stderr.isatty():
            print(f"\r{number} of {len(photos)} photos", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if options.csv is not None:
        write_csv(results, options.csv)
    rows = figures(results)
    if options.json:
        print(json.dumps({row.name: _numbers(row) for row in rows}))
    else:
        print(f"{len(photos)} photos")
        for row in rows:
            print(row)
    return 0


def _numbers(row: Any) -> dict[str, float | None]:
    values = {"value": row.value, "low": row.low, "high": row.high}
    return {name: None if value != value else value for name, value in values.items()}  # NaN is no JSON
