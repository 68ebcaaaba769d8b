"""Ctrl-C and the system's wish that the app ends, told on the event loop: Python's own handler would raise in it."""

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication


class Signals(QObject):
    """End the event loop on the first of them."""

    def __init__(self, qt: QApplication) -> None:
        super().__init__(qt)
        self._here, there = socket.socketpair()
        for end in (self._here, there):
            end.setblocking(False)
        self._there = there
        signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._end)

    def _note(self, number: int, frame: object) -> None:
        """What wakes the event loop is the byte that Python writes beside this."""

    def _end(self) -> None:
        self._here.recv(64)
        QApplication.exit()
