"""A file is fetched by its digest from servers that break, refuse, trickle and lie, and may be held meanwhile."""

import hashlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from client.api.errors import DownloadError, DownloadInterrupted
from client.environment.tasks import SETUP_ORDERS
from client.fetching.control import CapFetch, FetchControl, GoOnFetch, HoldFetch
from client.fetching.files import FileFetcher, WantedFile, WrongDigest, missing_bytes, shortage
from client.fetching.part_file import part_of
from client.fetching.web_client import SpeedFloor, WebClient, Wording
from core.http_client import HttpClient, HttpLimits
from core.messages.lines import decode, encode
from core.network.pause_token import Ended, PauseToken
from core.network.persistence import Outage
from core.swarm.bandwidth import Line
from tests.client.run_server import (
    Deed,
    Handler,
    RunServer,
    broken_off,
    endless,
    missing,
    other,
    serve,
    serving,
    silent,
    stalled,
    to,
    without_ranges,
)
from tests.core.network.impatient import Impatient

CONTENT = random.Random(0).randbytes(300_000)
WORDING = Wording("the listed file", "Tell its publisher.", "do not go on")
DIGEST = hashlib.sha256(CONTENT).hexdigest()
FLOOR = SpeedFloor(rate=50_000.0, seconds=0.3)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunServer]:
    folder = tmp_path / "served"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / name).write_bytes(CONTENT)
    with serving(folder) as server:
        yield server


@pytest.fixture
def outage() -> tuple[Outage, Impatient, list[str]]:
    """An outage that takes no time, what it was to sleep, and what it notified."""
    impatient, notices = Impatient(), list[str]()
    return Outage(impatient, notices.append, "files", draw=lambda: 0.0), impatient, notices


@pytest.fixture
def token() -> PauseToken:
    return PauseToken()


@pytest.fixture
def web(token: PauseToken) -> Iterator[WebClient]:
    with WebClient(HttpClient(HttpLimits(silence=1.0)), WORDING, token=token, floor=FLOOR) as web:
        yield web


@pytest.fixture
def fetcher(web: WebClient, token: PauseToken, outage: tuple[Outage, Impatient, list[str]]) -> FileFetcher:
    return FileFetcher(web, token, outage[0], attempts=4)


def wanted(server: RunServer, *names: str, sha256: str = DIGEST) -> WantedFile:
    return WantedFile("file 1.0", len(CONTENT), sha256, tuple(map(server.address, names)))


def unheard(have: int) -> None:
    pass


def busy(seconds: str, status: int, handler: Handler, data: bytes) -> None:
    handler.answer(status, Retry_After=seconds)


