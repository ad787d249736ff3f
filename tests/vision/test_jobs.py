"""Many inputs at once: in order, in one process or several, and nothing stops the rest."""

from __future__ import annotations

import argparse
import io
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from calibration.toml_reader import ProfileError
from engine.errors import CityscanError, InvalidState, UsageError
from vision.jobs import WorkerDied, add_jobs_option, in_order, progress_bar


def halves(number: int) -> str:
    """Work with every kind of accident: 13 is refused, 14 is a mistake of the program."""
    if number == 13:
        raise InvalidState("number", "thirteen is refused.")
    if number == 14:
        raise ValueError("fourteen")
    if number == 15:
        os._exit(9)  # as a crash of a decoder would
    time.sleep(0.02 * (number % 3))  # later ones are often ready first
    return f"{number / 2}"


def told(number: int, error: Exception) -> str:
    return f"{number}: {type(error).__name__} {error}"


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_failures_stop_nothing(jobs: int) -> None:
    found = list(in_order(halves, [20, 16, 13, 11, 10, 9, 14, 8], jobs, told))
    refused, mistaken = "13: InvalidState number: thirteen is refused.", "14: ValueError fourteen"
    assert found == ["10.0", "8.0", refused, "5.5", "5.0", "4.5", mistaken, "4.0"]


def test_a_process_that_dies_costs_its_own_item_only() -> None:
    items = [2, 15, 4, 6, 15, 8]
    found = list(in_order(halves, items, 2, told))
    assert [text.split(":")[0] for text in found] == ["1.0", "15", "2.0", "3.0", "15", "4.0"]
    assert found[1].startswith("15: WorkerDied")
    assert "--jobs 1" in found[1]


def test_results_are_handed_on_as_they_are_ready() -> None:
    """One process does not look ahead: what was answered is printed before the next input is opened."""
    begun: list[int] = []
    results = in_order(lambda n: begun.append(n) or n, [1, 2, 3], 1, lambda n, _: n)
    assert next(results) == 1
    assert begun == [1]


def test_nothing_to_do() -> None:
    assert list(in_order(halves, [], 4, told)) == []


def test_debugging_shows_where_mistakes_happen_but_not_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSCAN_DEBUG", "1")
    assert list(in_order(halves, [13], 1, told)) == ["13: InvalidState number: thirteen is refused."]
    with pytest.raises(ValueError, match="fourteen"):
        list(in_order(halves, [14], 1, told))


@pytest.mark.parametrize(
    "error",
    [
        CityscanError("plain"),
        UsageError("a subclass with its own exit code"),
        InvalidState("tiles[3].rank", "two arguments"),
        ProfileError("my.toml", "tiles", "three arguments"),
        WorkerDied("gone"),
    ],
)
def test_errors_travel_between_processes(error: CityscanError) -> None:
    error.message = f"--setup: {error.message}"  # as commands do
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (copy.message, copy.kind, copy.exit_code, copy.args) == (
        error.message,
        error.kind,
        error.exit_code,
        error.args,
    )
    assert vars(copy) == vars(error)


def _group_ends(group: int, within: float = 15.0) -> bool:
    """Whether nobody of a group of processes is left after a while (the system buries them when it likes)."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


STOPPED = """
    import sys, time
    from vision.jobs import in_order
    if __name__ == "__main__":
        try:
            for result in in_order(time.sleep, [0.1] * 2 + [30] * 4, {jobs}, lambda *_: "failed"):
                print("ready", flush=True)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_all_processes_without_a_word(tmp_path, jobs: int) -> None:
    script = tmp_path / "long.py"
    script.write_text(textwrap.dedent(STOPPED.format(jobs=jobs)))
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    run = subprocess.Popen(
        [sys.executable, script], stdout=-1, stderr=-1, text=True, env=environment, start_new_session=True
    )
    assert run.stdout is not None
    assert [run.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
    os.killpg(run.pid, signal.SIGINT)  # the terminal sends it to the whole group
    began = time.monotonic()
    out, err = run.communicate(timeout=20)
    assert time.monotonic() - began < 10
    assert (out, err) == ("", "stopped\n")
    assert _group_ends(run.pid)


def test_progress_is_shown_on_terminals_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("photos", 2) as advance:
        advance()
    assert capsys.readouterr() == ("", "")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    for shown in (True, False):
        monkeypatch.setattr(sys, "stderr", terminal := Terminal())
        with progress_bar("photos", 2, shown=shown) as advance:
            advance()
            print("an answer")
        assert ("1/2" in terminal.getvalue()) == shown
        assert "an answer" not in terminal.getvalue()
    assert capsys.readouterr().out == "an answer\n" * 2


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", ""])
def test_impossible_numbers_of_processes(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_jobs_option(parser)
    assert parser.parse_args(["--jobs", "3"]).jobs == 3
    assert parser.parse_args([]).jobs == (os.cpu_count() or 1)
    with pytest.raises(SystemExit):
        parser.parse_args([f"--jobs={text}"])
    assert "is not a number of processes" in capsys.readouterr().err
