"""A file on a server that pyarrow can read: the end is kept, and the next part can be fetched in one request."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

TAIL_BYTES = 1 << 16
"""Bytes at the end of a file that pyarrow reads first to find a Parquet footer."""
WHOLE_BYTES = 1 << 18
"""Largest file that is fetched at once, in bytes: more requests would take longer than more bytes."""


@dataclass(frozen=True)
class _FetchedBytes:
    first: int
    data: bytes

    @property
    def end(self) -> int:
        return self.first + len(self.data)


class RemoteFile(io.RawIOBase):
    """Read-only, seekable file; at most its end and one more piece of it are in memory.

    Reading raises the errors of ``fetch``.
    """

    def __init__(self, size: int, fetch: Callable[[int, int], bytes]) -> None:
        """Fetch the end of a file of ``size`` bytes.

        ``fetch(first, end)`` returns the bytes ``first`` to ``end - 1``.
        """
        super().__init__()
        self._size, self._fetch, self._at = size, fetch, 0
        tail = size if size <= WHOLE_BYTES else min(size, TAIL_BYTES)
        self._tail = _FetchedBytes(size - tail, fetch(size - tail, size) if tail else b"")
        self._body = _FetchedBytes(0, b"")

    def load(self, first: int, end: int) -> None:
        """Fetch the bytes ``first`` to ``end - 1``, which are read next, in place of those loaded before."""
        self._body = _FetchedBytes(0, b"")
        end = min(end, self._tail.first)
        if first < end:
            self._body = _FetchedBytes(first, self._fetch(first, end))

    def read(self, size: int | None = -1) -> bytes:
        """Return the next ``size`` bytes, or the rest of the file if it has fewer or ``size`` is None or negative."""
        first = self._at
        self._at = self._size if size is None or size < 0 else min(self._size, first + size)
        return b"".join(self._parts(first, self._at))

    def readable(self) -> bool:
        """Return true: the file can be read."""
        return True

    def seekable(self) -> bool:
        """Return true: the position can be changed."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move the position by ``offset`` bytes from the start, the position or the end, and return it.

        ``whence`` is ``io.SEEK_SET``, ``io.SEEK_CUR`` or ``io.SEEK_END``.
        """
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def tell(self) -> int:
        """Return the position in bytes."""
        return self._at

    def _parts(self, first: int, end: int) -> Iterator[bytes]:
        """Yield the bytes ``first`` to ``end - 1`` in parts, from memory where they are held, else fetched."""
        while first < end:
            held = next((piece for piece in self._held() if piece.first <= first < piece.end), None)
            if held is None:
                until = min([end, *(piece.first for piece in self._held() if piece.first > first)])
                held = _FetchedBytes(first, self._fetch(first, until))
            part = held.data[first - held.first : end - held.first]
            yield part
            first += len(part)

    def _held(self) -> tuple[_FetchedBytes, _FetchedBytes]:
        return self._body, self._tail
