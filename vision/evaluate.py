"""How well photos are read: every photo of a folder that has its truth beside it, counted and told with intervals."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import CityscanError, Unreadable
from engine.fields import Field
from engine.game import game as rules_of
from vision.labels.corners import CORNERS_WANTED, corners_of
from vision.photo import load_photo
from vision.reader import ReadRequest, read_photo
from vision.reading import Reading
from vision.synth.turning import field_size

# A board is found if its worst corner is this near to the truth, in lots.
FOUND_WITHIN = 0.15
# A tile's print counts as visible from this share on.
VISIBLE = 0.5
CALIBRATION_BINS = 10
# What people know and no photo shows: who plays which colours, and by which rules.
TOLD = ("edition", "players", "pairs", "neutral", "variants", "extras")


@dataclass(frozen=True, slots=True)
class Result:
    """One photo: what was there and what was read. Empty where it does not apply."""

    photo: str
    game: str | None
    profile: str
    backend: str
    error: str = ""  # kind of the error instead of a reading
    read_as: str = ""
    corner_error: float = math.nan  # of the worst corner, in lots
    lots: int = 0
    lots_wrong: int = 0
    tile_facts: int = 0
    tile_facts_wrong: int = 0
    exact_score: bool = False
    doubtful: int = 0
    wrong_and_doubtful: int = 0
    seconds: float = 0.0
    # (confidence, right) of every lot, as text: "0.9987:1 ..."
    calibration: str = ""

    @property
    def negative(self) -> bool:
        return self.game is None

    @property
    def found(self) -> bool:
        # Where the truth has no corners (NaN), a board that was read counts as found.
        return not self.error and self.read_as == self.game and not self.corner_error > FOUND_WITHIN

    @property
    def faultless(self) -> bool:
        return not self.error and self.read_as == self.game and self.lots_wrong == 0

    @property
    def silent_error(self) -> bool:
        return not self.negative and not self.error and not self.exact_score and self.doubtful == 0

    @property
    def clean(self) -> bool:
        return not self.error and self.exact_score and self.doubtful == 0


def evaluate_photo(path: Path, truth: Mapping[str, Any], request: ReadRequest | None = None) -> Result:
    """Read one photo and compare it with its truth."""
    about: dict[str, Any] = {
        "photo": path.name,
        "game": truth.get("game"),
        "profile": str(truth.get("profile", "")),
        "backend": str(truth.get("backend", "")),
    }
    began = time.perf_counter()
    try:
        reading = read_photo(load_photo(path), request)
    except CityscanError as error:
        return Result(**about, error=error.kind, seconds=time.perf_counter() - began)
    seconds = time.perf_counter() - began
    if truth.get("game") is None:
        return Result(**about, read_as=reading.game, doubtful=len(reading.doubtful), seconds=seconds)
    return Result(**about, seconds=seconds, **_compared(reading, truth))


def _compared(reading: Reading, truth: Mapping[str, Any]) -> dict[str, Any]:
    compared: dict[str, Any] = {"read_as": reading.game, "doubtful": len(reading.doubtful)}
    compared["corner_error"] = _corner_error(reading, truth)
    if reading.game != truth["game"]:
        return compared
    rules = rules_of(reading.game)
    turns = _turns(truth)
    best = _nearest_turn(reading, turns)
    places, wrong = _places(reading), wrong_places(reading, truth)
    compared |= {"lots": len(places), "lots_wrong": len(wrong)}
    compared["wrong_and_doubtful"] = len(wrong & set(reading.doubtful))
    told = {name: truth[name] for name in TOLD if name in truth} | _unseen_colours(reading, truth)
    compared["exact_score"] = _score_of(rules, {**reading.state, **told}).totals == _score_of(rules, best).totals
    pairs = [f"{reading.guesses[place].confidence:.4f}:{int(place not in wrong)}" for place in places]
    compared["calibration"] = " ".join(pairs)
    if best == turns[0]:
        compared |= _tile_facts(reading, truth)
    return compared


def _unseen_colours(reading: Reading, truth: Mapping[str, Any]) -> dict[str, Any]:
    """Sprawl: the colours that were read, and those in play without a piece on the board, which no photo shows."""
    if reading.game != "sprawl":
        return {}
    pieces = [piece for cell in truth["cells"] for piece in (*cell.get("stack", ()), cell.get("lying", ""))]
    shown = {piece[:-1] for piece in pieces}
    read = list(reading.state["colours"])
    return {"colours": read + [colour for colour in truth["colours"] if colour not in shown and colour not in read]}


def wrong_places(reading: Reading, truth: Mapping[str, Any]) -> set[str]:
    """The cells that were read wrongly; unoccupied ones are right where both are empty."""
    rules = rules_of(reading.game)
    mine = cells_of(rules.dump(rules.load(Field(dict(reading.state)))))
    theirs = cells_of(_nearest_turn(reading, _turns(truth)))
    places = _places(reading)
    return {place for place in places if mine.get(place) != theirs.get(place)} | (set(theirs) - set(places))


def _places(reading: Reading) -> list[str]:
    return [place for place in reading.guesses if not place.startswith("tile:")]


def _turns(truth: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The truth seen from every side, its own first."""
    rules = rules_of(truth["game"])
    return [rules.dump(turn) for turn in rules.turns(rules.load(Field(dict(truth))))]


