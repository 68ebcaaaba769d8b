"""Work of the app that may take long, on the threads of Qt's pool; what comes of it is told on the event loop."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool, Signal, Slot

T = TypeVar("T")
Fault = OSError | ValueError
"""What work may raise: files that cannot be read or written, and contents that are none of ours."""


class _Courier(QObject):
    """Has no parent: it lives for as long as somebody may send by it, and sends to nobody once they are gone."""

    arrived = Signal(int, object)


@dataclass(frozen=True)
class _Failure:
    error: Fault


class Background(QObject):
    """Whoever asks is its parent: nothing is told any more once that is gone."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: dict[int, tuple[Callable[[Any], None], Callable[[Fault], None]]] = {}
        self._number = 0
        self._courier = _Courier()
        self._courier.arrived.connect(self._take)

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def run(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Fault], None] | None = None
    ) -> None:
        """Carry it out beside the event loop; then one of both is called, on the event loop.

        ``work`` may touch no widget, and raises nothing but `Fault`, which without ``failed`` is passed over.
        """
        self._number += 1
        self._waiting[self._number] = (done, failed or _pass_over)
        QThreadPool.globalInstance().start(partial(_carry_out, work, self._number, self._courier))

    @Slot(int, object)
    def _take(self, number: int, result: object) -> None:
        done, failed = self._waiting.pop(number)
        if isinstance(result, _Failure):
            failed(result.error)
        else:
            done(result)


def _carry_out(work: Callable[[], object], number: int, courier: _Courier) -> None:
    result: object
    try:
        result = work()
    except (OSError, ValueError) as error:
        result = _Failure(error)
    with suppress(RuntimeError):  # PySide ends every QObject when the app ends, whoever still holds it
        courier.arrived.emit(number, result)


def _pass_over(error: Fault) -> None:
    """What cannot be had is not shown."""
