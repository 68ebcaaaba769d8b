"""Code shards are written the same every time, read row by row, and refused with file and row when wrong."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.layout import COLUMNS, Compression
from core.data.shard_file import count_rows, iterate_codes, iterate_rows, shard_digest
from core.data.shards import CodeRow, decode_codes, encode_codes, write_shard
from core.errors import DataError

GRID, VOCAB = 4, 64


def make_rows(count: int, vocab: int = VOCAB) -> list[CodeRow]:
    generator = np.random.default_rng(0)
    codes = generator.integers(0, vocab, (count, GRID * GRID))
    return [
        CodeRow(f"picture {index}", encode_codes(row), "UNLIKELY", 640, 480)
        for index, row in enumerate(codes)
    ]


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    path = tmp_path / "data-00000.parquet"
    write_shard(path, make_rows(600))
    return path


def test_rows_come_back_in_order_over_several_row_groups(shard: Path) -> None:
    assert pq.ParquetFile(shard).num_row_groups == 3
    assert count_rows(shard) == 600
    assert list(iterate_rows(shard)) == make_rows(600)


def test_the_columns_types_and_compression_are_those_of_the_published_set(shard: Path) -> None:
    file = pq.ParquetFile(shard)
    assert tuple(file.schema_arrow.names) == COLUMNS
    assert [str(field.type) for field in file.schema_arrow] == [
        "string",
        "binary",
        "string",
        "int64",
        "int64",
    ]
    group = file.metadata.row_group(0)
    assert {group.column(column).compression for column in range(5)} == {"BROTLI"}


def test_high_compression_takes_fewer_bytes_in_larger_row_groups(tmp_path: Path) -> None:
    standard, high = tmp_path / "standard.parquet", tmp_path / "high.parquet"
    rows = make_rows(5000)
    write_shard(standard, rows)
    write_shard(high, rows, Compression.HIGH)
    metadata = pq.ParquetFile(high).metadata
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [4096, 904]
    assert high.stat().st_size < 0.9 * standard.stat().st_size
    assert list(iterate_rows(high)) == rows


def test_codes_are_little_endian_16_bit() -> None:
    assert encode_codes(np.array([1, 8191])) == b"\x01\x00\xff\x1f"
    assert decode_codes(b"\x01\x00\xff\x1f\x00\x00\x02\x00", 2, 8192).tolist() == [1, 8191, 0, 2]


@pytest.mark.parametrize("code", [-1, 1 << 15])
def test_codes_that_16_bits_cannot_hold_are_not_written(code: int) -> None:
    with pytest.raises(ValueError, match="32768"):
        encode_codes(np.array([0, code]))


def test_the_same_rows_give_the_same_bytes(shard: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.parquet"
    write_shard(again, make_rows(600))
    assert shard_digest(again) == shard_digest(shard)


def test_a_failed_write_leaves_the_older_shard_and_nothing_else(shard: Path) -> None:
    def interrupted() -> Iterator[CodeRow]:
        yield from make_rows(300)
        raise RuntimeError("the disk was unplugged")

    digest = shard_digest(shard)
    with pytest.raises(RuntimeError, match="unplugged"):
        write_shard(shard, interrupted())
    assert shard_digest(shard) == digest
    assert list(shard.parent.iterdir()) == [shard]


def test_rows_are_read_without_unpacking_the_whole_shard(tmp_path: Path) -> None:
    path = tmp_path / "large.parquet"
    filler = "x" * 1000
    write_shard(path, (CodeRow(f"{i} {filler}", b"", "UNLIKELY", 1, 1) for i in range(20_000)))
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    rows = iterate_rows(path)
    most = max(pool.bytes_allocated() - before for _ in rows)
    assert most < 4_000_000  # of 20 MB


def published_table(**changes: pa.Array) -> pa.Table:
    """Two rows as pandas wrote the published set: more columns, gaps, sizes as floats."""
    codes = [np.arange(16, dtype="<i2").tobytes(), np.zeros(16, "<i2").tobytes()]
    columns = {
        "key": pa.array(["000000", "000001"]),
        "code": pa.array(codes),
        "caption": pa.array(["a cat", None]),
        "NSFW": pa.array(["UNLIKELY", None]),
        "similarity": pa.array([0.3, 0.4]),
        "original_width": pa.array([256.0, math.nan]),
        "original_height": pa.array([128.0, None]),
    }
    return pa.table(columns | changes)


def test_the_published_set_reads_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "000.parquet"
    pq.write_table(published_table(), path, compression="brotli")
    (cat, first), (empty, _) = iterate_codes(path, GRID, VOCAB)
    assert (cat.caption, cat.nsfw, cat.original_width, cat.original_height) == ("a cat", "UNLIKELY", 256, 128)
    assert first.tolist() == list(range(16))
    assert (empty.caption, empty.nsfw, empty.original_width, empty.original_height) == ("", "", 0, 0)


@pytest.mark.parametrize("kept", [0, 3, 100, 2000, -1])
def test_a_truncated_shard_is_refused(shard: Path, kept: int) -> None:
    whole = shard.read_bytes()
    shard.write_bytes(whole[:kept])
    with pytest.raises(DataError, match=shard.name) as caught:
        list(iterate_rows(shard))
    assert caught.value.remedy


def test_a_changed_byte_is_noticed(shard: Path) -> None:
    changed = bytearray(shard.read_bytes())
    changed[len(changed) // 3] ^= 1
    shard.write_bytes(changed)
    with pytest.raises(DataError, match=f"Row group . of .*{shard.name} is damaged"):
        list(iterate_rows(shard))


def test_what_is_not_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.parquet"
    path.write_text("These are notes, not pictures. " * 100)
    with pytest.raises(DataError, match=r"notes\.parquet is not a Parquet file"):
        count_rows(path)
    with pytest.raises(DataError, match=r"no shard .*absent\.parquet"):
        count_rows(tmp_path / "absent.parquet")


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    path = tmp_path / "partial.parquet"
    pq.write_table(published_table().drop_columns([column]), path)
    with pytest.raises(DataError, match=rf"partial\.parquet has no column {column}\."):
        next(iterate_rows(path))


WRONG_VALUES = {
    "code": pa.array(["text", "text"]),
    "caption": pa.array([1, 2]),
    "NSFW": pa.array([b"\xff", b"\xfe"]),
    "original_width": pa.array([0.5, 1.5]),
    "original_height": pa.array([math.inf, 1.0]),
}


@pytest.mark.parametrize("column", WRONG_VALUES)
def test_a_value_of_another_type_is_refused_with_its_row(tmp_path: Path, column: str) -> None:
    path = tmp_path / "wrong.parquet"
    pq.write_table(published_table(**{column: WRONG_VALUES[column]}), path)
    with pytest.raises(DataError, match=rf"{column} of row 0 of .*wrong\.parquet"):
        next(iterate_rows(path))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (encode_codes(np.array([0] * 15 + [VOCAB])), f"holds {VOCAB}"),
        (np.array([0] * 15 + [-1], "<i2").tobytes(), "holds -1"),
        (b"\x00" * 30, "has 30 bytes"),
        (b"\x00" * 31, "has 31 bytes"),
        (b"", "has 0 bytes"),
    ],
)
def test_a_wrong_code_is_refused_with_file_and_row(tmp_path: Path, code: bytes, message: str) -> None:
    path = tmp_path / "bad.parquet"
    write_shard(path, [*make_rows(300), CodeRow("bad", code, "UNLIKELY", 1, 1)])
    with pytest.raises(DataError, match=rf"row 300 of .*bad\.parquet {message}") as caught:
        list(iterate_codes(path, GRID, VOCAB))
    assert caught.value.remedy
