"""Ends tasks of an event loop, and waits for results within a time limit."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Collection
from typing import Any, TypeVar

R = TypeVar("R")


async def end_tasks(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel ``tasks``, and return once all have ended; their results and errors are dropped."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def within(seconds: float, awaited: Awaitable[R]) -> R:
    """Return the result of ``awaited``; raise TimeoutError if it takes more than ``seconds``.

    A cancellation is always raised. `asyncio.wait_for` of Python 3.11 drops one that comes as the result does; a task
    that others had cancelled went on then, and they waited for it.
    """
    async with asyncio.timeout(seconds):
        return await awaited


async def each_within(seconds: float, stream: AsyncIterable[R]) -> AsyncIterator[R]:
    """Yield the items of ``stream``; raise TimeoutError if one of them takes more than ``seconds``."""
    iterator = aiter(stream)
    while True:
        try:
            item = await within(seconds, anext(iterator))
        except StopAsyncIteration:
            return
        yield item
