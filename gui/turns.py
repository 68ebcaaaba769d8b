"""Work on widgets that is too long for one turn of the event loop: done in turns of a few milliseconds."""

from collections.abc import Iterator

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

_LONGEST_MS = 8
"""After which the event loop gets its turn: half a frame."""


class Turns(QObject):
    """One work at a time: another one takes its place."""

    def __init__(self, parent: QObject, *, rest: int = 0) -> None:
        """``rest``: milliseconds between two turns, for work that is not waited for."""
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._again = QTimer(self, singleShot=True, interval=rest)
        self._again.timeout.connect(self._go_on)

    def begin(self, steps: Iterator[None]) -> None:
        """Its first steps are made at once."""
        self._steps = steps
        self._go_on()

    def _go_on(self) -> None:
        self._again.stop()
        clock = QElapsedTimer()
        clock.start()
        for _ in self._steps:
            if clock.elapsed() >= _LONGEST_MS:
                self._again.start()
                return
