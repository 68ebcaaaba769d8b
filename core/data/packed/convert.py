"""Writes a folder of code shards anew in the packed layout, or back in the published one."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path

from pydantic import ValidationError

from core.data.building.writing import LEFT_OUT_NAME
from core.data.index import ShardEntry, ShardIndex
from core.data.packed.block import MAX_GRID
from core.data.packed.layout import ShardLayout
from core.data.packed.shard import write_packed_shard
from core.data.shards import CodeRow, count_rows, iterate_rows, shard_digest, write_shard
from core.errors import DataError

SHARD_ROWS = 8192

Progress = Callable[[int], None]
"""Called after each shard with how many rows are written."""


def index_of(folder: Path, grid: int, vocab: int) -> ShardIndex:
    """The index of shards that came without one, as published data sets do: all of them make one split.

    Raises:
        DataError: there is no shard with a row, or one cannot be read, or an index cannot hold its name.
    """
    entries = tuple(_entry(path) for path in sorted(folder.glob("*.parquet")) if count_rows(path))
    if not entries:
        raise DataError(f"There is no row in {folder}.", "Name a folder that holds .parquet files.")
    images = sum(entry.rows for entry in entries)
    return ShardIndex(grid=grid, vocab=vocab, images=images, left_out={}, splits={"train": entries})


def _entry(path: Path) -> ShardEntry:
    try:
        return ShardEntry(file=path.name, rows=count_rows(path), sha256=shard_digest(path))
    except ValidationError as error:
        raise DataError(
            f"An index cannot hold the name {path.name!r}.",
            "Rename the shard: letters, digits, dots, hyphens and underscores can be used.",
        ) from error


def convert(
    folder: Path,
    index: ShardIndex,
    out: Path,
    layout: ShardLayout,
    shard_rows: int = SHARD_ROWS,
    progress: Progress = lambda rows: None,
) -> ShardIndex:
    """Writes the rows of a folder, in the same order and splits, to a new one, which appears whole or not at all.

    Raises:
        DataError: a shard is damaged or not the one that the index lists, there is no row, the layout cannot hold
            them, or ``out`` is there already or cannot be written.
    """
    if out.exists():
        raise DataError(f"{out} is there already.", "Name a folder that is not.")
    _must_fit(index, layout)
    unfinished = out.resolve().with_name(f".{out.resolve().name}.partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir(parents=True)
        writer = _Writer(unfinished, index, layout, shard_rows, progress)
        converted = writer.write({split: _rows(folder, of) for split, of in index.splits.items()})
        if (folder / LEFT_OUT_NAME).exists():
            shutil.copyfile(folder / LEFT_OUT_NAME, unfinished / LEFT_OUT_NAME)
        unfinished.rename(out)
    except OSError as error:
        raise DataError(
            f"{out} cannot be written: {error.strerror or error}.", "Choose another folder, or make room."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return converted


def _must_fit(index: ShardIndex, layout: ShardLayout) -> None:
    if not index.total_rows:
        raise DataError("The index lists no row.", "Name a folder of shards that have some.")
    if layout is ShardLayout.PACKED and index.grid > MAX_GRID:
        raise DataError(
            f"The packed layout holds images of {MAX_GRID} x {MAX_GRID} codes at most, not of "
            f"{index.grid} x {index.grid}.",
            "Leave them in the published layout.",
        )


def _rows(folder: Path, entries: Iterable[ShardEntry]) -> Iterator[CodeRow]:
    for entry in entries:
        path = folder / entry.file
        if shard_digest(path) != entry.sha256:
            raise DataError(
                f"{path} is not the shard that the index lists: its digest differs.",
                "Fetch or build the shard again.",
            )
        yield from iterate_rows(path)


@dataclass
class _Writer:
    folder: Path
    index: ShardIndex
    layout: ShardLayout
    shard_rows: int
    progress: Progress
    rows: int = 0

    def write(self, splits: dict[str, Iterator[CodeRow]]) -> ShardIndex:
        """Shards of the rows of each split, and their index."""
        written = {split: tuple(self._split(split, rows)) for split, rows in splits.items()}
        converted = self.index.model_copy(update={"splits": written})
        converted.save(self.folder)
        return converted

    def _split(self, split: str, rows: Iterator[CodeRow]) -> Iterator[ShardEntry]:
        for number in count():
            if (first := next(rows, None)) is None:
                return
            path = self.folder / f"{split}-{number:05d}.parquet"
            taken = chain([first], islice(rows, self.shard_rows - 1))
            if self.layout is ShardLayout.PACKED:
                write_packed_shard(path, taken, self.index.grid, self.index.vocab)
            else:
                write_shard(path, taken)
            written = count_rows(path)
            self.rows += written
            self.progress(self.rows)
            yield ShardEntry(file=path.name, rows=written, sha256=shard_digest(path))
