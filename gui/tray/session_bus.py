"""A connection to the session's D-Bus that nothing waits for: whoever on the bus hangs, the event loop goes on."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from jeepney import MatchRule, Message, MessageType, Parser, message_bus
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import get_connectable_addresses
from jeepney.low_level import HeaderFields
from PySide6.QtCore import QObject, QSocketNotifier, Signal

Answered = Callable[[Message | None], None]
"""Is given the reply, which may be an error; None: there is no bus, or it has gone."""
_PIECE = 64 * 1024
_NO_BUS = (OSError, KeyError, ValueError, RuntimeError)
"""What jeepney raises where no bus can be used: there is none, it is gone, or it talks otherwise than it should."""


class SessionBus(QObject):
    """Connects for the first call, and anew for the first one after the bus was lost."""

    heard = Signal(object)
    """A `Message`: one of the signals that were listened for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rules: list[MatchRule] = []
        self._waiting: dict[int, Answered] = {}
        self._connection: _Connection | None = None

    def call(self, message: Message, answered: Answered) -> None:
        """Exactly one of reply and None comes, perhaps within this call, perhaps never while the bus hangs."""
        try:
            serial = self._connected().send(message)
        except _NO_BUS:
            self.close()
            answered(None)
        else:
            self._waiting[serial] = answered

    def listen(self, rule: MatchRule) -> None:
        """Have `heard` tell of such signals, of this bus and of those that come after it."""
        self._rules.append(rule)
        if self._connection is not None:
            self.call(message_bus.AddMatch(rule), _ignore)

    def close(self) -> None:
        """What was not answered never will be."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        unanswered, self._waiting = list(self._waiting.values()), {}
        for answered in unanswered:
            answered(None)

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def _connected(self) -> "_Connection":
        if self._connection is None:
            self._connection = _Connection(self)
            self._connection.readable.activated.connect(self._read)
            for greeting in (message_bus.Hello(), *map(message_bus.AddMatch, self._rules)):
                self._connection.send(greeting)
        return self._connection

    def _read(self) -> None:
        try:
            messages = self._connection.received() if self._connection is not None else []
        except _NO_BUS:
            self.close()
            return
        for message in messages:
            self._understand(message)

    def _understand(self, message: Message) -> None:
        answered = self._waiting.pop(message.header.fields.get(HeaderFields.reply_serial, 0), None)
        if message.header.message_type is MessageType.signal:
            self.heard.emit(message)
        elif answered is not None:
            answered(message)


class _Connection:
    """To the bus of the environment; raises `_NO_BUS`."""

    def __init__(self, parent: QObject) -> None:
        self._serials = count(1)
        self._parser, self._authenticator = Parser(), Authenticator()
        self._unsent = b""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.setblocking(False)
            self._socket.connect(next(get_connectable_addresses(os.environ["DBUS_SESSION_BUS_ADDRESS"])))
            self._socket.send(self._authenticator.data_to_send() or b"")
        except _NO_BUS:
            self._socket.close()
            raise
        self.readable = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, parent)
        self._writable = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Write, parent)
        self._writable.setEnabled(False)
        self._writable.activated.connect(self._write)

    def send(self, message: Message) -> int:
        """As soon as the bus takes it; its serial number."""
        serial = next(self._serials)
        self._unsent += message.serialise(serial)
        if self._authenticator.authenticated:
            self._write()
        return serial

    def received(self) -> list[Message]:
        data = self._socket.recv(_PIECE)
        if not data:
            raise ConnectionResetError("The bus has hung up.")
        if self._authenticator.authenticated:
            self._parser.add_data(data)
            return list(iter(self._parser.get_next_message, None))
        self._authenticator.feed(data)
        if self._authenticator.authenticated:
            self._unsent = BEGIN + self._unsent
            self._write()
        return []

    def close(self) -> None:
        for notifier in (self.readable, self._writable):
            notifier.setEnabled(False)
            notifier.deleteLater()
        self._socket.close()

    def _write(self) -> None:
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self._socket.send(self._unsent) :]
        self._writable.setEnabled(bool(self._unsent))


def _ignore(_: Message | None) -> None:
    pass
