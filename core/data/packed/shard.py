"""Writes shards in the packed layout (`records`)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.data.packed.block import images_per_block, pack
from core.data.packed.records import CODES, PACKED_COLUMNS
from core.data.shards import CodeRow, decode_codes, write_tables

_BROTLI_LEVEL = 11
_SCHEMA = pa.schema(
    zip(PACKED_COLUMNS, (pa.string(), pa.binary(), pa.string(), pa.int64(), pa.int64()), strict=True)
)


def write_packed_shard(path: Path, rows: Iterable[CodeRow], grid: int, vocab: int) -> None:
    """Writes the rows to a shard, one row group in memory at a time, in place of any older one.

    The same rows give the same bytes on the same machine.

    Raises:
        DataError: the codes of a row are not ``grid`` x ``grid``, or not in [0, ``vocab``).
    """
    write_tables(
        path,
        _SCHEMA,
        _tables(iter(rows), grid, vocab),
        compression={name: "NONE" if name == CODES else "BROTLI" for name in PACKED_COLUMNS},
        compression_level={name: _BROTLI_LEVEL for name in PACKED_COLUMNS if name != CODES},
        column_encoding={"caption": "DELTA_LENGTH_BYTE_ARRAY"},
    )


def _tables(rows: Iterator[CodeRow], grid: int, vocab: int) -> Iterator[pa.Table]:
    while group := list(islice(rows, images_per_block(grid))):
        yield pa.Table.from_pydict(_columns(group, grid, vocab), schema=_SCHEMA)


def _columns(rows: Sequence[CodeRow], grid: int, vocab: int) -> dict[str, list[object]]:
    codes = np.stack([decode_codes(row.code, grid, vocab, f"{row.caption[:60]!r}") for row in rows])
    other = [row.to_record() for row in rows]
    blocks: list[object] = [pack(codes, grid, vocab), *[None] * (len(rows) - 1)]
    return {name: blocks if name == CODES else [row[name] for row in other] for name in PACKED_COLUMNS}
