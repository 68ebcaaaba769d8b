"""Documents are read of every format; an odd row is left out, and nothing that a file names is opened."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.text.documents import DocumentFile, TextFormat
from core.errors import DataError


def documents(content: bytes, kind: TextFormat, column: str = "text") -> list[list[str]]:
    """The documents of each row group."""
    file = DocumentFile(io.BytesIO(content), "a file", kind, column)
    found = []
    for group in range(file.row_groups):
        texts = [""]
        for piece in file.read(group):
            texts = [*texts, ""] if piece is None else [*texts[:-1], texts[-1] + piece]
        found.append(texts[:-1])
    return found


def parquet(values: Any, **options: Any) -> bytes:
    written = io.BytesIO()
    table = (
        values if isinstance(values, pa.Table) else pa.table({"text": values, "other": range(len(values))})
    )
    pq.write_table(table, written, **options)
    return written.getvalue()


def test_a_file_of_plain_text_is_one_document() -> None:
    assert documents("naïve 😀\n\nmore".encode(), "text") == [["naïve 😀\n\nmore"]]


def test_odd_lines_of_json_are_left_out() -> None:
    lines = [
        '{"text": "first", "more": [1, {"text": 2}]}',
        "",
        "not json",
        '{"text": null}',
        '{"text": 5}',
        '{"other": "text"}',
        '["text"]',
        "[" * 100_000,
        '{"text": "lone \\ud800 surrogate"}',
        '{"text": "' + "long" * (1 << 20) + '"}',
        "\xff\xfe",
        '{"text": ""}',
        '{"text": "' + "1" * 5000 + '", "number": ' + "1" * 5000 + "}",
        '{"text": "last"}',
    ]
    content = "\n".join(lines).encode("latin-1")
    assert documents(content, "json") == [["first", "lone ? surrogate", "last"]]


@pytest.mark.parametrize(
    "content", [b'\n[\n{"text": "a"},\n{"text": "b"}\n]', b'{"other": "a"}\n', b"no json"]
)
def test_json_that_has_no_documents_by_lines_is_an_error(content: bytes) -> None:
    with pytest.raises(DataError, match="has no text in a column text"):
        documents(content, "json")


def test_a_long_document_comes_in_pieces_that_are_the_same_in_every_format() -> None:
    text = "0123456 " * 20_000
    line = json.dumps({"text": text}).encode()
    found = []
    for content, kind in ((text.encode(), "text"), (line, "json"), (parquet([text]), "parquet")):
        file = DocumentFile(io.BytesIO(content), "a file", kind, "text")  # type: ignore[arg-type]
        found.append(list(file.read(0)))
    assert found[0] == found[1] == found[2]
    assert [len(piece) if piece is not None else 0 for piece in found[0]] == [65536, 65536, 28928, 0]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())]
)
def test_columns_of_every_kind_of_text_are_read_by_row_groups(kind: pa.DataType) -> None:
    values = pa.array(["one", None, "", "two", "three"]).cast(kind)
    assert documents(parquet(values, row_group_size=3), "parquet") == [["one"], ["two", "three"]]


def test_a_value_that_is_no_utf_8_does_not_take_others_with_it() -> None:
    odd = pa.array([b"good", b"b\xffd", b"fine"])
    claimed = pa.StringArray.from_buffers(3, *odd.buffers()[1:])
    assert documents(parquet(claimed), "parquet") == [["good", "b\ufffdd", "fine"]]


@pytest.mark.parametrize(
    "values",
    [[1, 2], [["a"], ["b"]], [{"a": "b"}], [{"a": "b", "c": "d"}]],
    ids=["numbers", "lists", "struct", "struct of two"],
)
def test_a_column_of_something_else_is_an_error(values: list[Any]) -> None:
    with pytest.raises(DataError, match="has no text in a column text"):
        documents(parquet(values), "parquet")
    with pytest.raises(DataError, match="has no text in a column missing"):
        documents(parquet(["a"]), "parquet", "missing")


def test_what_a_file_says_of_its_columns_makes_nothing_else_be_opened() -> None:
    """Readers of images would open the path that is in a value."""
    features = {"info": {"features": {"text": {"_type": "Image"}}}}
    table = pa.table({"text": ["/no/such/picture", "hf://datasets/a/b/picture"]})
    content = parquet(table.replace_schema_metadata({"huggingface": json.dumps(features)}))
    assert documents(content, "parquet") == [["/no/such/picture", "hf://datasets/a/b/picture"]]


def test_a_row_group_that_unpacks_to_too_much_is_refused() -> None:
    content = parquet(["x" * (1 << 25)] * 9, use_dictionary=False, compression="zstd")
    assert len(content) < 1 << 20
    with pytest.raises(DataError, match="more than can be read safely"):
        documents(content, "parquet")


@pytest.mark.parametrize("cut", [0, 3, 50, 200])
def test_a_damaged_file_is_a_data_error(cut: int) -> None:
    content = parquet(["words"] * 50)
    with pytest.raises(DataError, match="a file"):
        documents(content[: len(content) - cut - 1], "parquet")
