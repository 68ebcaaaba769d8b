"""Runs work beside the event loop that may block, in a thread that never delays the process's exit.

`concurrent.futures` waits for its threads when a process exits: one that hangs in a driver would hold it for ever.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class SideThread:
    """Does one piece of work after the other, from its creation until it is closed."""

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    async def do(self, work: Callable[[], T]) -> T:
        """Run the work in the thread; returns or raises what it does."""
        outcome: Future[T] = Future()
        self._waiting.put(lambda: _settle(outcome, work))
        return await asyncio.wrap_future(outcome)

    def close(self, last: Callable[[], None] | None = None) -> None:
        """End the thread after the queued work and ``last``, without waiting for them."""
        if last is not None:
            self._waiting.put(lambda: _settle(Future(), last))
        self._waiting.put(None)

    def _run(self) -> None:
        for piece in iter(self._waiting.get, None):
            piece()


async def in_thread(work: Callable[[], T]) -> T:
    """Run what may block in a thread of its own."""
    thread = SideThread("check")
    try:
        return await thread.do(work)
    finally:
        thread.close()


def _settle(outcome: "Future[T]", work: Callable[[], T]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
        outcome.set_exception(error)
