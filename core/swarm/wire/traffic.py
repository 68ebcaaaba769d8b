"""Counts in the process of a DHT node all that the peer's libp2p daemon passes, for caps, quotas and the app."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from math import exp
from typing import Any

import hivemind

from core.run.control_traffic import TYPICAL_RATE
from core.swarm.bandwidth import OVERHEAD, Line, Way
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of

_TURN_SECONDS = 1.0
_SMOOTHED_SECONDS = 10.0
"""Seconds after which a measured rate has 1/e of its weight: buffers hold what was passed on for some of them."""
_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def count_traffic(dht: "hivemind.DHT") -> None:
    """Count for the ``line`` of ``dht``, a RunNode, in its process until its node ends; returns once it has begun."""
    dht.run_coroutine(_begin)


async def _begin(dht: "hivemind.DHT", node: Any) -> None:
    connections = ConnectionCount(partial(connections_of, node.p2p._child.pid))
    task = asyncio.create_task(_keep(TrafficCount(dht.line, connections), node))
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


async def _keep(count: "TrafficCount", node: Any) -> None:
    while node.is_alive:
        count.turn()
        await asyncio.sleep(_TURN_SECONDS)


class TrafficCount:
    """Notes in a line what has passed on the wire, and how much a second of it was none of the averager's messages.

    Where the system does not tell, that part is an estimate.
    """

    def __init__(
        self, line: Line, connections: ConnectionCount, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Count for ``line`` what ``connections`` pass; ``clock`` gives monotonic seconds."""
        self._line, self._connections, self._clock = line, connections, clock
        self._counted_at, self._is_told = clock(), True
        self._estimated = WireBytes()
        self._wire, self._messages = self._totals()
        self._rates = [0.0, 0.0]

    def turn(self) -> None:
        """Take note of what has passed since the last turn."""
        wire, messages = self._totals()
        seconds = max(self._clock() - self._counted_at, 1e-9)
        kept = exp(-seconds / _SMOOTHED_SECONDS)
        for way, (now, before) in (
            (Way.UP, (wire.up, self._wire.up)),
            (Way.DOWN, (wire.down, self._wire.down)),
        ):
            beside = (now - before - (messages[way] - self._messages[way])) / seconds
            self._rates[way] = kept * self._rates[way] + (1 - kept) * beside
            # By QUIC, whose connections are not told of, messages are all that is known.
            self._line.wire.note(way, max(now, messages[way]), max(0.0, self._rates[way]))
        self._counted_at += seconds
        self._wire, self._messages = wire, messages

    def _totals(self) -> tuple[WireBytes, tuple[float, float]]:
        averager = self._line.averager
        messages = OVERHEAD * averager.passed(Way.UP), OVERHEAD * averager.passed(Way.DOWN)
        try:
            return self._connections.look(), messages
        except OSError as error:
            if self._is_told:
                _log.info("What the connections pass is estimated, as the system does not tell: %r", error)
            self._is_told = False
        seconds = self._clock() - self._counted_at
        self._estimated += WireBytes(TYPICAL_RATE * seconds, TYPICAL_RATE * seconds)
        return self._estimated + WireBytes(*messages), messages
