"""Keeps Linux awake by logind and by the desktop: either of them may put the system to sleep by itself."""

import logging
from collections.abc import Mapping

from client.api.errors import WakeLockError
from client.machine.wake_lock.desktop import DesktopInhibition
from client.machine.wake_lock.lock import KeptAwake
from client.machine.wake_lock.logind import LogindLock

_log = logging.getLogger(__name__)
_OF_DESKTOPS = "DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP"


class LinuxWakeLock:
    """Takes both; the system is kept awake for sure only if the desktop has agreed, or there is none."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Prepare to ask the services of a user's session, of which ``environment`` is that."""
        self._logind, self._desktop = LogindLock(environment), DesktopInhibition(environment)
        self._has_desktop = any(environment.get(variable) for variable in _OF_DESKTOPS)

    def hold(self) -> KeptAwake:
        """Take what is not held yet; raises WakeLockError if neither logind nor a desktop agrees."""
        services, refusal = self._of_desktop()
        holders = list(services)
        try:
            holders.append(self._logind.hold())
        except WakeLockError as error:
            if not services:
                raise refusal or error from error
            _log.info("%s", error)  # a desktop without logind
        return KeptAwake(" and ".join(holders), bool(services) or not self._has_desktop)

    def release(self) -> None:
        """Let logind and the desktop put the system to sleep again."""
        self._desktop.release()
        self._logind.release()

    def _of_desktop(self) -> tuple[tuple[str, ...], WakeLockError | None]:
        try:
            return self._desktop.hold(), None
        except WakeLockError as error:
            _log.info("%s", error)
            return (), error
