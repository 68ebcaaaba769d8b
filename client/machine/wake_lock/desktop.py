"""Keeps a desktop's power management from suspending by itself, which logind's lock of the same user does not.

GNOME's session manager has an interface of its own, which Cinnamon and MATE have too. KDE Plasma and Xfce have that
of freedesktop.org. Both end an inhibition with the connection to the bus that asked for it. The screen may turn off.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.low_level import Message

from client.api.errors import BusError, WakeLockError
from client.machine.bus import TIME_LIMIT, session_address
from client.machine.bus_link import BUS, body_of
from client.machine.wake_lock.lock import APPLICATION, REASON

_BUS = DBusAddress("/org/freedesktop/DBus", BUS, BUS)
_SUSPENDING = 4
"""GNOME's flag of what keeps the session from being suspended; another one is about the screen."""
_NO_OWNER = "org.freedesktop.DBus.Error.NameHasNoOwner"


@dataclass(frozen=True)
class _PowerService:
    title: str
    address: DBusAddress
    signature: str
    arguments: tuple[Any, ...]
    release: str


_SERVICES = (
    _PowerService(
        "the desktop's session manager",
        DBusAddress("/org/gnome/SessionManager", "org.gnome.SessionManager", "org.gnome.SessionManager"),
        "susu",
        (APPLICATION, 0, REASON, _SUSPENDING),
        "Uninhibit",
    ),
    _PowerService(
        "the desktop's power management",
        DBusAddress(
            "/org/freedesktop/PowerManagement/Inhibit",
            "org.freedesktop.PowerManagement",
            "org.freedesktop.PowerManagement.Inhibit",
        ),
        "ss",
        (APPLICATION, REASON),
        "UnInhibit",
    ),
)


@dataclass(frozen=True)
class _Inhibition:
    owner: str
    """Bus name of the service's connection: one that was started again knows nothing of it."""
    cookie: int


class DesktopInhibition:
    """Inhibitions by all services of the session's bus that take one; they need the connection to stay open."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = session_address(environment)
        self._bus: DBusConnection | None = None
        self._held: dict[_PowerService, _Inhibition] = {}

    def hold(self) -> tuple[str, ...]:
        """Inhibit what is not inhibited yet, and return the names of the services; none: no desktop offers that.

        Raises:
            WakeLockError: No service agrees and one refuses, or the bus does not answer.
        """
        refusals = list[BusError]()
        try:
            self._bus = self._bus or open_dbus_connection(self._address, auth_timeout=TIME_LIMIT)
            for service in _SERVICES:
                try:
                    self._hold_by(self._bus, service)
                except BusError as error:
                    refusals.append(error)
        except KeyError:
            return ()  # a computer without a desktop
        except (OSError, EOFError, ValueError, RuntimeError) as error:
            self.release()  # which also ends a connection that is lost
            raise _refused(f": {error or 'the D-Bus ended'}.") from error
        if refusals and not self._held:
            raise _refused(f". {refusals[0].what}") from refusals[0]
        return tuple(service.title for service in self._held)

    def release(self) -> None:
        """Let the desktop suspend again; the end of the connection does so too, if a service does not answer."""
        bus, self._bus = self._bus, None
        if bus is None:
            return
        with contextlib.closing(bus):
            for service, held in self._held.items():
                with contextlib.suppress(BusError, OSError, EOFError, ValueError):
                    _ask(bus, new_method_call(service.address, service.release, "u", (held.cookie,)))
            self._held.clear()

    def _hold_by(self, bus: DBusConnection, service: _PowerService) -> None:
        owner, held = _owner(bus, str(service.address.bus_name)), self._held.get(service)
        if held is not None and held.owner == owner:
            return
        self._held.pop(service, None)
        if owner is None:
            return
        asked = new_method_call(service.address, "Inhibit", service.signature, service.arguments)
        (cookie,) = _ask(bus, asked)
        self._held[service] = _Inhibition(owner, int(cookie))


def _owner(bus: DBusConnection, name: str) -> str | None:
    """Return the connection that has a name; None: there is no such service, and none is started by being asked."""
    try:
        (owner,) = _ask(bus, new_method_call(_BUS, "GetNameOwner", "s", (name,)))
    except BusError as error:
        if error.name == _NO_OWNER:
            return None
        raise
    return str(owner)


def _ask(bus: DBusConnection, message: Message) -> tuple[Any, ...]:
    return body_of(bus.send_and_get_reply(message, timeout=TIME_LIMIT))


def _refused(why: str) -> WakeLockError:
    return WakeLockError(
        f"The desktop may put the system to sleep{why}",
        "Change the desktop's settings for automatic suspend.",
    )
