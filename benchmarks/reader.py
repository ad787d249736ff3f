"""The time of every stage from a 12-megapixel JPEG to its score, beside the time that decoding alone takes.

python -m benchmarks.reader [runs]

Warm and in one process: networks are loaded and imports done before the first run that counts.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from engine.documents import position_from_document
from vision.effects import score_sureness
from vision.photo import load_photo
from vision.reader import read_photo, readable_games

SAMPLES = Path(__file__).resolve().parents[1] / "sample_photos"
DEFAULT_RUNS = 9
WARM_UP = 2
LONG_SIDE, SHORT_SIDE = 4000, 3000
QUALITY = 90
# A rendered photo that is enlarged is too smooth; with this much noise the file is as large as phones' are.
NOISE = 8.0
FIRST_GOAL, AIM = 8.0, 4.0
BASELINE = 'Image.open(f).convert("RGB")'


def main() -> None:
    """Print the medians of all stages for each game."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_RUNS
    games = readable_games()
    if not games:
        print("no networks are installed, so no photo can be read")
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            sample = _sample_of(game)
            photo = enlarged(sample, Path(folder) / f"{game}.jpg")
            stages = [stages_of(photo) for _ in range(WARM_UP + runs)][WARM_UP:]
            _report(f"{game}: {sample.name}, {photo.stat().st_size / 1e6:.1f} MB", stages)


def _sample_of(game: str) -> Path:
    """The first sample photo of a game."""
    for truth in sorted(SAMPLES.glob("*.json")):
        if json.loads(truth.read_text(encoding="utf-8"))["game"] == game:
            return truth.with_suffix(".jpg")
    raise SystemExit(f"no sample photo of {game}")


def enlarged(sample: Path, target: Path) -> Path:
    """A sample as a phone of 12 megapixels would have written it: 4000 x 3000, quality 90, 4:2:0."""
    with Image.open(sample) as image:
        size = (LONG_SIDE, SHORT_SIDE) if image.width > image.height else (SHORT_SIDE, LONG_SIDE)
        exif = image.getexif()
        pixels = np.asarray(image.convert("RGB").resize(size, Image.Resampling.LANCZOS), dtype=np.float32)
    noise = np.random.default_rng(0).normal(0, NOISE, pixels.shape)
    noisy = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    Image.fromarray(noisy).save(target, "JPEG", quality=QUALITY, subsampling="4:2:0", exif=exif)
    return target


def stages_of(path: Path) -> dict[str, float]:
    """The milliseconds of every stage, once."""
    spent: dict[str, float] = {}
    with _timed(spent, BASELINE):
        Image.open(path).convert("RGB")
    with _timed(spent, "total"):
        with _timed(spent, "decode"):
            photo = load_photo(path)
        with _timed(spent, "read"):
            reading = read_photo(photo)
        with _timed(spent, "load"):
            position = position_from_document(dict(reading.state))
        with _timed(spent, "check"):
            position.game.check(position.state)
        with _timed(spent, "score"):
            position.game.score(position.state)
        with _timed(spent, "sureness"):
            score_sureness(reading.game, reading.state, reading.guesses)
    # The reader tells its own stages; what is left of it is overhead.
    own = dict(reading.milliseconds)
    spent["reader's rest"] = spent.pop("read") - sum(own.values())
    return {**spent, **own}


@contextmanager
def _timed(spent: dict[str, float], name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    spent[name] = 1000 * (time.perf_counter() - began)


def _report(title: str, runs: list[dict[str, float]]) -> None:
    medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    baseline, total = medians.pop(BASELINE), medians.pop("total")
    print(f"{title}, medians of {len(runs)} warm runs")
    print(f"  {BASELINE:30} {baseline:7.1f} ms")
    order = ("decode", "locate", "classify", "settle", "load", "check", "score", "sureness")
    for name in (*order, *(name for name in medians if name not in order)):
        print(f"  {name:30} {medians[name]:7.1f} ms")
    print(
        f"  {'file to score':30} {total:7.1f} ms = {total / baseline:.1f} x (goal {FIRST_GOAL:.0f} x, aim {AIM:.0f} x)"
    )


if __name__ == "__main__":
    main()
