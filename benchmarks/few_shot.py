"""How much a few labelled photos of an unknown set help: boards without a mistake before and after learning them.

    python -m benchmarks.few_shot alien-city [--test 60] [--repeats 3] [--models DIR] [--write]

Two sets for each game: the held-out one that the shipped networks read worst, and a training set with red and blue
exchanged. Learning photos and test photos are rendered with seeds of their own and kept in the cache. Every number of
photos is tried several times with other photos; nothing is chosen by the test photos.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.judging import ROOT, TABLES, judged, write_between
from calibration.profiles import load_profile, profile_names
from vision.adapt.training import learn_set
from vision.boards import GAMES
from vision.evaluate import Result
from vision.labelled import labelled_files, read_truth
from vision.networks import use_models
from vision.photo import load_photo
from vision.reader import read_photo
from vision.synth.dataset import make_frames, missing_frames, open_folder
from vision.synth.studio import Order
from vision.synth.swapping import write_swapped

CACHE = Path.home() / ".cache" / "cityscan" / "few-shot"
DOCUMENT = ROOT / "docs" / "own-set.md"
TABLE = TABLES / "few-shot.csv"
LEARN_SEED, TEST_SEED = 9100, 9200
COUNTS = (1, 2, 5, 10)
# The set whose colours are exchanged: an ordinary one that the networks know.
ORDINARY = {"alien-city": "cream-classic", "city-blocks": "blokus-grey", "sprawl": "stash-rainbow"}


@dataclass(frozen=True, slots=True)
class Line:
    """One reading of a test photo after learning from so many photos."""

    game: str
    set: str
    learnt_from: int
    repeat: int
    kept: bool
    photo: str
    error: str
    lots: int
    lots_wrong: int
    faultless: bool


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=GAMES)
    parser.add_argument("--profile", help="this set in place of the worst held-out one and the exchanged one")
    parser.add_argument("--test", type=int, default=60, help="test photos a set (60)")
    parser.add_argument("--repeats", type=int, default=3, help="how often each number of photos is tried (3)")
    parser.add_argument("--counts", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--models", type=Path, help="networks that are not installed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the table into docs/own-set.md, with its CSV")
    options = parser.parse_args(arguments)
    if options.models is not None:
        # With several processes, the others would read with the installed networks.
        use_models(options.models)
        options.jobs = 1
    lines: list[Line] = []
    for game in options.games:
        for name in [options.profile] if options.profile else _sets(game, options):
            lines += measure(game, name, options)
    table = _table(lines)
    print(table)
    if options.write:
        _write(table, lines)


def _sets(game: str, options: argparse.Namespace) -> list[str]:
    """The worst held-out set, and the exchanged one."""
    shares = {}
    for name in profile_names(game, held_out=True):
        results = judged(_photos(game, name, TEST_SEED, options), options.jobs)
        shares[name] = float(np.mean([result.faultless for result in results]))
        print(f"{game}, {name}: {shares[name]:.0%} without a mistake", file=sys.stderr, flush=True)
    worst = min(shares, key=lambda name: shares[name])
    return [worst, str(write_swapped(load_profile(ORDINARY[game]), CACHE / "sets"))]


def measure(game: str, name: str, options: argparse.Namespace) -> list[Line]:
    """Read the test photos of a set before and after learning from every number of photos."""
    test = _photos(game, name, TEST_SEED, options)
    others = _others(game, name, options)
    learning = _photos(game, name, LEARN_SEED, options, count=max(options.counts) * options.repeats)
    short = Path(name).stem
    with tempfile.TemporaryDirectory() as data:
        os.environ["CITYSCAN_DATA"] = data
        lines = _lines(game, short, 0, 0, False, judged(test, options.jobs))
        before = [_fingerprint(photo) for photo, _ in others]
        for count in options.counts:
            for repeat in range(options.repeats):
                first = repeat * max(options.counts)
                chosen = learning[first : first + count]
                own = f"own-{count}-{repeat}"
                kept = _learn(chosen, own, options.jobs)
                results = judged(test, options.jobs, own if kept else None)
                lines += _lines(game, short, count, repeat, kept, results)
                done = np.mean([result.faultless for result in results])
                print(f"{game}, {short}: {count} photos, {done:.0%}", file=sys.stderr, flush=True)
        same = [_fingerprint(photo) for photo, _ in others] == before
    if not same:
        raise SystemExit("other sets are read otherwise although no profile is chosen")
    print(f"{game}: {len(others)} photos of other sets are read exactly as before", file=sys.stderr, flush=True)
    return lines


def _learn(photos: Sequence[tuple[Path, Path]], profile: str, jobs: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        for photo, truth in photos:
            shutil.copy(photo, folder)
            # A person's label tells what is where and where the board is, not what the studio knows beside that.
            _write_label(Path(folder) / truth.name, read_truth(truth))
        (outcome,) = learn_set(Path(folder), profile, jobs=jobs).outcomes
    return outcome.kept


def _write_label(path: Path, truth: dict[str, object]) -> None:
    unknown = ("visible", "camera", "world_corners", "boxes")
    path.write_text(json.dumps({key: value for key, value in truth.items() if key not in unknown}), encoding="utf-8")


def _photos(
    game: str, name: str, seed: int, options: argparse.Namespace, count: int | None = None
) -> list[tuple[Path, Path]]:
    """Rendered photos of a set, with their truth; made if they are not there yet."""
    number = options.test if count is None else count
    folder = CACHE / game / f"{Path(name).stem}-{seed}"
    order = Order(game, seed, (name,), negatives="none")
    open_folder(folder, order, number)
    missing = missing_frames(folder, order, number, False)
    for done in make_frames(folder, order, missing, options.jobs, False):
        if done.problem is not None:
            raise SystemExit(f"{folder}: {done.problem}")
    return list(labelled_files(folder))[:number]


def _others(game: str, name: str, options: argparse.Namespace) -> list[tuple[Path, Path]]:
    """A few photos of the other held-out sets."""
    names = [other for other in profile_names(game, held_out=True) if other != name]
    return [pair for other in names for pair in _photos(game, other, TEST_SEED, options)[:4]]


def _fingerprint(photo: Path) -> str:
    """Everything that was read, confidences included, in a form that can be compared."""
    try:
        reading = read_photo(load_photo(photo))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return repr((reading.state, [(place, guess) for place, guess in reading.guesses.items()]))


def _lines(game: str, name: str, count: int, repeat: int, kept: bool, results: Sequence[Result]) -> list[Line]:
    return [Line(game, name, count, repeat, kept, r.photo, r.error, r.lots, r.lots_wrong, r.faultless) for r in results]


def _table(lines: Sequence[Line]) -> str:
    """Boards without a mistake, mean and range over the repeats."""
    counts = sorted({line.learnt_from for line in lines})
    head = ["set", "test photos", *("before" if not count else f"{count} photos" for count in counts)]
    rows = [head, ["---"] * len(head)]
    for game, name in dict.fromkeys((line.game, line.set) for line in lines):
        mine = [line for line in lines if (line.game, line.set) == (game, name)]
        number = sum(line.learnt_from == 0 for line in mine)
        cells = [_share([line for line in mine if line.learnt_from == count]) for count in counts]
        rows.append([f"{game}, {name}", str(number), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _share(lines: Sequence[Line]) -> str:
    repeats = sorted({line.repeat for line in lines})
    shares = [100 * float(np.mean([line.faultless for line in lines if line.repeat == r])) for r in repeats]
    wrong = float(np.mean([line.lots_wrong for line in lines if not line.error]))
    spread = f" ({min(shares):.0f} to {max(shares):.0f})" if len(shares) > 1 else ""
    return f"{np.mean(shares):.1f} %{spread}, {wrong:.2f} cells wrong"


def _write(table: str, lines: Sequence[Line]) -> None:
    write_between(DOCUMENT, "few-shot", table)
    TABLE.parent.mkdir(exist_ok=True)
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(Line.__slots__)
        writer.writerows([getattr(line, name) for name in Line.__slots__] for line in lines)


if __name__ == "__main__":
    main()
