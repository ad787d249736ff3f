"""The training loop that all networks share: seeded, resumable, one report a line, stopped when nothing gets better."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from engine.errors import UsageError
from vision.jobs import progress_bar
from vision.training.examples import Example
from vision.training.recipe import Plan

Picture = npt.NDArray[np.uint8]
Batch = tuple[Tensor, dict[str, Tensor]]
# Cuts a training picture with its labels out of a photo.
Cut = Callable[[Example, np.random.Generator], tuple[Picture, Mapping[str, npt.NDArray[Any]]]]


# Figures that count how far off something is; all others are shares of right answers.
ERRORS = ("scale", "shift", "worst_corner")


@dataclass(frozen=True, slots=True)
class Task:
    """What a network learns: how its pictures are cut, what is wrong with an answer, how good answers are."""

    name: str
    cut: Cut
    loss: Callable[[Mapping[str, Tensor], Mapping[str, Tensor]], Tensor]
    # Figures for people, from answers and labels: name -> a value for each thing that was asked.
    measure: Callable[[Mapping[str, Tensor], Mapping[str, Tensor]], Mapping[str, list[float]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How training went: epochs until it ended, and the epoch whose weights were taken."""

    epochs: int
    best_epoch: int


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
) -> Outcome:
    """Train ``net``; goes on from ``folder`` where an earlier run was stopped.

    With a patience it ends when the figures have not become better for that many epochs, and takes the best weights.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    folder.mkdir(parents=True, exist_ok=True)
    run = _Run(net, plan, len(training) // plan.batch)
    checkpoint = folder / f"{task.name}.pt"
    if plan.start is not None and not checkpoint.exists():
        begin_with(net, folder / f"{plan.start}.pt")
    log = folder / f"{task.name}.jsonl"
    run.resume(checkpoint)
    if run.epoch == 0:
        log.unlink(missing_ok=True)
    while run.epoch < plan.epochs and not run.stale:
        if run.cycle_begins:
            run.begin_cycle()
        began = time.monotonic()
        order = torch.Generator().manual_seed(plan.seed * 1000 + run.epoch)
        cuts = Cuts(training, task.cut, plan.seed, run.epoch)
        batches = DataLoader(cuts, plan.batch, shuffle=True, drop_last=True, num_workers=plan.workers, generator=order)
        loss = _one_epoch(run, task, batches)
        figures = measure(net, task, validation, plan)
        report = {"task": task.name, "epoch": run.epoch + 1, "loss": round(loss, 4), **figures}
        _tell(log, {**report, "seconds": round(time.monotonic() - began)})
        run.finish_epoch(figures)
        run.save(checkpoint)
    return Outcome(run.epoch, run.take_best())


def begin_with(net: nn.Module, checkpoint: Path) -> None:
    """Take over what another network has learnt, wherever the weights have the same name and shape."""
    try:
        saved = torch.load(checkpoint, weights_only=True)["net"]
    except (RuntimeError, KeyError, EOFError, OSError, UnpicklingError):
        raise UsageError(f'"{checkpoint}", to begin with, is missing or damaged; train that network first.') from None
    own = net.state_dict()
    net.load_state_dict(
        {name: saved.get(name) if _fits(values, saved.get(name)) else values for name, values in own.items()}
    )


def _fits(own: Tensor, other: Tensor | None) -> bool:
    return other is not None and other.shape == own.shape


def badness(figures: Mapping[str, float]) -> float:
    """One number for all figures of a network: wrong answers and errors together. Less is better."""
    return sum(value if name in ERRORS else 1.0 - value for name, value in figures.items())


class _Run:
    """A network on its way: what a checkpoint keeps."""

    def __init__(self, net: nn.Module, plan: Plan, steps_an_epoch: int) -> None:
        if steps_an_epoch < 1:
            raise UsageError(f"there are fewer photos to learn from than one batch has ({plan.batch}); add photos.")
        self.net, self.plan = net, plan
        self.steps_an_epoch = steps_an_epoch
        self.epoch = 0
        self.begin_cycle()
        # The weights of the best epoch with its number and badness; only kept where there is a patience.
        self.best: dict[str, Any] | None = None

    def begin_cycle(self) -> None:
        """The rate goes up and comes down once in a cycle."""
        steps = self.plan.epochs // self.plan.cycles * self.steps_an_epoch + 1
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=self.plan.rate, weight_decay=1e-2)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, self.plan.rate, total_steps=steps, pct_start=0.2
        )

    @property
    def cycle_begins(self) -> bool:
        return 0 < self.epoch < self.plan.epochs and self.epoch % (self.plan.epochs // self.plan.cycles) == 0

    @property
    def stale(self) -> bool:
        patience = self.plan.patience
        return patience is not None and self.best is not None and self.epoch - int(self.best["epoch"]) >= patience

    def finish_epoch(self, figures: Mapping[str, float]) -> None:
        self.epoch += 1
        found = badness(figures)
        if self.plan.patience is not None and (self.best is None or found < self.best["badness"]):
            weights = {name: values.clone() for name, values in self.net.state_dict().items()}
            self.best = {"net": weights, "epoch": self.epoch, "badness": found}

    def take_best(self) -> int:
        """Without a patience the last weights are the best: the rate has come down for them. Returns their epoch."""
        if self.plan.patience is None or self.best is None:
            return self.epoch
        self.net.load_state_dict(self.best["net"])
        return int(self.best["epoch"])

    def resume(self, checkpoint: Path) -> None:
        if not checkpoint.exists():
            return
        try:
            saved = torch.load(checkpoint, weights_only=True)
            self.net.load_state_dict(saved["net"])
            self.epoch, self.best = int(saved["epoch"]), saved.get("best")
            if self.cycle_begins:
                return
            self.optimiser.load_state_dict(saved["optimiser"])
            self.schedule.load_state_dict(saved["schedule"])
        except (RuntimeError, KeyError, ValueError, TypeError, EOFError, OSError, UnpicklingError):
            raise UsageError(f'"{checkpoint}" is damaged or of another network; delete it to begin anew.') from None
        left = int(saved["schedule"]["total_steps"]) - 1 - int(saved["schedule"]["last_epoch"])
        epochs = self.plan.epochs // self.plan.cycles
        if (epochs - self.epoch % epochs) % epochs * self.steps_an_epoch > left:
            raise UsageError(f'"{checkpoint}" was begun with fewer photos or epochs; delete it to begin anew.')

    def save(self, checkpoint: Path) -> None:
        state = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "epoch": self.epoch,
        }
        if self.best is not None:
            state["best"] = self.best
        unfinished = checkpoint.with_suffix(".tmp")
        torch.save(state, unfinished)
        unfinished.replace(checkpoint)


def _tell(log: Path, report: Mapping[str, Any]) -> None:
    """A line for people, and the same for the log."""
    line = json.dumps(report)
    print(line, flush=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


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


def _one_epoch(run: _Run, task: Task, batches: DataLoader[Batch]) -> float:
    net = run.net
    net.train()
    losses = []
    with progress_bar(f"{task.name}, epoch {run.epoch + 1} of {run.plan.epochs}", len(batches)) as advance:
        for pictures, labels in batches:
            # Half the numbers' bits are enough to learn from, and take a third of the time.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                answers = net(normalised(pictures))
            loss = task.loss({name: answer.float() for name, answer in answers.items()}, labels)
            run.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            run.optimiser.step()
            run.schedule.step()
            losses.append(float(loss.detach()))
            advance()
    return float(np.mean(losses))
