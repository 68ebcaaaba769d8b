"""Finds out, before a peer enters the swarm, how others reach it at the port at which it is going to listen."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from hivemind.p2p import P2P, P2PDaemonError, PeerID
from hivemind.utils.multiaddr import Multiaddr

from core.messages.reach import Reach
from core.swarm.p2pd import allow_slow_starts, by_udp, listening_at, place_sockets, why_unusable
from core.swarm.reach.dialler import dial_daemon
from core.swarm.reach.own_places import own_address, own_address6
from core.swarm.reach.questions import CALL_FAULTS, MOST_PORTS, AskAgain, ask
from core.swarm.reach.reachability import (
    Reachability,
    ReachAnswer,
    ReachObservations,
    judge,
    may_be_mapped,
    outer_ports,
)
from core.swarm.wire.addresses import by_ip4, by_ip6

_log = logging.getLogger(__name__)

MOST_ENTRANCES = 3
"""Entrances that are asked, at most."""
_LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class ReachPatience:
    """Limits of a search, in seconds."""

    way: float = 20.0
    """Seconds for all questions by TCP, and again for those by other ways: then the search ends with what is known.

    The second ones are of a home, which is relayed as long as it runs if no time is left for them.
    """
    connect: float = 5.0
    """Seconds in which an entrance has to accept a connection."""
    answer: float = 12.0
    """Seconds for an answer: the entrance starts a libp2p daemon, which is given five seconds to connect."""
    busy: float = 10.0
    """Seconds in which an entrance is asked again that checks too much at present."""
    mapping: float = 8.0
    """Seconds since the start in which a router may forward a port; libp2p itself needs five of them."""


_PATIENCE = ReachPatience()


@dataclass(frozen=True)
class FoundReach:
    """Result of a search: the start that suits a peer."""

    reachability: Reachability
    announce: tuple[str, ...] = ()
    """Multiaddresses to announce, those of the computer's interfaces included; empty: those that libp2p finds."""


def find_reach(
    listen: Sequence[str],
    entrances: Sequence[str],
    identity: Path,
    *,
    upnp: bool,
    patience: ReachPatience = _PATIENCE,
) -> FoundReach:
    """Find out how others reach a peer that is not running yet; returns after some seconds, whatever happens.

    Args:
        listen: multiaddresses at which the peer is going to listen, all with the same port of its own.
        entrances: multiaddresses, with ids, of peers of the swarm.
        identity: file of the peer's key.
        upnp: true if the router may be asked to forward the port.
        patience: limits of the search.
    """
    places = [listening_at(item) for item in listen]
    port = places[0][1]
    if not entrances or any(why_unusable(*place) for place in places):  # of that the start itself tells
        return FoundReach(judge(ReachObservations(port, None, has_entrances=bool(entrances))))
    place_sockets()
    allow_slow_starts()
    finder = _Finder(port, listen, _some_of(entrances), identity, patience)
    try:
        asyncio.run(finder.run(upnp=upnp))
    except (P2PDaemonError, OSError, TimeoutError) as error:
        _log.warning("The search for how others reach this computer was given up: %r", error)
    found = finder.found
    _log.info("Others reach this computer: %s", found)
    announced = found.announced
    return FoundReach(found, (*finder.visible, *announced) if announced else ())


def _some_of(entrances: Sequence[str]) -> dict[PeerID, list[Multiaddr]]:
    """Return a few of the peers that the multiaddresses ``entrances`` name, with all addresses of each."""
    found: dict[PeerID, list[Multiaddr]] = {}
    for text in entrances:
        address, _, peer = text.rpartition("/p2p/")
        try:
            found.setdefault(PeerID.from_base58(peer), []).append(Multiaddr(address))
        except (ValueError, LookupError) as error:  # the start itself says so
            _log.info("The entrance %s is malformed: %s", text, error)
    return dict(random.sample(list(found.items()), min(MOST_ENTRANCES, len(found))))


