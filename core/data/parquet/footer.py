"""What a Parquet file's footer says of where its columns lie; read here, not by pyarrow.

pyarrow 26 ends the whole process where a hostile footer contradicts itself: what ``RowGroupMetaData.column`` throws
in C++ nobody catches. Structures and numbers of fields are those of parquet.thrift.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from core.data.parquet.schema import Leaf, leaves
from core.data.parquet.thrift import BINARY, I32, I64, LIST, STRUCT, Compact
from core.errors import DataError

MAX_FOOTER_BYTES = 1 << 24
MAX_ROW_GROUPS, MAX_COLUMNS = 1 << 16, 1 << 10
"""Of a file, and of a row group: in a footer both may take a byte, and in memory half a kilobyte."""
MAX_PARTS = 1 << 17
"""Columns in all row groups."""
CAREFULLY = MappingProxyType(
    {
        # Reading ahead is what pyarrow has threads for; without it all is read, and can be interrupted, in one's own.
        "pre_buffer": False,
        "page_checksum_verification": True,
        "thrift_container_size_limit": MAX_ROW_GROUPS,
    }
)
"""How `pyarrow.parquet.ParquetFile` is to open files of others, once `row_groups` has found no fault with them."""
_MAGIC = b"PAR1"
_NUMBERS = MappingProxyType({4: I32, 7: I64, 9: I64, 11: I64})
"""Of what a footer says of a column: its codec, its size, where its pages begin, and where its dictionary does."""


class Readable(Protocol):
    """A file, here or on a server."""

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A column in a row group."""

    column: str = ""
    """The first name of its path."""
    first: int = 0
    """Byte of the file at which its pages begin."""
    packed: int = 0
    """Bytes that they take there."""
    codec: int = 0
    """What packs them, as parquet.thrift numbers it; 0 is nothing."""
    definitions: int = 0
    """Its highest definition level; 0 where no value may be missing."""
    repetitions: int = 0
    """Its highest repetition level; 0 outside lists."""

    @property
    def end(self) -> int:
        return self.first + self.packed


def row_groups(file: Readable, name: str) -> list[tuple[Chunk, ...]]:
    """The columns of each row group; ``name`` is the file's, for errors.

    Raises:
        DataError: the file is not Parquet, or its footer is too large, lists too much or is damaged.
    """
    end = file.seek(-8, 2)
    tail = file.read(8)
    size = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or size > min(end, MAX_FOOTER_BYTES):
        raise DataError(
            f"{name} is not a Parquet file, or its footer is too large.", "Fetch the shard again."
        )
    file.seek(end - size)
    try:
        return _row_groups(Compact(file.read(size)))
    except (IndexError, ValueError) as error:
        raise DataError(f"The footer of {name} is damaged: {error}.", "Fetch the shard again.") from error


def _row_groups(data: Compact) -> list[tuple[Chunk, ...]]:
    found: list[tuple[Chunk, ...]] = []
    schema: tuple[Leaf, ...] = ()
    for field, kind in data.fields():
        if field == 2 and kind == LIST:
            schema = leaves(data)
        elif field == 4 and kind == LIST:
            found = list(_listed(data, schema))
        elif field == 6 and kind == BINARY:
            _check_writer(data.binary().decode(errors="replace"))
        else:
            data.skip(kind)
    return found


def _check_writer(name: str) -> None:
    # The footers of this one were wrong before version 1.2.9: pyarrow reads on where they say that a column ends.
    if name.strip().lower().startswith("parquet-mr") and not name.startswith("parquet-mr-"):
        version = re.match(r"parquet-mr version (\d{1,4})\.(\d{1,4})\.\d", name)
        if version is None or tuple(map(int, version.groups())) < (1, 3):
            raise ValueError(f"its writer, {name[:50]}, is too old")


def _listed(data: Compact, schema: Sequence[Leaf]) -> Iterator[tuple[Chunk, ...]]:
    parts = 0
    for _ in data.elements(MAX_ROW_GROUPS):
        chunks = tuple(_chunks(data, schema))
        parts += len(chunks)
        if parts > MAX_PARTS:
            raise ValueError(f"it lists more than {MAX_PARTS} columns of row groups")
        yield chunks


def _chunks(data: Compact, schema: Sequence[Leaf]) -> list[Chunk]:
    found: list[dict[int, int]] = []
    for field, kind in data.fields():
        if field == 1 and kind == LIST:
            found = [_part(data) for _ in data.elements(MAX_COLUMNS)]
        else:
            data.skip(kind)
    if len(found) != len(schema):
        raise ValueError(f"a row group has {len(found)} columns, the schema {len(schema)}")
    return [_chunk(leaf, numbers) for leaf, numbers in zip(schema, found, strict=True)]


def _part(data: Compact) -> dict[int, int]:
    found: dict[int, int] = {}
    for field, kind in data.fields():
        if field == 3 and kind == STRUCT:
            found = _numbers(data)
        else:
            data.skip(kind)
    return found


def _numbers(data: Compact) -> dict[int, int]:
    found: dict[int, int] = {}
    for field, kind in data.fields():
        if kind == _NUMBERS.get(field):
            found[field] = data.integer(32 if kind == I32 else 64)
        else:
            data.skip(kind)
    return found


def _chunk(leaf: Leaf, numbers: Mapping[int, int]) -> Chunk:
    codec, packed, pages, dictionary = (numbers.get(field, 0) for field in _NUMBERS)
    first = dictionary if 0 < dictionary < pages else pages
    return Chunk(leaf.column, first, packed, codec, leaf.definitions, leaf.repetitions)
