"""One app per user: another start of the app brings up the first one's window."""

import hashlib
import json
import os
import sys
import time
from pathlib import Path

import psutil
from PySide6.QtCore import QCoreApplication, QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from gui.errors import GuiError

_VARIABLE = "XDG_ACTIVATION_TOKEN"
"""Environment variable with the token by which Wayland compositors let a window become active."""
_PATIENCE = 5.0
"""Seconds for the first instance, which may be starting, to answer."""
_TRY_MILLISECONDS = 200
_POLL = 0.02
"""Seconds between two looks at a process that ends."""
_LONGEST = 32 * 1024
"""Largest size of a message in bytes: JSON takes six for some characters of an offer (`client.api.offer.LONGEST`)."""
_CONFIRMED = b"heard\n"
_END = "end"
"""Word in place of the page, in the message that asks the first instance to end."""
translate = QCoreApplication.translate


def activation_token() -> str:
    """Return the activation token with which this program was started; empty if there is none."""
    return os.environ.get(_VARIABLE, "")


def use_activation_token(token: str) -> None:
    """Use a token for the next window that is shown."""
    if token:
        os.environ[_VARIABLE] = token


class SingleApp(QObject):
    """Holds the lock of the first instance, and listens for further starts."""

    wanted = Signal(str, str)
    """Emitted with the page and the run that another start asks for; either may be empty."""
    end_wanted = Signal()
    """Emitted when another process asks the app to end, such as an installer."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = server_name(path)
        self._lock = QLockFile(f"{path}.lock")
        self._lock.setStaleLockTime(0)  # age does not make a lock stale; only the death of its owner does
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)

    def claim(self, page: str, offer: str = "", patience: float = _PATIENCE) -> bool:
        """Return whether this is the first instance; otherwise the first one was notified.

        Raises GuiError if it could not be notified.
        """
        deadline = time.monotonic() + patience
        while not self._lock.tryLock(0):
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                raise _no_lock(self._lock.fileName())
            if _notify_first(self._name, [page, activation_token(), offer], deadline):
                return False
            if time.monotonic() >= deadline:
                raise _no_answer(self._lock.getLockInfo()[0])
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def close(self) -> None:
        """Release the lock, so that another instance can be the first."""
        self._server.close()
        self._lock.unlock()

    def _accept(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.readyRead.connect(self._read_sender)
            self._read(caller)

    def _read_sender(self) -> None:
        """Read what the socket has received that called this.

        A method is held weakly by a signal, a function over one is not: a socket that held this object, whose server
        owns the socket, was deleted twice where it went last.
        """
        caller = self.sender()
        if isinstance(caller, QLocalSocket):
            self._read(caller)

    def _read(self, caller: QLocalSocket) -> None:
        if not caller.canReadLine():
            if caller.bytesAvailable() > _LONGEST:
                caller.abort()
            return
        page, token, offer = _parsed(bytes(caller.readLine(_LONGEST).data()))
        caller.write(_CONFIRMED)
        caller.flush()
        caller.disconnectFromServer()
        use_activation_token(token)
        if page == _END:
            self.end_wanted.emit()
        elif page or offer:
            self.wanted.emit(page, offer)


def end_first(path: Path, patience: float = _PATIENCE) -> bool:
    """Ask the instance that runs to end, and return whether its process has; true also if none runs.

    It writes its settings when it ends, and Windows removes no program that runs: to hold the lock is not enough.

    Args:
        path: Path that the app gave to its `SingleApp`.
        patience: Seconds to wait for its answer, and again for its end.
    """
    lock = QLockFile(f"{path}.lock")
    lock.setStaleLockTime(0)
    deadline = time.monotonic() + patience
    while not lock.tryLock(0):
        if lock.error() is not QLockFile.LockError.LockFailedError:
            raise _no_lock(lock.fileName())
        owner = lock.getLockInfo()[0]
        if _notify_first(server_name(path), [_END, "", ""], deadline):
            deadline = time.monotonic() + patience
            return lock.tryLock(int(1000 * patience)) and _ends(owner, deadline)
        if time.monotonic() >= deadline:
            return False
    return True


def server_name(path: Path) -> str:
    """Return the name of the server: a path, except on Windows, where pipes are not files."""
    if sys.platform == "win32":
        return f"idlebrush-{hashlib.sha256(str(path).encode()).hexdigest()[:32]}"
    return str(path)


def _ends(pid: int, deadline: float) -> bool:
    """Return true once the process has ended, also if its parent has not collected it; false if it goes on."""
    try:
        process = psutil.Process(pid)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL)
    except psutil.NoSuchProcess:
        pass
    return True


def _notify_first(name: str, message: list[str], deadline: float) -> bool:
    """Return whether the first instance has confirmed the message; waits briefly if it does not listen yet."""
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
    return socket.readLine().data() == _CONFIRMED


def _parsed(line: bytes) -> tuple[str, str, str]:
    """Return page, activation token and proposed run of a message; all are empty if it is invalid."""
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
            "SingleApp", "Wait a moment. If nothing changes, end process {pid} and start Idlebrush again."
        ).format(pid=pid),
    )


def _no_lock(file: str) -> GuiError:
    return GuiError(
        translate("SingleApp", "The file {file} cannot be written.").format(file=file),
        translate(
            "SingleApp", "Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to."
        ),
    )
