"""Writes the shards of a build and the list of the images left out, and moves them into the finished folder."""

import os
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from core.data.building.journal import Journal
from core.data.index import INDEX_NAME, ShardEntry, ShardIndex
from core.data.shard_file import shard_digest
from core.data.shards import CodeRow
from core.data.sources.source import MAX_SPLITS
from core.errors import DataError
from core.storage import moving

LEFT_OUT_NAME = "left_out.jsonl"
UNFINISHED_NAME = ".unfinished"
"""Folder of an unfinished build, within the folder that is built: on the same disk, so that files can be moved."""
REPLACED_NAME = "replaced"
"""Folder within ``UNFINISHED_NAME`` for the index of the earlier build while its files are replaced."""

WriteShard = Callable[[Path, Iterable[CodeRow]], None]
"""Writes rows to a file with the compression of the build, one row group in memory at a time."""


def write_shards(journal: Journal, folder: Path, rows: int, write: WriteShard, *, rest: bool = False) -> int:
    """Write full shards of each split, and with ``rest`` the remaining rows as well.

    Args:
        journal: Journal of the build, which holds the rows and records each shard.
        folder: Folder for the shards.
        rows: Rows of a full shard.
        write: Writes rows to a file.
        rest: True to write rows that do not fill a shard, too.

    Returns:
        Size of the shards that were written, in bytes.

    Raises:
        DataError: the source names more than ``MAX_SPLITS`` splits.
    """
    written, least = 0, 1 if rest else rows
    _refuse_many_splits(journal)
    while ready := {split: held for split, held in journal.pending_counts().items() if held >= least}:
        for split, held in ready.items():
            taken = min(held, rows)
            # Killed before the journal knows of it, it is written again under the same name, with the same bytes.
            path = folder / f"{split}-{journal.shard_count(split):05d}.parquet"
            write(path, journal.pending(split, taken))
            journal.add_shard(split, ShardEntry(file=path.name, rows=taken, sha256=shard_digest(path)))
            written += path.stat().st_size
    return written


def _refuse_many_splits(journal: Journal) -> None:
    splits = journal.pending_counts()
    if len(splits) > MAX_SPLITS:
        raise DataError(
            f"The source names more than {MAX_SPLITS} splits, such as {max(splits)}.",
            "Name fewer, as each becomes shards of its own, and start again with --restart.",
        )


def refuse_lost_shards(journal: Journal, unfinished: Path, out: Path) -> None:
    """Check that each shard of the journal is in the folder ``unfinished``, or unchanged in ``out``.

    A shard is in ``out`` already if the build was killed while it was published.

    Raises:
        DataError: a shard is missing, for example after a loss of power.
    """
    for entry in chain.from_iterable(journal.shards().values()):
        moved = out / entry.file  # if the build was killed while it was published
        if not (unfinished / entry.file).exists() and not (
            moved.exists() and shard_digest(moved) == entry.sha256
        ):
            raise DataError(f"{unfinished / entry.file} no longer exists.", "Start again with --restart.")


def write_left_out(journal: Journal, folder: Path) -> None:
    """Write the images that the journal lists as left out to a file in the folder, one line of JSON for each."""
    with (folder / LEFT_OUT_NAME).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in journal.left_out())
        file.flush()
        os.fsync(file.fileno())


def refuse_foreign_shards(out: Path) -> None:
    """Check that all shards in the folder ``out`` were made by a build there; raises DataError otherwise."""
    unfinished = out / UNFINISHED_NAME
    known = _shards(out) | _shards(unfinished) | _shards(unfinished / REPLACED_NAME)
    foreign = {path.name for path in out.glob("*.parquet")} - known
    if foreign:
        raise DataError(
            f"{out} holds shards that no finished build here made, such as {min(foreign)}.",
            "Choose another folder, or remove them.",
        )


def publish(unfinished: Path, out: Path) -> ShardIndex:
    """Move a finished build from the folder ``unfinished`` to ``out``, in place of an earlier build.

    The index is removed first and added last, so a folder with an index is complete. If the move is
    interrupted, it can be repeated.

    Returns:
        The index of the build.

    Raises:
        DataError: an index is missing or malformed.
    """
    index = ShardIndex.load(unfinished)
    replaced = unfinished / REPLACED_NAME
    if (out / INDEX_NAME).exists():
        replaced.mkdir(exist_ok=True)
        moving.replace(out / INDEX_NAME, replaced / INDEX_NAME)
    files = _shards(unfinished)
    files |= {LEFT_OUT_NAME} if index.left_out else set()
    for name in (_shards(replaced) | {LEFT_OUT_NAME}) - files:
        moving.remove(out / name)
    for name in sorted(files):
        if (unfinished / name).exists():  # it was moved before, if this is a repetition
            moving.replace(unfinished / name, out / name)
    moving.replace(unfinished / INDEX_NAME, out / INDEX_NAME)
    return index


def is_whole(index: ShardIndex, folder: Path) -> bool:
    """Return true if each shard that the index lists is in the folder with the same digest.

    Raises DataError if a shard cannot be read.
    """
    return all(
        (folder / entry.file).exists() and shard_digest(folder / entry.file) == entry.sha256
        for entry in chain.from_iterable(index.splits.values())
    )


def _shards(folder: Path) -> set[str]:
    """Return the names of the shards that the index of a folder lists; none if there is no index."""
    if not (folder / INDEX_NAME).exists():
        return set()
    return {entry.file for entries in ShardIndex.load(folder).splits.values() for entry in entries}
