"""What img2dataset downloaded: a table of rows for each shard, and images as files, in archives or in the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from core.data.pixels import BrokenImageError, NotDownloadedError
from core.data.sources.archive import Member, read_member
from core.data.sources.folder import read_inside
from core.data.sources.record import CAPTION_NAMES, LABEL_NAMES, caption_of, label_of, size_of
from core.data.sources.rows import column_names, row_count, rows
from core.data.sources.source import (
    DEFAULT_SPLIT,
    MAX_IMAGE_BYTES,
    START,
    Place,
    Source,
    SourceImage,
    must_be_there,
    unusable,
)
from core.data.sources.webdataset import IMAGE_FIELDS, files_digest, samples
from core.errors import DataError

SUCCESS = "success"
MAX_KEYS = 1 << 20
"""Of one archive, whose keys are in memory; img2dataset writes 10,000."""

_COLUMNS = (
    "key",
    "status",
    "error_message",
    "original_width",
    "original_height",
    *CAPTION_NAMES,
    *LABEL_NAMES,
)

Read = Callable[[], bytes]


class Img2Dataset(Source):
    """An output folder of img2dataset, written as ``files``, ``webdataset`` or ``parquet``.

    The tables say what there is, in which order, and what could not be downloaded; that is listed too. A
    place counts tables, and rows of one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tables = tables_of(folder)

    @cached_property
    def identity(self) -> str:
        files = [*self._tables, *(table.with_suffix(".tar") for table in self._tables)]
        return f"{self._folder.resolve().name} {files_digest([path for path in files if path.is_file()])}"

    @cached_property
    def length(self) -> int:
        """Rows that the tables state; DataError if one is damaged."""
        return sum(row_count(table) for table in self._tables)

    def images(self, place: Place = START) -> Iterator[SourceImage]:
        number, done = place or (0, 0)
        for index, table in enumerate(self._tables[number:], number):
            yield from _images_of(table, index, done if index == number else 0)


def tables_of(folder: Path) -> tuple[Path, ...]:
    """The tables of an img2dataset output, in order; none if it is something else."""
    tables = sorted(folder.glob("*.parquet"))
    return tuple(tables) if tables and {"key", "status"} <= set(column_names(tables[0])) else ()


def _images_of(table: Path, index: int, done: int) -> Iterator[SourceImage]:
    try:
        held = [name for name in column_names(table) if name in IMAGE_FIELDS]
        find = _finder(table, held)
        for number, row in enumerate(rows(table, (*_COLUMNS, *held), done), done + 1):
            yield _image(table, row, find, (index, number))
    except DataError as error:
        must_be_there(table)
        yield unusable(table.name, BrokenImageError(error.what, error.remedy), (index + 1, 0))


def _image(
    table: Path, row: dict[str, Any], find: Callable[[dict[str, Any]], Read], after: Place
) -> SourceImage:
    name = f"{table.stem}/{row.get('key')}"
    try:
        if row.get("status") != SUCCESS:
            raise NotDownloadedError(_failure(row), "Download it again with img2dataset.")
        caption, nsfw = caption_of(row), label_of(row)
        return SourceImage(name, caption, nsfw, (DEFAULT_SPLIT,), find(row), after, size_of(row))
    except BrokenImageError as error:
        return unusable(name, error, after)


def _failure(row: Mapping[str, Any]) -> str:
    return (
        ": ".join(str(row[name])[:200] for name in ("status", "error_message") if row.get(name))
        or "no status"
    )


def _finder(table: Path, held: Sequence[str]) -> Callable[[dict[str, Any]], Read]:
    """What finds the image of a row: beside it, in an archive of the table's name, or in a folder."""
    if held:
        return partial(_in_row, held)
    archive = table.with_suffix(".tar")
    if archive.is_file():
        return partial(_in_archive, archive, _found(archive))
    return partial(_in_folder, table.with_suffix(""))


def _in_row(held: Sequence[str], row: dict[str, Any]) -> Read:
    data = next((row[name] for name in held if row[name] is not None), None)
    if not isinstance(data, bytes) or len(data) > MAX_IMAGE_BYTES:
        raise BrokenImageError(f"It has no image of at most {MAX_IMAGE_BYTES} bytes.", "Download it again.")
    return lambda: data


def _in_archive(archive: Path, found: Mapping[str, Member], row: dict[str, Any]) -> Read:
    member = found.get(str(row.get("key")))
    if member is None:
        raise BrokenImageError(f"It is not in {archive.name}.", "Download the shard again.")
    return partial(read_member, archive, member, MAX_IMAGE_BYTES)


def _in_folder(folder: Path, row: dict[str, Any]) -> Read:
    def read() -> bytes:
        for suffix in IMAGE_FIELDS:
            if (folder / f"{row.get('key')}.{suffix}").is_file():
                return read_inside(folder, f"{row.get('key')}.{suffix}")
        raise BrokenImageError(f"It is not in {folder}.", "Download the shard again.")

    return read


def _found(archive: Path) -> dict[str, Member]:
    """Where the images of an archive lie, by key; those before the damage, where it is damaged."""
    found: dict[str, Member] = {}
    try:
        for sample in samples(archive):
            if sample.image is not None and len(found) < MAX_KEYS:
                found[sample.key] = sample.image
    except BrokenImageError:
        pass  # each image that is missing is listed
    return found
