"""Light on surfaces: energy, shadows, gloss, textures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.synth import fast
from vision.synth import light as lights
from vision.synth.fast import windows
from vision.synth.scene import Lamp, Light, Material, Mesh

WHITE = Material("paper", (1.0, 1.0, 1.0), roughness=1.0)
BLACK = Material("plastic", (0.0, 0.0, 0.0), roughness=0.15)


def middle(image, reach=6):
    high, wide = image.shape[0] // 2, image.shape[1] // 2
    return image[high - reach : high + reach, wide - reach : wide + reach].mean(axis=(0, 1))


@pytest.mark.parametrize(
    ("lamps", "around"),
    [
        ((Lamp("sun", (0.3, 0.2, 1.0), (1, 1, 1), 1.0, 1.0),), 1e-6),  # the sun alone
        ((Lamp("area", (-200, 100, 600), (1, 1, 1), 1.0, 80.0),), 1e-6),  # a desk lamp alone
        ((Lamp("point", (100, 0, 500), (1, 1, 1), 1.0, 8.0),), 1e-6),  # the phone's flash alone
        ((), 1.0),  # the surroundings alone
        ((Lamp("sun", (0.3, 0.2, 1.0), (1, 1, 1), 0.6, 1.0),), 0.4),  # a mix
    ],
)
def test_white_paper_in_light_of_strength_one_is_one(workshop, lamps, around):
    frame = fast.render(workshop.scene(workshop.table(WHITE), light=workshop.light(*lamps, around=around)))
    assert frame.image.dtype == np.float32
    luminance = middle(frame.image) @ lights.LUMINANCE
    assert luminance == pytest.approx(1.0, abs=0.08)


@pytest.mark.parametrize("name", lights.environment_names(held_out=False))
def test_splitting_windows_off_keeps_the_light_of_every_environment(name):
    light = Light(name, 1.0, 40.0)
    spots = windows.windows(light, 3)
    up = np.array([[0.0, 0.0, 1.0]])
    whole = lights.irradiance(name, up, 40.0)
    parts = windows.without(spots, whole, up)
    for lamp in spots:
        parts = parts + lights.lamp_irradiance(lamp, np.zeros((1, 3)), up)
    assert parts @ lights.LUMINANCE == pytest.approx(whole @ lights.LUMINANCE, abs=0.08)


def test_some_environment_has_windows_and_the_overcast_sky_has_none_that_matter_much():
    bright = {name: len(windows.windows(Light(name, 1.0, 0.0), 3)) for name in lights.environment_names(False)}
    assert max(bright.values()) >= 1
    assert bright["overcast"] == 0


def test_twice_the_light_is_twice_the_picture(workshop):
    part = workshop.part("tower", workshop.pyramid(25, 40))
    lamp = workshop.lamp()
    once = fast.render(workshop.scene(workshop.table(), part, light=workshop.light(lamp, around=0.3))).image
    bright = workshop.light(replace(lamp, strength=2.0), around=0.6)
    twice = fast.render(workshop.scene(workshop.table(), part, light=bright)).image
    assert np.allclose(twice, 2 * once, rtol=0.02, atol=0.02)


@pytest.mark.parametrize(
    ("lamp", "shaded", "lit"),
    [
        ((-300, 0, 300), (40, 0), (-40, 0)),  # from the west: the shadow lies in the east
        ((300, 0, 300), (-40, 0), (40, 0)),
        ((0, 300, 300), (0, -40), (0, 40)),
        ((-250, -250, 350), (28, 28), (-28, -28)),
    ],
)
def test_shadows_fall_away_from_the_lamp(workshop, lamp, shaded, lit):
    box = workshop.part("box", workshop.box(30, 30, 40))
    scene = workshop.scene(workshop.table(), box, light=workshop.light(workshop.lamp(*lamp)))
    image = fast.render(scene).image
    dark, bright = (image[workshop.pixel(scene.camera, (*at, 0))].mean() for at in (shaded, lit))
    assert dark < 0.25 * bright


def test_a_larger_lamp_casts_a_softer_shadow(workshop):
    box = workshop.part("box", workshop.box(30, 200, 40))

    def steepest(size):
        light = workshop.light(workshop.lamp(size=size))
        image = fast.render(workshop.scene(workshop.table(), box, light=light)).image.mean(axis=2)
        return np.abs(np.diff(image[120, 180:300])).max()

    assert steepest(250) < 0.6 * steepest(5)


def test_a_window_of_the_surroundings_casts_a_shadow(workshop):
    box = workshop.part("box", workshop.box(30, 30, 40))
    light = Light("evening-lamp", 1.0, 0.0)
    (spot, *_) = windows.windows(light, 3)
    way = np.array(spot.position[:2]) / np.linalg.norm(spot.position[:2])
    image = fast.render(workshop.scene(workshop.table(), box, light=light)).image
    camera = workshop.camera()
    away, towards = (image[workshop.pixel(camera, (*(sign * 30 * way), 0))].mean() for sign in (-1, 1))
    assert away < 0.97 * towards


def test_the_foot_of_a_thing_is_darker_than_the_open_table(workshop):
    box = workshop.part("box", workshop.box(30, 30, 40), BLACK)
    image = fast.render(workshop.scene(workshop.table(), box)).image.mean(axis=2)
    near, far = (image[workshop.pixel(workshop.camera(), (x, 0, 0))] for x in (17, 110))
    assert near < 0.8 * far


def test_no_face_in_plain_light_shades_itself(workshop):
    light = workshop.light(Lamp("sun", (0.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0))
    box = workshop.part("box", workshop.box(60, 60, 30), WHITE)
    image = fast.render(workshop.scene(workshop.table(), box, light=light)).image.mean(axis=2)
    top = image[100:140, 140:180]
    assert top.min() > 0.95


@pytest.mark.parametrize("lamp", [(0.0, 0.0, 1.0), (0.5, 0.0, 1.0)])
def test_gloss_shows_the_lamp_only_where_a_mirror_would(workshop, lamp):
    light = workshop.light(Lamp("sun", lamp, (1, 1, 1), 1.0, 1.0))
    image = fast.render(workshop.scene(workshop.table(BLACK), light=light)).image.mean(axis=2)
    mirrors = lamp[0] == 0.0  # the eye is straight above
    assert (middle(image[..., None])[0] > 1.0) == mirrors


def test_rough_surfaces_spread_what_smooth_ones_mirror(workshop):
    light = workshop.light(Lamp("sun", (0.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0))

    def brightest(roughness):
        table = workshop.table(replace(BLACK, roughness=roughness))
        return fast.render(workshop.scene(table, light=light)).image.max()

    assert brightest(0.1) > 3 * brightest(0.4) > 9 * brightest(0.9)


def test_textures_lie_upright_with_v_growing_to_the_north(workshop):
    quarters = np.zeros((64, 64, 3), np.uint8)
    quarters[:32, :32] = (255, 0, 0)  # the north-west is red
    quarters[32:, 32:] = (0, 0, 255)  # the south-east is blue
    quad = workshop.quad((-60, -60), (60, 60), uv=[(0, 0), (1, 0), (1, 1), (0, 1)])
    material = Material("paper", (0, 1, 0), roughness=1.0, texture=quarters)
    scene = workshop.scene(workshop.part("board", quad, material))
    image = fast.render(scene).image
    red, blue, black = (image[workshop.pixel(scene.camera, (*at, 0))] for at in ((-30, 30), (30, -30), (30, 30)))
    assert red[0] > 0.5 > 10 * red[2]
    assert blue[2] > 0.5 > 10 * blue[0]
    assert black.max() < 0.1


def test_fine_textures_average_to_grey_instead_of_flickering(workshop):
    stripes = np.zeros((512, 512, 3), np.uint8)
    stripes[:, ::2] = 255
    quad = workshop.quad((-60, -60), (60, 60), uv=[(0, 0), (1, 0), (1, 1), (0, 1)])
    material = Material("paper", (0, 1, 0), roughness=1.0, texture=stripes)
    board = fast.render(workshop.scene(workshop.part("board", quad, material))).image[90:150, 130:190]
    assert board.std() < 0.1 * board.mean()


def test_an_alpha_channel_lets_the_colour_through(workshop):
    empty = np.zeros((8, 8, 4), np.uint8)
    quad = workshop.quad((-60, -60), (60, 60), uv=[(0, 0), (1, 0), (1, 1), (0, 1)])
    material = Material("paper", (0.0, 1.0, 0.0), roughness=1.0, texture=empty)
    colour = middle(fast.render(workshop.scene(workshop.part("board", quad, material))).image)
    assert colour[1] > 0.8 > 10 * colour[0]


def test_textures_wrap_around_rounded_things(workshop):
    """A cylinder on its side whose texture changes around it: every face has its own map."""
    steps = np.linspace(0, 2 * np.pi, 25)[:-1]
    ring = np.stack([20 * np.cos(steps), np.zeros(24), 20 * np.sin(steps)], axis=1)
    vertices = np.concatenate([ring + np.array([0, y, 0]) for y in (-50, 50)])
    k = np.arange(24)
    after = (k + 1) % 24
    faces = np.stack([k, k + 24, after + 24, after], axis=1).astype(np.int32)
    uv = np.stack(
        [np.stack([a / 24, b], axis=1) for a, b in ((k, 0 * k), (k, 0 * k + 1), (k + 1, 0 * k + 1), (k + 1, 0 * k))], 1
    )
    around = np.zeros((8, 240, 3), np.uint8)
    around[:, :60] = (255, 0, 0)  # the first quarter: from the east up to the top
    around[:, 60:120] = (0, 255, 0)  # the second: from the top down to the west
    material = Material("paper", (1, 1, 1), roughness=1.0, texture=around)
    image = fast.render(workshop.scene(workshop.part("roll", Mesh(vertices, faces, uv, smooth=True), material))).image
    camera = workshop.camera()
    east, west = (image[workshop.pixel(camera, (x, 0, 17))] for x in (10, -10))
    assert east[0] > 3 * east[1]
    assert west[1] > 3 * west[0]


def test_bumps_are_bright_on_the_side_of_the_light(workshop):
    ridge = np.tile(np.concatenate([np.arange(128), np.arange(127, -1, -1)]).astype(np.uint8), (256, 1))
    quad = workshop.quad((-60, -60), (60, 60), uv=[(0, 0), (1, 0), (1, 1), (0, 1)])
    material = Material("paper", (0.8, 0.8, 0.8), roughness=1.0, bump=ridge, bump_mm=30.0)
    light = workshop.light(Lamp("sun", (-1.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0))
    scene = workshop.scene(workshop.part("board", quad, material), light=light)
    image = fast.render(scene).image.mean(axis=2)
    west, east = (image[workshop.pixel(scene.camera, (x, 0, 0))] for x in (-30, 30))
    assert west > 1.15 * east


def test_edges_are_mixed_from_both_sides(workshop):
    quad = workshop.quad((-60, -60), (20.3, 60))
    light = workshop.light(Lamp("sun", (0.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0))
    scene = workshop.scene(workshop.part("card", quad, WHITE), camera=workshop.camera(0), light=light)
    row = fast.render(scene).image[120].mean(axis=1)
    edge = (row > 0.1 * row.max()) & (row < 0.9 * row.max())
    assert edge.sum() == 1


def test_a_gap_narrower_than_a_pixel_is_seen_all_along(workshop):
    """Two white sheets 0.5 mm apart over black: the line between them has no holes."""
    sheets = [
        workshop.part("west", workshop.quad((-60, -60), (-0.25, 60), 1.0), WHITE),
        workshop.part("east", workshop.quad((0.25, -60), (60, 60), 1.0), WHITE),
    ]
    light = workshop.light(Lamp("sun", (0.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0))
    black = Material("paper", (0, 0, 0), roughness=1.0)
    image = fast.render(workshop.scene(workshop.table(black), *sheets, light=light)).image.mean(axis=2)
    darkest = image[90:150, 150:170].min(axis=1)
    assert darkest.max() < 0.85


def test_what_is_out_of_focus_is_blurred(workshop):
    quad = workshop.quad((-60, -60), (20, 60))

    def sharpness(aperture, focus):
        camera = replace(workshop.camera(aperture=aperture), focus_mm=focus)
        scene = workshop.scene(workshop.table(BLACK, z=-1.0), workshop.part("card", quad, WHITE), camera=camera)
        return np.abs(np.diff(fast.render(scene).image[120, :, 0])).max()

    assert sharpness(4.0, 500.0) == pytest.approx(sharpness(0.0, 500.0))
    assert sharpness(8.0, 350.0) < 0.7 * sharpness(0.0, 350.0)


def test_the_same_scene_gives_the_same_picture(workshop):
    scene = workshop.scene(
        workshop.table(),
        workshop.part("tower", workshop.shell(25, 30, 1.5), Material("translucent", (0.9, 0.1, 0.1), 0.1)),
        camera=workshop.camera(25),
        light=workshop.light(workshop.lamp(), around=0.5),
    )
    assert (fast.render(scene).image == fast.render(scene).image).all()
