"""Chooses the peers to connect to, the time, and the way to each, by pure functions."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.swarm.wire.addresses import place_of
from core.swarm.wire.records import ContactRecord

MOST_CONTACTS = 128
"""Peers that one peer connects to by what their contacts say, at most."""
_NO_ADDRESS = {"address": "", "port": 0, "address6": "", "port6": 0}
_MOST_AT_ADDRESS = 2
"""Peers whose routers are opened at one address before one is connected there.

A peer that names another's address can't send many there, and a household has several computers.
"""
_SLOT_SECONDS, _LATER_SECONDS = 20.0, 120.0
"""Lengths of the slots of time at whose beginnings all peers dial; the second, once many attempts were in vain."""
_SOON = 6
"""Attempts after which a peer is tried less often."""
_TIMELY_SECONDS = 3.0
"""Seconds from the beginning of a slot in which an attempt meets the other side's, which takes five."""
_PUNCHES, _MOST_PUNCHES = 2, 4
"""Attempts to open the routers of both sides before a relay is used: those at beginnings of slots, and all."""


@dataclass(frozen=True)
class OwnContact:
    """The ways to reach a peer, as it publishes them to others."""

    direct: bool = True
    """True if others connect to it at addresses that libp2p knows; else it asks for places at relays."""
    address: str = ""
    """Public address of IPv4 at which others open its router; empty: they can't."""
    port: int = 0
    """UDP port of the peer at `address`; 0: there is none."""
    address6: str = ""
    """Public address of IPv6 at which others reach it, or open its router; empty: it has none."""
    port6: int = 0
    """UDP port of the peer at `address6`; 0: there is none."""
    published: bool = True
    """False for a peer that only uses the contacts of others."""

    @property
    def dials(self) -> bool:
        """True if the peer connects to others by their contacts, rather than that all of them connect to it."""
        return not (self.direct and self.published)


@dataclass(frozen=True)
class Attempts:
    """Attempts to connect to a peer since the last connection with it ended."""

    count: int = 0
    """Number of attempts."""
    last: float = float("-inf")
    """DHT time of the last attempt, in seconds: all peers count the slots of time alike."""
    made_at: float = float("-inf")
    """Time of the last attempt, in monotonic seconds of this process."""
    timely: int = 0
    """Number of attempts at the beginnings of slots, where the other side dials too."""

    def next_at(self, now: float, made_at: float) -> "Attempts":
        """Return these and one more at ``now``, a DHT time in seconds; ``made_at`` is its monotonic time."""
        timely = now % _SLOT_SECONDS < _TIMELY_SECONDS
        return Attempts(self.count + 1, now, made_at, self.timely + timely)


def wanted(
    own: bytes, contacts: Iterable[ContactRecord], inhabited: Collection[str] = ()
) -> list[ContactRecord]:
    """Return the ``contacts`` of the peers that a peer connects to by them, the nearest ones if there are many.

    Nearness is that of ids, ``own`` and the others', so that two peers mostly choose each other. Where several peers
    name one address, the addresses are left out of the contacts of all but the nearest two, unless it is in one of
    the ``inhabited`` networks: those in which a peer is connected, as `places_of` gives them.
    """
    here = int.from_bytes(own, "big")
    others = sorted(contacts, key=lambda item: here ^ int.from_bytes(item.peer_id, "big"))
    bounded = _few_at_an_address([item for item in others if item.peer_id != own], inhabited)
    return [item for item in bounded if _can_be_dialled(item)][:MOST_CONTACTS]


def _few_at_an_address(contacts: Iterable[ContactRecord], inhabited: Collection[str]) -> list[ContactRecord]:
    found, many = [], Counter[str]()
    for item in contacts:
        many.update(place for place in item.places if place not in inhabited)
        excess = any(many[place] > _MOST_AT_ADDRESS for place in item.places)
        found.append(item.model_copy(update=_NO_ADDRESS) if excess else item)
    return found


def places_of(connections: Iterable[str]) -> frozenset[str]:
    """Return the networks that ``connections`` lead to without a relay; they are multiaddresses."""
    parts = [item.split("/") for item in connections if "p2p-circuit" not in item]
    return frozenset(place_of(item[2]) for item in parts if item[1] in ("ip4", "ip6"))


def _can_be_dialled(contact: ContactRecord) -> bool:
    return bool(contact.relays or contact.places or contact.direct)


def is_due(attempts: Attempts, now: float) -> bool:
    """Return true if a peer may be dialled at ``now`` after such ``attempts``; times are DHT times in seconds.

    A router lets a packet in for half a minute after one has left for the same place. So two peers meet if they dial
    at about the same time: at the beginning of slots that all of them count alike. A clock that is set back leads
    to another slot, too: else a peer would dial no more until the clock is where it was.
    """
    length = _SLOT_SECONDS if attempts.count < _SOON else _LATER_SECONDS
    return not attempts.count or now // length != attempts.last // length


def with_those_at(peer: Attempts, address: Attempts) -> Attempts:
    """Return what counts as attempts for a peer, given its own and those at its address, which others may name too.

    A new id for the same address does not start from the beginning.
    """
    last = peer.last if peer.count else address.last
    count, timely = address.count // _MOST_AT_ADDRESS, address.timely // _MOST_AT_ADDRESS
    return Attempts(max(peer.count, count), last, timely=max(peer.timely, timely))


def may_relay(contact: ContactRecord, own: OwnContact, attempts: Attempts) -> bool:
    """Return true if the last of the ``attempts`` may use a relay once the direct one has failed.

    While a connection through a relay stands, libp2p opens no other. So where both routers may be opened, which the
    ``own`` contact and that of the other tell, that is tried again first. An attempt amid a slot proves little: the
    other side may not know this one yet, and libp2p refuses to dial again for five seconds after a failure.
    """
    both = bool((contact.address and own.address) or (contact.address6 and own.address6))
    return not both or attempts.timely >= _PUNCHES or attempts.count >= _MOST_PUNCHES


def not_relaying(contacts: Iterable[ContactRecord]) -> frozenset[PeerID]:
    """Return the peers that state in their ``contacts`` that they relay for nobody: never, or not at present."""
    return frozenset(PeerID(item.peer_id) for item in contacts if not item.relaying)


def known_relays(
    entrances: Iterable[PeerID], contacts: Collection[ContactRecord]
) -> tuple[list[PeerID], list[PeerID]]:
    """Return the relays among the ``entrances``, and those that are known by their ``contacts`` alone.

    An entrance counts as a relay unless its contact says otherwise: at first there are no contacts.
    """
    silent = not_relaying(contacts)
    first = [peer for peer in dict.fromkeys(entrances) if peer not in silent]
    others = (PeerID(item.peer_id) for item in contacts if item.relaying)
    return first, [peer for peer in others if peer not in first]


def usable_relays(
    contact: ContactRecord, entrances: Iterable[PeerID], contacts: Collection[ContactRecord]
) -> list[PeerID]:
    """Return the relays that the ``contact`` names and that are known to relay: ``entrances``, or by ``contacts``."""
    known = {peer for group in known_relays(entrances, contacts) for peer in group}
    return [peer for peer in map(PeerID, contact.relays) if peer in known]
