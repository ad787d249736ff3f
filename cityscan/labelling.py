"""``cityscan label``: what is missing or inconsistent in a folder of labelled photos, overlays, and exports."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Unreadable, Unsupported, UsageError
from vision.jobs import add_jobs_option, in_order, progress_bar

if TYPE_CHECKING:
    from vision.labels.check import Label
    from vision.labels.problems import Problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``cityscan label``."""
    parser.description = (
        "List what is missing or inconsistent in a folder of labelled photos: pictures with their position in a "
        "state file of the same name beside them."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="write photos with the truth drawn in, to look at")
    parser.add_argument("--coco", type=Path, metavar="FILE", help="write boxes of boards and pieces as COCO JSON")
    parser.add_argument("--yolo", type=Path, metavar="DIR", help="write boxes as a YOLO folder, split in two")
    parser.add_argument("--read", action="store_true", help="let the reader find corners that are missing; writes them")
    add_jobs_option(parser)
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check a folder and write what was asked for. Bad labels are listed and never stop the others."""
    from vision.labels.check import label_files, with_duplicates

    _refuse(options)
    pairs, lonely = label_files(options.folder)
    if not pairs and not lonely:
        raise Unreadable(f'there are no photos in "{options.folder}".')
    checked = _checked(pairs, options)
    labels = with_duplicates(checked)
    problems = [*lonely, *(problem for label in labels for problem in label.problems)]
    written = _exports(labels, options)
    if options.overlay is not None:
        # Labels that contradict each other are drawn too: that shows which of them is right.
        written["overlay"] = {"path": str(options.overlay), "photos": sum(label.usable for label in checked)}
    if options.json:
        print(json.dumps(_report(options.folder, labels, problems, written)))
    else:
        _show(labels, problems, written)
    return max((problem.exit_code for problem in problems), default=0)


def _refuse(options: argparse.Namespace) -> None:
    """What makes no sense is said before any photo is opened."""
    from vision.labels.yolo import refuse_unfit_folder
    from vision.reader import readable_games

    if not options.folder.is_dir():
        raise Unreadable(f'"{options.folder}" is not a folder.')
    if options.read and not readable_games():
        raise Unsupported("--read needs the reader's networks, which are not installed; mark the corners in the app.")
    if options.overlay is not None and options.overlay.exists() and not options.overlay.is_dir():
        raise UsageError(f'"{options.overlay}" is a file; --overlay names a folder.')
    if options.yolo is not None:
        refuse_unfit_folder(options.folder, options.yolo)


def _checked(pairs: Sequence[tuple[Path, Path]], options: argparse.Namespace) -> list[Label]:
    from vision.labels.check import failed_label

    work = partial(_work, folder=options.folder, overlays=options.overlay, read=options.read)
    labels = []
    with progress_bar("labels", len(pairs)) as advance:
        for label in in_order(work, pairs, options.jobs, failed_label):
            labels.append(label)
            advance()
    return labels


def _work(files: tuple[Path, Path], folder: Path, overlays: Path | None, read: bool) -> Label:
    """Everything that takes long about one label."""
    from vision.labels.check import check_label

    label = check_label(files)
    if read:
        from vision.labels.finding import find_corners

        label = find_corners(label)
    if overlays is not None and label.usable:
        from vision.labels.overlay import OVERLAY, write_overlay

        target = overlays / label.photo.relative_to(folder).with_suffix(f"{OVERLAY}.jpg")
        assert label.truth is not None
        write_overlay(label.photo, label.truth, target)
    return label


def _exports(labels: Sequence[Label], options: argparse.Namespace) -> dict[str, Any]:
    """Write what was asked for; which files, and how much is in them."""
    written: dict[str, Any] = {}
    if options.coco is None and options.yolo is None:
        return written
    from vision.labels.coco import coco_document
    from vision.labels.export import VAL, exported
    from vision.labels.yolo import write_yolo

    items = exported(labels)
    about = {
        "photos": len(items),
        "boxes": sum(len(item.boxes) for item in items),
        "validation": sum(item.side == VAL for item in items),
    }
    if options.coco is not None:
        _write_text(options.coco, json.dumps(coco_document(items, options.folder)) + "\n")
        written["coco"] = {"path": str(options.coco), **about}
    if options.yolo is not None:
        write_yolo(items, options.folder, options.yolo)
        written["yolo"] = {"path": str(options.yolo), **about}
    return written


def _write_text(path: Path, text: str) -> None:
    from vision.synth.saving import write_whole

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise Unreadable(f'"{path}" cannot be written ({error.strerror}); choose another place.') from None


def _report(
    folder: Path, labels: Sequence[Label], problems: Sequence[Problem], written: dict[str, Any]
) -> dict[str, Any]:
    from vision.labels.check import counts

    return {
        "input": str(folder),
        "ok": all(problem.warning for problem in problems),
        "labels": len(labels),
        "usable": sum(label.usable for label in labels),
        "counts": [{"game": g, "profile": p, "labels": n} for (g, p), n in counts(labels).items()],
        "problems": [problem.to_json() for problem in problems],
        "written": written,
    }


def _show(labels: Sequence[Label], problems: Sequence[Problem], written: dict[str, Any]) -> None:
    from vision.labels.check import counts

    for problem in problems:
        print(f"{'look at ' if problem.warning else ''}{problem.file}: {problem.message} [{problem.kind}]")
    for (game, profile), number in counts(labels).items():
        print(f"{number} of {game}{f', {profile}' if profile else ''}")
    wrong = sum(not problem.warning for problem in problems)
    print(
        f"{len(labels)} labels, {sum(label.usable for label in labels)} of them usable; "
        f"{wrong} to mend, {len(problems) - wrong} to look at."
    )
    for kind, about in written.items():
        more = f" with {about['boxes']} boxes, {about['validation']} for validation" if "boxes" in about else ""
        print(f"{kind}: {about['photos']} photos{more}, in {about['path']}")
