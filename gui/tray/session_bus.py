"""The session bus without waiting: a connection, the watcher of tray icons, and desktop notifications."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

from jeepney import (
    DBusAddress,
    MatchRule,
    Message,
    MessageType,
    Parser,
    Properties,
    message_bus,
    new_method_call,
)
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import get_connectable_addresses
from jeepney.low_level import HeaderFields
from PySide6.QtCore import QObject, QSocketNotifier, Signal

from gui.single import use_activation_token
from gui.tray.notifications import News
from gui.tray.view import NAME

_OnReply = Callable[[Message | None], None]
"""Receiver of the reply, which may be an error, or of None if there is no bus."""
_PIECE = 64 * 1024
_BUS_ERRORS = (OSError, KeyError, ValueError, RuntimeError)
"""Errors that jeepney raises if the bus is missing, gone or behaves incorrectly."""
_NAME = "org.kde.StatusNotifierWatcher"
_IS_HOST_THERE = Properties(DBusAddress("/StatusNotifierWatcher", _NAME, _NAME)).get(
    "IsStatusNotifierHostRegistered"
)
_CHANGED = "NameOwnerChanged"
_COMES_OR_GOES = MatchRule(type="signal", sender=message_bus.bus_name, member=_CHANGED)
_COMES_OR_GOES.add_arg_condition(0, _NAME)
_SERVICE = DBusAddress(
    "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "org.freedesktop.Notifications"
)
_CLICK = "default"
"""Name of the action of a click on the whole notification."""


class SessionBus(QObject):
    """Connects at the first call, and again at the first call after the bus was lost."""

    heard = Signal(object)
    """Emitted with each `Message` of a subscribed signal."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rules: list[MatchRule] = []
        self._waiting: dict[int, _OnReply] = {}
        self._connection: _BusConnection | None = None

    def call(self, message: Message, answered: _OnReply) -> None:
        """Call ``answered`` once with the reply or None, possibly within this call; never while the bus hangs."""
        try:
            serial = self._connected().send(message)
        except _BUS_ERRORS:
            self.close()
            answered(None)
        else:
            self._waiting[serial] = answered

    def listen(self, rule: MatchRule) -> None:
        """Subscribe to signals, on this bus and on later ones."""
        self._rules.append(rule)
        if self._connection is not None:
            self.call(message_bus.AddMatch(rule), _ignore)

    def close(self) -> None:
        """Disconnect; pending calls are answered with None."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        unanswered, self._waiting = list(self._waiting.values()), {}
        for answered in unanswered:
            answered(None)

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def _connected(self) -> "_BusConnection":
        if self._connection is None:
            self._connection = _BusConnection(self)
            self._connection.readable.activated.connect(self._read)
            for greeting in (message_bus.Hello(), *map(message_bus.AddMatch, self._rules)):
                self._connection.send(greeting)
        return self._connection

    def _read(self) -> None:
        try:
            messages = self._connection.received() if self._connection is not None else []
        except _BUS_ERRORS:
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


class _BusConnection:
    """The connection to the bus of the environment; its methods raise `_BUS_ERRORS`."""

    def __init__(self, parent: QObject) -> None:
        self._serials = count(1)
        self._parser, self._authenticator = Parser(), Authenticator()
        self._unsent = b""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.setblocking(False)
            self._socket.connect(next(get_connectable_addresses(os.environ["DBUS_SESSION_BUS_ADDRESS"])))
            self._socket.send(self._authenticator.data_to_send() or b"")
        except _BUS_ERRORS:
            self._socket.close()
            raise
        self.readable = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, parent)
        self._writable = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Write, parent)
        self._writable.setEnabled(False)
        self._writable.activated.connect(self._write)

    def send(self, message: Message) -> int:
        """Send a message as soon as the bus accepts it; returns its serial number."""
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


class TrayWatcher(QObject):
    """The service that collects tray icons, if there is one."""

    changed = Signal()
    """Emitted when the service appears or disappears."""

    def __init__(self, bus: SessionBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        bus.heard.connect(self._receive)
        bus.listen(_COMES_OR_GOES)

    def ask(self, answered: Callable[[bool], None]) -> None:
        """Call ``answered`` with whether the service knows a panel; never while bus or service hang."""

        def understand(reply: Message | None) -> None:
            answered(reply is not None and reply.header.message_type is MessageType.method_return)

        self._bus.call(_IS_HOST_THERE, understand)

    def _receive(self, message: Message) -> None:
        if message.header.fields.get(HeaderFields.member) == _CHANGED:
            self.changed.emit()


class DesktopNotifications(QObject):
    """Shows notifications by the desktop's service, which identifies them by number."""

    clicked = Signal(str)
    """Emitted with the page of the clicked notification."""
    undelivered = Signal(object)
    """Emitted with the `News` that no service shows."""

    def __init__(self, bus: SessionBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._shown: dict[int, News] = {}
        bus.heard.connect(self._receive)
        bus.listen(MatchRule(type="signal", interface=_SERVICE.interface, path=_SERVICE.object_path))

    def show(self, news: News, open_words: str) -> None:
        """Show a notification; ``open_words`` names its action on desktops with buttons."""
        body: tuple[Any, ...] = (NAME, 0, "idlebrush", news.title, news.text, [_CLICK, open_words], {}, -1)
        call = new_method_call(_SERVICE, "Notify", "susssasa{sv}i", body)
        self._bus.call(call, partial(self._note, news))

    def _note(self, news: News, reply: Message | None) -> None:
        if reply is not None and reply.header.message_type is MessageType.method_return:
            self._shown[reply.body[0]] = news
        else:
            self.undelivered.emit(news)

    def _receive(self, message: Message) -> None:
        fields = message.header.fields
        if fields.get(HeaderFields.interface) == _SERVICE.interface:
            self._handle_signal(fields.get(HeaderFields.member, ""), message.body)

    def _handle_signal(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "ActivationToken" and body[0] in self._shown:
            use_activation_token(str(body[1]))
        elif member == "ActionInvoked" and body[0] in self._shown:
            self.clicked.emit(self._shown[body[0]].page)
        elif member == "NotificationClosed":
            self._shown.pop(body[0], None)
