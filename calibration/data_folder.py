"""Where Cityscan keeps what belongs to the user: profiles of own sets, lenses, saved games."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.errors import Unreadable


def data_folder() -> Path:
    """``$CITYSCAN_DATA``, else the place that the system has for such data (the folder need not exist)."""
    chosen = os.environ.get("CITYSCAN_DATA")
    if chosen:
        return Path(chosen)
    return _usual_place() / "cityscan"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file there, under another name first, so that nobody ever sees half of it."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(unfinished, path)
    except OSError as error:
        raise Unreadable(
            f"{path} could not be written ({error.strerror}); free some space or set CITYSCAN_DATA."
        ) from None


def _usual_place() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
