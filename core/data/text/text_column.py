"""Reads the text of a Parquet file in bounded memory: one column of it, and nothing else that the file names.

``datasets`` would follow what the file says of its columns: one that is declared to hold images or audio makes it
open paths and addresses in the values.
"""

from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.layout import BATCH_ROWS
from core.data.network.remote import RemoteFile
from core.data.parquet.footer import CAREFULLY, read_footer
from core.data.parquet.pages import must_fit
from core.data.shard_file import PIECE_BYTES, load_chunks, named_errors
from core.errors import DataError


class TextColumn:
    """A column of an open Parquet file."""

    def __init__(self, file: BinaryIO | RemoteFile, name: str, column: str) -> None:
        """Read the footer.

        Args:
            file: The file, positioned anywhere.
            name: Name of the file in error messages.
            column: Name of the column.

        Raises:
            DataError: It is not Parquet, is cut short, or has no such column of text.
        """
        self._file, self._name, self._column = file, name, column
        with named_errors(f"{name} is not a Parquet file, or is cut short"):
            # First, because pyarrow takes memory for all that a footer lists.
            footer = read_footer(file, name)
            if footer.columns.count(column) != 1:
                raise _no_text(name, column)
            self._row_groups = footer.row_groups
            self._parquet = pq.ParquetFile(file, buffer_size=PIECE_BYTES, **CAREFULLY)
            if not _is_text(self._parquet.schema_arrow.field(column).type):
                raise _no_text(name, column)

    @property
    def row_groups(self) -> int:
        """Number of row groups."""
        return len(self._row_groups)

    def values(self, row_group: int) -> Iterator[bytes | None]:
        """Yield the values of the row group number ``row_group`` as bytes; None for missing ones.

        They are text in UTF-8, if the file says what is true.

        Raises:
            DataError: The row group is damaged, or takes too much memory.
        """
        where, chunks = f"Row group {row_group} of {self._name}", self._row_groups[row_group]
        with named_errors(f"{where} is damaged"):
            if isinstance(self._file, RemoteFile):
                load_chunks(self._file, [chunk for chunk in chunks if chunk.column == self._column])
            must_fit(self._file, chunks, [self._column], BATCH_ROWS, where)
            for batch in self._parquet.iter_batches(
                BATCH_ROWS, row_groups=[row_group], columns=[self._column], use_threads=False
            ):
                # As bytes: one value that is not UTF-8 would take the others with it.
                for value in batch.column(0).cast(pa.large_binary()):
                    yield value.as_py()


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(test(kind) for test in tests)


def _no_text(name: str, column: str) -> DataError:
    return DataError(
        f"{name} has no text in a column {column}.", "Name the column of the data that has the text."
    )
