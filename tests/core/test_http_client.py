"""Requests end in bounded time and size, quote nothing that was sent, and ask no proxy for this computer."""

import random
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.http_client import Fault, HttpClient, HttpFault, HttpLimits
from tests.core.data.network.certificate import loopback_trust
from tests.core.data.network.shard_server import AnswerFault, shard_server
from tests.hub.hub_server import Canned, HubServer, running_hub

LIMITS = HttpLimits(connect=2.0, silence=0.5, whole=1.0)


@pytest.fixture
def server() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


def body(address: str, limit: int = 1000, token: str | None = None) -> bytes:
    with (
        HttpClient(LIMITS) as client,
        client.open("GET", address, token=SecretStr(token) if token else None) as answer,
    ):
        return answer.body(limit)


def test_an_answer_of_the_largest_size_is_read_and_its_bytes_are_reported(server: HubServer) -> None:
    server.canned["/it"] = Canned(body=b"x" * 1000)
    counts: list[int] = []
    with (
        HttpClient(LIMITS, on_bytes=counts.append) as client,
        client.open("GET", f"{server.address}/it") as answer,
    ):
        assert (answer.status, answer.body(1000)) == (200, b"x" * 1000)
    assert sum(counts) == 1000


@pytest.mark.parametrize(
    ("canned", "fault"),
    [
        (Canned(body=b"x" * 1001), Fault.TOO_LARGE),
        (Canned(body=b"x" * 100, drip_seconds=0.1), Fault.TOO_SLOW),
        (Canned(body=b"x" * 100, drip_seconds=5.0), Fault.SILENCE),
        (Canned(body=b"\xff\xfe\x00", headers={"Content-Encoding": "gzip"}), Fault.ENCODED),
    ],
    ids=["too large", "drip", "silence", "encoded"],
)
def test_an_answer_that_is_too_much_too_slow_or_encoded_is_a_fault(
    server: HubServer, canned: Canned, fault: Fault
) -> None:
    server.canned["/it"] = canned
    with pytest.raises(HttpFault) as caught:
        body(f"{server.address}/it")
    assert caught.value.fault is fault


@pytest.mark.parametrize(
    "address", ["", "http://", "http://[::1", "https://a b/", "ftp://127.0.0.1/", "nonsense"]
)
def test_what_is_no_web_address_is_a_fault(address: str) -> None:
    with pytest.raises(HttpFault) as caught:
        body(address)
    assert caught.value.fault is Fault.ADDRESS


def test_no_server_is_a_fault_of_the_connection() -> None:
    with pytest.raises(HttpFault) as caught:
        body("http://127.0.0.1:1/")
    assert caught.value.fault is Fault.CONNECTION


def test_a_redirect_is_an_answer_and_is_not_followed(server: HubServer) -> None:
    server.canned["/it"] = Canned(status=302, headers={"Location": "/elsewhere"})
    with HttpClient(LIMITS) as client, client.open("GET", f"{server.address}/it") as answer:
        assert (answer.status, answer.headers["location"]) == (302, "/elsewhere")


def test_a_fault_does_not_lead_to_an_error_that_quotes_the_token() -> None:
    with pytest.raises(HttpFault) as caught:
        body("http://127.0.0.1:1/", token="hf_secret\n")
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_no_proxy_is_asked_for_this_computer(server: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        server.canned["/it"] = Canned(body=b"direct")
        assert body(f"{server.address}/it") == b"direct"


@pytest.mark.parametrize("secure", [False, True])
def test_an_answer_that_is_aborted_ends_at_once_and_gives_nothing_but_its_own_bytes(
    secure: bool, tmp_path: Path
) -> None:
    trust, content, got = loopback_trust(tmp_path), random.Random(0).randbytes(1 << 19), bytearray()
    with shard_server({"file": content}, trust.server if secure else None) as server:
        server.faults.append(AnswerFault(after=1 << 18, stalls=True))
        with HttpClient(HttpLimits(silence=20.0)) as client:
            client._session.verify = str(tmp_path / "loopback.pem")
            whole = {"Range": f"bytes=0-{len(content) - 1}"}
            with client.open("GET", server.url("file"), headers=whole) as answer:
                timer = threading.Timer(0.1, answer.abort)
                timer.start()
                with pytest.raises(HttpFault):
                    got.extend(byte for piece in answer.pieces() for byte in piece)
                timer.join()
    assert content.startswith(got)
