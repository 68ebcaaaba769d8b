"""Parquet files that lie: numbers as Thrift writes them, and pages that begin otherwise than they were written."""

from pathlib import Path

import pyarrow as pa

from core.data.parquet.footer import row_groups
from core.data.parquet.headers import pages

CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}


def unsigned(number: int) -> bytes:
    """A number that is not negative, 7 bits a byte."""
    written = b""
    while number >= 0x80:
        written, number = written + bytes([number & 0x7F | 0x80]), number >> 7
    return written + bytes([number])


def varint(number: int) -> bytes:
    """The same as Thrift writes numbers that might be negative."""
    return unsigned(number << 1)


def same_length(small: int, length: int) -> bytes:
    """The number in more bytes than it needs."""
    short = varint(small)
    if len(short) == length:
        return short
    return bytes([*(byte | 0x80 for byte in short), *[0x80] * (length - len(short) - 1), 0])


def begin_values(path: Path, column: str, start: bytes) -> None:
    """Let what the first page of a column says after its levels begin with this, and go on with zeros."""
    with path.open("rb") as file:
        chunk = next(chunk for chunk in row_groups(file, "it")[0] if chunk.column == column)
        page = next(iter(pages(file, chunk, "it")))
    data, apart = bytearray(path.read_bytes()), page.levels.apart
    first, end = page.first + apart, page.first + page.packed
    codec = None if page.as_is else CODECS.get(chunk.codec)
    stored = bytes(data[first:end])
    values = pa.Codec(codec).decompress(stored, page.unpacked - apart, asbytes=True) if codec else stored
    at = 4 + int.from_bytes(values[:4], "little") if chunk.definitions and not apart else 0
    start += bytes(2000)
    forged = values[:at] + start + values[at + len(start) :]
    assert len(forged) == len(values)
    packed = pa.Codec(codec).compress(forged, asbytes=True) if codec else forged
    assert len(packed) <= len(stored)
    data[first : first + len(packed)] = packed
    claimed = varint(page.packed)
    header = data[chunk.first : page.first]
    data[chunk.first : page.first] = header.replace(claimed, same_length(apart + len(packed), len(claimed)))
    path.write_bytes(data)
