"""Counts in the process of a DHT node all that the peer's libp2p daemon passes, for caps, quotas and the app."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from math import exp
from typing import Any

import hivemind

from core.failure_series import FailureSeries
from core.run.control_traffic import OVERHEAD, TYPICAL_RATE
from core.swarm.bandwidth import Line, Way
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of

ACKNOWLEDGED_SHARE = 0.021
"""Bytes of QUIC's acknowledgements for each byte that passes by UDP the other way.

The interfaces of three homes with exchanges and a download by UDP passed 0.020 to 0.022 of them beyond what had been
counted (docs/measured.md, "What a peer sends beside its rounds").
"""
_TURN_SECONDS = 1.0
_SMOOTHED_SECONDS = 10.0
"""Seconds after which a measured rate has 1/e of its weight: buffers hold what was passed on for some of them."""
_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def count_traffic(dht: "hivemind.DHT") -> None:
    """Count for the ``line`` of ``dht``, a RunNode, in its process until its node ends; returns once it has begun."""
    dht.run_coroutine(_begin)


def _acknowledgements(by_udp: WireBytes) -> WireBytes:
    """Return the estimated acknowledgements of what passed ``by_udp``: each way has those of the other one's."""
    return WireBytes(up=ACKNOWLEDGED_SHARE * by_udp.down, down=ACKNOWLEDGED_SHARE * by_udp.up)


async def _begin(dht: "hivemind.DHT", node: Any) -> None:
    connections = ConnectionCount(partial(connections_of, node.p2p._child.pid))
    task = asyncio.create_task(_keep(TrafficCount(dht.line, connections), node))
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


async def _keep(count: "TrafficCount", node: Any) -> None:
    turns = FailureSeries(_log, "Counting the traffic")
    while node.is_alive:
        try:
            count.turn()
            turns.succeeded()
        except Exception as error:  # noqa: BLE001 - a count that ended would hold the limiters for ever
            count.forget_rates()
            turns.failed(error)
        await asyncio.sleep(_TURN_SECONDS)


class TrafficCount:
    """Notes in a line what has passed on the wire, and how much a second of it was none of the averager's messages.

    Where the system does not tell, that part is an estimate. QUIC's acknowledgements always are.
    """

    def __init__(
        self, line: Line, connections: ConnectionCount, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Count for ``line`` what ``connections`` pass; ``clock`` gives monotonic seconds."""
        self._line, self._connections, self._clock = line, connections, clock
        self._counted_at, self._is_told = clock(), True
        self._messages, self._by_udp = self._passed_messages()
        self._ahead = WireBytes()
        """Estimates since the system last told; once it tells again, its own count has that part as well."""
        by_udp = self._by_udp + _acknowledgements(self._by_udp)
        self._total = self._messages + by_udp
        if self._tells():
            self._told = connections.total
            self._total = self._told + by_udp
        else:
            self._told = WireBytes()
        self._rates = [0.0, 0.0]

    def turn(self) -> None:
        """Take note of what has passed since the last turn."""
        now, by_udp = self._passed_messages()
        seconds = max(self._clock() - self._counted_at, 1e-9)
        messages, messages_by_udp = now - self._messages, by_udp - self._by_udp
        passed = self._since_told() if self._tells() else self._estimate(seconds, messages)
        acknowledged = _acknowledgements(messages_by_udp)
        self._total += passed + messages_by_udp + acknowledged
        others = passed - messages + acknowledged
        self._counted_at += seconds
        self._messages, self._by_udp = now, by_udp
        kept = exp(-seconds / _SMOOTHED_SECONDS)
        least = now + by_udp + _acknowledgements(by_udp)
        for way, total, beside in (
            (Way.UP, max(self._total.up, least.up), others.up),
            (Way.DOWN, max(self._total.down, least.down), others.down),
        ):
            self._rates[way] = kept * self._rates[way] + (1 - kept) * beside / seconds
            self._line.wire.note(way, total, max(0.0, self._rates[way]))

    def forget_rates(self) -> None:
        """Leave nothing of a cap for what is beside messages, until the next turn."""
        self._rates = [0.0, 0.0]
        for way in Way:
            self._line.wire.note(way, self._line.wire.passed(way), 0.0)

    def _since_told(self) -> WireBytes:
        """Return what the connections have passed since the last turn, once they were looked at."""
        told, self._told = self._connections.total - self._told - self._ahead, self._connections.total
        self._ahead = WireBytes()
        return WireBytes(max(0.0, told.up), max(0.0, told.down))

    def _estimate(self, seconds: float, messages: WireBytes) -> WireBytes:
        estimated = messages + WireBytes(TYPICAL_RATE * seconds, TYPICAL_RATE * seconds)
        self._ahead += estimated
        return estimated

    def _passed_messages(self) -> tuple[WireBytes, WireBytes]:
        """Return what the averager's messages took by connections of which the system tells, and by UDP."""
        averager = self._line.averager
        whole = WireBytes(OVERHEAD * averager.passed(Way.UP), OVERHEAD * averager.passed(Way.DOWN))
        by_udp = WireBytes(OVERHEAD * averager.by_udp(Way.UP), OVERHEAD * averager.by_udp(Way.DOWN))
        return whole - by_udp, by_udp

    def _tells(self) -> bool:
        """Look at the connections; return false if the system does not tell of them."""
        try:
            self._connections.look()
        except OSError as error:
            if self._is_told:
                _log.info("What the connections pass is estimated, as the system does not tell: %r", error)
            self._is_told = False
        else:
            if not self._is_told:
                _log.info("The system tells what the connections pass.")
            self._is_told = True
        return self._is_told
