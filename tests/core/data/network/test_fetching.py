"""Parts of files arrive whole whatever the network does, unless they cannot; reading can be cut off at any moment."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import huggingface_hub
import pytest
from huggingface_hub.utils._http import default_client_factory

from core.data.listing import RefusedError
from core.data.network.fetching import Fetcher
from core.errors import DataError
from core.network.pause_token import Ended, PauseToken
from core.network.persistence import Outage
from tests.core.data.network.certificate import loopback_trust
from tests.core.data.network.shard_server import AnswerFault, ShardServer, shard_server
from tests.core.network.impatient import Impatient

NAME, CONTENT = "shard.parquet", bytes(range(256)) * 1000


def fetched(server: ShardServer, pause_token: PauseToken | None = None) -> bytes:
    return Fetcher(pause_token or Impatient()).fetch(server.url(NAME), 1000, 200_000)


@pytest.mark.parametrize(
    ("faults", "waits"),
    [
        ([], 0),
        ([AnswerFault(status=503)], 1),
        ([AnswerFault(status=429), AnswerFault(status=500), AnswerFault(status=504)], 3),
        ([AnswerFault(status=520), AnswerFault(headers={"Content-Range": "bytes 1000-199999/256000"})], 1),
        ([AnswerFault(after=70_000)], 1),
        ([AnswerFault(after=70_000, sized=False)], 1),
        (
            [AnswerFault(after=0), AnswerFault(after=150_000), AnswerFault(status=502), AnswerFault(after=1)],
            4,
        ),
    ],
)
def test_what_is_cut_off_or_refused_for_now_is_asked_for_again(faults: list[AnswerFault], waits: int) -> None:
    pause_token = Impatient()
    with shard_server({NAME: CONTENT}) as server:
        server.faults.extend(faults)
        assert fetched(server, pause_token) == CONTENT[1000:200_000]
        assert server.sent == 199_000, "what has come is not asked for again"
    assert len(pause_token.slept) == waits


def test_a_server_that_is_away_is_tried_until_nobody_wants_it() -> None:
    class Limited(Impatient):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if len(self.slept) == 5:
                self.end()

    pause_token = Limited()
    with shard_server({NAME: CONTENT}) as server:
        away = server.url(NAME)
    with pytest.raises(Ended):
        Fetcher(pause_token).fetch(away, 0, 10)
    assert len(pause_token.slept) == 5


def test_a_server_may_ask_to_be_left_alone() -> None:
    pause_token = Impatient()
    with shard_server({NAME: CONTENT}) as server:
        server.faults.append(AnswerFault(status=429, headers={"Retry-After": "77"}))
        assert fetched(server, pause_token) == CONTENT[1000:200_000]
    assert pause_token.slept == [77]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (AnswerFault(status=404), "no such file"),
        (AnswerFault(status=416), "no such part"),
        (AnswerFault(status=200), "does not answer range requests"),
        (AnswerFault(status=501), "cannot be fetched"),
        (AnswerFault(headers={"Content-Range": "bytes 0-198999/256000"}), "does not answer range requests"),
        (AnswerFault(status=400), "cannot be fetched"),
    ],
)
def test_what_will_not_change_is_an_error_at_once(fault: AnswerFault, words: str) -> None:
    with shard_server({NAME: CONTENT}) as server:
        server.faults.append(fault)
        with pytest.raises(DataError, match=words) as refusal:
            fetched(server)
        assert len(server.asked) == 1
    assert not isinstance(refusal.value, RefusedError)


@pytest.mark.parametrize(
    "fault",
    [
        AnswerFault(status=401),
        AnswerFault(status=403),
        AnswerFault(status=404, headers={"X-Error-Code": "RepoNotFound"}),
    ],
)
def test_a_data_set_that_is_not_handed_out_is_distinguished_from_a_missing_file(fault: AnswerFault) -> None:
    with shard_server({NAME: CONTENT}) as server:
        server.faults.append(fault)
        with pytest.raises(RefusedError):
            fetched(server)


def test_a_file_that_is_shorter_than_was_announced_is_an_error() -> None:
    with shard_server({NAME: CONTENT[:5000]}) as server, pytest.raises(DataError, match="shorter"):
        fetched(server)


def background(work: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    """Runs it in a thread; the list gets what it returns or raises."""
    results: list[object] = []

    def run() -> None:
        try:
            results.append(work())
        except Ended as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, results


def test_ending_wakes_a_reader_that_waits_for_the_network() -> None:
    pause_token = PauseToken()
    with shard_server({NAME: CONTENT}) as server:
        server.faults.append(AnswerFault(after=100, stalls=True))
        thread, results = background(lambda: fetched(server, pause_token))
        assert server.stalled.wait(20)
        pause_token.end()
        thread.join(20)
    assert isinstance(results[0], Ended)


def test_a_held_reader_lets_the_connection_go_and_comes_back_for_the_rest() -> None:
    class CountedPause(PauseToken):
        def wait(self) -> None:
            asking.release()
            super().wait()

    asking, pause_token = threading.Semaphore(0), CountedPause()
    with shard_server({NAME: CONTENT}) as server:
        server.faults.append(AnswerFault(after=100_000, stalls=True))
        thread, results = background(lambda: fetched(server, pause_token))
        assert server.stalled.wait(20)
        pause_token.hold()
        for _ in range(2):  # before the first request, and before one for the rest
            assert asking.acquire(timeout=20)
        assert not results
        assert len(server.asked) == pause_token.interruptions == 1
        pause_token.go_on()
        thread.join(20)
        assert results == [CONTENT[1000:200_000]]
        assert len(server.asked) == 2


@contextmanager
def clients(make: Callable[[], httpx2.Client]) -> Iterator[None]:
    """Have huggingface_hub read with the clients that ``make`` returns."""
    huggingface_hub.set_client_factory(make)
    try:
        yield
    finally:
        huggingface_hub.set_client_factory(default_client_factory)


class HeldBody(httpx2.SyncByteStream):
    """An answer's body of which, after the first piece, nothing is read before that is allowed."""

    def __init__(
        self, stream: httpx2.SyncByteStream, reached: threading.Event, allowed: threading.Event
    ) -> None:
        self._stream, self._reached, self._allowed = stream, reached, allowed

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            yield piece
            self._reached.set()
            self._allowed.wait(20)

    def close(self) -> None:
        self._stream.close()


