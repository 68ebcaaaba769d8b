"""Finds an X server, presents the credentials to it, and reads its description."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from client.api.errors import DisplayError

REMEDY = "Check DISPLAY, and that your user may use this display."
_COOKIE = b"MIT-MAGIC-COOKIE-1"
_LONGEST_AUTHORITY = 1 << 20
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class DisplayName:
    """Name such as ``:0``, or ``localhost:10.0`` where a display is forwarded."""

    host: str
    number: int

    @classmethod
    def parse(cls, text: str) -> Self:
        host, _, rest = text.rpartition(":")
        number = rest.partition(".")[0]
        if not number.isdigit() or ":" not in text:
            raise DisplayError(f"{text!r} is not the name of a display.", "Set DISPLAY, for example to :0.")
        return cls("" if host == "unix" else host, int(number))


@dataclass(frozen=True)
class Server:
    """Description that an X server gives of itself."""

    root: int
    """The window that fills the first screen."""
    id_base: int
    id_mask: int
    """The bits that a client may choose in the identifiers of its resources."""


async def connect(name: DisplayName) -> Streams:
    """Open a stream to the server, before anything is said."""
    if name.host:
        return await asyncio.open_connection(name.host, 6000 + name.number)
    path = f"/tmp/.X11-unix/X{name.number}"
    try:
        return await asyncio.open_unix_connection(path)
    except OSError:
        return await asyncio.open_unix_connection(f"\0{path}")  # where /tmp is not the server's own


async def greet(streams: Streams, cookie: bytes) -> Server:
    """Open a connection, by a cookie where there is one; DisplayError, and the end of the stream, if it is
    refused.
    """
    reader, writer = streams
    name = _COOKIE if cookie else b""
    with contextlib.ExitStack() as unless_let_in:
        unless_let_in.callback(writer.close)
        writer.write(
            struct.pack("<BxHHHHxx", ord("l"), 11, 0, len(name), len(cookie))
            + _padded(name)
            + _padded(cookie)
        )
        accepted, reason_length, words = struct.unpack("<BB4xH", await reader.readexactly(8))
        answer = await reader.readexactly(words * 4)
        if accepted != 1:
            reason = answer[:reason_length].decode(errors="replace").strip() or "it gives no reason"
            raise DisplayError(f"The display refuses us: {reason}.", REMEDY)
        unless_let_in.pop_all()
    return _server(answer)


def _server(answer: bytes) -> Server:
    id_base, id_mask, vendor_length, formats = struct.unpack_from("<4xII4xHxxxB", answer)
    (root,) = struct.unpack_from("<I", answer, 32 + vendor_length + -vendor_length % 4 + 8 * formats)
    return Server(root, id_base, id_mask)


def cookie_for(number: int, environment: Mapping[str, str], host: str = "") -> bytes:
    """Return the secret that the session left for displays of that number; empty where there is none."""
    home = Path(environment.get("HOME") or Path.home())
    path = Path(environment.get("XAUTHORITY") or home / ".Xauthority")
    try:
        with path.open("rb") as file:
            entries = list(_entries(file.read(_LONGEST_AUTHORITY)))
    except OSError:
        return b""
    fitting = [entry for entry in entries if entry.name == _COOKIE and entry.number in (b"", b"%d" % number)]
    # A host that was renamed during the session keeps its cookie under the old name.
    fitting.sort(key=lambda entry: entry.address != (host or socket.gethostname()).encode())
    return fitting[0].data if fitting else b""


@dataclass(frozen=True)
class _AuthorityEntry:
    address: bytes
    number: bytes
    name: bytes
    data: bytes


def _entries(contents: bytes) -> Iterator[_AuthorityEntry]:
    """Yield the entries of an authority file; those behind a damaged one are left out."""
    at = 0
    while at + 2 <= len(contents):
        at += 2  # the family of the address
        fields = []
        for _ in range(4):
            length = int.from_bytes(contents[at : at + 2], "big")
            fields.append(contents[at + 2 : at + 2 + length])
            at += 2 + length
        if at > len(contents):
            return
        yield _AuthorityEntry(*fields)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
