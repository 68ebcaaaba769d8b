"""The website answers hostile clients over real connections, and never fails with an error of its own."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import httpx2
import pytest
from fastapi import FastAPI
from starlette.responses import Response
from starlette.testclient import TestClient

from coordinator.database.connect import Database
from coordinator.web.app import create_app
from coordinator.web.limits import Rates, client_of
from coordinator.web.protocol import MOST_HEAD_BYTES, BoundedRequests
from tests.coordinator.web.asgi import scope
from tests.coordinator.web.conftest import GENEROUS
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import ServedSite
from tests.waiting import wait_until

PATIENCE = 10


@pytest.fixture(scope="module")
def address(full: ServedSite) -> Iterator[str]:
    with served(create_app(full.context, GENEROUS)) as address:
        yield address


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        yield connection


def answered(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionResetError:
        pass
    return received


def reply_to(address: str, request: bytes) -> bytes:
    with connected(address) as connection:
        connection.sendall(request)
        return answered(connection)


HOST = b"Host: x\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /api/challenges HTTP/1.1\r\n"
        + HOST
        + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Content-Length: +1\r\n\r\na",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/challenges HTTP/1.1\r\n"
        + HOST
        + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        b"POST /api/challenges HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n folded: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n",
        b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
)
def test_what_two_servers_could_read_differently_is_refused_and_the_connection_ends(
    address: str, request_: bytes
) -> None:
    smuggled = b"GET /robots.txt HTTP/1.1\r\n" + HOST + b"\r\n"
    answer = reply_to(address, request_ + smuggled)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nX: " + b"a" * 4 * MOST_HEAD_BYTES,
        b"GET /" + b"a" * 4 * MOST_HEAD_BYTES,
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * MOST_HEAD_BYTES,
    ],
)
def test_a_head_without_end_is_cut_off(address: str, head: bytes) -> None:
    with connected(address) as connection:
        try:
            connection.sendall(head)
        except (BrokenPipeError, ConnectionResetError):
            return
        assert answered(connection)[:12] in (b"", b"HTTP/1.1 431")


class _ImpatientRequests(BoundedRequests):
    whole_seconds = 0.05


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nX: ",
        b"GET /robots.txt HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;extension=",
        b"GET /robots.txt HTTP/1.1\r\n\r\n",
        b"GET /robots.txt HTTP/1.1\r\n\r\nGET /robots.txt HT",
    ],
)
def test_a_connection_on_which_no_whole_request_comes_is_not_kept(full: ServedSite, begun: bytes) -> None:
    with (
        served(create_app(full.context, GENEROUS), _ImpatientRequests) as address,
        connected(address) as connection,
    ):
        connection.sendall(begun)
        assert answered(connection).count(b"HTTP/1.1 ") <= 1  # and it ends, which is the point


def test_the_end_of_an_answer_waits_for_no_acknowledgement_of_its_beginning(full: ServedSite) -> None:
    seen: list[int] = []

    class ObservedRequests(BoundedRequests):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            accepted = transport.get_extra_info("socket")
            seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    with served(create_app(full.context, GENEROUS), ObservedRequests) as address:
        httpx2.get(f"{address}/robots.txt", timeout=PATIENCE)
    assert seen == [1]


def test_a_connection_that_takes_nothing_of_its_answer_ends() -> None:
    ended: list[Exception | None] = []

    class Unread(BoundedRequests):
        unread_milliseconds = 50

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            ended.append(exc)

    app = FastAPI()
    app.add_api_route("/", lambda: Response(b"x" * (16 << 20)))
    with served(app, Unread) as address, connected(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: bool(ended), "it waits for ever")


@pytest.mark.parametrize(
    "path",
    [
        "/files/../keys/gate.pem",
        "/files/%2e%2e/%2e%2e/keys/gate.pem",
        "/files/..%2f..%2fkeys%2fgate.pem",
        "/files//etc/passwd",
        "/files/%00",
        "/static/x/../../process.py",
        "/static/x/%2e%2e/app.py",
        "/static/x//etc/passwd",
        "/frames/0/5/..%2f..%2f..",
    ],
)
def test_no_path_leads_out_of_what_is_served(address: str, path: str) -> None:
    answer = reply_to(address, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 422 "))


@pytest.mark.parametrize(
    "value",
    [
        "bytes=abc",
        "bytes=9-1",
        "bytes=-0",
        "bytes=999999999999999999999-",
        "bytes=0-0," * 300 + "0-0",
        "bytes=" + ",".join(f"{n}-" for n in range(300)),
        "lines=1-2",
        "bytes=0-0\t,-1",
    ],
)
def test_ranges_are_answered_or_refused_whatever_they_ask_for(
    full: ServedSite, address: str, value: str
) -> None:
    named = full.context.manifest.files[0]
    answer = httpx2.get(f"{address}/files/{named.path}", headers={"Range": value}, timeout=PATIENCE)
    assert answer.status_code in (200, 206, 400, 416)
    assert len(answer.content) <= 2 * named.size + (1 << 16)


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "//evil.example/%2e%2e",
        "/dashboard/",
        "/\\evil.example",
        "/%0d%0aSet-Cookie:%20a=b/",
    ],
)
def test_nobody_is_sent_to_another_site(address: str, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    answer = reply_to(address, request.encode()).lower()
    head = answer.partition(b"\r\n\r\n")[0]
    assert b"evil.example" not in head
    assert b"set-cookie" not in head


def test_pages_do_not_repeat_which_host_was_asked_for(address: str) -> None:
    poison = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Accept": "text/html"}
    assert "evil.example" not in httpx2.get(f"{address}/", headers=poison, timeout=PATIENCE).text
    assert (
        "evil.example"
        not in httpx2.get(f"{address}/", headers={"Accept": "text/html"}, timeout=PATIENCE).text
    )


STRANGE = [
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    "'%20OR%201=1%20--",
    "%27%3b%20DROP%20TABLE%20users%3b--",
    "%25%5f%5c",
    "%f0%9f%92%a9" * 20,
    "a" * 5000,
    "%2e%2e",
    "{{7*7}}",
]


PATTERNS = [
    "/volunteers/{}",
    "/volunteers/{}/certificate",
    "/volunteers/{}/certificate.json",
    "/volunteers/{}/share.png",
    "/teams/{}",
    "/teams?name={}",
    "/api/teams?around={}",
    "/leaderboard?name={}",
    "/leaderboard?offset={}",
    "/api/leaderboard?around={}",
    "/calculator?model={}",
    "/frames/0/5/{}",
    "/me/enter?code={}",
    "/{}",
]


def status_of(address: str, path: str) -> int:
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
    return int(reply_to(address, request.encode("latin-1")).split()[1])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_strange_names_are_looked_for_and_not_found(address: str, pattern: str) -> None:
    paths = [pattern.format(strange) for strange in STRANGE]
    assert {path: status for path in paths if (status := status_of(address, path)) >= 500} == {}


def test_strange_names_trouble_postgresql_no_more_than_sqlite(full: ServedSite, migrated_server: str) -> None:
    with closing(Database.open(migrated_server)) as database:
        app = create_app(replace(full.context, database=database), GENEROUS)
        client = TestClient(app, raise_server_exceptions=False)
        asked = [pattern.format(strange) for pattern in PATTERNS for strange in STRANGE]
        assert {path: status for path in asked if (status := client.get(path).status_code) >= 500} == {}


@pytest.mark.parametrize(
    ("cookie", "authorization"),
    [
        ("idlebrush=\xff\xfe", "Bearer \xff"),
        ("idlebrush=" + "x" * 5000, "Bearer " + "x" * 9000),
        ("idlebrush=a; idlebrush=b", "Basic Og=="),
        (";;;=", "Bearer"),
    ],
)
def test_strange_credentials_open_nothing(address: str, cookie: str, authorization: str) -> None:
    sent = {b"Cookie": cookie.encode("latin-1"), b"Authorization": authorization.encode("latin-1")}
    for path in ("/me", "/me/receipts.json", "/api/receipts", "/api/moderation/members", "/leaderboard"):
        answer = httpx2.get(address + path, headers=sent, timeout=PATIENCE)
        assert answer.status_code in (200, 400, 401, 403)
        assert 'receipts":' not in answer.text


@pytest.mark.parametrize(
    "forwarded",
    [
        "fe80::1%eth0",
        "fe80::1%" + "x" * 500,
        "::1%\u0660",
        "1.2.3.4:80",
        "[2001:db8::1]:80",
        "_hidden",
        " ,, ",
    ],
)
def test_a_proxy_that_says_something_strange_is_counted_as_some_client(forwarded: str) -> None:
    request = scope(client="10.0.0.2", X_Forwarded_For=forwarded)
    request["headers"] = [(name, forwarded.encode("latin-1", "replace")) for name, _ in request["headers"]]
    assert len(client_of(request, behind_proxy=True)) < 60


def test_who_varies_queries_to_get_past_the_cache_is_slowed_down(full: ServedSite) -> None:
    with (
        served(create_app(full.context, Rates(), full.clock.monotonic)) as address,
        httpx2.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        statuses = [client.get(f"/robots.txt?{number}").status_code for number in range(61)]
    assert statuses == [200] * 60 + [429]
