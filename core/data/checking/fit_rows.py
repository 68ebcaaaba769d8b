"""Checks that the rows of a run's shards fit its model, which takes pyarrow: for the organiser, and for a trainer.

The organiser's run is checked before it is made, as its rules can never be changed. A trainer checks it again before
its first epoch: a client that joins has only looked at the heads of the files (`core.data.checking.fit`).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING

from core.data.checking.fit import check_image, local_shards, no_rows
from core.data.checking.hub_time import within
from core.data.layout import BATCH_ROWS, MAX_VOCAB
from core.data.listing import Listing, Shard
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.rows import ShardRows, hub_rows
from core.errors import MisfitError
from core.run.filters import DropReason, drop_reason
from core.run.training.data_rules import HubSource
from core.storage.files import FileRef

if TYPE_CHECKING:
    from core.families.text_to_image.rules import TextToImageRules

HUB_SECONDS = 60.0
"""Seconds in which the Hub must list a data set and send its first rows."""


def check_rows(training: "TextToImageRules", folder: Path) -> None:
    """Check the first rows of the shards in a folder, whose digests were verified before, and that one is kept.

    Args:
        training: Rules of the run.
        folder: Folder relative to which the rules name files.

    Raises:
        MisfitError: the rows do not fit the model, or the filters drop all of them; the remedy says what to change.
        DataError: a shard cannot be read, or a row is malformed.
    """
    if shards := [_local(ref, folder) for ref in local_shards(training)]:
        rows = ShardRows(shards)
        for number in range(len(shards)):
            _check_shard(training, rows, number)
    if training.data.shards:
        _check_filters(training, ShardRows([_local(ref, folder) for ref in training.data.shards]))


def check_hub(
    training: "TextToImageRules", source: HubSource, seconds: float = HUB_SECONDS, hub: Listing | None = None
) -> None:
    """Check the first rows of the first shard of a data set on the Hub.

    Args:
        training: Rules of the run.
        source: Data set that the rules name.
        seconds: Time after which the check is given up.
        hub: Lists the shards; None: the Hub that ``HF_ENDPOINT`` names.

    Raises:
        MisfitError: the shard does not fit the model; the remedy says what to change.
        DataError: the data set has no shard, the shard cannot be read, or the Hub does not answer in time.
    """
    with within(seconds, source.repo) as token:
        _check_shard(training, hub_rows(source, token, lambda text: None, hub), 0)


def _check_shard(training: "TextToImageRules", rows: ShardRows, shard: int) -> None:
    """Check the first rows of the shard of that number: the size of their images, and the range of their codes."""
    if rows.row_groups(shard):
        for where, row in islice(rows.read(shard, 0), BATCH_ROWS):
            _check_row(training, row, where)


def _check_row(training: "TextToImageRules", row: CodeRow, where: str) -> None:
    grid, codes = training.model.grid, training.model.image_vocab
    side = isqrt(len(row.code) // 2)
    if 2 * side**2 == len(row.code):
        check_image(training, side, where)
    largest = decode_codes(row.code, grid, MAX_VOCAB, where).max()
    if largest >= codes:
        raise MisfitError(
            f"The image of {where} holds the code {largest}, but the model draws with {codes:,} codes.",
            "Name the codec that the shards were built with, or build them with the one that is named.",
        )


def _check_filters(training: "TextToImageRules", rows: ShardRows) -> None:
    """Check that the filters of the run keep a row; rows are read up to the first that they keep."""
    dropped = Counter[DropReason]()
    for row in _all_rows(rows):
        size = row.original_width, row.original_height
        if (reason := drop_reason(row.caption, row.nsfw, *size, training.data.filters)) is None:
            return
        dropped[reason] += 1
    if not dropped:
        raise no_rows()
    reasons = ", ".join(f"{count:,} for: {reason}" for reason, count in dropped.most_common())
    raise MisfitError(
        f"The filters of the run drop all {dropped.total():,} rows of its shards ({reasons}).",
        "Change the filters of the data, or name other shards.",
    )


def _all_rows(rows: ShardRows) -> Iterator[CodeRow]:
    for shard in range(len(rows.shards)):
        for group in range(rows.row_groups(shard)):
            yield from (row for _, row in rows.read(shard, group))


def _local(ref: FileRef, folder: Path) -> Shard:
    return Shard(name=ref.path, url=str(folder / ref.path), identity=ref.sha256)
