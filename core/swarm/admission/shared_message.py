"""Bytes that one process writes and all that were forked after it read, without a lock between them.

The writer may be frozen or killed at any instant, in the middle of writing too: of the two copies in memory it
only ever overwrites the older one, and a copy counts only if it is whole by its digest.
"""

import ctypes
import hashlib
import struct
from multiprocessing.sharedctypes import RawArray

_HEADER = struct.Struct("<QI32s")
"""Serial number, length and digest of a copy; a copy never written has serial 0."""


class SharedMessage:
    """The newest bytes, up to ``capacity`` of them; make it before the processes that share it."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._stride = capacity, _HEADER.size + capacity
        self._memory = memoryview(RawArray(ctypes.c_ubyte, 2 * self._stride)).cast("B")
        self._seen: tuple[list[bytes], bytes] = ([], b"")

    def write(self, data: bytes) -> None:
        """Replace the bytes by ``data``; only one thread of one process may write.

        Raises ValueError if ``data`` is longer than the capacity.
        """
        if len(data) > self._capacity:
            raise ValueError(f"{len(data)} bytes do not fit into {self._capacity}")
        serial = 1 + max(_HEADER.unpack(header)[0] for header in self._headers())
        start = self._stride * (serial % 2)
        body = start + _HEADER.size
        self._memory[body : body + len(data)] = data
        self._memory[start:body] = _HEADER.pack(serial, len(data), _digest(serial, data))

    def read(self) -> bytes:
        """Return the newest whole bytes; empty before the first write."""
        headers, (seen, found) = self._headers(), self._seen
        if headers == seen:
            return found
        newest, older = sorted(headers, key=_HEADER.unpack, reverse=True)
        if (data := self._whole(newest)) is not None:
            self._seen = headers, data
            return data
        return self._whole(older) or found  # the newest is being written

    def _whole(self, header: bytes) -> bytes | None:
        serial, length, digest = _HEADER.unpack(header)
        start = self._stride * (serial % 2) + _HEADER.size
        data = bytes(self._memory[start : start + min(length, self._capacity)])
        return data if serial and _digest(serial, data) == digest else None

    def _headers(self) -> list[bytes]:
        return [bytes(self._memory[start : start + _HEADER.size]) for start in (0, self._stride)]


def _digest(serial: int, data: bytes) -> bytes:
    return hashlib.sha256(serial.to_bytes(8) + data).digest()
