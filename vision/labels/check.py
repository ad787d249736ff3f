"""The labels of a folder, each with what is missing or inconsistent about it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.documents import Position, position_from_document
from engine.errors import CityscanError
from vision import PHOTO_SUFFIXES
from vision.labelled import photos_beside, read_truth
from vision.labels.corners import CORNERS_WANTED, corner_problems, corners_of
from vision.labels.overlay import OVERLAY
from vision.labels.problems import Problem
from vision.photo import Photo, load_photo
from vision.synth.turning import field_size

NOWHERE = "none"
# The fields of a state that a photo can show.
ON_THE_TABLE = ("game", "tiles", "structures", "grid", "corner_colours", "columns", "rows", "cells")


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A photo with a state of the same name beside it, as far as they could be read.

    ``position`` names what lies on the table, the same whichever side it is seen from; ``focal`` and ``photo_size``
    are in pixels of the full upright photo.
    """

    photo: Path
    state: Path
    truth: Mapping[str, Any] | None = None
    photo_size: tuple[int, int] = (0, 0)
    focal: float | None = None
    fingerprint: str = ""
    position: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether it can be learnt from, drawn and exported."""
        return self.truth is not None and all(problem.warning for problem in self.problems)

    @property
    def game(self) -> str:
        return str((self.truth or {}).get("game") or NOWHERE)

    @property
    def profile(self) -> str:
        return str((self.truth or {}).get("profile") or "")


def label_files(folder: Path) -> tuple[list[tuple[Path, Path]], list[Problem]]:
    """Photos with their state files, and what lacks the other half."""
    photos = {path for path in _files(folder) if _is_photo(path)}
    pairs, lonely = [], []
    with_photos = {photo.parent for photo in photos}
    for state in (path for path in _files(folder) if path.suffix == ".json"):
        beside = photos_beside(state)
        photos -= set(beside)
        if beside:
            pairs.append((beside[0], state))
            lonely += [_unused(extra, beside[0]) for extra in beside[1:] if not extra.samefile(beside[0])]
        elif state.parent in with_photos and _is_state(state):
            # A folder without any photo holds positions; they wait for nothing.
            lonely.append(Problem(state, "state-without-photo", "no photo has this name; add the photo, or remove it."))
    told = "no state lies beside it; write one (NAME.json), or read and correct the photo in the app and export it."
    lonely += [Problem(photo, "photo-without-state", told) for photo in sorted(photos)]
    return pairs, lonely


def check_label(files: tuple[Path, Path]) -> Label:
    """One label: both halves are read, and what they say is held against each other."""
    label = Label(*files)
    problems: list[Problem] = []
    photo: Photo | None = None
    try:
        photo = load_photo(label.photo)
        fingerprint = _fingerprint(photo)
        label = replace(label, photo_size=photo.full_size, focal=photo.full_focal_px, fingerprint=fingerprint)
    except CityscanError as error:
        problems.append(Problem(label.photo, "unreadable-photo", error.message))
    try:
        truth = read_truth(label.state)
        position = None if "game" in truth and truth["game"] is None else position_from_document(truth)
        # Without a board every photo is a position of its own.
        name = label.fingerprint if position is None else _name_of(position)
        label = replace(label, truth=truth, position=name)
    except CityscanError as error:
        problems.append(Problem(label.state, "invalid-state", error.message))
        return replace(label, problems=tuple(problems))
    if position is not None:
        problems += [Problem(label.state, kind, told) for kind, told in _inconsistent(label, truth, position, photo)]
    return replace(label, problems=tuple(problems))


def failed_label(files: tuple[Path, Path], error: Exception) -> Label:
    """The label that stands for one whose check broke down."""
    told = error.message if isinstance(error, CityscanError) else f"{type(error).__name__}: {error}"
    return Label(*files, problems=(Problem(files[0], "unreadable-photo", f"it could not be checked: {told}"),))


def _inconsistent(
    label: Label, truth: Mapping[str, Any], position: Position, photo: Photo | None
) -> Iterator[tuple[str, str]]:
    broken = [v for v in position.game.check(position.state).violations if v.certain]
    if broken:
        rules = ", ".join(f"[{rule}]" for rule in dict.fromkeys(v.rule for v in broken))
        yield "rules-broken", f"the position breaks {rules}: {broken[0].message} Fine if it lies so in the photo."
    if truth.get("corners") is None:
        yield (
            "corners-missing",
            'it has no "corners", which training needs; export it from the app, or let --read find them.',
        )
        return
    corners = corners_of(truth["corners"])
    if corners is None:
        yield "corners-invalid", f'"corners" {CORNERS_WANTED}'
    elif photo is not None:
        yield from _size_mismatch(truth, photo)
        yield from corner_problems(corners, photo.full_size, field_size(truth), label.focal)


def _size_mismatch(truth: Mapping[str, Any], photo: Photo) -> Iterator[tuple[str, str]]:
    camera = truth.get("camera")
    told = (camera.get("width"), camera.get("height")) if isinstance(camera, dict) else (None, None)
    if None not in told and told != photo.full_size:
        sizes = f"{told[0]} x {told[1]} pixels, but it has {photo.full_size[0]} x {photo.full_size[1]}"
        yield "size-mismatch", f"the label is of a photo of {sizes}; use the original, or mark the corners again."


# --- labels among each other ------------------------------------------------------------------


def with_duplicates(labels: Sequence[Label]) -> list[Label]:
    """The labels, where photos that are there twice know of each other."""
    twins: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        if label.fingerprint and label.truth is not None:
            twins[label.fingerprint].append(label)
    return [_with_twins(label, twins.get(label.fingerprint, [])) for label in labels]


def _with_twins(label: Label, twins: Sequence[Label]) -> Label:
    others = [twin for twin in twins if twin is not label]
    if not others:
        return label
    if any(twin.position != label.position for twin in others):
        other = next(twin for twin in others if twin.position != label.position)
        told = f"{other.state} says something else about the very same photo; keep the one that is right."
        problem = Problem(label.state, "contradiction", told)
    else:
        problem = Problem(label.photo, "same-photo", f"{others[0].photo} is the same photo; one of them is enough.")
    return replace(label, problems=(*label.problems, problem))


def counts(labels: Iterable[Label]) -> dict[tuple[str, str], int]:
    """How many usable labels there are of each game and profile."""
    return dict(sorted(Counter((label.game, label.profile) for label in labels if label.usable).items()))


# --- files ------------------------------------------------------------------------------------


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))


def _is_photo(path: Path) -> bool:
    return path.suffix.lower() in PHOTO_SUFFIXES and not path.stem.endswith(OVERLAY)


def _is_state(path: Path) -> bool:
    """Whether a JSON file without a photo means to be a state; there are other files than ours."""
    try:
        return "game" in read_truth(path)
    except CityscanError:
        return False


def _unused(extra: Path, used: Path) -> Problem:
    return Problem(extra, "two-photos", f"the state beside it is taken for that of {used.name}; give it another name.")


def _fingerprint(photo: Photo) -> str:
    """The same for photos that show the same pixels, whatever else is in their files."""
    return hashlib.sha256(repr(photo.full_size).encode() + photo.pixels.tobytes()).hexdigest()


def _name_of(position: Position) -> str:
    """The same for states that say the same about the table, whatever they say about rules, players and sides."""
    turns = [position.game.dump(turn) for turn in position.game.turns(position.state)]
    seen = [json.dumps({key: turn.get(key) for key in ON_THE_TABLE}, sort_keys=True) for turn in turns]
    return hashlib.sha256(min(seen).encode()).hexdigest()
