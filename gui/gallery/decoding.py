"""Decodes picture files with a bound on their size, beside the event loop, and caches the results."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QImageReader

from gui.background import Background

MOST_PIXELS = 1 << 24
"""Largest number of pixels in a file; larger files are not made by Idlebrush."""
KEPT_BYTES = 64 << 20
"""Largest total size of cached pictures."""
Tiles = tuple[QImage, ...]
"""The pictures of a sheet; a single picture is a sheet of one."""


class PictureCache:
    """Caches the latest decoded pictures by file; used on the event loop's thread only."""

    def __init__(self, kept: int = KEPT_BYTES) -> None:
        self._kept: OrderedDict[tuple[Path, int, int], Tiles] = OrderedDict()
        self._limit, self._size = kept, 0

    def fetch(self, path: Path, background: Background, done: Callable[[QImage], None]) -> None:
        """Call ``done`` with the picture, at once if it is cached; never if it cannot be read."""
        self.fetch_sheet(path, 1, 1, background, lambda tiles: done(tiles[0]))

    def fetch_sheet(
        self, path: Path, columns: int, count: int, background: Background, done: Callable[[Tiles], None]
    ) -> None:
        """Call ``done`` with the ``count`` pictures of a sheet in that many columns."""
        key = (path, columns, count)
        if (tiles := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            done(tiles)
            return

        def take(decoded: Tiles) -> None:
            self._keep(key, decoded)
            done(decoded)

        background.run(partial(decode_sheet, path, columns, count), take)

    def _keep(self, key: tuple[Path, int, int], tiles: Tiles) -> None:
        if key not in self._kept:
            self._kept[key] = tiles
            self._size += _bytes_of(tiles)
        while self._size > self._limit and len(self._kept) > 1:
            self._size -= _bytes_of(self._kept.popitem(last=False)[1])


def decode(path: Path, most: int = MOST_PIXELS) -> QImage:
    """Decode a file. Raises ValueError if it is no picture or has more than ``most`` pixels."""
    reader = QImageReader(str(path))
    size = reader.size()
    if size.width() * size.height() > most:
        raise ValueError(f"{path} has more pixels than any picture of ours")
    image = reader.read()
    if image.isNull():
        raise ValueError(f"{path} cannot be read: {reader.errorString()}")
    return image


def decode_sheet(path: Path, columns: int, count: int) -> Tiles:
    """Decode the pictures of a sheet, row by row. Raises ValueError if it is no picture."""
    sheet = decode(path)
    return tuple(sheet.copy(box) for box in boxes(sheet.size(), columns, count))


def boxes(sheet: QSize, columns: int, count: int) -> tuple[QRect, ...]:
    """Return the areas of the pictures on a sheet, row by row."""
    rows = -(-count // columns)
    width, height = sheet.width() // columns, sheet.height() // max(rows, 1)
    return tuple(
        QRect(place % columns * width, place // columns * height, width, height) for place in range(count)
    )


def _bytes_of(tiles: Tiles) -> int:
    return sum(image.sizeInBytes() for image in tiles)
