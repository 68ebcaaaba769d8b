"""Detects whether a host shows tray icons; it may start after the app, restart, or be missing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

if TYPE_CHECKING:
    from gui.tray.session_bus import TrayWatcher


@dataclass(frozen=True)
class HostTiming:
    """Times in milliseconds."""

    look: int = 2_000
    """Interval of checks for a host that announces no changes."""
    grace: int = 6_000
    """Grace period for a panel that restarts, or that starts after the app at login."""


class TrayHost(QObject):
    """Checks for a host at intervals, and when D-Bus reports a change."""

    changed = Signal(bool)
    """Emitted with whether there is a host; a missing host is reported after the grace period."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        watcher: "TrayWatcher | None" = None,
        is_there: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        timing: HostTiming = HostTiming(),
    ) -> None:
        """Ask ``watcher`` first if hosts are on a bus, because ``is_there`` waits for the bus."""
        super().__init__(parent)
        self.is_there = False
        self._watcher, self._is_there_now = watcher, is_there
        self._is_asking = False
        self._checking = QTimer(self, interval=timing.look)
        self._checking.timeout.connect(self._check)
        self._missing = QTimer(self, singleShot=True, interval=timing.grace)
        self._missing.timeout.connect(self._report_missing)

    def start(self) -> None:
        """Check now, and continue at intervals."""
        if self._watcher is not None:
            self._watcher.changed.connect(self._check)
        self._missing.start()
        self._checking.start()
        self._check()

    def _check(self) -> None:
        """Ask Qt only after bus and watcher have answered, because Qt waits up to 25 s for each."""
        if self._watcher is None:
            self._update()
        elif not self._is_asking:
            self._is_asking = True
            self._watcher.ask(self._update_by)

    def _update_by(self, is_on_bus: bool) -> None:
        self._is_asking = False
        self._update()
        if is_on_bus and self.is_there:  # a host on the bus announces its end
            self._checking.stop()
        elif not self._checking.isActive():
            self._checking.start()

    def _update(self) -> None:
        if self._is_there_now():
            self._missing.stop()
            if not self.is_there:
                self.is_there = True
                self.changed.emit(True)
        elif self.is_there and not self._missing.isActive():
            self._missing.start()

    def _report_missing(self) -> None:
        self.is_there = False
        self.changed.emit(False)
