"""Images in a folder, with their captions in a metadata.jsonl or metadata.csv, or in text files beside them."""

import csv
import hashlib
import json
import os
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TextIO

from core.data.images import BrokenImageError, NoCaptionError, NoImageError
from core.data.sources.source import (
    DEFAULT_SPLIT,
    MAX_IMAGE_BYTES,
    START,
    UNLABELLED,
    ImageSource,
    SourceImage,
    SourcePlace,
    caption_of,
    caption_text,
    label_of,
    must_be_there,
    plain_text,
    splits_of,
    unusable,
)
from core.errors import DataError
from core.storage.files import read_bounded, sha256_of

METADATA_NAMES = ("metadata.jsonl", "metadata.csv")
MAX_LINE_BYTES = 1 << 20
MAX_TEXT_BYTES = 1 << 18
IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})

_REMEDY = "Correct or remove the line."


class ImageFolder(ImageSource):
    """A folder in Hugging Face's imagefolder layout: images, and a file of metadata with a record for each.

    A record is a line of JSON, or of CSV below a line of names. It has ``file_name`` (relative to the folder)
    and ``caption`` or ``text``; it may have ``NSFW``, and ``split``: a name, or in JSON a list of names. A
    place counts records.
    """

    def __init__(self, folder: Path) -> None:
        """Find the file of metadata in ``folder``, the first of ``METADATA_NAMES`` that exists.

        Raises:
            DataError: there is none.
        """
        self._folder = folder
        found = [folder / name for name in METADATA_NAMES if (folder / name).is_file()]
        if not found:
            raise DataError(
                f"There is no {METADATA_NAMES[0]} in {folder}.",
                'Put one there with a line {"file_name": "cat.png", "caption": "a cat"} for each image.',
            )
        self._metadata = found[0]

    @cached_property
    def identity(self) -> str:
        return f"{self._folder.resolve().name} with {self._metadata.name} {sha256_of(self._metadata)}"

    @cached_property
    def length(self) -> int:
        """Number of records; all are read, so that a malformed one is reported before the first image is encoded.

        Raises:
            DataError: a record is malformed; the error names the line.
        """
        return sum(1 for _ in self.images())

    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        done = place[0] if place else 0
        read = _jsonl if self._metadata.suffix == ".jsonl" else _csv
        try:
            with self._metadata.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
                for number, (line, record) in islice(enumerate(read(file, self._metadata), 1), done, None):
                    yield self._image(record, f"line {line} of {self._metadata}", (number,))
        except OSError as error:
            raise DataError(
                f"{self._metadata} cannot be read: {error.strerror or error}.",
                "Restore it and give the same command again.",
            ) from error

    def _image(self, record: dict[str, Any], where: str, after: SourcePlace) -> SourceImage:
        try:
            name = plain_text(record.get("file_name"), "file_name")
            nsfw, splits = label_of(record), splits_of(record)
        except BrokenImageError as error:
            raise DataError(f"{where}: {error.what}", error.remedy) from error
        try:
            caption = _not_empty(caption_of(record))
        except BrokenImageError as error:
            return unusable(name, error, after)
        return SourceImage(name, caption, nsfw, splits, partial(read_inside, self._folder, name), after)


