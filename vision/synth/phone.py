"""What a phone makes of the light: its lens bends the picture, its sensor adds noise, its software makes it pretty.

``develop`` goes from the linear pinhole picture of a back end to the 8-bit photo; JPEG is written by the studio.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.camera import undistort
from vision.synth.scene import Array, Camera, Frame, Phone, Picture

Floats = npt.NDArray[np.float32]

_GRID_PX = 16  # the lens is so smooth that it is worked out this far apart and interpolated
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_MID_GREY = 0.214  # linear light of sRGB 0.5
_MID_SLOPE = 1.08  # sRGB steps for each step of linear light there
_SHOULDER = 0.72  # brighter than this, light is pressed together instead of being cut off
_CURVE_SIZE = 4096
_CURVE_END = 8.0  # linear light that the tone curve knows; all above is white


# ---------------------------------------------------------------- choosing a phone


def sample_phone(rng: np.random.Generator) -> Phone:
    """Two photos in three are good; the others are dark, pale, blurred, noisy, off-colour, or several of these."""
    careless = rng.random() < 0.33
    spread = 2.0 if careless else 1.0
    warm, green = rng.normal(0.0, 0.045 * spread), rng.normal(0.0, 0.018 * spread)
    gains = np.exp([warm + green / 2, -green, -warm + green / 2])
    shaken = careless and rng.random() < 0.35
    unsharp = careless and rng.random() < 0.35
    grainy = rng.gamma(1.6, 1.1 * spread)
    length, angle = (rng.gamma(2.0, 1.3), rng.uniform(0, 2 * np.pi)) if shaken else (0.0, 0.0)
    return Phone(
        exposure=float(np.clip(rng.normal(0.0, 0.28 * spread), -1.6, 1.1)),
        white_balance=(float(gains[0]), float(gains[1]), float(gains[2])),
        contrast=float(np.clip(rng.normal(1.0, 0.08 * spread), 0.7, 1.35)),
        saturation=float(np.clip(rng.normal(1.08, 0.12 * spread), 0.55, 1.6)),
        defocus_px=float(np.clip(rng.gamma(2.0, 0.6), 0, 3.5)) if unsharp else float(rng.uniform(0.0, 0.5)),
        motion_px=(float(length * np.cos(angle)), float(length * np.sin(angle))),
        noise=float(np.clip(grainy, 0.2, 12.0)),
        denoise=float(np.clip(rng.beta(1.3, 2.2) * min(grainy / 3.0, 1.2), 0, 1)),
        sharpen=float(np.clip(rng.gamma(2.0, 0.25), 0, 1.6)),
        vignette=float(np.clip(rng.gamma(2.0, 0.06), 0, 0.45)),
        jpeg_quality=int(rng.integers(45, 80) if rng.random() < 0.25 else rng.integers(80, 97)),
    )


# ---------------------------------------------------------------- the lens


def lens_map(camera: Camera) -> tuple[Floats, Floats]:
    """For every pixel of the photo, where in the pinhole picture its light is (x and y, each height x width)."""
    wide, high = (np.arange(0, n + _GRID_PX, _GRID_PX, dtype=np.float64) for n in (camera.width, camera.height))
    x, y = np.meshgrid(wide, high)
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)
    seen = undistort(camera.matrix, camera.distortion, pixels)
    # The pinhole picture has the same focal length; only its centre is moved by the overscan.
    seen += camera.pinhole_matrix[:2, 2] - camera.matrix[:2, 2]
    down, across = _weights(camera.height, len(high)), _weights(camera.width, len(wide)).T
    map_x, map_y = ((down @ seen[:, k].reshape(x.shape) @ across).astype(np.float32) for k in (0, 1))
    return map_x, map_y


def _weights(count: int, nodes: int) -> Array:
    """Linear interpolation from grid nodes to pixels as a matrix."""
    place = np.arange(count) / _GRID_PX
    return np.maximum(1.0 - np.abs(place[:, None] - np.arange(nodes)[None]), 0.0)


def develop_index(index: npt.NDArray[np.int32], camera: Camera) -> npt.NDArray[np.int32]:
    """The object-index pass as the lens shows it; outside of the pinhole picture its border is repeated."""
    map_x, map_y = lens_map(camera)
    column = np.clip(np.rint(map_x), 0, index.shape[1] - 1).astype(np.intp)
    row = np.clip(np.rint(map_y), 0, index.shape[0] - 1).astype(np.intp)
    return index[row, column]


# ---------------------------------------------------------------- from light to a photo


def develop(frame: Frame, camera: Camera, phone: Phone, rng: np.random.Generator) -> Picture:
    """The photo (camera.height, camera.width, 3) that the phone stores, sRGB."""
    light = _through_lens(frame.image, camera)
    light *= _exposure_gain(light) * np.float32(2.0**phone.exposure)
    _vignette(light, phone.vignette)
    light *= np.asarray(phone.white_balance, np.float32)
    light = _blurred(light, phone)
    _add_noise(light, phone.noise, rng)
    photo = _toned(light, phone)
    photo = _smeared(photo, phone.denoise)
    return _sharpened(photo, phone.sharpen)


def _through_lens(image: Floats, camera: Camera) -> Floats:
    map_x, map_y = lens_map(camera)
    wide, high = camera.pinhole_size
    if image.shape[:2] != (high, wide):  # a back end may have drawn it smaller or larger
        scale_x, scale_y = image.shape[1] / wide, image.shape[0] / high
        map_x, map_y = (map_x + 0.5) * scale_x - 0.5, (map_y + 0.5) * scale_y - 0.5
    bent = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.float32)


def _exposure_gain(light: Floats) -> np.float32:
    """What the phone's light meter chooses: the middle counts double, and bright surfaces must not burn out."""
    small = cv2.resize(light, (48, 48), interpolation=cv2.INTER_AREA) @ _LUMA
    middle = small[12:36, 12:36]
    mean = (float(small.mean()) + float(middle.mean())) / 2
    wanted = (0.28 / max(mean, 1e-4)) ** 0.6
    brightest = max(float(np.percentile(small, 97)), 1e-4)
    return np.float32(np.clip(min(wanted, 0.95 / brightest), 0.15, 8.0))


