"""Homes behind routers of several kinds connect with each other, and go on when a relay is killed."""

import asyncio
import ctypes
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import pytest
from hivemind.p2p import P2P, P2PDaemonError
from hivemind.p2p.p2p_daemon_bindings.datastructures import StreamInfo
from hivemind.utils.multiaddr import Multiaddr

from benchmarks.internet.emulation import EmulatedComputer, EmulatedInternet, why_unsupported
from benchmarks.internet.topology import EmulatedSite, Ip6, Router, SiteLine, Topology, addresses_of
from core.messages.reach import RelayBounds
from core.swarm.p2pd import by_udp, everywhere, place_sockets
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.dialler import DialDaemon
from core.swarm.reach.meeting import Meeting
from core.swarm.reach.relaying import asked_for_place, one_thread, reachability_option
from core.swarm.wire.frames import goes_by_udp, note_transports
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ContactRecord
from tests.waiting import DEADLINE

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
PORT = 31_330
LISTEN = everywhere("0.0.0.0", PORT)
LINE = SiteLine(down=20, up=5, delay=0.05)
TOPOLOGY = Topology(
    sites=(
        EmulatedSite(name="relay1", router=Router.NONE),
        EmulatedSite(name="relay2", router=Router.NONE),
        EmulatedSite(name="nat", line=LINE),
        EmulatedSite(name="double", line=LINE, router=Router.DOUBLE),
        EmulatedSite(name="sym1", line=LINE, router=Router.SYMMETRIC),
        EmulatedSite(name="sym2", line=LINE, router=Router.SYMMETRIC),
        EmulatedSite(name="six1", line=LINE, router=Router.SYMMETRIC, ip6=Ip6.CLOSED),
        EmulatedSite(name="six2", line=LINE, router=Router.SYMMETRIC, ip6=Ip6.CLOSED),
    )
)
ADDRESSES = {site.name: addresses_of(site, number) for number, site in enumerate(TOPOLOGY.sites)}
PUBLIC = {name: addresses.public for name, addresses in ADDRESSES.items()}
BYTES = 300_000
COUNT = "/idlebrush/test/count"
_NEW_NETWORK = 0x40000000


class SharedBoard:
    """The contacts of all peers, in this process."""

    def __init__(self) -> None:
        self._records: dict[bytes, ContactRecord] = {}

    async def publish(self, record: ContactRecord) -> None:
        self._records[record.peer_id] = record

    async def read(self) -> list[ContactRecord]:
        return list(self._records.values())


@contextmanager
def within(computer: EmulatedComputer) -> Iterator[None]:
    """Start within the context what is to run on that computer."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/self/ns/net").open() as own, Path(f"/run/netns/{computer.namespace}").open() as network:
        if libc.setns(network.fileno(), _NEW_NETWORK):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        try:
            yield
        finally:
            libc.setns(own.fileno(), _NEW_NETWORK)


@asynccontextmanager
async def daemon(computer: EmulatedComputer, folder: Path, bounds: RelayBounds | None) -> AsyncIterator[P2P]:
    """Run a libp2p daemon on a computer, with an identity in that folder; it relays within the bounds."""
    identity = PeerIdentity.load_or_create(folder / computer.site).path

    async def start() -> P2P:
        with within(computer), one_thread(True):
            return await DialDaemon.create(
                dht_mode="none",
                auto_nat=False,
                nat_port_map=False,
                identity_path=str(identity),
                host_maddrs=[*LISTEN, *map(by_udp, LISTEN)],
                force_reachability=reachability_option(bounds),
            )

    p2p = await start()
    while bounds is not None and not await relays(p2p, bounds, computer):
        await p2p.shutdown()
        p2p = await start()
    try:
        yield p2p
    finally:
        await p2p.shutdown()


async def relays(p2p: P2P, bounds: RelayBounds, computer: EmulatedComputer) -> bool:
    """Tell whether it relays within the bounds; on a busy computer p2pd's own smaller ones may count."""
    with within(computer):
        return await asked_for_place(p2p) == bounds.megabytes * 1_000_000


