"""Divides a file of lines, here or on a server, into blocks that can be read one without the others.

A block begins at the first line that begins in its part of the file. So a place in a large file is found without
reading what comes before it, and every line belongs to one block.
"""

import os
from collections.abc import Iterator

from core.data.parquet.footer import Readable
from core.errors import DataError

BLOCK_BYTES = 1 << 24
"""Bytes of a block, about."""
LONGEST_LINE = 1 << 22
"""Longest line that `LineBlocks.lines` yields, in bytes: parsed as JSON, it may take twenty times as much memory."""
MOST_BLOCKS = 1 << 16
_READ_BYTES = 1 << 20
_LOOK_BYTES = 1 << 16
"""Bytes that are read at once to find the end of a line."""


class LineBlocks:
    """The blocks of one file."""

    def __init__(
        self, file: Readable, name: str, block_bytes: int = BLOCK_BYTES, longest: int = LONGEST_LINE
    ) -> None:
        """Look at the size of the file.

        Args:
            file: The file, positioned anywhere.
            name: Name of the file in error messages.
            block_bytes: Bytes of a block, about.
            longest: Longest line in bytes; a block has room for one.

        Raises:
            DataError: The file has too many blocks.
            ValueError: A block has no room for the longest line.
        """
        if longest + 3 > block_bytes:
            raise ValueError("a block must be larger than the longest line")
        self._file, self._block, self._longest = file, block_bytes, longest
        self._size = file.seek(0, os.SEEK_END)
        self.count = -(-self._size // block_bytes)
        """Number of blocks."""
        if self.count > MOST_BLOCKS:
            raise DataError(f"{name} has {self._size:,} bytes, too many.", "Divide it into several files.")

    def chunks(self, block: int) -> Iterator[bytes]:
        """Yield the bytes of the block number ``block``, some at a time.

        Raises OSError if the file has become shorter.
        """
        at, end = self._start(block), self._start(block + 1)
        while at < end:
            self._file.seek(at)
            chunk = self._file.read(min(_READ_BYTES, end - at))
            if not chunk:
                raise OSError("the file has become shorter")
            yield chunk
            at += len(chunk)

    def lines(self, block: int) -> Iterator[bytes]:
        """Yield the lines of the block number ``block`` without their ends; longer ones are left out."""
        held: bytes | None = b""
        for chunk in self.chunks(block):
            first, *others = chunk.split(b"\n")
            held = self._kept(held, first)
            for line in others:
                if held is not None:
                    yield held
                held = self._kept(b"", line)
        if held:
            yield held

    def _kept(self, held: bytes | None, more: bytes) -> bytes | None:
        """Return the beginning of a line with what follows it; None if it is too long."""
        return None if held is None or len(held) + len(more) > self._longest else held + more

    def _start(self, block: int) -> int:
        """Return the byte at which a block begins; one within a line that is too long begins in the midst of it."""
        nominal = block * self._block
        if block == 0 or nominal >= self._size:
            return min(nominal, self._size)
        at, last = nominal - 1, min(self._size, nominal + self._longest + 1)
        while at < last:
            self._file.seek(at)
            found = self._file.read(min(_LOOK_BYTES, last - at))
            if not found:
                raise OSError("the file has become shorter")
            if (end := found.find(b"\n")) >= 0:
                return at + end + 1
            at += len(found)
        return self._size if last == self._size else nominal
