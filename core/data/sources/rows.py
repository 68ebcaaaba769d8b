"""The rows of a Parquet file that somebody else wrote, a few at a time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.parquet.footer import row_groups
from core.data.parquet.pages import must_fit
from core.errors import DataError

READ_ROWS = 16
"""In memory at once; each may hold an image."""
MAX_GROUP_BYTES = 1 << 30
"""A row group that unpacks to more is refused unread; a hundred large images have a fifth of it."""


def column_names(path: Path) -> list[str]:
    """What the file's columns are called; DataError if it is no Parquet."""
    with _named_errors(path), pq.ParquetFile(path) as file:
        return list(file.schema_arrow.names)


def row_count(path: Path) -> int:
    """The rows that the file's footer states; DataError if it is no Parquet."""
    with _named_errors(path), pq.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def rows(
    path: Path, columns: Sequence[str], first: int = 0, limit: int = MAX_GROUP_BYTES
) -> Iterator[dict[str, Any]]:
    """The rows from ``first`` on, with those of the columns that there are.

    Raises:
        DataError: the file is no Parquet, or damaged, or a row group unpacks to more than ``limit`` bytes.
    """
    with _named_errors(path), pq.ParquetFile(path, pre_buffer=False) as file, path.open("rb") as raw:
        wanted = [name for name in columns if name in file.schema_arrow.names]
        for group, chunks in enumerate(row_groups(raw, str(path))):
            held = file.metadata.row_group(group).num_rows
            if held <= first:
                first -= held
                continue
            must_fit(raw, chunks, wanted, READ_ROWS, f"Row group {group} of {path}", limit, lists=True)
            for batch in file.iter_batches(READ_ROWS, row_groups=[group], columns=wanted):
                yield from batch.slice(min(first, len(batch))).to_pylist()
                first = max(0, first - len(batch))


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{path} is not sound Parquet: {reason}.", "Get the file again.") from error
