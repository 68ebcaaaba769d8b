"""What a Parquet file's footer says of where its columns lie; read here, not by pyarrow.

pyarrow 26 ends the whole process where a hostile footer contradicts itself: what ``RowGroupMetaData.column`` throws
in C++ nobody catches. Structures and numbers of fields are those of parquet.thrift.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from core.data.parquet.thrift import Compact
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
_DEEPEST = 100
"""Names of a column's path."""
_MAGIC = b"PAR1"
_I64, _LIST, _STRUCT = 6, 9, 12


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
    for field, kind in data.fields():
        if field == 4 and kind == _LIST:
            found = list(_listed(data))
        else:
            data.skip(kind)
    return found


def _listed(data: Compact) -> Iterator[tuple[Chunk, ...]]:
    parts = 0
    for _ in data.elements(MAX_ROW_GROUPS):
        chunks = tuple(_chunks(data))
        parts += len(chunks)
        if parts > MAX_PARTS:
            raise ValueError(f"it lists more than {MAX_PARTS} columns of row groups")
        yield chunks


def _chunks(data: Compact) -> list[Chunk]:
    found: list[Chunk] = []
    for field, kind in data.fields():
        if field == 1 and kind == _LIST:
            found = [_chunk(data) for _ in data.elements(MAX_COLUMNS)]
        else:
            data.skip(kind)
    return found


def _chunk(data: Compact) -> Chunk:
    found = Chunk()
    for field, kind in data.fields():
        if field == 3 and kind == _STRUCT:
            found = _column(data)
        else:
            data.skip(kind)
    return found


def _column(data: Compact) -> Chunk:
    names: list[str] = []
    numbers = {7: 0, 9: 0, 11: 0}
    for field, kind in data.fields():
        if field == 3 and kind == _LIST:
            names = [data.binary().decode(errors="replace") for _ in data.elements(_DEEPEST)]
        elif field in numbers and kind == _I64:
            numbers[field] = data.integer()
        else:
            data.skip(kind)
    packed, pages, dictionary = numbers.values()
    return Chunk(names[0] if names else "", dictionary if 0 < dictionary < pages else pages, packed)
