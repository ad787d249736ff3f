"""Trains the shipped networks from nothing: ``python -m vision.training.run --photos DIR ... --out DIR``."""

from __future__ import annotations

import argparse
import datetime
import json
import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from vision.boards import GAMES, VIEWS
from vision.finding import ALIGNER_ANSWERS, ALIGNER_SIDE, LOCATOR_SIDE
from vision.training.examples import Example, find_examples
from vision.training.export import export
from vision.training.fitting import Plan, Task, fit, measure
from vision.training.nets import AlignerNet, BoardNet, LocatorNet
from vision.training.tasks import aligner_task, board_task, locator_task

NAMES = ("locator", "aligner", *(f"board-{game}" for game in GAMES))


def main(arguments: Sequence[str] | None = None) -> None:
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
    options = parser.parse_args(arguments)
    plan = Plan(options.epochs, options.batch, options.rate, options.seed, options.workers, options.threads)
    training, validation = find_examples(options.photos), find_examples(options.validation)
    for name in options.only:
        net, task, example = network_for(name)
        learnt, checked = _fitting(name, training), _fitting(name, validation)
        random.Random(plan.seed).shuffle(learnt)
        print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters, {len(learnt)} photos", flush=True)
        fit(net, task, learnt, checked, options.work, plan)
        figures = measure(net, task, checked, plan)
        print(json.dumps({"task": name, "validation": figures}), flush=True)
        export(net, example, name, options.out, _card(plan, learnt, checked, figures))


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
        "photos": len(learnt),
        "profiles": profiles,
        "validation_photos": len(checked),
        "validation_profiles": sorted({str(example.truth.get("profile")) for example in checked}),
        "validation": figures,
        "licence": "MIT",
    }


if __name__ == "__main__":
    main()
