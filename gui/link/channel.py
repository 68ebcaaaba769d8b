"""Connections to the daemon on Qt's event loop: one that stays open, and one for each request."""

import logging
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal
from shiboken6 import isValid

from client.api.answers import DaemonAnswer, Refused
from client.api.connection import LineBuffer, line_of
from client.api.endpoint import ENDED
from client.api.errors import ClientError, ControlError, DaemonSilent, NoDaemon, RequestRefused
from client.api.requests import AnyRequest
from gui.link.link import Answered, Refusal

_log = logging.getLogger(__name__)

_PIECE = 64 * 1024
_NUMBER = 1


class DaemonChannel(QObject):
    """A connected socket on the event loop; it cannot be used again after `ended`."""

    received = Signal(object)
    """Emitted with each `DaemonAnswer`."""
    ended = Signal(object)
    """Emitted with the `ControlError` that ended the connection; never after `close`."""

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
        """Send a line as soon as the daemon accepts it."""
        self._unsent += line
        self._write()

    def close(self) -> None:
        """Close the connection without a signal; safe to repeat."""
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


class PendingRequest(QObject):
    """Sends one request, and calls exactly one of two functions once, unless its owner is deleted by then."""

    settled = Signal()

    def __init__(
        self,
        channel: DaemonChannel,
        request: AnyRequest,
        seconds: float | None,
        done: Answered | None,
        failed: Refusal,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._done, self._failed, self._kind = done, failed, type(request).__name__
        self._is_settled = False
        self._channel = channel
        channel.setParent(self)
        channel.received.connect(self._receive)
        channel.ended.connect(self._fail)
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._be_late)
        if seconds is not None:
            self._deadline.start(int(1000 * seconds))
        channel.send(line_of(request, _NUMBER))

    def _receive(self, answer: DaemonAnswer) -> None:
        if isinstance(answer, Refused):
            self._fail(RequestRefused(answer.code, answer.what, answer.remedy))
        elif answer.id == _NUMBER:
            self._settle(self._done, answer)

    def _be_late(self) -> None:
        self._fail(DaemonSilent())

    def _fail(self, error: ClientError) -> None:
        if not self._is_settled:
            _log.warning("The request %s failed: %s", self._kind, error)
        self._settle(self._failed, error)

    def _settle(self, receiver: Callable[[Any], None] | None, what: object) -> None:
        if self._is_settled:
            return
        self._is_settled = True
        self._deadline.stop()
        self._channel.close()
        self.settled.emit()
        self.deleteLater()
        if receiver is not None:
            call_if_alive(receiver, what)


def call_if_alive(receiver: Callable[[Any], None], what: object) -> None:
    """Call a method unless its widget was deleted."""
    method = receiver.func if isinstance(receiver, partial) else receiver
    owner = getattr(method, "__self__", None)
    if not isinstance(owner, QObject) or isValid(owner):
        receiver(what)
