"""Tasks that are ended have ended when the call returns, however they end."""

import asyncio

from core.tasks import end_tasks


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
