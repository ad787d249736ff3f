"""Renders ``sample_photos/``: ``python -m vision.synth.samples sample_photos`` makes what ``samples.toml`` there lists.

Photos that are there already are left alone; delete one to have it made anew.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.documents import load_position
from vision.synth.command import size_of
from vision.synth.saving import jpeg, write_whole
from vision.synth.studio import BACKENDS, Order, make_shot, position_text, render_photo
from vision.synth.truth import truth_text

# What fits into a repository.
MOST_BYTES = 1_000_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Make all samples that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--backend", choices=BACKENDS, default="blender", help="fast: for a first look")
    parser.add_argument("--out", type=Path, help="where to write (default: the folder itself)")
    options = parser.parse_args(arguments)
    out = options.out or options.folder
    out.mkdir(parents=True, exist_ok=True)
    with (options.folder / "samples.toml").open("rb") as file:
        samples = tomllib.load(file)
    for name, sample in samples.items():
        if not (out / f"{name}.json").exists():
            print(name, flush=True)
            _make(name, sample, options.folder, out, options.backend)


def _make(name: str, sample: dict[str, Any], folder: Path, out: Path, backend: Any) -> None:
    position = load_position(folder / "positions" / sample["position"])
    order = Order(
        game=position.game.name,
        seed=sample["seed"],
        profiles=(sample["profile"],),
        size=size_of(sample["size"]),
        backend=backend,
        position=position_text(position),
    )
    shot = make_shot(order, 0)
    photo = render_photo(shot, order)
    quality = shot.scene.phone.jpeg_quality
    while len(content := jpeg(photo.pixels, quality, shot.exif)) > MOST_BYTES:
        quality -= 4
    write_whole(out / f"{name}.jpg", content)
    write_whole(out / f"{name}.json", truth_text(photo.truth).encode())


if __name__ == "__main__":
    main()
