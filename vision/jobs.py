"""Many inputs at once: results in their order, and one that fails never stops the others.

Every command with ``--jobs`` works through ``in_order``. joblib's processes are started afresh and not forked, which
neither OpenCV nor Blender would like.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from engine.errors import CityscanError

T = TypeVar("T")
R = TypeVar("R")

INTERRUPTED = 130


class WorkerDied(CityscanError):
    """The process that worked on an input was ended from outside."""

    kind = "internal"


def add_jobs_option(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """``--jobs N``; without a default it is one process for each core."""
    usual = "one a core" if default is None else str(default)
    chosen = os.cpu_count() or 1 if default is None else default
    parser.add_argument("--jobs", type=_at_least_one, default=chosen, metavar="N", help=f"processes ({usual})")


def in_order(work: Callable[[T], R], items: Sequence[T], jobs: int, failed: Callable[[T, Exception], R]) -> Iterator[R]:
    """What ``work`` makes of every item, in order; ``failed`` says what stands for one that it could not do.

    With one job everything happens in this process. A process that dies (out of memory, a decoder that crashes)
    costs the item that killed it and no other.
    """
    attempt = _Attempt(work, failed)
    if min(jobs, len(items)) <= 1:
        yield from map(attempt, items)
        return
    from joblib.externals.loky.process_executor import BrokenProcessPool

    done = 0
    while done < len(items):
        try:
            for result in _in_processes(attempt, items[done:], jobs):
                done += 1
                yield result
        except BrokenProcessPool:
            # One of the next few killed its process: those that come first are tried by themselves until it is found.
            yield _by_itself(attempt, items[done])
            done += 1


@contextmanager
def progress_bar(what: str, total: int, *, shown: bool = True) -> Iterator[Callable[[], None]]:
    """Counts on standard error, where that is a terminal; the function that it hands out counts one more."""
    if not (shown and sys.stderr.isatty()):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # What is printed meanwhile stays on its own stream: answers belong on standard output.
    with Progress(
        *columns, TextColumn("left"), TimeLeft(), console=Console(stderr=True), redirect_stdout=False
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


class _Attempt:
    """The work on one item, whose failure is a result as well. (A class, because it travels to other processes.)"""

    def __init__(self, work: Callable[[Any], Any], failed: Callable[[Any, Exception], Any]) -> None:
        self.work, self.failed = work, failed

    def __call__(self, item: Any) -> Any:
        try:
            return self.work(item)
        except Exception as error:
            if os.environ.get("CITYSCAN_DEBUG") and not isinstance(error, CityscanError):
                raise
            return self.failed(item, error)


def _in_processes(attempt: _Attempt, items: Sequence[Any], jobs: int) -> Iterator[Any]:
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=min(jobs, len(items)), return_as="generator", initializer=_quiet_interrupt)
    results = pool(delayed(attempt)(item) for item in items)
    try:
        for result in results:  # noqa: UP028  ("yield from" would close the results before the lines below do)
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # stopping early, as by Ctrl-C, is no reason for a warning
            results.close()


def _by_itself(attempt: _Attempt, item: Any) -> Any:
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        # With one job joblib would stay in this process, and a crash would end it.
        return Parallel(n_jobs=2, initializer=_quiet_interrupt)([delayed(attempt)(item)])[0]
    except BrokenProcessPool:
        return attempt.failed(
            item, WorkerDied("the process that worked on it was ended (out of memory?); try it again with --jobs 1.")
        )


def _quiet_interrupt() -> None:
    """Ctrl-C reaches every process; the workers just end, and the first one says so."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of processes such as 2')
    return int(text)
