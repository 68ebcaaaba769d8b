"""A relay whose total of the day is used up says so: a home takes its place elsewhere, and comes back to it later."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hivemind
from hivemind.utils.multiaddr import Multiaddr

from core.messages.reach import RelayBounds, RelayUsedUp
from core.swarm.dht import Network, start_dht
from core.swarm.reach.board import look_at_meeting
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.daemon_relay import DaemonRelay
from core.swarm.reach.dialler import outgoing_daemon
from core.swarm.reach.relay_total import RelayTotal
from core.swarm.reach.relaying import CircuitAddress
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ContactRecord, contact_key, parse_all
from tests.waiting import COSTLY, DEADLINE, wait_until

PREFIX = "tiny-0"
LISTEN = ("/ip4/127.0.0.1/tcp/0",)
RELAYS: dict[str, Any] = {"relay": RelayBounds(gigabytes_a_day=1.0), "contact": OwnContact()}
HOME: dict[str, Any] = {"client_mode": True, "contact": OwnContact(direct=False)}
BEFORE_MIDNIGHT = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)


class RelayedSwarm:
    """A bootstrap peer and a publisher that relay, and a home that accepts no connections."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._bootstrap = stack.enter_context(ExitStack())
        self.bootstrap = self._bootstrap.enter_context(self._peer("bootstrap", LISTEN, **RELAYS))
        self.entry = tuple(str(item) for item in self.bootstrap.get_visible_maddrs())
        self.publisher = stack.enter_context(self._peer("publisher", LISTEN, self.entry, **RELAYS))
        self.home = stack.enter_context(self._peer("home", LISTEN, self.entry, **HOME))

    @contextmanager
    def _peer(
        self, name: str, listen: tuple[str, ...], entry: tuple[str, ...] = (), **network: Any
    ) -> Iterator[hivemind.DHT]:
        identity = PeerIdentity.load_or_create(self._folder / name)
        complete = Network(listen, entry, upnp=False, check_identity=False, **network)
        dht = start_dht(complete, identity, prefix=PREFIX, total_epochs=9)
        try:
            yield dht
        finally:
            dht.shutdown()

    def start_bootstrap_again(self) -> None:
        self._bootstrap.close()
        listen = tuple(item.partition("/p2p/")[0] for item in self.entry)
        self.bootstrap = self._bootstrap.enter_context(self._peer("bootstrap", listen, **RELAYS))

    def contact(self, of: hivemind.DHT) -> ContactRecord | None:
        """What the publisher knows of a peer's contact."""
        found = self.publisher.get(contact_key(PREFIX), latest=True)
        contacts = parse_all(ContactRecord, found.value if found else None).values()
        return next((item for item in contacts if item.peer_id == of.peer_id.to_bytes()), None)

    def wait_for_places(self, *relays: hivemind.DHT) -> None:
        """Wait until the contact of the home names exactly these relays."""
        expected = {relay.peer_id.to_bytes() for relay in relays}

        def names_them() -> bool:
            contact = self.contact(self.home)
            return contact is not None and set(contact.relays) == expected

        wait_until(names_them, f"the home has no places at just {relays}", 2 * DEADLINE, every=COSTLY)
        assert look_at_meeting(self.home).result(DEADLINE).relays == len(relays)

    def is_stated_to_relay(self, relay: hivemind.DHT) -> bool:
        contact = self.contact(relay)
        return contact is not None and contact.relaying


def test_a_home_leaves_a_relay_whose_total_is_used_up_and_keeps_the_open_connection(tmp_path: Path) -> None:
    now = [BEFORE_MIDNIGHT]
    count = tmp_path / "relayed.json"
    count.write_text(json.dumps({"day": "2026-03-01", "passed": 1_000_000_000}))

    async def use_up(swarm: RelayedSwarm) -> None:
        """Have the total used up while another peer is connected to the home through the relay."""
        total = RelayTotal(DaemonRelay(swarm.bootstrap), 1.0, count, now=lambda: now[0])
        async with outgoing_daemon() as caller:
            addresses = [Multiaddr(item.partition("/p2p/")[0]) for item in swarm.entry]
            await caller._client.connect(swarm.bootstrap.peer_id, addresses)
            await caller._client.connect(swarm.home.peer_id, [CircuitAddress(swarm.bootstrap.peer_id)])
            assert isinstance(await asyncio.to_thread(total.turn), RelayUsedUp)
            await asyncio.to_thread(swarm.wait_for_places, swarm.publisher)
            assert not swarm.is_stated_to_relay(swarm.bootstrap)
            assert swarm.home.peer_id in {item.peer_id for item in await caller.list_peers()}

    with ExitStack() as stack:
        swarm = RelayedSwarm(tmp_path, stack)
        swarm.wait_for_places(swarm.bootstrap, swarm.publisher)
        assert swarm.is_stated_to_relay(swarm.bootstrap)
        asyncio.run(use_up(swarm))
        now[0] += timedelta(minutes=1)
        next_day = RelayTotal(DaemonRelay(swarm.bootstrap), 1.0, count, now=lambda: now[0])
        next_day.turn()
        swarm.start_bootstrap_again()
        swarm.wait_for_places(swarm.bootstrap, swarm.publisher)
        assert swarm.is_stated_to_relay(swarm.bootstrap)