@pytest.mark.parametrize("secure", [False, True])
def test_what_has_arrived_when_reading_is_held_is_not_taken_for_something_else(
    tmp_path: Path, secure: bool
) -> None:
    trust, reached, allowed = loopback_trust(tmp_path), threading.Event(), threading.Event()

    def gate(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = HeldBody(response.stream, reached, allowed)

    def client() -> httpx2.Client:
        return httpx2.Client(verify=trust.client, event_hooks={"response": [gate]})

    pause_token, content = PauseToken(), random.Random(0).randbytes(1 << 23)
    with shard_server({NAME: content}, trust.server if secure else None) as server, clients(client):
        url = server.url(NAME)
        thread, results = background(lambda: Fetcher(pause_token).fetch(url, 0, len(content)))
        assert reached.wait(20)
        pause_token.hold()  # while the reader does something else, and more has arrived than it has read
        allowed.set()
        pause_token.go_on()
        thread.join(20)
    assert pause_token.interruptions == 1
    assert len(server.asked) > 1
    assert [result == content for result in results] == [True]


def test_an_outage_is_reported_at_once_if_the_server_asks_for_a_long_wait() -> None:
    notices = list[str]()
    Outage(Impatient(), notices.append, "training data", clock=lambda: 0.0).failed(
        "the server answers 429", 600.0
    )
    assert len(notices) == 1


def test_an_outage_is_reported_once_and_so_is_its_end() -> None:
    now, notices = [0.0], list[str]()
    outage = Outage(Impatient(), notices.append, "training data", clock=lambda: now[0], draw=lambda: 0.0)
    for _ in range(10):
        outage.failed("no route")
        now[0] += 10
    assert len(notices) == 1
    assert "no route" in notices[0]
    outage.over()
    outage.over()
    outage.failed("no route")
    assert len(notices) == 2
