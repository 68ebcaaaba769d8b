"""Adds up what a Parquet row group unpacks to, by the headers of its pages: its footer only claims a size.

A page is unpacked into as many bytes as its own header states, whatever the footer says of the row group. Beyond
that, a value of a dictionary, stored once, is repeated in every row that points to it; a value that is stored as
how it goes on from the one before may be as long as all of its page; and a row may be a list of any number of values.
"""

from collections.abc import Sequence

import pyarrow as pa

from core.data.parquet.footer import Chunk, Readable
from core.data.parquet.headers import pages
from core.data.parquet.lengths import check_lengths
from core.errors import DataError

MAX_ROW_GROUP_BYTES = 1 << 28
"""A row group that unpacks to more is refused unread."""
MAX_REPEATED_BYTES = 1 << 29
"""The same of a page whose values may repeat it, times the rows that are in memory at once."""
_FETCH_AGAIN = "Fetch or build the shard again."


def must_fit(
    file: Readable,
    row_group: Sequence[Chunk],
    columns: Sequence[str],
    batch_rows: int,
    where: str,
    limit: int = MAX_ROW_GROUP_BYTES,
    *,
    lists: bool = False,
) -> None:
    """Sees that reading these columns of a row group, so many rows at a time, takes bounded memory.

    With ``lists``, a row may have more than one value.

    Raises:
        DataError: it would take more, or a page is damaged; ``where`` names the row group.
    """
    total = 0
    for chunk in row_group:
        if chunk.column not in columns:
            continue
        if chunk.repetitions and not lists:
            raise DataError(f"{where} has lists in its column {chunk.column}.", _FETCH_AGAIN)
        for page in pages(file, chunk, where):
            total += page.held
            if total > limit or (page.repeats and page.size * batch_rows > MAX_REPEATED_BYTES):
                raise DataError(
                    f"{where} unpacks to {total} bytes or more, more than can be read safely.",
                    "Write the shard again with smaller row groups.",
                )
            try:
                check_lengths(file, chunk, page)
            except (IndexError, ValueError, OSError, pa.ArrowException) as error:
                raise DataError(f"{where} is damaged: {error}.", _FETCH_AGAIN) from error