def trickle(handler: Handler, data: bytes) -> None:
    """Give a hundredth of what is wanted, a little now and then."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.close_connection = True
    try:
        for first in range(0, len(data), 100):
            handler.wfile.write(data[first : first + 100])
            if handler.server.ending.wait(0.05):
                return
    except OSError:
        pass  # the client has had enough


def cut_off(after: int) -> Deed:
    """Give so many bytes of what was asked for, and hang up."""

    def deed(handler: Handler, data: bytes) -> None:
        first = int((handler.headers["Range"] or "bytes=0-").removeprefix("bytes=").partition("-")[0])
        span = f"bytes {first}-{len(data) - 1}/{len(data)}"
        body, rest = data[first : first + after], str(len(data) - first)
        handler.answer(206 if first else 200, body, Content_Length=rest, Content_Range=span)
        handler.close_connection = True

    return deed


def flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


@pytest.mark.parametrize(
    ("deeds", "spans"),
    [
        ([], [None]),
        ([broken_off(100_000)], [None, "bytes=100000-"]),
        ([cut_off(50_000)] * 5, [None, *(f"bytes={first}-" for first in range(50_000, 300_000, 50_000))]),
        ([broken_off(100_000), without_ranges], [None, "bytes=100000-"]),
        ([partial(busy, "0", 503), partial(busy, "0", 429)], [None] * 3),
        ([trickle], None),
        ([silent], [None, None]),
        ([stalled(100_000)], [None, "bytes=100000-"]),
        ([broken_off(0)] * 3, [None] * 4),
    ],
    ids=["well", "broken", "often", "no ranges", "busy", "trickle", "silent", "stalled", "nothing"],
)
def test_what_passes_is_tried_again(
    deeds: list[Deed], spans: list[str | None] | None, tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    server.instead("a", *deeds)
    heard: list[int] = []
    fetcher.fetch(wanted(server, "a"), tmp_path / "file", heard.append)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert heard[-1] == len(CONTENT)
    assert not part_of(tmp_path / "file").exists()
    if spans is not None:
        assert [span for _, span in server.asked] == spans


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (trickle, r"sends only \d+ bytes a second, which is too slow to wait for"),
        (silent, "does not answer"),
        (partial(busy, "1", 503), "answered 503 Service Unavailable"),
        (broken_off(0), "ended after 0 of 300000 bytes|broke"),
    ],
    ids=["trickle", "silent", "busy", "nothing"],
)
def test_what_does_not_pass_is_given_up_for_now(
    deed: Deed,
    words: str,
    tmp_path: Path,
    server: RunServer,
    web: WebClient,
    outage: tuple[Outage, Impatient, list[str]],
) -> None:
    server.instead("a", *[deed] * 9)
    fetcher = FileFetcher(web, outage=outage[0], attempts=2)
    with pytest.raises(DownloadInterrupted, match=words) as caught:
        fetcher.fetch(wanted(server, "a"), tmp_path / "file", unheard)
    assert caught.value.remedy
    assert not (tmp_path / "file").exists()
    assert len(server.asked) <= 3


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (missing, "404 Not Found"),
        (other(lambda data: data[:-1]), "has 299999 bytes where the listed file has 300000"),
        (other(flipped), "file 1.0 is not the file that was signed"),
        (endless, "gives more than the 300000 bytes of the listed file"),
        (to("http://localhost:1/x"), "redirects to 'http://localhost:1/x', which is another server"),
    ],
    ids=["missing", "truncated", "wrong digest", "endless", "redirect"],
)
def test_a_server_that_lies_is_left_for_the_next_address(
    deed: Deed, words: str, tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    server.instead("a", deed, deed)
    with pytest.raises(DownloadError, match=words) as caught:
        fetcher.fetch(wanted(server, "a"), tmp_path / "alone", unheard)
    assert caught.value.remedy
    assert not (tmp_path / "alone").exists()
    server.instead("a", deed, deed)
    fetcher.fetch(wanted(server, "a", "b"), tmp_path / "file", unheard)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_server_that_breaks_is_left_for_the_next_address(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    server.instead("a", broken_off(100_000))
    fetcher.fetch(wanted(server, "a", "b"), tmp_path / "file", unheard)
    assert server.asked == [("/a", None), ("/b", "bytes=100000-")]
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_no_address_has_the_file(tmp_path: Path, server: RunServer, fetcher: FileFetcher) -> None:
    with pytest.raises(WrongDigest, match="is not the file that was signed"):
        fetcher.fetch(wanted(server, "a", "b", sha256="0" * 64), tmp_path / "file", unheard)
    assert [path for path, _ in server.asked] == ["/a", "/b"]
    assert not list(tmp_path.glob("file*"))


def elsewhere(handler: Handler, data: bytes) -> None:
    """Answer with the first bytes, whatever part was asked for."""
    handler.answer(206, data[:100], Content_Range=f"bytes 0-99/{len(data)}")


def test_a_server_that_sends_another_part_is_left_for_the_next_address(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    part_of(tmp_path / "file").write_bytes(CONTENT[:1000])
    server.instead("a", *[elsewhere] * 9)
    fetcher.fetch(wanted(server, "a", "b"), tmp_path / "file", unheard)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.asked[-1] == ("/b", "bytes=1000-")


def test_a_part_that_was_not_asked_for_is_not_taken(server: RunServer, web: WebClient) -> None:
    assert web.part(server.address("a"), 10, 20) == CONTENT[10:20]
    server.instead("a", elsewhere)
    with pytest.raises(DownloadError, match="sent a different part"):
        web.part(server.address("a"), 10, 20)


def test_a_part_of_another_file_is_thrown_away_and_no_server_is_blamed(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    part_of(tmp_path / "file").write_bytes(b"something else")
    fetcher.fetch(wanted(server, "a"), tmp_path / "file", unheard)
    assert server.asked == [("/a", "bytes=14-"), ("/a", None)]
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_liar_is_found_beside_a_server_that_breaks(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    server.instead("a", *[cut_off(100_000)] * 9)
    server.instead("b", *[lambda handler, data: serve(handler, data[::-1])] * 9)
    fetcher.fetch(wanted(server, "a", "b"), tmp_path / "file", unheard)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert [path for path, _ in server.asked] == ["/a", "/b", "/b", "/a", "/a", "/a"]


def test_servers_that_lie_and_break_in_turns_come_to_an_end(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    for name in ("a", "b"):
        server.instead(name, *[lambda handler, data: cut_off(100_000)(handler, flipped(data))] * 20)
    with pytest.raises(WrongDigest):
        fetcher.fetch(wanted(server, "a", "b"), tmp_path / "file", unheard)
    assert len(server.asked) <= 9
    assert not list(tmp_path.glob("file*"))


@pytest.mark.parametrize(("seconds", "slept"), [("20", 20.0), ("soon", 0.5)])
def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(
    seconds: str,
    slept: float,
    tmp_path: Path,
    server: RunServer,
    fetcher: FileFetcher,
    outage: tuple[Outage, Impatient, list[str]],
) -> None:
    server.instead("a", partial(busy, seconds, 429))
    fetcher.fetch(wanted(server, "a"), tmp_path / "file", unheard)
    assert outage[1].slept == [slept]


def test_a_long_outage_is_reported_with_its_end(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher, outage: tuple[Outage, Impatient, list[str]]
) -> None:
    server.instead("a", partial(busy, "120", 503))
    fetcher.fetch(wanted(server, "a"), tmp_path / "file", unheard)
    begin, end = outage[2]
    assert begin.startswith("The files cannot be reached (127.0.0.1:")
    assert end == "The files can be reached again."


def in_background(work: Callable[[], None]) -> tuple[threading.Thread, list[BaseException | None]]:
    """Work on another thread; the list gets its error at the end, or None."""
    ends: list[BaseException | None] = []

    def run() -> None:
        try:
            work()
            ends.append(None)
        except BaseException as error:  # noqa: BLE001 - the test looks at it
            ends.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, ends


@pytest.mark.parametrize("is_ended", [False, True], ids=["held", "ended"])
def test_orders_reach_a_download_that_waits_for_its_server(
    is_ended: bool, tmp_path: Path, server: RunServer
) -> None:
    server.instead("a", stalled(100_000))
    reasons: list[str] = []
    control, arrived = FetchControl(Line(), reasons.append), threading.Event()
    with WebClient.through(control.line, WORDING, control.token) as web:
        fetcher = FileFetcher(web, control.token)

        def heard(have: int) -> None:
            if have >= 100_000:
                arrived.set()

        thread, ends = in_background(lambda: fetcher.fetch(wanted(server, "a"), tmp_path / "file", heard))
        assert arrived.wait(20)
        if is_ended:
            control.follow(lambda: None)
        else:
            control.obey(HoldFetch(why="The connection is metered."))
            thread.join(0.3)
            assert thread.is_alive()
            assert len(server.asked) == 1
            control.obey(GoOnFetch())
        thread.join(20)
    (end,) = ends
    if is_ended:
        assert isinstance(end, Ended)
        assert part_of(tmp_path / "file").stat().st_size == 100_000
        with pytest.raises(Ended):
            control.check()
    else:
        assert end is None
        assert (tmp_path / "file").read_bytes() == CONTENT
        assert reasons == ["The connection is metered.", ""]
        assert server.asked[1] == ("/a", "bytes=100000-")


def test_a_cap_holds_is_counted_and_may_change_meanwhile(tmp_path: Path, server: RunServer) -> None:
    control, slow = FetchControl(Line(download=40_000)), threading.Event()
    with WebClient.through(control.line, WORDING, control.token) as web:
        fetcher = FileFetcher(web, control.token)
        began = time.monotonic()

        def heard(have: int) -> None:
            slow.set()

        thread, ends = in_background(lambda: fetcher.fetch(wanted(server, "a"), tmp_path / "file", heard))
        assert slow.wait(20)
        thread.join(0.5)
        assert thread.is_alive(), "300 kB take 7.5 s at that cap"
        control.obey(CapFetch(download=None))
        thread.join(20)
    assert ends == [None]
    assert time.monotonic() - began < 5
    assert control.line.received == len(CONTENT)


def test_a_capped_download_is_not_taken_for_a_server_that_trickles(tmp_path: Path, server: RunServer) -> None:
    token = PauseToken()
    client = HttpClient(on_bytes=lambda size: time.sleep(size / 400_000))  # so does a cap of ours
    with WebClient(client, WORDING, token=token, floor=SpeedFloor(rate=1e6, seconds=0.2)) as web:
        FileFetcher(web, token, attempts=1).fetch(wanted(server, "a"), tmp_path / "file", unheard)
    assert (tmp_path / "file").exists()


def test_files_are_fetched_one_after_the_other_with_the_progress_of_all(
    tmp_path: Path, server: RunServer, fetcher: FileFetcher
) -> None:
    files = [WantedFile(name, len(CONTENT), DIGEST, (server.address(name),)) for name in ("a", "b")]
    (tmp_path / "a").write_bytes(CONTENT)
    heard: list[tuple[str, int, int]] = []
    fetcher.fetch_all(files, lambda file: tmp_path / file.name, lambda *step: heard.append(step))
    assert heard[0] == ("a", 300_000, 600_000)
    assert heard[-1] == ("b", 600_000, 600_000)
    assert {path for path, _ in server.asked} == {"/b"}


def test_orders_travel_on_a_channel() -> None:
    for order in (HoldFetch(why="The quota is used up."), GoOnFetch(), CapFetch(download=1000)):
        assert decode(encode(order), SETUP_ORDERS) == order


def test_space_that_is_missing(tmp_path: Path) -> None:
    part_of(tmp_path / "file").write_bytes(b"1234")
    assert missing_bytes([(tmp_path / "file", 10), (tmp_path / "other", 5)]) == 11
    assert shortage("It", 10, 10) is None
    found = shortage("It", 3 << 20, 1 << 20)
    assert found is not None
    assert found[0] == "It needs 3 MiB on the disk, and 1 MiB are free."
    assert "Free 2 MiB" in found[1]
