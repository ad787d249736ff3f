"""Whole scenes through the fast back end: what the truth says is what the picture shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.profiles import profile_names
from engine.documents import position_from_document
from engine.errors import CityscanError, UsageError
from vision.synth import fast, layouts, negatives, phone, studio
from vision.synth.camera import project, share_of_frame, tilt_of
from vision.synth.geometry import world_vertices
from vision.synth.truth import camera_from_json
from vision.synth.turning import possible_turns, turn_matrix, upright_turn

GAMES = ("alien-city", "city-blocks", "sprawl")
SIZE = (400, 300)


def order_of(game, seed=3, **changes):
    return replace(studio.Order(game, seed, profile_names(game, held_out=False), SIZE), **changes)


@pytest.fixture(scope="module")
def shots():
    """Some positives of each game with the index pass of their photo."""
    found = {}
    for game in GAMES:
        order = order_of(game)
        made = [studio.make_shot(order, frame) for frame in range(7)]
        positives = [shot for shot in made if shot.scene.state is not None][:6]
        found[game] = [
            (shot, phone.develop_index(fast.index_pass(shot.scene), shot.scene.camera)) for shot in positives
        ]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_north_edge_is_the_highest(shots, game):
    for shot, _ in shots[game]:
        corners = project(shot.scene.camera, shot.scene.corners)
        assert upright_turn(corners, possible_turns(shot.scene.state)) == 0
        # NW, NE, SE, SW go round clockwise in the photo: nothing is mirrored.
        x, y = corners.T
        assert np.dot(x, np.roll(y, -1)) > np.dot(y, np.roll(x, -1))


@pytest.mark.parametrize("game", GAMES)
def test_states_and_parts_agree(shots, game):
    """Every piece of the state stands on its lot in the world, and there is no other."""
    for shot, _ in shots[game]:
        state = shot.scene.state
        assert position_from_document(dict(state)).game.name == game
        names = {part.name for part in shot.scene.parts}
        if game == "alien-city":
            wanted = {f"structure:{s['at']}" for s in state["structures"]}
            wanted |= {f"cap:{s['at']}" for s in state["structures"] if "claimed_by" in s}
            wanted |= {f"tile:{tile['at']}" for tile in state["tiles"]}
        elif game == "sprawl":
            wanted = {f"piece:{c['at']}:{i}" for c in state["cells"] for i in range(len(c.get("stack", "x")))}
        else:
            wanted = set()
        kinds = ("structure:", "cap:", "tile:") + (("piece:",) if game == "sprawl" else ())
        assert {name for name in names if name.startswith(kinds)} == wanted


@pytest.mark.parametrize("game", GAMES)
def test_stored_camera_and_index_pass_agree(shots, game):
    """The box around a piece's projected vertices is the box around its pixels, where all of it shows."""
    compared = 0
    for shot, index in shots[game]:
        truth = studio.truth_of(shot.scene, index, backend="fast", kind=shot.kind)
        camera = camera_from_json(truth["camera"])
        for number, part in enumerate(shot.scene.parts, start=1):
            if truth["visible"].get(part.name, 0.0) < 0.99:
                continue
            seen = project(camera, world_vertices(part.mesh, part.pose))
            if (seen < 1).any() or (seen > np.array(SIZE) - 2).any():
                continue
            rows, columns = np.nonzero(index == number)
            box = [columns.min(), rows.min(), columns.max(), rows.max()]
            assert box == pytest.approx([*seen.min(axis=0), *seen.max(axis=0)], abs=2.0), part.name
            compared += 1
    assert compared >= 15


@pytest.mark.parametrize("game", GAMES)
def test_corners_sit_on_the_edge_of_the_field(shots, game):
    """A step inwards from each corner is board (or what stands on it); the truth's corners are the projected ones."""
    for shot, index in shots[game]:
        scene = shot.scene
        truth = studio.truth_of(scene, index, backend="fast", kind=shot.kind)
        stored = project(camera_from_json(truth["camera"]), np.array(truth["world_corners"]))
        assert stored == pytest.approx(np.array(truth["corners"]), abs=0.02)
        # Tiles have round corners and are laid by hand, a board is exact.
        inside = 0.97 if game == "alien-city" else 0.99
        inwards = project(scene.camera, scene.corners * (inside, inside, 1.0))
        for x, y in np.round(inwards).astype(int):
            name = scene.parts[index[y, x] - 1].name
            assert negatives.is_of_the_board(scene.parts[index[y, x] - 1]) or name.startswith("clutter:"), name


