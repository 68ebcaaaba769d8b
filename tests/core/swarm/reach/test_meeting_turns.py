"""Turns of a meeting beside a stand-in for libp2p's daemon: whom it dials first, and which relays it keeps."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hivemind.p2p import P2PDaemonError, PeerID
from hivemind.p2p.p2p_daemon_bindings.datastructures import PeerInfo
from hivemind.utils.multiaddr import Multiaddr

from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.meeting import Meeting
from core.swarm.wire.records import ContactRecord
from tests.core.swarm.builders import HandClock, peer_bytes
from tests.waiting import DEADLINE

OWN = OwnContact(direct=False, address="11.0.0.7", port=31_000)
GIVEN_128_KIB = bytes([8, 40, 100, 34, 4, 16, 0x80, 0x80, 0x08])
"""A relay's answer: the place is reserved (status 100), with a limit of 131072 bytes."""
GIVEN = bytes([4, 8, 0, 40, 100])
"""A relay's answer: the place is reserved, without a limit."""


class ScriptedWriter:
    """The way to a relay, which takes anything."""

    def write(self, data: bytes) -> None:
        """Send nothing."""

    async def drain(self) -> None:
        """Wait for nothing."""

    def close(self) -> None:
        """There is nothing to close."""


class ScriptedDaemon:
    """Connects to nobody, and remembers who was asked for what."""

    def __init__(self, answer: bytes = b"", connected: Sequence[PeerInfo] = ()) -> None:
        self.peer_id, self._client = PeerID(peer_bytes(0)), self
        self.answer, self.connected = answer, connected
        self.dialled: list[PeerID] = []
        self.ways: list[tuple[PeerID, list[str]]] = []
        self.asked: list[PeerID] = []

    async def list_peers(self) -> Sequence[PeerInfo]:
        return self.connected

    async def connect(self, peer: PeerID, addresses: Sequence[object]) -> None:
        self.dialled.append(peer)
        self.ways.append((peer, list(map(str, addresses))))
        raise P2PDaemonError("nobody is there")

    async def stream_open(self, relay: PeerID, protocols: object) -> tuple[None, Any, Any]:
        self.asked.append(relay)
        if not self.answer:
            raise P2PDaemonError("nobody is there")
        reader = asyncio.StreamReader()
        reader.feed_data(self.answer)
        return None, reader, ScriptedWriter()


class ScriptedBoard:
    """The contacts that a test says."""

    def __init__(self, *records: ContactRecord) -> None:
        self.records, self.faults, self.reads = list(records), 0, 0
        self.published: list[ContactRecord] = []

    async def publish(self, record: ContactRecord) -> None:
        self.published.append(record)

    async def read(self) -> list[ContactRecord]:
        self.reads += 1
        if self.faults:
            self.faults -= 1
            raise KeyError("of a kind that nobody thought of")
        return self.records


def contact(number: int, address: str = "", *relays: PeerID, direct: bool = False) -> ContactRecord:
    return ContactRecord(
        peer_id=peer_bytes(number),
        direct=direct,
        relaying=False,
        address=address,
        port=31_000 if address else 0,
        relays=[relay.to_bytes() for relay in relays],
    )


def meeting_of(
    daemon: ScriptedDaemon,
    board: ScriptedBoard,
    clock: HandClock,
    entrances: Sequence[PeerID] = (),
    dht_clock: HandClock | None = None,
) -> Meeting:
    return Meeting(daemon, board, OWN, entrances, clock=clock, dht_clock=dht_clock or clock)


async def turn(meeting: Meeting) -> None:
    """Take a turn, and wait until all that it began is over."""
    before = asyncio.all_tasks()
    await meeting.turn()
    if begun := asyncio.all_tasks() - before:
        await asyncio.wait(begun, timeout=DEADLINE)


def test_peers_that_were_dialled_least_come_first() -> None:
    async def run() -> None:
        daemon, clock = ScriptedDaemon(), HandClock()
        board = ScriptedBoard(*(contact(number, direct=True) for number in range(1, 11)))
        meeting = meeting_of(daemon, board, clock)
        await turn(meeting)
        first = set(daemon.dialled)
        clock.now += 20.0
        await turn(meeting)
        assert len(first) == 8
        assert set(daemon.dialled[8:10]) == {PeerID(item.peer_id) for item in board.records} - first

    asyncio.run(run())


def test_a_clock_that_is_set_back_keeps_a_peer_neither_from_looking_nor_from_dialling() -> None:
    async def run() -> None:
        daemon, board = ScriptedDaemon(), ScriptedBoard(contact(1, direct=True))
        clock, dht_clock, relay = HandClock(), HandClock(), PeerID(peer_bytes(20))
        meeting = meeting_of(daemon, board, clock, [relay], dht_clock)
        await turn(meeting)
        dht_clock.now -= 3600.0
        clock.now += 31.0
        await turn(meeting)
        assert board.reads == 2
        assert daemon.dialled == 2 * [PeerID(peer_bytes(1))]
        assert daemon.asked == 2 * [relay]

    asyncio.run(run())


def test_an_address_is_not_dialled_anew_under_each_new_name() -> None:
    async def run() -> None:
        daemon, board, clock = ScriptedDaemon(), ScriptedBoard(), HandClock()
        meeting = meeting_of(daemon, board, clock)
        for number in range(1, 61):  # ten minutes, of which two have slots of 20 s
            board.records = [contact(2 * number, "11.0.0.9"), contact(2 * number + 1, "11.0.0.9")]
            clock.now += 10.0
            await turn(meeting)
        assert 0 < len(daemon.dialled) <= 2 * (6 + 5)

    asyncio.run(run())


