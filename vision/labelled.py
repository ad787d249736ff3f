"""Labelled photos: pictures with their truth in a state file of the same name beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision import PHOTO_SUFFIXES


def labelled_photos(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The photos of a folder, and of those in it, with the truth beside each, in order of their names."""
    for truth in sorted(folder.rglob("*.json")):
        photo = next((p for suffix in PHOTO_SUFFIXES if (p := truth.with_suffix(suffix)).exists()), None)
        if photo is not None:
            yield photo, json.loads(truth.read_text(encoding="utf-8"))
