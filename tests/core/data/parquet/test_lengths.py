"""A page that claims lengths of more values than it has is refused before pyarrow makes room for them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.listing import Shard
from core.data.parquet.footer import row_groups
from core.data.parquet.headers import pages
from core.data.parquet.pages import must_fit
from core.data.shards import CodeRow, iterate_rows
from core.data.sources.rows import rows
from core.data.streaming.rows import ShardRows
from core.errors import DataError
from tests.core.data.parquet.forging import begin_values, unsigned

ROWS, FALSE_COUNT = 1000, 1 << 27
LENGTHS = unsigned(1 << 30) + b"\x01" + unsigned(FALSE_COUNT) + bytes(3)
"""One block of zeros in no bits: half a gigabyte in memory."""
NO_PREFIXES = unsigned(128) + b"\x01" + unsigned(ROWS) + bytes(1 + 2 * 8)
"""As many zeros as there are rows, in blocks of 128."""
BOMBS = {
    "lengths": ("DELTA_LENGTH_BYTE_ARRAY", LENGTHS),
    "lengths of what is repeated": ("DELTA_BYTE_ARRAY", LENGTHS),
    "lengths of the rest": ("DELTA_BYTE_ARRAY", NO_PREFIXES + LENGTHS),
}
CODECS = ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]


def records(count: int, missing: bool) -> list[CodeRow]:
    draws = np.random.default_rng(0)
    return [
        CodeRow("" if missing and number % 3 == 0 else draws.bytes(15).hex(), draws.bytes(8), "", 1, number)
        for number in range(count)
    ]


def write(path: Path, found: list[CodeRow], nullable: bool = True, **options: Any) -> None:
    kinds = zip(found[0].to_record(), (pa.string(), pa.binary(), pa.string(), *[pa.int64()] * 2), strict=True)
    schema = pa.schema([pa.field(name, kind, nullable) for name, kind in kinds])
    kept = [row.to_record() | {"caption": row.caption or (None if nullable else "")} for row in found]
    pq.write_table(pa.Table.from_pylist(kept, schema=schema), path, store_schema=False, **options)


def local(path: Path) -> Iterator[CodeRow]:
    return iterate_rows(path)


def remote(path: Path) -> Iterator[CodeRow]:
    content = path.read_bytes()
    found = ShardRows(
        [Shard(path.name, "http://it", "it", len(content))], fetch=lambda _, first, end: content[first:end]
    )
    return (row for group in range(found.row_groups(0)) for _, row in found.read(0, group))


def of_others(path: Path) -> Iterator[CodeRow]:
    columns = ("caption", "code", "NSFW", "original_width", "original_height")
    return (CodeRow.from_record(record, "it") for record in rows(path, columns))


READERS: dict[str, Callable[[Path], Iterator[CodeRow]]] = {
    "local": local,
    "remote": remote,
    "of others": of_others,
}


def assert_refused(path: Path, read: Callable[[Path], Iterator[CodeRow]]) -> None:
    pool = pa.default_memory_pool()
    before = pool.max_memory()
    with pytest.raises(DataError, match=f"a page of {ROWS} values claims lengths of {FALSE_COUNT}"):
        next(read(path))
    assert pool.max_memory() - before < FALSE_COUNT


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_page_with_a_false_count_of_lengths_is_refused_by_every_reader(
    tmp_path: Path, bomb: str, reader: str
) -> None:
    path = tmp_path / "bomb.parquet"
    encoding, start = BOMBS[bomb]
    options: dict[str, Any] = {"column_encoding": {"caption": encoding}, "use_dictionary": False}
    write(path, records(ROWS, missing=False), compression="none", **options)
    begin_values(path, "caption", start)
    assert path.stat().st_size < 1 << 17
    assert_refused(path, READERS[reader])


@pytest.mark.parametrize("nullable", [False, True])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", CODECS)
def test_it_is_refused_however_the_page_is_written(
    tmp_path: Path, codec: str, version: str, nullable: bool
) -> None:
    path = tmp_path / "bomb.parquet"
    write(
        path,
        records(ROWS, missing=False),
        nullable,
        compression=codec,
        data_page_version=version,
        use_dictionary=False,
        column_encoding={"caption": "DELTA_LENGTH_BYTE_ARRAY"},
    )
    begin_values(path, "caption", LENGTHS)
    assert_refused(path, local)


def test_it_is_refused_where_a_packed_page_is_said_not_to_be(tmp_path: Path) -> None:
    """pyarrow unpacks it all the same if a writer of old is named."""
    path = tmp_path / "bomb.parquet"
    write(
        path,
        records(ROWS, missing=False),
        compression="gzip",
        data_page_version="2.0",
        write_statistics=False,
        use_dictionary=False,
        column_encoding={"caption": "DELTA_LENGTH_BYTE_ARRAY"},
    )
    begin_values(path, "caption", LENGTHS)
    data = bytearray(path.read_bytes())
    with path.open("rb") as file:
        chunk = row_groups(file, "it")[0][0]
        page = next(iter(pages(file, chunk, "it")))
    data[data.rindex(b"\x11", chunk.first, page.first)] = 0x12
    path.write_bytes(data)
    with path.open("rb") as file:
        assert next(iter(pages(file, chunk, "it"))).as_is
    assert_refused(path, local)


def test_a_codec_that_cannot_be_checked_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shard.parquet"
    encoding = {"caption": "DELTA_LENGTH_BYTE_ARRAY"}
    write(path, records(9, missing=False), compression="zstd", use_dictionary=False, column_encoding=encoding)
    with path.open("rb") as file:
        chunk = row_groups(file, "it")[0][0]
        with pytest.raises(DataError, match="packed by codec 5, which nothing here can check"):
            must_fit(file, [replace(chunk, codec=5)], ["caption"], 64, "it")


ENCODINGS: dict[str, dict[str, Any]] = {
    "plain": {"use_dictionary": False},
    "dictionary": {"use_dictionary": True},
    "lengths": {
        "use_dictionary": False,
        "column_encoding": {
            "caption": "DELTA_LENGTH_BYTE_ARRAY",
            "code": "DELTA_LENGTH_BYTE_ARRAY",
            "original_width": "DELTA_BINARY_PACKED",
            "original_height": "DELTA_BINARY_PACKED",
        },
    },
    "prefixes": {
        "use_dictionary": False,
        "column_encoding": {
            "caption": "DELTA_BYTE_ARRAY",
            "code": "DELTA_BYTE_ARRAY",
            "original_width": "BYTE_STREAM_SPLIT",
        },
    },
}


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_sound_files_are_read_however_they_are_written(
    tmp_path: Path, encoding: str, codec: str, version: str, missing: bool
) -> None:
    path, found = tmp_path / "sound.parquet", records(ROWS, missing)
    options: dict[str, Any] = {"data_page_size": 1 << 12, "write_batch_size": 300, "row_group_size": 700}
    write(path, found, compression=codec, data_page_version=version, **ENCODINGS[encoding], **options)
    for read in READERS.values():
        assert list(read(path)) == found


@pytest.mark.parametrize("encoding", ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("count", [1, 2, 32, 33, 129])
def test_pages_of_few_values_or_none_are_read(
    tmp_path: Path, count: int, version: str, encoding: str
) -> None:
    path = tmp_path / "sound.parquet"
    for found in (records(count, missing=False), [CodeRow("", b"", "", 1, 1)] * count):
        write(
            path,
            found,
            data_page_version=version,
            use_dictionary=False,
            column_encoding={"caption": encoding},
        )
        assert list(iterate_rows(path)) == found


def test_of_a_remote_row_group_too_large_to_hold_only_the_first_bytes_of_pages_are_fetched_twice(
    tmp_path: Path,
) -> None:
    path = tmp_path / "large.parquet"
    draws = np.random.default_rng(0)
    found = [CodeRow(draws.bytes(1000).hex(), draws.bytes(1000), "", 1, 1) for _ in range(12_000)]
    encoding = {"caption": "DELTA_LENGTH_BYTE_ARRAY"}
    write(path, found, compression="zstd", use_dictionary=False, column_encoding=encoding)
    content, sent = path.read_bytes(), []

    def fetch(url: str, first: int, end: int) -> bytes:
        sent.append(end - first)
        return content[first:end]

    shard = ShardRows([Shard("it", "http://it", "it", len(content))], fetch=fetch)
    assert sum(1 for _ in shard.read(0, 0)) == len(found)
    with path.open("rb") as file:
        many = sum(1 for chunk in row_groups(file, "it")[0] for _ in pages(file, chunk, "it"))
    assert sum(sent) <= len(content) + many * ((1 << 17) + (1 << 13)) + (1 << 17)