async def count(_: StreamInfo, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read as many bytes as the caller announces, and say how many they were, and whether they came by UDP."""
    try:
        size = int.from_bytes(await reader.readexactly(4), "big")
        received, by_udp = len(await reader.readexactly(size)), goes_by_udp(reader) and goes_by_udp(writer)
        writer.write(received.to_bytes(4, "big") + bytes([by_udp]))
        await writer.drain()
        await reader.read()  # p2pd passes nothing on that was written just before the end
    except (OSError, EOFError):
        pass
    finally:
        writer.close()


@dataclass
class MeetingHome:
    """A home whose daemon meets others."""

    p2p: P2P
    meeting: Meeting
    by_udp: tuple[bool, bool] = (False, False)
    """Whether its last stream went by UDP, for the home itself and for the other one."""

    async def passes(self, other: "MeetingHome", size: int = BYTES) -> int:
        """The bytes that another home received of so many."""
        _, reader, writer = await self.p2p.call_binary_stream_handler(other.p2p.peer_id, COUNT)
        writer.write(size.to_bytes(4, "big") + bytes(size))
        received = int.from_bytes(await reader.readexactly(4), "big")
        there = bool((await reader.readexactly(1))[0])
        self.by_udp = goes_by_udp(reader) and goes_by_udp(writer), there
        writer.close()
        return received

    async def ways(self, other: "MeetingHome") -> list[str]:
        """The addresses by which another home is connected."""
        return [
            str(address)
            for peer in await self.p2p.list_peers()
            if peer.peer_id == other.p2p.peer_id
            for address in peer.addrs
        ]


@dataclass
class MeetingScene:
    """Relays, homes, and what they tell each other."""

    internet: EmulatedInternet
    folder: Path
    stack: AsyncExitStack
    board: SharedBoard = field(default_factory=SharedBoard)
    relay: P2P | None = None
    """The relay that homes know from the start."""

    def _daemon(self, name: str, bounds: RelayBounds | None) -> AbstractAsyncContextManager[P2P]:
        return daemon(self.internet.computer(name), self.folder, bounds)

    async def add_relay(self, name: str, *known_by: MeetingHome) -> P2P:
        """A relay, which homes that are there learn of by its contact; later ones know the first as an entrance."""
        relay = await self.stack.enter_async_context(self._daemon(name, RelayBounds()))
        await Meeting(relay, self.board, OwnContact(), [], relaying=True).turn()
        self.relay = self.relay or relay
        for home in known_by:
            await home.p2p._client.connect(relay.peer_id, [Multiaddr(f"/ip4/{PUBLIC[name]}/tcp/{PORT}")])
        return relay

    async def add_home(self, name: str, *, opens: bool) -> MeetingHome:
        """A home that knows the first relay; others can open its router if it ``opens``."""
        assert self.relay is not None
        p2p = await self.stack.enter_async_context(self._daemon(name, None))
        await p2p.add_binary_stream_handler(COUNT, count)
        await p2p._client.connect(self.relay.peer_id, [Multiaddr(f"/ip4/{PUBLIC['relay1']}/tcp/{PORT}")])
        (own6,) = ADDRESSES[name].computers6 or ("",)
        own = OwnContact(False, *((PUBLIC[name], PORT) if opens else ("", 0)), own6, PORT if own6 else 0)
        meeting = Meeting(p2p, self.board, own, [self.relay.peer_id])
        self.stack.push_async_callback(meeting.close)
        return MeetingHome(p2p, meeting)


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[MeetingScene]:
    place_sockets()
    note_transports()
    with EmulatedInternet(TOPOLOGY) as internet:
        async with AsyncExitStack() as stack:
            yield MeetingScene(internet, folder, stack)


async def until(holds: Callable[[], Awaitable[bool]], otherwise: str, *homes: MeetingHome) -> None:
    """Let the homes take turns until that holds."""
    deadline = time.monotonic() + 3 * DEADLINE
    while not await holds():
        assert time.monotonic() < deadline, otherwise
        for home in homes:
            await home.meeting.turn()
        await asyncio.sleep(0.2)


async def meet(*homes: MeetingHome) -> None:
    """Let the homes take turns until each is connected with every other."""

    async def connected() -> bool:
        return all([await one.ways(other) for one, other in permutations(homes, 2)])

    await until(connected, "they do not meet", *homes)


async def have_places(count: int, *homes: MeetingHome) -> None:
    """Let the homes take turns until each has places at so many relays."""

    async def held() -> bool:
        return all(home.meeting.state.relays == count for home in homes)

    await until(held, f"they do not have places at {count} relays", *homes)


async def check(here: MeetingScene) -> None:
    relay = await here.add_relay("relay1")
    nat = await here.add_home("nat", opens=True)
    double = await here.add_home("double", opens=True)
    sym1 = await here.add_home("sym1", opens=False)
    sym2 = await here.add_home("sym2", opens=False)
    homes = (nat, double, sym1, sym2)
    relayed = ((sym1, sym2), (sym1, nat), (double, sym2))

    await meet(*homes)
    assert all("quic" in way for way in await nat.ways(double)), "their routers were not opened"
    for one, other in relayed:
        assert all(relay.peer_id.to_base58() in way for way in await one.ways(other))
    for one, other in ((nat, double), *relayed):
        assert await one.passes(other) == await other.passes(one) == BYTES
        assert {*one.by_udp, *other.by_udp} == {(one, other) == (nat, double)}, (
            "what passes by UDP is not known"
        )
    await have_places(1, *homes)
    assert [home.meeting.state.punched for home in homes] == [1, 1, 0, 0]

    six = [await here.add_home(name, opens=False) for name in ("six1", "six2")]
    await meet(*six)
    assert all("quic" in way and "/ip6/" in way for way in await six[0].ways(six[1]))
    assert await six[0].passes(six[1]) == await six[1].passes(six[0]) == BYTES

    second = await here.add_relay("relay2", *homes)
    await have_places(2, *homes)
    direct = asyncio.create_task(nat.passes(double, 4 * BYTES))
    lost = asyncio.create_task(sym1.passes(sym2, 10 * BYTES))
    await asyncio.wait([direct], timeout=0.5)
    relay._child.kill()
    assert await direct == 4 * BYTES, "a direct connection was lost with a relay"
    with pytest.raises((P2PDaemonError, OSError, EOFError)):
        await lost

    await have_places(1, *homes)
    await meet(*homes)
    for one, other in relayed:
        assert all(second.peer_id.to_base58() in way for way in await one.ways(other))
    assert await sym1.passes(sym2) == BYTES

    async def is_punched() -> bool:
        return nat.meeting.state.punched == 1

    second._child.kill()
    await have_places(0, *homes)
    assert await nat.passes(double) == BYTES
    await until(is_punched, "opened routers do not count", nat)


def test_homes_open_their_routers_or_use_a_relay_and_go_on_when_it_is_killed(tmp_path: Path) -> None:
    async def run() -> None:
        async with scene(tmp_path) as here:
            await check(here)

    asyncio.run(run())
