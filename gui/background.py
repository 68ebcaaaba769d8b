"""Work that takes long: on threads or in short turns of the event loop, with files written whole."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import (
    QCoreApplication,
    QElapsedTimer,
    QIODevice,
    QObject,
    QSaveFile,
    Qt,
    QThreadPool,
    QTimer,
    Signal,
    Slot,
)
from shiboken6 import isValid

T = TypeVar("T")
FileFault = OSError | ValueError
"""Errors that work may raise: files that cannot be read or written, and invalid contents."""
_LONGEST_MS = 8
"""Longest turn in milliseconds, half a frame; then the event loop continues."""


@dataclass(frozen=True)
class _TaskFailure:
    error: FileFault


@dataclass(frozen=True)
class _Task:
    asker: "Background"
    done: Callable[[Any], None]
    failed: Callable[[FileFault], None]


class _ResultSender(QObject):
    """Takes results from threads to the event loop.

    There is one in the application, which owns it: a thread that held the last reference to a Qt object would destroy
    it there. For the same reason threads are given nothing but the work and a number.
    """

    arrived = Signal(int, object)

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._tasks: dict[int, _Task] = {}
        self._numbers = itertools.count()
        self.arrived.connect(self._take)

    def start(self, work: Callable[[], object], task: _Task) -> None:
        number = next(self._numbers)
        self._tasks[number] = task
        QThreadPool.globalInstance().start(partial(_carry_out, work, number, self))

    @Slot(int, object)
    def _take(self, number: int, result: object) -> None:
        task = self._tasks.pop(number)
        if not isValid(task.asker):
            return
        task.asker.has_ended()
        if isinstance(result, _TaskFailure):
            task.failed(result.error)
        else:
            task.done(result)


class Background(QObject):
    """Runs work on threads for its parent; results are dropped once the parent is deleted."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sender = _sender_of_application()
        self._running = 0

    @property
    def is_busy(self) -> bool:
        return self._running > 0

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[FileFault], None] | None = None,
    ) -> None:
        """Run work beside the event loop, then call ``done`` or ``failed`` on the event loop.

        ``work`` may touch no widget, hold none, and raise only `FileFault`. Without ``failed``, a fault is ignored.
        """
        self._running += 1
        self._sender.start(work, _Task(self, done, failed or _ignore))

    def has_ended(self) -> None:
        """Count one piece of work as done."""
        self._running -= 1


def _sender_of_application() -> _ResultSender:
    application = QCoreApplication.instance()
    assert application is not None
    found = application.findChild(_ResultSender, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found or _ResultSender(application)


def _carry_out(work: Callable[[], object], number: int, sender: _ResultSender) -> None:
    result: object
    try:
        result = work()
    except (OSError, ValueError) as error:
        result = _TaskFailure(error)
    # PySide deletes every QObject when the app ends, even those that are still referenced.
    with suppress(RuntimeError):
        sender.arrived.emit(number, result)


def _ignore(error: FileFault) -> None:
    """Ignore a fault; what could not be loaded is not shown."""


class EventLoopTurns(QObject):
    """Runs one piece of work in turns; new work replaces the current work."""

    def __init__(self, parent: QObject, *, rest: int = 0) -> None:
        """Take turns, with a pause of ``rest`` milliseconds between two turns for work that is not urgent."""
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._again = QTimer(self, singleShot=True, interval=rest)
        self._again.timeout.connect(self._go_on)

    @property
    def is_working(self) -> bool:
        """True while steps are left."""
        return self._again.isActive()

    def begin(self, steps: Iterator[None]) -> None:
        """Begin new work; its first steps run at once."""
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


def write_file(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all. Raises OSError."""
    file = QSaveFile(str(path))
    is_open = file.open(QIODevice.OpenModeFlag.WriteOnly)
    if not (is_open and file.write(content) == len(content) and file.commit()):
        raise OSError(file.errorString())


def copy_file(source: Path, target: Path) -> None:
    """Copy a file as a whole or not at all. Raises OSError."""
    write_file(target, source.read_bytes())
