"""The object-index pass against what geometry says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.synth import fast
from vision.synth.scene import Material, Mesh, Scene


def outline(camera, corners) -> np.ndarray:
    seen = (np.asarray(corners, float) @ camera.rotation.T + camera.translation) @ camera.pinhole_matrix.T
    return seen[:, :2] / seen[:, 2:]


def inside(polygon, width, height) -> np.ndarray:
    """Distance of every pixel centre from a convex outline, positive inside."""
    rows, columns = np.mgrid[:height, :width]
    ring = polygon.astype(np.float32)
    flat = [
        cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in zip(columns.flat, rows.flat, strict=True)
    ]
    return np.array(flat).reshape(height, width)


@pytest.mark.parametrize(
    ("tilt", "low", "high", "z"),
    [
        (0, (-60, -40), (50, 30), 0.0),  # seen from straight above
        (35, (-60, -40), (50, 30), 0.0),  # in perspective
        (20, (-400, -20), (10, 20), 0.0),  # reaches out of the picture
        (35, (-30, -40), (50, 30), 44.5),  # nearer to the eye than the table
        (20, (2.0, 3.0), (2.9, 3.9), 0.0),  # less than a pixel wide
    ],
)
def test_a_quad_covers_exactly_the_pixels_within_its_projection(workshop, tilt, low, high, z):
    camera = workshop.camera(tilt, size=(120, 90), focal=150.0)
    scene = workshop.scene(workshop.part("board", workshop.quad(low, high, z)), camera=camera)
    index = fast.index_pass(scene)
    depth = inside(outline(camera, scene.parts[0].mesh.vertices), 120, 90)
    assert index.shape == (90, 120)
    assert (index[depth > 0.01] == 1).all()
    assert (index[depth < -0.01] == 0).all()


def test_a_pyramid_covers_its_base_and_its_leaning_tip(workshop):
    camera = workshop.camera(30, size=(160, 120), focal=300.0)
    scene = workshop.scene(workshop.table(), workshop.part("tower", workshop.pyramid(25.4, 44.5)), camera=camera)
    index = fast.index_pass(scene)
    hull = cv2.convexHull(outline(camera, scene.parts[1].mesh.vertices).astype(np.float32)).reshape(-1, 2)
    depth = inside(hull, 160, 120)
    assert (index[depth > 0.01] == 2).all()
    assert (index[depth < -0.01] == 1).all()


def test_the_nearer_part_hides_the_farther_one_whatever_their_order(workshop):
    low = workshop.part("low", workshop.box(60, 60, 5))
    high = workshop.part("high", workshop.box(20, 20, 30), at=(0, 0, 5))
    for parts, tall in (((low, high), 2), ((high, low), 1)):
        index = fast.index_pass(workshop.scene(*parts))
        assert index[120, 160] == tall
        row, column = workshop.pixel(workshop.camera(), (25, 0, 5))
        assert index[row, column] == 3 - tall


def test_a_part_under_another_is_hidden_even_if_that_is_translucent(workshop):
    clear = Material("translucent", (0.9, 0.1, 0.1), density=0.2)
    coin = workshop.part("coin", workshop.box(10, 10, 3))
    cover = workshop.part("tower", workshop.shell(25, 30, 1.5), clear)
    index = fast.index_pass(workshop.scene(workshop.table(), coin, cover))
    assert set(np.unique(index)) == {1, 3}


def test_crossing_faces_are_told_apart_pixel_by_pixel(workshop):
    """Two leaning sheets that cut each other along x = 0: no order of painting could show both."""
    faces = np.array([[0, 1, 2, 3]], np.int32)

    def sheet(left, right):
        return Mesh(np.array([[-40, -40, left], [40, -40, right], [40, 40, right], [-40, 40, left]], float), faces)

    up, down = workshop.part("up", sheet(0, 40)), workshop.part("down", sheet(40, 0))
    index = fast.index_pass(workshop.scene(up, down))
    assert (index[110:130, 163:190] == 1).all()
    assert (index[110:130, 130:157] == 2).all()


def test_a_table_that_reaches_behind_the_eye_still_fills_the_picture(workshop):
    camera = workshop.camera(35, away=300.0)
    assert (fast.index_pass(workshop.scene(workshop.table(), camera=camera)) == 1).all()


def test_faces_that_look_away_are_not_seen(workshop):
    quad = workshop.quad((-50, -50), (50, 50))
    turned = Mesh(quad.vertices, quad.faces[:, ::-1].copy())
    assert fast.index_pass(workshop.scene(workshop.part("card", quad))).max() == 1
    assert fast.index_pass(workshop.scene(workshop.part("card", turned))).max() == 0


def test_overscan_adds_the_same_picture_around(workshop):
    part = workshop.part("tower", workshop.pyramid(40, 40))
    plain = fast.index_pass(workshop.scene(part, camera=workshop.camera(20)))
    wide = fast.index_pass(workshop.scene(part, camera=workshop.camera(20, overscan=1.1)))
    assert wide.shape == (264, 352)
    assert (wide[12:-12, 16:-16] == plain).all()


def test_an_empty_scene_has_only_background(workshop):
    scene = workshop.scene()
    assert not fast.index_pass(scene).any()
    assert not fast.render(scene).image.any()


def test_the_index_of_a_render_is_the_index_pass(workshop):
    clear = Material("translucent", (0.1, 0.1, 0.9))
    scene = workshop.scene(
        workshop.table(),
        workshop.part("tower", workshop.shell(25, 30, 1.5), clear, (20, 0, 0)),
        workshop.part("tower", workshop.pyramid(25, 30), GREEN, (-20, 0, 0)),
        camera=workshop.camera(25),
    )
    frame = fast.render(scene, with_index=True)
    assert (frame.index == fast.index_pass(scene)).all()
    assert fast.render(scene).index is None


GREEN = Material("plastic", (0.1, 0.6, 0.2))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tilt=st.floats(0, 35),
    x=st.floats(-60, 60),
    y=st.floats(-40, 40),
    height=st.floats(1, 60),
    width=st.floats(5, 40),
)
def test_the_top_of_a_box_is_where_the_camera_projects_it(workshop, tilt, x, y, height, width):
    camera = workshop.camera(tilt)
    box = workshop.part("box", workshop.box(width, width, height), at=(x, y, 0))
    scene: Scene = workshop.scene(workshop.table(), box, camera=camera)
    index = fast.index_pass(scene)
    for dx, dy in ((0, 0), (0.4, 0.4), (-0.4, 0.4), (0.4, -0.4)):
        row, column = workshop.pixel(camera, (x + dx * width, y + dy * width, height))
        if 0 <= row < 240 and 0 <= column < 320 and width > 12:
            assert index[row, column] == 2
