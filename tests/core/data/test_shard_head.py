"""The head of a shard tells the size of its images, however common programs write it, or tells nothing."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.layout import COLUMNS, Compression
from core.data.shard_head import ShardHead, open_shard
from core.data.shards import CodeRow, write_shard
from core.errors import DataError

SIDES = (4, 5, 8, 32)


def rows(count: int, side: int, *, alike: bool = False) -> list[CodeRow]:
    draws = np.random.default_rng(0).integers(0, 1024, (count, side * side)).astype("<i2")
    codes = [row.tobytes() for row in (draws[:1].repeat(count, axis=0) if alike else draws)]
    return [CodeRow("a cat", code, "UNLIKELY", 64, 64) for code in codes]


def head_of(path: Path) -> ShardHead:
    return ShardHead(io.BytesIO(path.read_bytes()), path.name)


def table(codes: pa.Array) -> pa.Table:
    count = len(codes)
    texts, numbers = pa.array(["a cat"] * count), pa.array([64] * count)
    return pa.table(dict(zip(COLUMNS, (texts, codes, texts, numbers, numbers), strict=True)))


@pytest.mark.parametrize("compression", Compression)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("count", [1, 3, 300])  # more than a row group has
def test_our_own_shards_tell_it(compression: Compression, side: int, count: int, tmp_path: Path) -> None:
    write_shard(tmp_path / "shard.parquet", rows(count, side), compression)
    head = head_of(tmp_path / "shard.parquet")
    assert [head.image_side(expected) for expected in (side, 2 * side)] == [side, side]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [False, True])
@pytest.mark.parametrize("nullable", [False, True])
@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_shards_of_other_writers_tell_it(
    version: str, dictionary: bool, nullable: bool, alike: bool, compression: str, tmp_path: Path
) -> None:
    codes = pa.array([row.code for row in rows(300, 8, alike=alike)], pa.binary())
    written = table(codes)
    schema = written.schema.set(1, pa.field("code", pa.binary(), nullable=nullable))
    options: dict[str, Any] = {"data_page_version": version, "compression": compression}
    pq.write_table(written.cast(schema), tmp_path / "shard.parquet", use_dictionary=dictionary, **options)
    head = head_of(tmp_path / "shard.parquet")
    assert [head.image_side(expected) for expected in (8, 4, 16)] == [8, 8, 8]


@pytest.mark.parametrize(
    "codes",
    [
        pa.array([bytes(128)] * 300, pa.binary(128)),
        pa.array([bytes(128), bytes(100)] * 150, pa.binary()),
        pa.array([], pa.binary()),
    ],
    ids=["of fixed length", "of several lengths", "without rows"],
)
def test_what_pages_do_not_tell_is_left_to_the_rows(codes: pa.Array, tmp_path: Path) -> None:
    pq.write_table(table(codes), tmp_path / "shard.parquet", use_dictionary=False)
    assert head_of(tmp_path / "shard.parquet").image_side(8) is None


def test_lists_are_left_to_the_rows(tmp_path: Path) -> None:
    codes = pa.array([[bytes(128)]] * 10, pa.list_(pa.binary()))
    pq.write_table(table(codes), tmp_path / "shard.parquet", use_dictionary=False)
    assert head_of(tmp_path / "shard.parquet").image_side(8) is None


def test_row_groups_are_known_also_if_there_is_none(tmp_path: Path) -> None:
    write_shard(tmp_path / "shard.parquet", rows(600, 4))
    write_shard(tmp_path / "empty.parquet", [])
    assert [len(head_of(tmp_path / name).row_groups) for name in ("shard.parquet", "empty.parquet")] == [3, 0]


@pytest.mark.parametrize("count", [0, 3])
def test_a_column_that_is_missing_is_named(count: int, tmp_path: Path) -> None:
    codes = pa.array([bytes(32)] * count, pa.binary())
    pq.write_table(table(codes).drop_columns("NSFW"), tmp_path / "shard.parquet")
    with pytest.raises(DataError, match=r"shard\.parquet has no column NSFW\."):
        head_of(tmp_path / "shard.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no Parquet at all"])
def test_what_is_no_shard_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "shard.parquet").write_bytes(content)
    with (
        open_shard(tmp_path / "shard.parquet", "it") as file,
        pytest.raises(DataError, match="it is not a Parquet"),
    ):
        ShardHead(file, "it")


def test_a_shard_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no shard it\."):
        open_shard(tmp_path / "missing.parquet", "it")
    with pytest.raises(DataError, match=r"it cannot be read"):
        open_shard(tmp_path, "it")
