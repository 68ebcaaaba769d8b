"""Finds out, before a peer enters the swarm, at which port it listens and how others reach it there."""

import asyncio
import logging
import random
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hivemind.p2p import P2P, P2PDaemonError, PeerID
from hivemind.utils.multiaddr import Multiaddr

from core.messages.reach import Reach
from core.storage.files import write_atomically
from core.swarm.p2pd import allow_slow_starts, by_udp, listening_at, place_sockets, why_unusable
from core.swarm.reach.dialler import lone_daemon
from core.swarm.reach.questions import CALL_FAULTS, MOST_PORTS, AskAgain, ask
from core.swarm.reach.reachability import (
    Reachability,
    ReachAnswer,
    ReachObservations,
    judge,
    may_be_mapped,
    outer_ports,
)

_log = logging.getLogger(__name__)

MOST_ENTRANCES = 3
"""Entrances that are asked, at most."""
_LOOK_SECONDS = 0.25
_OUTSIDE = ("192.0.2.1", 9)
"""Documentation's own network (RFC 5737): routed like any other address, and nothing is sent there."""
_PORTS = range(20_000, 32_000)
"""Ports that no system gives to outgoing connections by itself, so that one stays free while it is not used."""
_ATTEMPTS = 20


@dataclass(frozen=True)
class ReachPatience:
    """Limits of a search, in seconds."""

    all: float = 20.0
    """Time after which the search ends with what is known, however busy the computers are."""
    connect: float = 5.0
    """Time in which an entrance has to accept a connection."""
    answer: float = 12.0
    """Time for an answer: the entrance starts a libp2p daemon, which is given five seconds to connect."""
    busy: float = 10.0
    """Time in which an entrance is asked again that checks too much at present."""
    mapping: float = 8.0
    """Time since the start in which a router may forward a port; libp2p itself needs five seconds of it."""


_PATIENCE = ReachPatience()


@dataclass(frozen=True)
class FoundReach:
    """Result of a search: the start that suits a peer."""

    reachability: Reachability
    announce: tuple[str, ...] = ()
    """Multiaddresses to announce, those of the computer's interfaces included; empty: those that libp2p finds."""


def listening_port(host: str, preferred: int, file: Path) -> int:
    """Return the port to listen at: the preferred one, else the one of last time, else a free one, which is kept.

    A port that was forwarded by hand then stays the right one.

    Args:
        host: the address to listen at.
        preferred: the port that the volunteer chose; 0: any.
        file: the file that keeps the port.
    """
    if preferred:
        return preferred
    if (kept := _kept(file)) is not None and why_unusable(host, kept) is None:
        return kept
    drawn = (random.choice(_PORTS) for _ in range(_ATTEMPTS))
    port = next((item for item in drawn if why_unusable(host, item) is None), None) or _any_port(host)
    try:
        write_atomically(file, f"{port}\n".encode())
    except OSError:
        _log.warning("The port to listen at could not be kept.", exc_info=True)
    return port


def _any_port(host: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _kept(file: Path) -> int | None:
    try:
        port = int(file.read_text())
    except (OSError, ValueError):
        return None
    return port if 0 < port < 1 << 16 else None


def own_address() -> str | None:
    """Return the address that this computer's packets leave from, or None if it has no way to the Internet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def find_reach(
    listen: str,
    entrances: Sequence[str],
    identity: Path,
    *,
    upnp: bool,
    patience: ReachPatience = _PATIENCE,
) -> FoundReach:
    """Find out how others reach a peer that is not running yet; returns after some seconds, whatever happens.

    Args:
        listen: multiaddress at which the peer is going to listen, with a port of its own.
        entrances: multiaddresses, with ids, of peers of the swarm.
        identity: file of the peer's key.
        upnp: true if the router may be asked to forward the port.
        patience: limits of the search.
    """
    host, port = listening_at(listen)
    if not entrances or why_unusable(host, port) is not None:  # what hinders it is told by the start itself
        return FoundReach(judge(ReachObservations(port, None, has_entrances=bool(entrances))))
    place_sockets()
    allow_slow_starts()
    finder = _Finder(port, _some_of(entrances), patience)
    try:
        asyncio.run(finder.run(listen, identity, upnp=upnp))
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
        self, port: int, entrances: Mapping[PeerID, Sequence[Multiaddr]], patience: ReachPatience
    ) -> None:
        self._port, self._entrances, self._patience = port, entrances, patience
        self._answers: tuple[ReachAnswer, ...] = ()
        self._mapped: frozenset[int] = frozenset()
        self._by_udp: tuple[ReachAnswer, ...] = ()
        self.visible: tuple[str, ...] = ()
        """Addresses of this computer's interfaces, as libp2p names them."""

    @property
    def found(self) -> Reachability:
        """The verdict on what was seen so far."""
        return judge(ReachObservations(self._port, own_address(), self._answers, self._mapped, self._by_udp))

    async def run(self, listen: str, identity: Path, *, upnp: bool) -> None:
        """Ask the entrances, again if a router forwards a port meanwhile, and by UDP if none does."""
        async with asyncio.timeout(self._patience.all):
            await self._ask_by_tcp(listen, identity, upnp=upnp)
            if self.found.reach is Reach.OUTGOING:
                await self._ask_by_udp(listen, identity)

    async def _ask_by_tcp(self, listen: str, identity: Path, *, upnp: bool) -> None:
        options: dict[str, Any] = {"identity_path": str(identity), "nat_port_map": upnp}
        async with lone_daemon(host_maddrs=[listen], **options) as p2p:
            until = asyncio.get_running_loop().time() + self._patience.mapping
            self.visible = await _visible(p2p)
            peers = await _connected(p2p, self._entrances, self._patience)
            self._answers = await answers_of(p2p, peers, (self._port,), self._patience)
            if upnp and may_be_mapped(self.found):
                await self._await_mapping(p2p, until)
                if self._mapped:
                    ports = tuple(sorted(self._mapped)[:MOST_PORTS])
                    self._answers = await answers_of(p2p, peers, ports, self._patience) or self._answers

    async def _ask_by_udp(self, listen: str, identity: Path) -> None:
        """Ask from which address and port the packets come that leave this peer's UDP port."""
        options: dict[str, Any] = {"identity_path": str(identity), "nat_port_map": False}
        entrances = {
            peer: [Multiaddr(address) for item in known if (address := by_udp(str(item)))]
            for peer, known in self._entrances.items()
        }
        async with lone_daemon(host_maddrs=[by_udp(listen)], **options) as p2p:
            peers = await _connected(p2p, entrances, self._patience)
            answers = await answers_of(p2p, peers, (), self._patience)
            hosts = {str(peer): _hosts(known) for peer, known in entrances.items()}
            self._by_udp = tuple(replace(item, asked_at=hosts[item.entrance]) for item in answers)

    async def _await_mapping(self, p2p: P2P, until: float) -> None:
        """Look until a router forwards a port, once at least: the entrances may have taken longer than that."""
        clock = asyncio.get_running_loop().time
        while not (mapped := outer_ports(await _visible(p2p), port=self._port)) and clock() < until:
            await asyncio.sleep(_LOOK_SECONDS)
        self._mapped = mapped


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
