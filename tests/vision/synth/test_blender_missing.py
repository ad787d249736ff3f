"""Without Blender's module there is a sentence, and nothing else of the project notices."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from typing import Any

import pytest

from engine.errors import Unsupported, UsageError
from vision.synth.blender import module


def test_missing_module_is_a_sentence_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "bpy" else real(name, *rest))
    with pytest.raises(Unsupported) as raised:
        module.load()
    for hint in ("[synth]", "Python 3.11", "pip install", "--backend fast", "is missing"):
        assert hint in raised.value.message


def test_other_python_versions_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Version(tuple[Any, ...]):
        major, minor = 3, 12

    monkeypatch.setattr(sys, "version_info", Version((3, 12, 1)))
    with pytest.raises(Unsupported, match=r"this is Python 3\.12"):
        module.load()


def test_module_that_does_not_start_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> None:
        raise ImportError("libX11 is missing")

    monkeypatch.setattr(module.sys, "version_info", (3, 11, 0))
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(module.importlib, "import_module", broken)
    with pytest.raises(Unsupported, match=r"libX11 is missing.*--backend fast"):
        module.load()


def test_threads_that_are_no_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.THREADS, "two")
    with pytest.raises(UsageError, match=module.THREADS):
        module.threads_wished()
    monkeypatch.setenv(module.THREADS, "2")
    assert module.threads_wished() == 2
    monkeypatch.delenv(module.THREADS)
    assert module.threads_wished() == 0


def test_importing_the_back_end_does_not_import_blender() -> None:
    code = "import sys, vision.synth.blender; sys.exit('bpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_silence_keeps_out_what_is_written_past_python(capfd: pytest.CaptureFixture[str]) -> None:
    with module.silence():
        os.write(1, b"Fra:1 Mem:30M")
        os.write(2, b"Unable to initialise audio")
    print("after")
    assert capfd.readouterr() == ("after\n", "")
