"""Endpoint of the control channel on Linux and macOS: a Unix socket that only its owner may open.

The folder and the socket are closed to other users; the kernel is also asked whose process has connected.
"""

import os
import socket
import stat
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from client.api.endpoint import BACKLOG, ONLY_OWNER, cannot_listen, no_connection
from client.api.errors import ControlError

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from asyncio.trsock import TransportSocket

_LINUX_CREDENTIALS = struct.Struct("=iII")
"""Layout of `struct ucred`: process, user, group."""
_DARWIN_CREDENTIALS = struct.Struct("=II")
"""The start of struct xucred: its version, and the user."""


class UnixEndpoint:
    """Endpoint on a Unix socket; see `client.api.endpoint.Endpoint`."""

    def __init__(self, path: Path) -> None:
        """Keep ``path``, that of the socket; nothing is opened before `listen` or `connect`."""
        self._path = path

    def listen(self) -> socket.socket:
        """Listen at the path, with its folder and the socket closed to other users.

        Raises ControlError if the folder belongs to another user, or the socket cannot be opened.
        """
        listening = socket.socket(socket.AF_UNIX)
        try:
            _close_to_others(self._path.parent)
            self._path.unlink(missing_ok=True)
            listening.bind(str(self._path))
            self._path.chmod(ONLY_OWNER)  # before `listen`: until then no client can connect
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            raise cannot_listen(error, self._path) from error
        except ControlError:
            listening.close()
            raise
        return listening

    async def admits(self, reader: "StreamReader", writer: "StreamWriter") -> bool:
        """Return true if the process at the other end of ``writer`` belongs to this user.

        ``reader`` is not used.
        """
        try:
            return peer_uid(writer.get_extra_info("socket")) == os.getuid()
        except OSError:  # macOS does not know any more who has hung up
            return False

    def connect(self, seconds: float) -> socket.socket:
        """Connect to the socket within ``seconds``, and verify that this user's process listens.

        Raises ControlError if there is no connection. The subclass gives the reason: for another user's
        process (PermissionError) it is DaemonForeign.
        """
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(seconds)
            connection.connect(str(self._path))
            if peer_uid(connection) != os.getuid():
                raise PermissionError
        except OSError as error:
            connection.close()
            raise no_connection(error, self._path) from error
        return connection

    def is_there(self) -> bool:
        """Return true if there is something at the path."""
        return self._path.exists()

    def remove(self) -> None:
        """Remove the file at the path, if there is one."""
        self._path.unlink(missing_ok=True)


def peer_uid(connection: "socket.socket | TransportSocket") -> int:
    """Return the user id of the process at the other end of ``connection``, as the kernel reports it."""
    if sys.platform == "darwin":
        level, local_peercred = 0, 1
        return darwin_uid(connection.getsockopt(level, local_peercred, 128))
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_CREDENTIALS.size)
    _, user, _ = _LINUX_CREDENTIALS.unpack(credentials)
    return int(user)


def darwin_uid(credentials: bytes) -> int:
    """Return the user id in ``credentials``, the bytes of a struct xucred of macOS."""
    _, user = _DARWIN_CREDENTIALS.unpack_from(credentials)
    return int(user)


def _close_to_others(folder: Path) -> None:
    """Close the folder to other users.

    Raises ControlError if another user has made it first, as is possible in a shared place.
    """
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise ControlError(
            f"The folder {folder} belongs to another user.",
            "Set IDLEBRUSH_HOME to a folder that you own.",
        )
    folder.chmod(0o700)
