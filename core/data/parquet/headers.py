"""The pages of a column in a row group, by the header that precedes each (``PageHeader`` of parquet.thrift)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.thrift import FALSE, I32, STRUCT, TRUE, Compact
from core.errors import DataError

DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY = 6, 7
"""Encodings that begin with the lengths of all values; in the latter, of which part of the one before they repeat."""
_HEADER_BYTES = (1 << 13, 1 << 16, 1 << 20)
"""Read of a page to find its header's end, at first and at most; statistics in it may quote codes or a caption."""
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_DETAILS = MappingProxyType({_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8})
"""Kinds of pages, and the field of a header that describes such a page; a reader looks at no other."""


@dataclass(frozen=True)
class Levels:
    """Where the repetition and definition levels of a page lie."""

    encodings: tuple[int, ...] = ()
    """Of both, if they are packed with the values, before them."""
    apart: int = 0
    """Bytes they take before what is packed, if they lie there."""


@dataclass(frozen=True)
class Page:
    dictionary: bool
    first: int
    """Byte of the file at which its data begin."""
    packed: int
    """Bytes that they take there."""
    unpacked: int
    """Bytes."""
    values: int = 0
    """With those that are missing."""
    encoding: int = -1
    levels: Levels = Levels()
    as_is: bool = False
    """Whether its values are said not to be packed, whatever the column's codec."""

    @property
    def size(self) -> int:
        """Bytes in memory; what a column of no codec claims to unpack to means nothing."""
        return max(self.packed, self.unpacked)

    @property
    def held(self) -> int:
        """The same with two lengths for each value."""
        return self.size + 8 * self.values

    @property
    def repeats(self) -> bool:
        """Whether each of its values may be as long as all that it holds."""
        return self.dictionary or self.encoding == DELTA_BYTE_ARRAY


def pages(file: Readable, chunk: Chunk, where: str) -> Iterator[Page]:
    """The pages of a column in a row group.

    Raises:
        DataError: what should be a page's header is none.
    """
    at = chunk.first
    while at < chunk.end:
        try:
            page = _page(file, at, chunk.end - at)
        except (ValueError, OSError) as error:
            raise DataError(f"{where} is damaged: {error}.", "Fetch or build the shard again.") from error
        yield page
        at = page.first + page.packed


def _page(file: Readable, at: int, room: int) -> Page:
    """The page whose header lies there.

    ``room`` is what its column has left: what lies behind may be far away, on a server.
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
    """The page that a header describes; KeyError if it lacks something."""
    kind, unpacked, packed = numbers[1], numbers[2], numbers[3]
    told = details[_DETAILS[kind]] if kind in _DETAILS else {}
    values, levels = told[1] if told else 0, Levels()
    if kind == _DATA:
        levels = Levels(encodings=(told[4], told[3]))
    elif kind == _DATA_V2:
        levels = Levels(apart=told[5] + told[6])
    if min(kind, unpacked, packed, values, levels.apart) < 0 or levels.apart > packed:
        raise ValueError("a page has a size that cannot be")
    if kind == _DICTIONARY and values > unpacked:
        raise ValueError(f"a dictionary of {unpacked} bytes claims {values} values")
    encoding = told[4 if kind == _DATA_V2 else 2] if told else -1
    as_is = kind == _DATA_V2 and not told.get(7, False)
    return Page(kind == _DICTIONARY, first, packed, unpacked, values, encoding, levels, as_is)


def _header(data: Compact) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
    """What a header says of a page, and of pages of each kind, by the numbers of fields."""
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
