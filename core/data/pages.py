"""Adds up what a Parquet row group unpacks to, by the headers of its pages: its footer only claims a size.

A page is unpacked into as many bytes as its own header states, whatever the footer says of the row group; and a
value of a dictionary, stored once, is repeated in every row that points to it. Headers are Thrift's compact
protocol (parquet.thrift, ``PageHeader``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow.parquet as pq

from core.errors import DataError

MAX_ROW_GROUP_BYTES = 1 << 28
"""A row group that unpacks to more is refused unread."""
MAX_REPEATED_BYTES = 1 << 29
"""The same of a dictionary, times the rows that are in memory at once."""
_HEADER_BYTES = (1 << 10, 1 << 20)
"""Read of a page to find its header's end, at first and at most; statistics in it may quote a caption."""
_DICTIONARY_PAGE = 2


class Readable(Protocol):
    """A file, here or on a server."""

    def seek(self, offset: int, /) -> int: ...

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Page:
    dictionary: bool
    unpacked: int
    """Bytes."""


def must_fit(
    file: Readable, row_group: pq.RowGroupMetaData, columns: Sequence[str], batch_rows: int, where: str
) -> None:
    """Sees that reading these columns of a row group, so many rows at a time, takes bounded memory.

    Raises:
        DataError: it would take more, or what should be a page's header is none.
    """
    chunks = [row_group.column(index) for index in range(row_group.num_columns)]
    total = 0
    for chunk in chunks:
        if chunk.path_in_schema.partition(".")[0] not in columns:
            continue
        for page in pages(file, chunk, where):
            total += page.unpacked
            if total > MAX_ROW_GROUP_BYTES or (
                page.dictionary and page.unpacked * batch_rows > MAX_REPEATED_BYTES
            ):
                raise DataError(
                    f"{where} unpacks to {total} bytes or more, more than can be read safely.",
                    "Write the shard again with smaller row groups.",
                )


def pages(file: Readable, chunk: pq.ColumnChunkMetaData, where: str) -> Iterator[Page]:
    """The pages of a column in a row group.

    Raises:
        DataError: what should be a page's header is none; ``where`` names the row group.
    """
    at = int(chunk.dictionary_page_offset or chunk.data_page_offset)
    end = at + int(chunk.total_compressed_size)
    while at < end:
        try:
            kind, unpacked, packed, size = _header(file, at)
        except (ValueError, OSError) as error:
            raise DataError(f"{where} is damaged: {error}.", "Fetch or build the shard again.") from error
        yield Page(kind == _DICTIONARY_PAGE, unpacked)
        at += size + packed


def _header(file: Readable, at: int) -> tuple[int, int, int, int]:
    """Kind, bytes unpacked and packed of the page at a position, and bytes of its header."""
    for limit in _HEADER_BYTES:
        file.seek(at)
        reader = _Reader(file.read(limit))
        try:
            fields = reader.numbers()
        except IndexError:
            continue
        if not {1, 2, 3} <= fields.keys() or fields[2] < 0 or fields[3] < 0:
            break
        return fields[1], fields[2], fields[3], reader.at
    raise ValueError("a page has no header")


class _Reader:
    """Reads a Thrift struct; IndexError where the data end before it does."""

    def __init__(self, data: bytes) -> None:
        self.at = 0
        self._data = data

    def numbers(self, deepest: int = 4) -> dict[int, int]:
        """The integers among the fields of the struct, by field; what else headers have is skipped."""
        found: dict[int, int] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._integer()
            match head & 15:
                case 1 | 2:
                    pass  # a truth value
                case 3:
                    self._byte()
                case 4 | 5 | 6:
                    found[field] = self._integer()
                case 8:
                    length = self._unsigned()
                    self.at += length
                case 12 if deepest:
                    self.numbers(deepest - 1)
                case _:
                    raise ValueError("a page's header has what headers do not have")
        return found

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)