def test_turning_a_scene_leaves_its_photo_alone(shots):
    """A board seen from the other side is renamed until it is upright, and looks exactly the same."""
    for game in GAMES:
        scene = shots[game][0][0].scene
        around = turn_matrix(2)[:3, :3]
        upside_down = replace(scene, camera=replace(scene.camera, rotation=scene.camera.rotation @ around))
        turned = studio.upright(upside_down)
        assert turned.state != upside_down.state or not any(scene.state.get(k) for k in ("structures", "cells"))
        assert np.array_equal(fast.index_pass(turned), fast.index_pass(upside_down))
        corners = project(turned.camera, turned.corners)
        assert corners == pytest.approx(np.roll(project(upside_down.camera, upside_down.corners), -2, axis=0), abs=1e-6)
        assert turned.light.turn == pytest.approx((scene.light.turn + 180) % 360)
        points = next(iter(turned.patches.values()))
        before = next(iter(upside_down.patches.values()))
        assert project(turned.camera, points) == pytest.approx(project(upside_down.camera, before), abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_views_of_scenes_are_within_bounds(shots, game):
    for shot, _ in shots[game]:
        camera, corners = shot.scene.camera, shot.scene.corners
        assert tilt_of(camera) <= 35.001
        assert 0.14 <= share_of_frame(camera, corners) <= 0.96
        seen = project(camera, corners)
        assert (seen >= 0).all()
        assert (seen <= np.array(SIZE) - 1).all()


def test_a_frame_depends_on_its_number_alone():
    order = order_of("sprawl")
    first, again, other = (studio.make_shot(order, frame) for frame in (4, 4, 5))
    assert first.scene.state == again.scene.state
    assert first.exif == again.exif
    assert (first.scene.camera.translation == again.scene.camera.translation).all()
    assert (first.scene.camera.translation != other.scene.camera.translation).any()


def test_photos_are_the_same_every_time():
    order = order_of("alien-city")
    one, other = (studio.render_photo(studio.make_shot(order, 1), order) for _ in range(2))
    assert one.pixels.shape == (SIZE[1], SIZE[0], 3)
    assert np.array_equal(one.pixels, other.pixels)
    assert one.truth == other.truth


def test_without_a_size_shapes_vary_at_the_same_cost():
    order = order_of("city-blocks", size=None)
    sizes = {studio._some_size(studio.stream(order, frame, "size")) for frame in range(80)}
    assert len(sizes) > 5
    for width, height in sizes:
        assert width * height == pytest.approx(studio.PIXELS, rel=0.03)
        assert 0.5 < width / height < 2


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", layouts.NEGATIVES)
def test_negatives_show_no_whole_board(monkeypatch, game, kind):
    def only(rng, of_game, profile):
        return layouts.negative_layout(rng, of_game, profile, kind)

    monkeypatch.setattr(studio, "sample_layout", only)
    monkeypatch.setattr(studio, "_stand_in", lambda rng, g, p: layouts.legal_layout(rng, g, p).state)
    order = order_of(game)
    for frame in range(3):
        shot = studio.make_shot(order, frame)
        assert shot.scene.state is None
        assert shot.scene.corners is None
        of_the_board = [part for part in shot.scene.parts if negatives.is_of_the_board(part)]
        tiles = [part for part in of_the_board if part.name.startswith("tile:")]
        assert not of_the_board if kind != "part" else len(tiles) in (0, 20) or len(tiles) <= 12
        others = [part for part in shot.scene.parts if part.name.startswith("clutter:other-board")]
        assert len(others) <= (kind == "other-game")
    photo = studio.render_photo(shot, order)
    assert photo.truth["game"] is None
    assert photo.truth["negative"] == kind
    assert ("decoy" in photo.truth) == (kind != "no-board")  # something lies there that might be taken for a board
    assert photo.truth["camera"]["width"] == SIZE[0]


def test_folders_of_negatives_have_every_kind_equally_often():
    order = order_of("sprawl", negatives="only")
    kinds = [studio.make_shot(order, frame).kind for frame in range(6)]
    assert kinds == [*layouts.NEGATIVES, *layouts.NEGATIVES]


def test_without_negatives_only_the_negatives_are_other_photos():
    some, none = (order_of("city-blocks", negatives=share) for share in ("some", "none"))
    kinds = {}
    for order in (some, none):
        drawn = [studio._layout(order, frame, studio._profile(order, frame)) for frame in range(150)]
        kinds[order.negatives] = [layout.kind for layout in drawn]
    assert not set(layouts.NEGATIVES) & set(kinds["none"])
    others = [frame for frame in range(150) if kinds["some"][frame] != kinds["none"][frame]]
    assert others
    assert {kinds["some"][frame] for frame in others} <= set(layouts.NEGATIVES)


def test_a_cropped_board_has_corners_outside(corners_of, overhead):
    corners = corners_of(220, 220)
    rng = np.random.default_rng(2)
    for _ in range(20):
        camera = negatives.cropped(rng, overhead, corners)
        assert 0.1 <= negatives.share_inside(camera, corners) <= 0.7
        seen = project(camera, corners)
        outside = ((seen < 0) | (seen > np.array([399, 299]))).any(axis=1)
        assert outside.sum() >= 1


def test_profiles_are_those_of_the_game_and_never_held_out_by_default():
    for game in GAMES:
        assert set(studio.possible_profiles(game, None, held_out=False)) == set(profile_names(game, held_out=False))
        held_out = studio.possible_profiles(game, None, held_out=True)
        assert not set(held_out) & set(studio.possible_profiles(game, None, held_out=False))
    with pytest.raises(CityscanError, match="no profile"):
        studio.possible_profiles("sprawl", "no-such-set", held_out=False)
    blokus_only = next(name for name in profile_names("city-blocks") if name not in profile_names("sprawl"))
    with pytest.raises(UsageError, match="has no pieces for sprawl"):
        studio.possible_profiles("sprawl", blokus_only, held_out=False)
