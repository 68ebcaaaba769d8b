"""Where the daemon listens and front ends connect, as an interface: a Unix socket, or loopback TCP on Windows.

Both ends are sure that the other belongs to the same user before either tells it anything. A daemon listens
only while it holds `client.service.lock`: whatever lies at the path then was left behind.
"""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from client.api.errors import ControlError, DaemonForeign, DaemonSilent, NoDaemon

if TYPE_CHECKING:  # front ends do without it, and start the sooner
    from asyncio import StreamReader, StreamWriter

BACKLOG = 64
ONLY_OWNER = 0o600
ENDED = "The daemon has ended, or takes no more connections."


class Endpoint(Protocol):
    """One place to meet, as both sides see it."""

    def listen(self) -> socket.socket:
        """Begin to listen; ControlError where that cannot be."""

    async def admits(self, reader: "StreamReader", writer: "StreamWriter") -> bool:
        """Whether whoever has connected is this user; nobody else is told anything."""

    def connect(self, seconds: float) -> socket.socket:
        """A connection to this user's daemon, made in `seconds` at most; ControlError without one.

        `seconds` is its socket's time limit from then on, which who reads it in an event loop sets anew.
        A daemon that is awake takes a few milliseconds.
        """

    def is_there(self) -> bool:
        """Whether there is something at the path."""

    def remove(self) -> None:
        """Leave nothing at the path."""


def local_endpoint(path: Path) -> Endpoint:
    """The kind that this system has."""
    if sys.platform == "win32":
        from client.api.loopback import LoopbackEndpoint

        return LoopbackEndpoint(path)
    from client.api.unix_socket import UnixEndpoint

    return UnixEndpoint(path)


def no_connection(error: OSError, path: Path) -> ControlError:
    """What a failed attempt to connect says about the daemon."""
    match error:
        case FileNotFoundError() | NotADirectoryError() | ConnectionRefusedError():
            return NoDaemon("No daemon runs.")
        case ConnectionError():
            return NoDaemon(ENDED)
        case PermissionError():
            return DaemonForeign(
                f"What listens at {path} belongs to another user.",
                "Sign in as the user whose daemon this is, or set IDLEBRUSH_HOME to a folder of yours.",
            )
        case TimeoutError() | BlockingIOError():  # the latter where too many wait for being accepted
            return DaemonSilent()
    return ControlError(
        f"The daemon cannot be reached at {path}: {error.strerror or error}.",
        "Look into the daemon's log, and start it again.",
    )


def cannot_listen(error: OSError, path: Path) -> ControlError:
    return ControlError(
        f"The daemon cannot listen at {path}: {error.strerror or error}.",
        "Set IDLEBRUSH_HOME to a folder of yours with a short path, on a disk of this computer.",
    )
