"""Outputs of img2dataset: a table of rows for each shard, and images as files, in archives or in the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.images import BrokenImageError, NotDownloadedError
from core.data.parquet.footer import row_groups
from core.data.parquet.pages import must_fit
from core.data.sources.archive import ArchiveMember, read_member
from core.data.sources.folder import read_inside
from core.data.sources.source import (
    CAPTION_NAMES,
    DEFAULT_SPLIT,
    LABEL_NAMES,
    MAX_IMAGE_BYTES,
    START,
    ImageSource,
    SourceImage,
    SourcePlace,
    caption_of,
    label_of,
    must_be_there,
    size_of,
    unusable,
)
from core.data.sources.webdataset import IMAGE_FIELDS, files_digest, samples
from core.errors import DataError

READ_ROWS = 16
"""Rows in memory at once; each may hold an image."""
MAX_GROUP_BYTES = 1 << 30
"""Largest row group that is read, in bytes unpacked; a hundred large images have a fifth of it."""


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of the file at ``path``; raises DataError if it is not Parquet."""
    with _named_errors(path), pq.ParquetFile(path) as file:
        return list(file.schema_arrow.names)


def row_count(path: Path) -> int:
    """Return the rows that the footer of the file at ``path`` states; raises DataError if it is not Parquet."""
    with _named_errors(path), pq.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def rows(
    path: Path, columns: Sequence[str], first: int = 0, limit: int = MAX_GROUP_BYTES
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as values by column.

    Args:
        path: The Parquet file.
        columns: Names of the columns to read; those that the file lacks are left out.
        first: Number of the first row to yield, from 0.
        limit: Largest row group that is read, in bytes unpacked.

    Raises:
        DataError: the file is not Parquet, is damaged, or has a larger row group.
    """
    with _named_errors(path), pq.ParquetFile(path, pre_buffer=False) as file, path.open("rb") as raw:
        wanted = [name for name in columns if name in file.schema_arrow.names]
        for group, chunks in enumerate(row_groups(raw, str(path))):
            held = file.metadata.row_group(group).num_rows
            if held <= first:
                first -= held
                continue
            must_fit(raw, chunks, wanted, READ_ROWS, f"Row group {group} of {path}", limit, lists=True)
            for batch in file.iter_batches(READ_ROWS, row_groups=[group], columns=wanted):
                yield from batch.slice(min(first, len(batch))).to_pylist()
                first = max(0, first - len(batch))


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{path} is not sound Parquet: {reason}.", "Get the file again.") from error


SUCCESS = "success"
MAX_KEYS = 1 << 20
"""Most keys of one archive that are kept in memory; img2dataset writes 10,000."""

_COLUMNS = (
    "key",
    "status",
    "error_message",
    "original_width",
    "original_height",
    *CAPTION_NAMES,
    *LABEL_NAMES,
)

_Read = Callable[[], bytes]


class Img2Dataset(ImageSource):
    """An output folder of img2dataset, written as ``files``, ``webdataset`` or ``parquet``.

    The tables list the images in order, and those that could not be downloaded, which a build lists as left
    out. A place counts tables, and rows of one.
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
        """Number of rows that the tables state; raises DataError if one is damaged."""
        return sum(row_count(table) for table in self._tables)

    def images(self, place: SourcePlace = START) -> Iterator[SourceImage]:
        number, done = place or (0, 0)
        for index, table in enumerate(self._tables[number:], number):
            yield from _images_of(table, index, done if index == number else 0)


def tables_of(folder: Path) -> tuple[Path, ...]:
    """Return the tables of the img2dataset output in ``folder``, in order; none if it is something else.

    Raises DataError if the first .parquet file there is not Parquet.
    """
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
    table: Path, row: dict[str, Any], find: Callable[[dict[str, Any]], _Read], after: SourcePlace
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


def _finder(table: Path, held: Sequence[str]) -> Callable[[dict[str, Any]], _Read]:
    """Return a function that finds the image of a row: in it, in an archive of the table's name, or in a folder."""
    if held:
        return partial(_in_row, held)
    archive = table.with_suffix(".tar")
    if archive.is_file():
        return partial(_in_archive, archive, _found(archive))
    return partial(_in_folder, table.with_suffix(""))


def _in_row(held: Sequence[str], row: dict[str, Any]) -> _Read:
    data = next((row[name] for name in held if row[name] is not None), None)
    if not isinstance(data, bytes) or len(data) > MAX_IMAGE_BYTES:
        raise BrokenImageError(f"It has no image of at most {MAX_IMAGE_BYTES} bytes.", "Download it again.")
    return lambda: data


def _in_archive(archive: Path, found: Mapping[str, ArchiveMember], row: dict[str, Any]) -> _Read:
    member = found.get(str(row.get("key")))
    if member is None:
        raise BrokenImageError(f"It is not in {archive.name}.", "Download the shard again.")
    return partial(read_member, archive, member, MAX_IMAGE_BYTES)


def _in_folder(folder: Path, row: dict[str, Any]) -> _Read:
    def read() -> bytes:
        for suffix in IMAGE_FIELDS:
            if (folder / f"{row.get('key')}.{suffix}").is_file():
                return read_inside(folder, f"{row.get('key')}.{suffix}")
        raise BrokenImageError(f"It is not in {folder}.", "Download the shard again.")

    return read


def _found(archive: Path) -> dict[str, ArchiveMember]:
    """Return the place of each image in an archive, by key; only those before the damage, if it is damaged."""
    found: dict[str, ArchiveMember] = {}
    try:
        for sample in samples(archive):
            if sample.image is not None and len(found) < MAX_KEYS:
                found[sample.key] = sample.image
    except BrokenImageError:
        pass  # each image that is missing is listed
    return found
