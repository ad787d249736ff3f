"""Blender's Python module, loaded only when a picture is wanted; nothing else imports it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from engine.errors import Unsupported

MISSING = (
    "The blender back end needs Python 3.11 and the extra [synth] (this is Python {version}, Blender's module {found}): "
    "install it with  python3.11 -m pip install 'cityscan[synth]'  or use --backend fast."
)


@cache
def load() -> Any:
    """Blender's module ``bpy``, or a sentence that says how to get it."""
    found = importlib.util.find_spec("bpy") is not None
    if sys.version_info[:2] != (3, 11) or not found:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise Unsupported(MISSING.format(version=version, found="is there" if found else "is missing"))
    try:
        with silence():
            return importlib.import_module("bpy")
    except (ImportError, OSError) as problem:
        raise Unsupported(
            f"Blender's module is installed but does not start ({problem}); use --backend fast."
        ) from None


@contextmanager
def silence() -> Iterator[None]:
    """Blender writes progress and complaints about missing sound straight to the process's output; keep them out."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [(number, os.dup(number)) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number, _ in kept:
            os.dup2(nowhere, number)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)
        os.close(nowhere)
