"""No more of a caller's messages is read than the handler has asked for, until it has looked at the first."""

import asyncio

from core.swarm.wire.stream_bounds import Requests


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
