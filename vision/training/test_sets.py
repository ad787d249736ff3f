"""Remakes the held-out test photos: ``python -m vision.training.test_sets DIR``. Run it again to go on.

Every figure in the docs is measured on these folders, with ``cityscan evaluate DIR/alien-city-fast`` and so on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import CityscanError
from vision.training.photo_sets import render_sets
from vision.training.recipe import TEST


def main(arguments: Sequence[str] | None = None) -> int:
    """Render what is missing of the test sets. Returns the exit code."""
    names = [photos.name for photos in TEST]
    parser = argparse.ArgumentParser(prog="python -m vision.training.test_sets", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the folders of photos go")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one a core; path-traced: one)")
    options = parser.parse_args(arguments)
    if options.jobs is not None and options.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {options.jobs}.")
    try:
        return render_sets([photos for photos in TEST if photos.name in options.only], options.folder, options.jobs)
    except CityscanError as error:
        print(f"test_sets: {error.message}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
