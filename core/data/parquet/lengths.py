"""Refuses pages that claim lengths of more values than they have: pyarrow makes room for all that they claim.

In two encodings a page begins with the lengths of its values, packed as DELTA_BINARY_PACKED, whose header says how
many they are. pyarrow 26 unpacks them at once, a thousand million from a few bytes; of whatever else a page counts it
takes memory only for the rows that are asked for.
"""

import io
from collections.abc import Iterator
from types import MappingProxyType
from typing import Protocol

import pyarrow as pa

from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.headers import DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, Page
from core.data.parquet.thrift import Compact

_PLAIN = 0
_STREAMED = MappingProxyType({2: "gzip", 4: "brotli", 6: "zstd"})
_WHOLE = MappingProxyType({1: "snappy", 7: "lz4_raw"})
"""Codecs of parquet.thrift; from the former, pyarrow unpacks the first bytes alone."""
_RLE, _BIT_PACKED = 3, 4
_COUNTS_BYTES = 20
"""Of what precedes the lengths, at most: four numbers of 32 bits."""


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Part(io.RawIOBase):
    """So many bytes of a file from where it is on."""

    def __init__(self, file: Readable, size: int) -> None:
        super().__init__()
        self._file, self._left = file, size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def check_lengths(file: Readable, chunk: Chunk, page: Page) -> None:
    """Sees that a page has no more lengths than values; what it unpacks to must have been found to fit.

    Raises:
        IndexError, ValueError, OSError, pyarrow.ArrowException: it has more, or its data are damaged.
    """
    if page.dictionary or page.encoding not in (DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY):
        return
    for data in _contents(file, chunk, page):
        _pass_levels(data, chunk, page)
        repeats = page.encoding == DELTA_BYTE_ARRAY
        lengths = Compact(data.read(page.size if repeats else _COUNTS_BYTES))
        block, parts, count = _counts(lengths, page.values)
        if repeats:
            _pass_numbers(lengths, block, parts, count)
            _counts(lengths, page.values)


def _contents(file: Readable, chunk: Chunk, page: Page) -> Iterator[_Stream]:
    """What pyarrow may take for the page's data, from its first byte on that may be packed."""
    packed, unpacked = page.packed - page.levels.apart, page.unpacked - page.levels.apart
    file.seek(page.first + page.levels.apart)
    if chunk.codec == _PLAIN:
        yield _Part(file, packed)
    elif page.as_is:
        yield from _either(file.read(packed), _codec(chunk), unpacked)
    elif chunk.codec in _STREAMED:
        yield pa.CompressedInputStream(_Part(file, packed), _codec(chunk))
    else:
        yield _unpacked(file.read(packed), _codec(chunk), unpacked)


def _either(data: bytes, codec: str, size: int) -> Iterator[_Stream]:
    """Data said not to be packed, as some old writers said of packed ones; pyarrow goes by their names."""
    yield io.BytesIO(data)
    try:
        unpacked = _unpacked(data, codec, size)
    except (ValueError, OSError, pa.ArrowException):
        return
    yield unpacked


def _codec(chunk: Chunk) -> str:
    name = _STREAMED.get(chunk.codec) or _WHOLE.get(chunk.codec)
    if name is None:
        raise ValueError(
            f"the lengths in a page are packed by codec {chunk.codec}, which nothing here can check"
        )
    return name


def _unpacked(data: bytes, codec: str, size: int) -> _Stream:
    return io.BytesIO(pa.Codec(codec).decompress(data, max(0, size), asbytes=True))


def _pass_levels(data: _Stream, chunk: Chunk, page: Page) -> None:
    """Go to the values of a page that begins with levels."""
    for highest, encoding in zip((chunk.repetitions, chunk.definitions), page.levels.encodings, strict=False):
        if not highest:
            continue
        if encoding == _RLE:
            size = int.from_bytes(data.read(4), "little")
        elif encoding == _BIT_PACKED:
            size = -(-page.values * highest.bit_length() // 8)
        else:
            raise ValueError(f"a page's levels have the encoding {encoding}")
        if size > page.size or len(data.read(size)) < size:
            raise ValueError("a page ends within its levels")


def _counts(data: Compact, most: int) -> tuple[int, int, int]:
    """Numbers of a block, parts of a block, and numbers in all, of which there may be so many."""
    block, parts, count = (data.unsigned(32) for _ in range(3))
    data.integer(32)  # the first of them
    if count > most:
        raise ValueError(f"a page of {most} values claims lengths of {count}")
    return block, parts, count


def _pass_numbers(data: Compact, block: int, parts: int, count: int) -> None:
    """Go to the end of as many numbers; each part of a block has a width of its own, the last part is padded."""
    size = block // parts if parts else 0
    if not size or size % 32:
        raise ValueError(f"a page's lengths lie in {parts} parts of {block}")
    left = count - 1
    while left > 0:
        data.integer(32)  # the least difference
        used = data.take(parts)[: -(-left // size)]
        data.take(sum(used) * size // 8)
        left -= size * len(used)
