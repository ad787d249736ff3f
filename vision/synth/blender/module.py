"""Blender's Python module, loaded only when a picture is wanted; nothing else imports it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import Unsupported, UsageError

THREADS = "CITYSCAN_BLENDER_THREADS"

MISSING = (
    "The blender back end needs Python 3.11 and the extra [synth] "
    "(this is Python {version}, and Blender's module {found}): "
    "install it with  python3.11 -m pip install 'cityscan[synth]'  or use --backend fast."
)


def threads_wished() -> int:
    """How many threads a render may take, by the variable CITYSCAN_BLENDER_THREADS; 0 = one for each core."""
    text = os.environ.get(THREADS, "0")
    if not text.isdecimal():
        raise UsageError(f"{THREADS} must be a whole number of threads (0 = all), not {text!r}.")
    return int(text)


def load(threads: int | None = None) -> Any:
    """Blender's module ``bpy``, or a sentence that says how to get it. Loaded for 1 thread it keeps to one core."""
    threads = threads_wished() if threads is None else threads
    found = importlib.util.find_spec("bpy") is not None
    if sys.version_info[:2] != (3, 11) or not found:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise Unsupported(MISSING.format(version=version, found="is there" if found else "is missing"))
    try:
        with silence(), _one_core_in_sight(threads == 1 and "bpy" not in sys.modules):
            return importlib.import_module("bpy")
    except (ImportError, OSError) as problem:
        sentence = f"Blender's module is installed but does not start ({problem}); use --backend fast."
        raise Unsupported(sentence) from None


@contextmanager
def _one_core_in_sight(wanted: bool) -> Iterator[None]:
    """Blender's task library counts the cores when it is loaded and starts a helper thread for every further one, which
    then spins through each render even if one thread was asked for: half as much work again for nothing."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


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