def _vignette(light: Floats, strength: float) -> None:
    if strength <= 0:
        return
    high, wide = light.shape[:2]
    y = (np.arange(high, dtype=np.float32) / high * 2 - 1) ** 2
    x = (np.arange(wide, dtype=np.float32) / wide * 2 - 1) ** 2
    fall = 1 - np.float32(strength / 2) * (y[:, None] + x[None, :])
    light *= fall[:, :, None]


def _blurred(light: Floats, phone: Phone) -> Floats:
    if phone.defocus_px > 0.05:
        light = np.asarray(cv2.filter2D(light, -1, disc(phone.defocus_px), borderType=cv2.BORDER_REPLICATE), np.float32)
    if np.hypot(*phone.motion_px) > 0.3:
        kernel = streak(*phone.motion_px)
        light = np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)
    return light


def disc(radius: float) -> Floats:
    """The blur of a lens out of focus: a disc with a soft rim, of sum 1."""
    reach = int(np.ceil(radius + 0.5))
    axis = np.arange(-reach, reach + 1)
    away = np.hypot(axis[:, None], axis[None, :])
    kernel = np.clip(radius + 0.5 - away, 0.0, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def streak(x: float, y: float) -> Floats:
    """The blur of a hand that moved by (x, y) pixels, of sum 1."""
    length = float(np.hypot(x, y))
    reach = int(np.ceil(length / 2 + 1))
    axis = np.arange(-reach, reach + 1)
    columns, rows = np.meshgrid(axis, axis)
    along = (columns * x + rows * y) / length
    aside = (columns * y - rows * x) / length
    kernel = np.clip(length / 2 + 0.5 - np.abs(along), 0, 1) * np.clip(1.0 - np.abs(aside), 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _add_noise(light: Floats, strength: float, rng: np.random.Generator) -> None:
    """Photons come one by one and the sensor reads with an error; demosaicing spreads both over neighbours."""
    if strength <= 0:
        return
    deviation = strength / 255.0 / _MID_SLOPE
    high, wide = light.shape[:2]
    fine = rng.standard_normal((high, wide), np.float32)
    coarse = rng.standard_normal(((high + 1) // 2, (wide + 1) // 2, 3), np.float32)
    colour = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_LINEAR)
    fine *= np.float32(0.8)
    grain = np.asarray(cv2.merge([fine, fine, fine]), np.float32)
    grain += colour * np.float32(0.85)
    # Nine tenths of the variance at mid grey are photons, which grow with the light.
    grain *= np.sqrt(np.maximum(light, 0) * np.float32(0.9 / _MID_GREY) + np.float32(0.1))
    grain *= np.float32(deviation)
    light += grain


def tone_curve(contrast: float) -> Floats:
    """8-bit values for linear light; entry i stands for the light ``(i / last) ** 2 * _CURVE_END``."""
    light = (np.arange(_CURVE_SIZE) / (_CURVE_SIZE - 1)) ** 2 * _CURVE_END
    room = 1.0 - _SHOULDER
    pressed = np.where(light < _SHOULDER, light, 1.0 - room * np.exp(-(light - _SHOULDER) / room))
    value = np.where(pressed <= 0.0031308, pressed * 12.92, 1.055 * np.maximum(pressed, 1e-6) ** (1 / 2.4) - 0.055)
    # Phones deepen the shadows and lift the lights a little even at the plainest setting.
    steep = 0.18 + (contrast - 1.0)
    curved = value + steep * (value * value * (3 - 2 * value) - value)
    return np.asarray(np.clip(curved, 0, 1) * 255.0, np.float32)


def _toned(light: Floats, phone: Phone) -> Floats:
    """Tone curve and saturation: float values from 0 to 255."""
    scaled = np.clip(light, 0, _CURVE_END, out=light)
    scaled *= np.float32(1.0 / _CURVE_END)
    np.sqrt(scaled, out=scaled)
    scaled *= np.float32(_CURVE_SIZE - 1)
    photo = np.take(tone_curve(phone.contrast), scaled.astype(np.int16), mode="clip")
    if phone.saturation != 1.0:
        share = phone.saturation
        mix = (np.eye(3) * share + (1.0 - share) * _LUMA[None, :]).astype(np.float32)
        photo = np.asarray(cv2.transform(photo, mix), np.float32)
    return photo


def _smeared(photo: Floats, strength: float) -> Floats:
    """The noise filter: flat areas become smooth and fine texture turns to water colour."""
    if strength <= 0.02:
        return photo
    flat = np.clip(photo, 0, 255).astype(np.uint8)
    smooth = cv2.medianBlur(flat, 5 if strength > 0.5 else 3).astype(np.float32)
    return np.asarray(cv2.addWeighted(photo, 1.0 - strength, smooth, strength, 0.0), np.float32)


def _sharpened(photo: Floats, strength: float) -> Picture:
    """Unsharp masking, halos included; ends in bytes."""
    if strength > 0.02:
        soft = cv2.GaussianBlur(photo, (0, 0), 1.2)
        photo = np.asarray(cv2.addWeighted(photo, 1.0 + strength, soft, -strength, 0.0), np.float32)
    photo += np.float32(0.5)
    return np.clip(photo, 0, 255, out=photo).astype(np.uint8)
