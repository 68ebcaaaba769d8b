"""Tasks that are ended have ended when the call returns, and limits of time swallow no cancellation."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from core.tasks import each_within, end_tasks, within
from tests.virtual_time import run_in_virtual_time


def test_all_have_ended_when_it_returns() -> None:
    cleaned: list[str] = []

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # cleaning up takes a turn of the loop
            cleaned.append("hanging")

    async def fail() -> None:
        raise ValueError("a result that no one asks for")

    async def work() -> list[bool]:
        tasks = [asyncio.create_task(hang()), asyncio.create_task(fail())]
        await asyncio.sleep(0)
        await end_tasks(tasks)
        return [task.done() for task in tasks]

    assert asyncio.run(work()) == [True, True]
    assert cleaned == ["hanging"]


def test_a_cancellation_that_comes_as_the_result_does_is_not_lost() -> None:
    async def work() -> None:
        result = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(within(60, result))
        await asyncio.sleep(0)
        result.set_result("it comes")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(work())


def test_items_may_take_their_time_each() -> None:
    async def every(*pauses: float) -> AsyncIterator[float]:
        for pause in pauses:
            await asyncio.sleep(pause)
            yield pause

    async def work() -> None:
        items = each_within(2.0, every(1.5, 1.9, 2.1, 0.0))
        assert [await anext(items), await anext(items)] == [1.5, 1.9]
        with pytest.raises(TimeoutError):
            await anext(items)
        assert [item async for item in each_within(2.0, every(1.0, 1.0))] == [1.0, 1.0]

    run_in_virtual_time(work())
