"""Code shards: captions and image codes in Parquet, in the layout of the data set that the paper published.

The columns are those of laion/laion_100m_vqgan_f8: ``caption`` (string), ``code`` (bytes: the image's codes,
row by row, as little-endian int16), ``NSFW`` (string), ``original_width`` and ``original_height``; others are
ignored. Shards of another layout (`layouts`) are read as if they had this one. A shard appears under its name whole
or not at all, and the same rows give the same bytes.
"""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.layouts import PUBLISHED, Layout, layout_of
from core.data.parquet.footer import CAREFULLY, Chunk, row_groups
from core.data.parquet.pages import must_fit
from core.errors import DataError
from core.files import sha256_of

COLUMNS = PUBLISHED.columns
ROW_GROUP_ROWS = 256
MAX_VOCAB = 1 << 15
"""Codes are stored as signed 16-bit numbers."""

_SCHEMA = pa.schema(
    zip(COLUMNS, (pa.string(), pa.binary(), pa.string(), pa.int64(), pa.int64()), strict=True)
)
_FETCH_AGAIN = "Fetch or build the shard again."


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One image-text pair; what a data set leaves empty reads as ``""`` or 0, and the filters drop it."""

    caption: str
    code: bytes
    nsfw: str
    original_width: int
    original_height: int

    @classmethod
    def from_record(cls, record: Mapping[str, Any], where: str) -> "CodeRow":
        """The row of a record as Parquet readers give it; ``where`` names the row in errors.

        Raises:
            DataError: a column is missing or holds something of another type.
        """
        missing = [name for name in COLUMNS if name not in record]
        if missing:
            raise DataError(f"{where} has no column {', '.join(missing)}.", _FETCH_AGAIN)
        caption, code, nsfw, width, height = (record[name] for name in COLUMNS)
        if not isinstance(code, bytes):
            raise DataError(f"The code of {where} is not bytes but {type(code).__name__}.", _FETCH_AGAIN)
        return cls(
            _text(caption, "caption", where),
            code,
            _text(nsfw, "NSFW", where),
            _pixels(width, "original_width", where),
            _pixels(height, "original_height", where),
        )

    def to_record(self) -> dict[str, str | bytes | int]:
        """The row under the names of the columns."""
        values = (self.caption, self.code, self.nsfw, self.original_width, self.original_height)
        return dict(zip(COLUMNS, values, strict=True))


def encode_codes(codes: NDArray[np.integer[Any]]) -> bytes:
    """The stored form of one image's codes, which lie in [0, 32768)."""
    if ((codes < 0) | (codes >= MAX_VOCAB)).any():
        raise ValueError(f"codes must lie in [0, {MAX_VOCAB})")
    return codes.astype("<i2").tobytes()


def decode_codes(code: bytes, grid: int, vocab: int, where: str = "a row") -> NDArray[np.int64]:
    """The codes of one image, int64 of shape (grid * grid,), each in [0, vocab).

    ``where`` names the row in errors.

    Raises:
        DataError: there are more or fewer codes than that, or one is out of range.
    """
    expected = 2 * grid * grid
    if len(code) != expected:
        raise DataError(
            f"The code of {where} has {len(code)} bytes; {grid} x {grid} codes take {expected}.",
            "Use shards made with this run's codec, or build them again.",
        )
    codes = np.frombuffer(code, "<i2").astype(np.int64)
    bad = codes[(codes < 0) | (codes >= vocab)]
    if bad.size:
        raise DataError(
            f"The code of {where} holds {bad[0]}, but this run's codebook has the codes 0 to {vocab - 1}.",
            "Use shards made with this run's codec, or build them again.",
        )
    return codes


def write_shard(path: Path, rows: Iterable[CodeRow], row_group_rows: int = ROW_GROUP_ROWS) -> None:
    """Writes the rows to a shard, one row group in memory at a time, in place of any older one."""
    write_tables(path, _SCHEMA, _tables(iter(rows), row_group_rows), compression="brotli")


