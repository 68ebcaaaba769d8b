"""Where a build takes its image-text pairs from: a source is an iterable of SourceImage."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.data.pixels import BrokenImageError
from core.errors import DataError

METADATA_NAME = "metadata.jsonl"
DEFAULT_SPLIT = "train"
UNLABELLED = "UNLIKELY"
"""The NSFW label of images that come with none: whoever builds from a folder of their own vouches for it."""
MAX_IMAGE_BYTES = 1 << 26

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SPLIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class SourceImage:
    """One image of a source with what is said about it."""

    name: str
    caption: str
    nsfw: str
    splits: tuple[str, ...]
    """The sets of shards that it goes to, one at least."""
    read: Callable[[], bytes]
    """The encoded image, in any common format; raises BrokenImageError if it cannot be had."""


class ImageFolder:
    """A folder in Hugging Face's imagefolder layout: images, and ``metadata.jsonl`` with a line for each.

    A line has ``file_name`` (relative to the folder) and ``caption`` or ``text``; it may have ``NSFW``, and
    ``split``: a name or a list of names.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._metadata = folder / METADATA_NAME
        if not self._metadata.is_file():
            raise DataError(
                f"There is no {METADATA_NAME} in {folder}.",
                'Put one there with a line {"file_name": "cat.png", "caption": "a cat"} for each image.',
            )

    def __iter__(self) -> Iterator[SourceImage]:
        """The images in the order of the metadata.

        Raises:
            DataError: a line is malformed; it names the line.
        """
        with self._metadata.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield self._image(line, f"line {number} of {self._metadata}")

    def _image(self, line: bytes, where: str) -> SourceImage:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{where} is not JSON in UTF-8: {error}.", "Correct or remove the line."
            ) from error
        if not isinstance(record, dict):
            raise DataError(f"{where} is not a JSON object.", "Correct or remove the line.")
        name = _string(record, "file_name", where)
        caption = _string(record, "caption" if "caption" in record else "text", where)
        nsfw = _string(record, "NSFW", where) if "NSFW" in record else UNLABELLED
        return SourceImage(name, caption, nsfw, _splits(record, where), partial(self._read, name))

    def _read(self, name: str) -> bytes:
        path = self._folder / name
        try:
            if not path.resolve().is_relative_to(self._folder.resolve()):
                raise BrokenImageError(f"{name} lies outside of {self._folder}.", "Move it into the folder.")
            if path.stat().st_size > MAX_IMAGE_BYTES:
                raise BrokenImageError(f"{name} has more than {MAX_IMAGE_BYTES} bytes.", "Make it smaller.")
            return path.read_bytes()
        except OSError as error:
            raise BrokenImageError(
                f"{name} cannot be read: {error.strerror}.", "Put it there, or remove its line."
            ) from error


def _string(record: dict[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or _LONE_SURROGATE.search(value):
        raise DataError(f"{where} has no text under {key!r}.", "Correct or remove the line.")
    return value


def _splits(record: dict[str, Any], where: str) -> tuple[str, ...]:
    value = record.get("split", DEFAULT_SPLIT)
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and _SPLIT_NAME.fullmatch(name) for name in names):
        raise DataError(
            f"{where} has the split {value!r}.",
            "Name splits with letters, digits, - and _: they become names of files.",
        )
    return tuple(dict.fromkeys(names))
