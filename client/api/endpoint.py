"""Interface of the endpoint at which daemon and front ends meet: a Unix socket, or loopback TCP on Windows.

Each side verifies that the other belongs to the same user before it sends anything. A daemon listens only while it
holds `client.service.channel.lock`: anything else at the path was left behind.
"""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from client.api.endpoint_errors import ENDED as ENDED

if TYPE_CHECKING:  # front ends do without it, and start the sooner
    from asyncio import StreamReader, StreamWriter


class Endpoint(Protocol):
    """An endpoint, as both sides see it."""

    def listen(self) -> socket.socket:
        """Begin to listen, and return the socket.

        Raises ControlError if that is impossible.
        """

    async def admits(self, reader: "StreamReader", writer: "StreamWriter") -> bool:
        """Return true if the program that has connected belongs to this user; others get no answer.

        ``reader`` and ``writer`` are the streams of its connection.
        """

    def connect(self, seconds: float) -> socket.socket:
        """Connect to this user's daemon.

        Args:
            seconds: Time limit; it stays the socket's time limit, which an event loop has to change. A daemon
                that is awake takes a few milliseconds.

        Raises:
            ControlError: There is no connection; the subclass gives the reason.
        """

    def is_there(self) -> bool:
        """Return true if there is something at the path."""

    def remove(self) -> None:
        """Remove the file at the path, if there is one."""


def local_endpoint(path: Path) -> Endpoint:
    """Return an endpoint at ``path``, of the kind that this system has."""
    if sys.platform == "win32":
        from client.api.loopback import LoopbackEndpoint

        return LoopbackEndpoint(path)
    from client.api.unix_socket import UnixEndpoint

    return UnixEndpoint(path)
