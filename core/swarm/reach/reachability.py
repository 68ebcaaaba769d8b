"""Judges from what other peers observed how this one is reached: pure functions."""

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.messages.reach import Reach
from core.swarm.wire.addresses import may_be_dialled, version_of

_SETTLED_SECONDS = 3600.0
"""Seconds after its start in which a peer is not started again for another verdict, unless it has moved."""

_STAYS_SECONDS = 600.0
"""Seconds after a move in which a peer is not started again for the sake of its router alone."""


@dataclass(frozen=True)
class ReachAnswer:
    """Finding of one entrance about this peer."""

    entrance: str
    """Id of the entrance."""
    address: str
    """The IP address from which this peer's connection came."""
    reached: tuple[int, ...] = ()
    """Ports, of those asked about, at which the entrance could connect to this peer."""
    udp_port: int | None = None
    """UDP port from which the question came, if it came by QUIC."""
    asked_at: str = ""
    """Host at which the entrance was asked; empty if that is not known."""

    @property
    def is_ip6(self) -> bool:
        """True if the connection was one of IPv6."""
        return version_of(self.address) == 6

    @property
    def is_public(self) -> bool:
        """True if the entrance saw this peer come from the Internet, and not from a network that both share."""
        return ipaddress.ip_address(self.address).is_global


@dataclass(frozen=True)
class ReachObservations:
    """All that is known before the verdict."""

    port: int
    """Port at which this peer listens."""
    own_address: str | None
    """Address with which this computer's connections of IPv4 leave it; None if it has no way to the Internet."""
    answers: tuple[ReachAnswer, ...] = ()
    """The answers of the entrances that offer the check."""
    mapped: frozenset[int] = frozenset()
    """Outer ports that a router forwards on request."""
    by_udp: tuple[ReachAnswer, ...] = ()
    """Answers to questions that were sent from this peer's UDP port, which has the same number."""
    has_entrances: bool = True
    """False for the first peer of a swarm, whom others have to find."""
    own_address6: str | None = None
    """Public address with which connections of IPv6 leave; None if it has none."""
    ip6_only: bool = False
    """True if all addresses of the entrances are ones of IPv6, so that every peer of the swarm has it."""


@dataclass(frozen=True)
class ReachByIp6:
    """The way in which others who have IPv6 reach a peer by it."""

    address: str
    """Address from which they see it come."""
    is_reached: bool
    """True if they connect to it there uninvited; the log and the trials with emulated homes show it."""
    opens_at: tuple[str, int] | None = None
    """Public address and UDP port at which they can open this peer's router, if that does not let them in anyway."""


@dataclass(frozen=True)
class Reachability:
    """The result of finding out how others reach this peer."""

    reach: Reach
    addresses: tuple[str, ...] = ()
    """Multiaddresses, without the peer's id, at which others could connect."""
    observed: str | None = None
    """IP address from which others see this peer come; None if none of them could say."""
    answered: tuple[str, ...] = ()
    """Ids of the entrances that answered."""
    port: int | None = None
    """Port at which this peer listens."""
    is_translated: bool = False
    """True if the observed address is not this computer's own: a router translates between them."""
    opens_at: tuple[str, int] | None = None
    """Public address of IPv4, and UDP port, at which others can open this peer's router; None if they can't."""
    by_ip6: ReachByIp6 | None = None
    """The ways by IPv6; None if no entrance saw this peer come by it from the Internet."""

    @property
    def client_mode(self) -> bool:
        """True if the peer must not count as one that others can connect to."""
        return not self.reach.accepts_connections

    @property
    def announced(self) -> tuple[str, ...]:
        """Addresses that this peer has to announce, because libp2p doesn't find them out by itself.

        It knows the addresses of the computer's interfaces, and those that it had mapped itself.
        """
        return self.addresses if self.reach is Reach.DIRECT and self.is_translated else ()


def judge(seen: ReachObservations) -> Reachability:
    """Return the verdict on what was ``seen``.

    An entrance in the same local network says nothing about the Internet: if another one saw this peer come from
    there, only such answers count. One entrance that could connect is enough, because another may itself sit behind
    something that hinders it. Answers by IPv6 decide only where every peer has it: a reducer has to be reached by
    all members of a group.
    """
    if not seen.has_entrances:
        return Reachability(Reach.DIRECT, port=seen.port)
    by_ip6 = _by_ip6(seen)
    all_can = [item for item in seen.answers if seen.ip6_only or not item.is_ip6]
    answers = [item for item in all_can if item.is_public] or all_can
    if not answers:
        return _reached_by_few(seen, by_ip6)
    best = max(answers, key=lambda item: (seen.port in item.reached, len(item.reached)))
    return Reachability(
        _reach(best, seen),
        tuple(f"{_host(best.address)}/tcp/{port}" for port in best.reached),
        best.address,
        tuple(item.entrance for item in seen.answers),
        seen.port,
        is_translated=not _is_own(best.address, seen.own_address6 if best.is_ip6 else seen.own_address),
        opens_at=None if best.reached else opens_at(seen.port, seen.by_udp),
        by_ip6=by_ip6,
    )


