"""Whether there is something that shows tray icons: it may come after the app, restart, or be missing altogether."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

if TYPE_CHECKING:
    from gui.tray.watcher import Watcher


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
        watcher: "Watcher | None" = None,
        is_there: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        timing: HostTiming = HostTiming(),
    ) -> None:
        """``watcher``: where hosts may be on a bus, which ``is_there`` waits for."""
        super().__init__(parent)
        self.is_there = False
        self._watcher, self._is_there_now = watcher, is_there
        self._is_asking = False
        self._looking = QTimer(self, interval=timing.look)
        self._looking.timeout.connect(self._look)
        self._missing = QTimer(self, singleShot=True, interval=timing.grace)
        self._missing.timeout.connect(self._give_up)

    def start(self) -> None:
        """Look for the first time, and go on with it."""
        if self._watcher is not None:
            self._watcher.changed.connect(self._look)
        self._missing.start()
        self._looking.start()
        self._look()

    def _look(self) -> None:
        """Qt waits for the bus and the watcher for up to 25 s each: it is asked only when both have just answered."""
        if self._watcher is None:
            self._judge()
        elif not self._is_asking:
            self._is_asking = True
            self._watcher.ask(self._judge_by)

    def _judge_by(self, is_on_bus: bool) -> None:
        self._is_asking = False
        self._judge()
        if is_on_bus and self.is_there:  # it tells when it goes, and looking costs a few calls
            self._looking.stop()
        elif not self._looking.isActive():
            self._looking.start()

    def _judge(self) -> None:
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
