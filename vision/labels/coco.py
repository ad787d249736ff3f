"""Labels as one COCO file: images, boxes with outlines, and the board with its corners as keypoints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from vision.labels.boxes import BOARD, CATEGORIES, Box
from vision.labels.export import Exported

KEYPOINTS: Final = ("north-west", "north-east", "south-east", "south-west")
# COCO's own numbers for keypoints that are not in the picture and for those that can be seen.
NOT_THERE: Final = 0
SEEN: Final = 2
# COCO counts from 1.
_NUMBERS: Final = {name: number for number, name in enumerate(CATEGORIES, start=1)}


def coco_document(items: Sequence[Exported], folder: Path) -> dict[str, Any]:
    """The COCO JSON of exported labels; file names are relative to ``folder``, the one that was labelled."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, item in enumerate(items, start=1):
        label = item.label
        width, height = label.photo_size
        name = label.photo.relative_to(folder).as_posix()
        images.append({"id": number, "file_name": name, "width": width, "height": height, "split": item.side})
        for box in item.boxes:
            annotation = {"id": len(annotations) + 1, "image_id": number, **_annotation(box)}
            if box.category == BOARD:
                annotation |= _keypoints(item)
            annotations.append(annotation)
    about = "Boards and pieces labelled with Cityscan. Pixels count in the upright photo, from its top left edge."
    return {
        "info": {"description": about, "version": "1"},
        "licenses": [],
        "images": images,
        "annotations": annotations,
        "categories": categories(),
    }


def categories() -> list[dict[str, Any]]:
    """All categories with their numbers."""
    found: list[dict[str, Any]] = [
        {"id": _NUMBERS[name], "name": name, "supercategory": game} for name, game in CATEGORIES.items()
    ]
    for category in found:
        if category["name"] == BOARD:
            category |= {"keypoints": list(KEYPOINTS), "skeleton": [[1, 2], [2, 3], [3, 4], [4, 1]]}
    return found


def _annotation(box: Box) -> dict[str, Any]:
    left, top, right, bottom = box.bounds
    return {
        "category_id": _NUMBERS[box.category],
        "bbox": [_short(left), _short(top), _short(right - left), _short(bottom - top)],
        "area": _short(box.area),
        "segmentation": [[_short(value) for value in box.outline.ravel()]],
        "iscrowd": 0,
        "attributes": dict(box.facts),
    }


def _keypoints(item: Exported) -> dict[str, Any]:
    assert item.label.truth is not None
    width, height = item.label.photo_size
    values: list[float] = []
    seen = 0
    for x, y in item.label.truth["corners"]:
        inside = 0 <= x + 0.5 <= width and 0 <= y + 0.5 <= height
        seen += inside
        values += [_short(x + 0.5), _short(y + 0.5), SEEN] if inside else [0, 0, NOT_THERE]
    return {"keypoints": values, "num_keypoints": seen}


def _short(value: float) -> float:
    return round(float(value), 2)
