"""Pyramids: sizes, nesting and lying down."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.synth.meshes.pyramids import (
    BODY,
    LARGE,
    MEDIUM,
    PIPS,
    RISE,
    SMALL,
    PyramidSize,
    lying_outline,
    lying_pose,
    nesting_height,
    pyramid,
    sized,
    stack_heights,
)

# size, base, height and pips as the real ones have them
REAL = [(LARGE, 25.4, 44.5, 3), (MEDIUM, 19.8, 34.9, 2), (SMALL, 14.3, 25.4, 1)]
sizes = st.sampled_from([SMALL, MEDIUM, LARGE])


@pytest.mark.parametrize(("size", "base", "height", "pips"), REAL)
def test_measures_of_the_real_ones(
    size: PyramidSize, base: float, height: float, pips: int, measure: SimpleNamespace
) -> None:
    shell = pyramid(size, with_pips=False)
    assert measure.size(shell) == pytest.approx((base, base, height), abs=0.01)
    assert measure.open_edges(shell) == 0
    assert measure.volume(shell) > 0
    mesh = pyramid(size)
    assert mesh.material is not None
    # Three quads make the disc of a pip; every face of the pyramid has all of them.
    assert (mesh.material == PIPS).sum() == 3 * 4 * pips
    assert (mesh.material == BODY).sum() == len(shell.faces) == 14
    assert len(mesh.faces) <= 100


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
def test_hollow_with_a_wall_and_a_cut_tip(size: PyramidSize, measure: SimpleNamespace) -> None:
    assert 1.0 < size.tip_mm < 2.5
    full = size.height_mm / 3 * (size.base_mm**2 + size.base_mm * size.tip_mm + size.tip_mm**2)
    assert 0.2 * full < measure.volume(pyramid(size, with_pips=False)) < 0.6 * full
    # Across the wall, square to the face: the horizontal distance of the two surfaces times the cosine of the lean.
    across = (size.base_mm - size.cavity_mm) / 2 * np.cos(np.arctan(0.5 / RISE))
    assert across == pytest.approx(1.5)


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
def test_pips_lie_low_upon_the_faces_and_look_outwards(size: PyramidSize) -> None:
    mesh = pyramid(size)
    assert mesh.material is not None
    for face in mesh.faces[mesh.material == PIPS]:
        a, b, c = mesh.vertices[face[:3]]
        normal = np.cross(b - a, c - a)
        middle = mesh.vertices[face].mean(axis=0)
        assert normal @ (middle - (0.0, 0.0, size.height_mm / 2)) > 0
        assert 0 < middle[2] < size.height_mm / 4
        # Just outside the shell: its half width at that height, seen square to the face.
        outside = np.abs(middle[:2]).max() - (size.base_mm - middle[2] / RISE) / 2
        assert 0 < outside < 0.1


# lower, upper, turn against it, height of the upper base above the lower one
NESTS = [
    # small on large: inner base 14.3 - 2 * 1.5 * sqrt(1 + 0.26²) = 11.2 mm; the large one is as wide 27.3 mm up
    (LARGE, SMALL, 0.0, 27.31),
    (LARGE, MEDIUM, 0.0, 16.75),
    (MEDIUM, SMALL, 0.0, 16.56),
    (LARGE, LARGE, 0.0, 6.0),
    # a quarter turn is no turn for a square
    (LARGE, SMALL, 90.0, 27.31),
    # turned by 45 degrees it catches on the corners: 11.2 / sqrt 2 wide
    (LARGE, SMALL, 45.0, 33.61),
]


@pytest.mark.parametrize(("lower", "upper", "turn", "height"), NESTS)
def test_nesting_heights(lower: PyramidSize, upper: PyramidSize, turn: float, height: float) -> None:
    assert nesting_height(lower, upper, turn) == pytest.approx(height, abs=0.02)


@settings(deadline=None)
@given(sizes, sizes, st.floats(-60, 60))
def test_an_upper_pyramid_is_outside_the_lower_one_and_as_low_as_can_be(
    lower: PyramidSize, upper: PyramidSize, turn: float
) -> None:
    height = max(0.0, nesting_height(lower, upper, turn))

    def room(z: float, rest: float) -> float:
        """What is free between the lower one's corners and the cavity around them, at a height."""
        half_outer = (lower.base_mm - z / RISE) / 2
        half_inner = (upper.cavity_mm - (z - rest) / RISE) / 2
        angle = np.radians(turn + 45.0)
        corners = half_outer * np.sqrt(2) * np.array([np.cos(angle), np.sin(angle)])
        return float(half_inner - np.abs(corners).max())

    levels = np.linspace(height, lower.height_mm, 20) if height < lower.height_mm else np.array([height])
    assert min(room(z, height) for z in levels) > 0
    if height > 0:
        assert room(height - 0.3, height - 0.3) < 0


# stack, bottom first -> whether each base is above the one before (a larger one slips over and stands on the ground)
STACKS = [
    ((LARGE, MEDIUM, SMALL), (0.0, 16.75, 33.32)),
    ((LARGE, SMALL), (0.0, 27.31)),
    ((MEDIUM, SMALL), (0.0, 16.56)),
    ((SMALL, LARGE), (0.0, 0.0)),
    ((LARGE, LARGE, LARGE), (0.0, 6.0, 12.0)),
]


@pytest.mark.parametrize(("stack", "heights"), STACKS)
def test_stacks(stack: tuple[PyramidSize, ...], heights: tuple[float, ...]) -> None:
    assert stack_heights(stack, [0.0] * len(stack)) == pytest.approx(heights, abs=0.02)


@settings(deadline=None)
@given(st.permutations([LARGE, MEDIUM, SMALL]), st.floats(0.5, 3.0))
def test_a_stack_never_comes_down_to_less_than_its_highest_piece(order: list[PyramidSize], wall: float) -> None:
    stack = [sized(size.pips, wall) for size in order]
    heights = stack_heights(stack, [0.0, 2.0, -2.0])
    tops = [height + size.height_mm for height, size in zip(heights, stack, strict=True)]
    assert min(heights) >= 0
    assert max(tops) < sum(size.height_mm for size in stack)


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
def test_lying_on_a_face_with_the_tip_to_the_east(size: PyramidSize) -> None:
    pose = lying_pose(size)
    points = pyramid(size, with_pips=False).vertices @ pose[:3, :3].T + pose[:3, 3]
    assert points[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    # Four corners, those of one outer face, lie on the ground.
    assert (points[:, 2] < 1e-6).sum() == 4
    tip, base = (pose @ (0.0, 0.0, height, 1.0) for height in (size.height_mm, 0.0))
    assert tip[0] - base[0] > 0.9 * size.height_mm
    assert tip[1] == pytest.approx(base[1])
    assert points[:, 0].max() == pytest.approx(-points[:, 0].min())
    assert np.linalg.det(pose[:3, :3]) == pytest.approx(1.0)


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
def test_the_outline_of_a_lying_one_is_its_shadow(size: PyramidSize) -> None:
    import cv2

    pose = lying_pose(size)
    points = (pyramid(size, with_pips=False).vertices @ pose[:3, :3].T + pose[:3, 3])[:, :2]
    shadow, outline = cv2.convexHull(points.astype(np.float32)), lying_outline(size).astype(np.float32)
    areas = cv2.contourArea(shadow), cv2.contourArea(outline, oriented=True)
    assert areas[1] == pytest.approx(areas[0], rel=0.02)
    assert cv2.intersectConvexConvex(shadow, outline)[0] == pytest.approx(areas[0], rel=0.01)
