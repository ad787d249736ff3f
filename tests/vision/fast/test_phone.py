"""The phone: the lens puts things where OpenCV says, and every setting does what its name says."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.synth import camera as cameras
from vision.synth import phone as phones
from vision.synth.scene import Frame, Phone

PLAIN = Phone()


def scene_of_squares(high=240, wide=320, low=0.05, bright=0.6) -> Frame:
    rows, columns = np.mgrid[:high, :wide]
    chess = ((rows // 20 + columns // 20) % 2).astype(np.float32)
    return Frame(np.repeat((low + (bright - low) * chess)[..., None], 3, axis=2))


def flat(value=0.3, high=240, wide=320) -> Frame:
    return Frame(np.full((high, wide, 3), value, np.float32))


def taken(frame, camera, phone=PLAIN, seed=1) -> np.ndarray:
    return phones.develop(frame, camera, phone, np.random.default_rng(seed))


def gradient(photo) -> float:
    grey = photo.astype(float).mean(axis=2)
    return float(np.abs(np.diff(grey, axis=1)).max())


LENSES = [
    (0.0, 0.0, 0.0, 0.0, 0.0),  # no lens at all
    (0.08, -0.03, 0.0, 0.0, 0.0),  # pincushion
    (-0.09, 0.02, 0.0, 0.0, 0.0),  # barrel
    (0.02, 0.0, 0.004, -0.003, 0.01),  # not centred
]


@pytest.mark.parametrize("lens", LENSES)
def test_the_lens_puts_points_where_opencv_projects_them(workshop, lens):
    """Draw dots at the pinhole places of a grid of points; after the lens they are where projectPoints says."""
    bare = workshop.camera(25, size=(640, 480), focal=600.0, lens=lens)
    camera = replace(bare, overscan=cameras.overscan_for(bare.matrix, bare.distortion, (640, 480)))
    points = np.array([(x, y, 0.0) for x in range(-180, 181, 60) for y in range(-120, 121, 60)])
    wide, high = camera.pinhole_size
    index = np.zeros((high, wide), np.int32)
    rows, columns = np.mgrid[:high, :wide]
    for number, (x, y) in enumerate(cameras.project_pinhole(camera, points), start=1):
        index[(columns - x) ** 2 + (rows - y) ** 2 < 4.5**2] = number
    photo = phones.develop_index(index, camera)
    assert photo.shape == (480, 640)
    assert photo.dtype == np.int32
    turn, _ = cv2.Rodrigues(camera.rotation)
    wanted, _ = cv2.projectPoints(points, turn, camera.translation, camera.matrix, camera.distortion)
    tested = 0
    for number, (x, y) in enumerate(wanted.reshape(-1, 2), start=1):
        rows, columns = np.nonzero(photo == number)
        if 6 < x < 633 and 6 < y < 473:
            assert np.hypot(columns.mean() - x, rows.mean() - y) < 1.0
            tested += 1
    assert tested >= 20


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(k1=st.floats(-0.09, 0.09), k2=st.floats(-0.03, 0.03), p=st.floats(-0.004, 0.004))
def test_the_interpolated_lens_is_exact_to_a_small_part_of_a_pixel(workshop, k1, k2, p):
    camera = workshop.camera(size=(320, 240), focal=300.0, lens=(k1, k2, p, -p, 0.0))
    map_x, map_y = phones.lens_map(camera)
    for row, column in ((0, 0), (239, 319), (117, 43), (8, 201)):
        exact = cameras.undistort(camera.matrix, camera.distortion, np.array([[column, row]], float))[0]
        assert np.hypot(map_x[row, column] - exact[0], map_y[row, column] - exact[1]) < 0.05


def test_a_photo_has_the_size_of_the_camera_whatever_the_overscan_or_the_scale(workshop):
    camera = workshop.camera(lens=(0.05, 0, 0, 0, 0), overscan=1.1)
    wide, high = camera.pinhole_size
    for scale in (1.0, 0.5):
        photo = taken(scene_of_squares(round(high * scale), round(wide * scale)), camera)
        assert photo.shape == (240, 320, 3)
        assert photo.dtype == np.uint8


def test_picture_and_index_stay_together(workshop):
    camera = workshop.camera(lens=(0.08, -0.02, 0.002, 0.001, 0.0), overscan=1.08)
    wide, high = camera.pinhole_size
    index = np.zeros((high, wide), np.int32)
    index[60:150, 90:200] = 1
    photo = taken(Frame(np.repeat(index[..., None], 3, axis=2).astype(np.float32)), camera).mean(axis=2)
    moved = phones.develop_index(index, camera)
    assert ((photo > photo.max() / 2) != (moved == 1)).mean() < 0.004


@pytest.mark.parametrize(
    ("change", "sharper"),
    [
        ({"defocus_px": 2.5}, False),  # out of focus
        ({"motion_px": (6.0, 0.0)}, False),  # a shaken hand, across the edges
        ({"sharpen": 1.0}, True),
    ],
)
def test_blur_lowers_the_gradient_and_sharpening_raises_it(workshop, change, sharper):
    camera = workshop.camera()
    soft = Phone(defocus_px=0.9)
    before = gradient(taken(scene_of_squares(), camera, soft))
    after = gradient(taken(scene_of_squares(), camera, replace(soft, **change)))
    assert (after > 1.1 * before) if sharper else (after < 0.8 * before)


def test_sharpening_leaves_halos(workshop):
    camera = workshop.camera()
    plain = taken(scene_of_squares(), camera, Phone(defocus_px=0.9)).astype(int)
    sharp = taken(scene_of_squares(), camera, Phone(defocus_px=0.9, sharpen=1.2)).astype(int)
    assert sharp.max() > plain.max() + 3
    assert sharp.min() < plain.min()


def test_motion_blurs_along_its_way_only(workshop):
    photo = taken(scene_of_squares(), workshop.camera(), Phone(motion_px=(0.0, 7.0))).astype(float).mean(axis=2)
    across = np.abs(np.diff(photo[10])).max()
    along = np.abs(np.diff(photo[:, 10])).max()
    assert along < 0.5 * across


@pytest.mark.parametrize("strength", [2.0, 5.0])
def test_noise_has_the_promised_deviation_at_mid_grey(workshop, strength):
    camera = workshop.camera()
    # The plain tone curve is steeper than sRGB at mid grey, so compare over the light meter's own value.
    noisy = taken(flat(), camera, Phone(noise=strength)).astype(float)
    clean = taken(flat(), camera, Phone()).astype(float)
    assert clean.std() < 0.01
    assert 0.6 * strength < (noisy - clean).std(axis=(0, 1)).mean() < 1.7 * strength


def test_noise_is_shared_by_neighbours_and_colours_as_demosaicing_does(workshop):
    noisy = taken(flat(), workshop.camera(), Phone(noise=6.0)).astype(float)
    noisy -= noisy.mean(axis=(0, 1))
    neighbours = (noisy[:, 1:] * noisy[:, :-1]).mean() / (noisy**2).mean()
    colours = (noisy[..., 0] * noisy[..., 2]).mean() / (noisy**2).mean()
    assert 0.1 < neighbours < 0.7
    assert 0.2 < colours < 0.9


def test_denoising_takes_noise_away(workshop):
    camera = workshop.camera()
    noisy = taken(flat(), camera, Phone(noise=6.0)).astype(float).std()
    smooth = taken(flat(), camera, Phone(noise=6.0, denoise=0.9)).astype(float).std()
    assert smooth < 0.7 * noisy


@pytest.mark.parametrize(
    ("change", "brighter"),
    [({"exposure": 1.0}, True), ({"exposure": -1.0}, False), ({"exposure": -2.0}, False)],
)
def test_exposure_is_in_stops(workshop, change, brighter):
    camera = workshop.camera()
    usual, changed = (float(taken(flat(), camera, replace(PLAIN, **c)).mean()) for c in ({}, change))
    assert (changed > usual + 20) if brighter else (changed < usual - 20)


def test_the_light_meter_makes_dim_and_bright_rooms_alike(workshop):
    means = [
        float(taken(scene_of_squares(low=0.05 * k, bright=0.6 * k), workshop.camera()).mean()) for k in (0.3, 1, 3)
    ]
    assert max(means) - min(means) < 60
    assert means == sorted(means)


def test_white_balance_shifts_the_colour(workshop):
    warm = taken(flat(), workshop.camera(), Phone(white_balance=(1.2, 1.0, 0.8))).astype(int).mean(axis=(0, 1))
    assert warm[0] > warm[1] + 5 > warm[2] + 10


def test_saturation_and_contrast(workshop):
    colour = Frame(np.full((240, 320, 3), (0.3, 0.15, 0.1), np.float32))
    camera = workshop.camera()

    def spread(value):
        photo = taken(colour, camera, Phone(saturation=value)).astype(int)
        return int(photo[0, 0].max() - photo[0, 0].min())

    assert spread(0.0) <= 1 < spread(0.7) < spread(1.0) < spread(1.5)
    low, high = (taken(scene_of_squares(), camera, Phone(contrast=c)).astype(float).std() for c in (0.8, 1.3))
    assert high > 1.1 * low


def test_vignetting_darkens_the_corners(workshop):
    photo = taken(flat(), workshop.camera(), Phone(vignette=0.4)).astype(int)
    assert photo[0, 0, 0] < photo[120, 160, 0] - 15


def test_the_tone_curve_rises_all_the_way_to_white():
    for contrast in (0.7, 1.0, 1.35):
        curve = phones.tone_curve(contrast)
        assert (np.diff(curve) >= -1e-3).all()
        assert curve[0] == 0
        assert curve[-1] > 254


@pytest.mark.parametrize(
    "kernel", [phones.disc(0.4), phones.disc(3.0), phones.streak(5.0, 2.0), phones.streak(0.0, 1.0)]
)
def test_blurs_keep_the_light_and_the_place(kernel):
    assert kernel.sum() == pytest.approx(1.0, abs=1e-5)
    assert np.allclose(kernel, kernel[::-1, ::-1], atol=1e-6)
    assert (kernel >= 0).all()


def test_developing_depends_on_the_seed_alone(workshop):
    camera, phone = workshop.camera(), phones.sample_phone(np.random.default_rng(3))
    first, again, other = (taken(scene_of_squares(), camera, phone, seed) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()


def test_developing_leaves_the_frame_alone(workshop):
    frame = scene_of_squares()
    before = frame.image.copy()
    taken(frame, workshop.camera(), phones.sample_phone(np.random.default_rng(8)))
    assert (frame.image == before).all()


def test_most_phones_take_good_photos_and_some_do_not():
    drawn = [phones.sample_phone(np.random.default_rng(k)) for k in range(600)]
    assert all(p == phones.sample_phone(np.random.default_rng(k)) for k, p in enumerate(drawn[:5]))

    def share(bad):
        return sum(map(bad, drawn)) / len(drawn)

    assert 0.04 < share(lambda p: np.hypot(*p.motion_px) > 1.0) < 0.2  # shaken
    assert 0.02 < share(lambda p: p.defocus_px > 1.0) < 0.2  # out of focus
    assert 0.02 < share(lambda p: abs(p.exposure) > 0.8) < 0.2  # too dark or too bright
    assert 0.02 < share(lambda p: p.noise > 5.0) < 0.3  # grainy
    assert 0.1 < share(lambda p: p.jpeg_quality < 80) < 0.4
    assert share(lambda p: abs(p.exposure) < 0.5 and p.defocus_px < 0.6 and p.noise < 5 and p.motion_px == (0, 0)) > 0.5
    assert all(0 <= p.denoise <= 1 and 1 <= p.jpeg_quality <= 100 and p.vignette < 0.5 for p in drawn)
