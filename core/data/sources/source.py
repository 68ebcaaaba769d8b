"""What a build reads from: images in a fixed order, each with what is said of it and a place to go on from."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from core.data.pixels import BrokenImageError
from core.errors import DataError

DEFAULT_SPLIT = "train"
UNLABELLED = "UNLIKELY"
"""The NSFW label of images that come with none: whoever builds from such a source vouches for it."""
MAX_IMAGE_BYTES = 1 << 26

Place = tuple[int, ...]
"""Between two images of a source; what the numbers count is the source's own affair."""
START: Place = ()


@dataclass(frozen=True)
class SourceImage:
    """One image of a source with what is said about it."""

    name: str
    caption: str
    nsfw: str
    splits: tuple[str, ...]
    """The sets of shards that it goes to, one at least."""
    read: Callable[[], bytes]
    """The encoded image, in any common format, from any thread; BrokenImageError if it cannot be had."""
    after: Place
    """Where the next image begins."""
    size: tuple[int, int] | None = None
    """Width and height that the original had, where the source holds a smaller copy and says so."""


class Source(ABC):
    """Images in the same order every time, from any place on."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Tells the source from any other, and from itself after a change: places hold as long as it lasts."""

    @property
    def length(self) -> int | None:
        """How many images there are, broken ones too, where that can be known without reading them."""
        return None

    @abstractmethod
    def images(self, place: Place = START) -> Iterator[SourceImage]:
        """The images from a place on, which is ``START`` or was the ``after`` of one of them.

        Raises:
            DataError: the source cannot be read on; an image that cannot be used does not raise it.
        """

    def __iter__(self) -> Iterator[SourceImage]:
        return self.images()


def unusable(name: str, error: BrokenImageError, after: Place) -> SourceImage:
    """An image that is there but cannot be used: reading it raises the error, and a build lists it."""

    def read() -> NoReturn:
        raise error

    return SourceImage(name, "", UNLABELLED, (DEFAULT_SPLIT,), read, after)


def must_be_there(path: Path) -> None:
    """DataError if a source's file or folder is gone: images that vanish with their disk are not left out."""
    try:
        path.stat()
    except OSError as error:
        raise DataError(
            f"{path} is not there any more.",
            "Put it there again and give the same command: it goes on from here.",
        ) from error
