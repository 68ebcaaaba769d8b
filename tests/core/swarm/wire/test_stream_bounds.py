"""Bounds of callers: what is read ahead of what the handler has asked for, and for how long refusals wait."""

import asyncio

from core.swarm.wire.stream_bounds import MOST_HELD, HeldRefusals, Requests


def test_messages_are_read_ahead_once_the_handler_asks_for_a_second() -> None:
    read: list[int] = []

    async def receive(requests: Requests) -> None:
        while True:
            await requests.room()
            read.append(len(read))
            requests.put(read[-1])

    async def settled() -> int:
        for _ in range(50):
            await asyncio.sleep(0)
        return len(read)

    async def work() -> None:
        requests = Requests()
        reading, asked = asyncio.create_task(receive(requests)), aiter(requests)
        assert await settled() == 0
        assert await anext(asked) == 0
        assert await settled() == 1
        assert await anext(asked) == 1
        ahead = await settled() - 2
        assert 0 < ahead < 10
        assert await anext(asked) == 2
        assert await settled() == 3 + ahead
        reading.cancel()

    asyncio.run(work())


def test_refusals_are_held_back_up_to_a_number() -> None:
    async def scenario() -> None:
        begun, end = 0, asyncio.Event()

        async def sleep(seconds: float) -> None:
            nonlocal begun
            begun += 1
            await end.wait()

        refusals = HeldRefusals(sleep)
        held = [asyncio.create_task(refusals.hold()) for _ in range(MOST_HELD)]
        while begun < MOST_HELD:
            await asyncio.sleep(0)
        await refusals.hold()  # one more is not held
        assert begun == MOST_HELD
        held[0].cancel()  # its caller gave up
        await asyncio.gather(held[0], return_exceptions=True)
        late = asyncio.create_task(refusals.hold())
        while begun == MOST_HELD:
            await asyncio.sleep(0)
        end.set()
        await asyncio.gather(late, *held[1:])

    asyncio.run(scenario())
