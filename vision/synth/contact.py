"""Contact sheets: many photos of a folder in one picture, or many crops of single lots, to look at.

python -m vision.synth.contact DIR OUT.jpg --columns 8 --width 320
python -m vision.synth.contact DIR OUT.jpg --crops --seed 3
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from PIL import Image, ImageOps

from engine.errors import CityscanError, Unreadable
from vision.labels.overlay import OVERLAY
from vision.synth.scene import Picture
from vision.synth.turning import field_size

_CROP: Final = 64
_ENLARGED: Final = 2
_RIM: Final = 4


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.synth.contact", description="Make a contact sheet.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--width", type=int, default=320, help="pixels of each photo")
    parser.add_argument("--overlays", action="store_true", help="the photos with their truth drawn in")
    parser.add_argument("--crops", action="store_true", help="crops of single lots, 64 pixels, enlarged")
    parser.add_argument("--seed", type=int, default=0, help="which crops")
    parser.add_argument("--first", type=int, default=0, help="skip that many photos")
    parser.add_argument("--count", type=int, default=40, help="at most that many photos")
    options = parser.parse_args(arguments)
    try:
        if options.crops:
            sheet = crop_sheet(options.folder, options.columns, options.count, options.seed)
        else:
            sheet = contact_sheet(
                options.folder, options.columns, options.width, options.first, options.count, options.overlays
            )
    except CityscanError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    Image.fromarray(sheet).save(options.out, quality=90)
    return 0


def photos_in(folder: Path) -> list[Path]:
    """The photos that have a truth beside them, in order."""
    found = sorted(path for path in folder.glob("*.jpg") if path.with_suffix(".json").exists())
    if not found:
        raise Unreadable(f'there are no photos with a truth beside them in "{folder}".')
    return found


def contact_sheet(
    folder: Path, columns: int, width: int, first: int = 0, count: int = 40, overlays: bool = False
) -> Picture:
    """Photos side by side, each fitted into a frame of 4 : 3."""
    height = width * 3 // 4
    tiles = []
    for path in photos_in(folder)[first : first + count]:
        chosen = path.with_suffix(f"{OVERLAY}.jpg") if overlays else path
        if not chosen.exists():
            raise Unreadable(f'"{chosen.name}" is not there; make the photos with --overlay.')
        image = ImageOps.contain(upright_image(chosen), (width, height))
        tile = np.full((height, width, 3), 24, dtype=np.uint8)
        top, left = (height - image.height) // 2, (width - image.width) // 2
        tile[top : top + image.height, left : left + image.width] = np.asarray(image)
        tiles.append(tile)
    return _side_by_side(tiles, columns)


def crop_sheet(folder: Path, columns: int, count: int, seed: int) -> Picture:
    """Random lots, each as a square of 64 pixels cut out along its own edges, enlarged without smoothing."""
    rng = np.random.default_rng(seed)
    paths = [path for path in photos_in(folder) if _truth(path)["game"] is not None]
    tiles = []
    for number in rng.integers(len(paths), size=count if paths else 0):
        path = paths[int(number)]
        crop = _some_lot(np.asarray(upright_image(path)), _truth(path), rng)
        tiles.append(np.repeat(np.repeat(crop, _ENLARGED, axis=0), _ENLARGED, axis=1))
    return _side_by_side(tiles, columns)


def upright_image(path: Path) -> Image.Image:
    """The photo as a viewer shows it."""
    return ImageOps.exif_transpose(Image.open(path)).convert("RGB")


def _truth(path: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(path.with_suffix(".json").read_text())
    return truth


def _some_lot(photo: Picture, truth: dict[str, Any], rng: np.random.Generator) -> Picture:
    """A lot with half a lot around it, so that tall pieces are in the crop too."""
    columns, rows = field_size(truth)
    column, row = int(rng.integers(columns)), int(rng.integers(rows))
    field = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32)
    to_photo = cv2.getPerspectiveTransform(field, np.array(truth["corners"], dtype=np.float32))
    box = np.array([[column - 0.5, row - 0.5], [column + 1.5, row - 0.5], [column + 1.5, row + 1.5]])
    corners = cv2.perspectiveTransform(box[None].astype(np.float32), to_photo)[0]
    target = np.array([[0, 0], [_CROP, 0], [_CROP, _CROP]], dtype=np.float32)
    to_crop = cv2.getAffineTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpAffine(photo, to_crop, (_CROP, _CROP), flags=cv2.INTER_AREA), dtype=np.uint8)


def _side_by_side(tiles: list[Picture], columns: int) -> Picture:
    if not tiles:
        raise Unreadable("there is nothing to show.")
    height, width = tiles[0].shape[:2]
    rows = -(-len(tiles) // columns)
    sheet = np.zeros((rows * (height + _RIM), min(columns, len(tiles)) * (width + _RIM), 3), dtype=np.uint8)
    for number, tile in enumerate(tiles):
        top, left = number // columns * (height + _RIM), number % columns * (width + _RIM)
        sheet[top : top + height, left : left + width] = tile
    return sheet


if __name__ == "__main__":
    sys.exit(main())
