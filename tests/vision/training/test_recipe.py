"""The recipe keeps learning, checking and judging apart, and says what is missing to follow it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from calibration.profiles import load_profile
from engine.errors import Unsupported
from engine.game import game_names
from vision.training import full
from vision.training.full import Places, require_torch
from vision.training.photo_sets import order_of
from vision.training.recipe import RECIPE, TEST, quick_recipe

NETWORKS = {"locator", "aligner", *(f"board-{game}" for game in game_names())}


@pytest.mark.parametrize("recipe", [RECIPE, quick_recipe()], ids=["whole", "quick"])
def test_nothing_is_learnt_from_held_out_sets(recipe):
    for photos in recipe.training:
        assert not any(load_profile(name).held_out for name in order_of(photos).profiles), photos.name
    for photos in recipe.validation:
        assert all(load_profile(name).held_out for name in order_of(photos).profiles), photos.name
    assert {photos.game for photos in recipe.training} == set(game_names())
    assert {photos.game for photos in recipe.validation} == set(game_names())
    assert set(recipe.networks) == NETWORKS


def test_no_two_sets_share_their_photos_or_their_folder():
    """Frames of one seed and game have the same layout, whatever they are dressed with: seeds must differ."""
    sets = [*RECIPE.training, *RECIPE.validation, *TEST]
    assert len({photos.name for photos in sets}) == len(sets)
    assert len({(photos.game, photos.seed) for photos in sets}) == len(sets)


def test_the_quick_recipe_is_quick_and_keeps_to_itself():
    quick = quick_recipe()
    assert sum(photos.count for photos in (*quick.training, *quick.validation)) <= 60
    assert all(photos.backend == "fast" for photos in (*quick.training, *quick.validation))
    assert all(photos.name.startswith("quick/") for photos in (*quick.training, *quick.validation))
    assert all(plan.epochs == 1 for plan in quick.networks.values())


def test_users_own_sets_do_not_change_the_recipe(tmp_path, monkeypatch):
    before = [order_of(photos) for photos in RECIPE.training]
    own = tmp_path / "profiles"
    own.mkdir()
    text = Path(__file__).parents[3] / "calibration" / "profiles" / "blokus-white.toml"
    (own / "my-blokus.toml").write_text(text.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("CITYSCAN_DATA", str(tmp_path))
    assert load_profile("my-blokus").name == "my-blokus"
    assert [order_of(photos) for photos in RECIPE.training] == before


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (("torch",), "needs torch, which"),
        (("onnx",), "needs onnx, which"),
        (("torch", "onnx"), "needs torch and onnx, which"),
    ],
)
def test_without_the_extra_a_sentence_says_how_to_install_it(monkeypatch, missing, told):
    monkeypatch.setattr(full, "find_spec", lambda name: None if name in missing else object())
    with pytest.raises(Unsupported, match=told) as refused:
        require_torch()
    assert "pip install 'cityscan[train]'" in refused.value.message
    assert full.main(["--quick"]) == 3


@pytest.mark.parametrize(
    ("arguments", "models", "made"),
    [
        ([], "/data/training/models", "/data/training"),
        (["--work", "/w"], "/w/models", "/w"),
        (["--work", "/w", "--quick"], "/w/quick/models", "/w/quick"),  # a trial does not touch the real networks
        (["--work", "/w", "--out", "/o"], "/o", "/w"),
    ],
)
def test_where_things_go(monkeypatch, arguments, models, made):
    asked: list[Places] = []
    monkeypatch.setenv("CITYSCAN_DATA", "/data")
    monkeypatch.setattr(full, "require_torch", lambda: None)
    monkeypatch.setattr(full, "train_all", lambda _, places: asked.append(places) or 0)
    parser = argparse.ArgumentParser()
    full.add_arguments(parser)
    assert full.run(parser.parse_args(arguments)) == 0
    (places,) = asked
    assert (places.models, places.made) == (Path(models), Path(made))
    assert places.checkpoints == Path(made) / "checkpoints"
