"""Frames of a time-lapse on disk: small pictures of all prompts at an epoch, thinned out with age, and an index."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from torch import Tensor

from core.data.images import only_pixels, open_image
from core.generation.frame_texts import texts_in, texts_packet
from core.generation.lettering import has_few_colours
from core.generation.records import (
    FRAME_BYTES,
    FRAMES,
    MOST_FRAMES_BYTES,
    FrameIndex,
    TimelapseFrame,
    columns_for,
    frame_file,
)
from core.generation.sheet import as_picture
from core.storage import moving
from core.storage.files import read_bounded, sha256_of, write_atomically

NEWEST_KEPT = 64
"""Number of the newest frames that are all kept; a folder never has more than twice as many."""
TILE = 128
"""Largest side of a picture in a frame, in pixels, where nothing else is said."""
_QUALITIES = (85, 70, 50, 30)
_MOST_PIXELS = 1 << 22
"""Most pixels of another peer's frame: more than twice those of `MOST_PROMPTS` cards of text, the largest tiles."""


class FrameFolder:
    """Folder of the time-lapse that one peer has drawn."""

    def __init__(
        self, folder: Path, prompts: Sequence[str], newest: int = NEWEST_KEPT, tile: int = TILE
    ) -> None:
        """Prepare to save frames.

        Args:
            folder: Folder of the time-lapse.
            prompts: Prompts whose specimens a frame shows.
            newest: Number of the newest frames, which are all kept.
            tile: Largest side in pixels of a specimen in a frame.
        """
        self._tile = tile
        self.folder, self._prompts, self._newest = folder, tuple(prompts), newest
        self._columns = columns_for(len(prompts))

    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        """Add the frame of an epoch, and return its file.

        Frames of this epoch or later, drawn before the run was set back, are dropped.

        Args:
            images: Pictures of the prompts, float (prompts, 3, height, width) in [0, 1].
            epoch: Epoch of the model that drew them.
            texts: What the model wrote for each prompt, where the pictures show that; the frame's file keeps it.

        Raises:
            OSError: the frame cannot be written, or the index cannot be read; no earlier frame is lost then.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self._file(epoch)
        # Later ones were drawn before the run was rolled back.
        earlier = [frame for frame in self._frames() if frame.epoch < epoch]
        write_atomically(file, squeezed(_grid(images, self._columns, self._tile), texts))
        kept = thinned([*earlier, TimelapseFrame(epoch=epoch, sha256=sha256_of(file))], self._newest)
        index = FrameIndex(prompts=self._prompts, columns=self._columns, frames=tuple(kept))
        write_atomically(self.folder / FRAMES, f"{index.model_dump_json(indent=1)}\n".encode())
        for old in {*self.folder.glob("epoch-*.webp")} - {self._file(frame.epoch) for frame in kept}:
            moving.remove(old)
        return file

    def _file(self, epoch: int) -> Path:
        return self.folder / frame_file(epoch)

    def _frames(self) -> tuple[TimelapseFrame, ...]:
        """Return the frames of the index; none if it has the prompts of an earlier manifest."""
        try:
            index = FrameIndex.model_validate_json(read_bounded(self.folder / FRAMES, MOST_FRAMES_BYTES))
        except (FileNotFoundError, ValueError):
            return ()
        return index.frames if index.prompts == self._prompts else ()


def thinned(frames: Sequence[TimelapseFrame], newest: int) -> list[TimelapseFrame]:
    """Return the frames to keep: at most twice as many as ``newest``, the first of all among them.

    Once ``frames``, in their order, are more than that, every second one is dropped except the newest: the
    older, the further apart they are.
    """
    if len(frames) <= 2 * newest:
        return list(frames)
    return [*frames[:-newest:2], *frames[-newest:]]


def squeezed(picture: Image.Image, texts: Sequence[str] = ()) -> bytes:
    """Return ``picture`` as WebP of at most `FRAME_BYTES`, in lower quality or smaller if need be, with ``texts``.

    One of few colours, such as cards of text, keeps every pixel, and takes a tenth of the bytes so.
    """
    packet = texts_packet(texts)
    kept = {"lossless": True, "quality": 80, "method": 4}
    ways = [kept] if has_few_colours(picture) else []
    for way in (*ways, *({"quality": quality, "method": 6} for quality in _QUALITIES)):
        written = io.BytesIO()
        picture.save(written, "WEBP", xmp=packet, **way)
        if len(written.getvalue()) <= FRAME_BYTES:
            return written.getvalue()
    return squeezed(picture.reduce(2), texts)


def repainted(data: bytes, texts: int = 0) -> bytes:
    """Return a frame of another peer, the WebP file ``data``, as a new file with nothing but its pixels and texts.

    Args:
        data: The file.
        texts: Number of texts that are kept of it, if it has as many: that of the run's prompts where its model
            writes; else 0.

    Raises:
        BrokenImageError: ``data`` is no such frame.
    """
    pixels = only_pixels(open_image(data, _MOST_PIXELS, ("WEBP",)))
    return squeezed(pixels, texts_in(data, texts))


def _grid(images: Tensor, columns: int, largest: int) -> Image.Image:
    tiles = [as_picture(image) for image in images]
    side = min(largest, tiles[0].width)
    grid = Image.new("RGB", (columns * side, -(-len(tiles) // columns) * side), "white")
    for number, tile in enumerate(tiles):
        grid.paste(
            tile.resize((side, side), Image.Resampling.LANCZOS),
            (number % columns * side, number // columns * side),
        )
    return grid
