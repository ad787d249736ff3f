"""The labelled photos of a folder that an own set can be learnt from, and why the others cannot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import CityscanError, Unreadable
from engine.fields import Field
from engine.game import game as rules_of
from vision.labelled import labelled_files, read_truth
from vision.labels.corners import corners_of
from vision.reader import readable_games
from vision.training.examples import Example

Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A photo that nothing can be learnt from, and the sentence why."""

    photo: Path
    problem: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photo to learn from; the digest is of photo and truth together."""

    example: Example
    digest: str

    @property
    def game(self) -> str:
        return str(self.example.game)


def labelled_in(folder: Path) -> tuple[list[Labelled], list[LeftOut]]:
    """All photos of a folder that can be learnt from, and all others but those without a board."""
    if not folder.is_dir():
        raise Unreadable(f'"{folder}" is not a folder.')
    photos, left_out = labelled_among(labelled_files(folder))
    if not photos and not left_out:
        raise Unreadable(f'no photo in "{folder}" has its position beside it (table.jpg with table.json).')
    return photos, left_out


def labelled_among(
    files: Iterable[tuple[Path, Path]], corners: Corners | None = None
) -> tuple[list[Labelled], list[LeftOut]]:
    """Of these photos with their truth those that can be learnt from, and all others but those without a board.
    ``corners`` count before what the truth says."""
    found: dict[str, Labelled] = {}
    left_out = []
    for photo, truth in files:
        try:
            stated = read_truth(truth)
            if stated.get("game", "") is None:
                continue
            given = [] if corners is None else [[float(x), float(y)] for x, y in corners]
            example = Example(photo, {**stated, "corners": given} if given else stated)
            _check(example)
        except CityscanError as error:
            left_out.append(LeftOut(photo, error.message))
            continue
        content = photo.read_bytes() + truth.read_bytes() + (json.dumps(given).encode() if given else b"")
        digest = hashlib.sha256(content).hexdigest()
        # The same photo under two names would be learnt from and held out at once.
        found.setdefault(digest, Labelled(example, digest))
    return list(found.values()), left_out


def _check(example: Example) -> None:
    state = dict(example.truth)
    if state.get("game") not in readable_games():
        raise Unreadable(f"the state is of no game whose photos can be read ({', '.join(readable_games())}).")
    rules_of(str(state["game"])).load(Field(state))
    if corners_of(state.get("corners")) is None:
        raise Unreadable(
            "the state does not say where the board is; let cityscan label --read find its corners, "
            "or export the game from the page."
        )
