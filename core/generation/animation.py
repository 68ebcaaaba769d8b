"""Makes one moving picture of a time-lapse's frames: WebP, GIF or PNG, each frame with its epoch and prompts."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PIL import Image, ImageDraw

from core.data.images import BrokenImageError, only_pixels, open_image
from core.errors import GenerationError
from core.generation.lettering import Typeface, font_of, has_few_colours, write_line
from core.generation.records import (
    FRAME_BYTES,
    FRAMES,
    MOST_FRAMES_BYTES,
    FrameIndex,
    columns_for,
    frame_file,
)
from core.storage.files import read_bounded, write_atomically

SECONDS = 0.45
"""Usual time of a frame in seconds."""
FORMATS = {".webp": "WEBP", ".gif": "GIF", ".png": "PNG"}
"""Names of the formats by the suffixes of their files, as Pillow has them."""
_LAST_SECONDS = 3.0
"""Time of the last frame in seconds, before it begins again."""
_TILE, _MOST_TILE = 128, 320
"""Smallest and largest side in pixels in which a specimen is shown."""
_MARGIN, _LINE = 6, 16
_LETTERS, _COLOUR = 11, "#444444"
"""Size in pixels and colour of what is written."""
_MOST_PIXELS = 1 << 22
_MOST_SHOWN_PIXELS = 48 << 20
"""Most pixels of all pages, which are in memory at once: those of 128 frames of 16 pictures."""


@dataclass(frozen=True)
class MovingPicture:
    """A moving picture as one file."""

    content: bytes
    frames: int
    """Number of its frames."""


def moving_picture(
    prompts: Sequence[str],
    columns: int,
    frames: Iterable[tuple[int, Path]],
    suffix: str = ".webp",
    seconds: float = SECONDS,
) -> MovingPicture | None:
    """Return frames as one moving picture; None if none of them can be used.

    Args:
        prompts: Prompts of each frame, at least one, in the order of its pictures.
        columns: Number of pictures beside each other in a frame.
        frames: Epoch and WebP file of each frame, oldest first; a damaged or missing file is left out, and so are
            some of many large frames.
        suffix: Suffix of the file, one of `FORMATS`, which says in which format.
        seconds: Seconds that each frame is shown.
    """
    files = list(frames)
    every = ((epoch, read_frame(path, len(prompts), columns)) for epoch, path in reversed(files))
    newest = next((picture for _, picture in every if picture is not None), None)
    if newest is None:
        return None
    layout = _PageLayout(len(prompts), columns, _tile_of(newest, columns))
    width, height = layout.size
    found = (
        (epoch, read_frame(path, len(prompts), columns))
        for epoch, path in spread(files, max(2, _MOST_SHOWN_PIXELS // (width * height)))
    )
    pages = [
        _page(picture, f"epoch {epoch:,}", prompts, layout) for epoch, picture in found if picture is not None
    ]
    if not pages:
        return None
    times = [round(1000 * seconds)] * (len(pages) - 1) + [round(1000 * max(seconds, _LAST_SECONDS))]
    return MovingPicture(_written(pages, times, FORMATS[suffix]), len(pages))


def save_animation(folder: Path, out: Path, seconds: float = SECONDS) -> int:
    """Write the time-lapse in ``folder`` to ``out``, whole or not at all, and return the number of its frames.

    Args:
        folder: Folder with the index and the frames of a time-lapse.
        out: File to write; its suffix says in which format.
        seconds: Seconds that each frame is shown.

    Raises:
        GenerationError: there is no frame that can be used, or the suffix is none of .webp, .gif and .png.
    """
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise GenerationError(
            f"{out.name} names no format of a moving picture.", f"End its name with {', '.join(FORMATS)}."
        )
    index = _read_index(folder)
    frames = ((frame.epoch, folder / frame_file(frame.epoch)) for frame in index.frames)
    columns = min(index.columns, columns_for(len(index.prompts)))  # a stranger's index may state any number
    made = moving_picture(index.prompts, columns, frames, suffix, seconds)
    if made is None:
        raise _without_frames(folder)
    write_atomically(out, made.content)
    return made.frames


def _read_index(folder: Path) -> FrameIndex:
    try:
        index = FrameIndex.model_validate_json(read_bounded(folder / FRAMES, MOST_FRAMES_BYTES))
    except (OSError, ValueError):
        index = FrameIndex(prompts=(), columns=1)
    if not index.frames or not index.prompts:
        raise _without_frames(folder)
    return index


def _without_frames(folder: Path) -> GenerationError:
    return GenerationError(
        f"There are no frames of a time-lapse in {folder} yet.",
        "Let the run train for some epochs; it must have sample prompts.",
    )


def read_frame(path: Path, prompts: int, columns: int) -> Image.Image | None:
    """Return the frame in a file; None if it is damaged or too small, or a trainer has just removed it.

    Args:
        path: WebP file of the frame.
        prompts: Number of its prompts.
        columns: Number of pictures beside each other.
    """
    try:
        frame = only_pixels(open_image(read_bounded(path, FRAME_BYTES), _MOST_PIXELS, ("WEBP",)))
    except (OSError, ValueError, BrokenImageError):
        return None
    left, top, right, bottom = tile_box(frame, prompts, columns, 0)
    return frame if right > left and bottom > top else None


def tile_box(frame: Image.Image, prompts: int, columns: int, number: int) -> tuple[int, int, int, int]:
    """Return the box of one prompt's picture in a frame, as left, top, right and bottom in pixels.

    Args:
        frame: Frame of all prompts, as `core.generation.frames` writes it.
        prompts: Number of its prompts.
        columns: Number of pictures beside each other.
        number: Number of the prompt, from 0.
    """
    width, height = frame.width // columns, frame.height // -(-prompts // columns)
    row, column = divmod(number, columns)
    return column * width, row * height, (column + 1) * width, (row + 1) * height


T = TypeVar("T")


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return at most ``most`` of the items, two or more, about evenly spread: the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


def _tile_of(frame: Image.Image, columns: int) -> int:
    """Return the side in pixels in which specimens are shown: cards of text are larger than pictures."""
    return min(max(_TILE, frame.width // columns), _MOST_TILE)


@dataclass(frozen=True)
class _PageLayout:
    """The places of prompts on a page."""

    prompts: int
    columns: int
    tile: int
    """Side of a specimen in pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a page in pixels."""
        _, bottom = self.corner(self.columns * -(-self.prompts // self.columns))
        return self.columns * (self.tile + _MARGIN) + _MARGIN, bottom

    def corner(self, number: int) -> tuple[int, int]:
        """Return left and top in pixels of the specimen of a prompt by its ``number``, from 0."""
        row, column = divmod(number, self.columns)
        return _MARGIN + column * (self.tile + _MARGIN), _LINE + _MARGIN + row * (self.tile + _LINE + _MARGIN)


def _page(frame: Image.Image, title: str, prompts: Sequence[str], layout: _PageLayout) -> Image.Image:
    """Return a frame with a line above it for the epoch, and one under each picture for its prompt."""
    tile, page = layout.tile, Image.new("RGB", layout.size, "white")
    pen, font = ImageDraw.Draw(page), font_of(Typeface.TEXT, _LETTERS)
    write_line(pen, (_MARGIN, _MARGIN // 2), title, font, _COLOUR, page.width - 2 * _MARGIN)
    for number, prompt in enumerate(prompts):
        left, top = layout.corner(number)
        box = tile_box(frame, len(prompts), layout.columns, number)
        page.paste(frame.resize((tile, tile), Image.Resampling.LANCZOS, box), (left, top))
        write_line(pen, (left, top + tile + 1), prompt, font, _COLOUR, tile)
    return page


def _written(pages: Sequence[Image.Image], times: Sequence[int], kind: str) -> bytes:
    """Return the ``pages`` as one file; ``times`` has the milliseconds of each."""
    written = io.BytesIO()
    if kind == "GIF":  # Pillow's own choice of 256 colours takes a second a page
        pages = [page.quantize(method=Image.Quantize.FASTOCTREE) for page in pages]
    lossless = all(map(has_few_colours, pages))
    options = {"WEBP": {"quality": 80, "method": 4, "lossless": lossless}}.get(kind, {"optimize": True})
    first, *rest = pages
    first.save(written, kind, save_all=True, append_images=rest, duration=list(times), loop=0, **options)
    return written.getvalue()
