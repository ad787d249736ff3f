"""``cityscan synth`` as a user calls it: folders that go on where they stopped, and sentences when they cannot."""

from __future__ import annotations

import argparse
import json

import pytest

from engine.errors import CityscanError, UsageError
from vision.synth import command, contact, dataset
from vision.synth.dataset import MANIFEST, frame_name

SMALL = ["--size", "160x120"]


def call(*arguments):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    command.add_arguments(parser)
    return command.run(parser.parse_args([*map(str, arguments)]))


def synth(folder, count=3, game="city-blocks", seed=5, *more):
    return call("--game", game, "--count", count, "--seed", seed, "--out", folder, *SMALL, *more)


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != MANIFEST}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Four photos made in one go by one process."""
    folder = tmp_path_factory.mktemp("whole") / "photos"
    assert synth(folder, 4, "city-blocks", 5, "--jobs", 1) == 0
    return folder


def test_photos_and_truth_lie_side_by_side(whole):
    names = [frame_name("city-blocks", frame) for frame in range(4)]
    assert names[3] == "city-blocks-00003"
    assert sorted(files(whole)) == sorted(f"{name}{ending}" for name in names for ending in (".jpg", ".json"))
    manifest = json.loads((whole / MANIFEST).read_text())
    assert manifest["count"] == 4
    assert manifest["arguments"]["seed"] == 5
    assert manifest["arguments"]["size"] == "160x120"
    truth = json.loads((whole / "city-blocks-00000.json").read_text())
    assert truth["seed"] == 5
    assert truth["backend"] == "fast"


def test_processes_make_no_difference(whole, tmp_path):
    assert synth(tmp_path, 4, "city-blocks", 5, "--jobs", 2) == 0
    assert files(tmp_path) == files(whole)


def test_an_interrupted_folder_is_finished_with_the_same_photos(whole, tmp_path, monkeypatch, capsys):
    real = dataset.make_frame

    def interrupted(folder, order, frame, overlay):
        if frame == 2:
            raise KeyboardInterrupt
        return real(folder, order, frame, overlay)

    monkeypatch.setattr(dataset, "make_frame", interrupted)
    assert synth(tmp_path, 4, "city-blocks", 5, "--jobs", 1) == 130
    assert "Stopped after 2 new photos; run the same command again" in capsys.readouterr().err
    assert len(files(tmp_path)) == 4
    # A photo whose truth was not written yet, half a file of a killed process, a truth without its photo:
    (tmp_path / "city-blocks-00001.json").unlink()
    (tmp_path / "city-blocks-00000.jpg").unlink()
    (tmp_path / ".city-blocks-00002.jpg.99.part").write_bytes(b"half")
    monkeypatch.setattr(dataset, "make_frame", real)
    assert synth(tmp_path, 4, "city-blocks", 5, "--jobs", 1) == 0
    assert files(tmp_path) == files(whole)


def test_complete_pairs_are_not_made_again(whole, monkeypatch, capsys):
    def never(*_):
        raise AssertionError("made again")

    monkeypatch.setattr(dataset, "make_frame", never)
    assert synth(whole, 4, "city-blocks", 5) == 0
    assert "All 4 photos are in" in capsys.readouterr().out


def test_a_folder_can_grow(whole, tmp_path, capsys):
    assert synth(tmp_path, 2, "city-blocks", 5, "--jobs", 1) == 0
    assert synth(tmp_path, 4, "city-blocks", 5, "--jobs", 1) == 0
    assert "2 of 4 photos are there" in capsys.readouterr().out
    assert files(tmp_path) == files(whole)
    assert json.loads((tmp_path / MANIFEST).read_text())["count"] == 4


def test_one_bad_frame_does_not_stop_the_others(tmp_path, monkeypatch, capsys):
    real = dataset.make_shot

    def shot(order, frame):
        if frame == 1:
            raise ValueError("the table fell over")
        return real(order, frame)

    monkeypatch.setattr(dataset, "make_shot", shot)
    assert synth(tmp_path, 3, "city-blocks", 5, "--jobs", 1) == 3
    told = capsys.readouterr().err
    assert "city-blocks-00001: ValueError: the table fell over" in told
    assert "1 of 3 photos failed; the other 2 are in" in told
    assert "city-blocks-00002.json" in files(tmp_path)
    assert "city-blocks-00001.json" not in files(tmp_path)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (("--seed", 6), "was made with seed 5, not 6"),  # another seed
        (("--game", "sprawl"), "was made with game city-blocks, not sprawl"),  # another game
        (("--size", "200x150"), "was made with size 160x120, not 200x150"),  # another size
        (("--profile", "blokus-white"), "was made with profiles"),  # other sets
        (("--negatives", "only"), "was made with negatives unset, not only"),  # other motifs
    ],
)
def test_other_photos_are_refused(whole, changed, sentence):
    options = {"--game": "city-blocks", "--count": 4, "--seed": 5, "--out": whole, "--size": "160x120"}
    options[changed[0]] = changed[1]
    with pytest.raises(UsageError, match=sentence) as refused:
        call(*(word for pair in options.items() for word in pair))
    assert refused.value.message.endswith("or another folder.")


def test_foreign_photos_and_broken_manifests_are_refused(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(UsageError, match="holds photos that were not made here"):
        synth(tmp_path)
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(CityscanError, match="cannot be read"):
        synth(tmp_path)
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(CityscanError, match="does not say what the folder was made with"):
        synth(tmp_path)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--count", 0), "--count must be at least 1, not 0"),
        (("--count", 1_000_000), "--count may be at most 100000"),
        (("--seed", -1), "--seed must not be negative"),
        (("--jobs", 0), "--jobs must be at least 1"),
        (("--samples", 0), "--samples must be at least 1"),
        (("--profile", "no-such-set"), 'no profile "no-such-set"'),
        (("--profile", "blokus-white", "--held-out"), "leave it out when --profile names one"),
        (("--state", "any.json", "--negatives", "only"), "leave out --state"),
    ],
)
def test_wrong_arguments_get_a_sentence(tmp_path, more, sentence):
    with pytest.raises(CityscanError, match=sentence):
        synth(tmp_path / "new", 3, "city-blocks", 5, *more)
    assert not (tmp_path / "new").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="is a file; --out names a folder"):
        synth(tmp_path / "out")


@pytest.mark.parametrize("size", ["large", "0x0", "1000", "90x120", "1000x200", "99999x99999"])
def test_impossible_sizes_are_refused(tmp_path, capsys, size):
    with pytest.raises(SystemExit) as refused:
        synth(tmp_path, 3, "city-blocks", 5, "--size", size)
    assert refused.value.code == 2
    assert "size" in capsys.readouterr().err


def test_overlays_and_contact_sheets(tmp_path, capsys):
    assert synth(tmp_path / "p", 2, "sprawl", 5, "--jobs", 1, "--overlay") == 0
    assert (tmp_path / "p" / "sprawl-00001.overlay.jpg").stat().st_size > 1000
    sheet = contact.contact_sheet(tmp_path / "p", columns=2, width=80)
    assert sheet.shape == (64, 168, 3)
    assert sheet[:60, :80].std() > 5
    drawn = contact.contact_sheet(tmp_path / "p", columns=2, width=80, overlays=True)
    assert (drawn != sheet).any()
    crops = contact.crop_sheet(tmp_path / "p", columns=3, count=6, seed=0)
    assert crops.shape == (264, 396, 3)
    assert contact.main([str(tmp_path / "p"), str(tmp_path / "sheet.jpg"), "--columns", "2"]) == 0
    assert (tmp_path / "sheet.jpg").exists()
    assert contact.main([str(tmp_path), str(tmp_path / "sheet.jpg")]) == 3
    assert "no photos with a truth" in capsys.readouterr().err


def test_overlays_alone_are_made_later_without_touching_the_photos(tmp_path):
    assert synth(tmp_path, 2, "city-blocks", 5, "--jobs", 1) == 0
    before = files(tmp_path)
    assert synth(tmp_path, 2, "city-blocks", 5, "--jobs", 1, "--overlay") == 0
    after = files(tmp_path)
    assert {name: after[name] for name in before} == before
    assert len(after) == 6


def test_a_given_position_is_photographed(tmp_path):
    grid = ["." * 20] * 9 + ["." * 9 + "BG" + "." * 9, "." * 9 + "RY" + "." * 9] + ["." * 20] * 9
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"game": "city-blocks", "players": 2, "grid": grid}))
    out = tmp_path / "photos"
    assert synth(out, 2, "city-blocks", 3, "--state", state, "--jobs", 1) == 0
    for truth in sorted(out.glob("city-blocks-*.json")):
        seen = json.loads(truth.read_text())
        assert seen["layout"] == "given"
        assert seen["players"] == 2
        assert sorted("".join(seen["grid"])) == sorted("".join(grid))
    with pytest.raises(UsageError):  # the same folder without the position is another order
        synth(out, 2, "city-blocks", 3)


def test_a_position_of_another_game_is_refused(tmp_path):
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"game": "sprawl", "columns": 6, "rows": 6, "cells": []}))
    with pytest.raises(UsageError, match="is a position of Sprawl"):
        synth(tmp_path / "photos", 1, "alien-city", 3, "--state", state)
