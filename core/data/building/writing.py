"""What a build writes beside its journal: shards, the list of what was left out, and at last the finished folder."""

import os
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from core.data.building.journal import Journal
from core.data.index import INDEX_NAME, ShardEntry, ShardIndex
from core.data.shards import CodeRow, shard_digest
from core.data.sources.record import MAX_SPLITS
from core.errors import DataError

LEFT_OUT_NAME = "left_out.jsonl"
UNFINISHED_NAME = ".unfinished"
"""The folder within the one that is built, until that is whole; on the same disk, so that files can be moved."""
REPLACED_NAME = "replaced"
"""The folder within that one which holds the index of the earlier build while its files are replaced."""

WriteShard = Callable[[Path, Iterable[CodeRow]], None]
"""Writes rows to a file in the layout that was chosen, a row group in memory at a time."""


def write_shards(journal: Journal, folder: Path, rows: int, write: WriteShard, *, rest: bool = False) -> int:
    """Writes a shard for each split that has the rows for one, or has any if it is the rest; returns its bytes."""
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
            "Name fewer, as each becomes shards of its own, and begin anew with --restart.",
        )


def refuse_lost_shards(journal: Journal, unfinished: Path, out: Path) -> None:
    """DataError if a shard that the journal lists is gone: a power cut may have taken it, or somebody."""
    for entry in chain.from_iterable(journal.shards().values()):
        moved = out / entry.file  # if the build was killed while it was published
        if not (unfinished / entry.file).exists() and not (
            moved.exists() and shard_digest(moved) == entry.sha256
        ):
            raise DataError(f"{unfinished / entry.file} is not there any more.", "Begin anew with --restart.")


def write_left_out(journal: Journal, folder: Path) -> None:
    """Writes the list of the images that were left out, a line of JSON for each."""
    with (folder / LEFT_OUT_NAME).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in journal.left_out())
        file.flush()
        os.fsync(file.fileno())


def refuse_foreign_shards(out: Path) -> None:
    """DataError if the folder holds shards that were not made there by a build."""
    unfinished = out / UNFINISHED_NAME
    known = _shards(out) | _shards(unfinished) | _shards(unfinished / REPLACED_NAME)
    foreign = {path.name for path in out.glob("*.parquet")} - known
    if foreign:
        raise DataError(
            f"{out} holds shards that no finished build here made, such as {min(foreign)}.",
            "Choose another folder, or remove them.",
        )


def publish(unfinished: Path, out: Path) -> ShardIndex:
    """Moves what was built to its place, instead of an earlier build; killed on the way, it can be repeated.

    The index goes first and comes last: a folder that has one is complete.
    """
    index = ShardIndex.load(unfinished)
    replaced = unfinished / REPLACED_NAME
    if (out / INDEX_NAME).exists():
        replaced.mkdir(exist_ok=True)
        (out / INDEX_NAME).replace(replaced / INDEX_NAME)
    files = _shards(unfinished)
    files |= {LEFT_OUT_NAME} if index.left_out else set()
    for name in (_shards(replaced) | {LEFT_OUT_NAME}) - files:
        (out / name).unlink(missing_ok=True)
    for name in sorted(files):
        if (unfinished / name).exists():  # it was moved before, if this is a repetition
            (unfinished / name).replace(out / name)
    (unfinished / INDEX_NAME).replace(out / INDEX_NAME)
    return index


def is_whole(index: ShardIndex, folder: Path) -> bool:
    """Whether each shard that a folder's index lists is there as it was written."""
    return all(
        (folder / entry.file).exists() and shard_digest(folder / entry.file) == entry.sha256
        for entry in chain.from_iterable(index.splits.values())
    )


def _shards(folder: Path) -> set[str]:
    """The shards that a folder's index lists, if it has one."""
    if not (folder / INDEX_NAME).exists():
        return set()
    return {entry.file for entries in ShardIndex.load(folder).splits.values() for entry in entries}