class CaptionedFiles(ImageSource):
    """A folder, and folders in it, of images that each have a text file of the same name beside them.

    A place counts images. The names of one folder at a time are in memory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def identity(self) -> str:
        digest = hashlib.sha256()
        for path in self._paths():
            digest.update(os.fsencode(f"{path}\n"))
        return f"{self._folder.resolve().name} with images {digest.hexdigest()}"

    @cached_property
    def length(self) -> int:
        return sum(1 for _ in self._paths())

    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        done = place[0] if place else 0
        for number, path in islice(enumerate(self._paths(), 1), done, None):
            yield self._image(path, (number,))

    def _paths(self) -> Iterator[Path]:
        return (path.relative_to(self._folder) for path in _images_in(self._folder))

    def _image(self, path: Path, after: SourcePlace) -> SourceImage:
        name, beside = path.as_posix(), path.with_suffix(".txt")
        try:
            if not (self._folder / beside).exists():
                must_be_there(self._folder)
                raise NoCaptionError(
                    "It has no text file beside it.", f"Write its caption into {beside.name}."
                )
            text = read_inside(self._folder, str(beside), MAX_TEXT_BYTES)
            caption = _not_empty(
                caption_text(text.decode("utf-8", "surrogateescape").strip(), "its text file")
            )
        except BrokenImageError as error:
            return unusable(name, error, after)
        read = partial(read_inside, self._folder, str(path))
        return SourceImage(name, caption, UNLABELLED, (DEFAULT_SPLIT,), read, after)


def _not_empty(caption: str) -> str:
    """Return the caption; raises NoCaptionError for an empty one, as CSV has no other way to leave it out."""
    if not caption:
        raise NoCaptionError("Its caption is empty.", "Write one.")
    return caption


def has_captioned_files(folder: Path) -> bool:
    """Return true if an image in the folder, or in a folder below it, has a text file beside it."""
    return any(path.with_suffix(".txt").is_file() for path in _images_in(folder))


def read_inside(folder: Path, name: str, limit: int = MAX_IMAGE_BYTES) -> bytes:
    """Return the content of the file ``name``, which must lie in the folder after links are followed.

    Raises:
        NoImageError: there is no such file.
        BrokenImageError: the file lies elsewhere, is not a file, cannot be read, or has more than ``limit``
            bytes.
        DataError: the folder does not exist any more.
    """
    try:
        path = Path(
            os.path.realpath(folder / name)
        )  # Path.resolve has an error of its own for links in a circle
        if not path.is_relative_to(os.path.realpath(folder)):
            raise BrokenImageError(f"{name} lies outside of {folder}.", "Move it into the folder.")
        if path.stat().st_size > limit:
            raise ValueError
        return read_bounded(path, limit)
    except FileNotFoundError as error:
        must_be_there(folder)
        raise NoImageError(f"{name} is missing.", "Restore it, or remove its entry.") from error
    except OSError as error:
        must_be_there(folder)
        raise BrokenImageError(
            f"{name} cannot be read: {error.strerror or error}.",
            "Restore it, or remove its entry.",
        ) from error
    except ValueError as error:
        raise BrokenImageError(
            f"{name} has more than {limit} bytes, or is not the name of a file.",
            "Make it smaller, or correct it.",
        ) from error


def _images_in(folder: Path) -> Iterator[Path]:
    """Yield images in an order independent of the file system; raises DataError if a folder cannot be read."""
    for root, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if Path(name).suffix.lower() in IMAGE_SUFFIXES and not name.startswith("."):
                yield Path(root) / name


def _refuse(error: OSError) -> NoReturn:
    raise DataError(
        f"{error.filename} cannot be read: {error.strerror}.",
        "Check that the source and all folders in it can be read.",
    ) from error


def _jsonl(file: TextIO, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_lines(file, path), 1):
        if line.strip():
            yield number, _object(line, f"line {number} of {path}")


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line.encode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is not JSON in UTF-8: {error}.", _REMEDY) from error
    if not isinstance(record, dict):
        raise DataError(f"{where} is not a JSON object.", _REMEDY)
    return record


def _csv(file: TextIO, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(_lines(file, path), strict=True)
    try:
        for record in reader:
            yield reader.line_num, record
    except csv.Error as error:
        raise DataError(f"line {reader.line_num + 1} of {path} is not CSV: {error}.", _REMEDY) from error


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    """Yield the lines of a file; raises DataError if one is longer than the limit."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES):
        number += 1
        if len(line) == MAX_LINE_BYTES:
            raise DataError(f"line {number} of {path} has more than {MAX_LINE_BYTES} letters.", _REMEDY)
        yield line
