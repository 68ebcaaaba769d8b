"""The desktop's own notifications, over D-Bus: Qt's do not tell when somebody clicks on one.

Where no service shows notifications, `undelivered` says so.
"""

from functools import partial
from typing import Any

from jeepney import DBusAddress, MatchRule, Message, MessageType, new_method_call
from jeepney.low_level import HeaderFields
from PySide6.QtCore import QObject, Signal

from gui import activation
from gui.tray.notifications import News
from gui.tray.session_bus import SessionBus
from gui.tray.tooltip import NAME

_SERVICE = DBusAddress(
    "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "org.freedesktop.Notifications"
)
_CLICK = "default"
"""The name of what a click on a notification as a whole does."""


class Bubbles(QObject):
    """Numbers of the service's stand for what was shown."""

    clicked = Signal(str)
    """The page that it is about."""
    undelivered = Signal(object)
    """The `News` that nobody shows."""

    def __init__(self, bus: SessionBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._shown: dict[int, News] = {}
        bus.heard.connect(self._hear)
        bus.listen(MatchRule(type="signal", interface=_SERVICE.interface, path=_SERVICE.object_path))

    def show(self, news: News, open_words: str) -> None:
        """Have it shown; ``open_words`` say what a click does, where the desktop offers that as a button."""
        body: tuple[Any, ...] = (NAME, 0, "idlebrush", news.title, news.text, [_CLICK, open_words], {}, -1)
        call = new_method_call(_SERVICE, "Notify", "susssasa{sv}i", body)
        self._bus.call(call, partial(self._note, news))

    def _note(self, news: News, reply: Message | None) -> None:
        if reply is not None and reply.header.message_type is MessageType.method_return:
            self._shown[reply.body[0]] = news
        else:
            self.undelivered.emit(news)

    def _hear(self, message: Message) -> None:
        fields = message.header.fields
        if fields.get(HeaderFields.interface) == _SERVICE.interface:
            self._heed(fields.get(HeaderFields.member, ""), message.body)

    def _heed(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "ActivationToken" and body[0] in self._shown:
            activation.take(str(body[1]))
        elif member == "ActionInvoked" and body[0] in self._shown:
            self.clicked.emit(self._shown[body[0]].page)
        elif member == "NotificationClosed":
            self._shown.pop(body[0], None)
