"""A file on a server, as pyarrow reads files: what is read next comes in one request, and the end is kept."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

TAIL_BYTES = 1 << 16
"""What pyarrow reads first to find a Parquet file's footer."""
WHOLE_BYTES = 1 << 18
"""A file up to this size is fetched at once: more requests would take longer than more bytes."""


@dataclass(frozen=True)
class _Piece:
    first: int
    data: bytes

    @property
    def end(self) -> int:
        return self.first + len(self.data)


class RemoteFile(io.RawIOBase):
    """Read-only, seekable; at most its end and one more piece of it are in memory.

    Reading raises what ``fetch`` raises.
    """

    def __init__(self, size: int, fetch: Callable[[int, int], bytes]) -> None:
        """``fetch`` returns the bytes from the first position to the second, the latter excluded."""
        super().__init__()
        self._size, self._fetch, self._at = size, fetch, 0
        tail = size if size <= WHOLE_BYTES else min(size, TAIL_BYTES)
        self._tail = _Piece(size - tail, fetch(size - tail, size) if tail else b"")
        self._body = _Piece(0, b"")

    def load(self, first: int, end: int) -> None:
        """Fetch what is read next, in place of what was loaded before."""
        self._body = _Piece(0, b"")
        end = min(end, self._tail.first)
        if first < end:
            self._body = _Piece(first, self._fetch(first, end))

    def read(self, size: int | None = -1) -> bytes:
        first = self._at
        self._at = self._size if size is None or size < 0 else min(self._size, first + size)
        return b"".join(self._parts(first, self._at))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def _parts(self, first: int, end: int) -> Iterator[bytes]:
        """What is in memory from there, and the rest fetched."""
        while first < end:
            held = next((piece for piece in self._held() if piece.first <= first < piece.end), None)
            if held is None:
                until = min([end, *(piece.first for piece in self._held() if piece.first > first)])
                held = _Piece(first, self._fetch(first, until))
            part = held.data[first - held.first : end - held.first]
            yield part
            first += len(part)

    def _held(self) -> tuple[_Piece, _Piece]:
        return self._body, self._tail
