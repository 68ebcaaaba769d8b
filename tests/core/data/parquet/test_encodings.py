"""Sound files are read however they are written, except in the delta encodings of strings, which are refused."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.layout import COLUMNS
from core.data.listing import Shard
from core.data.shard_file import iterate_rows
from core.data.shards import CodeRow
from core.data.sources.img2dataset import rows
from core.data.streaming.rows import ShardRows
from core.errors import DataError

ROWS = 1000
CODECS = ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]


def records(count: int, missing: bool) -> list[CodeRow]:
    draws = np.random.default_rng(0)
    return [
        CodeRow("" if missing and number % 3 == 0 else draws.bytes(15).hex(), draws.bytes(8), "", 1, number)
        for number in range(count)
    ]


def write(path: Path, found: list[CodeRow], **options: Any) -> None:
    kinds = zip(COLUMNS, (pa.string(), pa.binary(), pa.string(), *[pa.int64()] * 2), strict=True)
    kept = [row.to_record() | {"caption": row.caption or None} for row in found]
    pq.write_table(pa.Table.from_pylist(kept, schema=pa.schema(kinds)), path, store_schema=False, **options)


def local(path: Path) -> Iterator[CodeRow]:
    return iterate_rows(path)


def remote(path: Path) -> Iterator[CodeRow]:
    content = path.read_bytes()
    found = ShardRows(
        [Shard(path.name, "http://it", "it", len(content))], fetch=lambda _, first, end: content[first:end]
    )
    return (row for group in range(found.row_groups(0)) for _, row in found.read(0, group))


def of_others(path: Path) -> Iterator[CodeRow]:
    return (CodeRow.from_record(record, "it") for record in rows(path, COLUMNS))


READERS: dict[str, Callable[[Path], Iterator[CodeRow]]] = {
    "local": local,
    "remote": remote,
    "of others": of_others,
}


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
@pytest.mark.parametrize("column", ["caption", "code"])
def test_a_delta_encoding_of_strings_is_refused_by_every_reader_before_a_row_is_read(
    tmp_path: Path, column: str, encoding: str, version: str
) -> None:
    path = tmp_path / "delta.parquet"
    write(
        path,
        records(ROWS, missing=False),
        data_page_version=version,
        use_dictionary=False,
        column_encoding={column: encoding},
    )
    for name, read in READERS.items():
        with pytest.raises(DataError) as caught:
            next(read(path))
        fault = rf"Row group 0 of .*delta\.parquet has the encoding {encoding} in its column {column}"
        assert re.search(fault, str(caught.value)), name
        assert "plain or dictionary encoding" in caught.value.remedy, name


ENCODINGS: dict[str, dict[str, Any]] = {
    "plain": {"use_dictionary": False},
    "dictionary": {"use_dictionary": True},
    "numbers": {
        "use_dictionary": False,
        "column_encoding": {
            "original_width": "BYTE_STREAM_SPLIT",
            "original_height": "DELTA_BINARY_PACKED",
        },
    },
}


# Pages are unpacked before their encoding matters: plain ones have every codec, and the others two.
@pytest.mark.parametrize(
    ("encoding", "codec"),
    [
        pytest.param(
            encoding,
            codec,
            marks=() if encoding == "plain" or codec in ("none", "zstd") else pytest.mark.exhaustive,
        )
        for encoding, codec in product(ENCODINGS, CODECS)
    ],
)
def test_sound_files_are_read_however_they_are_written(tmp_path: Path, encoding: str, codec: str) -> None:
    options: dict[str, Any] = {"data_page_size": 1 << 12, "write_batch_size": 300, "row_group_size": 700}
    for version, missing in product(("1.0", "2.0"), (False, True)):
        path, found = tmp_path / f"sound-{version}-{missing}.parquet", records(ROWS, missing)
        write(path, found, compression=codec, data_page_version=version, **ENCODINGS[encoding], **options)
        unlike = [name for name, read in READERS.items() if list(read(path)) != found]
        assert unlike == [], path.name
