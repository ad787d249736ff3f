"""The recipe's photos: which are ordered, that they are made once, and that nobody learns from those for judging."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from calibration.profiles import load_profile
from engine.errors import Unsupported
from engine.game import game_names
from vision.synth.blender import module
from vision.training import photo_sets, recipe, test_sets
from vision.training.photo_sets import order_of, render_sets
from vision.training.recipe import PhotoSet

SMALL = PhotoSet("small", "city-blocks", 3, 5, size=(160, 120), negatives="none")


def test_test_sets_have_the_promised_number_of_photos():
    boards = Counter({(p.game, p.backend): p.count for p in recipe.TEST if p.negatives == "none"})
    assert boards["alien-city", "fast"] >= 100
    assert boards["alien-city", "blender"] >= 100
    for game in ("city-blocks", "sprawl"):
        assert boards[game, "fast"] + boards[game, "blender"] == 150
    assert sum(p.count for p in recipe.TEST if p.negatives == "only") == 200


def test_test_photos_show_held_out_sets_only():
    for photos in recipe.TEST:
        profiles = order_of(photos).profiles
        assert profiles
        assert all(load_profile(name).held_out for name in profiles), photos.name
    assert {photos.game for photos in recipe.TEST} == set(game_names())


def test_folders_are_filled_once(tmp_path, capsys):
    assert render_sets([SMALL], tmp_path, jobs=1) == 0
    truths = sorted((tmp_path / "small").glob("city-blocks-*.json"))
    assert [json.loads(truth.read_text())["game"] for truth in truths] == ["city-blocks"] * 3
    times = [truth.stat().st_mtime_ns for truth in truths]
    assert render_sets([SMALL], tmp_path, jobs=1) == 0
    assert "All 3 photos" in capsys.readouterr().out
    assert [truth.stat().st_mtime_ns for truth in truths] == times
    truths[1].unlink()
    assert render_sets([SMALL], tmp_path, jobs=1) == 0
    assert "2 of 3 photos are there" in capsys.readouterr().out


def test_without_blender_path_traced_sets_are_left_out_with_a_sentence(tmp_path, monkeypatch, capsys):
    def missing():
        raise Unsupported("Blender is missing: install it.")

    monkeypatch.setattr(module, "load", missing)
    one = replace(SMALL, count=1)
    assert render_sets([replace(one, name="traced", backend="blender"), one], tmp_path, jobs=1) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    told = capsys.readouterr().out
    assert "traced: left out. Blender is missing: install it." in told
    # The fast set was not waiting behind the path-traced one.
    assert told.index("small: 1 photos") < told.index("traced: left out")


def test_the_command_makes_what_it_is_asked_for(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(test_sets, "render_sets", lambda sets, folder, jobs: asked.append((sets, folder, jobs)) or 0)
    assert test_sets.main([str(tmp_path), "--only", "sprawl-fast", "--jobs", "1"]) == 0
    assert test_sets.main([str(tmp_path)]) == 0
    (sets, folder, jobs), (all_sets, _, _) = asked
    assert [photos.name for photos in sets] == ["sprawl-fast"]
    assert (folder, jobs) == (tmp_path, 1)
    assert all_sets == list(recipe.TEST)


def test_a_folder_of_other_photos_is_refused_in_a_sentence(tmp_path, capsys):
    (tmp_path / "sprawl-fast").mkdir()
    (tmp_path / "sprawl-fast" / "holiday.jpg").write_bytes(b"")
    assert test_sets.main([str(tmp_path), "--only", "sprawl-fast"]) == 2
    assert "holds photos that were not made here" in capsys.readouterr().err


def test_interrupting_ends_all_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(photo_sets, "fill_folder", lambda *_: photo_sets.INTERRUPTED)
    assert render_sets([SMALL, SMALL], tmp_path) == photo_sets.INTERRUPTED


@pytest.mark.parametrize("wrong", [["--jobs", "0"], ["--only", "moon"]])
def test_wrong_arguments(tmp_path, wrong):
    with pytest.raises(SystemExit) as refused:
        test_sets.main([str(tmp_path), *wrong])
    assert refused.value.code == 2
