"""Checks a folder of code shards row by row: against its index, or as shards that came without one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.checking.gathering import CountTokens, Gatherer
from core.data.checking.statistics import Statistics, StoredBytes
from core.data.index import INDEX_NAME, ShardIndex
from core.data.layout import FETCH_AGAIN
from core.data.shard_file import count_rows, iterate_codes, shard_digest
from core.data.shards import CodeRow
from core.errors import DataError

PROGRESS_ROWS = 256

_OnProgress = Callable[[int], None]
"""Receiver of the number of rows checked so far, every ``PROGRESS_ROWS`` rows and at the end."""


@dataclass(frozen=True)
class CheckReport:
    """Contents and faults of a folder of shards."""

    rows: dict[str, int]
    """Number of sound rows by split, or by shard where there is no index."""
    statistics: Statistics
    """Statistics of the sound rows."""
    problems: tuple[str, ...]
    """A sentence for each shard that is damaged, missing, or not in the index."""
    source_bytes: float | None = None
    """Mean bytes of an image as the source held it; None where the index does not record them."""

    @property
    def sound(self) -> bool:
        """True if no problem was found."""
        return not self.problems


@dataclass(frozen=True)
class _ShardToCheck:
    split: str
    part: str
    """Name under which its rows are counted in the report."""
    path: Path
    rows: int | None = None
    sha256: str | None = None


def check_shards(
    folder: Path,
    codec_sha256: str | None = None,
    progress: _OnProgress = lambda rows: None,
    count_tokens: CountTokens | None = None,
) -> CheckReport:
    """Read every row of every shard that the index of a folder lists.

    Args:
        folder: Folder of the shards and their index.
        codec_sha256: SHA-256 of a codec's weights in hex; shards of another codec, or of one that the index does
            not name, are then a problem, too.
        progress: Called with the number of rows checked so far.
        count_tokens: Counts the tokens of a caption; None: the statistics have no lengths in tokens.

    Raises:
        DataError: the folder has no index, or a malformed one.
    """
    index = ShardIndex.load(folder)
    shards = [
        _ShardToCheck(split, split, folder / entry.file, entry.rows, entry.sha256)
        for split, entries in index.splits.items()
        for entry in entries
    ]
    problems = [*_unlisted(folder, shards), *_other_codec(index, codec_sha256)]
    report = _check(shards, index.grid, index.vocab, problems, progress, count_tokens)
    return replace(report, source_bytes=index.source_bytes and index.source_bytes / index.images)


def check_without_index(
    folder: Path,
    grid: int,
    vocab: int,
    progress: _OnProgress = lambda rows: None,
    count_tokens: CountTokens | None = None,
) -> CheckReport:
    """Read every row of every shard below a folder without an index, as published data sets come.

    Args:
        folder: Folder of the shards, which may lie in folders within it.
        grid: Codes along one side of an image.
        vocab: Entries of the codebook; each code must be smaller.
        progress: Called with the number of rows checked so far.
        count_tokens: Counts the tokens of a caption; None: the statistics have no lengths in tokens.

    Raises:
        DataError: there is no shard.
    """
    shards = [
        _ShardToCheck("", str(path.relative_to(folder)), path) for path in sorted(folder.rglob("*.parquet"))
    ]
    if not shards:
        raise DataError(f"There is no shard in {folder}.", "Name a folder that holds .parquet files.")
    return _check(shards, grid, vocab, [], progress, count_tokens)


def _check(
    shards: list[_ShardToCheck],
    grid: int,
    vocab: int,
    problems: list[str],
    progress: _OnProgress,
    count_tokens: CountTokens | None,
) -> CheckReport:
    rows = {shard.part: 0 for shard in shards}
    gatherer = Gatherer(grid, vocab, count_tokens)
    for _, of_split in groupby(shards, key=lambda shard: shard.split):
        gatherer.next_split()
        for shard in of_split:
            try:
                for row, codes in _rows(shard, grid, vocab):
                    gatherer.add(row, codes)
                    rows[shard.part] += 1
                    if gatherer.rows % PROGRESS_ROWS == 0:
                        progress(gatherer.rows)
                gatherer.stored += StoredBytes.of(shard.path)
            except DataError as error:
                problems.append(error.what)
    progress(gatherer.rows)
    return CheckReport(rows, gatherer.statistics(), tuple(problems))


def _rows(shard: _ShardToCheck, grid: int, vocab: int) -> Iterator[tuple[CodeRow, NDArray[np.int64]]]:
    if shard.sha256 and shard_digest(shard.path) != shard.sha256:
        raise DataError(
            f"{shard.path} is not the shard that the index lists: its digest differs.", FETCH_AGAIN
        )
    if shard.rows is not None and (held := count_rows(shard.path)) != shard.rows:
        raise DataError(f"{shard.path} has {held} rows where the index lists {shard.rows}.", FETCH_AGAIN)
    yield from iterate_codes(shard.path, grid, vocab)


def _unlisted(folder: Path, shards: list[_ShardToCheck]) -> Iterator[str]:
    listed = {shard.path for shard in shards}
    for path in sorted(folder.glob("*.parquet")):
        if path not in listed:
            yield f"{path} is not listed in {INDEX_NAME}."


def _other_codec(index: ShardIndex, codec_sha256: str | None) -> Iterator[str]:
    if codec_sha256 and not index.codec_sha256:
        yield f"{INDEX_NAME} does not name the codec of the shards; build them again to have it named."
    elif codec_sha256 and index.codec_sha256 != codec_sha256:
        yield f"The shards were made with another codec, whose weights have the digest {index.codec_sha256}."
