"""A footer says how many parts a shard has, and is refused where it lists more than can be held."""

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.parquet.footer import MAX_COLUMNS, MAX_PARTS, MAX_ROW_GROUPS, row_groups
from core.data.shards import count_rows
from core.errors import DataError

STOP = b"\0"


def varint(number: int) -> bytes:
    written = b""
    while number >= 0x80:
        written, number = written + bytes([number & 0x7F | 0x80]), number >> 7
    return written + bytes([number])


def listed(count: int, item: bytes) -> bytes:
    """A list of structs, all alike."""
    return b"\xfc" + varint(count) + item * count


def of_groups(groups: bytes) -> bytes:
    """A file of nothing but a footer with these row groups, which are its field 4."""
    footer = b"\x49" + groups + STOP
    return footer + len(footer).to_bytes(4, "little") + b"PAR1"


def group(columns: int) -> bytes:
    """A row group; its columns are field 1, and each says where it lies, in field 2."""
    return b"\x19" + listed(columns, b"\x26\x02" + STOP) + STOP


HOSTILE: dict[str, Callable[[], bytes]] = {
    "row groups": lambda: listed(MAX_ROW_GROUPS + 1, STOP),
    "row groups that are not there": lambda: b"\xfc" + varint(1 << 40),
    "columns": lambda: listed(1, group(MAX_COLUMNS + 1)),
    "columns that are not there": lambda: listed(1, b"\x19\xfc" + varint(1 << 40)),
    "parts": lambda: listed(MAX_PARTS // MAX_COLUMNS + 1, group(MAX_COLUMNS)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_footer_that_lists_too_much_is_refused_before_memory_is_taken(tmp_path: Path, what: str) -> None:
    content = of_groups(HOSTILE[what]())
    path = tmp_path / "shard.parquet"
    path.write_bytes(content)
    for read in (lambda: row_groups(io.BytesIO(content), "it"), lambda: count_rows(path)):
        tracemalloc.start()
        try:
            with pytest.raises(DataError, match=r"footer of .* is damaged: (a list has|it lists)"):
                read()
            assert tracemalloc.get_traced_memory()[1] < 1 << 26
        finally:
            tracemalloc.stop()


def test_a_footer_with_as_many_row_groups_as_large_shards_have_is_read() -> None:
    content = of_groups(listed(10_000, group(5)))
    assert [len(chunks) for chunks in row_groups(io.BytesIO(content), "it")] == [5] * 10_000
