"""Asks who gathers tray icons on the session's D-Bus whether a panel shows them, and waits for nobody."""

from collections.abc import Callable

from jeepney import DBusAddress, MatchRule, Message, MessageType, Properties, message_bus
from jeepney.low_level import HeaderFields
from PySide6.QtCore import QObject, Signal

from gui.tray.session_bus import SessionBus

_NAME = "org.kde.StatusNotifierWatcher"
_IS_HOST_THERE = Properties(DBusAddress("/StatusNotifierWatcher", _NAME, _NAME)).get(
    "IsStatusNotifierHostRegistered"
)
_CHANGED = "NameOwnerChanged"
_COMES_OR_GOES = MatchRule(type="signal", sender=message_bus.bus_name, member=_CHANGED)
_COMES_OR_GOES.add_arg_condition(0, _NAME)


class Watcher(QObject):
    """Whoever gathers the icons, if there is one."""

    changed = Signal()
    """It has come or gone."""

    def __init__(self, bus: SessionBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        bus.heard.connect(self._hear)
        bus.listen(_COMES_OR_GOES)

    def ask(self, answered: Callable[[bool], None]) -> None:
        """Whether it knows of a panel; there is no answer while the bus or the watcher hang."""

        def understand(reply: Message | None) -> None:
            answered(reply is not None and reply.header.message_type is MessageType.method_return)

        self._bus.call(_IS_HOST_THERE, understand)

    def _hear(self, message: Message) -> None:
        if message.header.fields.get(HeaderFields.member) == _CHANGED:
            self.changed.emit()
