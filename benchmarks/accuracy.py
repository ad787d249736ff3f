"""Measures how well photos are read and writes docs/accuracy.md: ``python -m benchmarks.accuracy FOLDER...``.

Every FOLDER holds test sets, one folder each, of photos with their truth beside them. The result of every photo goes
into ``docs/accuracy/SET.csv``, the figures into the tables of docs/accuracy.md, between its two marks.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.judging import ROOT, TABLES, judged, write_between
from engine.game import game as rules_of
from engine.game import game_names
from vision.evaluate import Figure, Result, figures, write_csv
from vision.labelled import labelled_files

DOCUMENT = ROOT / "docs" / "accuracy.md"


def main(arguments: Sequence[str] | None = None) -> None:
    """Evaluate all test sets and write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders of test sets")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    sets = {s.name: s for folder in options.folders for s in sorted(folder.iterdir()) if s.is_dir()}
    TABLES.mkdir(exist_ok=True)
    measured: dict[str, list[Result]] = {}
    for name, folder in sets.items():
        photos = list(labelled_files(folder))
        if not photos:
            continue
        measured[name] = judged(photos, options.jobs)
        write_csv(measured[name], TABLES / f"{name}.csv")
        print(f"{name}: {len(photos)} photos", file=sys.stderr)
        for figure in figures(measured[name]):
            print(f"  {figure}", file=sys.stderr)
    write_between(DOCUMENT, "figures", tables(measured))


def tables(measured: dict[str, list[Result]]) -> str:
    """A table for each game with a column for each test set, and what was made of photos without a board."""
    parts = []
    for game in game_names():
        columns = {name: [r for r in results if r.game == game] for name, results in measured.items()}
        columns = {name: results for name, results in columns.items() if results}
        if columns:
            parts.append(f"### {rules_of(game).title}\n\n{_table(columns)}")
    negatives = {name: [r for r in results if r.negative] for name, results in measured.items()}
    for name, results in negatives.items():
        if results:
            false = sum(not r.error for r in results)
            parts.append(
                f"### No board\n\n{name}: {false} false boards on {len(results)} photos without a whole board."
            )
    return "\n\n".join(parts)


def _table(columns: dict[str, list[Result]]) -> str:
    found = {name: figures(results) for name, results in columns.items()}
    names = [figure.name for figure in next(iter(found.values()))]
    # Only Alien City has tiles.
    names = [n for n in names if any(_value(rows, n) == _value(rows, n) for rows in found.values())]
    head = "| | " + " | ".join(f"{name} ({len(columns[name])})" for name in columns) + " |"
    lines = [head, "|---" * (len(columns) + 1) + "|"]
    for name in names:
        cells = [next(_text(figure) for figure in rows if figure.name == name) for rows in found.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _value(rows: list[Figure], name: str) -> float:
    return next(figure.value for figure in rows if figure.name == name)


def _text(figure: Figure) -> str:
    if figure.value != figure.value:  # nothing of the kind on these photos
        return ""
    if not figure.share:
        return f"{figure.value:.3g}"
    digits = 2 if figure.value < 0.05 else 1
    interval = "" if figure.low != figure.low else f" ({100 * figure.low:.{digits}f}–{100 * figure.high:.{digits}f})"
    return f"{100 * figure.value:.{digits}f} %{interval}"


if __name__ == "__main__":
    main()
