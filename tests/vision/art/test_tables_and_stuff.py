"""Table tops and clutter: every name is drawn, seamless, repeatable, varied and quick."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from calibration.looks import ENVIRONMENTS
from vision.synth import light
from vision.synth.art import noise, stuff
from vision.synth.art.tables import table, table_names
from vision.synth.scene import Picture


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


def texture(name: str, seed: int) -> Picture:
    found = table(name, rng(seed)).material.texture
    assert found is not None
    return found


def test_there_are_enough_tables() -> None:
    assert len(table_names(held_out=False)) >= 10
    assert len(table_names(held_out=True)) >= 5
    assert set(table_names()) == {*table_names(held_out=True), *table_names(held_out=False)}


@pytest.mark.parametrize("name", table_names())
def test_a_table_keeps_its_promises(name: str) -> None:
    look = table(name, rng())
    material = look.material
    assert material.texture is not None
    assert material.texture.shape == (1024, 1024, 3)
    assert material.texture.dtype == np.uint8
    assert 100 <= look.repeat_mm <= 1500
    assert 0 <= material.roughness <= 1
    if material.bump is not None:
        assert material.bump.shape == (1024, 1024)
        assert material.bump.dtype == np.uint8
        assert material.bump_mm > 0
    assert np.array_equal(material.texture, texture(name, 5))


@pytest.mark.parametrize("name", table_names())
def test_two_tables_of_a_kind_differ(name: str) -> None:
    """In colour as well as in detail: over ten tables the mean colour moves by more than a camera's noise."""
    means = np.array([texture(name, seed).mean((0, 1)) for seed in range(10)])
    assert means.std(0).max() > 4


@pytest.mark.parametrize("name", table_names())
def test_a_table_is_seamless(name: str) -> None:
    """Over its edges a texture changes no more than somewhere inside (planks and prints have their own edges)."""
    picture = texture(name, 6).astype(float)
    steps_down = np.abs(np.diff(picture, axis=0)).mean((1, 2))
    steps_right = np.abs(np.diff(picture, axis=1)).mean((0, 2))
    assert np.abs(picture[0] - picture[-1]).mean() <= steps_down.max() * 1.4 + 1.5
    assert np.abs(picture[:, 0] - picture[:, -1]).mean() <= steps_right.max() * 1.4 + 1.5


@pytest.mark.parametrize("name", table_names())
def test_a_table_is_quick(name: str) -> None:
    """Tens of thousands of photos need one each: 60 ms on a free core, with room here for a busy one."""
    table(name, rng())
    times = []
    for seed in range(3):
        start = time.process_time()
        table(name, rng(seed))
        times.append(time.process_time() - start)
    assert min(times) < 0.12


def test_environments_are_those_that_the_light_module_knows() -> None:
    assert set(light.environment_names(held_out=False)) == set(ENVIRONMENTS.training)
    assert set(light.environment_names(held_out=True)) == set(ENVIRONMENTS.held_out)


@pytest.mark.parametrize("cells", [(1, 1), (3, 7), (60, 2), (256, 256)])
def test_noise_wraps_around_and_stays_in_its_range(cells: tuple[int, int]) -> None:
    field = noise.smooth(rng(), cells, (256, 256))
    assert np.abs(field).max() < 1.8
    inner = np.abs(np.diff(field, axis=0)).max() if cells[0] > 1 else 1e-5
    assert np.abs(field[0] - field[-1]).max() <= inner * 1.2 + 1e-5


def test_fractal_noise_is_about_as_strong_with_any_number_of_octaves() -> None:
    spread = [float(noise.fractal(rng(), (4, 4), (256, 256), octaves).std()) for octaves in (1, 3, 6)]
    assert max(spread) < 2.5 * min(spread)


STUFF: list[tuple[Callable[[np.random.Generator], Picture], tuple[int, int]]] = [
    (stuff.card_face, (350, 250)),
    (stuff.card_back, (350, 250)),
    (stuff.note_paper, (500, 360)),
    (stuff.score_sheet, (500, 360)),
    (stuff.rules_page, (500, 360)),
    (stuff.book_cover, (500, 360)),
    (stuff.box_lid, (512, 512)),
    (stuff.coaster, (256, 256)),
    (stuff.phone_screen, (500, 240)),
]


@pytest.mark.parametrize(("draw", "shape"), STUFF)
def test_clutter_is_sized_repeatable_and_varied(
    draw: Callable[[np.random.Generator], Picture], shape: tuple[int, int]
) -> None:
    pictures = [draw(rng(seed)) for seed in range(12)]
    assert all(p.shape == (*shape, 3) and p.dtype == np.uint8 for p in pictures)
    assert np.array_equal(pictures[0], draw(rng(0)))
    assert len({p.tobytes() for p in pictures}) == 12


@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_shows_its_pips(pips: int) -> None:
    face = stuff.die_face(pips, (0.9, 0.9, 0.9), (0.0, 0.0, 0.0))
    share = (face.max(2) < 110).mean()
    assert share == pytest.approx(pips * np.pi * 0.09**2, rel=0.1)
