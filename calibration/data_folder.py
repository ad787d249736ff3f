"""Where Cityscan keeps what belongs to the user: profiles of own sets, saved games."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """``$CITYSCAN_DATA``, else the place that the system has for such data (the folder need not exist)."""
    chosen = os.environ.get("CITYSCAN_DATA")
    if chosen:
        return Path(chosen)
    return _usual_place() / "cityscan"


def _usual_place() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
