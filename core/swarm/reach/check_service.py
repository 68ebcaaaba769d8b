"""The check service: tells a peer from which address it comes, and at which of its ports it can be reached."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from typing import Any

import hivemind
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.datastructures import StreamInfo
from hivemind.utils.multiaddr import Multiaddr

from core.swarm.reach.dialler import connectable
from core.swarm.reach.questions import CALL_FAULTS, PROTOCOL, ReachQuestion, ReachReply, receive, send
from core.swarm.wire.addresses import may_be_checked

_log = logging.getLogger(__name__)

_QUESTION_SECONDS = 5.0
_PERIOD_SECONDS = 10.0
_MOST_IN_PERIOD = 3
"""Checks of one peer in a period: it asks again once its router has forwarded a port, and if it starts again."""
_MOST_AT_A_TIME = 4
_BUSY_SECONDS = 2.0
"""Seconds after which to ask again while as many checks are made as may be."""
_MOST_REMEMBERED = 10_000
"""Peers whose last checks are remembered; while there are more, others wait."""

Connectable = Callable[[PeerID, str, Sequence[int]], Awaitable[list[int]]]


class CheckLimits:
    """Bounds the number of checks: those of one peer in a period, and those at the same time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin without any check; ``clock`` gives seconds that only rise."""
        self._clock = clock
        self._checks: dict[bytes, tuple[float, ...]] = {}
        self._running = 0

    def begin(self, peer: bytes) -> float | None:
        """Begin a check of the ``peer``, given by its id, and return None; or return the seconds until it may be."""
        now = self._clock()
        recent = self._recent(peer, now)
        if len(recent) >= _MOST_IN_PERIOD:
            return recent[-_MOST_IN_PERIOD] + _PERIOD_SECONDS - now
        if self._running >= _MOST_AT_A_TIME or self._is_full(now):
            return _BUSY_SECONDS
        self._checks[peer] = (*recent, now)
        self._running += 1
        return None

    def end(self) -> None:
        """Take note that a check is over."""
        self._running -= 1

    def _recent(self, peer: bytes, now: float) -> tuple[float, ...]:
        return tuple(item for item in self._checks.get(peer, ()) if now - item < _PERIOD_SECONDS)

    def _is_full(self, now: float) -> bool:
        if len(self._checks) >= _MOST_REMEMBERED:
            self._checks = {peer: recent for peer in self._checks if (recent := self._recent(peer, now))}
        return len(self._checks) >= _MOST_REMEMBERED


class CheckService:
    """Answers one question on each stream that another peer opens.

    A peer that asks can only have its own address dialled, the one that its connection comes from, so that the
    service can't be turned against others.
    """

    def __init__(
        self, connectable: Connectable = connectable, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare to answer.

        Args:
            connectable: returns those of a peer's ports at which it accepts connections; given the peer's id, the
                beginning of its address, and the ports.
            clock: seconds that only rise.
        """
        self._connectable, self._limits = connectable, CheckLimits(clock)

    async def handle(
        self, info: StreamInfo, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the peer that ``info`` names; it asks by ``reader`` and is answered by ``writer``."""
        with closing(writer):
            try:
                async with asyncio.timeout(_QUESTION_SECONDS):
                    question = await receive(reader, ReachQuestion)
                await send(writer, await self.reply(info.peer_id, info.addr, question.ports))
                async with asyncio.timeout(_QUESTION_SECONDS):
                    await reader.read(1)  # until the caller has it: by QUIC, what is closed before is lost
            except CALL_FAULTS as error:
                _log.debug("The check of %s was not made: %r", info.peer_id, error)

    async def reply(self, peer: PeerID, address: Multiaddr, ports: Sequence[int]) -> ReachReply:
        """Return the reply to a ``peer`` that asks about its ``ports`` by a connection from ``address``."""
        host = _host(address)
        if host is None or not ports:
            return ReachReply(address=host.split("/")[2], port=_udp_port(address)) if host else ReachReply()
        if (seconds := self._limits.begin(peer.to_bytes())) is not None:
            return ReachReply(again=seconds)
        try:
            reached = await self._connectable(peer, host, ports)
        finally:
            self._limits.end()
        _log.info("%s comes from %s, and is reached at %s.", peer, host, reached or "none of its ports")
        return ReachReply(address=host.split("/")[2], reached=reached)


def _host(address: Multiaddr) -> str | None:
    """Return the beginning of an address, as "/ip4/11.0.0.7".

    Return None for a peer that comes through a relay, or from an address that is not dialled.
    """
    parts = str(address).split("/")
    is_plain = len(parts) >= 3 and parts[1] in ("ip4", "ip6") and "p2p-circuit" not in parts
    return "/".join(parts[:3]) if is_plain and may_be_checked(parts[2]) else None


def _udp_port(address: Multiaddr) -> int | None:
    parts = str(address).split("/")
    return int(parts[4]) if len(parts) > 4 and parts[3] == "udp" else None


def offer_checks(dht: "hivemind.DHT") -> None:
    """Offer the check to other peers in the process of ``dht``; returns once it is offered."""
    dht.run_coroutine(_offer)


async def _offer(_: "hivemind.DHT", node: Any) -> None:
    await node.p2p.add_binary_stream_handler(PROTOCOL, CheckService().handle)
