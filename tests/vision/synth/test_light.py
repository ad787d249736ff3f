"""Surroundings are what a room can be, and the short cuts of the fast back end agree with adding up the picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Unsupported
from vision.synth import light, rooms, surroundings
from vision.synth.optics import absorption, linear, transmittance
from vision.synth.scene import Array, Lamp, Material

ALL = (*light.environment_names(False), *light.environment_names(True))
UP = np.array([0.0, 0.0, 1.0])


def _unit(*vector: float) -> Array:
    return np.array(vector) / np.linalg.norm(vector)


def _added_up(picture: Array, normal: Array) -> Array:
    """The definition: all light over the hemisphere by the cosine, over pi."""
    height = picture.shape[0]
    look = rooms.directions(height)
    sine = np.sin((np.arange(height) + 0.5) / height * np.pi)[:, None]
    weight = np.maximum(look @ normal, 0.0) * sine * (np.pi / height) ** 2 / np.pi
    return np.asarray((weight[..., None] * picture).sum(axis=(0, 1)))


def test_no_environment_is_both_trained_on_and_held_out() -> None:
    assert not set(light.environment_names(False)) & set(light.environment_names(True))
    assert len(light.environment_names(False)) >= 8
    assert len(light.environment_names(True)) >= 3


@pytest.mark.parametrize("name", ALL)
def test_environment_is_a_picture_of_light(name: str) -> None:
    picture = light.environment(name)
    high, wide, channels = picture.shape
    assert (wide, channels) == (2 * high, 3)
    assert np.isfinite(picture).all()
    assert picture.min() > 0.0
    # Something bright to be mirrored: a window, a lamp or the sky is well above the mean.
    assert picture.max() > 2 * picture.mean()
    # Well lit: 1 on a table top.
    assert _added_up(picture, UP) @ light.LUMINANCE == pytest.approx(1.0, rel=1e-3)
    # It closes: no seam where the last column meets the first, beyond what neighbours differ by elsewhere.
    jumps = np.abs(np.diff(np.log(picture), axis=1)).mean(axis=(0, 2))
    seam = np.abs(np.log(picture[:, 0]) - np.log(picture[:, -1])).mean()
    assert seam <= jumps.max() * 1.5 + 0.02


@pytest.mark.parametrize("name", ALL)
def test_environment_is_drawn_the_same_again(name: str) -> None:
    painter = {**surroundings.TRAINING, **surroundings.HELD_OUT}[name]
    np.testing.assert_array_equal(painter(rooms.seed_of(name)), painter(rooms.seed_of(name)))


def test_environments_differ() -> None:
    small = [np.log(light.blurred(name)[1]).ravel() for name in ALL]
    for i, one in enumerate(small):
        for other in small[i + 1 :]:
            assert np.abs(one - other).mean() > 0.1


def test_unknown_environment_is_named_with_the_known_ones() -> None:
    with pytest.raises(Unsupported, match=r"'moon'.*room-window"):
        light.environment("moon")


@pytest.mark.parametrize("name", ALL)
def test_irradiance_agrees_with_adding_up(name: str) -> None:
    picture = light.environment(name)
    around = [_unit(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)]
    exact = np.array([_added_up(picture, normal) for normal in around])
    # Nine numbers cannot hold a single small lamp exactly: they may be off by 6 % of the strongest light.
    np.testing.assert_allclose(light.irradiance(name, np.array(around)), exact, atol=0.06 * float(exact.max()))


@given(st.floats(0, 360), st.floats(0, 360))
@settings(max_examples=30, deadline=None)
def test_turning_the_room_is_turning_the_surface_back(turn: float, azimuth: float) -> None:
    angle, back = np.radians(azimuth), np.radians(azimuth - turn)
    surface = _unit(np.cos(angle), np.sin(angle), 0.7)
    turned_surface = _unit(np.cos(back), np.sin(back), 0.7)
    expected = light.irradiance("room-window", turned_surface)
    np.testing.assert_allclose(light.irradiance("room-window", surface, turn), expected, rtol=1e-6, atol=1e-9)
    shown = light.reflection("room-window", surface[None], 0.5, turn)
    np.testing.assert_allclose(shown, light.reflection("room-window", turned_surface[None], 0.5), rtol=1e-3)


def test_turned_picture_moves_the_window_counter_clockwise() -> None:
    """The window of this room is in the east; turned by 90 degrees it is in the north."""
    looks = {"east": _unit(1, -0.08, 0.18), "north": _unit(0.08, 1, 0.18)}
    seen = {side: light.reflection("room-window", look[None], 0.0, 90.0)[0, 1] for side, look in looks.items()}
    assert seen["north"] > 5 * seen["east"]
    picture = light.turned("room-window", 90.0)
    column = int(0.25 * picture.shape[1])  # north: a quarter turn to the left of the middle, which is east
    assert picture[:, column - 20 : column + 20].max() > 5 * np.median(picture)


def test_rougher_surfaces_smear_more_and_keep_the_light() -> None:
    look = rooms.directions(24).reshape(-1, 3)
    weight = np.repeat(np.sin((np.arange(24) + 0.5) / 24 * np.pi), 48)
    spread = []
    for roughness in (0.0, 0.3, 0.5, 0.8):
        shown = light.reflection("kitchen-spots", look, roughness) @ light.LUMINANCE
        assert np.average(shown, weights=weight) == pytest.approx(
            np.average(light.blurred("kitchen-spots")[2] @ light.LUMINANCE,
                       weights=np.repeat(np.sin((np.arange(32) + 0.5) / 32 * np.pi)[:, None], 64, axis=1)),
            rel=0.25,
        )  # fmt: skip
        spread.append(shown.max())
    assert spread == sorted(spread, reverse=True)


LAMPS = [
    Lamp("sun", (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), 0.8, 0.5),
    Lamp("area", (300.0, 200.0, 500.0), (1.2, 1.0, 0.6), 0.6, 100.0),
    Lamp("point", (0.0, 0.0, 700.0), (1.0, 1.0, 1.0), 0.5, 5.0),
]


@pytest.mark.parametrize("lamp", LAMPS, ids=lambda lamp: lamp.kind)
def test_strength_is_what_a_table_top_gets_at_the_boards_centre(lamp: Lamp) -> None:
    at_centre = light.lamp_irradiance(lamp, np.zeros(3), UP)
    assert at_centre == pytest.approx(lamp.strength * np.array(lamp.colour))
    # A surface that looks away gets nothing; one that faces the lamp gets most.
    facing = _unit(*lamp.position)
    assert light.lamp_irradiance(lamp, np.zeros(3), -facing).max() == 0.0
    assert (light.lamp_irradiance(lamp, np.zeros(3), facing) >= at_centre).all()


def test_near_lamps_fall_off_and_the_sun_does_not() -> None:
    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 100.0]])
    sun, _, point = (light.lamp_irradiance(lamp, points, np.stack([UP, UP]))[:, 1] for lamp in LAMPS)
    assert sun[1] == pytest.approx(sun[0])
    assert point[1] == pytest.approx(point[0] * (700 / 600) ** 2)


def test_sampled_light_varies_about_well_lit() -> None:
    names = light.environment_names(False)
    lights = [light.sample_light(np.random.default_rng(seed), names) for seed in range(400)]
    total = [setup.environment_strength + sum(lamp.strength for lamp in setup.lamps) for setup in lights]
    assert np.exp(np.log(total).mean()) == pytest.approx(1.0, abs=0.05)
    assert min(total) > 0.3
    assert max(total) < 3.0
    assert {setup.environment for setup in lights} == set(names)
    assert {len(setup.lamps) for setup in lights} == {0, 1, 2, 3}
    assert {lamp.kind for setup in lights for lamp in setup.lamps} == {"sun", "area", "point"}
    warmth = [lamp.colour[0] / lamp.colour[2] for setup in lights for lamp in setup.lamps]
    assert min(warmth) < 0.8  # cold
    assert max(warmth) > 1.6  # warm
    for setup in lights:
        for lamp in setup.lamps:
            assert lamp.position[2] > 0.0
            assert np.array(lamp.colour) @ light.LUMINANCE == pytest.approx(1.0)


def test_sampled_light_depends_on_the_generator_alone() -> None:
    names = light.environment_names(True)
    assert light.sample_light(np.random.default_rng(5), names) == light.sample_light(np.random.default_rng(5), names)
    assert light.sample_light(np.random.default_rng(5), names) != light.sample_light(np.random.default_rng(6), names)


def test_plastic_takes_its_colour_out_of_the_light() -> None:
    red = Material("translucent", (0.8, 0.1, 0.1), density=1.0)
    # Three millimetres of density 1 show the colour itself; twice as thick squares it; none leaves the light alone.
    assert transmittance(red, 3.0) == pytest.approx(linear(red.colour))
    assert transmittance(red, 6.0) == pytest.approx(linear(red.colour) ** 2)
    assert transmittance(red, 0.0) == pytest.approx(np.ones(3))
    assert absorption(Material("translucent", (0.8, 0.1, 0.1), density=0.0)) == pytest.approx(np.zeros(3))
    assert transmittance(red, np.array([1.0, 2.0])).shape == (2, 3)