def test_few_relays_are_asked_in_one_pass() -> None:
    async def run() -> None:
        daemon = ScriptedDaemon()
        entrances = [PeerID(peer_bytes(number)) for number in range(20, 30)]
        meeting = meeting_of(daemon, ScriptedBoard(), HandClock(), entrances)
        await turn(meeting)
        assert len(daemon.asked) == 3
        for _ in range(4):
            await turn(meeting)
        assert set(daemon.asked) == set(entrances)
        assert len(daemon.asked) == len(entrances)

    asyncio.run(run())


def test_a_relay_that_passes_too_little_is_no_place() -> None:
    async def run() -> None:
        daemon, clock, relay = ScriptedDaemon(GIVEN_128_KIB), HandClock(), PeerID(peer_bytes(20))
        daemon.connected = [PeerInfo(relay, [Multiaddr("/ip4/11.0.0.1/tcp/31000")])]
        meeting = meeting_of(daemon, ScriptedBoard(), clock, [relay])
        await turn(meeting)
        clock.now += 60.0
        await turn(meeting)
        assert daemon.asked == [relay]
        assert meeting.state.relays == 0

    asyncio.run(run())


def test_a_home_gives_up_its_place_at_a_relay_that_rests_and_takes_another_one() -> None:
    async def run() -> None:
        daemon, clock = ScriptedDaemon(GIVEN), HandClock()
        bootstrap, publisher = PeerID(peer_bytes(20)), PeerID(peer_bytes(21))
        address = Multiaddr("/ip4/11.0.0.1/tcp/31000")
        daemon.connected = [PeerInfo(bootstrap, [address]), PeerInfo(publisher, [address])]
        board = ScriptedBoard()
        meeting = meeting_of(daemon, board, clock, [bootstrap])
        await turn(meeting)
        assert await places(meeting, board) == {bootstrap}
        board.records = [relay_contact(20, relaying=False), relay_contact(21)]
        for _ in range(60):
            clock.now += 10.0
            await turn(meeting)
        assert await places(meeting, board) == {publisher}
        assert daemon.asked.count(bootstrap) == 1, "it is asked in vain"
        board.records = [relay_contact(20), relay_contact(21)]
        clock.now += 10.0
        await turn(meeting)
        assert await places(meeting, board) == {bootstrap, publisher}

    asyncio.run(run())


async def places(meeting: Meeting, board: ScriptedBoard) -> set[PeerID]:
    """The relays that the contact of a home names after its next turn."""
    await turn(meeting)
    return {PeerID(relay) for relay in board.published[-1].relays}


def relay_contact(number: int, *, relaying: bool = True) -> ContactRecord:
    return ContactRecord(peer_id=peer_bytes(number), direct=True, relaying=relaying)


def test_a_relay_states_at_its_next_turn_that_it_relays_no_more() -> None:
    async def run() -> None:
        board, clock = ScriptedBoard(), HandClock()
        meeting = Meeting(ScriptedDaemon(), board, OwnContact(), [], relaying=True, clock=clock)
        for _ in range(3):
            await turn(meeting)
        meeting.end_relaying()
        for _ in range(3):
            await turn(meeting)
        assert [item.relaying for item in board.published] == [True, False]

    asyncio.run(run())


def test_only_a_connection_without_a_relay_proves_that_routers_open() -> None:
    async def punched(way: str) -> int:
        daemon = ScriptedDaemon(connected=[PeerInfo(PeerID(peer_bytes(1)), [Multiaddr(way)])])
        meeting = meeting_of(daemon, ScriptedBoard(contact(1, "11.0.0.9")), HandClock())
        await turn(meeting)
        return meeting.state.punched

    relay = PeerID(peer_bytes(20)).to_base58()
    direct = "/ip4/11.0.0.9/udp/31000/quic-v1"
    assert asyncio.run(punched(direct)) == 1
    assert asyncio.run(punched(f"/ip4/11.0.0.1/udp/31000/quic-v1/p2p/{relay}/p2p-circuit")) == 0


@pytest.mark.parametrize("is_connected", [True, False])
def test_a_third_computer_of_a_household_waits_for_the_others_before_a_relay_is_used(
    is_connected: bool,
) -> None:
    direct = "/ip4/11.0.0.9/udp/31000/quic-v1"

    async def run() -> None:
        relay = PeerID(peer_bytes(20))
        household = [contact(number, "11.0.0.9", relay) for number in (1, 2, 3)]
        daemon, clock = ScriptedDaemon(), HandClock()
        meeting = meeting_of(daemon, ScriptedBoard(*household), clock, [relay])
        await turn(meeting)
        (third,) = [peer for peer, addresses in daemon.ways if not addresses]
        assert relay not in daemon.dialled
        if is_connected:
            others = [peer for peer, addresses in daemon.ways if addresses]
            daemon.connected = [PeerInfo(peer, [Multiaddr(direct)]) for peer in others]
        clock.now += 20.0
        await turn(meeting)
        assert (third, [direct] if is_connected else []) in daemon.ways[3:]

    asyncio.run(run())


def test_a_meeting_goes_on_after_a_fault_of_any_kind() -> None:
    async def run() -> None:
        board = ScriptedBoard()
        board.faults = 1
        meeting = meeting_of(ScriptedDaemon(), board, HandClock())
        await asyncio.wait_for(meeting.run(lambda: board.reads < 2), DEADLINE)
        await meeting.close()
        assert board.reads == 2

    asyncio.run(run())
