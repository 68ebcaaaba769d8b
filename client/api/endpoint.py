"""Interface of the endpoint at which daemon and front ends meet: a Unix socket, or loopback TCP on Windows.

Each side verifies that the other belongs to the same user before it sends anything. A daemon listens only while it
holds `client.service.channel.lock`: anything else at the path was left behind.
"""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from client.api.errors import ControlError, DaemonForeign, DaemonSilent, NoDaemon

if TYPE_CHECKING:  # front ends do without it, and start the sooner
    from asyncio import StreamReader, StreamWriter

BACKLOG = 64
"""Connections that may wait until the daemon accepts them."""
ONLY_OWNER = 0o600
"""Mode of the file at an endpoint's path."""
ENDED = "The daemon has ended, or accepts no more connections."


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


def no_connection(error: OSError, path: Path) -> ControlError:
    """Return the error for an attempt to connect to the endpoint at `path` that failed by `error`."""
    match error:
        case FileNotFoundError() | NotADirectoryError() | ConnectionRefusedError():
            return NoDaemon("The daemon is not running.")
        case ConnectionError():
            return NoDaemon(ENDED)
        case PermissionError():
            return DaemonForeign(
                f"The program that listens at {path} belongs to another user.",
                "Sign in as the user who started the daemon, or set IDLEBRUSH_HOME to a folder that you own.",
            )
        case TimeoutError() | BlockingIOError():  # the latter where too many connections wait
            return DaemonSilent()
    return ControlError(
        f"The daemon cannot be reached at {path}: {error.strerror or error}.",
        "Read the daemon's log, and start the daemon again.",
    )


def cannot_listen(error: OSError, path: Path) -> ControlError:
    """Return the error of a daemon that cannot open its endpoint at `path` because of `error`."""
    return ControlError(
        f"The daemon cannot listen at {path}: {error.strerror or error}.",
        "Set IDLEBRUSH_HOME to a folder that you own, with a short path, on a local disk.",
    )
