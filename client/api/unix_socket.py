"""The control channel's endpoint on Linux and macOS: a socket that only its owner may open.

The folder and the socket are closed to other users; whoever gets to it nevertheless is asked of the kernel.
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
"""struct ucred: process, user, group."""
_DARWIN_CREDENTIALS = struct.Struct("=II")
"""The start of struct xucred: its version, and the user."""


class UnixEndpoint:
    """See `client.api.endpoint.Endpoint`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def listen(self) -> socket.socket:
        listening = socket.socket(socket.AF_UNIX)
        try:
            _close_to_others(self._path.parent)
            self._path.unlink(missing_ok=True)
            listening.bind(str(self._path))
            self._path.chmod(ONLY_OWNER)  # before `listen`: until then nobody can connect
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            raise cannot_listen(error, self._path) from error
        except ControlError:
            listening.close()
            raise
        return listening

    async def admits(self, reader: "StreamReader", writer: "StreamWriter") -> bool:
        try:
            return peer_uid(writer.get_extra_info("socket")) == os.getuid()
        except OSError:  # macOS does not know any more who has hung up
            return False

    def connect(self, seconds: float) -> socket.socket:
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
        return self._path.exists()

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)


def peer_uid(connection: "socket.socket | TransportSocket") -> int:
    """The user who runs the process at the other end, by the kernel's word."""
    if sys.platform == "darwin":
        level, local_peercred = 0, 1
        return darwin_uid(connection.getsockopt(level, local_peercred, 128))
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_CREDENTIALS.size)
    _, user, _ = _LINUX_CREDENTIALS.unpack(credentials)
    return int(user)


def darwin_uid(credentials: bytes) -> int:
    _, user = _DARWIN_CREDENTIALS.unpack_from(credentials)
    return int(user)


def _close_to_others(folder: Path) -> None:
    """See that the folder is ours alone; in a shared place another user could have made it first."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise ControlError(
            f"The folder {folder} belongs to somebody else.",
            "Set IDLEBRUSH_HOME to a folder of yours.",
        )
    folder.chmod(0o700)
