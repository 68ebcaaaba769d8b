"""Reads documents from files of plain text, JSON Lines and Parquet, here or on a server, in bounded memory.

A file comes in row groups: those of Parquet, and blocks of lines of the others. A row that has no text is left out.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO, Literal, Protocol

from core.data.network.remote import RemoteFile
from core.data.shard_file import named_errors
from core.data.text.line_blocks import LineBlocks
from core.data.text.pieces import pieces
from core.data.text.text_column import TextColumn
from core.errors import DataError

TextFormat = Literal["text", "json", "parquet"]
"""Format of a file of text; ``json`` is JSON Lines."""
_ODD = (ValueError, RecursionError)
"""Errors of a line that is no JSON."""


class Documents(Protocol):
    """The documents of one file."""

    @property
    def row_groups(self) -> int:
        """Number of row groups."""

    def read(self, row_group: int) -> Iterator[str | None]:
        """Yield the pieces of the documents of the row group number ``row_group``, and None where one ends.

        Raises:
            DataError: The row group cannot be read, or it is the first one and has no text.
        """


class DocumentFile:
    """An open file of documents."""

    def __init__(self, file: BinaryIO | RemoteFile, name: str, kind: TextFormat, column: str) -> None:
        """Read what tells the row groups.

        Args:
            file: The file, positioned anywhere; it is closed with this object.
            name: Name of the file in error messages.
            kind: Format of the file.
            column: Name of the column or key that has the text.

        Raises:
            DataError: The file is not of that format, has no such column, or is too large.
        """
        self._file, self._name = file, name
        self._documents: Documents
        if kind == "parquet":
            self._documents = ParquetDocuments(TextColumn(file, name, column))
        else:
            blocks = LineBlocks(file, name)
            self._documents = JsonDocuments(blocks, name, column) if kind == "json" else PlainText(blocks)

    @property
    def row_groups(self) -> int:
        """Number of row groups."""
        return self._documents.row_groups

    def read(self, row_group: int) -> Iterator[str | None]:
        """Yield the pieces of the documents of the row group number ``row_group``, as `Documents.read` does."""
        with named_errors(f"{self._name} cannot be read"):
            yield from self._documents.read(row_group)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class PlainText:
    """A file of plain text, which is one document."""

    def __init__(self, blocks: LineBlocks) -> None:
        """Read the text from ``blocks``."""
        self._blocks = blocks

    @property
    def row_groups(self) -> int:
        """Number of blocks."""
        return self._blocks.count

    def read(self, row_group: int) -> Iterator[str | None]:
        """Yield the pieces of the block number ``row_group``, and None at the end of the last one."""
        yield from pieces(self._blocks.chunks(row_group))
        if row_group == self._blocks.count - 1:
            yield None


class JsonDocuments:
    """A file of JSON Lines: each line is an object, and one of its values is a document."""

    def __init__(self, blocks: LineBlocks, name: str, column: str) -> None:
        """Read the lines from ``blocks`` of the file ``name``, whose texts are under the key ``column``."""
        self._blocks, self._name, self._column = blocks, name, column

    @property
    def row_groups(self) -> int:
        """Number of blocks."""
        return self._blocks.count

    def read(self, row_group: int) -> Iterator[str | None]:
        """Yield the pieces of the documents of the block number ``row_group``, and None where one ends.

        Raises DataError if it is the first one and has no text.
        """
        lines, texts = 0, 0
        for line in filter(bytes.strip, self._blocks.lines(row_group)):
            if not row_group and not lines and line.lstrip().startswith(b"["):
                raise self._no_lines()  # an array, of which some lines may be objects
            lines += 1
            if text := _text_of(line, self._column):
                texts += 1
                yield from pieces([text])
                yield None
        if not row_group and lines and not texts:
            raise self._no_lines()

    def _no_lines(self) -> DataError:
        return DataError(
            f"{self._name} has no text in a column {self._column}.",
            f"Write JSON Lines: each line is an object with its text under the key {self._column}.",
        )


class ParquetDocuments:
    """A column of a Parquet file, whose values are documents."""

    def __init__(self, column: TextColumn) -> None:
        """Read the texts from ``column``."""
        self._column = column

    @property
    def row_groups(self) -> int:
        """Number of row groups."""
        return self._column.row_groups

    def read(self, row_group: int) -> Iterator[str | None]:
        """Yield the pieces of the documents of the row group number ``row_group``, and None where one ends."""
        for value in self._column.values(row_group):
            if value:
                yield from pieces([value])
                yield None


def _text_of(line: bytes, column: str) -> bytes:
    """Return the text of a line of JSON in UTF-8; nothing if it has none."""
    try:
        row = json.loads(line)
    except _ODD:
        return b""
    text = row.get(column) if isinstance(row, dict) else None
    return text.encode(errors="replace") if isinstance(text, str) else b""