def _reached_by_few(seen: ReachObservations, by_ip6: ReachByIp6 | None) -> Reachability:
    """Return the verdict on a peer that no entrance saw come by what all peers have."""
    if by_ip6 is None:
        return Reachability(Reach.UNCHECKED, port=seen.port)
    answered = tuple(item.entrance for item in seen.answers)
    return Reachability(Reach.OUTGOING, (), by_ip6.address, answered, seen.port, by_ip6=by_ip6)


def _by_ip6(seen: ReachObservations) -> ReachByIp6 | None:
    """Return the ways by IPv6: where no router translates addresses, a UDP port is the same outside."""
    answers = [item for item in seen.answers if item.is_ip6 and item.is_public]
    if not answers:
        return None
    best = max(answers, key=lambda item: seen.port in item.reached)
    opens = best.address == seen.own_address6 and may_be_dialled(best.address, seen.port)
    return ReachByIp6(best.address, seen.port in best.reached, (best.address, seen.port) if opens else None)


def _reach(best: ReachAnswer, seen: ReachObservations) -> Reach:
    if not best.reached:
        return Reach.OUTGOING
    is_forwarded = seen.port in best.reached and seen.port not in seen.mapped
    return Reach.DIRECT if is_forwarded else Reach.MAPPED


def opens_at(port: int, answers: Sequence[ReachAnswer]) -> tuple[str, int] | None:
    """Return the public address and UDP port from which everybody sees a peer's packets come, or None.

    Some routers take another port for each destination, so that no peer can tell at which one they let a third in.
    Two entrances at different hosts that saw the same port tell them apart; a single one does if the port is this
    peer's own ``port``, which such a router would hardly draw. ``answers`` are of entrances that were asked from that
    port. A place that others would not dial is none.
    """
    usable = [item for item in answers if item.is_public and not item.is_ip6 and item.udp_port is not None]
    places = {(item.address, item.udp_port or 0) for item in usable}
    if len(places) != 1:
        return None
    ((address, outer),) = places
    hosts = {item.asked_at or item.entrance for item in usable}
    return (address, outer) if (outer == port or len(hosts) > 1) and may_be_dialled(address, outer) else None


def reach_now(found: Reachability, *, relays: int, punched: int) -> Reach:
    """Return how others reach a peer at present.

    Args:
        found: the verdict of the entrances.
        relays: number of relays at which the peer has a place.
        punched: number of peers that are connected by opening the routers of both sides.
    """
    if not found.client_mode:
        return found.reach
    if found.opens_at is not None and (relays or punched):
        return Reach.PUNCHED
    return Reach.RELAYED if relays else found.reach


def may_serve(reach: Reach, others: Iterable[Reach]) -> bool:
    """Return true if a peer that is reached in that way may reduce for others, or give its state to them.

    One that only relays reach stands back while any other does: each byte to it passes the coordinator's line
    twice, while an auxiliary peer there would reduce for all at the same cost. It is better than none at all. The two
    are asked separately: an auxiliary peer reduces, and has no state to give.

    Args:
        reach: the way in which others reach the peer.
        others: the ways in which others reach the peers that do it at present.
    """
    if reach is Reach.RELAYED:
        return all(item is Reach.RELAYED for item in others)
    return reach in (Reach.DIRECT, Reach.MAPPED, Reach.PUNCHED)


def _host(address: str) -> str:
    return f"/ip{version_of(address)}/{address}"


def _is_own(address: str, own: str | None) -> bool:
    return address == own or ipaddress.ip_address(address).is_loopback


def may_be_mapped(found: Reachability) -> bool:
    """Return true if a router that forwards a port on request could still change the verdict ``found``."""
    return found.reach is Reach.OUTGOING and found.is_translated


def outer_ports(visible: Iterable[str], *, port: int, announced: Sequence[str] = ()) -> frozenset[int]:
    """Return the outer ports that a router forwards on request, as libp2p's own addresses show them.

    Args:
        visible: the multiaddresses that libp2p gives as those of this peer.
        port: the port at which this peer listens, which those of its interfaces have.
        announced: multiaddresses that this peer was configured to announce, which are no mapped ones.
    """
    parts = [item.split("/") for item in visible if not item.startswith(tuple(announced) or ("-",))]
    ports = (int(item[4]) for item in parts if len(item) > 4 and item[3] == "tcp")
    return frozenset(item for item in ports if item != port)


def needs_restart(
    started_with: Reachability, found: Reachability, seconds: float, there: float | None = None
) -> bool:
    """Return true if a peer has to start again because it is reached in another way.

    It does if it should have been started in the other mode, or with other addresses to announce: once an hour at
    most, or at once after it has moved. If only the places at which its router opens are others, it trains on through
    relays for some minutes first: it may move again.

    Args:
        started_with: the verdict that the peer was started with.
        found: the verdict of now.
        seconds: seconds since the start.
        there: seconds since this computer has come into the network where it is; None: it has not moved.
    """
    if _start(started_with) == _start(found):
        return False
    if there is not None and _mode(started_with) == _mode(found):
        return there >= _STAYS_SECONDS
    return started_with.observed != found.observed or seconds >= _SETTLED_SECONDS


def _start(found: Reachability) -> tuple[object, ...]:
    """Return what a peer's start depends on."""
    return *_mode(found), found.opens_at, found.by_ip6 and found.by_ip6.opens_at


def _mode(found: Reachability) -> tuple[object, ...]:
    return found.client_mode, found.announced
