"""Keeps a running peer connected with peers behind routers: reserves at relays, tells others, opens routers."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hivemind.p2p import P2P, PeerID
from hivemind.utils import get_dht_time
from hivemind.utils.multiaddr import Multiaddr

from core.failure_series import FailureSeries
from core.swarm.reach.contacts import (
    Attempts,
    OwnContact,
    is_due,
    known_relays,
    may_relay,
    not_relaying,
    places_of,
    usable_relays,
    wanted,
    with_those_at,
)
from core.swarm.reach.questions import CALL_FAULTS
from core.swarm.reach.relaying import CircuitAddress, reserve
from core.swarm.wire.records import MOST_RELAYS, ContactRecord
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

_TURN_SECONDS = 1.0
_DIAL_SECONDS = 8.0
"""Seconds of one attempt to connect; libp2p's own for QUIC ends after five."""
_RESERVE_SECONDS = 10.0
_RENEW_SECONDS = 300.0
"""Seconds between renewals of a place; libp2p keeps one for an hour, or until the connection to the relay ends."""
_REFUSED_SECONDS = 30.0
"""Seconds in which a relay that gave no place is not asked again."""
_USELESS_SECONDS = 3600.0
"""Seconds in which a relay that passes too little is not asked again."""
_MOST_ASKED = 3
"""Relays that are asked for a place in one pass: those that do not answer take ten seconds each."""
_REMEMBERED_SECONDS = 600.0
"""Seconds for which attempts are remembered after the last one, though the contact may be gone."""
_PUBLISH_SECONDS = 60.0
_LOOK_SECONDS, _LOOK_SECONDS_A_PEER = 8.0, 0.25
"""Seconds between looks at the contacts, at least, and for each contact: so looks take 3 kB/s at most at any size."""
_MOST_AT_A_TIME = 8
"""Attempts to connect at the same time."""
_SMALL_BYTES = 1 << 20
"""A relay whose connections may pass less than this is of no use: p2pd's own limit is an eighth of it."""


class ContactBoard(Protocol):
    """The place where the peers of a swarm keep their contacts."""

    async def publish(self, record: ContactRecord) -> None:
        """Keep the ``record`` of this peer for some minutes."""

    async def read(self) -> list[ContactRecord]:
        """Return the records of all peers."""


@dataclass(frozen=True)
class MeetingState:
    """The ways in which others reach a peer at present."""

    relays: int = 0
    """Relays at which it has a place."""
    punched: int = 0
    """Peers connected by opening the routers of both sides for IPv4, which all peers have."""


