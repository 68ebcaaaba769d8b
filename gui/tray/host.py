"""Whether there is something that shows tray icons: it may come after the app, restart, or be missing altogether."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

_WATCHER = "org.kde.StatusNotifierWatcher"
"""The name on D-Bus of what gathers the icons for hosts that take them from there."""


@dataclass(frozen=True)
class HostTiming:
    """In milliseconds."""

    look: int = 2_000
    """Between two looks for a host that tells nobody that it comes or goes."""
    grace: int = 6_000
    """For a panel that restarts, or that comes up after the app at login."""


class TrayHost(QObject):
    """Looks now and then, and as soon as D-Bus tells of a change."""

    changed = Signal(bool)
    """Whether there is one now; that there is none is told once the grace is over, at the start as well."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        is_there: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        timing: HostTiming = HostTiming(),
    ) -> None:
        super().__init__(parent)
        self.is_there = False
        self._is_there_now = is_there
        self._looking = QTimer(self, interval=timing.look)
        self._looking.timeout.connect(self._look)
        self._missing = QTimer(self, singleShot=True, interval=timing.grace)
        self._missing.timeout.connect(self._give_up)

    def start(self) -> None:
        """Look for the first time, and go on with it."""
        self._watch_bus()
        self._missing.start()
        self._looking.start()
        self._look()

    def _watch_bus(self) -> None:
        if not sys.platform.startswith("linux"):
            return
        from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

        bus = QDBusConnection.sessionBus()
        if bus.isConnected():
            watcher = QDBusServiceWatcher(_WATCHER, bus, parent=self)
            watcher.serviceOwnerChanged.connect(self._mind_bus)

    def _mind_bus(self, _name: str, _before: str, owner: str) -> None:
        """Once it is there it tells when it goes, and looking costs a few calls."""
        self._look()
        if owner and self.is_there:
            self._looking.stop()
        else:
            self._looking.start()

    def _look(self) -> None:
        if self._is_there_now():
            self._missing.stop()
            if not self.is_there:
                self.is_there = True
                self.changed.emit(True)
        elif self.is_there and not self._missing.isActive():
            self._missing.start()

    def _give_up(self) -> None:
        self.is_there = False
        self.changed.emit(False)
