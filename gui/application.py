"""The application object, and what the system says to it: a link or a file that was clicked, and signals to end."""

import signal
import socket

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

_ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGBREAK")
"""Names of signals, the last of which only Windows has."""


class IdlebrushApplication(QApplication):
    """The application object; macOS hands a link or a file that was clicked to it, also while the app runs."""

    opened = Signal(str)
    """Emitted with the link or the path that was clicked."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.opened.emit(opened_by(event))
            return True
        return super().event(event)


def opened_by(event: QFileOpenEvent) -> str:
    """Return the link as it was clicked, with its percent-encoding, or the path of a file."""
    return event.file() or bytes(event.url().toEncoded().data()).decode()


class SystemSignals(QObject):
    """Ends Qt's event loop at a signal that asks the app to end."""

    def __init__(self, qt: QApplication) -> None:
        super().__init__(qt)
        self._here, there = socket.socketpair()
        for end in (self._here, there):
            end.setblocking(False)
        self._there = there
        signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        for name in _ENDING_SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._note)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._end)

    def _note(self, number: int, frame: object) -> None:
        """Do nothing: Python wakes the event loop by a byte that it writes to the socket."""

    def _end(self) -> None:
        self._here.recv(64)
        QApplication.exit()
