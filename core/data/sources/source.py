"""Sources of a build: images in a fixed order, each with its caption, label and splits, and a place to resume at."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from core.data.images import BadCaptionError, BrokenImageError, NoCaptionError
from core.errors import DataError

DEFAULT_SPLIT = "train"
UNLABELLED = "UNLIKELY"
"""NSFW label of images that have none: the person who builds from such a source vouches for it."""
MAX_IMAGE_BYTES = 1 << 26

SourcePlace = tuple[int, ...]
"""A place between two images of a source; each kind of source has its own meaning of the numbers."""
START: SourcePlace = ()


@dataclass(frozen=True)
class SourceImage:
    """One image of a source with its caption, label and splits."""

    name: str
    caption: str
    nsfw: str
    splits: tuple[str, ...]
    """Splits that the image belongs to, at least one."""
    read: Callable[[], bytes]
    """Returns the encoded image, in any common format, from any thread; raises BrokenImageError if it cannot."""
    after: SourcePlace
    """Place at which the next image begins."""
    size: tuple[int, int] | None = None
    """Width and height of the original in pixels; None unless the source holds a smaller copy and states them."""


class ImageSource(ABC):
    """Source of images in the same order every time, which can be read from any place on."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Text that identifies the source and its content; a place is valid as long as this stays the same."""

    @property
    def length(self) -> int | None:
        """Number of images, broken ones included; None where only reading them would tell."""
        return None

    @abstractmethod
    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        """Yield the images from a place on, which is ``START`` or the ``after`` of one of them.

        Raises:
            DataError: the source cannot be read on; an image that cannot be used does not raise it.
        """

    def __iter__(self) -> Iterator[SourceImage]:
        return self.images()


def unusable(name: str, error: BrokenImageError, after: SourcePlace) -> SourceImage:
    """Return an image that cannot be used: reading it raises the error, and a build lists it.

    Args:
        name: Name of the image.
        error: Reason why it cannot be used.
        after: Place at which the next image begins.
    """

    def read() -> NoReturn:
        raise error

    return SourceImage(name, "", UNLABELLED, (DEFAULT_SPLIT,), read, after)


def must_be_there(path: Path) -> None:
    """Check that the file or folder ``path`` of a source still exists; raises DataError otherwise.

    Without this check, images that vanish with their disk would be listed as left out.
    """
    try:
        path.stat()
    except OSError as error:
        raise DataError(
            f"{path} no longer exists.",
            "Restore it and give the same command again: it continues from here.",
        ) from error


CAPTION_NAMES = ("caption", "text", "txt", "TEXT", "prompt", "description", "alt_text", "title")
"""Names under which a caption is looked for, in this order."""
LABEL_NAMES = ("NSFW", "nsfw")
MAX_CAPTION_CHARACTERS = 1 << 16
MAX_SIDE = 1 << 31
MAX_SPLITS = 64
"""Most splits of an image, and of all images of a build: each becomes shards of its own."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SPLIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REMEDY = "Correct or remove it."


def name_in(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first of the names that the record has, or None."""
    return next((name for name in names if name in record), None)


def caption_of(record: Mapping[str, Any], column: str | None = None) -> str:
    """Return the caption of a record: the first one of a list, and empty text for an empty value.

    Args:
        record: Values of an image by name.
        column: Name of the caption; None: the first of ``CAPTION_NAMES`` that the record has.

    Raises:
        NoCaptionError: the record has none of the names.
        BadCaptionError: the value is not text that can be used.
    """
    name = column or name_in(record, CAPTION_NAMES)
    if name is None:
        raise NoCaptionError("It has no caption.", "Add one.")
    value = record.get(name)
    if isinstance(value, list) and value:
        value = value[0]
    return "" if value is None else caption_text(value, name)


def caption_text(value: object, name: str) -> str:
    """Return the caption ``value`` if it is text that every file can hold; ``name`` is named in errors.

    Raises BadCaptionError if it is not such text, or too long.
    """
    try:
        return plain_text(value, name)
    except BrokenImageError as error:
        raise BadCaptionError(error.what, error.remedy) from error


def label_of(record: Mapping[str, Any]) -> str:
    """Return the NSFW label of ``record``: ``UNLABELLED`` if it has no such field, and empty text for an empty value.

    Raises:
        BrokenImageError: the label is not text.
    """
    name = name_in(record, LABEL_NAMES)
    if name is None:
        return UNLABELLED
    return "" if record[name] is None else plain_text(record[name], name)


def size_of(record: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return width and height of the original in pixels; None if the record does not hold plausible values."""
    width, height = (_side(record.get(name)) for name in ("original_width", "original_height"))
    return (width, height) if width and height else None


def splits_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the splits of an image, from ``split`` in its ``record``: a name or a list of names.

    Raises:
        BrokenImageError: the value is neither, has more than ``MAX_SPLITS`` names, or a name cannot be used.
    """
    value = record.get("split", DEFAULT_SPLIT)
    names = value if isinstance(value, list) else [value]
    if len(names) > MAX_SPLITS:
        raise BrokenImageError(f"It has {len(names)} splits.", f"Name {MAX_SPLITS} at most.")
    if not names or not all(isinstance(name, str) and _SPLIT_NAME.fullmatch(name) for name in names):
        raise BrokenImageError(
            f"It has the split {str(value)[:200]!r}.",
            "Name splits with letters, digits, - and _: they become names of files.",
        )
    return tuple(dict.fromkeys(names))


def plain_text(value: object, name: str) -> str:
    """Return ``value`` if it is text that every file can hold; ``name`` is named in errors.

    Raises BrokenImageError if it is not such text, or has more than ``MAX_CAPTION_CHARACTERS`` characters.
    """
    if not isinstance(value, str) or _LONE_SURROGATE.search(value):
        raise BrokenImageError(f"It has no text under {name!r}.", _REMEDY)
    if len(value) > MAX_CAPTION_CHARACTERS:
        raise BrokenImageError(f"It has more than {MAX_CAPTION_CHARACTERS} letters under {name!r}.", _REMEDY)
    return value


def _side(value: object) -> int:
    # Readers that go through pandas turn a column of integers with gaps into floats.
    if isinstance(value, float) and math.isfinite(value):
        value = int(value)
    return value if isinstance(value, int) and 0 < value < MAX_SIDE else 0
