"""Adds up what a Parquet row group unpacks to, by the headers of its pages: its footer only claims a size.

A page is unpacked into as many bytes as its own header states, whatever the footer says of the row group. Beyond
that, a value of a dictionary, stored once, is repeated in every row that points to it; and a value that is stored as
how it goes on from the one before may be as long as all of its page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.thrift import Compact
from core.errors import DataError

MAX_ROW_GROUP_BYTES = 1 << 28
"""A row group that unpacks to more is refused unread."""
MAX_REPEATED_BYTES = 1 << 29
"""The same of a page whose values may repeat it, times the rows that are in memory at once."""
_HEADER_BYTES = (1 << 13, 1 << 16, 1 << 20)
"""Read of a page to find its header's end, at first and at most; statistics in it may quote codes or a caption."""
_DICTIONARY_PAGE = 2
_DATA_HEADERS = {5: 2, 8: 4}
"""Fields of a page's header that describe its data, in either version; in each, the field of its encoding."""
_DELTA_BYTE_ARRAY = 7
_I32, _STRUCT = 5, 12


@dataclass(frozen=True)
class Page:
    dictionary: bool
    unpacked: int
    """Bytes."""
    prefixed: bool = False
    """Whether its values begin like the ones before them, of which they tell how much to take."""

    @property
    def repeats(self) -> bool:
        """Whether each of its values may be as long as all that it holds."""
        return self.dictionary or self.prefixed


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
            if total > limit or (page.repeats and page.unpacked * batch_rows > MAX_REPEATED_BYTES):
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
            page, size = _page(file, at, chunk.end - at)
        except (ValueError, OSError) as error:
            raise DataError(f"{where} is damaged: {error}.", "Fetch or build the shard again.") from error
        yield page
        at += size


def _page(file: Readable, at: int, room: int) -> tuple[Page, int]:
    """The page at a position by its header (``PageHeader``), and the bytes that both take there.

    ``room`` is what its column has left: what lies behind may be far away, on a server.
    """
    for limit in _HEADER_BYTES:
        file.seek(at)
        data = Compact(file.read(min(limit, room)))
        try:
            kind, unpacked, packed, encoding = _header(data)
        except IndexError:
            continue
        if min(kind, unpacked, packed) < 0:
            break
        page = Page(kind == _DICTIONARY_PAGE, unpacked, encoding == _DELTA_BYTE_ARRAY)
        return page, data.at + packed
    raise ValueError("a page has no header")


def _header(data: Compact) -> tuple[int, int, int, int]:
    """Kind, bytes unpacked and packed, and encoding of a page; -1 for what its header does not tell."""
    numbers, encoding = {1: -1, 2: -1, 3: -1}, -1
    for field, kind in data.fields():
        if field in numbers and kind == _I32:
            numbers[field] = data.integer()
        elif field in _DATA_HEADERS and kind == _STRUCT:
            encoding = _number(data, _DATA_HEADERS[field])
        else:
            data.skip(kind)
    return numbers[1], numbers[2], numbers[3], encoding


def _number(data: Compact, wanted: int) -> int:
    """A field of a struct; -1 if it is not there."""
    found = -1
    for field, kind in data.fields():
        if field == wanted and kind == _I32:
            found = data.integer()
        else:
            data.skip(kind)
    return found
