"""What the benchmarks of the reader share: judging many photos, and tables that stand in the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from vision.evaluate import Result, evaluate_photo
from vision.jobs import in_order
from vision.labelled import read_truth
from vision.reader import ReadRequest

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "docs" / "accuracy"  # the result of every photo, for people who want to check the figures


def judged(photos: Sequence[tuple[Path, Path]], jobs: int, profile: str | None = None) -> list[Result]:
    """Every photo read and compared with its truth; a photo that cannot be judged ends the benchmark."""
    return list(in_order(partial(_judge, profile=profile), photos, jobs, _stop))


def _judge(labelled: tuple[Path, Path], profile: str | None) -> Result:
    photo, truth = labelled
    return evaluate_photo(photo, read_truth(truth), ReadRequest(profile=profile))


def _stop(labelled: tuple[Path, Path], error: Exception) -> Result:
    raise SystemExit(f"{labelled[0]}: {error}")


def write_between(document: Path, mark: str, text: str) -> None:
    """Put a text into a document, in place of what stands between its marks of that name."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    content = document.read_text(encoding="utf-8")
    if begin not in content or end not in content:
        raise SystemExit(f"{document} has no place for the table ({begin} and {end}).")
    before, _, rest = content.partition(begin)
    _, _, after = rest.partition(end)
    document.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