def _nearest_turn(reading: Reading, turns: list[dict[str, Any]]) -> dict[str, Any]:
    """Near to a tie the reader may have taken another turn of the board than the truth: any is right."""
    rules = rules_of(reading.game)
    mine = cells_of(rules.dump(rules.load(Field(dict(reading.state)))))
    return min(turns, key=lambda turn: _differences(mine, cells_of(turn)))


def _score_of(rules: Any, state: Mapping[str, Any]) -> Any:
    return rules.score(rules.load(Field(dict(state))))


def cells_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """What stands on every occupied place, in a form that can be compared."""
    if state["game"] == "alien-city":
        return {s["at"]: (s["kind"], s["colour"], s.get("claimed_by")) for s in state["structures"]}
    if state["game"] == "sprawl":
        return {c["at"]: (tuple(c.get("stack", ())), c.get("lying"), c.get("points")) for c in state["cells"]}
    squares = ((row, column, c) for row, line in enumerate(state["grid"]) for column, c in enumerate(line))
    return {f"{chr(65 + column)}{row + 1}": c for row, column, c in squares if c != "."}


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    return sum(one.get(place) != other.get(place) for place in {*one, *other})


def _corner_error(reading: Reading, truth: Mapping[str, Any]) -> float:
    """The worst corner's distance from the truth in lots, whichever turn was taken; NaN where the truth has none."""
    if truth.get("corners") is None:
        return math.nan
    true = corners_of(truth["corners"])
    if true is None:
        raise Unreadable(f'"corners" {CORNERS_WANTED}')
    columns, rows = field_size(truth)
    sides = np.linalg.norm(true - np.roll(true, -1, axis=0), axis=1)
    lot = float(sides.sum() / (2 * (columns + rows)))
    errors = [np.linalg.norm(reading.corners - np.roll(true, turn, axis=0), axis=1).max() for turn in range(4)]
    return float(min(errors)) / lot


def _tile_facts(reading: Reading, truth: Mapping[str, Any]) -> dict[str, int]:
    """How many visible facts about tiles there are, and how many were read wrong or not at all."""
    mine = {tile["at"]: tile for tile in reading.state.get("tiles", ())}
    visible = truth.get("visible", {})
    asked = wrong = 0
    for tile in truth.get("tiles", ()):
        icon = visible.get(f"icon:{tile['at']}", 1.0) >= VISIBLE
        rank = visible.get(f"rank:{tile['at']}", 1.0) >= VISIBLE
        shown = {"icon": icon, "rank": rank, "colour": icon or (rank and bool(tile["rank"]))}
        for fact, seen in shown.items():
            if seen and tile[fact] is not None:
                asked += 1
                wrong += mine.get(tile["at"], {}).get(fact) != tile[fact]
    return {"tile_facts": asked, "tile_facts_wrong": wrong}


