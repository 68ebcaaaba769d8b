"""Reads from a Parquet file's footer where its columns lie, without pyarrow.

pyarrow 26 ends the whole process where a hostile footer contradicts itself: nothing catches the error that
``RowGroupMetaData.column`` throws in C++. Structures and numbers of fields are those of parquet.thrift. The
columns of a row group are in the schema's order. A row group names its columns as well, but pyarrow goes by
their places alone, so the names are not reliable.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from core.data.parquet.thrift import BINARY, I32, I64, LIST, STRUCT, Compact
from core.errors import DataError

MAX_FOOTER_BYTES = 1 << 24
MAX_ROW_GROUPS, MAX_COLUMNS = 1 << 16, 1 << 10
"""Most row groups of a file, and most columns of a row group.

Each may take a byte in a footer, and 0.5 kB in memory.
"""
MAX_PARTS = 1 << 17
"""Most columns in all row groups."""
MAX_ELEMENTS = 1 << 12
"""Most elements of a schema."""
CAREFULLY = MappingProxyType(
    {
        # pyarrow reads ahead in its own threads; without that, all reading is in the caller's and can be interrupted.
        "pre_buffer": False,
        "page_checksum_verification": True,
        "thrift_container_size_limit": MAX_ROW_GROUPS,
    }
)
"""Options of `pyarrow.parquet.ParquetFile` for untrusted files, after `row_groups` has accepted them."""
_MAGIC = b"PAR1"
_NUMBERS = MappingProxyType({7: I64, 9: I64, 11: I64})
"""Fields of a column that are read, with types: its bytes, the start of its pages, and that of its dictionary."""
_DEEPEST = 100
"""Deepest nesting of groups, which pyarrow reads by recursion."""
_REPEATED = 2


class Readable(Protocol):
    """A file, here or on a server."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move the position by ``offset`` bytes and return it.

        ``whence`` counts from the start (0), the position (1) or the end (2).
        """

    def read(self, size: int, /) -> bytes:
        """Return the next ``size`` bytes, or fewer at the end of the file."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One column of one row group."""

    column: str = ""
    """First name of the path of the column."""
    first: int = 0
    """Byte of the file at which the pages of the column begin."""
    packed: int = 0
    """Bytes of the pages in the file."""
    repeated: bool = False
    """True for a column within lists: a row may have any number of values."""

    @property
    def end(self) -> int:
        """Byte of the file behind the pages."""
        return self.first + self.packed


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A column of the schema, which may be part of a struct or list."""

    column: str
    repeated: bool


@dataclass(frozen=True, slots=True)
class _Element:
    """A column or group of the schema."""

    name: str
    repetition: int
    parts: int
    valued: bool
    """True if the element has a type of its own, as leaves have."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The columns of a file, as its footer lists them."""

    columns: tuple[str, ...]
    """Names of the columns, in the schema's order; one that consists of parts is named once for each part."""
    row_groups: tuple[tuple[Chunk, ...], ...]
    """Columns of each row group, in the schema's order."""


def row_groups(file: Readable, name: str) -> tuple[tuple[Chunk, ...], ...]:
    """Return the columns of each row group of ``file``, as `read_footer` finds them; errors call it ``name``."""
    return read_footer(file, name).row_groups


def read_footer(file: Readable, name: str) -> Footer:
    """Read the footer of ``file``; ``name`` names the file in error messages.

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
        return _footer(Compact(file.read(size)))
    except (IndexError, ValueError) as error:
        raise DataError(f"The footer of {name} is damaged: {error}.", "Fetch the shard again.") from error


def _footer(data: Compact) -> Footer:
    found: tuple[tuple[Chunk, ...], ...] = ()
    schema: tuple[_Leaf, ...] = ()
    for field, kind in data.fields():
        if field == 2 and kind == LIST:
            schema = _leaves(data)
        elif field == 4 and kind == LIST:
            found = tuple(_listed(data, schema))
        elif field == 6 and kind == BINARY:
            _check_writer(data.binary().decode(errors="replace"))
        else:
            data.skip(kind)
    return Footer(tuple(leaf.column for leaf in schema), found)


def _check_writer(name: str) -> None:
    # The footers of this one were wrong before version 1.2.9: pyarrow reads on where they say that a column ends.
    if name.strip().lower().startswith("parquet-mr") and not name.startswith("parquet-mr-"):
        version = re.match(r"parquet-mr version (\d{1,4})\.(\d{1,4})\.\d", name)
        if version is None or tuple(map(int, version.groups())) < (1, 3):
            raise ValueError(f"its writer, {name[:50]}, is too old")


def _listed(data: Compact, schema: Sequence[_Leaf]) -> Iterator[tuple[Chunk, ...]]:
    parts = 0
    for _ in data.elements(MAX_ROW_GROUPS):
        chunks = tuple(_chunks(data, schema))
        parts += len(chunks)
        if parts > MAX_PARTS:
            raise ValueError(f"it lists more than {MAX_PARTS} columns of row groups")
        yield chunks


def _chunks(data: Compact, schema: Sequence[_Leaf]) -> list[Chunk]:
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
            found[field] = data.integer(64)
        else:
            data.skip(kind)
    return found


def _chunk(leaf: _Leaf, numbers: Mapping[int, int]) -> Chunk:
    packed, pages, dictionary = (numbers.get(field, 0) for field in _NUMBERS)
    first = dictionary if 0 < dictionary < pages else pages
    return Chunk(leaf.column, first, packed, leaf.repeated)


def _leaves(data: Compact) -> tuple[_Leaf, ...]:
    """Return the columns of a schema from the list of its elements, in which each is followed by its parts."""
    elements = (_element(data) for _ in data.elements(MAX_ELEMENTS))
    root = next(elements, None)
    if root is None:
        raise ValueError("its schema is empty")
    found = tuple(leaf for _ in range(root.parts) for leaf in _below(elements, None, _DEEPEST))
    for _ in elements:  # to where the list ends
        pass
    return found


def _below(elements: Iterator[_Element], above: _Leaf | None, room: int) -> Iterator[_Leaf]:
    element = next(elements, None)
    if element is None or not room:
        raise ValueError("its schema ends too early, or is too deep")
    repeated = element.repetition == _REPEATED
    here = _Leaf(above.column, above.repeated or repeated) if above else _Leaf(element.name, repeated)
    if element.valued and not element.parts:
        yield here
    for _ in range(element.parts):
        yield from _below(elements, here, room - 1)


def _element(data: Compact) -> _Element:
    numbers, name = {1: -1, 3: 0, 5: 0}, ""
    for field, kind in data.fields():
        if field in numbers and kind == I32:
            numbers[field] = data.integer(32)
        elif field == 4 and kind == BINARY:
            name = data.binary().decode(errors="replace")
        else:
            data.skip(kind)
    return _Element(name, numbers[3], numbers[5], valued=numbers[1] >= 0)
