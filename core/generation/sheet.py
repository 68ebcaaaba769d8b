"""A sheet of images with their prompts underneath, as a PNG."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw
from torch import Tensor

from core.generation.lettering import Typeface, font_of, write_line
from core.storage.files import write_atomically

_MARGIN = 8
_CAPTION_HEIGHT = 26
_LINE_LETTERS = 21
_LETTERS, _LINE = 11, 12
"""Size of letters, and from line to line, in pixels."""
_LARGE = 256
"""Side in pixels from which on an image is shown as it is."""


@dataclass(frozen=True)
class SampleSheet:
    """The newest pictures of a run's prompts, on one sheet."""

    path: Path
    prompts: tuple[str, ...]

    def save(self, images: Tensor, epoch: int) -> Path:
        """Replace the sheet by one of ``images``, float (prompts, 3, height, width) in [0, 1]; return its path.

        ``epoch`` is not used: the signature is that of `core.generation.timelapse.Frames.save`.
        """
        save_sheet(images, self.prompts, self.path)
        return self.path


def save_sheet(
    images: Tensor, prompts: Sequence[str], path: Path, *, columns: int = 4, scale: int | None = None
) -> None:
    """Write a sheet of images with their prompts underneath as a PNG, whole or not at all.

    Args:
        images: Images, float (n, 3, height, width) in [0, 1].
        prompts: Text under each image.
        path: File to write; its folder is created if it is missing.
        columns: Images in a row of the sheet.
        scale: Factor by which images are enlarged; None: twofold, unless they are large.
    """
    scale = scale or (1 if images.shape[-1] >= _LARGE else 2)
    tiles = [_tile(image, scale) for image in images]
    width, height = tiles[0].size
    rows = -(-len(tiles) // columns)
    step_x, step_y = width + _MARGIN, height + _CAPTION_HEIGHT + _MARGIN
    sheet = Image.new("RGB", (columns * step_x + _MARGIN, rows * step_y + _MARGIN), "white")
    pen, font = ImageDraw.Draw(sheet), font_of(Typeface.TEXT, _LETTERS)
    for number, (tile, prompt) in enumerate(zip(tiles, prompts, strict=True)):
        x, y = _MARGIN + number % columns * step_x, _MARGIN + number // columns * step_y
        sheet.paste(tile, (x, y))
        for line, words in enumerate(_wrapped(prompt)):
            write_line(pen, (x, y + height + 1 + line * _LINE), words, font, "#444444", width)
    written = io.BytesIO()
    sheet.save(written, format="PNG", optimize=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, written.getvalue())


def as_picture(image: Tensor) -> Image.Image:
    """Return ``image``, float (3, height, width) in [0, 1], as a Pillow image; values beyond are clamped."""
    pixels = (image.clamp(0, 1) * 255).round().byte()
    return Image.fromarray(pixels.permute(1, 2, 0).contiguous().numpy())


def _tile(image: Tensor, scale: int) -> Image.Image:
    picture = as_picture(image)
    return picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.LANCZOS)


def _wrapped(prompt: str) -> tuple[str, ...]:
    """Return the prompt in at most two lines, broken at a space where there is one."""
    if len(prompt) <= _LINE_LETTERS:
        return (prompt,)
    cut = prompt.rfind(" ", 0, _LINE_LETTERS + 1)
    cut = cut if cut > 0 else _LINE_LETTERS
    rest = prompt[cut:].strip()
    return prompt[:cut], rest if len(rest) <= _LINE_LETTERS else f"{rest[: _LINE_LETTERS - 1]}…"
