"""Code shards: captions and image codes in Parquet, in the layout of the data set that the paper published.

The columns are those of laion/laion_100m_vqgan_f8: ``caption`` (string), ``code`` (bytes: the image's codes,
row by row, as little-endian int16), ``NSFW`` (string), ``original_width`` and ``original_height``; others are
ignored. A shard appears under its name whole or not at all, and the same rows give the same bytes.
"""

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.layout import COLUMNS, FETCH_AGAIN, MAX_VOCAB, Compression
from core.errors import DataError
from core.storage import moving

_SCHEMA = pa.schema(
    zip(COLUMNS, (pa.string(), pa.binary(), pa.string(), pa.int64(), pa.int64()), strict=True)
)


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One image-text pair; values that a data set leaves empty are ``""`` or 0, and the filters drop such rows."""

    caption: str
    code: bytes
    nsfw: str
    original_width: int
    """Width of the original image in pixels; 0 if unknown."""
    original_height: int
    """Height of the original image in pixels; 0 if unknown."""

    @classmethod
    def from_record(cls, record: Mapping[str, Any], where: str) -> "CodeRow":
        """Return the row of a record as Parquet readers give it; ``where`` names the row in errors.

        Raises:
            DataError: a column is missing or has a value of another type.
        """
        missing = [name for name in COLUMNS if name not in record]
        if missing:
            raise DataError(f"{where} has no column {', '.join(missing)}.", FETCH_AGAIN)
        caption, code, nsfw, width, height = (record[name] for name in COLUMNS)
        if not isinstance(code, bytes):
            raise DataError(f"The code of {where} is not bytes but {type(code).__name__}.", FETCH_AGAIN)
        return cls(
            _text(caption, "caption", where),
            code,
            _text(nsfw, "NSFW", where),
            _pixels(width, "original_width", where),
            _pixels(height, "original_height", where),
        )

    def to_record(self) -> dict[str, str | bytes | int]:
        """Return the values of the row by the names of their columns."""
        values = (self.caption, self.code, self.nsfw, self.original_width, self.original_height)
        return dict(zip(COLUMNS, values, strict=True))


def encode_codes(codes: NDArray[np.integer[Any]]) -> bytes:
    """Return the stored form of one image's ``codes``, an array of any shape, in row-major order.

    Raises:
        ValueError: a code is outside [0, 32768).
    """
    if ((codes < 0) | (codes >= MAX_VOCAB)).any():
        raise ValueError(f"codes must lie in [0, {MAX_VOCAB})")
    return codes.astype("<i2").tobytes()


def decode_codes(code: bytes, grid: int, vocab: int, where: str = "a row") -> NDArray[np.int64]:
    """Return the codes of one image, int64 of shape (grid * grid,), each in [0, vocab).

    Args:
        code: The stored form of the codes.
        grid: Codes along one side of the image.
        vocab: Entries of the codebook.
        where: Name of the row in errors.

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


def write_shard(
    path: Path,
    rows: Iterable[CodeRow],
    compression: Compression = Compression.STANDARD,
    *,
    row_group_rows: int | None = None,
) -> None:
    """Write rows to a shard, one row group in memory at a time, and replace an older file of that name.

    Args:
        path: File to write.
        rows: Rows in the order in which they are stored.
        compression: Level of compression, and rows of a row group.
        row_group_rows: Rows of a row group, instead of those of the compression.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            with pq.ParquetWriter(
                file,
                _SCHEMA,
                compression="brotli",
                compression_level=compression.brotli_level,
                use_dictionary=["NSFW", "original_width", "original_height"],
                write_statistics=False,
                write_page_checksum=True,
                store_schema=False,
            ) as writer:
                for table in _tables(iter(rows), row_group_rows or compression.row_group_rows):
                    writer.write_table(table)
            file.flush()
            os.fsync(file.fileno())
        moving.replace(partial, path)
    finally:
        moving.remove(partial)


def _tables(rows: Iterator[CodeRow], row_group_rows: int) -> Iterator[pa.Table]:
    while group := list(islice(rows, row_group_rows)):
        yield pa.Table.from_pylist([row.to_record() for row in group], schema=_SCHEMA)


def _text(value: object, column: str, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"The {column} of {where} is not text but {type(value).__name__}.", FETCH_AGAIN)
    return value


def _pixels(value: object, column: str, where: str) -> int:
    # Readers that go through pandas turn a column of integers with gaps into floats with NaN.
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return 0
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise DataError(f"The {column} of {where} is {value!r}, not a number of pixels.", FETCH_AGAIN)
