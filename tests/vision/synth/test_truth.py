"""Visible shares on scenes whose answer is known by hand, and the form of the truth."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from vision.synth import fast
from vision.synth.camera import project
from vision.synth.geometry import box, moved
from vision.synth.scene import Light, Material, Part, Phone, Scene
from vision.synth.truth import camera_from_json, camera_json, silhouette_area, truth_of, truth_text, visible_shares

GREY = (Material("plastic", (0.5, 0.5, 0.5)),)


def block(name, x, y, width, depth, height, z=0.0):
    return Part(name, box(width, depth, height), GREY, moved(x, y, z))


def scene_of(camera, parts, patches=None, surfaces=None, state=None):
    table = block("table", 0, 0, 2000, 2000, 1.0, z=-11.0)
    return Scene(
        parts=(table, *parts),
        camera=camera,
        light=Light("overcast", 1.0, 0.0),
        phone=Phone(),
        state=state,
        corners=np.array([[-50, 50, 0], [50, 50, 0], [50, -50, 0], [-50, -50, 0]], dtype=np.float64),
        game="alien-city",
        profile="test",
        seed=1,
        patches=patches or {},
        surfaces=surfaces or {},
    )


def shares(scene):
    return visible_shares(scene, fast.index_pass(scene))


def test_a_piece_in_the_open_is_all_visible(overhead):
    assert shares(scene_of(overhead, [block("structure:A1", 20.1, 10.1, 25, 25, 40)])) == {
        "structure:A1": pytest.approx(1.0, abs=0.02)
    }


def test_a_roof_over_half_hides_half(overhead):
    # The roof hangs 1 mm above the flat piece and covers its eastern half as seen from straight above its edge.
    piece = block("structure:A1", 0, 0, 40, 40, 1.0)
    roof = block("clutter:hand", 50, 0, 100, 100, 1.0, z=2.0)
    assert shares(scene_of(overhead, [piece, roof]))["structure:A1"] == pytest.approx(0.5, abs=0.03)


def test_a_cap_hides_its_share_of_the_tower(overhead):
    tower = block("structure:A1", 0, 0, 40, 40, 10.0)
    cap = block("cap:A1", 0, 0, 20, 20, 5.0, z=10.05)
    found = shares(scene_of(overhead, [tower, cap]))
    nearer = (500 - 10.0) / (500 - 15.05)  # the cap's top is nearer to the eye
    assert found["structure:A1"] == pytest.approx(1 - (0.5 * nearer) ** 2, abs=0.03)
    assert found["cap:A1"] == pytest.approx(1.0, abs=0.03)


def test_a_buried_piece_is_not_visible(overhead):
    found = shares(scene_of(overhead, [block("piece:A1:0", 0, 0, 10, 10, 5), block("piece:A1:1", 0, 0, 30, 30, 20)]))
    assert found == {"piece:A1:0": 0.0, "piece:A1:1": pytest.approx(1.0, abs=0.03)}


def test_the_edge_of_the_photo_cuts_a_piece(overhead):
    # The photo ends 200 mm east of the middle: half of the flat piece is outside.
    found = shares(scene_of(overhead, [block("structure:A1", 200, 0, 40, 40, 0.5)]))
    assert found["structure:A1"] == pytest.approx(0.5, abs=0.03)


def test_table_board_tiles_and_clutter_are_no_pieces(overhead):
    parts = [
        block("board", 0, 0, 90, 90, 1, z=-1),
        block("tile:A1", 0, 0, 9, 9, 1),
        block("clutter:die", 70, 0, 9, 9, 9),
    ]
    assert shares(scene_of(overhead, parts)) == {}


def test_patches_show_where_their_own_part_is_seen(overhead):
    tile = block("tile:A1", 0, 0, 60, 60, 3.0, z=-3.0)
    coin = block("structure:A1", -15, 0, 30, 60, 0.5, z=0.01)  # covers the western half
    grid = np.stack(np.meshgrid(np.linspace(-28, 28, 8), np.linspace(-28, 28, 8)), axis=-1).reshape(-1, 2)
    points = np.concatenate([grid, np.zeros((64, 1))], axis=1)
    patches = {"rank:A1": points, "icon:A1": points[points[:, 0] > 5], "lot:A1": points[points[:, 0] < -5]}
    outside = {"lot:H10": points + np.array([500, 0, 0])}
    scene = scene_of(overhead, [tile, coin], patches | outside, dict.fromkeys(patches | outside, "tile:A1"))
    found = shares(scene)
    assert found["rank:A1"] == pytest.approx(0.5, abs=0.01)
    assert found["icon:A1"] == 1.0
    assert found["lot:A1"] == 0.0
    assert found["lot:H10"] == 0.0


@pytest.mark.parametrize("size", [4.0, 11.3, 40.0, 120.0])
def test_silhouettes_have_the_right_area(overhead, size):
    part = block("structure:A1", 3.3, -7.1, size, size, 0.01)
    pixels = project(overhead, part.mesh.vertices + part.pose[:3, 3])
    assert silhouette_area(part, pixels) == pytest.approx(size**2, abs=4 * size * 0.3)  # 0.3 pixels all round


def test_the_truth_has_what_formats_ask_for(overhead):
    state = {"game": "alien-city", "structures": [{"at": "A1", "kind": "tower", "colour": "red"}]}
    scene = scene_of(overhead, [block("structure:A1", 0, 0, 25, 25, 40)], state=state)
    truth = truth_of(scene, fast.index_pass(scene), backend="fast", kind="legal", frame=7)
    assert truth["game"] == "alien-city"
    assert truth["structures"] == state["structures"]
    assert truth["corners"] == [[149.5, 99.5], [249.5, 99.5], [249.5, 199.5], [149.5, 199.5]]
    assert truth["tilt"] == 0.0
    assert (truth["profile"], truth["seed"], truth["frame"], truth["backend"]) == ("test", 1, 7, "fast")
    assert list(truth["visible"]) == ["structure:A1"]
    assert json.loads(truth_text(truth)) == truth


def test_a_negative_has_no_state(overhead):
    scene = replace(scene_of(overhead, []), corners=None)
    truth = truth_of(scene, fast.index_pass(scene), backend="fast", kind="no-board")
    assert truth["game"] is None
    assert truth["negative"] == "no-board"
    assert "corners" not in truth
    assert "visible" not in truth
    assert truth["camera"]["width"] == 400


def test_the_stored_camera_projects_like_the_real_one(overhead):
    camera = replace(overhead, distortion=np.array([-0.03, 0.01, 0.0002, -0.0001, 0.0]))
    stored = camera_from_json(json.loads(json.dumps(camera_json(camera))))
    points = np.array([[-150, 100, 0], [170, -90, 44.5], [0, 0, 0]], dtype=np.float64)
    assert project(stored, points) == pytest.approx(project(camera, points), abs=1e-3)


def test_an_index_pass_of_another_size_is_refused(overhead):
    with pytest.raises(ValueError, match="index pass has the shape"):
        truth_of(scene_of(overhead, []), np.zeros((10, 10), np.int32), backend="fast", kind="no-board")
