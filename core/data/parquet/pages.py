"""Adds up what a Parquet row group unpacks to, by the headers of its pages: its footer only claims a size.

A page is unpacked into as many bytes as its own header states, whatever the footer says of the row group; and a
value of a dictionary, stored once, is repeated in every row that points to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.thrift import Compact
from core.errors import DataError

MAX_ROW_GROUP_BYTES = 1 << 28
"""A row group that unpacks to more is refused unread."""
MAX_REPEATED_BYTES = 1 << 29
"""The same of a dictionary, times the rows that are in memory at once."""
_HEADER_BYTES = (1 << 13, 1 << 16, 1 << 20)
"""Read of a page to find its header's end, at first and at most; statistics in it may quote codes or a caption."""
_DICTIONARY_PAGE = 2
_I32 = 5


@dataclass(frozen=True)
class Page:
    dictionary: bool
    unpacked: int
    """Bytes."""


def must_fit(
    file: Readable,
    row_group: Sequence[Chunk],
    columns: Sequence[str],
    batch_rows: int,
    where: str,
    limit: int = MAX_ROW_GROUP_BYTES,
) -> None:
    """Sees that reading these columns of a row group, so many rows at a time, takes bounded memory.

    Raises:
        DataError: it would take more, or what should be a page's header is none; ``where`` names the row group.
    """
    total = 0
    for chunk in row_group:
        for page in pages(file, chunk, where) if chunk.column in columns else ():
            total += page.unpacked
            if total > limit or (page.dictionary and page.unpacked * batch_rows > MAX_REPEATED_BYTES):
                raise DataError(
                    f"{where} unpacks to {total} bytes or more, more than can be read safely.",
                    "Write the shard again with smaller row groups.",
                )


def pages(file: Readable, chunk: Chunk, where: str) -> Iterator[Page]:
    """The pages of a column in a row group.

    Raises:
        DataError: what should be a page's header is none.
    """
    at = chunk.first
    while at < chunk.end:
        try:
            kind, unpacked, packed, size = _header(file, at, chunk.end - at)
        except (ValueError, OSError) as error:
            raise DataError(f"{where} is damaged: {error}.", "Fetch or build the shard again.") from error
        yield Page(kind == _DICTIONARY_PAGE, unpacked)
        at += size + packed


def _header(file: Readable, at: int, room: int) -> tuple[int, int, int, int]:
    """Kind, bytes unpacked and packed of the page at a position, and bytes of its header (``PageHeader``).

    ``room`` is what its column has left: what lies behind may be far away, on a server.
    """
    for limit in _HEADER_BYTES:
        file.seek(at)
        data = Compact(file.read(min(limit, room)))
        numbers = {1: -1, 2: -1, 3: -1}
        try:
            for field, kind in data.fields():
                if field in numbers and kind == _I32:
                    numbers[field] = data.integer()
                else:
                    data.skip(kind)
        except IndexError:
            continue
        if min(numbers.values()) < 0:
            break
        return numbers[1], numbers[2], numbers[3], data.at
    raise ValueError("a page has no header")
