"""``cityscan evaluate``: reads every labelled photo of a folder and reports how well."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import CityscanError, Unreadable, Unsupported
from vision.jobs import add_jobs_option, in_order, progress_bar

if TYPE_CHECKING:
    from vision.evaluate import Figure, Result

SOME_FAILED = 3


@dataclass(frozen=True, slots=True)
class Failed:
    """A photo that could not be judged: its truth is wrong, or the program is."""

    photo: Path
    problem: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan evaluate``."""
    parser.description = "Read every photo that has its truth (NAME.json) beside it, and print the accuracy report."
    parser.add_argument("folder", type=Path)
    parser.add_argument("--profile", metavar="NAME", help="read with what was learnt for this own set")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write one line for each photo")
    add_jobs_option(parser)
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Evaluate a folder. A photo that cannot be read is named and part of the report; one whose truth is no truth is
    named and left out of it. Neither stops the rest."""
    from vision.adapt.store import check_profile
    from vision.evaluate import figures, write_csv
    from vision.labelled import labelled_files
    from vision.reader import readable_games

    if not options.folder.is_dir():
        raise Unreadable(f'"{options.folder}" is not a folder.')
    if not readable_games():
        raise Unsupported("photos cannot be read by this version: no networks are installed.")
    if options.profile is not None:
        check_profile(options.profile)
    photos = list(labelled_files(options.folder))
    if not photos:
        raise Unreadable(f'no photo in "{options.folder}" has a truth file of the same name beside it.')
    judged: list[Result] = []
    failures: list[Failed] = []
    with progress_bar("photos", len(photos)) as advance:
        for outcome in in_order(partial(_judge, profile=options.profile), photos, options.jobs, _failed):
            if isinstance(outcome, Failed):
                failures.append(outcome)
            else:
                judged.append(outcome)
            advance()
    for failure in failures:
        print(f"{failure.photo}: {failure.problem}", file=sys.stderr)
    for result in judged:
        if result.error and not result.negative:
            print(f"{result.photo}: not read ({result.error}), counted as wrong", file=sys.stderr)
    _report(figures(judged), len(judged), options.json)
    if options.csv is not None:
        # After the report, which is worth having even where the file cannot be written.
        write_csv(judged, options.csv)
    return SOME_FAILED if failures else 0


def _judge(labelled: tuple[Path, Path], profile: str | None) -> Result | Failed:
    from vision.evaluate import evaluate_photo
    from vision.labelled import read_truth
    from vision.reader import ReadRequest

    photo, truth = labelled
    return evaluate_photo(photo, read_truth(truth), ReadRequest(profile=profile))


def _failed(labelled: tuple[Path, Path], error: Exception) -> Result | Failed:
    photo, _ = labelled
    if isinstance(error, CityscanError):
        return Failed(photo, f"left out, because of its state file: {error.message}")
    return Failed(photo, f"left out, because of a mistake in Cityscan ({type(error).__name__}: {error}).")


def _report(rows: Sequence[Figure], photos: int, as_json: bool) -> None:
    if as_json:
        print(json.dumps({row.name: _numbers(row) for row in rows}))
        return
    print(f"{photos} photos")
    for row in rows:
        print(row)


def _numbers(row: Figure) -> dict[str, float | None]:
    values = {"value": row.value, "low": row.low, "high": row.high}
    return {name: None if value != value else value for name, value in values.items()}  # NaN is no JSON
