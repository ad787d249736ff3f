"""One loader for every photo: any format that phones write, upright, eight bits, sRGB, of a workable size."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image, ImageCms, ImageOps, UnidentifiedImageError
from pillow_heif import register_heif_opener

from calibration.lens import FILM_DIAGONAL_MM, Camera, Lens, lens_for
from engine.errors import Unreadable

if TYPE_CHECKING:
    from vision.lens import Straightening

Array = npt.NDArray[np.float64]

register_heif_opener()

MOST_MEGAPIXELS = 100
MOST_BYTES = 200_000_000
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
# Photos are halved while their longer side stays at least this: a lot of a board that fills a seventh of the frame
# still has 60 pixels, twice what the networks look at. Cameras of 8 and of 12 megapixels write 3264 to 4032 pixels.
WORKING_SIDE = 1600


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright RGB picture. ``full_size`` is the width and height before it was reduced, ``lens`` what took it,
    where that was measured (``cityscan calibrate camera``)."""

    pixels: npt.NDArray[np.uint8]
    full_size: tuple[int, int]
    focal_35mm: float | None = None
    camera: Camera = field(default_factory=Camera)
    lens: Lens | None = None
    # How the pixels were bent straight; None: they are as the camera took them.
    straightening: Straightening | None = None

    @property
    def scale(self) -> float:
        """Pixels of the full photo for each pixel here."""
        return float(self.full_size[0] / self.pixels.shape[1])

    @property
    def focal_px(self) -> float | None:
        """The focal length in pixels of this picture, where the camera told it."""
        height, width = self.pixels.shape[:2]
        if self.straightening is not None:
            return self.straightening.focal
        if self.lens is not None:
            return float(self.lens.focal * max(width, height))
        if self.focal_35mm is None:
            return None
        return float(self.focal_35mm / FILM_DIAGONAL_MM * np.hypot(width, height))

    @property
    def full_focal_px(self) -> float | None:
        """The focal length in pixels of the full photo."""
        return None if self.focal_px is None else self.focal_px * self.scale

    def straightened(self) -> Photo:
        """The photo as a lens without distortion would have taken it; the same one where the lens is not known."""
        if self.lens is None or self.straightening is not None:
            return self
        from vision.lens import Straightening, straight_pixels

        height, width = self.pixels.shape[:2]
        straightening = Straightening.of(self.lens, (width, height))
        return replace(self, pixels=straight_pixels(self.pixels, straightening), straightening=straightening)

    def to_full(self, points: Array) -> Array:
        """Pixels (N, 2) of this picture as pixels of the full photo that the camera took."""
        seen = points if self.straightening is None else self.straightening.bend(points)
        return np.asarray((seen + 0.5) * self.scale - 0.5)

    def from_full(self, points: Array) -> Array:
        """Pixels (N, 2) of the full photo as pixels of this picture."""
        seen = np.asarray((points + 0.5) / self.scale - 0.5)
        return seen if self.straightening is None else self.straightening.straighten(seen)


def load_photo(source: Path | bytes, working_side: int = WORKING_SIDE) -> Photo:
    """The photo in a file or in its bytes. Raises Unreadable with a sentence for the user."""
    file = _open(source)
    try:
        # The limit is checked below, before anything is decoded; Pillow's own would warn on the terminal.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(file, formats=FORMATS)
        return _develop(image, working_side)
    except Unreadable:
        raise
    except Image.DecompressionBombError:
        raise _too_large() from None
    except UnidentifiedImageError:
        raise Unreadable("this is not a picture that can be read; use JPEG, PNG, WebP or HEIC.") from None
    except Exception as error:  # decoders of damaged files raise almost anything
        raise Unreadable(f"the picture is damaged or cut off ({error}); copy it again from the phone.") from None


def _open(source: Path | bytes) -> IO[bytes]:
    if isinstance(source, bytes):
        content = source
    else:
        try:
            if source.stat().st_size > MOST_BYTES:
                raise Unreadable(f"the file is larger than {MOST_BYTES // 1_000_000} MB; export a smaller picture.")
            content = source.read_bytes()
        except FileNotFoundError:
            raise Unreadable("there is no such file; check the name.") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Unreadable(f"the file could not be opened ({reason}).") from None
    if not content:
        raise Unreadable("the file is empty.")
    return io.BytesIO(content)


def _develop(image: Image.Image, working_side: int) -> Photo:
    width, height = image.size
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise _too_large()
    exif = image.getexif()
    swapped = exif.get(ExifTags.Base.Orientation, 1) in (5, 6, 7, 8)
    # JPEG can be decoded at a half, a quarter or an eighth of its size, for a fraction of the time.
    reduction = working_side / max(width, height)
    if reduction < 1:
        image.draft("RGB", (int(width * reduction), int(height * reduction)))
    camera = _camera(exif)
    image.load()
    if max(image.size) >= 2 * working_side:  # formats that cannot be reduced while decoding
        image = _keep_profile(image, image.reduce(max(image.size) // working_side))
    image = ImageOps.exif_transpose(_to_srgb(_to_eight_bits(image)))
    full_size = (height, width) if swapped else (width, height)
    lens = lens_for(camera, full_size)
    return Photo(np.asarray(image.convert("RGB")), full_size, camera.focal_35mm, camera, lens)


def _camera(exif: Image.Exif) -> Camera:
    """What the photo says about its camera."""
    details = exif.get_ifd(ExifTags.IFD.Exif)
    return Camera(
        make=_words(exif.get(ExifTags.Base.Make)),
        model=_words(exif.get(ExifTags.Base.Model)),
        focal_35mm=_plausible(details.get(ExifTags.Base.FocalLengthIn35mmFilm), 10, 300),
        # 0 stands for "not used".
        zoom=_plausible(details.get(ExifTags.Base.DigitalZoomRatio), 0.1, 100) or 1.0,
    )


def _words(value: object) -> str:
    """A text of the EXIF, which some cameras fill up with blanks, zeros or worse."""
    text = value if isinstance(value, str) else ""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:80]


def _to_eight_bits(image: Image.Image) -> Image.Image:
    """Eight bits a channel, without transparency (what is transparent becomes white)."""
    if image.mode.startswith("I") or image.mode == "F":
        values = np.asarray(image, dtype=np.float64)
        brightest = 65535.0 if values.max(initial=0) > 255 else 255.0
        eight = (np.clip(values / brightest, 0, 1) * 255).astype(np.uint8)
        return _keep_profile(image, Image.fromarray(eight))
    if "A" in image.getbands() or "transparency" in image.info:
        rgba = image.convert("RGBA")
        ground = Image.new("RGBA", rgba.size, "white")
        return _keep_profile(image, Image.alpha_composite(ground, rgba).convert("RGB"))
    return image


def _to_srgb(image: Image.Image) -> Image.Image:
    """Colours as sRGB: newer phones write the wider Display P3, whose reds would read too weak."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileName(source):
            return image
        converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image  # a broken profile is no reason to refuse the photo
    return image if converted is None else _keep_profile(image, converted)


def _keep_profile(old: Image.Image, new: Image.Image) -> Image.Image:
    """Pillow drops EXIF and colour profile on the way; the steps that follow need them."""
    new.info = {**old.info, **new.info}
    new.info["exif"] = old.getexif().tobytes()
    return new


def _plausible(number: object, least: float, most: float) -> float | None:
    """A number of the EXIF; some apps write 0 or nonsense."""
    try:
        value = float(number)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return value if least <= value <= most else None


def _too_large() -> Unreadable:
    return Unreadable(f"the picture has more than {MOST_MEGAPIXELS} megapixels; export a smaller one.")