class Meeting:
    """Keeps one peer in touch with those that libp2p alone would not find a way to."""

    def __init__(
        self,
        p2p: P2P,
        board: ContactBoard,
        own: OwnContact,
        entrances: Sequence[PeerID],
        *,
        relaying: bool = False,
        clock: Callable[[], float] = time.monotonic,
        dht_clock: Callable[[], float] = get_dht_time,
    ) -> None:
        """Prepare to take turns.

        Args:
            p2p: the libp2p daemon of this peer.
            board: where peers keep their contacts.
            own: contact of this peer, as it is published to others.
            entrances: peers by which this one entered the swarm; their relays are preferred.
            relaying: true if this peer relays for others at first.
            clock: gives monotonic seconds, by which this peer waits.
            dht_clock: gives the DHT time in seconds, by which peers dial each other at the same time. It jumps where
                the computer's clock is set.
        """
        self._p2p, self._board, self._own, self._entrances = p2p, board, own, tuple(entrances)
        self._relaying, self._clock, self._dht_clock = relaying, clock, dht_clock
        self._places: dict[PeerID, float] = {}
        """Relays at which this peer has a place, with the time at which it was renewed."""
        self._refused: dict[PeerID, float] = {}
        self._contacts: list[ContactRecord] = []
        self._attempts: dict[PeerID, Attempts] = {}
        self._attempts_at: dict[str, Attempts] = {}
        """Attempts at the addresses of peers, whichever peer they were meant for."""
        self._dialling: dict[PeerID, asyncio.Task[None]] = {}
        self._keeping: asyncio.Task[None] | None = None
        self._connected: dict[PeerID, list[str]] = {}
        self._published: ContactRecord | None = None
        self._publish_at = self._look_at = float("-inf")
        self._faults = FailureSeries(_log, "Keeping in touch with peers behind routers")

    @property
    def state(self) -> MeetingState:
        """The ways in which others reach this peer at present."""
        meant = {PeerID(item.peer_id) for item in self._contacts if item.address}
        by_ip4 = {peer: [item for item in self._connected.get(peer, ()) if "/ip4/" in item] for peer in meant}
        punched = [peer for peer, addresses in by_ip4.items() if any(map(_is_opened, addresses))]
        return MeetingState(len(self._places), len(punched) if self._own.address else 0)

    def end_relaying(self) -> None:
        """State from the next turn on that this peer relays for nobody."""
        self._relaying = False

    async def run(self, is_alive: Callable[[], bool]) -> None:
        """Take a turn every second while ``is_alive`` returns true."""
        while is_alive():
            try:
                await self.turn()
                self._faults.succeeded()
            except Exception as error:  # noqa: BLE001 - a meeting that ended would not be missed
                self._faults.failed(error)
            await asyncio.sleep(_TURN_SECONDS)

    async def turn(self) -> None:
        """Do what is due; attempts to connect go on beside the turns."""
        if self._own.dials:
            await self._look()
            await self._note()
            self._dial()
        if not self._own.direct and (self._keeping is None or self._keeping.done()):
            self._keeping = asyncio.create_task(self._keep_places())  # a relay that is gone takes its time
        if self._own.published:
            await self._publish()

    # --- connections --------------------------------------------------------------------------------------------

    async def _note(self) -> None:
        """Take note of the connections there are, and log those that came and went."""
        connected: dict[PeerID, list[str]] = {}
        for item in await self._p2p.list_peers():
            connected.setdefault(item.peer_id, []).extend(map(str, item.addrs))
        meant = {PeerID(item.peer_id): item for item in self._wanted()}
        for peer in meant.keys() & (connected.keys() - self._connected.keys()):
            tries = self._attempts.pop(peer, Attempts()).count
            for place in places_of(connected[peer]):
                self._attempts_at.pop(place, None)
            _log.info("Peer %s is connected by %s (attempts: %d).", peer, _way(connected[peer]), tries)
        for peer in meant.keys() & (self._connected.keys() - connected.keys()):
            _log.info("Peer %s is no longer connected.", peer)
        self._connected = connected

    def _wanted(self) -> list[ContactRecord]:
        connections = [address for addresses in self._connected.values() for address in addresses]
        return wanted(self._p2p.peer_id.to_bytes(), self._contacts, places_of(connections))

    def _dial(self) -> None:
        """Begin to connect to the peers that it is time for."""
        self._dialling = {peer: task for peer, task in self._dialling.items() if not task.done()}
        waiting = [(self._before(contact), contact) for contact in self._wanted()]
        for before, contact in sorted(waiting, key=lambda item: item[0].count):
            peer = PeerID(contact.peer_id)
            if peer in self._connected or peer in self._dialling or not is_due(before, self._dht_clock()):
                continue
            if len(self._dialling) >= _MOST_AT_A_TIME:
                break
            attempts = self._attempts[peer] = self._with_one_more(before)
            for place in contact.places:
                self._attempts_at[place] = self._with_one_more(self._attempts_at.get(place, Attempts()))
            self._dialling[peer] = asyncio.create_task(self._connect(peer, contact, attempts))

    def _with_one_more(self, attempts: Attempts) -> Attempts:
        return attempts.next_at(self._dht_clock(), self._clock())

    def _before(self, contact: ContactRecord) -> Attempts:
        """Return the attempts that count for a contact."""
        own = self._attempts.get(PeerID(contact.peer_id), Attempts())
        there = [self._attempts_at[place] for place in contact.places if place in self._attempts_at]
        return with_those_at(own, max(there, key=lambda item: item.count, default=Attempts()))

    async def _connect(self, peer: PeerID, contact: ContactRecord, attempts: Attempts) -> None:
        """Connect to a peer directly, which opens this side's router for it, or through one of its relays."""
        direct = [Multiaddr(item) for item in contact.multiaddresses(ip6=bool(self._own.address6))]
        # An address is left out while several peers name it and none is connected there: it may be in the next slot.
        named = next((item for item in self._contacts if item.peer_id == contact.peer_id), contact)
        if await self._dials(peer, direct) or not may_relay(named, self._own, attempts):
            return
        for relay in usable_relays(contact, self._entrances, self._contacts):
            if relay != self._p2p.peer_id and not await self._dials(relay, []):
                continue
            if await self._dials(peer, [CircuitAddress(relay)]):
                return

    async def _dials(self, peer: PeerID, addresses: Sequence[Multiaddr | CircuitAddress]) -> bool:
        try:
            async with asyncio.timeout(_DIAL_SECONDS):
                await self._p2p._client.connect(peer, addresses)
        except CALL_FAULTS as error:
            _log.debug("Peer %s is not reached: %s", peer, str(error) or type(error).__name__)
            return False
        return True

    # --- places at relays ---------------------------------------------------------------------------------------

    async def _keep_places(self) -> None:
        """Renew the places at relays, and ask others where one is gone."""
        for relay in [item for item in self._places if item not in self._connected]:
            del self._places[relay]
            _log.warning("The relay %s is gone.", relay)
        for relay in self._places.keys() & not_relaying(self._contacts):
            del self._places[relay]  # it makes no new connections to this peer, and the open ones continue
            _log.warning("The relay %s states that it relays for nobody at present.", relay)
        for relay, since in list(self._places.items()):
            if self._clock() - since >= _RENEW_SECONDS:
                await self._reserve(relay)
        free = [item for item in self._candidates() if self._clock() >= self._refused.get(item, 0.0)]
        for relay in free[:_MOST_ASKED]:
            if len(self._places) < MOST_RELAYS:
                await self._reserve(relay)

    def _candidates(self) -> list[PeerID]:
        """Return the relays to ask, the entrances first; each group in random order, so that the load is shared."""
        groups = known_relays(self._entrances, self._contacts)
        known = [relay for group in groups for relay in random.sample(group, len(group))]
        return [item for item in known if item not in self._places]

    async def _reserve(self, relay: PeerID) -> None:
        had = self._places.get(relay)
        self._refused[relay] = self._clock() + _REFUSED_SECONDS
        try:
            passes = await reserve(self._p2p, relay, _RESERVE_SECONDS)
        except CALL_FAULTS as error:
            self._places.pop(relay, None)
            text = "The relay %s gives this peer no place: %s"
            level = logging.WARNING if had is not None else logging.INFO
            _log.log(level, text, relay, str(error) or type(error).__name__)
            return
        if 0 < passes < _SMALL_BYTES:
            self._places.pop(relay, None)
            self._refused[relay] = self._clock() + _USELESS_SECONDS
            _log.warning("The relay %s passes %d bytes, too little for an exchange.", relay, passes)
            return
        self._places[relay] = self._clock()
        if had is None:
            _log.info("The relay %s passes connections to this peer, of %d bytes each way.", relay, passes)

    # --- contacts -----------------------------------------------------------------------------------------------

    async def _publish(self) -> None:
        """Tell the others how they reach this peer: at once if that has changed, else now and then."""
        record = ContactRecord(
            peer_id=self._p2p.peer_id.to_bytes(),
            direct=self._own.direct,
            relaying=self._relaying,
            address=self._own.address,
            port=self._own.port,
            address6=self._own.address6,
            port6=self._own.port6,
            relays=[relay.to_bytes() for relay in self._places],
        )
        if record == self._published and self._clock() < self._publish_at:
            return
        await self._board.publish(record)
        self._published, self._publish_at = record, self._clock() + _PUBLISH_SECONDS

    async def _look(self) -> None:
        if self._clock() < self._look_at:
            return
        self._contacts = await self._board.read()
        pause = max(_LOOK_SECONDS, _LOOK_SECONDS_A_PEER * len(self._contacts))
        self._look_at = self._clock() + pause
        since = self._clock() - _REMEMBERED_SECONDS
        self._attempts = {peer: item for peer, item in self._attempts.items() if item.made_at > since}
        self._attempts_at = {place: item for place, item in self._attempts_at.items() if item.made_at > since}

    async def close(self) -> None:
        """End the attempts that go on."""
        await end_tasks([*self._dialling.values(), *([self._keeping] if self._keeping else [])])


def _way(addresses: Sequence[Any]) -> str:
    """Return by which way a peer is connected, in words for the log."""
    if all("p2p-circuit" in item for item in addresses):
        return "a relay"
    return "opened routers (QUIC)" if any(map(_is_opened, addresses)) else "TCP"


def _is_opened(address: str) -> bool:
    """Return true for a connection by QUIC that goes through no relay."""
    return "quic" in address and "p2p-circuit" not in address
