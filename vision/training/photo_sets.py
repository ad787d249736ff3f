"""Renders the photos of a recipe: those that are missing, set by set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from calibration.profiles import built_in_names
from engine.errors import Unsupported
from vision.jobs import INTERRUPTED
from vision.synth.command import fill_folder
from vision.synth.studio import Order, possible_profiles
from vision.training.recipe import PhotoSet


def order_of(photos: PhotoSet) -> Order:
    """What the studio is asked for: sets that come with Cityscan only, so that it is the same for everybody."""
    built_in = set(built_in_names())
    return Order(
        game=photos.game,
        seed=photos.seed,
        profiles=tuple(n for n in possible_profiles(photos.game, None, photos.held_out) if n in built_in),
        size=photos.size,
        backend=photos.backend,
        samples=photos.samples,
        mixed=photos.mixed,
        negatives=photos.negatives,
    )


def render_sets(sets: Iterable[PhotoSet], data: Path, jobs: int | None = None) -> int:
    """Make what is missing, fast sets first, so that something is there soon. Returns the worst exit code.

    Without Blender the path-traced sets are left out, with a sentence.
    """
    worst = 0
    for photos in _fast_first(sets):
        if photos.backend == "blender" and (problem := _blender_missing()):
            print(f"{photos.name}: left out. {problem}", flush=True)
            continue
        print(f"{photos.name}: {photos.count} photos, seed {photos.seed}", flush=True)
        code = fill_folder(data / photos.name, order_of(photos), photos.count, jobs)
        if code == INTERRUPTED:
            return code
        worst = max(worst, code)
    return worst


def _fast_first(sets: Iterable[PhotoSet]) -> Sequence[PhotoSet]:
    return sorted(sets, key=lambda photos: photos.backend == "blender")


def _blender_missing() -> str | None:
    """A sentence where Blender's module cannot be used."""
    from vision.synth.blender import module

    try:
        module.load()
    except Unsupported as problem:
        return problem.message
    return None
