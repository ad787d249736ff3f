"""What each network learns: cuts, losses and figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import torch
from torch import Tensor, nn

from vision.boards import SQUARES, BoardView
from vision.finding import UNIT_CORNERS, aligner_grid
from vision.training.finding_samples import NO_BOARD, aligner_sample, locator_sample
from vision.training.fitting import Task
from vision.training.samples import board_sample

Answers = Mapping[str, Tensor]

# How much each question counts: structures decide the score, tiles only its legality.
WEIGHTS: Mapping[str, float] = {"kind": 2.0, "cap": 1.5}
# What the board networks give beside answers to choose from.
NO_CHOICES = ("shift", "scale", "seen_cells", "seen_blocks")


def board_task(view: BoardView) -> Task:
    """Read a rectified board."""
    return Task(f"board-{view.game}", partial(board_sample, view), _board_loss, _board_figures)


def locator_task() -> Task:
    """Find the board in a whole photo."""
    return Task("locator", locator_sample, _locator_loss, _locator_figures)


def aligner_task() -> Task:
    """Put a roughly found board right."""
    return Task("aligner", aligner_sample, _aligner_loss, _aligner_figures)


def _board_loss(answers: Answers, labels: Answers) -> Tensor:
    terms = [WEIGHTS.get(n, 1.0) * _cross_entropy(a, labels[n]) for n, a in answers.items() if n not in NO_CHOICES]
    if "mark" in labels:
        # Printed corners look like pieces and stand-ins like the board, but both are rare: they are asked for again.
        rare = (labels["mark"] > 0) | (labels["square"] == SQUARES.index("?"))
        terms.append(0.5 * _cross_entropy(answers["square"], torch.where(rare, labels["square"], -1)))
    if "cap" in labels:
        # Most towers have no cap, and black on dark blue is easily missed.
        capped = torch.where(labels["cap"] > 0, labels["cap"], -1)
        terms.append(0.5 * _cross_entropy(answers["cap"], capped))
    terms.append(4 * _distance(answers["shift"], labels["shift"]))
    if "scale" in answers:
        terms.append(4 * _distance(answers["scale"], labels["scale"]))
    return torch.stack(terms).sum()


def _distance(answer: Tensor, label: Tensor) -> Tensor:
    """How far numbers are off where the truth knows them."""
    known = torch.isfinite(label)
    if not known.any():
        return answer.sum() * 0
    return nn.functional.smooth_l1_loss(answer[known], label[known], beta=0.05)


def _board_figures(answers: Answers, labels: Answers) -> dict[str, list[float]]:
    """Right answers, and how far off a cell's place (in cells) and the scale (as a logarithm) are."""
    figures = _right_answers({n: a for n, a in answers.items() if n not in NO_CHOICES}, labels)
    for name in {"shift", "scale"} & set(answers):
        known = torch.isfinite(labels[name])
        figures[name] = (answers[name] - labels[name])[known].abs().tolist()
    return figures


def _right_answers(answers: Answers, labels: Answers) -> dict[str, list[float]]:
    """One for every right answer, zero for every wrong one."""
    return {
        name: (answer.argmax(1) == labels[name])[labels[name] >= 0].float().tolist() for name, answer in answers.items()
    }


def _locator_loss(answers: Answers, labels: Answers) -> Tensor:
    masks = _cross_entropy(answers["masks"], labels["masks"])
    heat = labels["corners"].float()
    # Corners are few among many pixels: count them more.
    weight = 1 + 20 * heat
    corners = nn.functional.binary_cross_entropy_with_logits(answers["corners"][:, 0], heat, weight=weight)
    return masks + corners


def _locator_figures(answers: Answers, labels: Answers) -> dict[str, list[float]]:
    """Share of right pixels, and how well the board's pixels overlap with the truth's."""
    found, true = answers["masks"].argmax(1), labels["masks"]
    overlaps = []
    for one, other in zip(found, true, strict=True):
        union = ((one > 0) | (other > 0)).sum()
        if (other > 0).any():
            overlaps.append(float(((one == other) & (other > 0)).sum() / union))
    return {"pixels": (found == true).float().mean(dim=(1, 2)).tolist(), "overlap": overlaps}


def _aligner_loss(answers: Answers, labels: Answers) -> Tensor:
    board = labels["game"] != NO_BOARD
    terms = [_cross_entropy(answers[name], labels[name]) for name in ("game", "lying", "size")]
    if board.any():
        offsets = labels["offsets"][board].float()
        terms.append(60 * nn.functional.smooth_l1_loss(answers["offsets"][board], offsets, beta=0.01))
        terms.append(0.5 * _map_loss(answers["maps"][board], offsets))
    return torch.stack(terms).sum()


def _map_loss(maps: Tensor, offsets: Tensor) -> Tensor:
    """Each corner's map should have its mass at the corner."""
    places = torch.from_numpy(UNIT_CORNERS).float() + offsets.reshape(-1, 4, 2)
    grid = torch.from_numpy(aligner_grid()).float()
    nearest = torch.cdist(places, grid[None]).argmin(dim=2)
    return nn.functional.cross_entropy(maps.flatten(0, 1), nearest.flatten())


def _aligner_figures(answers: Answers, labels: Answers) -> dict[str, list[float]]:
    """The worst corner's error in sides of the board, and right answers to the other questions."""
    board = labels["game"] != NO_BOARD
    error = (answers["offsets"] - labels["offsets"].float()).reshape(-1, 4, 2).norm(dim=2).amax(dim=1)
    questions = {name: answers[name] for name in ("game", "lying", "size")}
    return {"worst_corner": error[board].tolist(), **_right_answers(questions, labels)}


def _cross_entropy(answer: Tensor, label: Tensor) -> Tensor:
    if not (label >= 0).any():
        return answer.sum() * 0
    return nn.functional.cross_entropy(answer, label, ignore_index=-1, label_smoothing=0.01)
