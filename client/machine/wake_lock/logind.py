"""Keeps logind from putting Linux to sleep, by an inhibitor lock: a file descriptor that logind hands out.

It blocks ``sleep``, not ``idle``: desktops keep the screen on for ``idle``, while logind refuses to suspend by itself
for either. See "Inhibitor Locks" in systemd's documentation.
"""

import contextlib
import os
from collections.abc import Mapping

from jeepney import DBusAddress, new_method_call
from jeepney.fds import FileDescriptor
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from client.api.errors import BusError, WakeLockError
from client.machine.bus import TIME_LIMIT, system_address
from client.machine.bus_link import body_of
from client.machine.wake_lock.lock import APPLICATION, REASON

_MANAGER = DBusAddress("/org/freedesktop/login1", "org.freedesktop.login1", "org.freedesktop.login1.Manager")
_UNKNOWN_MODE = "org.freedesktop.DBus.Error.InvalidArgs"
_WEAK, _STRONG = "block-weak", "block"
"""Modes of locks: up to systemd 256, the strong one does not bind the user who holds it; since 257, it does."""
_REMEDY = "Change the system's settings for sleep, or see why logind refuses with `systemd-inhibit true`."


class LogindLock:
    """The lock is held for as long as the file descriptor is open, also if the bus ends.

    The user's own requests are never refused. A desktop that suspends by itself asks in the user's name as well, so
    it is kept from that by `DesktopInhibition`.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = system_address(environment)
        self._descriptor: int | None = None

    def hold(self) -> str:
        """Ask logind for the lock, unless it is held; raises WakeLockError if there is none."""
        if self._descriptor is None:
            try:
                with contextlib.closing(self._connect()) as bus:
                    self._descriptor = _inhibit(bus)
            except BusError as error:
                raise WakeLockError(f"The system is not kept awake. {error.what}", _REMEDY) from error
            except (OSError, EOFError, ValueError, RuntimeError) as error:
                raise WakeLockError(f"The system is not kept awake: {error}.", _REMEDY) from error
        return "logind"

    def release(self) -> None:
        """Close the file descriptor, by which the lock ends."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _connect(self) -> DBusConnection:
        # The asynchronous connection of jeepney's cannot receive file descriptors.
        return open_dbus_connection(self._address, enable_fds=True, auth_timeout=TIME_LIMIT)


def _inhibit(bus: DBusConnection) -> int:
    try:
        return _inhibit_by(bus, _WEAK)
    except BusError as error:
        if error.name != _UNKNOWN_MODE:
            raise
        return _inhibit_by(bus, _STRONG)


def _inhibit_by(bus: DBusConnection, mode: str) -> int:
    asked = new_method_call(_MANAGER, "Inhibit", "ssss", ("sleep", APPLICATION, REASON, mode))
    body = body_of(bus.send_and_get_reply(asked, timeout=TIME_LIMIT))
    if len(body) != 1 or not isinstance(body[0], FileDescriptor):
        raise ValueError("logind sent no lock")
    return int(body[0].to_raw_fd())
