"""The report of a training: what the networks learnt from, how learning went, and how well the reader then reads."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from engine.strict_json import parse_object, read_text
from vision.evaluate import Figure, Result, evaluate_photo, figures, write_csv
from vision.jobs import progress_bar
from vision.labelled import labelled_photos
from vision.model_files import CARDS
from vision.networks import use_models
from vision.training.recipe import PhotoSet, Recipe


def write_report(recipe: Recipe, models: Path, folder: Path, judged_on: Sequence[Path], logs: Path) -> Path:
    """Read the photos of ``judged_on`` with the new networks and write everything down; returns the text's file.

    Beside ``report.md`` lie ``report.json`` with the same numbers and a CSV a folder with a line a photo.
    """
    folder.mkdir(parents=True, exist_ok=True)
    use_models(models)
    cards = parse_object(read_text(models / CARDS))
    readings = {_name(photos): _judge(photos, folder / f"{_name(photos)}.csv") for photos in judged_on}
    epochs = {name: _epochs(logs / f"{name}.jsonl") for name in recipe.networks}
    whole = {
        "date": datetime.date.today().isoformat(),
        "cityscan": _version(),
        "training": [asdict(photos) for photos in recipe.training],
        "validation": [asdict(photos) for photos in recipe.validation],
        "networks": cards,
        "epochs": epochs,
        "reader": {name: [_without_nan(asdict(row)) for row in rows] for name, rows in readings.items()},
    }
    (folder / "report.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    text = folder / "report.md"
    text.write_text("\n".join(_text(recipe, cards, readings)) + "\n", encoding="utf-8")
    return text


def _judge(photos: Path, csv: Path) -> list[Figure]:
    labelled = list(labelled_photos(photos))
    results: list[Result] = []
    with progress_bar(f"reading {_name(photos)}", len(labelled)) as advance:
        for photo, truth in labelled:
            results.append(evaluate_photo(photo, truth))
            advance()
    write_csv(results, csv)
    return figures(results)


def _text(recipe: Recipe, cards: dict[str, Any], readings: dict[str, list[Figure]]) -> Iterable[str]:
    yield f"# Training report, {datetime.date.today().isoformat()} (Cityscan {_version()})"
    yield ""
    yield "Temperatures and limits of doubt were fitted on the validation photos: judge calibration on test photos."
    yield ""
    yield "## Photos"
    yield ""
    yield "| folder | for | photos | seed | back end | sets |"
    yield "|---|---|---|---|---|---|"
    for use, sets in (("learning", recipe.training), ("validation", recipe.validation)):
        for photos in sets:
            yield (
                f"| {photos.name} | {use} | {photos.count} | {photos.seed} | {photos.backend} | {_sets_of(photos)} |"
            )
    yield ""
    yield "## Networks"
    yield ""
    yield "| network | photos | seed | epochs | best | KB | figures on validation photos |"
    yield "|---|---|---|---|---|---|---|"
    for name in recipe.networks:
        card = cards[name]
        shown = ", ".join(f"{figure} {value:.4f}" for figure, value in card["validation"].items())
        yield (
            f"| {name} | {card['photos']} | {card['seed']} | {card['epochs_run']} of {card['epochs']} "
            f"| {card['best_epoch']} | {card['bytes'] / 1000:.0f} | {shown} |"
        )
    for name, rows in readings.items():
        yield ""
        yield f"## The reader on {name}"
        yield ""
        # A row without a value is a question that nothing on these photos asked.
        yield from (f"- {row}" for row in rows if row.value == row.value)


def _sets_of(photos: PhotoSet) -> str:
    if photos.mixed:
        return "mixed"
    return "held out" if photos.held_out else "training profiles"


def _epochs(log: Path) -> list[Any]:
    if not log.is_file():
        return []
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def _name(photos: Path) -> str:
    """``val/sprawl`` as a name for a file."""
    return "-".join(photos.parts[-2:])


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    return {key: None if value != value else value for key, value in row.items()}


def _version() -> str:
    try:
        return version("cityscan")
    except PackageNotFoundError:  # run from the source tree
        return "unknown"
