"""Makes confidences honest: temperatures for every question, and below which confidence a person should look.

Both are fitted on held-out sets, because those are as strange to the networks as a user's set is, and written into the
networks' cards. Needs no torch: the exported networks are run as the reader runs them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.boards import GAMES, VIEWS
from vision.evaluate import wrong_places
from vision.looks import ALL
from vision.model_files import CARDS
from vision.networks import softmax, use_models
from vision.photo import load_photo
from vision.reader import ReadRequest, read_board, read_photo
from vision.training.examples import Example, find_examples
from vision.training.labels import labels_of
from vision.training.samples import board_size, corner_error

Logits = npt.NDArray[np.float32]

TEMPERATURES: Final = np.exp(np.linspace(np.log(0.5), np.log(4.0), 61))
# At most this share of all photos may have a mistake and look faultless.
MOST_SILENT: Final = 0.02
# Tiles do not change the score: they are shown as doubtful only where another reading is about as likely.
TILE_LIMIT: Final = 0.5
LIMITS: Final = (0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)


def fit_confidence(models: Path, validation: list[Path], seed: int = 1) -> dict[str, Any]:
    """Fit on labelled photos that were not learnt from; writes into ``models/cards.json`` and returns what it wrote."""
    cards_file = models / CARDS
    examples = find_examples(validation)
    report: dict[str, Any] = {}
    for game in GAMES:
        own = [example for example in examples if example.game == game]
        if not own or f"board-{game}" not in json.loads(cards_file.read_text(encoding="utf-8")):
            continue
        fitted: dict[str, Any] = {"temperatures": {}, "doubtful_below": {}}
        _update(cards_file, f"board-{game}", fitted)
        use_models(models)
        fitted["temperatures"] = fit_temperatures(*_answers(game, own, seed))
        _update(cards_file, f"board-{game}", fitted)
        use_models(models)
        fitted["doubtful_below"] = {"cell": _doubt_limit(own), "tile": TILE_LIMIT}
        _update(cards_file, f"board-{game}", fitted)
        use_models(models)
        report[game] = fitted
    return report


def fit_temperatures(
    logits: Mapping[str, list[Logits]], labels: Mapping[str, list[npt.NDArray[np.int64]]]
) -> dict[str, float]:
    """For every question the temperature under which the right answers were the least surprising."""
    found = {}
    for question in logits:
        scores = np.concatenate(logits[question])
        right = np.concatenate(labels[question])
        if not len(right):
            continue
        surprise = [
            -np.log(np.maximum(softmax(scores, temperature=float(t))[np.arange(len(right)), right], 1e-9)).mean()
            for t in TEMPERATURES
        ]
        found[question] = round(float(TEMPERATURES[int(np.argmin(surprise))]), 3)
    return found


def _answers(
    game: str, examples: list[Example], seed: int
) -> tuple[dict[str, list[Logits]], dict[str, list[npt.NDArray[np.int64]]]]:
    """Logits (things asked, answers) and right answers for each question, from boards cut as the reader cuts them."""
    view = VIEWS[game]
    questions = (*view.heads, *view.block_heads)
    logits: dict[str, list[Logits]] = {name: [] for name in questions}
    rights: dict[str, list[npt.NDArray[np.int64]]] = {name: [] for name in questions}
    for number, example in enumerate(examples):
        photo = load_photo(example.path)
        cells = board_size(example)
        corners = photo.from_full(example.corners)
        corners = corners + 0.3 * corner_error(np.random.default_rng([seed, number]), corners, cells)
        found = read_board(photo, game, corners, cells, ALL).logits
        labels = labels_of(example)
        for name in questions:
            asked = labels[name] >= 0
            logits[name].append(found[name][0].transpose(1, 2, 0)[asked])
            rights[name].append(labels[name][asked])
    return logits, rights


def _doubt_limit(examples: list[Example]) -> float:
    """The lowest limit under which hardly any photo has a mistake and shows nothing doubtful."""
    least = []  # of each photo with a mistake: the confidence of its least sure place
    for example in examples:
        photo = load_photo(example.path)
        request = ReadRequest(game=example.game, corners=example.corners, board=board_size(example))
        reading = read_photo(photo, request)
        if wrong_places(reading, example.truth):
            cells = [guess.confidence for place, guess in reading.guesses.items() if not place.startswith("tile:")]
            least.append(min(cells))
    if not least:
        return LIMITS[2]
    for limit in LIMITS:
        if sum(confidence >= limit for confidence in least) <= MOST_SILENT * len(examples):
            return limit
    return LIMITS[-1]


def _update(cards_file: Path, name: str, facts: Mapping[str, Any]) -> None:
    cards = json.loads(cards_file.read_text(encoding="utf-8"))
    cards[name] |= facts
    cards_file.write_text(json.dumps(cards, indent=1, sort_keys=True) + "\n", encoding="utf-8")
