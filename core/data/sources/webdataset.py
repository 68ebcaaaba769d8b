"""Images in tar archives as the webdataset library writes them: files of one key are one sample."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from core.data.images import BrokenImageError, NoImageError
from core.data.sources.archive import ArchiveMember, members, read_member
from core.data.sources.source import (
    MAX_IMAGE_BYTES,
    START,
    ImageSource,
    SourceImage,
    SourcePlace,
    caption_of,
    label_of,
    size_of,
    splits_of,
    unusable,
)
from core.errors import DataError

IMAGE_FIELDS = ("jpg", "jpeg", "png", "webp")
MAX_SAID_BYTES = 1 << 18
"""Largest text file, and largest JSON file, of a sample, in bytes."""

_NAME = re.compile(r"(?P<key>(?:.*/)?[^/.]+)\.(?P<field>[^/]*)", re.DOTALL)
_FIELDS = frozenset({*IMAGE_FIELDS, "txt", "json"})


@dataclass(frozen=True)
class Sample:
    """Adjacent files of an archive that have the same key, by the part of their names after its first dot."""

    key: str
    files: dict[str, ArchiveMember]

    @property
    def image(self) -> ArchiveMember | None:
        """The image, by the first of ``IMAGE_FIELDS`` that the sample has; None if it has no image."""
        return next((self.files[field] for field in IMAGE_FIELDS if field in self.files), None)


def samples(archive: Path) -> Iterator[Sample]:
    """Yield the samples of an archive in order; raises BrokenImageError at damage, after the sound ones."""
    sample, damage = Sample("", {}), None
    try:
        for key, field, member in _fields(archive):
            if key != sample.key:
                if sample.files:
                    yield sample
                sample = Sample(key, {})
            if field in _FIELDS:
                sample.files.setdefault(field, member)
    except BrokenImageError as error:
        damage = error
    if sample.files:
        yield sample
    if damage:
        raise damage


class WebDataset(ImageSource):
    """The samples of some archives: each has an image, and a caption as ``.txt`` or in a ``.json``.

    The JSON may also hold ``NSFW``, ``original_width``, ``original_height`` and ``split``. A place counts
    archives, and samples of one. One sample at a time is looked at; its image is read only when it is needed.
    """

    def __init__(self, archives: Sequence[Path]) -> None:
        """Check that the files ``archives``, which are read in this order, exist.

        Raises:
            DataError: no archive is named, or one is missing.
        """
        if not archives:
            raise DataError("No archive is given.", "Name .tar files that exist.")
        if missing := [str(path) for path in archives if not path.is_file()]:
            raise DataError(f"There is no archive {missing[0]}.", "Name .tar files that exist.")
        self._archives = tuple(archives)

    @property
    def identity(self) -> str:
        return f"{len(self._archives)} archives {files_digest(self._archives)}"

    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        number, done = place or (0, 0)
        for index, archive in enumerate(self._archives[number:], number):
            yield from self._images_of(archive, index, done if index == number else 0)

    def _images_of(self, archive: Path, index: int, done: int) -> Iterator[SourceImage]:
        try:
            for count, sample in islice(enumerate(samples(archive), 1), done, None):
                done = count
                yield _image(archive, sample, (index, count))
        except BrokenImageError as error:
            yield unusable(archive.name, error, (index + 1, 0))


def files_digest(paths: Sequence[Path]) -> str:
    """Return a SHA-256 in hex over names and sizes of the files ``paths``: reading their content could take days."""
    listing = [f"{path.name} {path.stat().st_size}" for path in paths]
    return hashlib.sha256("\n".join(listing).encode("utf-8", "surrogateescape")).hexdigest()


def _fields(archive: Path) -> Iterator[tuple[str, str, ArchiveMember]]:
    for member in members(archive):
        match = _NAME.fullmatch(member.name)
        if match and not Path(member.name).name.startswith("__"):
            yield match["key"], match["field"].lower(), member


def _image(archive: Path, sample: Sample, after: SourcePlace) -> SourceImage:
    name = f"{archive.name}/{sample.key}"
    try:
        if sample.image is None:
            raise NoImageError("It has no image.", f"Add one as {', '.join(IMAGE_FIELDS)}.")
        record = _record(archive, sample)
        read = partial(read_member, archive, sample.image, MAX_IMAGE_BYTES)
        caption, nsfw, splits = caption_of(record), label_of(record), splits_of(record)
        return SourceImage(name, caption, nsfw, splits, read, after, size_of(record))
    except BrokenImageError as error:
        return unusable(name, error, after)


def _record(archive: Path, sample: Sample) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if "json" in sample.files:
        record = _object(read_member(archive, sample.files["json"], MAX_SAID_BYTES))
    if "txt" in sample.files:
        text = read_member(archive, sample.files["txt"], MAX_SAID_BYTES)
        record["caption"] = text.decode("utf-8", "surrogateescape").strip()
    return record


def _object(data: bytes) -> dict[str, Any]:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BrokenImageError(f"Its JSON cannot be read: {error}.", "Write it again.") from error
    if not isinstance(record, dict):
        raise BrokenImageError("Its JSON is not an object.", "Write it again.")
    return record
