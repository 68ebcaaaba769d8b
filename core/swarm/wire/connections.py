"""Asks Linux what the TCP connections of a process have passed, headers and repetitions included; needs no rights.

No other source has that: /proc counts a whole computer, and libp2p's daemon counts nothing. Connections by UDP (QUIC)
are not in it, as the kernel counts no bytes for them.
"""

import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_FAMILIES = {socket.AF_INET: 20, socket.AF_INET6: 40}
"""Families of addresses, with the bytes of an IP header."""
_TCP_HEADER = 32
"""Bytes of a TCP header with its time stamps, as all connections between today's systems have them."""
_SOCK_DIAG, _BY_FAMILY, _DUMP = 4, 20, 0x301
_DONE, _ERROR = 3, 2
_WITH_INFO, _INFO = 1 << 1, 2
_OPEN = 0xFFF & ~(1 << 6 | 1 << 10)
"""States of connections: all but those that wait for their time to be over, and those that listen."""
_MESSAGE, _ATTRIBUTE, _INODE_AT, _ATTRIBUTES_AT = struct.Struct("=IHHII"), struct.Struct("=HH"), 68, 72
_RECEIVED_AT, _SEGMENTS_AT, _SENT_AT = 128, 136, 200
"""Places in the kernel's tcp_info of the bytes received, the segments out and in, and the bytes sent."""
_BUFFER = 1 << 18
_ANSWER_SECONDS = 0.5
"""Seconds that the kernel may take for a piece of its answer (it takes less than a millisecond)."""


@dataclass(frozen=True)
class WireBytes:
    """Bytes on the wire."""

    up: float = 0.0
    """Bytes that this peer sent."""
    down: float = 0.0
    """Bytes that this peer received."""

    def __add__(self, other: "WireBytes") -> "WireBytes":
        return WireBytes(self.up + other.up, self.down + other.down)

    def __sub__(self, before: "WireBytes") -> "WireBytes":
        return WireBytes(self.up - before.up, self.down - before.down)


def connections_of(pid: int) -> Mapping[int, WireBytes]:
    """Return what each open TCP connection of the process ``pid`` has passed so far, by the inode of its socket.

    Raises OSError where the system does not tell.
    """
    if sys.platform != "linux":
        raise OSError("only Linux is asked")
    own = set(_sockets_of(pid))
    return {inode: passed for family in _FAMILIES for inode, passed in _dump(family) if inode in own}


def _sockets_of(pid: int) -> Iterator[int]:
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            target = str(entry.readlink())
            if target.startswith("socket:["):
                yield int(target[8:-1])


def _dump(family: int) -> Iterator[tuple[int, WireBytes]]:
    request = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, _WITH_INFO, 0, _OPEN) + bytes(48)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _SOCK_DIAG) as kernel:
        kernel.settimeout(_ANSWER_SECONDS)
        kernel.send(_MESSAGE.pack(_MESSAGE.size + len(request), _BY_FAMILY, _DUMP, 1, 0) + request)
        while True:
            data = memoryview(kernel.recv(_BUFFER))
            while data:
                length, kind, _, _, _ = _MESSAGE.unpack_from(data)
                if kind == _DONE:
                    return
                if kind == _ERROR:
                    raise OSError("the kernel does not tell of connections")
                yield from read_message(data[_MESSAGE.size : length], _FAMILIES[socket.AddressFamily(family)])
                data = data[_aligned(length) :]


def read_message(body: memoryview, ip_header: int) -> Iterator[tuple[int, WireBytes]]:
    """Yield the inode of the connection that a message of the kernel tells of, and what it has passed.

    ``body`` is the message without its header; ``ip_header`` are the bytes of each packet's IP header. Yields nothing
    where the kernel is too old to count.
    """
    (inode,) = struct.unpack_from("=I", body, _INODE_AT)
    at = _ATTRIBUTES_AT
    while at + _ATTRIBUTE.size <= len(body):
        length, kind = _ATTRIBUTE.unpack_from(body, at)
        if kind == _INFO and length >= _ATTRIBUTE.size + _SENT_AT + 8:
            info = body[at + _ATTRIBUTE.size : at + length]
            (received,) = struct.unpack_from("=Q", info, _RECEIVED_AT)
            segments_out, segments_in = struct.unpack_from("=II", info, _SEGMENTS_AT)
            (sent,) = struct.unpack_from("=Q", info, _SENT_AT)
            header = ip_header + _TCP_HEADER
            yield inode, WireBytes(sent + header * segments_out, received + header * segments_in)
        at += max(_aligned(length), _ATTRIBUTE.size)


def _aligned(length: int) -> int:
    return length + 3 & ~3


class ConnectionCount:
    """The sum of what the connections of one process pass, of those that are over as well."""

    def __init__(self, look: Callable[[], Mapping[int, WireBytes]]) -> None:
        """Count from zero; ``look`` returns what each open connection has passed, by its inode."""
        self._look = look
        self._open: dict[int, WireBytes] = {}
        self.total = WireBytes()
        """Bytes up to the last look; what a connection passed between that and its end is missing."""

    def look(self) -> WireBytes:
        """Look at the connections, and return the new total; raises OSError where the system does not tell."""
        found = dict(self._look())
        for inode, passed in found.items():
            before = self._open.get(inode, WireBytes())
            is_same = (
                passed.up >= before.up and passed.down >= before.down
            )  # else its number was given to another
            self.total += passed - before if is_same else passed
        self._open = found
        return self.total
