"""A fetch of receipts ends when a client cancels it or stops waiting, and when another one begins."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest

from client.api.errors import StatsError
from client.service.channel.orders import ReceiptFetch


class SlowFetch:
    """A fetch that takes until it is let go."""

    def __init__(self) -> None:
        self.go, self.was_cancelled = asyncio.Event(), False

    async def work(self) -> int:
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        return 3


def on_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    return wraps(test)(lambda: asyncio.run(test()))


async def begun(fetch: ReceiptFetch, slow: SlowFetch) -> asyncio.Task[int]:
    waiting = asyncio.create_task(fetch.fetch(slow.work()))
    while not fetch.is_under_way:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    return waiting


@on_a_loop
async def test_what_nobody_cancels_comes() -> None:
    fetch, slow = ReceiptFetch(), SlowFetch()
    waiting = await begun(fetch, slow)
    slow.go.set()
    assert await waiting == 3
    assert not fetch.is_under_way


@on_a_loop
async def test_one_that_was_cancelled_ends_and_says_so() -> None:
    fetch, slow = ReceiptFetch(), SlowFetch()
    waiting = await begun(fetch, slow)
    fetch.cancel()
    with pytest.raises(StatsError, match="download of the receipts was cancelled"):
        await waiting
    assert slow.was_cancelled
    assert fetch.cancel() == "No receipts are being fetched."


@on_a_loop
async def test_another_one_takes_its_place() -> None:
    fetch, first, second = ReceiptFetch(), SlowFetch(), SlowFetch()
    before = await begun(fetch, first)
    after = await begun(fetch, second)
    with pytest.raises(StatsError):
        await before
    second.go.set()
    assert await after == 3


@on_a_loop
async def test_it_ends_with_whoever_waits_for_it() -> None:
    fetch, slow = ReceiptFetch(), SlowFetch()
    waiting = await begun(fetch, slow)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert slow.was_cancelled
