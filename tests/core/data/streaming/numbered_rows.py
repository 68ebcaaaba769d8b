"""Shards of numbered rows, and streams of them whose samples are checked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.data.listing import Shard
from core.data.shards import CodeRow, encode_codes, write_shard
from core.data.streaming.rows import ShardRows
from core.data.streaming.stream import CodeStream
from core.data.streaming.walk import peer_seed
from core.run.filters import FilterSettings

GRID, VOCAB = 2, 1024

GRID, VOCAB = 2, 1024


def row(number: int) -> CodeRow:
    """A row that its caption and its codes both tell from all others."""
    codes = np.array([number % VOCAB, number // VOCAB, 0, VOCAB - 1])
    return CodeRow(f"row {number}", encode_codes(codes), "UNLIKELY", 64, 64)


def write_shards(folder: Path, shards: Sequence[Sequence[CodeRow]], row_group_rows: int) -> ShardRows:
    for index, rows in enumerate(shards):
        write_shard(folder / f"{index}.parquet", rows, row_group_rows=row_group_rows)
    names = [f"{index}.parquet" for index in range(len(shards))]
    return ShardRows([Shard(name, str(folder / name), name) for name in names])


def stream(rows: ShardRows, peer: str = "peer", **options: Any) -> CodeStream:
    """A stream with a reader of its own."""
    own = ShardRows(rows.shards)
    return CodeStream(
        own, grid=GRID, vocab=VOCAB, filters=FilterSettings(), seed=peer_seed(0, peer), **options
    )


def numbered(counts: Sequence[int]) -> list[list[CodeRow]]:
    """Shards of so many rows, numbered through."""
    starts = np.cumsum([0, *counts])
    return [
        [row(int(start) + index) for index in range(count)]
        for start, count in zip(starts, counts, strict=False)
    ]


def rows_of(stream: CodeStream, count: int) -> list[int]:
    """The numbers of the next rows, checked against their codes."""
    captions, codes, _ = stream.take(count)
    numbers = [int(caption.removeprefix("row ")) for caption in captions]
    assert codes.dtype == torch.int64
    assert codes.tolist() == [[number % VOCAB, number // VOCAB, 0, VOCAB - 1] for number in numbers]
    return numbers
