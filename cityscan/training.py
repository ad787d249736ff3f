"""``cityscan train``: learns an own set from labelled photos, or with ``--full`` trains the networks from nothing."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Unsupported, UsageError
from vision.jobs import add_jobs_option, progress_bar

if TYPE_CHECKING:
    from vision.adapt.training import Outcome, Report

SOME_LEFT_OUT = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan train``."""
    from vision.training import full

    parser.description = (
        "Learn your own set from photos that have their positions beside them (table.jpg, table.json). Photos are held "
        "out in turn to measure whether reading gets better; if it does not, nothing is changed."
    )
    parser.add_argument("--photos", type=Path, metavar="DIR", help="the folder of labelled photos")
    parser.add_argument("--profile", metavar="NAME", help="the set that they show; read with the same --profile later")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same result (1)")
    add_jobs_option(parser)
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    parser.add_argument("--full", action="store_true", help="train the networks themselves from nothing (needs torch)")
    full.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Learn a set, and tell how photos that were held out are read before and after."""
    if options.full:
        from vision.training import full

        return full.run(options)
    if options.photos is None or options.profile is None:
        raise UsageError("say which photos and which set: cityscan train --photos DIR --profile NAME.")
    if options.seed < 0:
        raise UsageError(f"--seed must not be negative ({options.seed}).")
    report = _learn(options)
    for photo in report.left_out:
        print(f"{photo.photo}: left out: {photo.problem}", file=sys.stderr)
    if options.json:
        print(json.dumps(_as_json(report)))
    else:
        print("\n".join(line for outcome in report.outcomes for line in told(outcome, report.profile)))
    return SOME_LEFT_OUT if report.left_out else 0


def _learn(options: argparse.Namespace) -> Report:
    from vision.adapt.photos import labelled_in
    from vision.adapt.training import learn_set
    from vision.reader import readable_games

    if not readable_games():
        raise Unsupported("nothing can be learnt with this version: no networks are installed.")
    photos, _ = labelled_in(options.photos)
    # Every photo is looked at, read as before and read as learnt.
    with progress_bar("photos", 3 * len(photos)) as advance:
        return learn_set(options.photos, options.profile, options.seed, options.jobs, advance)


def told(outcome: Outcome, profile: str) -> list[str]:
    """What came of a game's photos, in lines for people."""
    before, after = outcome.before, outcome.after
    number = "1 photo" if outcome.photos == 1 else f"{outcome.photos} photos"
    how = "parts of its board" if outcome.photos == 1 else "each photo"
    lines = [
        f"{outcome.game}: {number}, {how} judged without having been learnt from, in {outcome.seconds:.0f} s",
        f"  cells wrong: {before.wrong} of {before.cells} before, {after.wrong} after",
        f"  boards without a mistake: {before.faultless} of {before.boards} before, {after.faultless} after",
    ]
    if outcome.earlier is not None:
        old, new = outcome.earlier
        which = "that photo" if old.boards == 1 else f"{old.boards} photos"
        lines.append(f"  against what was learnt earlier, on {which}: {old.wrong} cells wrong then, {new.wrong} now")
    if outcome.kept:
        return [*lines, f"  kept in {outcome.file}; used with --profile {profile}"]
    if not outcome.questions:
        return [*lines, "  nothing is changed: there was nothing to learn; take photos of what is read wrongly"]
    return [*lines, "  nothing is changed: reading did not get better; take more photos, of different positions"]


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "profile": report.profile,
        "games": [_outcome_as_json(outcome) for outcome in report.outcomes],
        "left_out": [{"photo": str(photo.photo), "problem": photo.problem} for photo in report.left_out],
    }


def _outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "game": outcome.game,
        "photos": outcome.photos,
        "before": asdict(outcome.before),
        "after": asdict(outcome.after),
        "earlier": None if outcome.earlier is None else [asdict(score) for score in outcome.earlier],
        "kept": outcome.kept,
        "file": None if outcome.file is None else str(outcome.file),
        "questions": {name: dict(facts) for name, facts in outcome.questions.items()},
        "seconds": round(outcome.seconds, 1),
    }
