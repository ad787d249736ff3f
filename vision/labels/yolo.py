"""Labels as a YOLO folder: images and boxes for training and validation, and ``data.yaml``."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import yaml

from engine.errors import Unreadable, UsageError
from vision.labels.boxes import CATEGORIES, Box
from vision.labels.export import TRAIN, VAL, Exported, stored_as_seen, upright_jpeg

_NUMBERS: Final = {name: number for number, name in enumerate(CATEGORIES)}


def write_yolo(items: Sequence[Exported], folder: Path, out: Path) -> None:
    """Write a new folder ``out`` with the exported labels of ``folder``.

    Photos are linked where that is possible and copied where not; those that lie on their side or that trainers
    cannot open are written anew, upright.
    """
    refuse_unfit_folder(folder, out)
    try:
        for side in (TRAIN, VAL):
            for part in ("images", "labels"):
                (out / part / side).mkdir(parents=True, exist_ok=True)
        for item in items:
            name = _flat_name(item.label.photo.relative_to(folder))
            _put_photo(item.label.photo, out / "images" / item.side, name)
            lines = "".join(f"{line_of(box, item.label.photo_size)}\n" for box in item.boxes)
            (out / "labels" / item.side / f"{name}.txt").write_text(lines, encoding="utf-8")
        (out / "data.yaml").write_text(data_yaml(), encoding="utf-8")
    except OSError as error:
        raise Unreadable(f'"{out}" cannot be written ({error.strerror}); choose another folder.') from None


def refuse_unfit_folder(folder: Path, out: Path) -> None:
    """Raises UsageError for a folder that would mix this export with something else."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f'"{out}" is not an empty folder; a photo of an earlier export could be on the other side.')
    if folder.resolve() in (out.resolve(), *out.resolve().parents):
        raise UsageError(f'"{out}" lies in the labelled folder; its copies would be taken for photos. Choose another.')


def data_yaml() -> str:
    """What trainers read first: where everything is (from this file, so the folder can be moved), and the classes."""
    about = {"train": f"images/{TRAIN}", "val": f"images/{VAL}", "names": dict(enumerate(CATEGORIES))}
    return yaml.safe_dump(about, sort_keys=False)


def line_of(box: Box, photo_size: tuple[int, int]) -> str:
    """Class, middle, width and height, the latter four as shares of the photo."""
    width, height = photo_size
    left, top, right, bottom = box.bounds
    values = ((left + right) / 2 / width, (top + bottom) / 2 / height, (right - left) / width, (bottom - top) / height)
    return " ".join([str(_NUMBERS[box.category]), *(f"{value:.6f}" for value in values)])


def _flat_name(photo: Path) -> str:
    """A name without folders that no other photo of the export has.

    Trainers find labels by replacing "images" in a path, so folders of that name must not occur below it. What
    joins the parts is doubled in them, so that a+b/c and a/b+c stay apart, and written as %2B at their ends, so that
    a+/b and a/+b do.
    """
    parts = (part.replace("%", "%25") for part in photo.with_suffix("").parts)
    return "+".join(re.sub(r"^\+|\+$", "%2B", part).replace("+", "++") for part in parts)


def _put_photo(photo: Path, into: Path, name: str) -> None:
    if not stored_as_seen(photo):
        (into / f"{name}.jpg").write_bytes(upright_jpeg(photo))
        return
    target = into / f"{name}{photo.suffix.lower()}"
    try:
        os.link(photo.resolve(), target)  # takes no room, and does not break when the folder is moved
    except OSError:
        shutil.copyfile(photo, target)
