"""The stream of events: everybody gets the newest, nobody can hold more than their share, and it ends in order."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import ExitStack

import httpx2
from sse_starlette import ServerSentEvent

from coordinator.errors import DatabaseError
from coordinator.web.app import create_app
from coordinator.web.events import Broadcast
from tests.coordinator.web.conftest import GENEROUS
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import Site, say_now
from tests.waiting import eventually


class Numbers:
    """What is read: JSON that the test changes."""

    def __init__(self) -> None:
        self.newest: str | None = None
        self.reads = 0
        self.fails = False

    def __call__(self) -> str | None:
        self.reads += 1
        if self.fails:
            raise DatabaseError("The database is away.", "Wait.")
        return self.newest


def broadcasting(test: Callable[[Broadcast, Numbers], Awaitable[None]]) -> None:
    async def run() -> None:
        numbers = Numbers()
        broadcast = Broadcast(numbers, interval=0.001, most=3, most_of_a_client=2)
        await test(broadcast, numbers)
        broadcast.close()

    asyncio.run(run())


async def _next(events: AsyncGenerator[ServerSentEvent, None]) -> str | None:
    async with asyncio.timeout(5):
        try:
            return str((await anext(events)).data)
        except StopAsyncIteration:
            return None


def test_every_listener_gets_what_is_newest_and_later_changes() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        numbers.newest = "1"
        first, second = (broadcast.listen(client) for client in "ab")
        assert [await _next(first), await _next(second)] == ["1", "1"]
        numbers.newest = "2"
        assert [await _next(first), await _next(second)] == ["2", "2"]
        late = broadcast.listen("c")
        assert await _next(late) == "2"

    broadcasting(listen)


def test_who_reads_slowly_misses_what_was_overtaken_and_holds_nobody_up() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        slow, quick = (broadcast.listen(client) for client in "ab")
        numbers.newest = "0"
        assert [await _next(slow), await _next(quick)] == ["0", "0"]
        for newest in ("1", "2", "3"):
            numbers.newest = newest
            assert await _next(quick) == newest
        assert await _next(slow) == "3"

    broadcasting(listen)


def test_a_client_has_so_many_streams_and_all_together_so_many() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        numbers.newest = "1"
        streams = [broadcast.listen(client) for client in "aab"]
        for stream in streams[:2]:
            await _next(stream)
        assert not broadcast.admits("a")
        assert await _next(broadcast.listen("a")) is None
        assert broadcast.admits("b")
        await _next(streams[2])
        assert not broadcast.admits("c")
        await streams[0].aclose()
        assert broadcast.admits("a")

    broadcasting(listen)


def test_nothing_is_read_while_nobody_listens() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        numbers.newest = "1"
        stream = broadcast.listen("a")
        await _next(stream)
        await stream.aclose()
        await eventually(lambda: broadcast.is_idle, "it reads on")
        reads = numbers.reads
        assert await _next(broadcast.listen("a")) == "1"
        await eventually(lambda: numbers.reads > reads, "it does not read again")

    broadcasting(listen)


def test_a_database_that_is_away_for_a_while_ends_no_stream() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        numbers.fails = True
        waiting = asyncio.create_task(_next(broadcast.listen("a")))
        await eventually(lambda: numbers.reads > 2, "it gives up")
        numbers.fails, numbers.newest = False, "1"
        assert await waiting == "1"

    broadcasting(listen)


def test_closing_ends_all_streams_and_admits_nobody() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers) -> None:
        numbers.newest = "1"
        stream = broadcast.listen("a")
        await _next(stream)
        broadcast.close()
        assert await _next(stream) is None
        assert not broadcast.admits("b")

    broadcasting(listen)


def test_the_stream_has_the_status_of_the_api_and_is_pushed_when_the_database_changes(
    changing: Site,
) -> None:
    say_now(changing, 7)
    with (
        served(create_app(changing.context, GENEROUS)) as address,
        httpx2.Client(base_url=address, timeout=20) as client,
        client.stream("GET", "/api/events") as stream,
    ):
        lines = (line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)) == client.get("/api/status").json()
        say_now(changing, 8)
        assert json.loads(next(lines))["epoch"] == 8
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "content-security-policy" in stream.headers


def test_too_many_streams_of_one_client_are_refused(changing: Site) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(served(create_app(changing.context, GENEROUS)))
        client = stack.enter_context(httpx2.Client(base_url=address, timeout=20))
        statuses = [stack.enter_context(client.stream("GET", "/api/events")).status_code for _ in range(13)]
    assert statuses == [200] * 12 + [503]
