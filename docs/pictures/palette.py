"""Saves a picture of flat surfaces with few colours: it takes a fifth, and looks the same."""

from pathlib import Path

from PIL import Image

_COLOURS = 256


def save(picture: Image.Image, target: Path) -> None:
    few = picture.convert("RGB").quantize(
        _COLOURS, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE
    )
    few.save(target, optimize=True)
