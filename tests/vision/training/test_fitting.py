"""The training loop: it goes on where it stopped, stops when nothing gets better, and unpickles nothing."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (the extra [train]; make test-train)")

from engine.errors import UsageError  # noqa: E402
from vision.training import fitting  # noqa: E402
from vision.training.examples import Example  # noqa: E402
from vision.training.fitting import Task, badness, fit  # noqa: E402
from vision.training.recipe import Plan  # noqa: E402

pytestmark = pytest.mark.train

PHOTOS = [Example(Path(f"{number}.jpg"), {"value": number / 16}) for number in range(16)]


def cut(example: Example, rng: np.random.Generator):
    """A grey picture, and how bright it is."""
    value = example.truth["value"] * rng.uniform(0.9, 1.0)
    return np.full((4, 4, 3), int(255 * value), np.uint8), {"value": np.array(value, np.float32)}


def loss(answers, labels):
    return ((answers["value"][:, 0] - labels["value"]) ** 2).mean()


def task(figures: Mapping[int, float] | None = None) -> Task:
    """With ``figures`` the n-th look at the validation photos finds that share of right answers."""
    looks = iter(figures or ())

    def measure(answers, labels):
        if figures is not None:
            return {"right": [next(looks)]}
        return {"shift": (answers["value"][:, 0] - labels["value"]).abs().tolist()}

    return Task("grey", cut, loss, measure)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.line = torch.nn.Linear(3, 1)

    def forward(self, pictures):
        return {"value": self.line(pictures.mean(dim=(2, 3)))}


def new_net() -> Net:
    torch.manual_seed(5)
    return Net()


def plan(epochs: int = 3, patience: int | None = None) -> Plan:
    return Plan(epochs=epochs, batch=4, rate=0.05, workers=0, patience=patience)


def weights(net) -> list[float]:
    return [float(value) for values in net.state_dict().values() for value in values.flatten()]


def test_a_stopped_run_goes_on_as_if_it_had_never_stopped(tmp_path, monkeypatch):
    whole = new_net()
    fit(whole, task(), PHOTOS, PHOTOS[:4], tmp_path / "whole", plan())
    real, epochs = fitting._one_epoch, []

    def stopped_in_the_second(run, *rest):
        epochs.append(run.epoch)
        if len(epochs) == 2:
            raise KeyboardInterrupt
        return real(run, *rest)

    monkeypatch.setattr(fitting, "_one_epoch", stopped_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path / "parts", plan())
    resumed = new_net()
    outcome = fit(resumed, task(), PHOTOS, PHOTOS[:4], tmp_path / "parts", plan())
    assert epochs == [0, 1, 1, 2]
    assert (outcome.epochs, outcome.best_epoch) == (3, 3)
    assert weights(resumed) == weights(whole)
    assert weights(resumed) != weights(new_net())


def test_seeds_decide(tmp_path):
    nets = [new_net() for _ in range(3)]
    for number, (net, seed) in enumerate(zip(nets, (1, 1, 2), strict=True)):
        fit(net, task(), PHOTOS, PHOTOS[:4], tmp_path / str(number), Plan(2, 4, 0.05, seed, workers=0))
    assert weights(nets[0]) == weights(nets[1])
    assert weights(nets[0]) != weights(nets[2])


@pytest.mark.parametrize(
    ("figures", "patience", "ended", "best"),
    [
        ([0.5, 0.6, 0.7, 0.8], 2, 4, 4),  # better and better
        ([0.5, 0.7, 0.6, 0.7, 0.9], 2, 4, 2),  # two epochs without anything better; as good is not better
        ([0.9, 0.1, 0.2, 0.3], 1, 2, 1),
        ([0.9, 0.1, 0.95, 0.3], 2, 4, 3),  # patient enough for a bad epoch
        ([0.9, 0.1, 0.2, 0.3], None, 4, 4),  # without patience the last weights count
    ],
)
def test_early_stopping(tmp_path, figures, patience, ended, best):
    net = new_net()
    outcome = fit(net, task(figures), PHOTOS, PHOTOS[:4], tmp_path, plan(4, patience))
    assert (outcome.epochs, outcome.best_epoch) == (ended, best)
    lines = [json.loads(line) for line in (tmp_path / "grey.jsonl").read_text().splitlines()]
    assert [line["right"] for line in lines] == figures[:ended]
    # A second call has nothing to do and gives the same weights.
    again = new_net()
    assert fit(again, task([]), PHOTOS, PHOTOS[:4], tmp_path, plan(4, patience)) == outcome
    assert weights(again) == weights(net)


def test_the_best_weights_are_those_of_the_best_epoch(tmp_path):
    best = new_net()
    fit(best, task([0.9, 0.1, 0.2]), PHOTOS, PHOTOS[:4], tmp_path / "best", plan(5, 2))
    saved = torch.load(tmp_path / "best" / "grey.pt", weights_only=True)
    assert weights(best) == [float(v) for values in saved["best"]["net"].values() for v in values.flatten()]
    assert weights(best) != [float(v) for values in saved["net"].values() for v in values.flatten()]


def test_checkpoints_from_before_there_was_patience_are_gone_on_with(tmp_path):
    fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan(3))
    saved = torch.load(tmp_path / "grey.pt", weights_only=True)
    assert set(saved) == {"net", "optimiser", "schedule", "epoch"}
    assert fit(new_net(), task([]), PHOTOS, PHOTOS[:4], tmp_path, plan(3, patience=2)).epochs == 3


def test_more_epochs_than_were_planned_are_refused(tmp_path):
    fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan(2))
    with pytest.raises(UsageError, match="was begun with fewer photos or epochs; delete it to begin anew"):
        fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan(3))


def test_fewer_photos_than_a_batch_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"fewer photos to learn from than one batch has \(4\)"):
        fit(new_net(), task(), PHOTOS[:3], PHOTOS[:3], tmp_path, plan())


class Evil:
    """What a foreign checkpoint may bring along."""

    def __reduce__(self):
        return Path.touch, (Path("unpickled"),)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a checkpoint",
        pickle.dumps({"net": {}}),  # the wrong kind of file
        pickle.dumps(Evil()),  # code
    ],
)
def test_damaged_and_foreign_checkpoints_are_refused(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grey.pt").write_bytes(content)
    with pytest.raises(UsageError, match="is damaged or of another network"):
        fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan())
    assert not (tmp_path / "unpickled").exists()


def test_code_in_a_real_checkpoint_is_not_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.save({"net": Evil()}, tmp_path / "grey.pt")
    with pytest.raises(UsageError, match="is damaged"):
        fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan())
    assert not (tmp_path / "unpickled").exists()


def test_a_checkpoint_of_another_network_is_refused(tmp_path):
    fit(new_net(), task(), PHOTOS, PHOTOS[:4], tmp_path, plan())
    other = torch.nn.Linear(2, 2)
    with pytest.raises(UsageError, match="of another network"):
        fit(other, task(), PHOTOS, PHOTOS[:4], tmp_path, plan())


def test_badness_counts_wrong_answers_and_errors():
    assert badness({"kind": 0.9, "shift": 0.2}) == pytest.approx(0.3)
    assert badness({"game": 1.0, "worst_corner": 0.0}) == 0.0
