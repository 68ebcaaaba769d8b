"""Runs the app in its own process for `benchmarks.app`: how soon its window is there, and what delays it.

``python -m benchmarks.subjects.app_probe bare`` shows a Qt window with a label: the time that Python and Qt take by
themselves. ``app SECONDS`` starts the app and uses it for that long. Each prints lines of JSON.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TYPE_CHECKING

import psutil
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QScrollArea

if TYPE_CHECKING:
    from gui.settings import Appearance

_BEAT_MILLISECONDS = 5
_DEED_MILLISECONDS = 400
_SIZES = ((1080, 720), (760, 520), (1400, 900))
_PAGES = ("now", "gallery", "contribution", "leaderboard", "preferences", "log", "about")


class FirstPaint(QObject):
    """Calls back once a window was painted for the first time."""

    def __init__(self, app: QApplication, then: Callable[[QMainWindow], None]) -> None:
        super().__init__(app)
        self._app, self._then = app, then
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(watched, QMainWindow) and event.type() is QEvent.Type.UpdateRequest:
            self._app.removeEventFilter(self)
            QTimer.singleShot(0, self, lambda: self._report(watched))
        return False

    def _report(self, window: QMainWindow) -> None:
        took = time.time() - psutil.Process().create_time()
        print(json.dumps({"window": took, "worked": time.process_time()}), flush=True)
        self._then(window)


class EventLoopBeat(QObject):
    """Beats at each turn of the event loop; a beat's delay is the time that a person waits."""

    def __init__(self, doing: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._doing = doing
        self._last = time.perf_counter(), time.thread_time()
        self.late: dict[str, list[tuple[float, float]]] = {}
        """Activity -> delays, each in seconds of wall-clock time and of the loop's own CPU time."""
        timer = QTimer(self, interval=_BEAT_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._beat)
        timer.start()

    def _beat(self) -> None:
        clock, worked = time.perf_counter(), time.thread_time()
        late = max(0.0, clock - self._last[0] - _BEAT_MILLISECONDS / 1000)
        self.late.setdefault(self._doing(), []).append((late, min(late, worked - self._last[1])))
        self._last = clock, worked


class Tour(QObject):
    """Uses the whole app as a person would: each page, scrolled, light and dark, at several sizes."""

    def __init__(self, window: QMainWindow, seconds: float) -> None:
        super().__init__(window)
        self._window, self._ends = window, time.monotonic() + seconds
        self.doing = "opening"
        self._heartbeat = EventLoopBeat(lambda: self.doing, self)
        self._deeds = self._all()
        self._timer = QTimer(self, interval=_DEED_MILLISECONDS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if time.monotonic() < self._ends:
            next(self._deeds)
            return
        self._timer.stop()
        print(json.dumps({"late": self._heartbeat.late}), flush=True)
        QApplication.exit()

    def _all(self) -> Iterator[None]:
        seen: set[str] = set()
        for size in cycle(_SIZES):
            for page in _PAGES:
                self.doing = f"{page}, shown {'again' if page in seen else 'first'}"
                seen.add(page)
                self._window.show_page(page)  # type: ignore[attr-defined]
                yield
                self.doing = f"{page}, scrolled"
                for area in self._window.findChildren(QScrollArea):
                    bar = area.verticalScrollBar()
                    bar.setValue(bar.maximum() - bar.value())
                yield
                yield from self._other_looks(page)
            self.doing = "resized"
            self._window.resize(*size)
            yield

    def _other_looks(self, page: str) -> Iterator[None]:
        """Show that page in the dark look, then in the light one again."""
        from gui.design.theme import current

        looks: tuple[Appearance, ...] = ("dark", "light")
        for look in looks:
            self.doing = f"{page}, in other colours"
            current().set_appearance(look)
            yield


def bare() -> None:
    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(QLabel("Idlebrush"))
    window.resize(*_SIZES[0])
    FirstPaint(app, lambda _: app.exit())
    window.show()
    app.exec()


def used(seconds: float) -> None:
    from client.api.launch import DaemonProgram
    from client.paths import Paths
    from gui.app import Opening, compose

    paths = Paths.of_user()
    paths.prepare()
    app = compose(paths, DaemonProgram(), Opening())
    qt = QApplication.instance()
    assert app
    assert isinstance(qt, QApplication)

    def go_on(window: QMainWindow) -> None:
        Tour(window, seconds) if seconds else qt.exit()

    FirstPaint(qt, go_on)
    app.open()
    qt.exec()


if __name__ == "__main__":
    bare() if sys.argv[1] == "bare" else used(float(sys.argv[2]))
