"""Translucent plastic: colour by thickness, coloured shadows, what is seen through it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.synth import fast, optics
from vision.synth.scene import Lamp, Material, Mesh

RED = Material("translucent", (0.85, 0.1, 0.1), roughness=0.1, density=1.0)
HIGH_SUN = Lamp("sun", (0.4, 0.0, 1.0), (1, 1, 1), 1.0, 1.0)


def through(workshop, mesh, material, *others, at=(0.0, 0.0, 0.0), lamps=()):
    light = workshop.light(*lamps, around=1.0 if not lamps else 1e-6)
    scene = workshop.scene(workshop.table(), *others, workshop.part("tower", mesh, material, at), light=light)
    return fast.render(scene).image


def test_thicker_plastic_lets_less_light_through(workshop):
    seen = [through(workshop, workshop.box(40, 40, mm), RED)[120, 160] for mm in (0.5, 2.0, 6.0)]
    greens = [float(s[1]) for s in seen]
    assert greens[0] > 1.5 * greens[1] > 2 * greens[2]


@pytest.mark.parametrize("mm", [1.0, 3.0])
def test_the_tint_is_that_of_the_common_formula(workshop, mm):
    """Light goes down to the table and up again: the table's brightness falls by the square of the tint, in parts."""
    colour = through(workshop, workshop.box(60, 60, mm), RED, lamps=(HIGH_SUN,))[120, 160]
    tint = optics.transmittance(RED, np.array(mm))
    assert colour[0] / colour[1] > 1.0
    assert colour[0] < 1.2 * tint[0] ** 2 + 0.15
    assert colour[0] > 0.4 * tint[0] ** 2


def test_denser_plastic_is_darker(workshop):
    thin = Material("translucent", RED.colour, 0.1, density=0.2)
    box = workshop.box(40, 40, 4)
    assert through(workshop, box, thin)[120, 160, 1] > 2 * through(workshop, box, RED)[120, 160, 1]


def test_window_glass_hardly_changes_what_is_behind(workshop):
    clear = Material("translucent", (0.9, 0.9, 0.9), 0.05, density=0.0)
    table = through(workshop, workshop.box(0.01, 0.01, 0.01), clear, at=(200, 0, 0))[120, 160]
    seen = through(workshop, workshop.box(40, 40, 4), clear)[120, 160]
    assert np.allclose(seen, table, rtol=0.25)


def test_the_walls_of_a_hollow_body_count_and_its_cavity_does_not(workshop):
    solid = through(workshop, workshop.box(30, 30, 30), RED)[120, 160]
    hollow = through(workshop, workshop.shell(30, 30, 1.0), RED)[120, 160]
    assert hollow[0] > 2 * solid[0]


def test_pieces_within_pieces_darken_each_other(workshop):
    one = through(workshop, workshop.shell(30, 30, 1.0), RED)[120, 160]
    inner = workshop.part("inner", workshop.shell(20, 20, 1.0), RED)
    both = through(workshop, workshop.shell(30, 30, 1.0), RED, inner)[120, 160]
    assert both[1] < 0.85 * one[1]


def test_what_stands_before_plastic_is_not_tinted(workshop):
    lid = workshop.part("lid", workshop.box(20, 20, 2), Material("paper", (1, 1, 1), 1.0), (0, 0, 12))
    colour = through(workshop, workshop.box(40, 40, 10), RED, lid)[120, 160]
    assert colour.min() > 0.7 * colour.max()


def test_faces_of_several_materials_enclose_one_body(workshop):
    """Light that enters through a dish of another tint leaves through the body: no abyss of darkness."""
    box = workshop.box(40, 40, 3)
    dish = Material("translucent", (0.9, 0.3, 0.3), 0.1, density=0.7)
    mixed = Mesh(box.vertices, box.faces, None, np.array([1, 0, 0, 0, 0, 0], np.int32))
    plain = through(workshop, box, RED)[120, 160]
    dished = through(workshop, mixed, (RED, dish))[120, 160]
    assert np.allclose(dished, plain, atol=0.12)


def test_a_translucent_shadow_is_coloured_and_an_opaque_one_is_grey(workshop):
    lamp = workshop.lamp(-400, 0, 300, size=20)
    place = workshop.pixel(workshop.camera(), (38, 0, 0))
    box = workshop.box(30, 30, 40)
    thin = workshop.shell(30, 40, 1.0)
    red = through(workshop, thin, RED, lamps=(lamp,))[place]
    grey = through(workshop, box, Material("plastic", (0.85, 0.1, 0.1), 0.4), lamps=(lamp,))[place]
    open_table = through(workshop, workshop.box(0.1, 0.1, 0.1), RED, at=(-200, 0, 0), lamps=(lamp,))[place]
    assert red[0] > 2.5 * red[1]
    assert grey.max() < 0.3 * open_table.max()
    assert red[0] > grey[0]
    assert red[0] < open_table[0]


def test_the_sky_through_plastic_tints_the_table_around(workshop):
    red = through(workshop, workshop.box(30, 30, 40), RED)
    place = workshop.pixel(workshop.camera(), (19, 0, 0))
    away = workshop.pixel(workshop.camera(), (150, 100, 0))
    assert red[place][0] / red[place][1] > 1.05 * red[away][0] / red[away][1]


def test_the_far_part_of_a_body_behind_an_opaque_one_does_not_count(workshop):
    """A block that sinks into the table: only what is above it tints."""
    above = through(workshop, workshop.box(40, 40, 3), RED)[120, 160]
    sunk = through(workshop, workshop.box(40, 40, 23), RED, at=(0, 0, -20))[120, 160]
    assert np.allclose(above, sunk, atol=0.05)


def test_glossy_plastic_flares_towards_a_lamp_behind_the_eye(workshop):
    lamp = Lamp("sun", (0.0, 0.0, 1.0), (1, 1, 1), 1.0, 1.0)
    smooth, matt = (Material("translucent", RED.colour, rough, 1.0) for rough in (0.1, 0.9))
    flare, dull = (
        through(workshop, workshop.box(40, 40, 10), m, lamps=(lamp,))[120, 160].min() for m in (smooth, matt)
    )
    assert flare > 1.0 > 3 * dull


def test_a_clear_cap_shows_on_a_coloured_tower(workshop):
    """It has no colour of its own: unless what lies beside is seen in it, nobody could tell that it is there."""
    clear = Material("translucent", (0.95, 0.96, 0.97), 0.06, density=0.3)
    tower = workshop.part("tower", workshop.pyramid(40, 40), RED)
    cap = workshop.part("cap", workshop.pyramid(20, 25), clear, (0, 0, 22))
    camera = workshop.camera(20)
    bare, capped = (
        fast.render(workshop.scene(workshop.table(), tower, *more, camera=camera)).image for more in ((), (cap,))
    )
    index = fast.index_pass(workshop.scene(workshop.table(), tower, cap, camera=camera))
    changed = np.abs(capped - bare)[index == 3].max(axis=1)
    assert np.median(changed) > 0.04
