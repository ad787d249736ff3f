"""Grounds, wear, wood and print: the parts that tiles, boards and clutter share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profiles import load_profile
from calibration.sets import CoinSet, TileSet
from vision.synth.art import tiles
from vision.synth.art.digits import sign
from vision.synth.art.glyphs import angular_skeleton, round_skeleton, segment_skeleton
from vision.synth.art.print import handwriting, headline, text_lines
from vision.synth.art.surface import body_colour, ground, surface_material, worn
from vision.synth.art.table_look import gradient, levels, random_tone, shaded
from vision.synth.art.wood import SPECIES, grain_field, paint, palette, ring_field, varied

CREAM = (0.94, 0.9, 0.78)
GROUNDS = ("plain", "wood", "inverted", "inverted-wood", "speckled", "marble", "glass")


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


def paper(shape: tuple[int, int] = (120, 200)) -> np.ndarray:
    return np.full((*shape, 3), 240, np.uint8)


@pytest.mark.parametrize("kind", GROUNDS)
def test_a_ground_has_about_the_colour_that_was_asked_for(kind: str) -> None:
    blank = ground(kind, CREAM, (300, 300), rng())
    assert blank.shape == (300, 300, 3)
    assert np.abs(blank.mean((0, 1)) / 255 - CREAM).max() < 0.2
    assert blank.mean((0, 1))[0] > blank.mean((0, 1))[2]  # cream stays warmer than grey


@pytest.mark.parametrize("shape", [(40, 40), (384, 384), (512, 100), (1024, 700), (1200, 1200)])
def test_a_ground_may_be_smaller_or_larger_than_its_stock(shape: tuple[int, int]) -> None:
    assert ground("wood", CREAM, shape, rng()).shape == (*shape, 3)


def test_blanks_of_one_stock_differ() -> None:
    blanks = {ground("wood", CREAM, (200, 200), rng(seed)).tobytes() for seed in range(8)}
    assert len(blanks) == 8


def test_wood_has_a_direction_and_plain_ground_has_none() -> None:
    """Along the grain colours change slowly, across it quickly."""
    wood = ground("wood", CREAM, (384, 384), rng()).astype(float)
    across, along = (np.abs(np.diff(wood, axis=axis)).mean() for axis in (0, 1))
    assert across > 2 * along
    flat = ground("plain", CREAM, (384, 384), rng()).astype(float)
    across, along = (np.abs(np.diff(flat, axis=axis)).mean() for axis in (0, 1))
    assert across == pytest.approx(along, rel=0.1)


def test_no_wear_changes_nothing() -> None:
    picture = ground("plain", CREAM, (64, 64), rng())
    assert worn(picture, 0.0, rng()) is picture


def test_wear_begins_at_the_edges() -> None:
    picture = np.full((384, 384, 3), 40, np.uint8)
    difference = np.abs(worn(picture, 0.6, rng()).astype(int) - picture).max(2)
    assert difference[:5].mean() > 4 * difference[150:230, 150:230].mean()
    narrow = np.abs(worn(picture, 0.6, rng(), edge=0.25).astype(int) - picture).max(2)
    assert narrow[8:12].mean() < difference[8:12].mean()


@pytest.mark.parametrize(
    ("material", "kind"),
    [
        ("card", "paper"),
        ("paper", "paper"),
        ("wood", "wood"),
        ("vinyl", "plastic"),
        ("marble", "stone"),
        ("metal", "metal"),
    ],
)
def test_materials_have_a_kind_that_back_ends_know(material: str, kind: str) -> None:
    surface = surface_material(material, 0.5, None, CREAM)
    assert surface.kind == kind
    assert surface.roughness == pytest.approx(0.4)


def test_card_is_grey_inside_and_plastic_is_not() -> None:
    red = (0.8, 0.1, 0.1)
    assert max(body_colour("card", red)) - min(body_colour("card", red)) < 0.15
    assert body_colour("plastic", red) == red
    assert sum(body_colour("wood", CREAM)) < sum(CREAM)


@pytest.mark.parametrize("name", sorted(SPECIES))
def test_every_species_of_wood_lies_between_its_colours(name: str) -> None:
    species = SPECIES[name]
    picture = paint(grain_field(rng(), (256, 256), species), palette(species.light, species.dark))
    mean = picture.mean((0, 1)) / 255
    for channel in range(3):
        low, high = sorted((species.light[channel], species.dark[channel]))
        assert low - 0.05 <= mean[channel] <= high + 0.05


def test_rings_run_from_early_to_late_wood() -> None:
    rings = ring_field(rng(), (256, 256), 8, 1.0)
    assert rings.min() >= 0
    assert rings.max() <= 1
    assert rings.std() > 0.1


def test_varied_colours_stay_colours() -> None:
    for seed in range(200):
        assert all(0 < c < 1 for c in varied(rng(seed), (0.99, 0.5, 0.01), 0.5))


def test_random_tones_keep_their_limits() -> None:
    for seed in range(100):
        tone = random_tone(rng(seed), (0.2, 0.5), (0.3, 0.6))
        value = max(tone)
        assert 0.3 <= value <= 0.6 + 1e-6
        assert 0.2 - 1e-6 <= 1 - min(tone) / value <= 0.5 + 1e-6


def test_gradients_and_levels() -> None:
    lut = gradient((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert lut.shape == (256, 3)
    assert lut[0].tolist() == [0, 0, 0]
    assert lut[255].tolist() == [255, 255, 255]
    assert lut[127, 0] > 250
    assert levels(np.array([[-1.0, 0.0, 1.0]], np.float32), -1, 1).tolist() == [[0, 128, 255]]
    assert (shaded(paper(), np.full((120, 200), 0.5, np.float32)) == 120).all()


def test_print_stays_in_its_area() -> None:
    area = (20, 10, 150, 90)
    for write in (text_lines, handwriting):
        page = paper()
        write(page, area, 14, (0.0, 0.0, 0.0), rng())
        written = page.min(2) < 200
        assert 0.01 < written[10:100, 20:170].mean() < 0.6
        written[10:100, 20:170] = False
        assert not written.any()


def test_a_headline_is_larger_than_text() -> None:
    page = paper()
    headline(page, (10, 20), 40, 4, (0.0, 0.0, 0.0), rng())
    rows = np.flatnonzero((page.min(2) < 128).any(1))
    assert (rows[0], rows[-1]) == (20, 59)


# What makes each of these fonts what it is, measured against the plain one.
def test_font_features_show_in_the_ink() -> None:
    plain = sign("grotesk", "3", 120)
    assert sign("condensed", "3", 120).shape[1] < plain.shape[1]  # narrower
    assert sign("deco", "4", 120).mean() < 0.8 * sign("grotesk", "4", 120).mean()  # thinner
    hollow = sign("hollow", "5", 120)
    assert hollow.mean() < plain.mean()  # outlines only
    assert _pieces(sign("stencil", "5", 120)) > _pieces(sign("grotesk", "5", 120)) == 1  # cut by a bridge
    assert _pieces(sign("segment", "5", 120)) == 5  # bars that do not touch


def _pieces(mask: np.ndarray) -> int:
    """Into how many parts the ink falls."""
    return int(cv2.connectedComponents((mask > 0.5).astype(np.uint8))[0]) - 1


def test_an_ace_may_be_a_letter_a_digit_or_the_suit() -> None:
    dressed = _tiles()
    faces = {ace: tiles.tile_face(replace(dressed, ace=ace), "red", 1, rng()).tobytes() for ace in ("A", "1", "suit")}
    assert len(set(faces.values())) == 3


def test_skeletons_lie_in_their_frame() -> None:
    for text in "0123456789ABCDEFGHJKQ":
        for path in round_skeleton(text, open_four=False, flat_three=False):
            assert np.abs(path[:, 0]).max() <= 0.7, text
            assert np.abs(path[:, 1]).max() <= 1.1, text
    for text in "12345A":
        assert all(np.abs(path).max() <= 1 for path in angular_skeleton(text))
        assert 2 <= len(segment_skeleton(text)) <= 6


def _tiles() -> TileSet:
    found = load_profile("cream-classic", Path("nowhere")).tiles
    assert found is not None
    return replace(found, wear=0.0)


def _coins() -> CoinSet:
    found = load_profile("cream-classic", Path("nowhere")).coins
    assert found is not None
    return replace(found, wear=0.0)


@pytest.mark.parametrize("frame", ["line", "double", "rounded", "band"])
def test_frames_are_drawn_near_the_edge(frame: str) -> None:
    bare, framed = (tiles.tile_face(replace(_tiles(), frame=f), "red", 3, rng()).astype(int) for f in ("none", frame))
    different = np.abs(bare - framed).max(2) > 20
    assert different.any()
    assert not different[40:-40, 40:-40].any()


def test_lot_lines_cross_in_the_middle() -> None:
    bare, lined = (tiles.tile_face(replace(_tiles(), lot_lines=s), "black", 0, rng()).astype(int) for s in (0.0, 0.6))
    different = np.abs(bare - lined).max(2) > 20
    rows, columns = np.nonzero(different)
    assert different[191].mean() > 0.8
    assert different[:, 191].mean() > 0.8
    assert ((np.abs(rows - 191.5) < 4) | (np.abs(columns - 191.5) < 4)).all()


def test_the_back_is_divided_in_four_in_any_set() -> None:
    for colour in (CREAM, (0.1, 0.1, 0.12)):
        back = tiles.tile_back(replace(_tiles(), ground_colour=colour), rng()).astype(int)
        assert np.abs(back[192, 40] - back[100, 40]).max() > 60
        assert np.abs(back[40, 192] - back[40, 100]).max() > 60


@pytest.mark.parametrize("rim", ["groove", "raised", "ring", "dark"])
def test_rims_change_the_edge_and_not_the_middle(rim: str) -> None:
    faces = [
        tiles.coin_face(replace(_coins(), rim=r), _tiles(), "blue", "suit", None, rng()).astype(int)
        for r in ("none", rim)
    ]
    at = (np.arange(192) - 95.5) / 96
    far = np.hypot(at[:, None], at[None])
    different = np.abs(faces[0] - faces[1]).max(2) > 12
    assert different[(far > 0.78) & (far < 1)].mean() > 0.05
    assert not different[far < 0.75].any()


def test_relief_shades_the_symbols_edges() -> None:
    flat, cut = (
        tiles.coin_face(replace(_coins(), relief_mm=d), _tiles(), "blue", "suit", None, rng()).astype(int)
        for d in (0.0, 0.5)
    )
    share = (np.abs(flat - cut).max(2) > 8).mean()
    assert 0.01 < share < 0.4
