"""Writes a folder of code shards anew in the packed layout, or back in the published one."""

import shutil
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path

from core.data.index import ShardEntry, ShardIndex
from core.data.packed.shard import write_packed_shard
from core.data.shards import CodeRow, iterate_rows, shard_digest, write_shard
from core.data.writing import LEFT_OUT_NAME
from core.errors import DataError

SHARD_ROWS = 8192

Progress = Callable[[int], None]
"""Called after each shard with how many rows are written."""


class ShardLayout(StrEnum):
    """How rows lie in a shard."""

    PUBLISHED = "published"
    """As in laion/laion_100m_vqgan_f8: every row has its codes, in 16 bits each."""
    PACKED = "packed"
    """The codes of many rows in a block, in as few bits as pay."""


def convert(
    folder: Path,
    out: Path,
    layout: ShardLayout,
    shard_rows: int = SHARD_ROWS,
    progress: Progress = lambda rows: None,
) -> ShardIndex:
    """Writes the same rows, in the same order and splits, to a new folder, which appears whole or not at all.

    Raises:
        DataError: the folder has no index, a shard is damaged or not the one that it lists, or ``out`` is there
            already or cannot be written.
    """
    if out.exists():
        raise DataError(f"{out} is there already.", "Name a folder that is not.")
    unfinished = out.resolve().with_name(f".{out.resolve().name}.partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir(parents=True)
        index = _Conversion(folder, unfinished, layout, shard_rows, progress).run()
        unfinished.rename(out)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}.", "Choose another folder, or make room."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return index


class _Conversion:
    def __init__(
        self, folder: Path, out: Path, layout: ShardLayout, shard_rows: int, progress: Progress
    ) -> None:
        self._folder, self._out, self._layout = folder, out, layout
        self._shard_rows, self._progress = shard_rows, progress
        self._rows = 0

    def run(self) -> ShardIndex:
        index = ShardIndex.load(self._folder)
        splits = {
            split: tuple(self._shards(split, self._rows_of(entries), index))
            for split, entries in index.splits.items()
        }
        converted = index.model_copy(update={"splits": splits})
        if (left_out := self._folder / LEFT_OUT_NAME).exists():
            shutil.copyfile(left_out, self._out / LEFT_OUT_NAME)
        converted.save(self._out)
        return converted

    def _rows_of(self, entries: tuple[ShardEntry, ...]) -> Iterator[CodeRow]:
        return chain.from_iterable(self._shard_rows_of(entry) for entry in entries)

    def _shard_rows_of(self, entry: ShardEntry) -> Iterator[CodeRow]:
        path = self._folder / entry.file
        if shard_digest(path) != entry.sha256:
            raise DataError(
                f"{path} is not the shard that the index lists: its digest differs.",
                "Fetch or build the shard again.",
            )
        yield from iterate_rows(path)

    def _shards(self, split: str, rows: Iterator[CodeRow], index: ShardIndex) -> Iterator[ShardEntry]:
        number = 0
        while taken := list(islice(rows, self._shard_rows)):
            path = self._out / f"{split}-{number:05d}.parquet"
            if self._layout is ShardLayout.PACKED:
                write_packed_shard(path, taken, index.grid, index.vocab)
            else:
                write_shard(path, taken)
            number += 1
            self._rows += len(taken)
            self._progress(self._rows)
            yield ShardEntry(file=path.name, rows=len(taken), sha256=shard_digest(path))
