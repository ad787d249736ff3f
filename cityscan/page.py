"""Opens the page: Streamlit on this machine only, without usage statistics."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from engine.errors import Unsupported


def open_page() -> int:
    """Serve ``app.py`` until the user stops it; returns Streamlit's exit code."""
    found = importlib.util.find_spec("app")
    if found is None or found.origin is None:
        raise Unsupported("the page (app.py) is not installed; install Cityscan again.")
    command = [sys.executable, "-m", "streamlit", "run", found.origin]
    command += ["--server.address", "localhost", "--browser.gatherUsageStats", "false"]
    return subprocess.call(command)
