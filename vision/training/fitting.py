"""The training loop that all networks share: seeded, resumable, one report a line."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from vision.training.examples import Example

Picture = npt.NDArray[np.uint8]
Batch = tuple[Tensor, dict[str, Tensor]]
# Cuts a training picture with its labels out of a photo.
Cut = Callable[[Example, np.random.Generator], tuple[Picture, Mapping[str, npt.NDArray[Any]]]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn."""

    epochs: int = 10
    batch: int = 8
    rate: float = 2e-3
    seed: int = 1
    workers: int = 1
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Task:
    """What a network learns: how its pictures are cut, what is wrong with an answer, how good answers are."""

    name: str
    cut: Cut
    loss: Callable[[Mapping[str, Tensor], Mapping[str, Tensor]], Tensor]
    # Figures for people, from answers and labels: name -> a value for each thing that was asked.
    measure: Callable[[Mapping[str, Tensor], Mapping[str, Tensor]], Mapping[str, list[float]]]


class Cuts(Dataset[Batch]):
    """Every epoch cuts every photo anew; a cut depends on seed, epoch and the photo's place alone."""

    def __init__(self, examples: list[Example], cut: Cut, seed: int, epoch: int) -> None:
        self.examples = examples
        self.cut = cut
        self.key = (seed, epoch)

    def __len__(self) -> int:
        return len(self.examples)

    def __getitem__(self, place: int) -> Batch:
        picture, labels = self.cut(self.examples[place], np.random.default_rng([*self.key, place]))
        planes = torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1)))
        return planes, {name: torch.from_numpy(np.asarray(label)) for name, label in labels.items()}


def fit(
    net: nn.Module, task: Task, training: list[Example], validation: list[Example], folder: Path, plan: Plan
) -> nn.Module:
    """Train ``net``; goes on from ``folder`` where an earlier run was stopped."""
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    folder.mkdir(parents=True, exist_ok=True)
    steps = plan.epochs * (len(training) // plan.batch)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, total_steps=steps + 1, pct_start=0.2)
    checkpoint = folder / f"{task.name}.pt"
    start = _resume(checkpoint, net, optimiser, schedule)
    for epoch in range(start, plan.epochs):
        began = time.monotonic()
        order = torch.Generator().manual_seed(plan.seed * 1000 + epoch)
        cuts = Cuts(training, task.cut, plan.seed, epoch)
        batches = DataLoader(cuts, plan.batch, shuffle=True, drop_last=True, num_workers=plan.workers, generator=order)
        loss = _one_epoch(net, task, batches, optimiser, schedule)
        report = {"task": task.name, "epoch": epoch + 1, "loss": round(loss, 4), **measure(net, task, validation, plan)}
        print(json.dumps({**report, "seconds": round(time.monotonic() - began)}), flush=True)
        _save(checkpoint, net, optimiser, schedule, epoch + 1)
    return net


def normalised(pictures: Tensor) -> Tensor:
    """Bytes as numbers around zero."""
    return (pictures.float() / 127.5 - 1.0).contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def measure(net: nn.Module, task: Task, examples: list[Example], plan: Plan) -> dict[str, float]:
    """The task's figures on photos that were not learnt from."""
    net.eval()
    values: dict[str, list[float]] = {}
    for pictures, labels in DataLoader(
        Cuts(examples, task.cut, plan.seed + 1, 0), plan.batch, num_workers=plan.workers
    ):
        for name, found in task.measure(net(normalised(pictures)), labels).items():
            values.setdefault(name, []).extend(found)
    return {name: round(float(np.mean(found)), 5) for name, found in values.items() if found}


def _one_epoch(
    net: nn.Module,
    task: Task,
    batches: DataLoader[Batch],
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
) -> float:
    net.train()
    losses = []
    for pictures, labels in batches:
        # Half the numbers' bits are enough to learn from, and take a third of the time.
        with torch.autocast("cpu", dtype=torch.bfloat16):
            answers = net(normalised(pictures))
        loss = task.loss({name: answer.float() for name, answer in answers.items()}, labels)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))
    return float(np.mean(losses))


def _resume(
    checkpoint: Path,
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
) -> int:
    if not checkpoint.exists():
        return 0
    saved = torch.load(checkpoint, weights_only=True)
    net.load_state_dict(saved["net"])
    optimiser.load_state_dict(saved["optimiser"])
    schedule.load_state_dict(saved["schedule"])
    return int(saved["epoch"])


def _save(
    checkpoint: Path,
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    epoch: int,
) -> None:
    state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()}
    unfinished = checkpoint.with_suffix(".tmp")
    torch.save({**state, "epoch": epoch}, unfinished)
    unfinished.replace(checkpoint)
