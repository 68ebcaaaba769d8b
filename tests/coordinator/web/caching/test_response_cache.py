"""Readers are answered from memory: computed once a second at most, told what has not changed, never mixed up."""

import asyncio
import gzip

from starlette.types import Receive, Scope, Send

from coordinator.web.caching.headers import SHARED
from coordinator.web.caching.moving_picture import MOVING_PICTURE
from coordinator.web.caching.response_cache import ResponseCache
from tests.coordinator.web.asgi import AsgiAnswer, ask, scope
from tests.coordinator.web.sites import SiteClock
from tests.waiting import eventually


class CountingApplication:
    """An application whose answers are numbered, and slow if they must wait."""

    def __init__(self, status: int = 200, body: bytes = b"x" * 2000) -> None:
        self.answered = 0
        self.status = status
        self.body = body
        self.headers = [(b"content-type", b"text/html")]
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.answered += 1
        body = b"%d %s" % (self.answered, self.body)
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": body})


async def _times(cache: ResponseCache, *requests: Scope) -> list[AsgiAnswer]:
    return [await ask(cache, request) for request in requests]


def test_an_answer_is_recomputed_only_when_a_second_has_passed() -> None:
    app, clock = CountingApplication(), SiteClock()
    cache = ResponseCache(app, clock.monotonic)
    asyncio.run(_times(cache, scope("/"), scope("/")))
    assert app.answered == 1
    clock.seconds = 1.0
    asyncio.run(_times(cache, scope("/")))
    assert app.answered == 2


def test_many_who_ask_at_once_are_answered_by_one_computation_even_if_the_first_goes_away() -> None:
    async def many() -> list[AsgiAnswer]:
        app.go_on.clear()
        tasks = [asyncio.create_task(ask(cache, scope("/"))) for _ in range(50)]
        await asyncio.sleep(0)
        tasks.pop(0).cancel()
        app.go_on.set()
        return await asyncio.gather(*tasks)

    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic)
    answers = asyncio.run(many())
    assert app.answered == 1
    assert {answer.body for answer in answers} == {b"1 " + app.body}


def test_who_has_the_newest_gets_no_copy_of_it() -> None:
    cache = ResponseCache(CountingApplication(), SiteClock().monotonic)
    (first,) = asyncio.run(_times(cache, scope("/")))
    (second,) = asyncio.run(_times(cache, scope("/", If_None_Match=first.headers["etag"])))
    assert (second.status, second.body) == (304, b"")


def test_text_is_compressed_for_who_takes_it_and_a_head_has_no_body() -> None:
    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic)
    plain, packed, head = asyncio.run(
        _times(cache, scope("/"), scope("/", Accept_Encoding="gzip, br"), scope("/", "HEAD"))
    )
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["content-encoding"] == "gzip"
    assert head.body == b""
    assert head.headers["content-length"] == str(len(plain.body))
    assert app.answered == 1


def test_personal_requests_and_those_that_change_something_are_answered_one_by_one() -> None:
    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic)
    requests = (
        scope("/", Cookie="a=b"),
        scope("/", Authorization="Bearer x"),
        scope("/", "POST"),
        scope("/me"),
        scope("/me/enter"),
        scope("/api/events"),
    )
    answers = asyncio.run(_times(cache, *requests, *requests))
    assert app.answered == 12
    assert not any("etag" in answer.headers for answer in answers)


def test_a_page_whose_address_begins_like_the_personal_one_is_for_everybody() -> None:
    app = CountingApplication()
    asyncio.run(_times(ResponseCache(app, SiteClock().monotonic), scope("/method"), scope("/method")))
    assert app.answered == 1


def test_the_sites_own_files_are_kept_for_whoever_asks_for_as_long_as_they_stay_the_same() -> None:
    app, clock = CountingApplication(), SiteClock()
    app.headers.append((b"cache-control", b"public, immutable"))
    cache = ResponseCache(app, clock.monotonic)
    asyncio.run(_times(cache, scope("/static/1/site.css")))
    clock.seconds = 1e6
    (answer,) = asyncio.run(_times(cache, scope("/static/1/site.css", Cookie="a=b", Accept_Encoding="gzip")))
    assert app.answered == 1
    assert answer.headers["content-encoding"] == "gzip"


def test_the_moving_picture_is_one_answer_for_whoever_asks_and_however() -> None:
    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic)
    with_query = {**scope(MOVING_PICTURE), "query_string": b"again=1"}
    requests = scope(MOVING_PICTURE), scope(MOVING_PICTURE, Cookie="a=b"), with_query
    answers = asyncio.run(_times(cache, *requests))
    assert app.answered == 1
    assert [answer.headers["cache-control"] for answer in answers] == [SHARED, "no-store", SHARED]


def test_a_crowd_of_readers_is_answered_few_at_a_time_and_holds_up_nobody_who_joins() -> None:
    async def crowd() -> None:
        app.go_on.clear()
        readers = [asyncio.create_task(ask(cache, scope(f"/{number}"))) for number in range(5)]
        readers += [asyncio.create_task(ask(cache, scope("/", Cookie=f"a={number}"))) for number in range(5)]
        await eventually(lambda: app.answered == 2, "nobody is answered")
        joining = asyncio.create_task(ask(cache, scope("/api/members", "POST")))
        await eventually(lambda: app.answered == 3, "who joins must wait")
        app.go_on.set()
        await asyncio.gather(joining, *readers)

    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic, at_once=2)
    asyncio.run(crowd())
    assert app.answered == 11


def test_failures_and_answers_with_cookies_are_not_kept() -> None:
    for app in (
        CountingApplication(status=404),
        CountingApplication(status=503),
        CountingApplication(body=b"x" * (1 << 20)),
    ):
        asyncio.run(_times(ResponseCache(app, SiteClock().monotonic), scope("/"), scope("/")))
        assert app.answered == 2
    app = CountingApplication()
    app.headers.append((b"set-cookie", b"a=b"))
    asyncio.run(_times(ResponseCache(app, SiteClock().monotonic), scope("/"), scope("/")))
    assert app.answered == 2


def test_only_so_many_answers_are_kept() -> None:
    app = CountingApplication()
    cache = ResponseCache(app, SiteClock().monotonic, most=3)
    asyncio.run(_times(cache, *(scope(f"/{number}") for number in range(10)), scope("/9"), scope("/0")))
    assert app.answered == 11
