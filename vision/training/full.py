"""``cityscan train --full``: all networks from nothing, by the recipe. Run it again to go on where it stopped.

Renders the photos that are missing, trains the networks, exports them with their cards, makes their confidences honest
and writes a report. Only this file's own functions may be imported without torch; the rest is loaded when it runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from calibration.data_folder import data_folder
from engine.errors import CityscanError, Unsupported
from vision.jobs import INTERRUPTED
from vision.training.recipe import RECIPE, PhotoSet, Plan, Recipe, quick_recipe

NEEDED = ("torch", "onnx")


@dataclass(frozen=True, slots=True)
class Places:
    """Where things lie: photos directly below ``work``, beside them checkpoints, networks and the report."""

    work: Path
    models: Path
    quick: bool = False

    @property
    def made(self) -> Path:
        """Trying out must not get in the way of the real thing."""
        return self.work / "quick" if self.quick else self.work

    @property
    def checkpoints(self) -> Path:
        return self.made / "checkpoints"

    @property
    def report(self) -> Path:
        return self.made / "report"

    @property
    def test(self) -> Path:
        """The held-out test photos, if ``vision.training.test_sets`` has made them here."""
        return self.work / "test"


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """The options of ``--full``."""
    work = "with --full: where photos, checkpoints and the report go (default: training in your data folder)"
    parser.add_argument("--work", type=Path, metavar="DIR", help=work)
    parser.add_argument("--out", type=Path, metavar="DIR", help="with --full: where the networks go (WORK/models)")
    parser.add_argument("--quick", action="store_true", help="with --full: tiny numbers, to try it out in minutes")


def run(options: argparse.Namespace) -> int:
    """Train everything. Returns the exit code."""
    require_torch()
    work = options.work or data_folder() / "training"
    places = Places(work, options.out or _usual_models(work, options.quick), options.quick)
    return train_all(quick_recipe() if options.quick else RECIPE, places)


def require_torch() -> None:
    """A sentence where the extra is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Unsupported(
            f"training from nothing needs {' and '.join(missing)}, which the extra [train] has: install it with  "
            "python -m pip install 'cityscan[train]'  (your own set needs no extra: cityscan train --photos DIR)."
        )


def train_all(recipe: Recipe, places: Places) -> int:
    """All steps, each of which leaves alone what is done already. Returns the exit code."""
    print(f"Photos, checkpoints and the report go to {places.made}, the networks to {places.models}.", flush=True)
    code = _render(recipe, places.work)
    if code == INTERRUPTED:
        return code
    try:
        _train(recipe, places)
        _finish(recipe, places)
    except KeyboardInterrupt:
        print("Stopped; run the same command again to go on after the last whole epoch.", file=sys.stderr)
        return INTERRUPTED
    return code


def _render(recipe: Recipe, data: Path) -> int:
    from vision.training.photo_sets import render_sets

    return render_sets((*recipe.training, *recipe.validation), data)


def _train(recipe: Recipe, places: Places) -> None:
    from vision.training.run import Photos, train_network

    photos = Photos.of(_folders(recipe.training, places.work), _folders(recipe.validation, places.work))
    for name, plan in recipe.networks.items():
        train_network(name, photos, _for_this_machine(plan), places.checkpoints, places.models)


def _finish(recipe: Recipe, places: Places) -> None:
    """Temperatures and limits of doubt into the cards, and the report."""
    from vision.training.confidence import fit_confidence
    from vision.training.report import write_report

    validation = _folders(recipe.validation, places.work)
    print("Fitting temperatures and limits of doubt on the validation photos.", flush=True)
    fit_confidence(places.models, validation)
    report = write_report(recipe, places.models, places.report, _to_judge(places, validation), places.checkpoints)
    print(f"The networks are in {places.models}, the report is {report}.", flush=True)


def _to_judge(places: Places, validation: Sequence[Path]) -> list[Path]:
    """The test photos where they are there; otherwise those for validation, which the confidences were fitted on."""
    from vision.training.recipe import TEST

    test = [] if places.quick else _folders(TEST, places.test)
    return test or list(validation)


def _folders(sets: Iterable[PhotoSet], data: Path) -> list[Path]:
    """Of the sets that are there: path-traced ones may have been left out."""
    return [data / photos.name for photos in sets if any((data / photos.name).glob("*.json"))]


def _for_this_machine(plan: Plan) -> Plan:
    """Half of the cores cut pictures, the others learn."""
    cores = os.cpu_count() or 1
    workers = max(1, cores // 2)
    return replace(plan, workers=workers, threads=max(1, cores - workers))


def _usual_models(work: Path, quick: bool) -> Path:
    return work / "quick" / "models" if quick else work / "models"


def main(arguments: Sequence[str] | None = None) -> int:
    """The same without the rest of the program: ``python -m vision.training.full``."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.full", description=__doc__, allow_abbrev=False)
    add_arguments(parser)
    try:
        return run(parser.parse_args(arguments))
    except CityscanError as error:
        print(f"training: {error.message}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
