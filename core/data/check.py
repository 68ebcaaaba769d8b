"""Checks a folder of code shards row by row: against its index, or as shards that came without one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data.index import INDEX_NAME, ShardIndex
from core.data.shards import iterate_codes, shard_digest
from core.errors import DataError

Progress = Callable[[int], None]
"""Called with how many rows are checked."""


@dataclass(frozen=True)
class CheckReport:
    """What a folder of shards holds, and what is wrong with it."""

    rows: dict[str, int]
    """Sound rows by split; by shard where there is no index."""
    codes_used: int
    """Different codes that occur; few of a large codebook hint at a codec that does not suit the images."""
    problems: tuple[str, ...]
    """A sentence for each shard that is damaged, missing, or not in the index."""

    @property
    def sound(self) -> bool:
        return not self.problems


@dataclass(frozen=True)
class _Shard:
    part: str
    path: Path
    sha256: str | None = None


def check_shards(
    folder: Path, codec_sha256: str | None = None, progress: Progress = lambda rows: None
) -> CheckReport:
    """Reads every row of every shard that the folder's index lists.

    With ``codec_sha256``, the digest of a codec's weights, shards made with another codec are a problem too.

    Raises:
        DataError: the folder has no index, or a malformed one.
    """
    index = ShardIndex.load(folder)
    shards = [
        _Shard(split, folder / entry.file, entry.sha256)
        for split, entries in index.splits.items()
        for entry in entries
    ]
    problems = [*_unlisted(folder, shards), *_other_codec(index, codec_sha256)]
    return _check(shards, index.grid, index.vocab, problems, progress)


def check_without_index(
    folder: Path, grid: int, vocab: int, progress: Progress = lambda rows: None
) -> CheckReport:
    """Reads every row of every shard below the folder, as published data sets come: with no index.

    Raises:
        DataError: there is no shard.
    """
    shards = [_Shard(str(path.relative_to(folder)), path) for path in sorted(folder.rglob("*.parquet"))]
    if not shards:
        raise DataError(f"There is no shard in {folder}.", "Name a folder that holds .parquet files.")
    return _check(shards, grid, vocab, [], progress)


def _check(
    shards: list[_Shard], grid: int, vocab: int, problems: list[str], progress: Progress
) -> CheckReport:
    rows = {shard.part: 0 for shard in shards}
    used = np.zeros(vocab, dtype=bool)
    for shard in shards:
        try:
            _check_digest(shard)
            for _, codes in iterate_codes(shard.path, grid, vocab):
                used[codes] = True
                rows[shard.part] += 1
                progress(sum(rows.values()))
        except DataError as error:
            problems.append(error.what)
    return CheckReport(rows, int(used.sum()), tuple(problems))


def _check_digest(shard: _Shard) -> None:
    if shard.sha256 and shard_digest(shard.path) != shard.sha256:
        raise DataError(
            f"{shard.path} is not the shard that the index lists: its digest differs.",
            "Fetch or build the shard again.",
        )


def _unlisted(folder: Path, shards: list[_Shard]) -> Iterator[str]:
    listed = {shard.path for shard in shards}
    for path in sorted(folder.glob("*.parquet")):
        if path not in listed:
            yield f"{path} is not listed in {INDEX_NAME}."


def _other_codec(index: ShardIndex, codec_sha256: str | None) -> Iterator[str]:
    if codec_sha256 and index.codec_sha256 and index.codec_sha256 != codec_sha256:
        yield f"The shards were made with another codec, whose weights have the digest {index.codec_sha256}."
