"""Sees that a user has one app: another start brings up the first one's window.

Whoever holds the lock is the first, and alone may replace a socket that one which was killed has left.
"""

import hashlib
import json
import sys
import time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from gui import activation
from gui.errors import GuiError

_PATIENCE = 5.0
"""Seconds for the first one, which may be starting, to take notice."""
_TRY_MILLISECONDS = 200
_LONGEST = 4096
"""Bytes of a message."""
_HEARD = b"heard\n"
translate = QCoreApplication.translate


class SingleApp(QObject):
    """Holds the lock for as long as it lives, and listens beside it."""

    wanted = Signal(str, str)
    """Another start wants that page, and proposes that run; empty: none."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = _server_name(path)
        self._lock = QLockFile(f"{path}.lock")
        self._lock.setStaleLockTime(0)  # its age says nothing: who is gone has left it
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._welcome)

    def claim(self, page: str, offer: str = "", patience: float = _PATIENCE) -> bool:
        """Whether this is the first; else that one was told of both, if there is either.

        GuiError where it could not be told.
        """
        deadline = time.monotonic() + patience
        while not self._lock.tryLock(0):
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                raise _no_lock(self._lock.fileName())
            if _tell(self._name, [page, activation.given(), offer], deadline):
                return False
            if time.monotonic() >= deadline:
                raise _no_answer(self._lock.getLockInfo()[0])
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def close(self) -> None:
        """Let another be the first."""
        self._server.close()
        self._lock.unlock()

    def _welcome(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.readyRead.connect(partial(self._read, caller))
            self._read(caller)

    def _read(self, caller: QLocalSocket) -> None:
        if not caller.canReadLine():
            if caller.bytesAvailable() > _LONGEST:
                caller.abort()
            return
        page, token, offer = _understood(bytes(caller.readLine(_LONGEST).data()))
        caller.write(_HEARD)
        caller.flush()
        caller.disconnectFromServer()
        activation.take(token)
        if page or offer:
            self.wanted.emit(page, offer)


def _server_name(path: Path) -> str:
    """A path, but on Windows, where names of pipes are no files."""
    if sys.platform == "win32":
        return f"idlebrush-{hashlib.sha256(str(path).encode()).hexdigest()[:32]}"
    return str(path)


def _tell(name: str, message: list[str], deadline: float) -> bool:
    """Whether the first one has heard of it; waits a little where nobody listens yet."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_TRY_MILLISECONDS):
        time.sleep(_TRY_MILLISECONDS / 1000)
        return False
    socket.write(json.dumps(message).encode() + b"\n")
    socket.waitForBytesWritten(_TRY_MILLISECONDS)
    while not socket.canReadLine():
        left = int(1000 * (deadline - time.monotonic()))
        if left <= 0 or not socket.waitForReadyRead(left):
            return False
    return socket.readLine().data() == _HEARD


def _understood(line: bytes) -> tuple[str, str, str]:
    """Page, activation token and offered run; empty for what is no message."""
    try:
        page, token, offer = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return "", "", ""
    is_message = isinstance(page, str) and isinstance(token, str) and isinstance(offer, str)
    return (page, token, offer) if is_message else ("", "", "")


def _no_answer(pid: int) -> GuiError:
    return GuiError(
        translate("SingleApp", "Idlebrush is already open, but does not answer."),
        translate(
            "SingleApp", "Wait a moment; if nothing changes, end process {pid} and start Idlebrush again."
        ).format(pid=pid),
    )


def _no_lock(file: str) -> GuiError:
    return GuiError(
        translate("SingleApp", "The file {file} cannot be written.").format(file=file),
        translate("SingleApp", "Free some space, or set IDLEBRUSH_HOME to a folder of yours."),
    )
