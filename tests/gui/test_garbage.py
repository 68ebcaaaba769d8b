"""The collector of the app: it runs on the event loop alone, and misses nothing."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.background import Background
from gui.garbage import GarbageCollector

COMPOSED = """
import gc, os
from client.api.launch import DaemonProgram
from client.paths import Paths
from gui.app import Opening, compose
from gui.garbage import GarbageCollector
paths = Paths.of_user()
paths.prepare()
app = compose(paths, DaemonProgram(), Opening())
print(gc.isenabled(), len(app.parent().findChildren(GarbageCollector)), flush=True)
os._exit(0)
"""


class Knot:
    """Garbage that only the collector can remove."""

    def __init__(self, *held: object) -> None:
        self.held = (self, *held)


class Mortal(QWidget):
    """A widget that tells on which thread Python has let go of it."""

    def __init__(self, deaths: list[int]) -> None:
        super().__init__()
        self._deaths = deaths

    def __del__(self) -> None:
        self._deaths.append(threading.get_ident())


@contextmanager
def collections() -> Iterator[list[int]]:
    """The threads on which the collector has run."""
    seen: list[int] = []

    def note(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            seen.append(threading.get_ident())

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


def litter() -> None:
    """Cross every threshold of the collector, the oldest generation's included."""
    for _ in range(200_000):
        Knot()


def test_work_on_a_thread_collects_nothing_there_and_widgets_end_on_the_event_loop(
    qapp: QApplication, qtbot: QtBot
) -> None:
    gc.collect()
    gc.enable()
    owner, deaths = QObject(), list[int]()
    GarbageCollector(owner, interval=1)
    Knot(Mortal(deaths))
    with collections() as seen:
        Background(owner).run(litter, lambda _: None)
        assert QThreadPool.globalInstance().waitForDone(60_000)
        qtbot.waitUntil(lambda: bool(deaths))
    assert {*seen, *deaths} == {threading.get_ident()}


def test_what_has_grown_old_is_collected_once_much_of_it_has_come(qapp: QApplication, qtbot: QtBot) -> None:
    gc.collect()
    owner, deaths = QObject(), list[int]()
    GarbageCollector(owner, interval=1)
    grown_old = [Knot(Mortal(deaths)), *(Knot() for _ in range(len(gc.get_objects()) // 2))]
    gc.collect(1)
    grown_old.clear()
    kept = [Knot()]

    def is_collected() -> bool:
        kept.extend(Knot() for _ in range(1_000))
        return bool(deaths)

    qtbot.waitUntil(is_collected)
    assert deaths == [threading.get_ident()]


def test_the_app_collects_so(tmp_path: Path) -> None:
    environment = {**os.environ, "IDLEBRUSH_HOME": str(tmp_path)}
    command = [sys.executable, "-c", COMPOSED]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.stdout == "False 1\n", ended.stderr
