"""The labelled photos of a folder that an own set can be learnt from, and why the others cannot."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from engine.errors import CityscanError, Unreadable
from engine.fields import Field
from engine.game import game as rules_of
from vision.labelled import labelled_files, read_truth
from vision.labels.corners import corners_of
from vision.reader import readable_games
from vision.training.examples import Example


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
    found: dict[str, Labelled] = {}
    left_out = []
    for photo, truth in labelled_files(folder):
        try:
            example = Example(photo, read_truth(truth))
            if example.truth.get("game", "") is None:
                continue
            _check(example)
        except CityscanError as error:
            left_out.append(LeftOut(photo, error.message))
            continue
        digest = hashlib.sha256(photo.read_bytes() + truth.read_bytes()).hexdigest()
        # The same photo under two names would be learnt from and held out at once.
        found.setdefault(digest, Labelled(example, digest))
    if not found and not left_out:
        raise Unreadable(f'no photo in "{folder}" has its position beside it (table.jpg with table.json).')
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
