"""Places at a relay are reserved and refused by a real libp2p daemon; answers that make no sense are errors."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import hivemind
import pytest
from hivemind.p2p import P2P, P2PDaemonError
from hivemind.utils.multiaddr import Multiaddr

from core.errors import SwarmError
from core.messages.reach import RelayBounds
from core.swarm.dht import Network, start_dht
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.dialler import outgoing_daemon
from core.swarm.reach.relaying import (
    RelayRefused,
    fields_of,
    first_within,
    one_thread,
    relays_within,
    reserve,
)
from core.swarm.wire.identity import PeerIdentity
from tests.waiting import DEADLINE

LISTEN = ("/ip4/127.0.0.1/tcp/0",)
MEGABYTES = 7


@contextmanager
def running(identity: Path, **network: Any) -> Iterator[hivemind.DHT]:
    """A node of a swarm of its own."""
    dht = start_dht(
        Network(LISTEN, **network), PeerIdentity.load_or_create(identity), prefix="tiny-0", total_epochs=9
    )
    try:
        yield dht
    finally:
        dht.shutdown()


@asynccontextmanager
async def caller_of(relay: hivemind.DHT) -> AsyncIterator[P2P]:
    """A libp2p daemon that is connected to the relay."""
    addresses = [Multiaddr(str(each).partition("/p2p/")[0]) for each in relay.get_visible_maddrs()]
    async with outgoing_daemon() as caller:
        await caller._client.connect(relay.peer_id, addresses)
        yield caller


async def place_at(relay: hivemind.DHT) -> int:
    """Ask for a place, and return the bytes that a connection may pass."""
    async with caller_of(relay) as caller:
        return await reserve(caller, relay.peer_id, DEADLINE)


def test_a_relay_gives_and_renews_as_many_places_as_it_may(tmp_path: Path) -> None:
    async def check(relay: hivemind.DHT) -> None:
        async with caller_of(relay) as first:
            for _ in range(2):  # the second time it is renewed
                assert await reserve(first, relay.peer_id, DEADLINE) == MEGABYTES * 1_000_000
            with pytest.raises(RelayRefused):
                await place_at(relay)

    with running(tmp_path / "relay", relay=RelayBounds(homes=1, megabytes=MEGABYTES)) as relay:
        asyncio.run(check(relay))


def test_a_home_that_uses_relays_does_not_relay(tmp_path: Path) -> None:
    with (
        running(tmp_path / "home", contact=OwnContact(direct=False)) as home,
        pytest.raises(P2PDaemonError, match="protocols not supported"),
    ):
        asyncio.run(place_at(home))


def test_a_relay_with_the_small_limits_of_libp2p_is_told_from_one_with_those_that_it_was_given() -> None:
    dht = hivemind.DHT(start=True, use_relay=True)
    try:
        assert asyncio.run(place_at(dht)) == 1 << 17
        assert not relays_within(dht, RelayBounds(), LISTEN)
    finally:
        dht.shutdown()


class _TriedRelay:
    """A relay that keeps to its bounds or does not."""

    def __init__(self, within: bool) -> None:
        self.within, self.ended = within, False

    def shutdown(self) -> None:
        self.ended = True


def test_a_relay_is_started_until_it_keeps_to_its_bounds() -> None:
    nodes = [_TriedRelay(within) for within in (False, False, True)]
    coming: Iterator[Any] = iter(nodes)
    found: Any = first_within(lambda: next(coming), lambda node: bool(node.within))
    assert found is nodes[2]
    assert [node.ended for node in nodes] == [True, True, False]


def test_a_relay_that_never_keeps_to_its_bounds_is_an_error() -> None:
    nodes: list[Any] = []

    def start() -> Any:
        nodes.append(_TriedRelay(within=False))
        return nodes[-1]

    with pytest.raises(SwarmError, match="started 5 times"):
        first_within(start, lambda node: bool(node.within))
    assert all(node.ended for node in nodes)


@pytest.mark.parametrize("before", [{}, {"GOMAXPROCS": "3"}], ids=["unset", "set"])
@pytest.mark.parametrize("needed", [True, False])
def test_what_starts_on_one_thread_leaves_the_environment_as_it_was(
    before: dict[str, str], needed: bool
) -> None:
    environment = dict(before)
    with one_thread(needed, environment):
        assert environment == ({"GOMAXPROCS": "1"} if needed else before)
    assert environment == before


@pytest.mark.parametrize("message", [b"\x2a\x05ab", b"\x28", b"\x2d0000", b"\x28" + b"\xff" * 11])
def test_an_answer_that_makes_no_sense_is_an_error(message: bytes) -> None:
    with pytest.raises(ValueError, match="answer"):
        list(fields_of(message))