def write_tables(path: Path, schema: pa.Schema, tables: Iterable[pa.Table], **compression: Any) -> None:
    """Writes a file of a row group for each table, one in memory at a time, in place of any older one.

    ``compression`` is what `pyarrow.parquet.ParquetWriter` is told of it. What captions are not goes by dictionary.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            with pq.ParquetWriter(
                file,
                schema,
                use_dictionary=["NSFW", "original_width", "original_height"],
                write_statistics=False,
                write_page_checksum=True,
                store_schema=False,
                **compression,
            ) as writer:
                for table in tables:
                    writer.write_table(table)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def count_rows(path: Path) -> int:
    """The number of rows that the shard's footer states.

    Raises:
        DataError: the file is missing, is not Parquet, is cut short, or lacks a column.
    """
    with _open(path).file as file:
        return int(file.metadata.num_rows)


def iterate_rows(path: Path) -> Iterator[CodeRow]:
    """The rows in stored order, holding a few hundred of them in memory at a time.

    Raises:
        DataError: as ``count_rows``, and where a part cannot be unpacked or a value has the wrong type.
    """
    opened = _open(path)
    with opened.file as file:
        index = 0
        for record in _records(opened, path):
            yield CodeRow.from_record(record, f"row {index} of {path}")
            index += 1
        if index != file.metadata.num_rows:
            raise DataError(f"{path} states {file.metadata.num_rows} rows but has {index}.", _FETCH_AGAIN)


def iterate_codes(path: Path, grid: int, vocab: int) -> Iterator[tuple[CodeRow, NDArray[np.int64]]]:
    """The rows with their codes, int64 of shape (grid * grid,), every one validated.

    Raises:
        DataError: as ``iterate_rows`` and ``decode_codes``; it names file and row.
    """
    for index, row in enumerate(iterate_rows(path)):
        yield row, decode_codes(row.code, grid, vocab, f"row {index} of {path}")


def shard_digest(path: Path) -> str:
    """The SHA-256 of the file, in hexadecimal."""
    try:
        return sha256_of(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.", _FETCH_AGAIN) from error


def _tables(rows: Iterator[CodeRow], row_group_rows: int) -> Iterator[pa.Table]:
    while group := list(islice(rows, row_group_rows)):
        yield pa.Table.from_pylist([row.to_record() for row in group], schema=_SCHEMA)


@dataclass(frozen=True)
class _Opened:
    file: pq.ParquetFile
    layout: Layout
    row_groups: Sequence[Sequence[Chunk]]


def _open(path: Path) -> _Opened:
    try:
        with path.open("rb") as raw:
            groups = row_groups(raw, str(path))  # first, as pyarrow takes memory for all that a footer lists
        file = pq.ParquetFile(path, **CAREFULLY)
        names = file.schema_arrow.names
    except FileNotFoundError as error:
        raise DataError(f"There is no shard {path}.", _FETCH_AGAIN) from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is not a Parquet file, or is cut short: {error}.", _FETCH_AGAIN) from error
    layout = layout_of(names)
    if layout is None:
        missing = [name for name in COLUMNS if name not in names]
        raise DataError(
            f"{path} has no column {', '.join(missing)}.",
            f"A code shard has the columns {', '.join(COLUMNS)}; build it with `idlebrush dataset build`.",
        )
    return _Opened(file, layout, groups)


def _records(opened: _Opened, path: Path) -> Iterator[Mapping[str, Any]]:
    layout = opened.layout
    with path.open("rb") as raw:
        for group, chunks in enumerate(opened.row_groups):
            where = f"Row group {group} of {path}"
            must_fit(raw, chunks, layout.columns, layout.batch, where)
            yield from layout.unpack(_stored(opened, group, where), where)


def _stored(opened: _Opened, group: int, where: str) -> Iterator[dict[str, Any]]:
    layout = opened.layout
    try:
        for batch in opened.file.iter_batches(layout.batch, row_groups=[group], columns=list(layout.columns)):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(f"{where} is damaged: {error}.", _FETCH_AGAIN) from error


def _text(value: object, column: str, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"The {column} of {where} is not text but {type(value).__name__}.", _FETCH_AGAIN)
    return value


def _pixels(value: object, column: str, where: str) -> int:
    # Readers that go through pandas turn a column of integers with gaps into floats with NaN.
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return 0
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise DataError(f"The {column} of {where} is {value!r}, not a number of pixels.", _FETCH_AGAIN)
