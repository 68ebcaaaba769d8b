"""The check service dials nobody but who asks, and not too often; what makes no sense gets no answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import msgpack
import pytest
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.datastructures import StreamInfo
from hivemind.utils.multiaddr import Multiaddr

from core.swarm.reach.check_service import CheckLimits, CheckService
from core.swarm.reach.dialler import connectable, dial_daemon
from core.swarm.reach.finder import ReachPatience, answers_of
from core.swarm.reach.questions import PROTOCOL, ReachQuestion, ReachReply, ask, receive
from tests.moved_clock import MovedClock
from tests.waiting import DEADLINE

ONE, OTHER = b"one", b"other"
PEER = PeerID(bytes([0, 1, 7]))


def test_a_peer_is_checked_three_times_in_ten_seconds() -> None:
    clock = MovedClock(0.0)
    limits = CheckLimits(clock)
    for _ in range(3):
        assert limits.begin(ONE) is None
        limits.end()
        clock.now += 1.0
    assert limits.begin(ONE) == pytest.approx(7.0)
    assert limits.begin(OTHER) is None
    clock.now = 10.0
    assert limits.begin(ONE) is None


def test_four_checks_are_made_at_the_same_time() -> None:
    limits = CheckLimits(MovedClock(0.0))
    assert [limits.begin(bytes([number])) for number in range(4)] == [None] * 4
    waits = limits.begin(b"late")
    assert waits is not None
    assert waits > 0
    limits.end()
    assert limits.begin(b"late") is None


def asked(address: str, ports: Sequence[int]) -> tuple[ReachReply, list[tuple[str, Sequence[int]]]]:
    """The reply to a peer at ``address`` whose last port can be reached, and what was dialled for it."""
    dialled = []

    async def dial(_: PeerID, host: str, ports: Sequence[int]) -> list[int]:
        dialled.append((host, ports))
        return [ports[-1]]

    reply = asyncio.run(CheckService(dial, MovedClock(0.0)).reply(PEER, Multiaddr(address), ports))
    return reply, dialled


def test_the_address_that_the_caller_comes_from_is_dialled() -> None:
    reply, dialled = asked("/ip4/11.0.0.7/tcp/50000", [31_000, 40_000])
    assert reply == ReachReply(address="11.0.0.7", reached=[40_000])
    assert dialled == [("/ip4/11.0.0.7", [31_000, 40_000])]
    reply, dialled = asked("/ip6/2a00::7/tcp/50000", [31_000])
    assert reply == ReachReply(address="2a00::7", reached=[31_000])
    assert dialled == [("/ip6/2a00::7", [31_000])]


@pytest.mark.parametrize(
    ("address", "ports", "seen_as"),
    [
        ("/ip4/11.0.0.7/tcp/50000", [], "11.0.0.7"),
        (
            "/ip4/11.0.0.1/tcp/4001/p2p/QmX1gZvxkRT44jvFJ4143hiM1rBPFZ7gWmvQ2F5Eu4dLHk/p2p-circuit",
            [31_000],
            "",
        ),
        ("/ip6/fe80::7/tcp/50000", [31_000], ""),
        ("/ip6/::ffff:192.168.1.7/tcp/50000", [31_000], ""),
        ("/ip6/2002:c0a8:107::1/tcp/50000", [31_000], ""),
        ("/ip6/64:ff9b::c0a8:107/tcp/50000", [31_000], ""),
    ],
)
def test_nothing_is_dialled_without_ports_or_where_nobody_can_come_from_directly(
    address: str, ports: list[int], seen_as: str
) -> None:
    reply, dialled = asked(address, ports)
    assert reply == ReachReply(address=seen_as)
    assert not dialled


@pytest.mark.parametrize(
    "content",
    [
        msgpack.packb({"ports": [0]}),
        msgpack.packb({"ports": [70_000]}),
        msgpack.packb({"ports": [1, 2, 3]}),
        msgpack.packb({"ports": ["22"]}),
        msgpack.packb({"ports": [], "host": "11.0.0.9"}),
        msgpack.packb([1]),
        b"\xc1",
        b"",
        b"\0" * 1025,
    ],
)
def test_a_question_that_makes_no_sense_is_refused(content: bytes) -> None:
    async def read() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(len(content).to_bytes(2, "big") + content)
        reader.feed_eof()
        await receive(reader, ReachQuestion)

    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        asyncio.run(read())


def test_only_a_port_at_which_the_caller_itself_listens_is_reached() -> None:
    async def play() -> None:
        loopback = {"host_maddrs": ["/ip4/127.0.0.1/tcp/0"], "nat_port_map": False}
        async with dial_daemon(**loopback) as entrance, dial_daemon(**loopback) as caller:
            await entrance.add_binary_stream_handler(PROTOCOL, CheckService(connectable).handle)
            (at,), (own,) = (item._visible_maddrs for item in (entrance, caller))
            await caller._client.connect(entrance.peer_id, [at])
            listening, foreign = int(own["tcp"]), int(at["tcp"])
            found = await ask(caller, entrance.peer_id, (listening, foreign), DEADLINE)
            assert (found.address, found.reached) == ("127.0.0.1", (listening,))
            assert (await ask(caller, entrance.peer_id, (), DEADLINE)).reached == ()

    asyncio.run(play())


@pytest.mark.parametrize(("patience", "answers"), [(DEADLINE, 1), (0.0, 0)])
def test_a_busy_entrance_is_asked_again_when_it_wants_if_that_is_soon(patience: float, answers: int) -> None:
    clock, asked = MovedClock(0.0), list[PeerID]()

    async def dial(_: PeerID, host: str, ports: Sequence[int]) -> list[int]:
        return [*ports]

    service = CheckService(dial, clock)

    async def handle(info: StreamInfo, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(info.peer_id)
        await service.handle(info, reader, writer)
        if len(asked) > 3:
            clock.now = 10.0

    async def play() -> int:
        loopback = {"host_maddrs": ["/ip4/127.0.0.1/tcp/0"], "nat_port_map": False}
        async with dial_daemon(**loopback) as entrance, dial_daemon(**loopback) as caller:
            await entrance.add_binary_stream_handler(PROTOCOL, handle)
            await caller._client.connect(entrance.peer_id, entrance._visible_maddrs)
            for _ in range(3):
                await ask(caller, entrance.peer_id, (31_000,), DEADLINE)
            clock.now = 9.9
            limits = replace(ReachPatience(), busy=patience)
            return len(await answers_of(caller, [entrance.peer_id], (31_000,), limits))

    assert asyncio.run(play()) == answers
    assert (len(asked) > 4) == bool(answers)
