"""Opens code shards, here or on a server, and reads their rows in bounded memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.layout import BATCH_ROWS, COLUMNS, FETCH_AGAIN
from core.data.network.remote import RemoteFile
from core.data.parquet.footer import CAREFULLY, Chunk
from core.data.parquet.pages import must_fit
from core.data.shard_head import ShardHead, open_shard
from core.data.shards import CodeRow, decode_codes
from core.errors import DataError
from core.storage.files import sha256_of

LOADED_BYTES = 1 << 24
"""Largest remote row group that is fetched in one request, in bytes; a larger one is fetched part by part."""
PIECE_BYTES = 1 << 20
"""Bytes that pyarrow reads at once."""


class ShardFile:
    """An open code shard; a context manager that closes it."""

    def __init__(self, file: BinaryIO | RemoteFile, name: str) -> None:
        """Read the footer.

        Args:
            file: The shard, positioned anywhere; it is closed with this object.
            name: Name of the shard in error messages.

        Raises:
            DataError: the file is not Parquet, is cut short, or lacks a column.
        """
        self.name, self._file = name, file
        # First, because pyarrow takes memory for all that a footer lists.
        self._row_groups = ShardHead(file, name).row_groups
        with named_errors(f"{name} is not a Parquet file, or is cut short"):
            self._parquet = pq.ParquetFile(file, buffer_size=PIECE_BYTES, **CAREFULLY)

    @classmethod
    def open(cls, path: Path, name: str | None = None) -> Self:
        """Open the shard at ``path`` on this machine; error messages call it ``name``, or its path if that is None.

        Raises:
            DataError: the file is missing or cannot be read, is not Parquet, is cut short, or lacks a column.
        """
        name = name or str(path)
        file = open_shard(path, name)
        try:
            return cls(file, name)
        except BaseException:
            file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def rows(self) -> int:
        """Number of rows that the footer states."""
        return int(self._parquet.metadata.num_rows)

    @property
    def row_groups(self) -> int:
        """Number of row groups."""
        return len(self._row_groups)

    def records(self, row_group: int) -> Iterator[dict[str, Any]]:
        """Yield the rows of the row group number ``row_group`` in stored order, as values by column.

        Few of the rows are in memory at a time.

        Raises:
            DataError: the row group is damaged, or takes too much memory.
        """
        where, chunks = f"Row group {row_group} of {self.name}", self._row_groups[row_group]
        with named_errors(f"{where} is damaged"):
            if isinstance(self._file, RemoteFile):
                load_chunks(self._file, [chunk for chunk in chunks if chunk.column in COLUMNS])
            must_fit(self._file, chunks, COLUMNS, BATCH_ROWS, where)
            for batch in self._parquet.iter_batches(
                BATCH_ROWS, row_groups=[row_group], columns=list(COLUMNS), use_threads=False
            ):
                yield from batch.to_pylist()


def count_rows(path: Path) -> int:
    """Return the number of rows that the footer of the shard at ``path`` states.

    Raises:
        DataError: the file is missing, is not Parquet, is cut short, or lacks a column.
    """
    with ShardFile.open(path) as shard:
        return shard.rows


def iterate_rows(path: Path) -> Iterator[CodeRow]:
    """Yield the rows of the shard at ``path`` in stored order; few of them are in memory at a time.

    Raises:
        DataError: as ``count_rows``, and where a part cannot be unpacked or a value has the wrong type.
    """
    with ShardFile.open(path) as shard:
        index = 0
        for group in range(shard.row_groups):
            for record in shard.records(group):
                yield CodeRow.from_record(record, f"row {index} of {path}")
                index += 1
        if index != shard.rows:
            raise DataError(f"{path} states {shard.rows} rows but has {index}.", FETCH_AGAIN)


def iterate_codes(path: Path, grid: int, vocab: int) -> Iterator[tuple[CodeRow, NDArray[np.int64]]]:
    """Yield the rows of a shard with their validated codes, int64 of shape (grid * grid,).

    Args:
        path: File of the shard.
        grid: Codes along one side of an image.
        vocab: Entries of the codebook; each code must be smaller.

    Raises:
        DataError: as ``iterate_rows`` and ``decode_codes``; the message names file and row.
    """
    for index, row in enumerate(iterate_rows(path)):
        yield row, decode_codes(row.code, grid, vocab, f"row {index} of {path}")


def shard_digest(path: Path) -> str:
    """Return the SHA-256 of the file at ``path`` in hexadecimal.

    Raises:
        DataError: the file cannot be read.
    """
    try:
        return sha256_of(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.", FETCH_AGAIN) from error


def load_chunks(remote: RemoteFile, chunks: Sequence[Chunk]) -> None:
    """Fetch columns of a row group in one request, with the bytes between them, unless there are too many bytes.

    Args:
        remote: The file.
        chunks: The columns, at least one.
    """
    first, end = min(chunk.first for chunk in chunks), max(chunk.end for chunk in chunks)
    if 0 <= first < end <= first + LOADED_BYTES:
        remote.load(first, end)


@contextmanager
def named_errors(what: str) -> Iterator[None]:
    """Turn errors of pyarrow and of reading into a DataError, whose sentence begins with ``what``."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{what}: {reason}.", FETCH_AGAIN) from error
