"""Shards in the packed layout hold the same rows as published ones, in fewer bytes, for every reader there is."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.index import ShardIndex
from core.data.listing import Shard
from core.data.packed.block import pack
from core.data.packed.convert import convert, index_of
from core.data.packed.layout import ShardLayout
from core.data.packed.records import PACKED_COLUMNS
from core.data.packed.shard import write_packed_shard
from core.data.shards import (
    CodeRow,
    count_rows,
    encode_codes,
    iterate_codes,
    iterate_rows,
    shard_digest,
    write_shard,
)
from core.data.streaming.rows import ShardRows
from core.errors import DataError
from tests.core.data.packed.test_block import patches

EMBEDDED = Path(__file__).parents[4] / "assets" / "embedded" / "data"
GRID, VOCAB = 4, 64
CAPTIONS = ("", "a cat", "two\nlines", "日本語 🐈", "nul \0 and tab \t", "x" * 3000)


def make_rows(count: int) -> list[CodeRow]:
    return [
        CodeRow(f"{CAPTIONS[number % 6]}{number}", encode_codes(codes), "UNLIKELY", 640 + number, number)
        for number, codes in enumerate(patches(count, GRID, VOCAB))
    ]


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "data-00000.parquet"
    write_packed_shard(path, make_rows(600), GRID, VOCAB)
    return path


def test_rows_come_back_in_order(shard: Path) -> None:
    assert count_rows(shard) == 600
    assert list(iterate_rows(shard)) == make_rows(600)
    assert [codes.tolist() for _, codes in iterate_codes(shard, GRID, VOCAB)] == patches(
        600, GRID, VOCAB
    ).tolist()


def test_rows_come_back_over_several_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    rows = [CodeRow(str(number), encode_codes(np.array([number % 2])), "", 0, 0) for number in range(5000)]
    write_packed_shard(path, rows, 1, 2)
    assert pq.ParquetFile(path).num_row_groups == 2
    assert list(iterate_rows(path)) == rows


@pytest.mark.parametrize("first", [0, 1, 255, 256, 599, 600])
def test_a_stream_reads_them_from_any_row_on(shard: Path, first: int) -> None:
    rows = ShardRows([Shard("data", str(shard), "one")])
    assert rows.row_groups(0) == 1
    assert [row for _, row in rows.read(0, 0, first)] == make_rows(600)[first:]


def test_the_same_rows_give_the_same_bytes(shard: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.parquet"
    write_packed_shard(again, make_rows(600), GRID, VOCAB)
    assert shard_digest(again) == shard_digest(shard)


def test_all_but_the_codes_is_read_by_any_reader_of_parquet(shard: Path) -> None:
    table = pq.read_table(shard, columns=["caption", "original_width"])
    assert table.column("caption").to_pylist() == [row.caption for row in make_rows(600)]


@pytest.mark.parametrize("code", [encode_codes(np.array([VOCAB] * 16)), b"\0" * 30])
def test_codes_of_another_codec_are_not_written(tmp_path: Path, code: bytes) -> None:
    path = tmp_path / "other.parquet"
    with pytest.raises(DataError, match="The code of 'odd'"):
        write_packed_shard(path, [*make_rows(3), CodeRow("odd", code, "", 0, 0)], GRID, VOCAB)
    assert list(tmp_path.iterdir()) == []


def table(**changes: Any) -> pa.Table:
    """Three rows in the packed layout."""
    rows = make_rows(3)
    columns = {
        "caption": [row.caption for row in rows],
        "codes": [pack(patches(3, GRID, VOCAB), GRID, VOCAB), None, None],
        "NSFW": ["UNLIKELY", None, ""],
        "original_width": [1, 2, 3],
        "original_height": [1, 2, None],
    }
    return pa.table(columns | changes)


BAD_BLOCKS = {
    "has no codes": [None, None, None],
    "as many images as there are rows": [pack(patches(2, GRID, VOCAB), GRID, VOCAB), None, None],
    "not of as many": [pack(patches(4, GRID, VOCAB), GRID, VOCAB), None, None],
    "cannot be unpacked: it is cut short": [b"IBC", None, None],
    "checksum": [pack(patches(3, GRID, VOCAB), GRID, VOCAB) + b"\0", None, None],
    "first row of .* has no codes": ["text", None, None],
}


@pytest.mark.parametrize("reason", BAD_BLOCKS)
def test_a_bad_block_is_refused_with_file_and_row_group(tmp_path: Path, reason: str) -> None:
    path = tmp_path / "bad.parquet"
    pq.write_table(table(codes=BAD_BLOCKS[reason]), path)
    with pytest.raises(DataError, match=reason) as caught:
        list(iterate_rows(path))
    assert f"ow group 0 of {path}" in caught.value.what
    with pytest.raises(DataError, match=reason):
        list(ShardRows([Shard("bad", str(path), "one")]).read(0, 0))


def test_a_value_of_another_type_is_refused_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "wrong.parquet"
    pq.write_table(table(original_width=[1, 2, 0.5]), path)
    with pytest.raises(DataError, match=r"original_width of row 2 of .*wrong\.parquet"):
        list(iterate_rows(path))


@pytest.mark.parametrize("column", PACKED_COLUMNS)
def test_a_file_without_one_of_the_columns_is_of_no_layout(tmp_path: Path, column: str) -> None:
    path = tmp_path / "partial.parquet"
    pq.write_table(table().drop_columns([column]), path)
    with pytest.raises(DataError, match=r"partial\.parquet has no column .*code"):
        count_rows(path)


def test_the_embedded_set_comes_back_from_the_packed_layout_byte_for_byte(tmp_path: Path) -> None:
    index = ShardIndex.load(EMBEDDED)
    told: list[int] = []
    packed = convert(EMBEDDED, index, tmp_path / "packed", ShardLayout.PACKED, progress=told.append)
    assert told == [3463, 3489, 3986]
    assert packed.total_rows == index.total_rows
    sizes = [
        sum(path.stat().st_size for path in folder.glob("*.parquet"))
        for folder in (EMBEDDED, tmp_path / "packed")
    ]
    assert sizes[1] < 0.63 * sizes[0]
    again = convert(tmp_path / "packed", packed, tmp_path / "again", ShardLayout.PUBLISHED, shard_rows=1024)
    assert again == index
    for name in ("index.json", "left_out.jsonl", "heldout-00000.parquet"):
        assert (tmp_path / "again" / name).read_bytes() == (EMBEDDED / name).read_bytes()


def test_shards_without_an_index_are_converted_as_one_split(tmp_path: Path) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    for number in range(2):
        write_shard(folder / f"{number}.parquet", make_rows(40))
    out = tmp_path / "packed"
    convert(folder, index_of(folder, GRID, VOCAB), out, ShardLayout.PACKED)
    assert ShardIndex.load(out).rows("train") == 80
    assert list(iterate_rows(out / "train-00000.parquet")) == 2 * make_rows(40)


def test_a_published_shard_without_rows_is_passed_over(tmp_path: Path) -> None:
    write_shard(tmp_path / "0.parquet", [])
    with pytest.raises(DataError, match="There is no row in"):
        index_of(tmp_path, GRID, VOCAB)
    write_shard(tmp_path / "1.parquet", make_rows(3))
    assert [entry.file for entry in index_of(tmp_path, GRID, VOCAB).splits["train"]] == ["1.parquet"]


def test_a_name_that_no_index_can_hold_is_told(tmp_path: Path) -> None:
    write_shard(tmp_path / "part 1.parquet", make_rows(3))
    with pytest.raises(DataError, match=r"'part 1\.parquet'") as refusal:
        index_of(tmp_path, GRID, VOCAB)
    assert "Rename" in refusal.value.remedy


@pytest.mark.parametrize(
    ("change", "words"), [({"grid": 65}, "64 x 64 codes at most"), ({"splits": {}}, "lists no row")]
)
def test_what_cannot_be_packed_is_refused_before_anything_is_written(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    index = ShardIndex.load(EMBEDDED).model_copy(update=change)
    with pytest.raises(DataError, match=words):
        convert(EMBEDDED, index, tmp_path / "packed", ShardLayout.PACKED)
    assert list(tmp_path.iterdir()) == []


def test_a_conversion_that_fails_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(EMBEDDED, folder)
    (folder / "heldout-00000.parquet").write_bytes(b"other")
    out = tmp_path / "packed"
    with pytest.raises(DataError, match=r"heldout-00000\.parquet is not the shard that the index lists"):
        convert(folder, ShardIndex.load(folder), out, ShardLayout.PUBLISHED)
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is there already"):
        convert(EMBEDDED, ShardIndex.load(EMBEDDED), tmp_path, ShardLayout.PACKED)