class _Finder:
    def __init__(
        self,
        port: int,
        listen: Sequence[str],
        entrances: Mapping[PeerID, Sequence[Multiaddr]],
        identity: Path,
        patience: ReachPatience,
    ) -> None:
        self._port, self._listen, self._patience = port, list(listen), patience
        self._identity, self._by_ip6 = str(identity), _converted(entrances, by_ip6)
        self._by_ip4 = _converted(entrances, by_ip4)
        self._answers: tuple[ReachAnswer, ...] = ()
        self._mapped: frozenset[int] = frozenset()
        self._by_udp: tuple[ReachAnswer, ...] = ()
        self.visible: tuple[str, ...] = ()
        """Addresses of this computer's interfaces, as libp2p names them."""

    @property
    def found(self) -> Reachability:
        """The verdict on what was seen so far."""
        seen = ReachObservations(self._port, own_address(), self._answers, self._mapped, self._by_udp)
        return judge(replace(seen, own_address6=own_address6(), ip6_only=not self._by_ip4))

    async def run(self, *, upnp: bool) -> None:
        """Ask the entrances by what all peers have; if they can't connect, ask by other ways as well.

        If a router forwards a port meanwhile, they are asked again.
        """
        async with asyncio.timeout(self._patience.way):
            await self._ask_by_tcp(upnp=upnp)
        if not self.found.client_mode:
            return
        further = [self._ask_by_udp()] if self.found.reach is Reach.OUTGOING and self._by_ip4 else []
        if self._by_ip4 and self._by_ip6 and own_address6() is not None:
            further.append(self._ask_by_ip6())
        async with asyncio.timeout(self._patience.way):
            await asyncio.gather(*map(_unless_hindered, further))

    async def _ask_by_tcp(self, *, upnp: bool) -> None:
        async with self._daemon(self._listen, nat_port_map=upnp) as p2p:
            until = asyncio.get_running_loop().time() + self._patience.mapping
            self.visible = await _visible(p2p)
            peers = await _connected(p2p, self._by_ip4 or self._by_ip6, self._patience)
            self._answers = await answers_of(p2p, peers, (self._port,), self._patience)
            if upnp and may_be_mapped(self.found):
                await self._await_mapping(p2p, until)
                if self._mapped:
                    ports = tuple(sorted(self._mapped)[:MOST_PORTS])
                    self._answers = await answers_of(p2p, peers, ports, self._patience) or self._answers

    async def _ask_by_udp(self) -> None:
        """Ask from which address and port the packets of IPv4 come that leave this peer's UDP port."""
        entrances = _converted(self._by_ip4, by_udp)
        listen = [address for item in self._listen if by_ip4(item) and (address := by_udp(item))]
        async with self._daemon(listen) as p2p:
            peers = await _connected(p2p, entrances, self._patience)
            answers = await answers_of(p2p, peers, (), self._patience)
            hosts = {str(peer): _hosts(known) for peer, known in entrances.items()}
            self._by_udp = tuple(replace(item, asked_at=hosts[item.entrance]) for item in answers)

    async def _ask_by_ip6(self) -> None:
        """Ask from which address of IPv6 this peer comes, and whether it accepts connections at that address."""
        if not (listen := [item for item in self._listen if by_ip6(item)]):
            return
        async with self._daemon(listen) as p2p:
            peers = await _connected(p2p, self._by_ip6, self._patience)
            answers = await answers_of(p2p, peers, (self._port,), self._patience)
            self._answers = (*self._answers, *answers)

    def _daemon(self, listen: list[str], *, nat_port_map: bool = False) -> AbstractAsyncContextManager[P2P]:
        return dial_daemon(host_maddrs=listen, identity_path=self._identity, nat_port_map=nat_port_map)

    async def _await_mapping(self, p2p: P2P, until: float) -> None:
        """Look until a router forwards a port, once at least: the entrances may have taken longer than that."""
        clock = asyncio.get_running_loop().time
        while not (mapped := outer_ports(await _visible(p2p), port=self._port)) and clock() < until:
            await asyncio.sleep(_LOOK_SECONDS)
        self._mapped = mapped


async def _unless_hindered(asking: Awaitable[None]) -> None:
    """Wait for a question that is not the only one; what hinders it is logged."""
    try:
        await asking
    except CALL_FAULTS as error:
        _log.warning("One way in which others may reach this computer was not looked at: %r", error)


def _converted(
    entrances: Mapping[PeerID, Sequence[Multiaddr]], convert: Callable[[str], str | None]
) -> dict[PeerID, list[Multiaddr]]:
    """Return those of the ``entrances`` that ``convert`` gives addresses for, with these."""
    found = {
        peer: [Multiaddr(address) for item in known if (address := convert(str(item)))]
        for peer, known in entrances.items()
    }
    return {peer: addresses for peer, addresses in found.items() if addresses}


async def _visible(p2p: P2P) -> tuple[str, ...]:
    _, addresses = await p2p._client.identify()
    return tuple(str(item) for item in addresses)


def _hosts(addresses: Sequence[Multiaddr]) -> str:
    """Return the hosts in the multiaddresses of an entrance."""
    return " ".join(sorted({str(item).split("/")[2] for item in addresses}))


async def _connected(
    p2p: P2P, entrances: Mapping[PeerID, Sequence[Multiaddr]], patience: ReachPatience
) -> list[PeerID]:
    """Connect to the ``entrances``, and return those that answer."""
    connects = await asyncio.gather(*(_connects(p2p, *item, patience.connect) for item in entrances.items()))
    return [peer for peer, answers in zip(entrances, connects, strict=True) if answers]


async def _connects(p2p: P2P, entrance: PeerID, addresses: Sequence[Multiaddr], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await p2p._client.connect(entrance, addresses)
    except CALL_FAULTS as error:
        _log.info("The entrance %s is not reached: %s", entrance, str(error) or type(error).__name__)
        return False
    return True


async def answers_of(
    p2p: P2P, peers: Sequence[PeerID], ports: tuple[int, ...], patience: ReachPatience = _PATIENCE
) -> tuple[ReachAnswer, ...]:
    """Return the answers of those ``peers`` that offer the check, about these ``ports``.

    ``p2p`` is the libp2p daemon of this peer; ``patience`` limits the search.
    """
    asked = await asyncio.gather(*(_answer(p2p, peer, ports, patience) for peer in peers))
    return tuple(item for item in asked if item is not None)


async def _answer(
    p2p: P2P, peer: PeerID, ports: tuple[int, ...], patience: ReachPatience
) -> ReachAnswer | None:
    until = asyncio.get_running_loop().time() + patience.busy
    try:
        while True:
            try:
                return await ask(p2p, peer, ports, patience.answer)
            except AskAgain as busy:
                # Not all who wait are to come back together.
                seconds = busy.seconds * random.uniform(1.0, 1.5)
                if asyncio.get_running_loop().time() + seconds > until:
                    raise
            await asyncio.sleep(seconds)
    except (*CALL_FAULTS, AskAgain) as error:
        _log.info(
            "The entrance %s did not check how this peer is reached: %s",
            peer,
            str(error) or type(error).__name__,
        )
        return None
