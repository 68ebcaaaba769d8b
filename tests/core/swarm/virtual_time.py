"""A clock that only moves when everybody sleeps: interleavings are chosen by the test and take no time."""

import asyncio
import heapq
from collections.abc import Coroutine
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

_STEPS = 20
"""Turns of the event loop in which whatever can go on without time passing has gone on."""


class VirtualTime:
    """Seconds that pass in no time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._order), woken))
        await woken

    def run(self, *work: Coroutine[Any, Any, T]) -> list[T]:
        """Run all to their ends, beginning at once; returns their results."""
        return asyncio.run(self._run(work))

    async def _run(self, work: tuple[Coroutine[Any, Any, T], ...]) -> list[T]:
        tasks = [asyncio.create_task(item) for item in work]
        while True:
            for _ in range(_STEPS):
                await asyncio.sleep(0)
            if all(task.done() for task in tasks):
                return [task.result() for task in tasks]
            assert self._sleepers, "everybody waits for something other than time"
            self.now, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():  # a task that was ended sleeps no more
                woken.set_result(None)
