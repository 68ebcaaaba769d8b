"""The desktop's own notifications, over D-Bus: Qt's do not tell when somebody clicks on one.

All waiting is the event loop's. Where no service shows notifications, `undelivered` says so.
"""

from typing import Any

from jeepney import DBusAddress, MatchRule, Message, MessageType, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields
from PySide6.QtCore import QObject, QSocketNotifier, Signal

from gui import activation
from gui.tray.notifications import News
from gui.tray.tooltip import NAME

_SERVICE = DBusAddress(
    "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "org.freedesktop.Notifications"
)
_CLICK = "default"
"""The name of what a click on a notification as a whole does."""
_NO_BUS = (OSError, KeyError, ValueError, RuntimeError)
"""What jeepney raises where no bus can be used: there is none, it is gone, or it talks otherwise than it should."""


class Bubbles(QObject):
    """Connects to the bus for the first notification."""

    clicked = Signal(str)
    """The page that it is about."""
    undelivered = Signal(object)
    """The `News` that nobody shows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus: DBusConnection | None = None
        self._readable: QSocketNotifier | None = None
        self._sent: dict[int, News] = {}
        """By the serial of their calls."""
        self._shown: dict[int, News] = {}
        """By the service's numbers."""

    def show(self, news: News, open_words: str) -> None:
        """Have it shown; ``open_words`` say what a click does, where the desktop offers that as a button."""
        body: tuple[Any, ...] = (NAME, 0, "idlebrush", news.title, news.text, [_CLICK, open_words], {}, -1)
        try:
            bus = self._bus or self._connect()
            serial = next(bus.outgoing_serial)
            bus.send(new_method_call(_SERVICE, "Notify", "susssasa{sv}i", body), serial=serial)
        except _NO_BUS:
            self._lose()
            self.undelivered.emit(news)
        else:
            self._sent[serial] = news

    def close(self) -> None:
        """Forget what was shown."""
        self._sent.clear()
        self._lose()

    def _connect(self) -> DBusConnection:
        bus = open_dbus_connection("SESSION")
        rule = MatchRule(type="signal", interface=_SERVICE.interface, path=_SERVICE.object_path)
        bus.send(message_bus.AddMatch(rule))
        self._bus = bus
        self._readable = QSocketNotifier(bus.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._readable.activated.connect(self._read)
        return bus

    def _read(self) -> None:
        while self._bus is not None:
            try:
                message = self._bus.receive(timeout=0)
            except TimeoutError:  # no more for now
                return
            except _NO_BUS:
                self._lose()
                return
            self._understand(message)

    def _understand(self, message: Message) -> None:
        fields = message.header.fields
        news = self._sent.pop(fields.get(HeaderFields.reply_serial, 0), None)
        if message.header.message_type is MessageType.signal:
            self._heed(fields.get(HeaderFields.member, ""), message.body)
        elif news is not None and message.header.message_type is MessageType.method_return:
            self._shown[message.body[0]] = news
        elif news is not None:
            self.undelivered.emit(news)

    def _heed(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "ActivationToken" and body[0] in self._shown:
            activation.take(str(body[1]))
        elif member == "ActionInvoked" and body[0] in self._shown:
            self.clicked.emit(self._shown[body[0]].page)
        elif member == "NotificationClosed":
            self._shown.pop(body[0], None)

    def _lose(self) -> None:
        """The bus is gone: what was not answered, it did not show."""
        if self._readable is not None:
            self._readable.setEnabled(False)
            self._readable.deleteLater()
            self._readable = None
        if self._bus is not None:
            self._bus.close()
            self._bus = None
        self._shown.clear()
        undelivered, self._sent = list(self._sent.values()), {}
        for news in undelivered:
            self.undelivered.emit(news)
