"""A footer says how many parts a shard has, and is refused where it lists more than can be held."""

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.parquet.footer import MAX_COLUMNS, MAX_ELEMENTS, MAX_PARTS, MAX_ROW_GROUPS, row_groups
from core.data.shard_file import count_rows
from core.errors import DataError
from tests.core.data.parquet.forging import unsigned, varint

STOP = b"\0"
LEAF = b"\x15\x0c\x25\x02\x18\x01x" + STOP
"""An element of a schema that describes an optional column of bytes."""


def listed(count: int, item: bytes) -> bytes:
    """A list of structs, all alike."""
    return b"\xfc" + unsigned(count) + item * count


def schema(columns: int) -> bytes:
    """A root and its columns."""
    return b"\xfc" + unsigned(1 + columns) + b"\x48\x01r\x15" + varint(columns) + STOP + LEAF * columns


def of_groups(groups: bytes, schema: bytes) -> bytes:
    """A file of nothing but a footer with this schema and these row groups, its fields 2 and 4."""
    footer = b"\x29" + schema + b"\x29" + groups + STOP
    return footer + len(footer).to_bytes(4, "little") + b"PAR1"


def nested(depth: int) -> bytes:
    """Groups of one part each, and a column in the last."""
    groups = (b"\x48\x01g\x15" + varint(1) + STOP) * depth
    return b"\xfc" + unsigned(depth + 1) + groups + LEAF


def group(columns: int) -> bytes:
    """A row group; its columns are field 1, and each says where it lies, in field 2."""
    return b"\x19" + listed(columns, b"\x26\x02" + STOP) + STOP


HOSTILE: dict[str, Callable[[], bytes]] = {
    "row groups": lambda: of_groups(listed(MAX_ROW_GROUPS + 1, STOP), schema(0)),
    "row groups that are not there": lambda: of_groups(b"\xfc" + unsigned(1 << 40), schema(0)),
    "columns": lambda: of_groups(listed(1, group(MAX_COLUMNS + 1)), schema(MAX_COLUMNS + 1)),
    "columns that are not there": lambda: of_groups(listed(1, b"\x19\xfc" + unsigned(1 << 40)), schema(1)),
    "parts": lambda: of_groups(listed(MAX_PARTS // MAX_COLUMNS + 1, group(MAX_COLUMNS)), schema(MAX_COLUMNS)),
    "elements of the schema": lambda: of_groups(listed(1, group(1)), schema(MAX_ELEMENTS)),
    "groups within groups": lambda: of_groups(listed(1, group(1)), nested(200)),
    "fewer columns than the schema": lambda: of_groups(listed(1, group(4)), schema(5)),
    "more columns than the schema": lambda: of_groups(listed(1, group(5)), schema(4)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_footer_that_lists_too_much_is_refused_before_memory_is_taken(tmp_path: Path, what: str) -> None:
    content = HOSTILE[what]()
    path = tmp_path / "shard.parquet"
    path.write_bytes(content)
    refusal = r"footer of .* is damaged: (a list has|it lists|its schema|a row group has)"
    with pytest.raises(DataError, match=refusal):
        row_groups(io.BytesIO(content), "it")
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=refusal):
            count_rows(path)  # by the same function
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()


def test_a_footer_with_as_many_row_groups_as_large_shards_have_is_read() -> None:
    content = of_groups(listed(10_000, group(5)), schema(5))
    assert [len(chunks) for chunks in row_groups(io.BytesIO(content), "it")] == [5] * 10_000


@pytest.mark.parametrize(
    ("writer", "sound"),
    [
        ("parquet-mr version 1.2.8 (build 0)", False),
        (" Parquet-MR version 1.12.3", False),
        ("parquet-mr", False),
        ("parquet-mr version 1.3", False),
        ("parquet-mr version 99999999999.3.0", False),
        ("parquet-mr version 1.12.3 (build 0)", True),
        ("parquet-mr-trino version 375 (build: 0)", True),
        ("parquet-cpp-arrow version 1.2.8", True),
    ],
)
def test_a_writer_whose_columns_are_read_beyond_their_end_is_refused(writer: str, sound: bool) -> None:
    """pyarrow makes up for a mistake of parquet-mr before 1.2.9: a page might lie there that nobody saw."""
    footer = b"\x29" + schema(1) + b"\x29" + listed(1, group(1)) + b"\x28"
    footer += unsigned(len(writer)) + writer.encode() + STOP
    file = io.BytesIO(footer + len(footer).to_bytes(4, "little") + b"PAR1")
    if sound:
        assert len(row_groups(file, "it")) == 1
    else:
        with pytest.raises(DataError, match=r"its writer, .*, is too old"):
            row_groups(file, "it")


def test_names_of_columns_and_whether_they_repeat_are_those_that_pyarrow_finds(tmp_path: Path) -> None:
    image = pa.struct([pa.field("bytes", pa.binary(), nullable=False), ("sizes", pa.list_(pa.int64()))])
    fields = [pa.field("id", pa.int64(), nullable=False), ("image", image), ("texts", pa.list_(pa.string()))]
    path = tmp_path / "nested.parquet"
    table = pa.schema([*fields, ("pairs", pa.map_(pa.string(), image))]).empty_table()
    with pq.ParquetWriter(path, table.schema) as writer:
        writer.write_table(table)
    schema = pq.ParquetFile(path).schema
    with path.open("rb") as file:
        (found,) = row_groups(file, "it")
    assert [(chunk.column, chunk.repeated) for chunk in found] == [
        (leaf.path.split(".")[0], leaf.max_repetition_level > 0)
        for leaf in map(schema.column, range(len(schema)))
    ]
    assert {chunk.repeated for chunk in found} == {False, True}
