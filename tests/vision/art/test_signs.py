"""Icons and digits: every name is drawn, fills its frame, and no two look alike."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from calibration.looks import DIGITS, ICONS, motif
from vision.synth.art.digits import FONTS, base_font, font_names, sign, varied
from vision.synth.art.draw import Mask, Pen, arc, curve, fill, ink, mirrored, star
from vision.synth.art.icons import icon, icon_names

RANKS = ("1", "2", "3", "4", "5", "A")


def difference(first: Mask, second: Mask) -> float:
    """Share of the area in which two masks of one size differ."""
    return float(np.abs(first - second).mean())


def stretched(mask: Mask) -> Mask:
    """The mask at a fixed size, whatever its shape: what is left when width no longer tells signs apart."""
    rows = np.linspace(0, mask.shape[0] - 1, 48).astype(int)
    columns = np.linspace(0, mask.shape[1] - 1, 48).astype(int)
    return mask[np.ix_(rows, columns)]


def test_every_name_has_a_drawing_and_every_drawing_a_name() -> None:
    assert set(icon_names()) == set(ICONS.all)
    assert set(font_names()) == set(FONTS) == set(DIGITS.all)
    assert len(font_names(held_out=False)) >= 7
    assert len(font_names(held_out=True)) >= 3


def test_every_suit_has_enough_designs() -> None:
    for suit in ({"sun"}, {"arms"}, {"crown"}, {"moon", "tool"}, {"bolt"}, {"circle"}, {"star"}, {"pyramid"}):
        assert sum(motif(name) in suit for name in icon_names(held_out=False)) >= 5
        assert sum(motif(name) in suit for name in icon_names(held_out=True)) >= 2


@pytest.mark.parametrize("name", ICONS.all)
def test_an_icon_fills_its_frame(name: str) -> None:
    mask = icon(name, 96)
    assert mask.shape == (96, 96)
    assert mask.dtype == np.float32
    assert mask.min() >= 0
    assert mask.max() <= 1
    rows, columns = np.flatnonzero(mask.max(1) > 0.3), np.flatnonzero(mask.max(0) > 0.3)
    assert max(rows[-1] - rows[0], columns[-1] - columns[0]) >= 92  # touches the frame in one direction
    assert abs(rows[0] + rows[-1] - 95) <= 3  # and stands in its middle
    assert abs(columns[0] + columns[-1] - 95) <= 3
    assert 0.08 < mask.mean() < 0.82  # neither a hair nor a blot


def test_no_two_icons_look_alike() -> None:
    masks = {name: icon(name, 48) for name in ICONS.all}
    for first, second in combinations(ICONS.all, 2):
        assert difference(masks[first], masks[second]) > 0.03, (first, second)


@pytest.mark.parametrize("font", DIGITS.all)
def test_the_ranks_of_a_font_can_be_told_apart(font: str) -> None:
    masks = {text: sign(font, text, 96) for text in RANKS}
    for text, mask in masks.items():
        assert mask.shape[0] == 96, text
        assert 0.1 < mask.shape[1] / 96 < 1.2, text
        assert mask[0].max() > 0.2, text  # the ink touches top and bottom
        assert mask[-1].max() > 0.2, text
    for first, second in combinations(RANKS[1:], 2):
        assert difference(stretched(masks[first]), stretched(masks[second])) > 0.1, (first, second)


def test_fonts_differ_clearly_between_training_and_held_out() -> None:
    for ours in font_names(held_out=True):
        for theirs in font_names(held_out=False):
            apart = np.mean([difference(stretched(sign(ours, t, 96)), stretched(sign(theirs, t, 96))) for t in "2345A"])
            assert apart > 0.1, (ours, theirs)


def test_a_sign_keeps_its_proportions_at_any_size() -> None:
    small, large = sign("roman", "4", 40), sign("roman", "4", 160)
    assert large.shape[1] / large.shape[0] == pytest.approx(small.shape[1] / small.shape[0], abs=0.03)


def test_pen_measures() -> None:
    """Areas of simple shapes come out as geometry says (the frame has an area of 4)."""
    pen = Pen(200)
    pen.disc(0, 0, 0.5)
    assert pen.mask().mean() * 4 == pytest.approx(np.pi / 4, rel=0.01)
    pen.disc(0, 0, 0.25, 0)
    assert pen.mask().mean() * 4 == pytest.approx(np.pi * (0.25 - 0.0625), rel=0.01)
    line = Pen(200)
    line.band([(-0.5, 0), (0.5, 0)], 0.2)
    assert line.mask().mean() * 4 == pytest.approx(0.2, rel=0.06)
    up = Pen(100)
    up.polygon([(-1, 0), (1, 0), (1, 1), (-1, 1)])
    assert up.mask()[:49].min() == 1  # y grows upwards
    assert up.mask()[51:].max() == 0


def test_outline_leaves_the_inside_empty() -> None:
    pen = Pen(100)
    pen.disc(0, 0, 0.9)
    pen.outline(0.2)
    mask = pen.mask()
    assert mask[50, 50] == 0
    assert mask[50, 8] > 0.9


def test_curves() -> None:
    assert np.allclose(arc(1, 2, 3, 0, 90)[[0, -1]], [(4, 2), (1, 5)])
    assert np.allclose(curve((0, 0), (1, 2), (2, 0))[10], (1, 1))
    assert len(star(5, 0.4)) == 10
    assert np.allclose(mirrored(np.array([(0.0, 1.0), (1.0, 0.0)]))[-1], (0, 1))


def test_ink_is_cut_off_at_the_edge_and_mixes() -> None:
    picture = np.full((10, 10, 3), 200, np.uint8)
    ink(picture, np.ones((6, 6), np.float32), (0.0, 0.0, 0.0), -3, 7, 0.5)
    assert (picture[7:, :3] == 100).all()
    assert (picture[:7] == 200).all()
    assert (picture[:, 3:] == 200).all()
    ink(picture, np.ones((3, 3), np.float32), (0.0, 0.0, 0.0), 30, 30)  # all outside: nothing happens
    fill(picture, (slice(0, 2), slice(0, 2)), (1.0, 0.0, 0.0))
    assert picture[0, 0].tolist() == [255, 0, 0]


def test_cuts_of_a_font_differ_and_are_the_same_again() -> None:
    one, other = (sign(varied("roman", number), "3", 64) for number in (1, 2))
    assert one.shape != other.shape or np.abs(one - other).mean() > 0.02
    assert np.array_equal(one, sign(varied("roman", 1), "3", 64))
    assert base_font(varied("roman", 7)) == "roman"
