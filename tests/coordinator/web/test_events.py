"""The stream of events: everybody gets the newest, nobody can hold more than their share, and it ends in order."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

import httpx2
from starlette.types import Message

from coordinator.errors import DatabaseError
from coordinator.web.app import create_app
from coordinator.web.events import Broadcast, EventStream, Listener
from tests.coordinator.web.asgi import scope
from tests.coordinator.web.conftest import GENEROUS
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import ServedSite, SiteClock, say_now
from tests.waiting import eventually


class Numbers:
    """A source of JSON, which tests change and which can fail."""

    def __init__(self) -> None:
        self.newest: str | None = None
        self.reads = 0
        self.fails = False

    def __call__(self) -> str | None:
        self.reads += 1
        if self.fails:
            raise DatabaseError("The database is away.", "Wait.")
        return self.newest


def broadcasting(test: Callable[[Broadcast, Numbers, SiteClock], Awaitable[None]]) -> None:
    async def run() -> None:
        numbers, clock = Numbers(), SiteClock()
        broadcast = Broadcast(numbers, clock.monotonic, interval=0.001, most=3, most_of_a_client=2)
        await test(broadcast, numbers, clock)
        broadcast.close()

    asyncio.run(run())


async def _next(listener: Listener) -> str | None:
    """The data of what it is told next; None at its end."""
    async with asyncio.timeout(5):
        chunk = await listener.next()
    if chunk is None:
        return None
    return chunk.decode().removeprefix("event: status\ndata: ").removesuffix("\n\n")


def test_every_listener_gets_what_is_newest_and_later_changes() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        numbers.newest = "1"
        with broadcast.listening("a") as first, broadcast.listening("b") as second:
            assert [await _next(first), await _next(second)] == ["1", "1"]
            numbers.newest = "2"
            assert [await _next(first), await _next(second)] == ["2", "2"]
            with broadcast.listening("c") as late:
                assert await _next(late) == "2"

    broadcasting(listen)


def test_who_reads_slowly_misses_what_was_overtaken_and_holds_nobody_up() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        with broadcast.listening("a") as slow, broadcast.listening("b") as quick:
            numbers.newest = "0"
            assert [await _next(slow), await _next(quick)] == ["0", "0"]
            for newest in ("1", "2", "3"):
                numbers.newest = newest
                assert await _next(quick) == newest
            assert await _next(slow) == "3"

    broadcasting(listen)


def test_without_news_all_hear_now_and_then_that_the_site_lives() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        numbers.newest = "1"
        with broadcast.listening("a") as idle, broadcast.listening("b") as busy:
            assert await _next(idle) == "1"
            clock.seconds += 15
            assert await _next(idle) == ": still here"
            assert await _next(busy) == "1"  # which it had not taken, and which says as much

    broadcasting(listen)


def test_a_client_has_so_many_streams_and_all_together_so_many() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        with broadcast.listening("a"):
            with broadcast.listening("a"), broadcast.listening("b"):
                assert not broadcast.admits("a")
                assert not broadcast.admits("c")
                with broadcast.listening("c") as refused:
                    assert await _next(refused) is None
            assert broadcast.admits("a")

    broadcasting(listen)


def test_nothing_is_read_while_nobody_listens() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        numbers.newest = "1"
        with broadcast.listening("a") as listener:
            await _next(listener)
        await eventually(lambda: broadcast.is_idle, "it reads on")
        reads = numbers.reads
        with broadcast.listening("a") as listener:
            assert await _next(listener) == "1"
            await eventually(lambda: numbers.reads > reads, "it does not read again")

    broadcasting(listen)


def test_a_database_that_is_away_for_a_while_ends_no_stream() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        numbers.fails = True
        with broadcast.listening("a") as listener:
            await eventually(lambda: numbers.reads > 2, "it gives up")
            numbers.fails, numbers.newest = False, "1"
            assert await _next(listener) == "1"

    broadcasting(listen)


def test_closing_ends_all_streams_and_admits_nobody() -> None:
    async def listen(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        numbers.newest = "1"
        with broadcast.listening("a") as listener:
            await _next(listener)
            broadcast.close()
            assert await _next(listener) is None
            assert not broadcast.admits("b")

    broadcasting(listen)


def test_whoever_leaves_makes_room_without_waiting_for_news() -> None:
    async def leave(broadcast: Broadcast, numbers: Numbers, clock: SiteClock) -> None:
        async def gone() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        sent: list[Message] = []
        async with asyncio.timeout(5):
            await EventStream(broadcast, "a")(scope(), gone, send)
        assert sent[0]["status"] == 200
        await eventually(lambda: broadcast.is_idle, "its place is still taken")

    broadcasting(leave)


def test_the_stream_has_the_status_of_the_api_and_is_pushed_when_the_database_changes(
    changing: ServedSite,
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


def test_too_many_streams_of_one_client_are_refused(changing: ServedSite) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(served(create_app(changing.context, GENEROUS)))
        client = stack.enter_context(httpx2.Client(base_url=address, timeout=20))
        statuses = [stack.enter_context(client.stream("GET", "/api/events")).status_code for _ in range(13)]
    assert statuses == [200] * 12 + [503]
