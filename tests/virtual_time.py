"""An event loop whose time passes only while all of its tasks wait, so that a busy machine changes no outcome."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

R = TypeVar("R")


class _Leap(selectors.DefaultSelector):
    """Waits for nothing: what it was to wait is added to the time that has passed."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)  # only another thread can wake the loop
        found = super().select(0)
        if not found:
            self.passed += max(0.0, timeout)
        return found


class _AtOnce(ThreadPoolExecutor):
    """Runs what it is given in the thread that gives it: the time of a loop must not pass meanwhile."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **options))
        except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
            future.set_exception(error)
        return future


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._leap = _Leap()
        super().__init__(self._leap)
        self.set_default_executor(_AtOnce())

    def time(self) -> float:
        return self._leap.passed


def run_in_virtual_time(scene: Coroutine[Any, Any, R]) -> R:
    """Run ``scene`` to its end, and return its result.

    Nothing in it may wait for the world outside: sockets and threads take no time, and may come after every timer.
    """
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(scene)
