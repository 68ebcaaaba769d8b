"""Adds up the memory that a Parquet row group needs, by the headers of its pages: its footer only claims a size.

A page is unpacked into as many bytes as its own header (``PageHeader`` of parquet.thrift) states, whatever the footer
says of the row group. Beyond that, a value of a dictionary, stored once, is repeated in every row that points to it;
and a row may be a list of any number of values. Pages in the delta encodings of strings are refused: they begin with
the lengths of all their values, and pyarrow takes memory for as many as a few bytes claim; or each value may repeat
all of the one before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.data.layout import FETCH_AGAIN
from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.thrift import FALSE, I32, STRUCT, TRUE, Compact
from core.errors import DataError

MAX_ROW_GROUP_BYTES = 1 << 28
"""Largest row group that is read, in bytes unpacked."""
MAX_REPEATED_BYTES = 1 << 29
"""Largest product of a dictionary's bytes and the rows in memory at once: each row may repeat all of it."""
_DELTA_ENCODINGS = MappingProxyType({6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY"})
"""Encodings that are refused, by their number in parquet.thrift."""
_HEADER_BYTES = (1 << 13, 1 << 16, 1 << 20)
"""Bytes read to find the end of a page's header, in turn; its statistics may quote codes or a caption."""
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_DETAILS = MappingProxyType({_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8})
"""Kinds of pages, and the field of a header that describes such a page; a reader looks at no other."""


@dataclass(frozen=True)
class Page:
    """One page of a column."""

    dictionary: bool
    """True for a dictionary, whose values other pages point to."""
    first: int
    """Byte of the file at which the data of the page begin."""
    packed: int
    """Bytes of the data in the file."""
    unpacked: int
    """Bytes of the data in memory, as the header claims."""
    values: int = 0
    """Number of values, missing ones included."""
    encoding: int = -1
    """Encoding of the values as parquet.thrift numbers it; -1 in a page without values."""

    @property
    def size(self) -> int:
        """Bytes in memory; the claim of an uncompressed column means nothing."""
        return max(self.packed, self.unpacked)

    @property
    def held(self) -> int:
        """Bytes in memory with two offsets of 32 bits for each value."""
        return self.size + 8 * self.values


def must_fit(
    file: Readable,
    row_group: Sequence[Chunk],
    columns: Sequence[str],
    batch_rows: int,
    where: str,
    limit: int = MAX_ROW_GROUP_BYTES,
    *,
    lists: bool = False,
) -> None:
    """Check that columns of a row group can be read in bounded memory.

    Args:
        file: The Parquet file.
        row_group: All columns of the row group.
        columns: Names of the columns that will be read.
        batch_rows: Rows that will be in memory at once.
        where: Name of the row group in error messages.
        limit: Largest row group that is accepted, in bytes unpacked.
        lists: True if a row may have more than one value in a column.

    Raises:
        DataError: the row group takes more memory, a page is damaged, or a page has a delta encoding of
            strings.
    """
    total = 0
    for chunk in row_group:
        if chunk.column not in columns:
            continue
        if chunk.repeated and not lists:
            raise DataError(f"{where} has lists in its column {chunk.column}.", FETCH_AGAIN)
        for page in pages(file, chunk, where):
            _refuse_delta_encoding(page, chunk, where)
            total += page.held
            if total > limit or (page.dictionary and page.size * batch_rows > MAX_REPEATED_BYTES):
                raise DataError(
                    f"{where} unpacks to {total} bytes or more, more than can be read safely.",
                    "Write the shard again with smaller row groups.",
                )


def pages(file: Readable, chunk: Chunk, where: str) -> Iterator[Page]:
    """Yield the pages of the column ``chunk`` of a row group; only their headers are read from ``file``.

    Raises:
        DataError: a page has no sound header; ``where`` names the row group.
    """
    at = chunk.first
    while at < chunk.end:
        try:
            page = _page(file, at, chunk.end - at)
        except (ValueError, OSError) as error:
            raise DataError(f"{where} is damaged: {error}.", FETCH_AGAIN) from error
        yield page
        at = page.first + page.packed


def _refuse_delta_encoding(page: Page, chunk: Chunk, where: str) -> None:
    if name := _DELTA_ENCODINGS.get(page.encoding):
        raise DataError(
            f"{where} has the encoding {name} in its column {chunk.column}, which is not read.",
            "Write the file again in plain or dictionary encoding, the default of most programs.",
        )


def _page(file: Readable, at: int, room: int) -> Page:
    """Return the page whose header lies at a byte of the file.

    ``room`` is the rest of the column's bytes: the bytes behind it may be far away, on a server.
    """
    for limit in _HEADER_BYTES:
        file.seek(at)
        data = Compact(file.read(min(limit, room)))
        try:
            numbers, details = _header(data)
        except IndexError:
            continue
        try:
            return _described(numbers, details, at + data.at)
        except KeyError:
            break
    raise ValueError("a page has no header")


def _described(numbers: Mapping[int, int], details: Mapping[int, Mapping[int, int]], first: int) -> Page:
    """Return the page that a header describes; raises KeyError if a field is missing."""
    kind, unpacked, packed = numbers[1], numbers[2], numbers[3]
    fields = details[_DETAILS[kind]] if kind in _DETAILS else {}
    values = fields[1] if fields else 0
    levels = fields[5] + fields[6] if kind == _DATA_V2 else 0
    if min(kind, unpacked, packed, values, levels) < 0 or levels > packed:
        raise ValueError("a page has a size that cannot be")
    if kind == _DICTIONARY and values > unpacked:
        raise ValueError(f"a dictionary of {unpacked} bytes claims {values} values")
    encoding = fields[4 if kind == _DATA_V2 else 2] if fields else -1
    return Page(kind == _DICTIONARY, first, packed, unpacked, values, encoding)


def _header(data: Compact) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
    """Return the integer fields of a header by number, and those of each kind of page by the kind's field."""
    numbers: dict[int, int] = {}
    details: dict[int, dict[int, int]] = {}
    for field, kind in data.fields():
        if kind == I32:
            numbers[field] = data.integer(32)
        elif field in _DETAILS.values() and kind == STRUCT:
            details[field] = _detail(data)
        else:
            data.skip(kind)
    return numbers, details


def _detail(data: Compact) -> dict[int, int]:
    found: dict[int, int] = {}
    for field, kind in data.fields():
        if kind == I32:
            found[field] = data.integer(32)
        elif kind in (TRUE, FALSE):
            found[field] = kind == TRUE
        else:
            data.skip(kind)
    return found
