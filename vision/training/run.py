"""Trains networks on folders of photos: ``python -m vision.training.run --photos DIR ... --out DIR``.

``cityscan train --full`` trains all of them by the recipe; here every number can be chosen.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from torch import nn

from engine.errors import CityscanError
from engine.strict_json import parse_object, read_text
from vision.boards import GAMES, VIEWS
from vision.finding import ALIGNER_ANSWERS, ALIGNER_SIDE, LOCATOR_SIDE
from vision.labelled import labelled_files
from vision.synth.dataset import MANIFEST
from vision.training.examples import Example, find_examples
from vision.training.export import export
from vision.training.fitting import Task, fit, measure
from vision.training.nets import AlignerNet, BoardNet, LocatorNet
from vision.training.recipe import Plan
from vision.training.tasks import aligner_task, board_task, locator_task

NAMES = ("locator", "aligner", *(f"board-{game}" for game in GAMES))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the networks that were asked for, and export each with its card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, nargs="+", required=True, help="folders of labelled photos")
    parser.add_argument("--validation", type=Path, nargs="+", required=True, help="folders that are never learnt from")
    parser.add_argument("--out", type=Path, required=True, help="where the .onnx files and cards go")
    parser.add_argument("--work", type=Path, required=True, help="where checkpoints go")
    parser.add_argument("--only", choices=NAMES, nargs="+", default=list(NAMES))
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=1, help="how often the rate goes up and down in these epochs")
    parser.add_argument("--start", metavar="NAME", help="begin with the weights of NAME.pt in --work that fit")
    parser.add_argument("--patience", type=int, metavar="N", help="stop when N epochs in a row gave nothing better")
    options = parser.parse_args(arguments)
    plan = Plan(**{field.name: getattr(options, field.name) for field in fields(Plan)})
    try:
        photos = Photos.of(options.photos, options.validation)
        for name in options.only:
            train_network(name, photos, plan, options.work, options.out)
    except CityscanError as error:
        print(f"training: {error.message}", file=sys.stderr)
        return error.exit_code
    return 0


class Photos:
    """The photos to learn from and those to check on, with what is known about where they come from."""

    def __init__(self, training: list[Example], validation: list[Example], data: list[dict[str, Any]]) -> None:
        self.training = training
        self.validation = validation
        self.data = data

    @classmethod
    def of(cls, training: Sequence[Path], validation: Sequence[Path]) -> Photos:
        """All labelled photos in the folders; one that is named twice counts twice."""
        return cls(find_examples(list(training)), find_examples(list(validation)), [_origin(f) for f in training])


def train_network(name: str, photos: Photos, plan: Plan, work: Path, out: Path) -> dict[str, float]:
    """Train one network, going on where ``work`` says, and export it to ``out`` with its card. Returns its figures."""
    torch.manual_seed(plan.seed)  # the first weights are drawn here
    net, task, example = network_for(name)
    learnt, checked = _fitting(name, photos.training), _fitting(name, photos.validation)
    random.Random(plan.seed).shuffle(learnt)
    size = sum(p.numel() for p in net.parameters())
    print(f"{name}: {size} parameters, {len(learnt)} photos, seed {plan.seed}", flush=True)
    outcome = fit(net, task, learnt, checked, work, plan)
    figures = measure(net, task, checked, plan)
    print(json.dumps({"task": name, "validation": figures}), flush=True)
    data = [entry for entry in photos.data if not name.startswith("board-") or entry.get("game") in (None, name[6:])]
    went = {"epochs_run": outcome.epochs, "best_epoch": outcome.best_epoch, "data": data}
    export(net, example, name, out, _card(plan, learnt, checked, figures) | went)
    return figures


def network_for(name: str) -> tuple[nn.Module, Task, torch.Tensor]:
    """An untrained network, what it learns, and a picture of the size it takes."""
    if name == "locator":
        return LocatorNet(), locator_task(), torch.zeros(1, 3, LOCATOR_SIDE, LOCATOR_SIDE)
    if name == "aligner":
        example = torch.zeros(1, 3, ALIGNER_SIDE, ALIGNER_SIDE)
        return AlignerNet(ALIGNER_ANSWERS), aligner_task(), example
    view = VIEWS[name.removeprefix("board-")]
    columns, rows = view.cells
    size = rows * view.cell_px + 2 * view.margin_px, columns * view.cell_px + 2 * view.margin_px
    return BoardNet(view), board_task(view), torch.zeros(1, view.channels, *size)


def _fitting(name: str, examples: list[Example]) -> list[Example]:
    """The photos that a network learns from: its own game's, or all of them, negatives too."""
    if not name.startswith("board-"):
        return list(examples)
    return [example for example in examples if example.game == name.removeprefix("board-")]


def _card(plan: Plan, learnt: list[Example], checked: list[Example], figures: dict[str, float]) -> dict[str, object]:
    profiles = sorted({str(example.truth.get("profile")) for example in learnt})
    return {
        "date": datetime.date.today().isoformat(),
        "seed": plan.seed,
        "epochs": plan.epochs,
        "batch": plan.batch,
        "rate": plan.rate,
        "cycles": plan.cycles,
        "start": plan.start,
        "patience": plan.patience,
        "torch": str(torch.__version__),
        "photos": len(learnt),
        "profiles": profiles,
        "validation_photos": len(checked),
        "validation_profiles": sorted({str(example.truth.get("profile")) for example in checked}),
        "validation": figures,
        "licence": "MIT",
    }


def _origin(folder: Path) -> dict[str, Any]:
    """Where the photos of a folder come from, for the cards: what the studio wrote down, without the user's paths."""
    origin: dict[str, Any] = {"folder": "/".join(folder.resolve().parts[-2:])}
    origin["photos"] = sum(1 for _ in labelled_files(folder))
    manifest = folder / MANIFEST
    if manifest.is_file():
        made: Mapping[str, Any] = parse_object(read_text(manifest)).get("arguments", {})
        wanted = ("game", "seed", "backend", "size", "samples", "mixed", "negatives")
        origin |= {key: made[key] for key in wanted if made.get(key) is not None}
    return origin


if __name__ == "__main__":
    sys.exit(main())
