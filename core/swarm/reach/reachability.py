"""Judges from what other peers observed how this one is reached: pure functions."""

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.messages.reach import Reach

_SETTLED_SECONDS = 3600.0
"""Seconds after its start in which a peer is not started again for another verdict, unless it has moved."""


@dataclass(frozen=True)
class ReachAnswer:
    """Finding of one entrance about this peer."""

    entrance: str
    """Id of the entrance."""
    address: str
    """The IP address from which this peer's connection came."""
    reached: tuple[int, ...] = ()
    """Ports, of those asked about, at which the entrance could connect to this peer."""

    @property
    def is_public(self) -> bool:
        """True if the entrance saw this peer come from the Internet, and not from a network that both share."""
        return ipaddress.ip_address(self.address).is_global


@dataclass(frozen=True)
class ReachObservations:
    """All that is known before the verdict."""

    port: int
    """PortNumber at which this peer listens."""
    own_address: str | None
    """Address with which this computer's connections leave it; None if it has no way to the Internet."""
    answers: tuple[ReachAnswer, ...] = ()
    """The answers of the entrances that offer the check."""
    mapped: frozenset[int] = frozenset()
    """Outer ports that a router forwards on request."""
    has_entrances: bool = True
    """False for the first peer of a swarm, whom others have to find."""


@dataclass(frozen=True)
class Reachability:
    """The verdict."""

    reach: Reach
    addresses: tuple[str, ...] = ()
    """Multiaddresses, without the peer's id, at which others could connect."""
    observed: str | None = None
    """IP address from which others see this peer come; None if none of them could say."""
    answered: tuple[str, ...] = ()
    """Ids of the entrances that answered."""
    port: int | None = None
    """PortNumber at which this peer listens."""
    is_translated: bool = False
    """True if the observed address is not this computer's own: a router translates between them."""

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
    something that hinders it.
    """
    if not seen.has_entrances:
        return Reachability(Reach.DIRECT, port=seen.port)
    answers = [item for item in seen.answers if item.is_public] or list(seen.answers)
    if not answers:
        return Reachability(Reach.UNCHECKED, port=seen.port)
    best = max(answers, key=lambda item: (seen.port in item.reached, len(item.reached)))
    return Reachability(
        _reach(best, seen),
        tuple(f"{_host(best.address)}/tcp/{port}" for port in best.reached),
        best.address,
        tuple(item.entrance for item in seen.answers),
        seen.port,
        is_translated=not _is_own(best.address, seen.own_address),
    )


def _reach(best: ReachAnswer, seen: ReachObservations) -> Reach:
    if not best.reached:
        return Reach.OUTGOING
    is_forwarded = seen.port in best.reached and seen.port not in seen.mapped
    return Reach.DIRECT if is_forwarded else Reach.MAPPED


def _host(address: str) -> str:
    return f"/ip{ipaddress.ip_address(address).version}/{address}"


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
        announced: multiaddresses that this peer was told to announce, which are no mapped ones.
    """
    parts = [item.split("/") for item in visible if not item.startswith(tuple(announced) or ("-",))]
    ports = (int(item[4]) for item in parts if len(item) > 4 and item[3] == "tcp")
    return frozenset(item for item in ports if item != port)


def needs_restart(started_with: Reachability, found: Reachability, seconds: float) -> bool:
    """Return true if a peer has to start again because it is reached in another way.

    It does if it should have been started in the other mode, or with other addresses to announce: once an hour at
    most, or at once after it has moved.

    Args:
        started_with: the verdict that the peer was started with.
        found: the verdict of now.
        seconds: seconds since the start.
    """
    differs = (started_with.client_mode, started_with.announced) != (found.client_mode, found.announced)
    return differs and (started_with.observed != found.observed or seconds >= _SETTLED_SECONDS)
