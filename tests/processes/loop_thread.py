"""An event loop in a thread of its own, for what has to go on while a test blocks."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from tests.waiting import DEADLINE

T = TypeVar("T")


class LoopThread:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run it in that thread, while this one goes on."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine in the loop's thread, and return its result once it has finished."""
        return self.begin(work).result(DEADLINE)

    def call(self, deed: Callable[[], object]) -> None:
        """Have it called there soon."""
        self._loop.call_soon_threadsafe(deed)

    def end(self) -> None:
        """Whatever still runs there is left as it is."""
        self.call(self._loop.stop)
        self._thread.join()
        self._loop.close()
