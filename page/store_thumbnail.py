"""The small picture of a saved game: its photo, or its board drawn where there is no photo."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from engine.documents import position_from_document
from engine.errors import CityscanError
from page.boards import board_kind
from page.drawing import board_picture
from page.saved_game import SavedGame
from vision.photo import load_photo

SIDE: Final = 320
QUALITY: Final = 80


def thumbnail_of(game: SavedGame) -> bytes | None:
    """A JPEG of at most 320 pixels a side without metadata; None where nothing can be shown. Never fails:
    a game must not be lost for want of a small picture."""
    try:
        image = _photo(game.photo) if game.photo is not None else _drawing(game)
    except CityscanError:
        return None
    image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _photo(photo: bytes) -> Image.Image:
    return Image.fromarray(load_photo(photo, working_side=SIDE).pixels)


def _drawing(game: SavedGame) -> Image.Image:
    position = position_from_document(dict(game.state))
    return board_picture(board_kind(position.game.name), position.state, SIDE)
