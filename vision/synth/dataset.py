"""A folder of photos: which are there, which are missing, and making the missing ones.

A frame is done when its photo and its truth are there; the truth is written last. ``dataset.json`` says what the
folder was made with, so that a later call goes on with the same photos or is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import cv2

from engine.errors import CityscanError, Unreadable, UsageError
from engine.strict_json import parse_object, printable, read_text
from vision.jobs import in_order
from vision.labels.overlay import OVERLAY, OVERLAY_QUALITY, draw_truth
from vision.synth.saving import Exif, jpeg, sweep, write_whole
from vision.synth.studio import Order, make_shot, render_photo
from vision.synth.truth import truth_text

MANIFEST: Final = "dataset.json"


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one frame; ``problem`` is a sentence where it failed."""

    frame: int
    problem: str | None = None


def frame_name(game: str, frame: int) -> str:
    """The name of a photo without its ending."""
    return f"{game}-{frame:05d}"


def open_folder(folder: Path, order: Order, count: int) -> None:
    """Make the folder, or check that it belongs to the same order; write down what it is made with."""
    manifest = folder / MANIFEST
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unreadable(f'the folder "{folder}" cannot be made ({error.strerror}); choose another.') from None
    wanted = _arguments(order)
    if manifest.exists():
        _refuse_other_order(folder, manifest, wanted)
    elif any(folder.glob("*.jpg")):
        raise UsageError(f'"{folder}" holds photos that were not made here; choose an empty folder.')
    try:
        write_whole(manifest, _manifest_text(wanted, count))
    except OSError as error:
        raise Unreadable(f'nothing can be written into "{folder}" ({error.strerror}); choose another.') from None
    sweep(folder)


def missing_frames(folder: Path, order: Order, count: int, overlay: bool) -> list[int]:
    """The numbers of the photos that are not complete."""
    endings = (".jpg", ".json", f"{OVERLAY}.jpg") if overlay else (".jpg", ".json")
    present = {path.name for path in folder.iterdir()}
    return [
        frame
        for frame in range(count)
        if any(f"{frame_name(order.game, frame)}{ending}" not in present for ending in endings)
    ]


def make_frame(folder: Path, order: Order, frame: int, overlay: bool) -> Done:
    """Make one photo with its truth."""
    cv2.setNumThreads(1)  # frames are made side by side; and results must not depend on the number of cores
    shot = make_shot(order, frame)
    photo = render_photo(shot, order)
    path = folder / frame_name(order.game, frame)
    quality = shot.scene.phone.jpeg_quality
    if overlay:
        drawn = draw_truth(photo.pixels, photo.truth)
        write_whole(path.with_name(f"{path.name}{OVERLAY}.jpg"), jpeg(drawn, OVERLAY_QUALITY, Exif()))
    write_whole(path.with_name(f"{path.name}.jpg"), jpeg(photo.pixels, quality, shot.exif))
    write_whole(path.with_name(f"{path.name}.json"), truth_text(photo.truth).encode())
    return Done(frame)


def make_frames(folder: Path, order: Order, frames: list[int], jobs: int, overlay: bool) -> Iterator[Done]:
    """Make these photos, in this process or in several, and report each. A fault of one scene must not cost the
    night's work: a problem is told, not raised."""

    def make(frame: int) -> Done:
        return make_frame(folder, order, frame, overlay)

    return in_order(make, frames, jobs, _failed)


def _failed(frame: int, error: Exception) -> Done:
    told = error.message if isinstance(error, CityscanError) else f"{type(error).__name__}: {error}"
    return Done(frame, told)


def _arguments(order: Order) -> dict[str, Any]:
    return {
        "game": order.game,
        "seed": order.seed,
        "size": None if order.size is None else f"{order.size[0]}x{order.size[1]}",
        "backend": order.backend,
        "samples": order.samples if order.backend == "blender" else None,
        "profiles": list(order.profiles),
        "position": order.position,
        "mixed": order.mixed or None,
        "negatives": None if order.negatives == "some" else order.negatives,
    }


def _manifest_text(arguments: dict[str, Any], count: int) -> bytes:
    try:
        studio = version("cityscan")
    except PackageNotFoundError:  # run from the source tree
        studio = "unknown"
    manifest = {"made_by": f"cityscan synth {studio}", "arguments": arguments, "count": count}
    return (json.dumps(manifest, indent=1) + "\n").encode()


def _refuse_other_order(folder: Path, manifest: Path, wanted: dict[str, Any]) -> None:
    try:
        found = parse_object(read_text(manifest)).get("arguments")
    except CityscanError as error:
        raise Unreadable(f'"{manifest}" cannot be read ({error.message}); choose another folder.') from None
    if not isinstance(found, dict):
        raise Unreadable(f'"{manifest}" does not say what the folder was made with; choose another folder.')
    for key, value in wanted.items():
        if found.get(key) != value:
            raise UsageError(
                f'"{folder}" was made with {key} {_shown(found.get(key))}, not {_shown(value)}; '
                "use the same arguments to go on, or another folder."
            )


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "unset" if value is None else printable(str(value), 80)
