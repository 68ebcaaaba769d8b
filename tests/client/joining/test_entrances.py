"""Which addresses of a run answer is found out by real connections, and takes no longer than it may."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any

import pytest

from client.joining.entrances import Entrance, ask_entrances, entrances_in_words, entrances_view

PEER = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"
SECONDS = 0.3


def asked(*addresses: str, seconds: float = 4.0) -> tuple[Entrance, ...]:
    return asyncio.run(ask_entrances([f"{item}/p2p/{PEER}" for item in addresses], seconds))


@contextmanager
def listening(host: str = "127.0.0.1") -> Iterator[int]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = socket.create_server((host, 0), family=family)
    except OSError as error:
        pytest.skip(f"{host} is not an address of this computer: {error}")
    with server:
        yield server.getsockname()[1]


@contextmanager
def overloaded() -> Iterator[int]:
    """A port whose system lets connections wait for ever: its queue is full."""
    with ExitStack() as stack, socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def closed() -> int:
    with listening() as port:
        return port


def test_each_address_is_asked_by_the_protocol_that_it_names() -> None:
    with listening() as port, listening("::1") as port6:
        gone = closed()
        found = asked(f"/ip4/127.0.0.1/tcp/{port}", f"/ip6/::1/tcp/{port6}", f"/ip4/127.0.0.1/tcp/{gone}")
    assert found == (
        Entrance(f"127.0.0.1:{port}", ("IPv4",)),
        Entrance(f"[::1]:{port6}", ("IPv6",)),
        Entrance(f"127.0.0.1:{gone}", ()),
    )


def test_a_name_is_asked_by_all_protocols_that_it_may_have() -> None:
    with listening() as port:
        (both,) = asked(f"/dns/localhost/tcp/{port}")
        (one,) = asked(f"/dns6/localhost/tcp/{port}", f"/dns4/localhost/tcp/{port}")
        (other,) = asked(f"/dns6/localhost/tcp/{port}")
    assert both == one == Entrance(f"localhost:{port}", ("IPv4",))
    assert other.protocols == ()


def test_what_is_no_address_of_tcp_is_not_asked_and_no_address_twice() -> None:
    with listening() as port:
        place = f"/ip4/127.0.0.1/tcp/{port}"
        assert len(asked(place, place, f"/ip4/127.0.0.1/udp/{port}/quic-v1")) == 1
    assert asked() == ()


@pytest.mark.parametrize("address", ["/ip4/127.0.0.1/tcp/99999", f"/dns4/{'a' * 70}.example/tcp/31330"])
def test_an_address_that_nobody_can_have_does_not_answer(address: str) -> None:
    assert [item.protocols for item in asked(address)] == [()]


def test_silent_addresses_are_waited_for_together_and_for_a_limited_time() -> None:
    with overloaded() as one, overloaded() as two, listening() as there:
        began = time.monotonic()
        found = asked(*(f"/ip4/127.0.0.1/tcp/{port}" for port in (one, two, there)), seconds=SECONDS)
        took = time.monotonic() - began
    assert [bool(item.protocols) for item in found] == [False, False, True]
    assert SECONDS <= took < 10 * SECONDS


def test_a_silent_name_server_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    end = Event()

    def silent(*_: Any) -> list[Any]:
        end.wait(60.0)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    began = time.monotonic()
    (found,) = asked("/dns/train.example.org/tcp/31330", seconds=SECONDS)
    took = time.monotonic() - began
    end.set()
    assert found.protocols == ()
    assert took < 10 * SECONDS


@pytest.mark.parametrize(
    ("protocols", "words"),
    [
        ([("IPv4",)], "1 of 1 addresses by which Tiny is entered answer: h0:1 by IPv4."),
        ([()], "No address by which Tiny is entered answers: h0:1."),
        ([(), ("IPv4", "IPv6")], "1 of 2 addresses by which Tiny is entered answer: h1:1 by IPv4 and IPv6."),
        ([()] * 6, "No address by which Tiny is entered answers: h0:1, h1:1, h2:1, h3:1, and 2 more."),
    ],
)
def test_a_sentence_says_which_answer(protocols: list[Any], words: str) -> None:
    found = [Entrance(f"h{number}:1", item) for number, item in enumerate(protocols)]
    assert entrances_in_words("Tiny", found) == words


@pytest.mark.parametrize(
    ("protocols", "by"),
    [([()], (False, False)), ([(), ("IPv4",)], (True, False)), ([("IPv6",), ("IPv4",)], (True, True))],
)
def test_the_app_is_told_the_protocols(protocols: list[Any], by: tuple[bool, bool]) -> None:
    view = entrances_view([Entrance("h:1", item) for item in protocols])
    assert view is not None
    assert (view.by_ip4, view.by_ip6, view.answer) == (*by, any(by))
    assert entrances_view([]) is None
