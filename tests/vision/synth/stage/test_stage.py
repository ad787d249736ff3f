"""The whole table: what it stands on, what lies around, and that a seed decides all of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profiles import load_profile, profile_names
from engine.errors import InvalidState, UsageError
from vision.synth.clutter import clutter_parts
from vision.synth.scene import Part
from vision.synth.stage import Stage, build_stage

STATES: dict[str, dict[str, Any]] = {
    "alien-city": {
        "game": "alien-city",
        "structures": [
            {"at": "A1", "kind": "tower", "colour": "red", "claimed_by": "white"},
            {"at": "H10", "kind": "dome", "colour": "black"},
        ],
    },
    "city-blocks": {
        "game": "city-blocks",
        "grid": ["BB.................." if row == 0 else "." * 20 for row in range(20)],
    },
    "sprawl": {
        "game": "sprawl",
        "columns": 6,
        "rows": 6,
        "colours": ["red"],
        "cells": [{"at": "C2", "stack": ["red3", "red2"]}, {"at": "D2", "lying": "red2", "points": "east"}],
    },
}
PROFILE = {"alien-city": "cream-classic", "city-blocks": "blokus-white", "sprawl": "cream-classic"}


def _build(game: str, seed: int, *, clutter: bool, profile: str | None = None) -> Stage:
    dressed = load_profile(profile or PROFILE[game])
    return build_stage(
        STATES[game],
        dressed,
        np.random.default_rng(seed),
        clutter=clutter,
        table=dressed.tables[seed % len(dressed.tables)],
    )


@pytest.mark.parametrize("game", STATES)
def test_everything_lies_above_the_table(game: str, measure: SimpleNamespace) -> None:
    for seed in range(4):
        stage = _build(game, seed, clutter=True)
        assert [part.name for part in stage.parts].count("table") == 1
        table = measure.world(next(part for part in stage.parts if part.name == "table"))
        assert np.ptp(table[:, 2]) == 0
        assert np.ptp(table[:, 0]) >= 3000
        assert all(measure.world(part)[:, 2].min() >= table[0, 2] for part in stage.parts)
        names = [part.name for part in stage.parts]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", STATES)
def test_a_seed_decides_everything(game: str) -> None:
    first, second, other = (_build(game, seed, clutter=True) for seed in (5, 5, 6))
    assert [part.name for part in first.parts] == [part.name for part in second.parts]
    for a, b in zip(first.parts, second.parts, strict=True):
        assert np.array_equal(a.pose, b.pose)
        assert np.array_equal(a.mesh.vertices, b.mesh.vertices)
        for x, y in zip(a.materials, b.materials, strict=True):
            assert x == y
            assert (x.texture is None) == (y.texture is None)
            assert x.texture is None or y.texture is None or np.array_equal(x.texture, y.texture)
    assert not np.array_equal(first.parts[0].pose, other.parts[0].pose)


@pytest.mark.parametrize("game", STATES)
def test_parts_are_well_formed(game: str) -> None:
    for part in _build(game, 1, clutter=True).parts:
        assert part.mesh.material is not None
        assert part.mesh.material.max() < len(part.materials)
        assert np.allclose(part.pose[:3, :3] @ part.pose[:3, :3].T, np.eye(3))
        assert np.linalg.det(part.pose[:3, :3]) == pytest.approx(1.0)
        assert part.pose[3].tolist() == [0, 0, 0, 1]


def _outline(part: Part) -> np.ndarray:
    world = part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
    hull: np.ndarray = cv2.convexHull(world[:, :2].astype(np.float32))
    return hull


@pytest.mark.parametrize("game", STATES)
def test_clutter_keeps_off_the_board_and_off_itself(game: str) -> None:
    profile = load_profile(PROFILE[game])
    extent = (420.0, 300.0)
    board = np.array([(-210, -150), (210, -150), (210, 150), (-210, 150)], dtype=np.float32)
    kinds: set[str] = set()
    for seed in range(40):
        parts = clutter_parts(game, profile, extent, -4.0, np.random.default_rng(seed))
        things: dict[str, list[np.ndarray]] = {}
        for part in parts:
            kinds.add(part.name.split(":")[1])
            things.setdefault(part.name.split(".")[0], []).append(_outline(part))
        hulls = [cv2.convexHull(np.concatenate(outlines)) for outlines in things.values()]
        for i, hull in enumerate(hulls):
            border = 8.0 if game == "city-blocks" else 0.0
            inner = board * (1 - 2 * border / np.array(extent, dtype=np.float32))
            assert cv2.intersectConvexConvex(hull, inner.astype(np.float32))[0] == 0
            assert all(cv2.intersectConvexConvex(hull, other)[0] < 0.1 for other in hulls[:i])
    common = {
        "dice",
        "cards",
        "paper",
        "rules",
        "pencil",
        "mug",
        "glass",
        "money",
        "phone",
        "box",
        "book",
        "coaster",
        "hand",
    }
    spares = {
        "alien-city": {"pyramid", "stash", "coin", "tiles"},
        "city-blocks": {"piece"},
        "sprawl": {"pyramid", "stash"},
    }
    assert kinds == common | spares[game]


def test_without_clutter_there_is_none() -> None:
    for game in STATES:
        assert not [part for part in _build(game, 2, clutter=False).parts if part.name.startswith("clutter:")]


def test_every_profile_dresses_its_games() -> None:
    for game, state in STATES.items():
        for name in profile_names(game):
            profile = load_profile(name)
            stage = build_stage(state, profile, np.random.default_rng(3), clutter=False, table=profile.tables[0])
            assert stage.corners.shape == (4, 3)
            assert len(stage.parts) > 2


def test_a_profile_without_the_game_is_named() -> None:
    profile = load_profile("blokus-white")
    with pytest.raises(UsageError, match="blokus-white"):
        build_stage(STATES["sprawl"], profile, np.random.default_rng(0), clutter=False, table=profile.tables[0])


def test_an_impossible_state_is_refused() -> None:
    profile = load_profile("cream-classic")
    broken = {"game": "alien-city", "structures": [{"at": "Z9", "kind": "tower", "colour": "red"}]}
    with pytest.raises(InvalidState):
        build_stage(broken, profile, np.random.default_rng(0), clutter=False, table=profile.tables[0])


def test_pictures_do_not_depend_on_what_was_drawn_before() -> None:
    from vision.synth.stages import faces

    profile = load_profile("cream-classic")
    assert profile.tiles is not None
    before = faces.tile_face(profile.tiles, "red", 3, np.random.default_rng(7))
    faces._tile_face.cache_clear()
    faces.tile_face(profile.tiles, "blue", 2, np.random.default_rng(1))
    after = faces.tile_face(profile.tiles, "red", 3, np.random.default_rng(7))
    assert before is not after
    assert np.array_equal(before, after)
    assert not after.flags.writeable