# --- figures --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the report: a share with its 95 % interval, or a plain number."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    share: bool = True

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"{self.name}: nothing to count"
        if not self.share:
            return f"{self.name}: {self.value:.3f}"
        if math.isnan(self.low):
            return f"{self.name}: {100 * self.value:.2f} %"
        return f"{self.name}: {100 * self.value:.2f} % ({100 * self.low:.2f} to {100 * self.high:.2f})"


def figures(results: Sequence[Result]) -> list[Figure]:
    """The report over all photos of a folder."""
    boards = [result for result in results if not result.negative]
    negatives = [result for result in results if result.negative]
    rows: list[Figure] = []
    if boards:
        found = [result for result in boards if not result.error]
        rows += [
            _share("board found", [result.found for result in boards]),
            _share("game found out", [result.read_as == result.game for result in boards]),
            _ratio("lots wrong", [(r.lots_wrong, r.lots) for r in found if r.lots]),
            _share("boards without a mistake", [result.faultless for result in boards]),
            _share("exact scores", [result.exact_score for result in boards]),
            _share("silent errors", [result.silent_error for result in boards]),
            _share("clean photos", [result.clean for result in boards]),
            _ratio("visible tile facts wrong", [(r.tile_facts_wrong, r.tile_facts) for r in found if r.tile_facts]),
            Figure("calibration error of lots", calibration_error(found)),
            Figure("corner error, median, lots", _median([r.corner_error for r in found]), share=False),
            Figure("doubtful places a photo", _mean([r.doubtful for r in found]), share=False),
            Figure("seconds a photo, median", _median([r.seconds for r in boards]), share=False),
        ]
    if negatives:
        rows.append(Figure("false boards", sum(not r.error for r in negatives), share=False))
        rows.append(Figure("negatives", len(negatives), share=False))
    return rows


def calibration_error(results: Iterable[Result]) -> float:
    """Expected calibration error: how far confidence and truth are apart, in bins of confidence."""
    pairs = [pair.split(":") for result in results for pair in result.calibration.split()]
    if not pairs:
        return math.nan
    confidence = np.array([float(p) for p, _ in pairs])
    right = np.array([float(r) for _, r in pairs])
    bins = np.minimum((confidence * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    gaps = [
        abs(confidence[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
        for b in range(CALIBRATION_BINS)
        if (bins == b).any()
    ]
    return float(sum(gaps))


def write_csv(results: Sequence[Result], path: Path) -> None:
    """One line a photo, without the long calibration column. Raises Unreadable where it cannot be written."""
    names = [field.name for field in fields(Result) if field.name != "calibration"]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            for result in results:
                row = asdict(result)
                writer.writerow({name: _cell_text(row[name]) for name in names})
    except OSError as error:
        raise Unreadable(f'"{path}" cannot be written ({error.strerror}); choose another place.') from None


def _cell_text(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else round(value, 4)
    return "" if value is None else value


def _share(name: str, hits: Sequence[bool]) -> Figure:
    return Figure(name, sum(hits) / len(hits), *_wilson(sum(hits), len(hits)))


def _ratio(name: str, counts: Sequence[tuple[int, int]]) -> Figure:
    """A share of things of which many lie on one photo: the interval comes from resampling whole photos."""
    if not counts:
        return Figure(name, math.nan)
    hits, all_of = np.array(counts, dtype=np.float64).T
    picks = np.random.default_rng(0).integers(len(counts), size=(1000, len(counts)))
    spread = hits[picks].sum(axis=1) / all_of[picks].sum(axis=1)
    low, high = np.quantile(spread, [0.025, 0.975])
    return Figure(name, float(hits.sum() / all_of.sum()), float(low), float(high))


def _wilson(hits: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, hits / number
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    reach = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number**2)) / (1 + z * z / number)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _median(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.median(known)) if known else math.nan


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan
