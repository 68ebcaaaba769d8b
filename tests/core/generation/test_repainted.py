"""A frame from a stranger is reduced to its pixels, and a file that is no such picture is refused."""

import io
import os
import struct

import pytest
from PIL import Image, ImageChops

from core.data.images import BrokenImageError
from core.generation.frames import repainted
from core.generation.records import FRAME_BYTES

SIZE = (384, 256)


def picture(size: tuple[int, int] = SIZE) -> Image.Image:
    return Image.radial_gradient("L").resize(size).convert("RGB")


def written(image: Image.Image, kind: str = "WEBP", **options: object) -> bytes:
    found = io.BytesIO()
    image.save(found, kind, **options)
    return found.getvalue()


def seen(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_the_pixels_stay_what_they_were_to_the_eye() -> None:
    found = seen(repainted(written(picture(), quality=85)))
    assert (found.format, found.size, found.mode) == ("WEBP", SIZE, "RGB")
    assert max(ImageChops.difference(found, picture()).tobytes()) < 24


def test_nothing_else_of_the_file_is_left() -> None:
    marker = b"NOT-A-PIXEL"
    exif = Image.Exif()
    exif[0x010E] = marker.decode()
    stranger = written(picture(), exif=exif, icc_profile=marker * 50, xmp=marker) + marker
    assert stranger.count(marker) > 50
    ours = repainted(stranger)
    assert marker not in ours
    assert len(ours) <= FRAME_BYTES
    assert not seen(ours).info.keys() & {"exif", "icc_profile", "xmp"}


def test_of_an_animation_the_first_frame_is_left() -> None:
    others = [Image.new("RGB", SIZE, colour) for colour in ("red", "blue")]
    ours = seen(repainted(written(picture(), save_all=True, append_images=others)))
    assert getattr(ours, "n_frames", 1) == 1


def huge() -> bytes:
    """A small file that states 16,384 x 16,384 pixels: 805 MB once it is unpacked."""
    bits = struct.pack("<I", 16_383 | 16_383 << 14)
    chunk = b"VP8L" + struct.pack("<I", 5) + b"\x2f" + bits + b"\0"
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


REFUSED = {
    "nothing": b"",
    "noise": os.urandom(5_000),
    "cut short": written(picture())[:-200],
    "a PNG": written(picture(), "PNG"),
    "a GIF": written(picture(), "GIF"),
    "a page": b"<html><script>alert(1)</script></html>",
    "too many pixels": huge(),
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenImageError):
        repainted(data)
