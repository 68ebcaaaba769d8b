"""A connection to the daemon on Qt's event loop: bytes out as the socket takes them, answers in as they come."""

import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from client.api.connection import LineBuffer
from client.api.endpoint import ENDED
from client.api.errors import ControlError, NoDaemon

_PIECE = 64 * 1024


class Channel(QObject):
    """Owns a connected socket; it is of no use any more once `ended` was emitted."""

    received = Signal(object)
    """An `Answer`."""
    ended = Signal(object)
    """The `ControlError` that says why; never after `close`."""

    def __init__(self, connected: socket.socket, parent: QObject | None = None) -> None:
        super().__init__(parent)
        connected.setblocking(False)
        self._socket: socket.socket | None = connected
        self._answers = LineBuffer()
        self._unsent = b""
        self._readable = QSocketNotifier(connected.fileno(), QSocketNotifier.Type.Read, self)
        self._readable.activated.connect(self._read)
        self._writable = QSocketNotifier(connected.fileno(), QSocketNotifier.Type.Write, self)
        self._writable.setEnabled(False)
        self._writable.activated.connect(self._write)

    def send(self, line: bytes) -> None:
        """Have it sent as soon as the daemon takes it."""
        self._unsent += line
        self._write()

    @property
    def is_closed(self) -> bool:
        return self._socket is None

    def close(self) -> None:
        """End the connection without a word; safe to repeat."""
        self._readable.setEnabled(False)
        self._writable.setEnabled(False)
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _read(self) -> None:
        if self._socket is None:
            return
        try:
            received = self._socket.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._end(NoDaemon(ENDED))
            return
        try:
            answers = self._answers.feed(received)
        except ControlError as error:
            self._end(error)
            return
        for answer in answers:
            self.received.emit(answer)

    def _write(self) -> None:
        if self._socket is None:
            return
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._end(NoDaemon(ENDED))
            return
        self._unsent = self._unsent[sent:]
        self._writable.setEnabled(bool(self._unsent))

    def _end(self, error: ControlError) -> None:
        self.close()
        self.ended.emit(error)
