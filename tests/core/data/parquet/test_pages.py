"""The size that a hostile shard would unpack to is known and refused before memory is allocated for it."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.layout import BATCH_ROWS
from core.data.parquet.footer import Chunk, row_groups
from core.data.parquet.pages import MAX_REPEATED_BYTES, MAX_ROW_GROUP_BYTES, must_fit, pages
from core.data.shard_file import iterate_rows
from core.data.shards import CodeRow, write_shard
from core.errors import DataError
from tests.core.data.parquet.forging import same_length, varint


def write_bomb(path: Path, captions: pa.Array, *, dictionary: bool) -> None:
    rest = CodeRow("", b"", "UNLIKELY", 1, 1).to_record() | {"caption": None}
    table = pa.Table.from_pylist([rest] * len(captions)).drop_columns("caption")
    pq.write_table(
        table.append_column("caption", captions),
        path,
        compression="zstd",
        use_dictionary=dictionary,
        write_statistics=False,
        store_schema=False,
    )


def belittle(path: Path) -> None:
    """Let the footer claim that everything is small."""
    group, data = pq.read_metadata(path).row_group(0), bytearray(path.read_bytes())
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for size in (group.total_byte_size, group.column(4).total_uncompressed_size):
        claimed = varint(size)
        data[footer:] = data[footer:].replace(claimed, same_length(9, len(claimed)))
    path.write_bytes(data)


@pytest.mark.parametrize("lies", [False, True])
def test_a_row_group_that_unpacks_to_too_much_is_refused_unread(tmp_path: Path, lies: bool) -> None:
    path = tmp_path / "bomb.parquet"
    write_bomb(path, pa.array(["x" * (1 + MAX_ROW_GROUP_BYTES)]), dictionary=False)
    if lies:
        belittle(path)
        assert pq.read_metadata(path).row_group(0).total_byte_size == 9
    assert path.stat().st_size < 1 << 20
    before = pa.total_allocated_bytes()
    with pytest.raises(DataError, match=r"Row group 0 of .*bomb\.parquet unpacks to \d+ bytes"):
        next(iterate_rows(path))
    assert pa.total_allocated_bytes() - before < 1 << 20


def test_a_row_group_that_names_its_columns_otherwise_than_the_schema_is_read_by_the_schema(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bomb.parquet"
    write_bomb(path, pa.array(["x" * (1 + MAX_ROW_GROUP_BYTES)]), dictionary=False)
    data = bytearray(path.read_bytes())
    at = data.rfind(b"caption")
    data[at : at + 7] = b"another"
    path.write_bytes(data)
    assert pq.read_schema(path).names[-1] == "caption"
    with pytest.raises(DataError, match=r"Row group 0 of .*bomb\.parquet unpacks to \d+ bytes"):
        next(iterate_rows(path))


def test_a_column_of_lists_is_refused_as_a_row_might_have_any_number_of_values(tmp_path: Path) -> None:
    path = tmp_path / "lists.parquet"
    write_bomb(path, pa.array([["one", "two"]]), dictionary=False)
    with pytest.raises(DataError, match=r"Row group 0 of .*lists\.parquet has lists in its column caption"):
        next(iterate_rows(path))


def test_missing_values_that_take_no_bytes_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    write_bomb(path, pa.nulls(3, pa.string()), dictionary=False)
    data = bytearray(path.read_bytes())
    with path.open("rb") as file:
        chunk = row_groups(file, "it")[0][-1]
        (page,) = pages(file, chunk, "it")
    many = MAX_ROW_GROUP_BYTES // 8 + 1
    header = bytes(data[chunk.first : page.first])
    forged = header.replace(varint(3) + b"\x15\x00", varint(many) + b"\x15\x00")
    assert len(forged) > len(header)
    column = io.BytesIO(forged + bytes(data[page.first : page.first + page.packed]))
    alone = Chunk("caption", 0, len(column.getvalue()))
    with pytest.raises(DataError, match="more than can be read safely"):
        must_fit(column, [alone], ["caption"], 64, "it")


def test_a_dictionary_has_no_more_values_than_bytes() -> None:
    header = b"\x15\x04" + b"\x15" + varint(10) + b"\x15" + varint(10)
    details = b"\x4c" + b"\x15" + varint(11) + b"\x15\x00" + b"\x00" + b"\x00"
    content = header + details + bytes(10)
    with pytest.raises(DataError, match="a dictionary of 10 bytes claims 11 values"):
        next(pages(io.BytesIO(content), Chunk("caption", 0, len(content)), "it"))


def test_a_page_is_what_the_header_of_its_own_kind_says() -> None:
    """A header may describe the page a second time, as one of another kind."""
    plain = b"".join(b"\x15" + varint(number) for number in (1, 0, 3, 3)) + b"\x00"
    second = b"".join(b"\x15" + varint(number) for number in (1, 0, 1, 7, 0, 0)) + b"\x00"
    sizes = b"\x15" + varint(10) + b"\x15" + varint(10)
    for kind, encoding in ((0, 0), (3, 7)):
        content = b"\x15" + varint(kind) + sizes + b"\x2c" + plain + b"\x3c" + second + b"\x00" + bytes(10)
        (page,) = pages(io.BytesIO(content), Chunk("caption", 0, len(content)), "it")
        assert page.encoding == encoding


def test_a_value_that_many_rows_point_to_is_counted_for_each(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    once = pa.array(["x" * (1 + MAX_REPEATED_BYTES // BATCH_ROWS)])
    write_bomb(path, pa.DictionaryArray.from_arrays(pa.array([0] * 256), once), dictionary=True)
    assert pq.read_metadata(path).row_group(0).total_byte_size < MAX_ROW_GROUP_BYTES
    with pytest.raises(DataError, match="more than can be read safely"):
        next(iterate_rows(path))


@pytest.mark.parametrize("statistics", [False, True])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_all_pages_are_seen_however_they_are_written(
    tmp_path: Path, statistics: bool, version: str, dictionary: bool
) -> None:
    path = tmp_path / "shard.parquet"
    table = pa.table({"caption": [f"{number} " + "x" * 3000 for number in range(200)]})
    pq.write_table(
        table,
        path,
        data_page_version=version,
        data_page_size=1 << 14,
        write_batch_size=10,
        use_dictionary=dictionary,
        dictionary_pagesize_limit=1 << 16,
        write_statistics=statistics,
    )
    metadata = pq.read_metadata(path).row_group(0).column(0)
    with path.open("rb") as file:
        (chunk,) = row_groups(file, "it")[0]
        found = list(pages(file, chunk, "it"))
    assert chunk == Chunk(
        "caption",
        metadata.dictionary_page_offset or metadata.data_page_offset,
        metadata.total_compressed_size,
    )
    headers = metadata.total_uncompressed_size - sum(page.unpacked for page in found)
    assert len(found) > 10
    assert 10 * len(found) < headers < 100 * len(found) + statistics * 7000 * len(found)
    assert [page.dictionary for page in found].count(True) == dictionary


@pytest.mark.parametrize("damage", [b"\x00", b"\xff" * 64, b"\x15\x00\x15\x01\x15\x00\x00", b"\x19\xfc" * 9])
def test_what_is_no_header_is_damage(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "shard.parquet"
    write_shard(path, [CodeRow(f"picture {number}", b"", "UNLIKELY", 1, 1) for number in range(50)])
    data = bytearray(path.read_bytes())
    data[4 : 4 + len(damage)] = damage
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"Row group 0 of .*shard\.parquet is damaged"):
        next(iterate_rows(path))
