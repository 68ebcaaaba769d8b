"""A client of the accessibility bus (AT-SPI), like Orca, which reads what an app tells screen readers."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from tests.waiting import COSTLY, DEADLINE, wait_until

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_FOCUSABLE, _FOCUSED, _SHOWING = 11, 12, 25
"""Bits of `AtspiStateType`."""
_LABELLED_BY = 2
"""A value of `AtspiRelationType`."""


class NoAnswer(AssertionError):
    """An accessible object did not answer, mostly because it is no longer shown."""


@dataclass(frozen=True)
class AccessibleObject:
    """One accessible object."""

    reader: "Reader"
    bus: str
    path: str

    @property
    def name(self) -> str:
        return str(self._property("Name"))

    @property
    def description(self) -> str:
        return str(self._property("Description"))

    @property
    def role(self) -> str:
        """Such as ``push button``."""
        return str(self._call("GetRoleName")[0])

    @property
    def label(self) -> str:
        """The name of what labels it, which readers say first."""
        for kind, targets in self._call("GetRelationSet")[0]:
            if kind == _LABELLED_BY:
                return AccessibleObject(self.reader, *targets[0]).name
        return ""

    @property
    def is_focusable(self) -> bool:
        return self._is(_FOCUSABLE)

    @property
    def is_focused(self) -> bool:
        return self._is(_FOCUSED)

    @property
    def is_showing(self) -> bool:
        return self._is(_SHOWING)

    def children(self) -> "list[AccessibleObject]":
        return [AccessibleObject(self.reader, bus, path) for bus, path in self._call("GetChildren")[0]]

    def showing(self) -> "Iterator[AccessibleObject]":
        """All within it that is to be seen."""
        for child in self.children():
            if child.is_showing:
                yield child
                yield from child.showing()

    def _is(self, bit: int) -> bool:
        low, high = self._call("GetState")[0]
        return bool((high << 32 | low) >> bit & 1)

    def _address(self) -> DBusAddress:
        return DBusAddress(self.path, self.bus, _ACCESSIBLE)

    def _call(self, method: str) -> tuple[Any, ...]:
        return self.reader.ask(new_method_call(self._address(), method))

    def _property(self, name: str) -> object:
        return self.reader.ask(Properties(self._address()).get(name))[0][1]


class Reader:
    """Connected to the accessibility bus of a session, which is started when it is first asked for."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection

    def ask(self, message: Any) -> tuple[Any, ...]:
        reply = self._connection.send_and_get_reply(message, timeout=DEADLINE)
        if reply.header.message_type is not MessageType.method_return:
            raise NoAnswer(reply.body)
        return tuple(reply.body)

    def window(self) -> AccessibleObject:
        """The first one of the first app."""
        wait_until(lambda: self._first_window() is not None, "no app tells of a window", every=COSTLY)
        found = self._first_window()
        assert found is not None
        return found

    def has_window(self) -> bool:
        """Return true if an app tells of a window."""
        return self._first_window() is not None

    def focus(self) -> str | None:
        """Return the name of what has the focus; None while nothing has it, or while that changes."""
        try:
            parts = (part for window in self._windows() for part in window.showing())
            return next((part.name for part in parts if part.is_focused), None)
        except NoAnswer:
            return None

    def _first_window(self) -> AccessibleObject | None:
        with suppress(NoAnswer):
            return next(self._windows(), None)
        return None

    def _windows(self) -> Iterator[AccessibleObject]:
        desktop = AccessibleObject(self, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        for app in desktop.children():
            yield from app.children()


@contextmanager
def reading(session_bus: str) -> Iterator[Reader]:
    """A screen reader in that session."""
    launcher = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
    with open_dbus_connection(session_bus) as session:
        (address,) = session.send_and_get_reply(
            new_method_call(launcher, "GetAddress"), timeout=DEADLINE
        ).body
    with open_dbus_connection(address) as connection:
        yield Reader(connection)
